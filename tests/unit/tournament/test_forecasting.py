"""The model of how points swing, and what it foretells of a structure."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc import table as tables
from ofc.bots.heuristic import HeuristicBot
from ofc.cards import DECK
from ofc.clock import Millis
from ofc.events import Player, TableOpened
from ofc.hand import Place
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Seat
from ofc.tournament.forecasting import (
    MAX_MINUTES,
    STRENGTH_SD,
    SWING_THREE,
    SWING_TWO,
    ForecastError,
    Timetable,
    Walk,
    forecast,
)
from ofc.tournament.structure import Break, Level, Step, Structure
from ofc.view import view_for

NOW = Millis(0)


def _structure(*prices: int, minutes: int = 20, stack: int = 5000) -> Structure:
    return Structure(Chips(stack), tuple(Level(Chips(price), minutes=minutes) for price in prices))


def _mock_up() -> Structure:
    """The structure of look/event's event-setup."""
    steps: list[Step] = [Level(Chips(p), minutes=20) for p in (10, 20, 30, 40, 50, 60, 80, 120, 200, 300, 500, 800)]
    steps[8:8] = [Break(10)]
    steps[4:4] = [Break(10)]
    return Structure(Chips(5000), tuple(steps))


def measured_swings(seats: int, hands: int, seed: int) -> list[int]:
    """What each player won or lost in hands of the heuristic bot, as the constants were measured."""
    rules, bot, generator = get_rules("tournament"), HeuristicBot(), random.Random(seed)
    table = tables.replay(tables.open_table(TableOpened(rules, seats, 1000, None, None, Seat(0), seeded=True, at=NOW)))

    def run(command: tables.TableCommand) -> None:
        nonlocal table
        for event in tables.decide(table, command):
            table = tables.apply(table, event)

    for seat in range(seats):
        run(tables.Sit(Seat(seat), Player(f"bot {seat}", "heuristic"), NOW))
    points: list[int] = []
    for _ in range(hands):
        run(tables.DealHand(tuple(generator.sample(DECK, 52)), NOW))
        while table.settled is None:
            seat = view_for(table, None).turn[0]
            run(Place(seat, bot.place(view_for(table, seat), rules, generator), None, NOW))
        points += [player.points for player in table.settled.settlement.players]
    return points


@pytest.mark.parametrize(("seats", "swing"), [(2, SWING_TWO), (3, SWING_THREE)])
def test_the_constants_are_about_what_the_bots_make(seats: int, swing: float) -> None:
    """Measured over 2,000 and 1,500 hands; 40 are enough to see that nothing has moved far."""
    points = measured_swings(seats, 40, seed=5)
    assert sum(points) == 0
    assert fmean(map(abs, points)) == pytest.approx(swing, rel=0.3)


def test_the_model_has_the_swings_that_were_measured() -> None:
    generator = random.Random(1)
    hands = [[generator.gauss(0, STRENGTH_SD) for _ in range(3)] for _ in range(20_000)]
    pairs = [a - b for a, b, _ in hands]
    assert fmean(map(abs, pairs)) == pytest.approx(SWING_TWO, rel=0.03)
    assert pstdev(pairs) == pytest.approx(13.8, rel=0.03)
    assert fmean(abs(2 * a - b - c) for a, b, c in hands) == pytest.approx(SWING_THREE, rel=0.03)


def test_a_forecast_of_the_mock_up() -> None:
    expected = forecast(_mock_up(), players=27, hand_minutes=6)
    assert expected == forecast(_mock_up(), players=27, hand_minutes=6)
    assert expected != forecast(_mock_up(), players=27, hand_minutes=6, seed=2)
    assert expected.low <= expected.minutes <= expected.high
    assert [level.starts for level in expected.levels] == [0, 20, 40, 60, 90, 110, 130, 150, 180, 200, 220, 240]
    assert [level.average for level in expected.levels][:3] == [500, 250, 166]
    left = [point.players for point in expected.curve]
    assert left[0] == 27
    assert left == sorted(left, reverse=True)
    assert all(point.low <= point.players <= point.high for point in expected.curve)
    minutes = [point.minute for point in expected.curve]
    assert minutes == sorted(set(minutes))
    assert expected.curve[-1].minute == expected.high
    assert expected.unfinished == 0


def test_levels_after_the_end_have_nobody() -> None:
    expected = forecast(_structure(10, 400, 2000, 5000, 5000), players=6, hand_minutes=4)
    assert expected.levels[0].players == 6
    assert (expected.levels[-1].players, expected.levels[-1].average) == (None, None)


def test_levels_can_be_counted_in_hands() -> None:
    by_hands = Structure(
        Chips(500), (Level(Chips(5), hands=4), Break(7), Level(Chips(20), hands=9), Level(Chips(90), hands=1))
    )
    timetable = Timetable.of(by_hands, 5)
    assert list(timetable.real) == [0, 27, 72]
    assert [timetable.price_of(hand) for hand in (0, 3, 4, 12, 13, 99)] == [5, 5, 20, 20, 90, 90]
    assert [timetable.minute_after(hands) for hands in (0, 4, 5)] == [0, 20, 32]
    assert [timetable.hands_before(level) for level in range(3)] == [0, 4, 13]
    assert forecast(by_hands, players=5, hand_minutes=5).minutes > 20


def test_two_players_are_the_last_two_from_the_start() -> None:
    expected = forecast(_structure(100, 300, 900), players=2, hand_minutes=5)
    assert expected.last_two == 50
    assert expected.levels[0].players == 2


def test_an_event_without_end_is_cut_off_and_said() -> None:
    expected = forecast(_structure(1, stack=1_000_000), players=2, hand_minutes=60)
    assert expected.unfinished == expected.runs
    assert expected.minutes == MAX_MINUTES
    many = forecast(_structure(1, stack=1_000_000), players=2000, hand_minutes=0.25)
    assert many.unfinished == many.runs


def test_higher_prices_end_sooner() -> None:
    slow = forecast(_structure(10, 20, 40, 80), players=12, hand_minutes=5)
    fast = forecast(_structure(20, 40, 80, 160), players=12, hand_minutes=5)
    assert fast.minutes < slow.minutes
    assert fast.last_two < slow.last_two


def test_impossible_questions_name_every_fault() -> None:
    with pytest.raises(ForecastError) as caught:
        forecast(replace(_mock_up(), starting_stack=Chips(0)), players=1, hand_minutes=0)
    assert [fault.field for fault in caught.value.faults] == ["starting_stack", "players", "hand_minutes"]


class _Watching(Walk):
    """A walk that looks at the stacks after every hand."""

    def _play_hand(self, stacks: list[int], price: int, hand: int, draw: object) -> None:
        before = list(stacks)
        super()._play_hand(stacks, price, hand, draw)  # type: ignore[arg-type]  # passed on as it came
        assert sum(stacks) == sum(before)
        assert min(stacks) >= 0
        twos = 2 * (-len(stacks) % 3)
        starts = [*range(0, twos, 2), *range(twos, len(stacks), 3)]
        for first, end in zip(starts, [*starts[1:], len(stacks)], strict=True):
            assert end - first in (2, 3)
            assert sum(stacks[first:end]) == sum(before[first:end])
            assert all(stacks[first:end].count(0) < end - first for _ in stacks)


@given(st.integers(2, 40), st.integers(1, 500), st.lists(st.integers(1, 60), min_size=1, max_size=8), st.integers())
def test_chips_are_conserved_and_players_only_leave(players: int, stack: int, prices: list[int], seed: int) -> None:
    timetable = Timetable.of(_structure(*prices, minutes=10, stack=stack), 5)
    run = _Watching(seed).play(players, Chips(stack), timetable, run=0, most_hands=200)
    assert list(run.left) == sorted(run.left, reverse=True)
    assert run.left[0] == players
    assert run.is_over == (run.left[-1] == 1)
    assert run.at(10**6) == run.left[-1]
