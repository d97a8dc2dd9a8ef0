"""Hands entered by points in all, where a cap makes it matter who won from whom (R-CHIP-2, R-CHIP-3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ofc.errors import IllegalCommandError
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Points
from ofc.tournament.checking import check_log
from ofc.tournament.commands import CorrectStack, MarkAbsence
from ofc.tournament.events import Action, HandSettled, HandSource, LogEntry, PlayerId
from ofc.tournament.log import read_log, write_log
from ofc.tournament.settling import PairPoints, pairs_matter
from ofc.tournament.structure import Level
from tests.directors import Director

UNKNOWN = "Who won from whom was not entered, and a cap may have paid otherwise."


def three(*stacks: int, price: int = 1) -> Director:
    """Players with these stacks by seat, the button in seat 0."""
    director = Director(Level(Chips(price)), stack=1_000)
    director.begin(3)
    for player, stack in zip(director.sitting(), stacks, strict=False):
        director.do(CorrectStack(PlayerId(player), Chips(stack), "the case says so"))
    return director


def pair(winner: int, loser: int, points: int) -> PairPoints:
    return PairPoints(PlayerId(winner), PlayerId(loser), Points(points))


def enter(director: Director, *points: int, pairs: tuple[PairPoints, ...] = ()) -> LogEntry:
    here = director.sitting()
    return director.do(replace(director.hand(dict(zip(here, points, strict=True))), pairs=pairs))


def settled(entry: LogEntry) -> HandSettled:
    assert isinstance(entry, Action)
    hand = entry.events[0]
    assert isinstance(hand, HandSettled)
    return hand


def after(director: Director) -> list[int]:
    return [director.player(player).stack for player in director.sitting()]


def test_the_published_case_is_exact_by_pairs_and_said_to_be_unsure_by_totals() -> None:
    """R-CHIP-3: 1 beats 2 by 10, 1 beats the button by 40, the button beats 2 by 20; `button-first` ends 10/0/140."""
    by_pairs, by_totals = three(135, 5, 10), three(135, 5, 10)
    button, one, two = by_pairs.sitting()
    hand = settled(
        enter(by_pairs, -20, 50, -30, pairs=(pair(one, two, 10), pair(one, button, 40), pair(button, two, 20)))
    )
    assert hand.source is HandSource.PAIRS
    assert {player: hand.stacks[PlayerId(player)] for player in (one, two, button)} == {one: 10, two: 0, button: 140}
    assert UNKNOWN not in by_pairs.log.entries[-1].words  # type: ignore[union-attr]  # an action
    guess = enter(by_totals, -20, 50, -30)
    assert isinstance(guess, Action)
    assert guess.words.endswith(UNKNOWN)
    for director in (by_pairs, by_totals):
        entries = read_log(write_log(director.log.entries))
        assert check_log(entries) == ()


def test_deep_stacks_are_settled_by_totals_alone() -> None:
    director = three(1_000, 1_000, 1_000)
    before = director.state
    entry = enter(director, 26, -18, -8)
    assert isinstance(entry, Action)
    assert UNKNOWN not in entry.words
    assert not pairs_matter(before, settled(entry))
    assert after(director) == [1_026, 982, 992]


def test_two_players_leave_nothing_open() -> None:
    director = Director(Level(Chips(1)), stack=5)
    director.begin(2)
    before = director.state
    assert not pairs_matter(before, settled(director.points({1: 9, 2: -9})))


def test_one_who_is_away_is_no_pair_that_anybody_entered() -> None:
    director = three(50, 50, 50)
    director.do(MarkAbsence(PlayerId(director.sitting()[2]), True))
    before = director.state
    first, second = director.sitting()[:2]
    entry = director.do(replace(director.hand({first: 4, second: -4}), pairs=(pair(first, second, 4),)))
    assert settled(entry).source is HandSource.PAIRS
    assert not pairs_matter(before, settled(entry))
    assert check_log(director.log.entries) == ()


def test_a_short_stack_is_unsure_only_where_possible_pairs_reach_it() -> None:
    """0, +10, -10: the first paid 2 to 5 points to the second, then won as many from the third."""
    assert [matters(stack, 0, 10, -10) for stack in (1, 5, 9, 10)] == [True, True, True, False]


def matters(stack: int, *points: int) -> bool:
    director = three(stack, 10_000, 10_000)
    before = director.state
    return pairs_matter(before, settled(enter(director, *points)))


def test_where_no_cap_binds_the_fewest_payments_are_told() -> None:
    hand = settled(enter(three(1_000, 1_000, 1_000), 26, -18, -8))
    assert [payment.points for payment in hand.payments] == [18, 8]


def test_where_a_cap_binds_the_likeliest_pairs_are_paid() -> None:
    """+30, -30, 0 is 18 to 22 between the first two; the rest went by the third, who has 4, loses them and is out."""
    director = three(1_000, 1_000, 4)
    before = director.state
    first, second, third = director.sitting()
    hand = settled(enter(director, 30, -30, 0))
    assert {(payment.winner, payment.loser, payment.points) for payment in hand.payments} == {
        (first, second, 20),
        (first, third, 10),
        (third, second, 10),
    }
    assert hand.stacks == {first: 1_024, second: 980, third: 0}
    assert pairs_matter(before, hand)  # what the first two pay each other is not known to the point


def test_four_players_are_unsure_where_a_stack_is_short_and_sure_where_it_is_not() -> None:
    for stack, is_unsure in ((1, True), (100, False)):
        director = Director(Level(Chips(1)), stack=stack, rules=get_rules("classic"), seats=4)
        director.begin(4)
        before = director.state
        assert pairs_matter(before, settled(director.points({1: 5, 2: -5, 3: 0, 4: 0}))) is is_unsure


@pytest.mark.parametrize(
    ("pairs", "codes"),
    [
        ([(0, 1, 9)], ["pairs-sum", "pairs-sum"]),
        ([(0, 1, 10), (1, 0, 1)], ["pair-twice"]),
        ([(0, 0, 10)], ["pair-unknown"]),
        ([(0, 1, 10_001)], ["points-invalid"]),
        ([(0, 1, -10)], ["points-invalid"]),
    ],
)
def test_pairs_that_do_not_make_the_points_are_refused(pairs: list[tuple[int, int, int]], codes: list[str]) -> None:
    director = three(50, 50, 50)
    here = director.sitting()
    before = director.state
    with pytest.raises(IllegalCommandError) as error:
        enter(director, 10, -10, 0, pairs=tuple(pair(here[a], here[b], points) for a, b, points in pairs))
    assert [fault.code for fault in error.value.faults] == codes
    assert director.state is before


def test_pairs_of_strangers_are_refused_and_pairs_of_no_points_say_nothing() -> None:
    director = three(50, 50, 50)
    here = director.sitting()
    with pytest.raises(IllegalCommandError, match="a pair is two players of this table"):
        enter(director, 10, -10, 0, pairs=(pair(here[0], 99, 10),))
    assert settled(enter(director, 0, 0, 0, pairs=(pair(here[0], here[1], 0),))).source is HandSource.POINTS
    assert check_log(director.log.entries) == ()
