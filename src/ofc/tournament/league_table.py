"""A league's table out of its events' states: who played under which name, what counts, and what is still running.

A player is known by name in every event: upper and lower case, and how many spaces, make no difference; clubs do not
count. Two of one name in one event stay two: the worse placed is called “Name (2)”.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ofc.tournament.events import Stage
from ofc.tournament.exchange import write_rows
from ofc.tournament.league_formulas import points_text
from ofc.tournament.leagues import Finish, League, LeagueEvent, event_points, league_standings
from ofc.tournament.prizes import Money
from ofc.tournament.standings import standings
from ofc.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class Result:
    """What one event brought or, while it runs, would bring: the event's number from 0; points are in points."""

    event: int
    place: int
    points: float
    counts: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line. `place` is None for who has no finished event.

    `finishes` are the places among the results that count, best first: ties in points go by their number of first
    places, of second places and so on, then by `highest`, the most points in one event. Who is not `ranked` played too
    few events.
    """

    place: int | None
    player: str
    points: float
    played: int
    counted: int
    finishes: tuple[int, ...]
    highest: float
    ranked: bool
    results: tuple[Result, ...]


def event_result(state: Tournament) -> LeagueEvent:
    """Return how an event ended or, while it runs, how it would end now."""
    fees = state.prizes.fees if state.prizes is not None else None
    buy_in = Money(fees.entry + fees.house) if fees is not None else Money(0)
    taken = set[str]()
    finishes = []
    for one in standings(state):
        name, number = one.name, 1
        while _key(name) in taken:
            number += 1
            name = f"{one.name} ({number})"
        taken.add(_key(name))
        finishes.append(Finish(name, one.place, Money(buy_in * state.players[one.player].entries)))
    return LeagueEvent(state.settings.name, tuple(finishes), buy_in)


def is_over(state: Tournament) -> bool:
    """Whether an event's places are final."""
    return state.settings.stage is Stage.FINISHED


def league_table(league: League, events: Sequence[LeagueEvent], *, running: frozenset[int] = frozenset()) -> list[Row]:
    """Return the league's table, best first; `running` are the numbers of the events that do not count yet.

    Who has played in those alone comes last. Each player is called as in the latest event. `LeagueError` as
    `league_standings`.
    """
    named = _named_alike(events)
    over = [number for number in range(len(named)) if number not in running]
    now: dict[str, list[Result]] = {}
    for number in sorted(running):
        for finish, points in zip(named[number].finishes, event_points(league.formula, named[number]), strict=True):
            now.setdefault(finish.player, []).append(Result(number, finish.place, points / 100, counts=False))
    rows = []
    for one in league_standings(league, [named[number] for number in over]):
        own = [Result(over[r.event], r.place, r.points / 100, r.does_count) for r in one.results]
        counted = [result for result in own if result.counts]
        rows.append(
            Row(
                place=one.place,
                player=one.player,
                points=one.points / 100,
                played=len(own),
                counted=len(counted),
                finishes=tuple(sorted(result.place for result in counted)),
                highest=max(result.points for result in counted),
                ranked=one.is_ranked,
                results=tuple(sorted((*own, *now.pop(one.player, [])), key=lambda result: result.event)),
            )
        )
    new = [Row(None, player, 0.0, 0, 0, (), 0.0, ranked=False, results=tuple(own)) for player, own in now.items()]
    return rows + sorted(new, key=lambda row: row.player)


def write_league(rows: Sequence[Row], events: Sequence[str]) -> str:
    """Return a league's table as CSV; a result that does not count is in parentheses."""
    header = ("place", "player", "points", "events", "counted", "best", "finishes", *events)
    lines = []
    for row in rows:
        best = row.finishes[0] if row.finishes else ""
        facts = (row.place or "", row.player, points_text(row.points), row.played, row.counted, best)
        lines.append((*facts, " ".join(map(str, row.finishes)), *cells(row, len(events))))
    return write_rows(header, lines)


def cells(row: Row, events: int) -> list[str]:
    """Return the points of each event, empty where the player was not; what does not count is in parentheses."""
    found = [""] * events
    for one in row.results:
        found[one.event] = points_text(one.points) if one.counts else f"({points_text(one.points)})"
    return found


def _named_alike(events: Sequence[LeagueEvent]) -> list[LeagueEvent]:
    spelt = {_key(finish.player): finish.player for event in events for finish in event.finishes}
    return [
        replace(event, finishes=tuple(replace(one, player=spelt[_key(one.player)]) for one in event.finishes))
        for event in events
    ]


def _key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()
