from dataclasses import replace

import pytest

from ofc.board import Board, Row
from ofc.errors import ScoringError
from ofc.evaluation import Category
from ofc.rules import StayCards
from ofc.rulesets import get_rules
from ofc.scoring import (
    Chips,
    Points,
    RowPoints,
    Seat,
    board_royalties,
    does_stay,
    fantasyland_entry,
    fantasyland_next,
    settle,
    settle_chips,
)

ANNA = Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
BO = Board.parse("Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c")
CY = Board.parse("Th 5h 3c / Jc Jd 8s 4c 2d / Qs Qh 7h 5s 4d")
PINEAPPLE = get_rules("pineapple")


def test_row_points_are_told_by_row() -> None:
    points = RowPoints(Points(1), Points(2), Points(3))
    assert [points.row(row) for row in Row] == [1, 2, 3]
    assert points.total == 6


def test_the_button_decides_only_the_order_of_the_pairs() -> None:
    first, second = (settle([ANNA, BO, CY], PINEAPPLE, button=Seat(seat)) for seat in (0, 2))
    assert first.players == second.players
    assert [(pair.a, pair.b) for pair in first.pairs] == [(0, 1), (0, 2), (1, 2)]
    assert settle([ANNA, BO, CY], PINEAPPLE) == second


def test_everything_that_keeps_boards_from_being_settled_is_told() -> None:
    with pytest.raises(ScoringError) as caught:
        settle(
            [ANNA, Board.parse("9c / - / Ah"), BO, CY],
            PINEAPPLE,
            fantasyland=[0, 13, 18],
            button=Seat(4),
        )
    assert [(fault.code, fault.field, fault.text) for fault in caught.value.faults] == [
        ("players-too-many", "players", "4"),
        ("button-unknown", "button", "4"),
        ("fantasyland-count", "fantasyland", "[0, 13, 18]"),
        ("fantasyland-count", "players[1].fantasyland", "13"),
        ("fantasyland-count", "players[2].fantasyland", "18"),
        ("row-count", "players[1].top", "9c"),
        ("row-count", "players[1].middle", ""),
        ("row-count", "players[1].bottom", "Ah"),
        ("card-twice", "players[1].top", "9c"),
        ("card-twice", "players[1].bottom", "Ah"),
    ]


def test_a_card_on_several_boards_is_told_once_with_all_its_places() -> None:
    with pytest.raises(ScoringError) as caught:
        settle([ANNA, ANNA, ANNA], PINEAPPLE)
    assert [(fault.code, fault.text) for fault in caught.value.faults] == [
        ("card-twice", str(card)) for card in ANNA.cards
    ]
    assert caught.value.faults[0].message == "9c is on other boards too: players[0].top, players[2].top"


def test_too_few_players_are_told() -> None:
    with pytest.raises(ScoringError, match="ultimate is played by 3, not 1") as caught:
        settle([ANNA], get_rules("ultimate"))
    assert caught.value.code == "players-too-few"


def test_rules_without_fantasyland_deal_no_count() -> None:
    never = replace(PINEAPPLE, id="never", fantasyland_pairs=(0,) * 13, fantasyland_trips=0)
    with pytest.raises(ScoringError, match="never deals no cards in Fantasyland, not 14"):
        settle([ANNA, BO], never, fantasyland=[14, 0])
    assert settle([ANNA, BO], never).players[1].fantasyland_next == 0


def test_money_that_does_not_fit_is_told_at_once() -> None:
    settlement = settle([ANNA, BO], PINEAPPLE)
    with pytest.raises(ScoringError) as caught:
        settle_chips(settlement, stacks=[Chips(-1), Chips(5), Chips(-2)], price=Chips(0))
    assert [(fault.code, fault.field, fault.text) for fault in caught.value.faults] == [
        ("stack-invalid", "players[0].stack", "-1"),
        ("stack-invalid", "players[2].stack", "-2"),
        ("stacks-count", "stacks", "3"),
        ("price-invalid", "price", "0"),
    ]


def test_even_points_move_no_chips() -> None:
    fouled = Board.parse("Kh Kd Kc / Qs Qd 9h 7h 2c / 2h 3c 4d 5s 7c")
    fouled_too = Board.parse("Ts Th 4c / 9d 8s 5h 3s 2d / Js 8c 6c 5c 4h")
    paid = settle_chips(settle([fouled, fouled_too], PINEAPPLE), stacks=[Chips(10), Chips(0)], price=Chips(1))
    assert paid.stacks == (10, 0)
    assert (paid.transfers[0].chips, paid.transfers[0].capped_by) == (0, None)


def test_royalties_of_a_board_do_not_ask_whether_it_is_fouled() -> None:
    fouled = Board.parse("Kh Kd Kc / Qs Qd Qh 7h 2c / 2h 3c 4d 5s 6c")
    assert board_royalties(fouled.strengths(), PINEAPPLE) == RowPoints(Points(21), Points(2), Points(2))
    assert board_royalties(CY.strengths(), PINEAPPLE).total == 0


def test_what_stays_with_how_many_cards() -> None:
    trips_on_top = Board.parse("2c 2d 2h / 3s 3h 3d 5s 5h / 7s 7h 7d 7c 9s").strengths()
    assert fantasyland_entry(trips_on_top[0], PINEAPPLE) == 17
    assert does_stay(trips_on_top, PINEAPPLE)
    kept = [
        fantasyland_next(trips_on_top, replace(PINEAPPLE, id="own", stay_cards=cards), held=15)
        for cards in (StayCards.SAME, StayCards.LARGER, StayCards.FOURTEEN)
    ]
    assert kept == [15, 17, 14]
    pair_stays = replace(PINEAPPLE, id="own", stay_top=Category.PAIR)
    assert fantasyland_next(BO.strengths(), pair_stays, held=14) == 14
    assert fantasyland_next(ANNA.strengths(), pair_stays, held=14) == 0
