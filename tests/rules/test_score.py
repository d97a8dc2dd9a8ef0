"""R-SCORE-1 to R-SCORE-4 and R-ROYAL-1 to R-ROYAL-3: rows, scoops, royalties."""

import pytest

from ofc.board import Board, Row
from ofc.cards import RANK_LETTERS, parse_cards
from ofc.evaluation import Category, evaluate
from ofc.rulesets import BUILT_IN, get_rules
from ofc.scoring import row_royalty, settle

PINEAPPLE, CASUAL = get_rules("pineapple"), get_rules("casual")


def test_a_pair_is_rows_scoop_and_royalties() -> None:
    """R-SCORE-1: winning all three rows is worth 3 more; own royalties less theirs."""
    a = Board.parse("Kc Kd 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
    b = Board.parse("9c 8d 2c / Qs Qd 9s 5d 2d / Tc 9d 8c 7d 6c")
    (pair,) = settle([b, a], PINEAPPLE).pairs
    assert (pair.rows.total, pair.scoop, pair.royalties, pair.points) == (3, 3, 8 + 4 - 2, 16)


def test_a_tied_row_means_no_bonus() -> None:
    """R-SCORE-1: two rows won and one tied: +2 and no bonus."""
    a = Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
    b = Board.parse("9h 8s 2c / Qs Qd 9s 5d 2d / Kc Kh 8c 7d 6c")
    (pair,) = settle([b, a], PINEAPPLE).pairs
    assert (pair.rows.top, pair.rows.total, pair.scoop) == (0, 2, 0)


def test_points_are_summed_over_pairs() -> None:
    """R-SCORE-2: a hand's points are the sum over its pairs; all hands sum to 0."""
    boards = [
        Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h"),
        Board.parse("Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c"),
        Board.parse("Th 5h 3c / Jc Jd 8s 4c 2d / Qs Qh 7h 5s 4d"),
    ]
    settlement = settle(boards, get_rules("ultimate"))
    for seat, player in enumerate(settlement.players):
        won = [pair.points for pair in settlement.pairs if pair.a == seat]
        lost = [pair.points for pair in settlement.pairs if pair.b == seat]
        assert player.points == sum(won) - sum(lost)
    assert sum(player.points for player in settlement.players) == 0


def test_worked_example_of_the_ultimate_page() -> None:
    """R-SCORE-3: A flush bottom (4), B KK top (8), C fouled; A beats B in middle and bottom."""
    a = Board.parse("9c 8d 2s / 7s 7d 6s 6d 3d / Qh Jh 8h 6h 3h")
    b = Board.parse("Kc Kd 4s / As Ah 9s 5d 2c / Ts Td 5h 5s 7h")
    c = Board.parse("Qs Qd 9d / Js 8s 6c 4d 2d / Tc 9h 7c 4h 3c")
    settlement = settle([a, b, c], get_rules("ultimate"))
    assert [player.royalties.total for player in settlement.players] == [4, 8, 0]
    (pair,) = [pair for pair in settlement.pairs if {pair.a, pair.b} == {0, 1}]
    assert (pair.rows.top, pair.rows.middle, pair.rows.bottom) == (-1, 1, 1)
    assert [player.points for player in settlement.players] == [7, 17, -24]
    assert [player.fantasyland_next for player in settlement.players] == [0, 15, 0]


def test_worked_example_of_the_tournament_page() -> None:
    """R-SCORE-4: Anna wins two rows, has a bottom flush; Bo wins the top with QQ: Anna -2, Bo +2."""
    anna = Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
    bo = Board.parse("Qc Qd 4s / Ks Kd 9s 5d 2c / Tc Td 8c 8s 6c")
    settlement = settle([anna, bo], get_rules("tournament"))
    assert [player.points for player in settlement.players] == [-2, 2]


@pytest.mark.parametrize(("rank", "points"), list(zip(RANK_LETTERS, [0, 0, 0, 0, *range(1, 10)], strict=True)))
def test_royalty_of_a_pair_on_top(rank: str, points: int) -> None:
    """R-ROYAL-1: 66..AA = 1..9, for every rule set."""
    kicker = "2s" if rank != "2" else "3s"
    top = evaluate(parse_cards(f"{rank}h {rank}d {kicker}"))
    assert {row_royalty(Row.TOP, top, rules) for rules in BUILT_IN} == {points}


@pytest.mark.parametrize(("rank", "points"), list(zip(RANK_LETTERS, range(10, 23), strict=True)))
def test_royalty_of_three_of_a_kind_on_top(rank: str, points: int) -> None:
    """R-ROYAL-1: 222..AAA = 10..22; `casual`: any top trips = 20."""
    top = evaluate(parse_cards(f"{rank}h {rank}d {rank}s"))
    for rules in BUILT_IN:
        assert row_royalty(Row.TOP, top, rules) == (20 if rules.id.startswith("casual") else points)


ROWS_OF_FIVE = [
    ("Ah Kd 9c 7s 5h", 0, 0),
    ("Ah Ad 9c 7s 5h", 0, 0),
    ("Ah Ad 9c 9s 5h", 0, 0),
    ("Ah Ad Ac 9s 5h", 2, 0),
    ("9h 8d 7c 6s 5h", 4, 2),
    ("Ah Jh 8h 6h 3h", 8, 4),
    ("Ah Ad Ac 9s 9h", 12, 6),
    ("Ah Ad Ac As 9h", 20, 10),
    ("9h 8h 7h 6h 5h", 30, 15),
    ("Ah Kh Qh Jh Th", 50, 25),
]


@pytest.mark.parametrize(("text", "middle", "bottom"), ROWS_OF_FIVE)
def test_royalty_of_the_middle(text: str, middle: int, bottom: int) -> None:
    """R-ROYAL-2: trips 2 (`casual`: 0), straight 4, flush 8, full house 12, quads 20, 30, royal 50."""
    row = evaluate(parse_cards(text))
    assert row_royalty(Row.MIDDLE, row, PINEAPPLE) == middle
    assert row_royalty(Row.MIDDLE, row, CASUAL) == (0 if middle == 2 else middle)


@pytest.mark.parametrize(("text", "middle", "bottom"), ROWS_OF_FIVE)
def test_royalty_of_the_bottom(text: str, middle: int, bottom: int) -> None:
    """R-ROYAL-3: straight 2, flush 4, full house 6, quads 10, straight flush 15, royal 25."""
    row = evaluate(parse_cards(text))
    assert {row_royalty(Row.BOTTOM, row, rules) for rules in BUILT_IN} == {bottom}


def test_no_royalty_below_three_of_a_kind() -> None:
    """R-ROYAL-1 to R-ROYAL-3: high cards are worth nothing anywhere."""
    assert row_royalty(Row.TOP, evaluate(parse_cards("Ah Kd Qc")), PINEAPPLE) == 0
    assert PINEAPPLE.middle_royalties[Category.TWO_PAIR] == 0
