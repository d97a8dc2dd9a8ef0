"""Leagues: several tournaments, points for places, and a table in which the best results count."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10, sqrt
from typing import Final, NewType

from ofc.errors import Fault, OfcError
from ofc.tournament.prizes import Money

Hundredths = NewType("Hundredths", int)
"""League points in hundredths, so that they add up exactly."""

POINT: Final = Hundredths(100)
_NOTHING: Final = Hundredths(0)
_FREE: Final = Money(0)


class LeagueError(OfcError):
    """A league, a formula or an event's result that cannot be counted."""


@dataclass(frozen=True, slots=True)
class Finish:
    """One player's result in one event: the same name in every event; shared places repeat, as 3, 3, 5.

    `cost` is all that the player paid for the event, re-entries included; 0 where the entry was the only one.
    """

    player: str
    place: int
    cost: Money = _FREE


@dataclass(frozen=True, slots=True)
class LeagueEvent:
    """One event's result. `buy_in` is the cost of one entry in the currency's main unit, 0 for a free event."""

    name: str
    finishes: tuple[Finish, ...]
    buy_in: Money = _FREE


@dataclass(frozen=True, slots=True)
class LinearPoints:
    """`step` for each player one finished before, and `least` for coming: the last gets `least`.

    With 1 and 1 the “simple scoring” of unknownpoker.com's “Poker League Calculator”.
    """

    step: Hundredths = POINT
    least: Hundredths = POINT


@dataclass(frozen=True, slots=True)
class InversePoints:
    """`first` divided by the place: full for the winner, half for the second, a third for the third."""

    first: Hundredths = Hundredths(100 * 100)


@dataclass(frozen=True, slots=True)
class RootPoints:
    """10 x sqrt(players / place), and with `is_by_buy_in` times 1 + log10(buy-in + 0.25).

    The latter is known as the PokerStars method, as in unknownpoker.com's “Poker League Calculator”.
    """

    is_by_buy_in: bool = False


@dataclass(frozen=True, slots=True)
class NeauPoints:
    """sqrt(players x buy-in x buy-in / cost) / (place + 1), which counts re-entries against a player.

    Dr. Neau's Tournament Formula (Home Poker Tourney forums, topic 28150). In a free event buy-in and cost are
    taken as 1.
    """


@dataclass(frozen=True, slots=True)
class TablePoints:
    """One's own points by place, from the first, and `others` for every place beyond."""

    points: tuple[Hundredths, ...]
    others: Hundredths = _NOTHING


Formula = LinearPoints | InversePoints | RootPoints | NeauPoints | TablePoints


@dataclass(frozen=True, slots=True)
class League:
    """How results count: by a formula, the `best` so many of each player (None: all).

    Who played fewer than `least_played` events is listed after those who played enough.
    """

    formula: Formula
    best: int | None = None
    least_played: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's line in the table. `place` repeats for players whom nothing tells apart.

    `results` hold each event played, in the events' order: its number from 0, the place there, the points, and
    whether they count. `points` is the sum of those that count. `is_ranked` says that enough events were played.
    """

    place: int
    player: str
    points: Hundredths
    results: tuple[LeagueResult, ...]
    is_ranked: bool


@dataclass(frozen=True, slots=True)
class LeagueResult:
    """What one event brought a player."""

    event: int
    place: int
    points: Hundredths
    does_count: bool


def league_standings(league: League, events: Sequence[LeagueEvent]) -> tuple[Standing, ...]:
    """Return the league's table, best first.

    Of each player the best results count; of results of equal points the earlier one. Ties are told apart by more
    first places among the results that count, then more second places, and so on; then by the most points in one
    event. Players still equal share the place and are listed by name. `LeagueError` holds every fault of the league
    and the events.
    """
    faults = league_faults(league)
    for number, event in enumerate(events):
        faults += _event_faults(f"events[{number}]", event)
    if faults:
        raise LeagueError(*faults)
    gained: dict[str, list[tuple[int, int, Hundredths]]] = {}
    for number, event in enumerate(events):
        for finish, points in zip(event.finishes, event_points(league.formula, event), strict=True):
            gained.setdefault(finish.player, []).append((number, finish.place, points))
    lines = []
    for player, results in gained.items():
        counted = sorted(results, key=lambda one: (-one[2], one[0]))[: league.best]
        total = sum(points for _, _, points in counted)
        places = Counter(place for _, place, _ in counted)
        countback = tuple(-places[place] for place in range(1, max(places, default=0) + 1))
        highest = max((points for _, _, points in counted), default=_NOTHING)
        is_unranked = len(results) < league.least_played
        rank = (is_unranked, -total, countback + (0,) * (_most(events) - len(countback)), -highest)
        lines.append((rank, player, Hundredths(total), tuple(LeagueResult(*one, one in counted) for one in results)))
    lines.sort(key=lambda line: (line[0], line[1]))
    ranks = [line[0] for line in lines]
    return tuple(
        Standing(ranks.index(rank) + 1, player, total, results, is_ranked=not rank[0])
        for rank, player, total, results in lines
    )


def event_points(formula: Formula, event: LeagueEvent) -> tuple[Hundredths, ...]:
    """Return the points of each finish of an event, in its order, rounded half up to hundredths.

    Players who share a place get the mean of the points of the places they took. `LeagueError` if the formula or
    the result is impossible.

    >>> event = LeagueEvent("One", (Finish("Anna", 1), Finish("Bo", 2), Finish("Cleo", 2), Finish("Dan", 4)))
    >>> event_points(LinearPoints(), event)
    (400, 250, 250, 100)
    """
    faults = formula_faults(formula) + _event_faults("event", event)
    if faults:
        raise LeagueError(*faults)
    players = len(event.finishes)
    shared = Counter(finish.place for finish in event.finishes)
    points = []
    for finish in event.finishes:
        taken = range(finish.place, finish.place + shared[finish.place])
        total = sum(_points_at(formula, place, players, event.buy_in, finish.cost) for place in taken)
        points.append(Hundredths(floor(total / len(taken) + 0.5)))
    return tuple(points)


def _points_at(formula: Formula, place: int, players: int, buy_in: Money, cost: Money) -> float:
    """Return the points, in hundredths and unrounded, of one place taken alone."""
    match formula:
        case LinearPoints(step, least):
            return least + step * (players - place)
        case InversePoints(first):
            return first / place
        case RootPoints(is_by_buy_in):
            return POINT * 10 * sqrt(players / place) * (1 + log10(buy_in + 0.25) if is_by_buy_in else 1)
        case NeauPoints():
            paid = buy_in or 1
            return POINT * sqrt(players * paid * paid / (cost or paid)) / (place + 1)
        case _:
            return formula.points[place - 1] if place <= len(formula.points) else formula.others


def league_faults(league: League) -> list[Fault]:
    """Return everything that is impossible about a league."""
    faults = formula_faults(league.formula)
    if league.best is not None and league.best < 1:
        faults.append(_fault("league-impossible", "league.best", "1 result or more counts", league.best))
    if league.least_played < 0:
        faults.append(_fault("league-impossible", "league.least_played", "0 events or more", league.least_played))
    return faults


def formula_faults(formula: Formula) -> list[Fault]:
    """Return everything that is impossible about a formula: negative points, or points that rise with the place."""
    match formula:
        case LinearPoints(step, least):
            named = {"step": step, "least": least}
        case InversePoints(first):
            named = {"first": first}
        case TablePoints(points, others):
            named = {f"points[{number}]": one for number, one in enumerate((*points, others))}
        case _:
            return []
    faults = [
        _fault("formula-impossible", f"formula.{name}", "points are 0 or more", value)
        for name, value in named.items()
        if value < 0
    ]
    if isinstance(formula, TablePoints):
        values = list(named.values())
        faults += [
            _fault("formula-impossible", f"formula.points[{number}]", "a worse place brings no more points", value)
            for number, value in enumerate(values)
            if number and value > values[number - 1]
        ]
    return faults


def _event_faults(field: str, event: LeagueEvent) -> list[Fault]:
    faults = []
    places = sorted(finish.place for finish in event.finishes)
    if event.buy_in < 0:
        faults.append(_fault("amount-negative", f"{field}.buy_in", "a buy-in is 0 or more", event.buy_in))
    seen = set[str]()
    for number, finish in enumerate(event.finishes):
        own = f"{field}.finishes[{number}]"
        if finish.player in seen:
            faults.append(_fault("player-twice", own, f"{finish.player} is in {event.name} twice", finish.player))
        seen.add(finish.player)
        if finish.cost < 0:
            faults.append(_fault("amount-negative", f"{own}.cost", "a cost is 0 or more", finish.cost))
        better = bisect_left(places, finish.place)
        if finish.place != better + 1:
            message = f"{better} finished before {finish.player}, whose place is {better + 1}"
            faults.append(_fault("place-invalid", f"{own}.place", message, finish.place))
    return faults


def _most(events: Sequence[LeagueEvent]) -> int:
    return max(len(event.finishes) for event in events)


def _fault(code: str, field: str, message: str, value: object) -> Fault:
    return Fault(code, message, field=field, text=str(value))
