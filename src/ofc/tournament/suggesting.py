"""Suggests a structure: from players, chips and hours to prices, with what to expect of it and why.

Prices rise by the same factor from level to level, rounded to ones that are easy to count. The first price follows
from how far stacks wander in the event's hands; the factor is searched for, by playing events in the model of
`ofc.tournament.forecasting`, so that half of them are over after the hours wanted.
The structure ends where 9 of 10 events are over: its last level goes on for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from ofc.errors import Fault, counted
from ofc.scoring import Chips
from ofc.tournament.forecasting import (
    SWING_THREE,
    SWING_TWO,
    Forecast,
    ForecastError,
    Timetable,
    Walk,
    field_faults,
    forecast,
)
from ofc.tournament.structure import MAX_STEPS, Break, Level, Step, Structure

ROUND_DIGITS: Final = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
"""Prices are these times a power of ten; below 10: 1, 2, 3, 4, 5, 6, 8."""
SMALL_PRICES: Final = (1, 2, 3, 4, 5, 6, 8)
START_POINTS: Final = 75
"""A stack is worth this many points at first, times the square root of the event's hands: hardly anyone is out in the
first quarter, in which a stack at a table of three wanders about a third as far as that."""
HARDLY_ANYONE: Final = 0.9
"""The share of players left of whom it is said that hardly anyone is out."""
MAX_CHIPS: Final = 1_000_000_000
MAX_PLAYED: Final = 300_000
"""Players times hands a table, so that a suggestion takes a few seconds at most."""
MINUTES: Final = range(15, 48 * 60 + 1)
_FACTORS: Final = (1.0, 6.0)
_SEARCHES: Final = 8
_HANDS_A_SEARCH: Final = 20_000
_RUNS_A_SEARCH: Final = (5, 41)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a director has in mind: so many players, to be done in about so many minutes, breaks included.

    `hand_minutes` is how long a hand takes, dealing and scoring included; a break of `break_minutes` follows every
    `break_after` levels, none where that is 0.
    """

    players: int
    starting_stack: Chips
    minutes: int
    hand_minutes: float = 6
    level_minutes: int = 20
    break_after: int = 4
    break_minutes: int = 10


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A structure, what to expect of it, and why it is so, in sentences for the director."""

    structure: Structure
    forecast: Forecast
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StructureTemplate:
    """A kind of event; the number of players makes a structure of it."""

    id: str
    title: str
    wishes: Wishes

    def structure(self, players: int, *, seed: int = 1) -> Structure:
        """Return the template's structure for so many players; `ForecastError` if they are not 2 to 2,000."""
        return suggest(replace(self.wishes, players=players), seed=seed).structure


TEMPLATES: Final = (
    StructureTemplate(
        "quick", "Quick, 2 hours", Wishes(9, Chips(2_000), 120, level_minutes=12, break_after=0, break_minutes=0)
    ),
    StructureTemplate("evening", "Evening, 4 hours", Wishes(27, Chips(5_000), 240)),
    StructureTemplate("day", "Day, 8 hours", Wishes(75, Chips(10_000), 480, level_minutes=30, break_minutes=15)),
)
"""The kinds of event that are offered, with the players they are shown for."""


def suggest(wishes: Wishes, *, seed: int = 1) -> Suggestion:
    """Return a structure in which half of the events are over in the time wanted, as nearly as prices allow.

    The same arguments give the same answer. About a second for 75 players. `ForecastError` holds every wish that is
    impossible, as `wishes_faults` says.
    """
    faults = wishes_faults(wishes)
    if faults:
        raise ForecastError(*faults)
    factor = _search(wishes, seed)
    levels = _levels_in(wishes, wishes.minutes * 6 // 5)
    while True:
        structure = _structure(wishes, factor, levels)
        expected = forecast(structure, players=wishes.players, hand_minutes=wishes.hand_minutes, seed=seed)
        if len(structure.levels) < levels or levels >= _levels_in(wishes, expected.high):
            break
        levels = _levels_in(wishes, expected.high)
    kept = _structure(wishes, factor, min(levels, _levels_in(wishes, max(wishes.minutes, expected.high))))
    expected = replace(expected, levels=expected.levels[: len(kept.levels)])
    return Suggestion(kept, expected, tuple(_reasons(wishes, kept, expected, factor)))


def explain(structure: Structure, *, players: int, hand_minutes: float, seed: int = 1) -> Suggestion:
    """Return a structure as it is, what to expect of it, and why, in sentences for the director.

    About a second, and some seconds where stacks are so large that events hardly end. `ForecastError` as `forecast`.
    """
    expected = forecast(structure, players=players, hand_minutes=hand_minutes, seed=seed)
    return Suggestion(structure, expected, tuple(_findings(structure, expected, players, hand_minutes)))


def _findings(structure: Structure, expected: Forecast, players: int, hand_minutes: float) -> Iterator[str]:
    prices = [level.price for level in structure.levels]
    tables = -(-players // 3)
    yield (
        f"{counted(players, 'player')} at {counted(tables, 'table')}, {structure.starting_stack:,} chips "
        f"each, {hand_minutes:g} minutes a hand: at first a stack is "
        f"{counted(structure.starting_stack // prices[0], 'point')}, "
        f"a point costing {prices[0]:,}."
    )
    yield _played(expected)
    if expected.unfinished:
        yield (
            f"{expected.unfinished} of them were not over after 72 hours: stacks are too large for these prices. Fewer "
            "chips or higher prices help."
        )
    reached = sum(level.players is not None for level in expected.levels)
    if reached < len(prices):
        yield f"Half of the events do not reach level {reached + 1} of {len(prices)}."
    elif len(prices) > 1 and expected.minutes > expected.levels[-1].starts:
        yield f"Half of the events come to the last level, which goes on at {prices[-1]:,} a point to the end."
    falls = [n for n in range(1, len(prices)) if prices[n] < prices[n - 1]]
    if falls:
        yield f"The price of level {falls[0] + 1} is below the one before it."


def _played(expected: Forecast) -> str:
    return (
        f"Played {expected.runs} times in a model, half of the events were over after "
        f"{format_minutes(expected.minutes)}, 8 of 10 between {format_minutes(expected.low)} and "
        f"{format_minutes(expected.high)}. The last two began at about {expected.last_two:,} points each."
    )


def wishes_faults(wishes: Wishes) -> list[Fault]:
    """Return everything that is impossible about wishes."""
    faults = field_faults(wishes.players, wishes.hand_minutes)
    ranges = {
        "starting_stack": range(1, MAX_CHIPS + 1),
        "minutes": MINUTES,
        "level_minutes": range(1, 241),
        "break_after": range(101),
        "break_minutes": range(1 if wishes.break_after else 0, 241),
    }
    for name, allowed in ranges.items():
        value = getattr(wishes, name)
        if value not in allowed:
            message = f"{name.replace('_', ' ')}: {allowed[0]:,} to {allowed[-1]:,}, not {value}"
            faults.append(Fault("wish-impossible", message, field=name, text=str(value)))
    if not faults and wishes.players * _hands_in(wishes) > MAX_PLAYED:
        message = f"{wishes.players} players and {_hands_in(wishes):.0f} hands a table are too many to play in a model"
        faults.append(Fault("wishes-too-large", message, field="players", text=str(wishes.players)))
    return faults


def round_price(price: float, *, least: Chips = Chips(1)) -> Chips:  # noqa: B008  # a whole number
    """Return the round price nearest to a price, in proportion, that is not below `least`, itself a round price.

    >>> [round_price(price) for price in (0.3, 7.2, 8.9, 11.5, 34, 170, 1800)]
    [1, 8, 8, 12, 30, 150, 2000]
    """
    best = least
    candidates = (candidate for candidate in _round_prices() if candidate > least)
    while (following := next(candidates)) / price < price / best:
        best = following
    return best


def _round_prices() -> Iterator[Chips]:
    yield from map(Chips, SMALL_PRICES)
    power = 1
    while True:
        yield from (Chips(digits * power) for digits in ROUND_DIGITS)
        power *= 10


def _search(wishes: Wishes, seed: int) -> float:
    """Return the factor by which prices rise, between whose neighbours events take the time wanted."""
    walk = Walk(seed)
    hands = _hands_in(wishes)
    by_budget = int(_HANDS_A_SEARCH / (hands * wishes.players / 5))
    runs = max(_RUNS_A_SEARCH[0], min(_RUNS_A_SEARCH[1], by_budget))
    low, high = _FACTORS
    best = (high, float("inf"))
    for _ in range(_SEARCHES):
        factor = sqrt(low * high)
        structure = _structure(wishes, factor, 3 * _levels_in(wishes, wishes.minutes))
        timetable = Timetable.of(structure, wishes.hand_minutes)
        most = int(3 * hands) + 10
        lengths = sorted(
            walk.play(wishes.players, wishes.starting_stack, timetable, run=run, most_hands=most).hands
            for run in range(runs)
        )
        minutes = timetable.minute_after(lengths[runs // 2])
        if abs(minutes - wishes.minutes) <= abs(best[1] - wishes.minutes):
            best = (factor, minutes)
        if minutes > wishes.minutes:
            low = factor
        else:
            high = factor
    return best[0]


def _structure(wishes: Wishes, factor: float, levels: int) -> Structure:
    start = wishes.starting_stack / (START_POINTS * sqrt(_hands_in(wishes)))
    most = max(1, wishes.players * wishes.starting_stack // 4)
    steps: list[Step] = []
    price = Chips(1)
    for number in range(levels):
        if len(steps) + 2 > MAX_STEPS:
            break
        if wishes.break_after and number and number % wishes.break_after == 0:
            steps.append(Break(wishes.break_minutes))
        price = round_price(min(start * factor**number, most), least=price)
        steps.append(Level(price, minutes=wishes.level_minutes))
    return Structure(wishes.starting_stack, tuple(steps))


def _levels_in(wishes: Wishes, minutes: int) -> int:
    """Return how many levels begin within so many minutes, and one more."""
    rest = wishes.break_minutes / wishes.break_after if wishes.break_after else 0
    return int(minutes / (wishes.level_minutes + rest)) + 2


def _hands_in(wishes: Wishes) -> float:
    """Return how many hands a table plays in the time wanted, breaks taken off; 1 at least."""
    whole = wishes.level_minutes * wishes.break_after
    share = whole / (whole + wishes.break_minutes) if wishes.break_after else 1
    return max(1.0, wishes.minutes * share / wishes.hand_minutes)


def _reasons(wishes: Wishes, structure: Structure, expected: Forecast, factor: float) -> Iterator[str]:
    first = structure.levels[0].price
    tables = -(-wishes.players // 3)
    yield (
        f"{counted(wishes.players, 'player')} at {counted(tables, 'table')}, "
        f"{counted(wishes.starting_stack, 'chip')} each. In {format_minutes(wishes.minutes)} a table plays about "
        f"{_hands_in(wishes):.0f} hands of {wishes.hand_minutes:g} minutes, breaks taken off."
    )
    yield (
        f"A hand wins or loses a player about {SWING_THREE:.0f} points at a table of three and {SWING_TWO:.0f} at a "
        "table of two, measured in hands between sensible players."
    )
    yield (
        f"At first a stack is {counted(wishes.starting_stack // first, 'point')}, a point costing {first:,}, "
        f"so that {_first_quarter(wishes, expected)}."
    )
    if factor > 1.02:
        yield f"Each level costs about {factor:.2g} times the one before, rounded to prices that are easy to count."
    else:
        yield "Prices hardly rise: the stacks are small for the time wanted."
    yield _played(expected)
    if expected.minutes > wishes.minutes * 1.15:
        yield (
            f"That is longer than the {format_minutes(wishes.minutes)} wanted: there are too few hands for so many "
            "players. Quicker hands or shorter levels help."
        )
    elif expected.minutes < wishes.minutes * 0.85:
        yield (
            f"That is shorter than the {format_minutes(wishes.minutes)} wanted: a point cannot cost less than a chip. "
            "More chips help."
        )


def _first_quarter(wishes: Wishes, expected: Forecast) -> str:
    """Say who is left after the first quarter of the time that it takes."""
    left = [point.players for point in expected.curve if point.minute <= expected.minutes / 4][-1]
    if left >= wishes.players * HARDLY_ANYONE:
        return "hardly anyone is out in the first quarter"
    return f"after the first quarter about {left} of {counted(wishes.players, 'player')} are left"


def format_minutes(minutes: int) -> str:
    """Write a length of time in hours and minutes.

    >>> format_minutes(45), format_minutes(120), format_minutes(230)
    ('45 min', '2 h', '3 h 50')
    """
    hours, rest = divmod(minutes, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest:02}" if rest else f"{hours} h"
