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
from ofc.tournament.state import Tournament
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


def test_stacks_that_no_pair_of_boards_can_exhaust_leave_nothing_open() -> None:
    """The largest pair of the rules is 103 points: 3 rows, 3 more, 22 on top, 50 in the middle, 25 at the bottom."""
    assert pairs_matter(*_before_and_after(205))
    assert not pairs_matter(*_before_and_after(206))


def _before_and_after(stack: int) -> tuple[Tournament, HandSettled]:
    director = three(stack, 10_000, 10_000)
    before = director.state
    return before, settled(enter(director, 0, 10, -10))


def test_totals_far_apart_enough_can_have_been_made_in_one_way_only() -> None:
    director = three(150, 10_000, 10_000)
    before = director.state
    # The first lost all that one can lose to both: no other pairs make that.
    assert not pairs_matter(before, settled(enter(director, -206, 103, 103)))


def test_four_players_with_a_short_stack_are_unsure() -> None:
    director = Director(Level(Chips(1)), stack=100, rules=get_rules("classic"), seats=4)
    director.begin(4)
    before = director.state
    assert pairs_matter(before, settled(director.points({1: 5, 2: -5, 3: 0, 4: 0})))


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
