"""How long a structure takes and how many players are left when: a tournament played many times as a random walk.

The model: in every hand each player of a table draws a strength, and of two players the better one wins the difference
of strengths in points. That is what hands between sensible players look like from outside: measured over hands of the
house's heuristic bot under the `tournament` rules (2,000 at tables of two, 1,500 of three), a pair's points are spread
like a normal distribution (kurtosis 3.0) with standard deviation 13.8, the same at both sizes, and what a player wins
from one opponent and from another correlate by 0.50, as differences of equally spread strengths do.
tests/unit/tournament/test_forecasting.py measures again. Nobody is better than anybody, and tables are made even after
every hand; Fantasyland is in the measured hands, a price held for it is not in the model.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ofc.errors import Fault, OfcError
from ofc.scoring import Chips
from ofc.tournament.structure import Break, Level, Structure, structure_faults

STRENGTH_SD: Final = 9.74
"""Points; the difference of two strengths has the standard deviation of a pair's points, 13.8."""
SWING_TWO: Final = 11.0
"""Mean absolute points a player wins or loses in a hand at a table of two, measured, +-0.2."""
SWING_THREE: Final = 19.3
"""The same at a table of three, from both opponents together, measured, +-0.4."""

MAX_PLAYERS: Final = 2_000
HAND_MINUTES: Final = (0.25, 60.0)
MAX_MINUTES: Final = 72 * 60
"""No event is played longer in the model."""

_BITS: Final = 13
_HANDS_A_RUN: Final = 100_000
_HANDS: Final = 90_000
_RUNS: Final = (16, 250)
_POINTS: Final = 60


class ForecastError(OfcError):
    """A structure or a field of players that nothing can be foretold of."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Players left after so many minutes, breaks included: in the middle one of the events, and in 8 of 10 between."""

    minute: int
    players: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class LevelForecast:
    """What to expect at the beginning of a level, numbered from 1.

    `starts` is in minutes from the event's start. `players` are left in the middle one of the events, None where it is
    over; `average` is their average stack in points, rounded down.
    """

    number: int
    price: Chips
    starts: int
    players: int | None
    average: int | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """What so many simulated events were like.

    Half of them were over after `minutes`, one in ten before `low` and one in ten after `high`, breaks included.
    `last_two` is the average stack in points when the last two begin, in the middle one of the events. `unfinished`
    events were not over after 72 hours or 100,000 hands of all tables together; they count as ending there.
    """

    runs: int
    minutes: int
    low: int
    high: int
    last_two: int
    curve: tuple[CurvePoint, ...]
    levels: tuple[LevelForecast, ...]
    unfinished: int


@dataclass(frozen=True, slots=True)
class Run:
    """One simulated event: players left before the first hand and after each; whether it came to its end."""

    left: tuple[int, ...]
    is_over: bool

    def at(self, hand: int) -> int:
        """Return the players left after so many hands."""
        return self.left[min(hand, len(self.left) - 1)]

    @property
    def hands(self) -> int:
        """How many hands the event took, at the table that played longest."""
        return len(self.left) - 1


@dataclass(frozen=True, slots=True)
class Timetable:
    """When the levels of a structure begin, in minutes of play and in minutes with breaks."""

    hand_minutes: float
    played: tuple[float, ...]
    real: tuple[float, ...]
    prices: tuple[Chips, ...]

    @classmethod
    def of(cls, structure: Structure, hand_minutes: float) -> Timetable:
        """Lay out a structure; a level of so many hands lasts as long as they take."""
        play = real = 0.0
        played, starts, prices = [], [], []
        for step in structure.steps:
            if isinstance(step, Break):
                real += step.minutes
                continue
            played.append(play)
            starts.append(real)
            prices.append(step.price)
            length = _length(step, hand_minutes)
            play += length
            real += length
        return cls(hand_minutes, tuple(played), tuple(starts), tuple(prices))

    def level_of(self, hand: int) -> int:
        """Return the level, from 0, in which a hand begins that so many hands came before."""
        minute = hand * self.hand_minutes
        return bisect_right(self.played, minute + 1e-9) - 1

    def price_of(self, hand: int) -> Chips:
        """Return the price of a hand that so many hands came before."""
        return self.prices[self.level_of(hand)]

    def minute_after(self, hands: int) -> int:
        """Return the minute, breaks included, at which so many hands are over."""
        level = self.level_of(max(0, hands - 1))
        return round(self.real[level] + hands * self.hand_minutes - self.played[level])

    def hands_before(self, level: int) -> int:
        """Return how many hands begin before a level, from 0."""
        return -int(-self.played[level] // self.hand_minutes)


def forecast(structure: Structure, *, players: int, hand_minutes: float, seed: int = 1) -> Forecast:
    """Play a structure with so many players many times, and say what is to be expected.

    `hand_minutes` is how long a hand takes, dealing and scoring included. The same arguments give the same answer. A
    fraction of a second for 75 players. `ForecastError` holds every fault: a structure that is impossible, players
    not 2 to 2,000, minutes a hand not 0.25 to 60.
    """
    faults = structure_faults(structure) + field_faults(players, hand_minutes)
    if faults:
        raise ForecastError(*faults)
    timetable = Timetable.of(structure, hand_minutes)
    walk = Walk(seed)
    runs: list[Run] = []
    spent = 0
    while len(runs) < _RUNS[0] or (len(runs) < _RUNS[1] and spent < _HANDS):
        runs.append(walk.play(players, structure.starting_stack, timetable, run=len(runs)))
        spent += sum(-(-left // 3) for left in runs[-1].left[:-1])
    lengths = sorted(run.hands for run in runs)
    low, middle, high = (_quantile(lengths, tenths) for tenths in (1, 5, 9))
    total = players * structure.starting_stack
    duel = _quantile(sorted(_first_at_two(run) for run in runs), 5)
    return Forecast(
        runs=len(runs),
        minutes=timetable.minute_after(middle),
        low=timetable.minute_after(low),
        high=timetable.minute_after(high),
        last_two=total // (2 * timetable.price_of(duel)),
        curve=_curve(runs, timetable, high),
        levels=_levels(runs, timetable, total, middle),
        unfinished=sum(not run.is_over for run in runs),
    )


def field_faults(players: int, hand_minutes: float) -> list[Fault]:
    """Return what is impossible about a field of players."""
    faults = []
    if not 2 <= players <= MAX_PLAYERS:
        message = f"2 to {MAX_PLAYERS} players, not {players}"
        faults.append(Fault("players-count", message, field="players", text=str(players)))
    shortest, longest = HAND_MINUTES
    if not shortest <= hand_minutes <= longest:
        message = f"a hand takes {shortest:g} to {longest:g} minutes, not {hand_minutes:g}"
        faults.append(Fault("hand-minutes", message, field="hand_minutes", text=str(hand_minutes)))
    return faults


class Walk:
    """Plays events by the model. The run of a number is the same for every structure: what differs is the prices."""

    def __init__(self, seed: int) -> None:
        generator = random.Random(seed)
        self._seed = seed
        self._strengths = [round(generator.gauss(0, STRENGTH_SD)) for _ in range((1 << _BITS) + 2)]

    def play(self, players: int, stack: Chips, timetable: Timetable, *, run: int, most_hands: int | None = None) -> Run:
        """Play one event to its end, or for at most so many hands a table."""
        draw = random.Random(f"{self._seed} {run}").getrandbits
        stacks: list[int] = [stack] * players
        left = [players]
        most = int(MAX_MINUTES / timetable.hand_minutes) if most_hands is None else most_hands
        spent = 0
        for hand in range(most):
            if len(stacks) == 1 or spent > _HANDS_A_RUN:
                break
            spent += -(-len(stacks) // 3)
            self._play_hand(stacks, timetable.price_of(hand), hand, draw)
            if not all(stacks):
                stacks = [chips for chips in stacks if chips]
            left.append(len(stacks))
        return Run(tuple(left), is_over=len(stacks) == 1)

    def _play_hand(self, stacks: list[int], price: int, hand: int, draw: Callable[[int], int]) -> None:
        """Play one hand at every table, paid button first and capped by both stacks (R-CHIP-2, R-CHIP-3).

        Two thirds of the time of a forecast is spent here, hence no calls of min and max.
        """
        strengths = self._strengths
        twos = 2 * (-len(stacks) % 3)
        for first in range(0, twos, 2):
            drawn = draw(_BITS)
            a, b = stacks[first], stacks[first + 1]
            due, most = (strengths[drawn] - strengths[drawn + 1]) * price, a if a < b else b  # noqa: FURB136
            paid = most if due > most else -most if due < -most else due  # noqa: FURB136
            stacks[first], stacks[first + 1] = a + paid, b - paid
        button, left, right = hand % 3, (hand + 1) % 3, (hand + 2) % 3
        for first in range(twos, len(stacks), 3):
            drawn = draw(_BITS)
            x, y, z = strengths[drawn : drawn + 3]
            a, b, c = stacks[first + button], stacks[first + left], stacks[first + right]
            due, most = (x - y) * price, a if a < b else b  # noqa: FURB136
            paid = most if due > most else -most if due < -most else due  # noqa: FURB136
            a, b = a + paid, b - paid
            due, most = (x - z) * price, a if a < c else c  # noqa: FURB136
            paid = most if due > most else -most if due < -most else due  # noqa: FURB136
            a, c = a + paid, c - paid
            due, most = (y - z) * price, b if b < c else c  # noqa: FURB136
            paid = most if due > most else -most if due < -most else due  # noqa: FURB136
            stacks[first + button], stacks[first + left], stacks[first + right] = a, b + paid, c - paid


def _curve(runs: Sequence[Run], timetable: Timetable, hands: int) -> tuple[CurvePoint, ...]:
    points: list[CurvePoint] = []
    for step in range(_POINTS + 1):
        hand = round(hands * step / _POINTS)
        left = sorted(run.at(hand) for run in runs)
        low, middle, high = (_quantile(left, tenths) for tenths in (1, 5, 9))
        point = CurvePoint(timetable.minute_after(hand), middle, low, high)
        if not points or point.minute > points[-1].minute:
            points.append(point)
    return tuple(points)


def _levels(runs: Sequence[Run], timetable: Timetable, total: int, ends: int) -> tuple[LevelForecast, ...]:
    levels: list[LevelForecast] = []
    for number, price in enumerate(timetable.prices):
        hand = timetable.hands_before(number)
        left = None if hand >= ends else _quantile(sorted(run.at(hand) for run in runs), 5)
        average = None if left is None else total // (left * price)
        levels.append(LevelForecast(number + 1, price, round(timetable.real[number]), left, average))
    return tuple(levels)


def _first_at_two(run: Run) -> int:
    return next((hand for hand, left in enumerate(run.left) if left <= 2), run.hands)


def _quantile(ordered: Sequence[int], tenths: int) -> int:
    return ordered[(len(ordered) - 1) * tenths // 10]


def _length(level: Level, hand_minutes: float) -> float:
    return float(level.minutes) if level.minutes is not None else (level.hands or 0) * hand_minutes
