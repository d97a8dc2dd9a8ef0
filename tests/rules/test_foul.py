"""R-FOUL-1 to R-FOUL-3: what fouls, and what a foul costs."""

from ofc.board import Board
from ofc.rulesets import get_rules
from ofc.scoring import NO_POINTS, settle

GOOD = Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")  # a bottom flush: 4
FOULED = Board.parse("Kh Kd Kc / Qs Qd 9h 7h 2c / 2h 3c 4d 5s 7c")  # three kings would be worth 21
FOULED_TOO = Board.parse("Ts Th 4c / 9d 8s 5h 3s 2d / Js 8c 6c 5c 4h")


def test_rows_of_equal_strength_are_legal_but_for_casual() -> None:
    """R-FOUL-1: bottom >= middle >= top; `casual`: strictly greater."""
    equal = Board.parse("2c 3d 4h / Ac Kd 9h 7c 5d / Ad Kc 9s 7h 5c")
    assert not equal.is_fouled(strict=False)
    assert equal.is_fouled(strict=True)
    other = Board.parse("Qc Qd 4s / Ks Kh 9d 5h 2s / Tc 9c 8c 7d 6c")
    for name, is_fouled in (("pineapple", False), ("tournament", False), ("casual", True)):
        assert settle([equal, other], get_rules(name)).players[0].fouled is is_fouled
    assert get_rules("casual-progressive").strict_order


def test_rows_in_the_wrong_order_foul() -> None:
    """R-FOUL-1: the tournament page's two examples."""
    good = Board.parse("6c 6d 4s / 9s 8d 7h 6h 5c / Ah Jh 8h 4h 3h")
    bad = Board.parse("Ks Kh 4d / Qc Qd 9s 7h 2c / Ac Ad Ah 5s 3d")
    assert not good.is_fouled(strict=False)
    assert bad.is_fouled(strict=False)


def test_a_fouled_hand_pays_six_and_the_royalties_of_others() -> None:
    """R-FOUL-2: loses 6 to each opponent who did not foul, loses its own royalties, pays theirs."""
    settlement = settle([GOOD, FOULED], get_rules("pineapple"))
    good, fouled = settlement.players
    assert (good.points, fouled.points) == (6 + 4, -6 - 4)
    assert (fouled.fouled, fouled.royalties) == (True, NO_POINTS)
    (pair,) = settlement.pairs
    assert (pair.a, pair.b) == (1, 0)
    assert (pair.rows.top, pair.rows.middle, pair.rows.bottom, pair.scoop) == (-1, -1, -1, -3)


def test_a_fouled_hand_neither_enters_nor_stays_in_fantasyland() -> None:
    """R-FOUL-2: three kings on top of a fouled hand earn nothing, in a regular hand and in Fantasyland."""
    for held in (0, 14):
        settlement = settle([GOOD, FOULED], get_rules("pineapple"), fantasyland=[0, held])
        assert settlement.players[1].fantasyland_next == 0


def test_two_fouled_hands_score_nothing_against_each_other() -> None:
    """R-FOUL-3: each still pays a third who did not foul."""
    settlement = settle([GOOD, FOULED, FOULED_TOO], get_rules("ultimate"))
    assert [player.points for player in settlement.players] == [20, -10, -10]
    (pair,) = [pair for pair in settlement.pairs if 0 not in (pair.a, pair.b)]
    assert (pair.rows, pair.scoop, pair.royalties, pair.points) == (NO_POINTS, 0, 0, 0)


def test_all_fouled_score_nothing() -> None:
    """R-FOUL-3: all foul: all 0."""
    third = Board.parse("Ac As 3d / Tc Td 8h 6s 4s / 9s 7d 6h 5d 3h")
    settlement = settle([FOULED, FOULED_TOO, third], get_rules("ultimate"))
    assert [player.points for player in settlement.players] == [0, 0, 0]
