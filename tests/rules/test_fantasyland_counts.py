"""R-FL-1, R-FL-4, R-FL-5, R-FL-6: what a finished hand earns for the next one."""

import datetime as dt

import pytest

from ofc.board import Board
from ofc.cards import DECK
from ofc.rules import RuleSet
from ofc.rulesets import BUILT_IN, get_rules
from ofc.scoring import settle

TOPS = {"QQ": "Qc Qd 4s", "KK": "Kc Kd 4s", "AA": "Ac Ad 4s", "222": "2c 2d 2h", "JJ": "Jc Jd 4s", "AKQ": "Ac Kd Qs"}
FULL_HOUSE, QUADS = "3s 3h 3d 5s 5h", "7s 7h 7d 7c 9s"


def next_cards(rules: RuleSet, top: str, middle: str, bottom: str, *, held: int = 0) -> int:
    """Return the cards that one board earns under these rules, others at the table having none of its cards."""
    board = Board.parse(f"{top} / {middle} / {bottom}")
    others = [_without(board, seat) for seat in range(rules.min_seats - 1)]
    settlement = settle([board, *others], rules, fantasyland=[held, *[0] * len(others)])
    assert not settlement.players[0].fouled
    return settlement.players[0].fantasyland_next


def _without(board: Board, seat: int) -> Board:
    free = [card for card in DECK if card not in board.cards][13 * seat : 13 * seat + 13]
    return Board(tuple(free[:3]), tuple(free[3:8]), tuple(free[8:]))


ENTRY = {
    "ultimate": (14, 15, 16, 17),
    "pineapple": (14, 15, 16, 17),
    "tournament": (14, 15, 16, 17),
    "casual": (13, 13, 13, 13),
    "casual-progressive": (13, 15, 16, 17),
    "progressive": (14, 15, 16, 17),
    "classic": (13, 13, 13, 13),
}


@pytest.mark.parametrize("rules", BUILT_IN, ids=lambda rules: rules.name)
def test_entry(rules: RuleSet) -> None:
    """R-FL-1: QQ, KK, AA or trips on top in a regular hand enter with 14/15/16/17 or as the rule set says."""
    earned = tuple(next_cards(rules, TOPS[top], FULL_HOUSE, QUADS) for top in ("QQ", "KK", "AA", "222"))
    assert earned == ENTRY[rules.id]


@pytest.mark.parametrize("rules", BUILT_IN, ids=lambda rules: rules.name)
def test_no_entry(rules: RuleSet) -> None:
    """R-FL-1: JJ, or three high cards, do not enter; nor do quads and a full house below."""
    assert next_cards(rules, TOPS["JJ"], FULL_HOUSE, QUADS) == 0
    assert next_cards(rules, TOPS["AKQ"], FULL_HOUSE, QUADS) == 0


PLAIN_MIDDLE, PLAIN_BOTTOM = "Ks Kh 9d 5s 3c", "As Ah 8c 6s 3d"
STAYS = {
    # whether trips on top, a middle full house, bottom quads stay
    "ultimate": (True, False, True),
    "pineapple": (True, False, True),
    "tournament": (False, False, False),
    "casual": (True, True, True),
    "casual-progressive": (True, True, True),
    "progressive": (True, False, True),
    "classic": (True, True, True),
}


@pytest.mark.parametrize("rules", BUILT_IN, ids=lambda rules: rules.name)
def test_stay(rules: RuleSet) -> None:
    """R-FL-4: trips on top, a full house in the middle, quads at the bottom, as the rule set says."""
    held = rules.fantasyland_counts[0]
    trips = next_cards(rules, TOPS["222"], "3s 3h 3d Ks 9h", "Ts 9d 8c 7h 6d", held=held)
    full_house = next_cards(rules, "9c 8d 2s", FULL_HOUSE, "Ks Kh Kd 6c 6s", held=held)
    quads = next_cards(rules, "9c 8d 2s", PLAIN_MIDDLE, "7s 7h 7d 7c Ts", held=held)
    assert tuple(map(bool, (trips, full_house, quads))) == STAYS[rules.id]


def test_stronger_than_needed_stays_too() -> None:
    """R-FL-4: quads *or better* at the bottom, a full house *or better* in the middle."""
    ultimate, casual = get_rules("ultimate"), get_rules("casual")
    assert next_cards(ultimate, "9c 8d 2s", PLAIN_MIDDLE, "8h 7h 6h 5h 4h", held=14) == 14
    assert next_cards(ultimate, "9c 8d 2s", PLAIN_MIDDLE, "Ac Kc Qc Jc Tc", held=14) == 14
    assert next_cards(casual, "9c 8d 2s", "3s 3h 3d 3c 5h", "Qh Jh Th 9h 8h", held=13) == 13


def test_ten_points_over_several_rows_do_not_stay() -> None:
    """R-FL-4: `casual` looks at each row by itself; 9 + 4 + 4 points on no row of ten stay nowhere."""
    assert next_cards(get_rules("casual"), "Ac Ad 4s", "9s 8h 7d 6c 5h", "Kh Jh 7h 6h 3h", held=13) == 0


@pytest.mark.parametrize("rules", BUILT_IN, ids=lambda rules: rules.name)
def test_a_pair_on_top_never_stays(rules: RuleSet) -> None:
    """R-FL-5: QQ, KK, AA inside Fantasyland never keep you there."""
    for top in ("QQ", "KK", "AA"):
        for held in rules.fantasyland_counts:
            middle, bottom = "6s 6h 5d 5s 8c", "9h 8h 7h 4h 3h"
            middle = "7s 7d 5d 5s 8c" if top == "QQ" else middle
            assert next_cards(rules, TOPS[top], middle, bottom, held=held) == 0


@pytest.mark.parametrize(
    ("name", "held", "expected"),
    [
        ("ultimate", 14, 14),
        ("ultimate", 16, 16),
        ("pineapple", 15, 15),
        ("progressive", 17, 14),
        ("progressive", 14, 14),
        ("casual", 13, 13),
        ("casual-progressive", 13, 13),
        ("casual-progressive", 16, 16),
        ("classic", 13, 13),
    ],
)
def test_the_count_on_staying(name: str, held: int, expected: int) -> None:
    """R-FL-5: staying keeps the count; `progressive` drops to 14; `casual-progressive` keeps."""
    rules = get_rules(name)
    assert next_cards(rules, "9c 8d 2s", PLAIN_MIDDLE, "7s 7h 7d 7c Ts", held=held) == expected
    assert next_cards(rules, TOPS["222"], FULL_HOUSE, "7s 7h 7d 7c Ts", held=held) == expected


@pytest.mark.parametrize("name", ["ultimate", "pineapple"])
@pytest.mark.parametrize(
    ("dealt_on", "top", "held", "expected"),
    [
        ("2026-09-21", "222", 14, 17),
        ("2026-09-21", "222", 17, 17),
        ("2026-09-21", "AA", 14, 16),
        ("2026-09-21", "QQ", 16, 16),
        ("2026-09-21", "AKQ", 15, 15),
        ("2026-09-20", "222", 15, 17),
        ("2020-02-29", "222", 15, 17),
        ("2026-09-22", "222", 14, 14),
        ("2026-09-22", "AA", 14, 14),
        ("2026-10-01", "222", 15, 15),
    ],
)
def test_the_count_grew_before_the_ruling(name: str, dealt_on: str, top: str, held: int, expected: int) -> None:
    """R-FL-6: until 2026-09-22 the larger of the current count and the entry count of this hand's top."""
    rules = get_rules(name, dealt_on=dt.date.fromisoformat(dealt_on))
    assert next_cards(rules, TOPS[top], FULL_HOUSE, QUADS, held=held) == expected


def test_the_old_version_is_named_outright() -> None:
    """R-FL-6: `ultimate@2013-01-01` scores so whatever the date."""
    rules = get_rules("ultimate@2013-01-01", dealt_on=dt.date(2026, 12, 24))
    assert next_cards(rules, TOPS["222"], FULL_HOUSE, QUADS, held=14) == 17
