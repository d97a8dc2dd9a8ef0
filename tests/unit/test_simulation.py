"""Bulk play between bots: repeatable, fair in its seatings, and counted right."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import pytest

from ofc import simulation
from ofc.board import Placement
from ofc.bots import Bot, get_bot, read_situation
from ofc.evaluation import Category
from ofc.hand import all_placements
from ofc.rules import RuleSet
from ofc.rulesets import get_rules
from ofc.scoring import Points
from ofc.simulation import MatchPlayed, SimulationError, Tally, count_matches, play_match, simulate, summarise
from ofc.view import View

ULTIMATE = get_rules("ultimate")
RANDOM = get_bot("random").bot
HEURISTIC = get_bot("heuristic").bot


class FirstBot:
    """Makes the first legal placement, and remembers at which seats it sat."""

    def __init__(self) -> None:
        self.seats: list[int] = []

    def place(self, view: View, rules: RuleSet, generator: random.Random) -> tuple[Placement, ...]:
        situation = read_situation(view)
        assert view.you is not None
        if situation.board.placed == 0:
            self.seats.append(view.you)
        return all_placements(situation.board, situation.cards, situation.to_place)[0]


def run(
    bots: Sequence[Bot], rules: RuleSet = ULTIMATE, *, hands: int, seed: int = 1, match: int = 3
) -> list[MatchPlayed]:
    return list(simulate(bots, rules, hands=hands, seed=seed, match_hands=match))


def test_the_same_seed_gives_the_same_result() -> None:
    bots = [HEURISTIC, RANDOM, RANDOM]
    assert run(bots, hands=6) == run(bots, hands=6)
    assert run(bots, hands=6) != run(bots, hands=6, seed=2)


def test_a_match_comes_out_the_same_whichever_others_are_played() -> None:
    bots = [RANDOM, RANDOM, RANDOM]
    assert run(bots, hands=12)[3] == play_match(bots, ULTIMATE, number=3, seed=1, match_hands=3)


def test_points_are_won_from_each_other() -> None:
    for match in run([HEURISTIC, RANDOM, RANDOM], hands=9):
        assert sum(tally.points for tally in match.tallies) == 0


def test_whole_matches_are_played_until_there_are_enough_hands() -> None:
    assert [count_matches(hands, 24) for hands in (1, 24, 25, 2000)] == [1, 1, 2, 84]
    matches = run([RANDOM] * 3, hands=7)
    assert [match.number for match in matches] == [0, 1, 2]
    assert all(match.hands >= 3 for match in matches)
    assert all(tally.hands == match.hands for match in matches for tally in match.tallies)


def test_every_match_takes_the_next_seating() -> None:
    bots = [FirstBot() for _ in range(3)]
    run(bots, hands=7, match=1)
    assert [bot.seats for bot in bots] == [[0, 2, 1, 0, 2, 1, 0], [1, 0, 2, 2, 1, 0, 1], [2, 1, 0, 1, 0, 2, 2]]


@pytest.mark.unmeasured
def test_a_match_goes_on_while_fantasyland_is_pending() -> None:
    """R-FL-1: hands over the match's number are those in which somebody holds Fantasyland."""
    matches = run([HEURISTIC] * 2, get_rules("pineapple"), hands=30, match=1)
    longer = [match for match in matches if match.hands > 1]
    assert longer
    for match in matches:
        assert sum(tally.fantasyland_hands for tally in match.tallies) >= match.hands - 1
        for tally in match.tallies:
            assert tally.regular_hands + tally.fantasyland_hands == tally.hands
            assert tally.fantasyland_hands == tally.entries + tally.stays
            assert tally.entries <= tally.regular_hands


def test_a_match_in_which_everyone_stays_for_ever_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_MOST_EXTRA_HANDS", 4)
    rules = replace(
        get_rules("pineapple"),
        id="own",
        stay_bottom=Category.HIGH_CARD,
        fantasyland_pairs=(14,) * 13,
        fantasyland_trips=14,
    )
    match = play_match([HEURISTIC] * 2, rules, number=0, seed=1, match_hands=2)
    assert match.hands == 6


def test_means_and_errors_are_those_of_the_matches() -> None:
    """Two matches of 10 and 30 hands: 1 point a hand over all, the error that of a ratio of sums."""
    tallies = [
        Tally(
            hands=10, points=Points(30), royalties=20, fouls=1, regular_hands=8, entries=2, fantasyland_hands=2, stays=1
        ),
        Tally(hands=30, points=Points(10), royalties=60, fouls=3, regular_hands=30),
    ]
    matches = [MatchPlayed(number, tally.hands, (tally,)) for number, tally in enumerate(tallies)]
    (record,) = summarise(matches)
    assert (record.hands, record.points, record.royalties, record.fouled) == (40, 1.0, 2.0, 0.1)
    assert (record.entered, record.stayed) == (2 / 38, 0.5)
    assert record.points_error == pytest.approx(sqrt(2 / 1 * (20**2 + 20**2)) / 40)


def test_what_was_never_counted_has_no_share() -> None:
    (regular,) = summarise([MatchPlayed(0, 1, (Tally(hands=1, regular_hands=1),))])
    (fantasyland,) = summarise([MatchPlayed(0, 1, (Tally(hands=1, fantasyland_hands=1),))])
    assert (regular.points_error, regular.entered, regular.stayed) == (None, 0.0, None)
    assert (fantasyland.entered, fantasyland.stayed) == (None, 0.0)


@pytest.mark.parametrize(
    ("bots", "hands", "match", "codes"),
    [
        (2, 24, 24, ["players-too-few"]),
        (4, 24, 24, ["players-too-many"]),
        (3, 0, 24, ["hands-count"]),
        (3, 10**9 + 1, 24, ["hands-count"]),
        (3, 24, 0, ["match-hands"]),
        (2, -1, 1001, ["players-too-few", "hands-count", "match-hands"]),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(bots: int, hands: int, match: int, codes: list[str]) -> None:
    with pytest.raises(SimulationError) as refusal:
        simulate([RANDOM] * bots, ULTIMATE, hands=hands, seed=1, match_hands=match)
    assert [fault.code for fault in refusal.value.faults] == codes
