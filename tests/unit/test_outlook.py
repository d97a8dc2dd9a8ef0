"""What an unconfirmed arrangement is worth, in the words that the page shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ofc.board import Board, Placement, Row
from ofc.cards import DECK, Card, parse_cards
from ofc.clock import Millis
from ofc.events import HandStarted
from ofc.hand import Hand, SeatCards
from ofc.outlook import Outlook, RowStatus, outlook_for, row_now
from ofc.rulesets import get_rules
from ofc.scoring import Seat


def holding(
    board: str, dealt: str = "", *, street: int | None = None, held: int = 0, rules: str = "pineapple", other: str = ""
) -> Hand:
    """A hand of two in which seat 0 has this board and these cards to place, seat 1 the board `other`."""
    own = Board.parse(board)
    cards = parse_cards(dealt)
    chosen = get_rules(rules)
    now = 0 if held else street or (own.placed - 5) // 2 + 2
    started = HandStarted(1, (Seat(0), Seat(1)), Seat(1), (held, 0), None, DECK, Millis(0))
    opponent = SeatCards(board=Board.parse(other) if other else Board())
    return Hand(chosen, started, (SeatCards(own, cards, now), opponent))


def outlook(hand: Hand, placements: str = "", chosen: str = "") -> Outlook:
    """`placements` as `Kh top, 2c bottom`."""
    placed = [piece.split() for piece in placements.split(", ") if piece]
    arranged = [Placement(Card.parse(card), Row(row)) for card, row in placed]
    return outlook_for(hand, Seat(0), arranged, parse_cards(chosen))


@pytest.mark.parametrize(
    ("row", "cards", "words", "royalty"),
    [
        (Row.TOP, "", "", 0),
        (Row.TOP, "Ks", "King high", 0),
        (Row.TOP, "6s 6d", "Pair of sixes", 1),
        (Row.TOP, "2s 2d 2h", "Three twos", 10),
        (Row.MIDDLE, "Qs Qd", "Pair of queens", 0),
        (Row.MIDDLE, "Qs Qd 3c 3d", "Two pair, queens and threes", 0),
        (Row.MIDDLE, "Qs Qd Qh", "Three queens", 2),
        (Row.BOTTOM, "Qs Qd Qh", "Three queens", 0),
        (Row.BOTTOM, "Qs Qd Qh Qc", "Four queens", 10),
        (Row.MIDDLE, "9s 8d 7h 6c 5c", "Straight, nine high", 4),
    ],
)
def test_a_rows_words_and_royalty_so_far(row: Row, cards: str, words: str, royalty: int) -> None:
    now = row_now(row, parse_cards(cards), get_rules("ultimate"))
    assert now.royalty == royalty
    if words:
        assert now.hand.lower().startswith(words.split(maxsplit=1)[0].lower()[:4])


def test_nothing_arranged() -> None:
    found = outlook(holding("- / - / -", "Kh 9c 8d 7s 2c", street=1))
    assert (found.left, found.complete, found.discards, found.fouled, found.chosen) == (5, False, (), False, None)
    assert {row.status for row in found.rows.values()} == {RowStatus.FINE}
    assert (found.message, found.errors) == (None, ())


def test_what_is_left_over_of_a_complete_arrangement_is_discarded() -> None:
    hand = holding("Kh / 9c 8d / 7s 2c", "3d 4d 5d")
    found = outlook(hand, "3d bottom, 5d bottom")
    assert (found.left, found.complete, found.discards) == (0, True, parse_cards("4d"))
    assert outlook(hand, "3d bottom").discards == ()


def test_an_arrangement_with_faults_is_left_out_and_its_faults_told() -> None:
    hand = holding("Kh / 9c 8d / 7s 2c", "3d 4d 5d")
    found = outlook(hand, "Ah top, 3d top, 4d top, 5d top")
    assert [fault.code for fault in found.errors] == ["card-not-yours", "row-overfull", "placements-count"]
    assert found.left == 2
    assert found.rows[Row.TOP].hand == outlook(hand).rows[Row.TOP].hand


def test_queens_on_top_promise_fantasyland() -> None:
    found = outlook(holding("Qh / 9c 8d / 7s 2c", "Qd 4d 5d"), "Qd top, 4d bottom")
    assert found.fantasyland == 14
    assert found.message == "Queens on top and no foul: Fantasyland with 14 cards"
    assert outlook(holding("Qh / 9c 8d / 7s 2c", "Jd 4d 5d"), "Jd top, 4d bottom").fantasyland == 0


def test_three_of_a_kind_on_top_promise_seventeen() -> None:
    found = outlook(holding("2h 2d / 9c 8d / 7s", "2s 4d 5d"), "2s top, 4d bottom")
    assert (found.fantasyland, found.message) == (17, "Three twos on top and no foul: Fantasyland with 17 cards")


def test_a_finished_board_has_no_if() -> None:
    board = "Qh Qd / Kc Kd 9c 8d 2h / Ac Ad 7s 2c"
    found = outlook(holding(board, "3s 4d 5d"), "3s top, 4d bottom")
    assert found.message == "Queens on top: Fantasyland with 14 cards"
    assert found.complete


def test_in_fantasyland_staying_is_told_once_the_board_is_full() -> None:
    cards = "Ac Ad Ah As 2c 3d 4h 5s 7c 7d 9c Jd Kh 2d"
    hand = holding("- / - / -", cards, held=14)
    low = outlook(hand, "Ac bottom, Ad bottom, Ah bottom, As bottom")
    assert (low.fantasyland, low.message, low.left) == (0, None, 9)
    rest = ", 2c bottom, 7c middle, 7d middle, 9c middle, Jd middle, Kh middle, 3d top, 4h top, 5s top"
    full = outlook(hand, "Ac bottom, Ad bottom, Ah bottom, As bottom" + rest)
    assert full.message == "No foul: you stay in Fantasyland with 14 cards"
    assert (full.fantasyland, full.discards) == (14, parse_cards("2d"))


def test_in_fantasyland_only_the_cards_held_can_save_a_row() -> None:
    """Kings over a middle that none of these cards can lift: foul, though the deck could."""
    hand = holding("- / - / -", "Kh Kd 2c 3d 4h 5s 7c 8d 9c Jd Qh 6d 6h Th", held=14)
    found = outlook(hand, "Kh top, Kd top, 2c middle, 4h middle, 7c middle, 9c middle, Jd middle")
    assert found.fouled
    assert found.message is not None
    assert found.message.startswith("This hand fouls: the middle can no longer reach the top (pair of kings")


def test_on_the_last_street_only_the_cards_held_can_save_a_row() -> None:
    hand = holding("Kh Kd / Qc Qd 9s 7h / Ac Ad Ah 2s 3s", "5c 5d 6d")
    assert outlook(hand).fouled
    assert not outlook(holding("Kh Kd / Qc Qd 9s 7h / Ac Ad Ah 2s 3s", "Qs 5d 6d")).fouled


def test_a_row_below_the_one_above_is_at_risk_and_told_what_it_needs() -> None:
    found = outlook(holding("Kh Kd / Qh Th 9h 7h / Ac Ad 2s", "5c 5d 6d"))
    assert found.rows[Row.MIDDLE].status is RowStatus.AT_RISK
    assert found.rows[Row.MIDDLE].note == "Needs a heart"
    assert not found.fouled
    pair = outlook(holding("Kh Kd / Kc Th 9s 7h / Ac Ad 2s", "5c 5d 6d"))
    assert pair.rows[Row.MIDDLE].note == "Needs a king"


def test_a_certain_foul_is_told_with_the_rows_at_fault() -> None:
    below = outlook(holding("Kh Kd 3c / Qc Qd 9s 7h 2s / Ac", "5c 5d 6d"))
    assert below.rows[Row.MIDDLE].status is RowStatus.FOUL
    assert below.rows[Row.MIDDLE].note == "Foul: below the top"
    assert below.fantasyland == 0
    assert below.message is not None
    assert "beats the middle" in below.message
    equal = outlook(
        holding("5h / Kc Kd 9s 7h 2s / Kh Ks 9d 7c 2d", "4c 8d 6d", rules="casual", street=5), "4c top, 8d top"
    )
    assert equal.rows[Row.BOTTOM].note == "Foul: equal to the middle"
    assert equal.message is not None
    assert "equals the bottom" in equal.message
    unreachable = outlook(holding("Kh Kd Ks / Qc 8d 9s 7h / Ac", "5c 5d 6d"))
    assert unreachable.rows[Row.MIDDLE].note == "Foul: cannot reach the top"
    assert unreachable.message == "This hand fouls: the middle can no longer reach the top (three kings)."


def test_a_foul_that_no_two_rows_show_is_told_of_the_bottom() -> None:
    """Each pair of neighbours could be in order, but not all three at once."""
    hand = holding("Ah Ad / Kh Kd / -", street=2)
    assert not outlook(hand).fouled
    # Middle needs the ace that the bottom needs too.
    board = "Kc Kd Ks / Ac Ad 9s 9h / Qc Qd 8s 8h"
    squeezed = holding(board, "Ah Qh 2c")
    squeezed = replace(squeezed, holdings=(replace(squeezed.holdings[0], street=5), squeezed.holdings[1]))
    found = outlook(squeezed, "Ah middle, Qh bottom")
    assert found.rows[Row.BOTTOM].status is RowStatus.FOUL


def test_chosen_cards_are_shown_in_each_row() -> None:
    hand = holding("Qh / Kc 8d / Ks 2c", "Qd 4d 5d")
    found = outlook(hand, chosen="Qd")
    assert found.chosen is not None
    assert found.chosen[Row.TOP].royalty == 7
    assert all(preview.fits for preview in found.chosen.values())
    assert not any(preview.fouls for preview in found.chosen.values())


@pytest.mark.parametrize("chosen", ["Ah", "Qd Qd", "Qd 4d 5d Qd", "Qh"])
def test_chosen_cards_that_are_not_there_to_choose_fit_nowhere(chosen: str) -> None:
    found = outlook(holding("Qh / Kc 8d / Ks 2c", "Qd 4d 5d"), chosen=chosen)
    assert found.chosen is not None
    assert not any(preview.fits for preview in found.chosen.values())


def test_chosen_cards_need_free_places_and_may_foul() -> None:
    hand = holding("Kh Kd / Qc Qd 9s 7h 2s / Ac Ad 3c 3d", "Ks 5d 6d")
    found = outlook(hand, chosen="Ks")
    assert found.chosen is not None
    assert not found.chosen[Row.MIDDLE].fits
    assert found.chosen[Row.TOP].fouls
    assert found.chosen[Row.TOP].message == "three kings here would foul"
