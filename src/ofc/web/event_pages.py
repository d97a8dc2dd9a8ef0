"""What each kind of page is sent of a tournament: everything once, then only what changed.

A tournament has few secrets: tables' codes, who has paid, and the log are for directors; the rest is on the big
screen. A picture is made once for each change, out of the one before, and its messages once for all pages that may
see the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

from msgspec.structs import replace as changed

from ofc.clock import Millis
from ofc.service.live_tournament import LiveTournament
from ofc.tournament import event_view, view
from ofc.tournament.events import Action, FantasylandDeclared, HandSettled, Moved, MovePlanned, PlayerId, TableNumber
from ofc.tournament.pricing import steps_reached
from ofc.tournament.state import Tournament
from ofc.tournament.structure import Break
from ofc.web.protocol import encode

LOG_LINES: Final = 50
NEWS_ENTRIES: Final = 40
NEWS_LINES: Final = 20
_FOR_DIRECTORS: Final = ("paid", "code")
_PLAYER_FIELDS: Final = view.PlayerView.__struct_fields__
_TABLE_FIELDS: Final = tuple(view.TableView.__dataclass_fields__)
_EVENT_FIELDS: Final = tuple(event_view.EventView.__dataclass_fields__)

Fields = dict[str, object]


@dataclass(frozen=True, slots=True)
class Audience:
    """Who looks: a director, a table's page, or anyone."""

    is_director: bool = False
    table: TableNumber | None = None


@dataclass(frozen=True, slots=True)
class News:
    """Something for the big screen, in words."""

    seq: int
    at: Millis
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class TableOnPage:
    """A table with its last result. `line` is the log's of the action that entered it."""

    table: view.TableView
    last_hand: view.HandView | None
    line: view.LogLine | None
    code: str

    def fields(self) -> Fields:
        """Return the protocol's Table; `undo` is the action that entered the last hand, if it can be undone."""
        plain: Fields = {name: getattr(self.table, name) for name in _TABLE_FIELDS}
        undo = self.line.seq if self.line is not None and self.line.can_undo else None
        return plain | {"last_hand": self.last_hand, "undo": undo, "code": self.code}


@dataclass(slots=True, eq=False, weakref_slot=True)
class Picture:
    """A tournament at one entry of its log and one step of its clock, as pages see it.

    The places of those who play follow from the stacks, and half of them change with every hand: they are kept apart,
    sent at first, and left out of patches.
    """

    state: Tournament
    step: int
    event: Fields
    players: Mapping[PlayerId, view.PlayerView]
    places: Mapping[PlayerId, int | None]
    tables: Mapping[TableNumber, TableOnPage]
    moves: tuple[view.MoveView, ...]
    proposed: tuple[object, ...]
    news: tuple[News, ...]
    log: tuple[view.LogLine, ...]
    number: int = field(default_factory=itertools.count().__next__)
    bodies: dict[tuple[int | None, bool], bytes] = field(default_factory=dict)
    """The messages' parts that are the same for all of an audience, by the picture they are to be put on."""
    head: tuple[Millis, bytes] = (Millis(0), b"")

    @property
    def seq(self) -> int:
        """The number of the log's last entry."""
        return self.state.seq

    def log_for(self, audience: Audience) -> tuple[view.LogLine, ...]:
        """Return the part of the log that is told unasked: the latest for directors, a table's last action to it."""
        if audience.is_director:
            return self.log
        table = self.tables.get(audience.table) if audience.table is not None else None
        return (table.line,) if table is not None and table.line is not None else ()


_PICTURES: WeakKeyDictionary[LiveTournament, Picture] = WeakKeyDictionary()


def picture_of(live: LiveTournament) -> Picture:
    """Return the tournament's picture now, made anew only when its log or its clock's step has changed."""
    now = live.now()
    step = live.state.position(now).step
    known = _PICTURES.get(live)
    if known is not None and known.state is live.state and known.step == step:
        return known
    picture = _make_picture(live, now, known)
    _PICTURES[live] = picture
    return picture


def _make_picture(live: LiveTournament, now: Millis, known: Picture | None) -> Picture:
    state = live.state
    step = state.position(now).step
    players = view.players_view(state, now)
    event = event_view.event_view(state, now)
    return Picture(
        state=state,
        step=step,
        event={"id": live.stored.id, **{name: getattr(event, name) for name in _EVENT_FIELDS}},
        players={n: one if one.table is None else changed(one, place=None) for n, one in players.items()},
        places={n: one.place for n, one in players.items()},
        tables=_tables(live, now, players, known if known is not None and known.step == step else None),
        moves=view.moves_view(state),
        proposed=view.proposed_view(state),
        news=_news(live, players, now),
        log=view.log_lines(live.log, most=LOG_LINES),
    )


def _tables(
    live: LiveTournament, now: Millis, players: Mapping[PlayerId, view.PlayerView], known: Picture | None
) -> dict[TableNumber, TableOnPage]:
    """Return every table; what is as it was in a picture of the same step is taken from there."""
    state = live.state
    before = known.tables if known is not None else {}
    found: dict[TableNumber, TableOnPage] = {}
    for table in state.open_tables:
        number, action, old = table.number, live.last_hand(table.number), before.get(table.number)
        is_same = old is not None and known is not None and _is_untouched(known.state, state, number)
        shown = old.table if old is not None and is_same else view.table_view(state, table, now)
        line = view.log_line(live.log, action) if action is not None else None
        hand = old.last_hand if old is not None and old.line is not None else None
        if action is None:
            hand = None
        elif hand is None or hand.out or old is None or old.line is None or old.line.seq != action.seq:
            hand = _last_hand(action, number, players)
        found[number] = TableOnPage(shown, hand, line, table.code)
    return found


def _is_untouched(before: Tournament, after: Tournament, number: TableNumber) -> bool:
    """Whether a table, its players and what it is played by are the very ones they were."""
    table = after.tables[number]
    return (
        before.tables.get(number) is table
        and before.settings is after.settings
        and before.clock is after.clock
        and before.hand_for_hand is after.hand_for_hand
        and all(player is None or before.players.get(player) is after.players[player] for player in table.seats)
    )


def _last_hand(action: Action, table: TableNumber, players: Mapping[PlayerId, view.PlayerView]) -> view.HandView:
    settled = next(event for event in action.events if isinstance(event, HandSettled) and event.table == table)
    return view.hand_view(settled, places={player: players[player].place or 0 for player, _ in settled.out})


def _news(live: LiveTournament, players: Mapping[PlayerId, view.PlayerView], now: Millis) -> tuple[News, ...]:
    """Return moves, Fantasyland, who went out and new levels, newest first, from the latest entries that count."""
    told = [
        News(entry.seq, entry.at, kind, words)
        for entry in reversed(live.log.entries[-NEWS_ENTRIES:])
        if isinstance(entry, Action) and entry.seq not in live.log.undone
        for kind, words in _told(entry, players)
    ]
    return tuple(sorted([*told, *_levels(live, now)], key=lambda news: news.at, reverse=True)[:NEWS_LINES])


def _levels(live: LiveTournament, now: Millis) -> Iterator[News]:
    """Tell of the levels and breaks that the clock came to lately, by itself or by hand."""
    reached = steps_reached(live.log, now, after=max(1, len(live.log.entries) - NEWS_ENTRIES))
    for one in reached:
        step = one.structure.steps[one.step]
        if isinstance(step, Break):
            words = f"Break, {step.minutes} min"
        else:
            words = f"Level {one.structure.level_number(one.step)}: {step.price:,} a point"
        yield News(one.seq, one.at, "level", words)


def _told(action: Action, players: Mapping[PlayerId, view.PlayerView]) -> Iterator[tuple[str, str]]:
    for event in action.events:
        match event:
            case Moved(player, to) | MovePlanned(player, to):
                yield "move", f"{players[player].name} to table {to.table}"
            case FantasylandDeclared(table, cards):
                for player, count in cards.items():
                    if count:
                        yield "fantasyland", f"{players[player].name} in Fantasyland at table {table}"
            case HandSettled():
                for player, count in event.fantasyland.items():
                    if count:
                        yield "fantasyland", f"{players[player].name} in Fantasyland at table {event.table}"
                for player, _ in event.out:
                    gone = players[player]
                    yield "out", f"{gone.place}. {gone.name}" if gone.out is not None else gone.name
            case _:
                continue


def state_message(live: LiveTournament, picture: Picture, you: Mapping[str, object], audience: Audience) -> bytes:
    """Write everything that this page may see."""
    key = (None, audience.is_director)
    if key not in picture.bodies:
        players = {
            str(number): _shown(_player(one) | {"place": picture.places[number]}, audience)
            for number, one in picture.players.items()
        }
        tables = {str(number): _shown(one.fields(), audience) for number, one in picture.tables.items()}
        body = {"event": picture.event, "players": players, "tables": tables}
        picture.bodies[key] = encode(body | {name: getattr(picture, name) for name in ("moves", "proposed", "news")})
    own = encode({"you": you, "log": picture.log_for(audience)})
    return _joined(b'{"type":"state"}', _head(live, picture), picture.bodies[key], own)


def patch_message(live: LiveTournament, before: Picture, after: Picture, audience: Audience) -> bytes:
    """Write what differs between two pictures; the same for every page of its kind, and so made once."""
    key = (before.number, audience.is_director)
    if key not in after.bodies:
        after.bodies[key] = encode(_patch(before, after, audience))
    log = after.log_for(audience)
    own = encode({"log": log} if log != before.log_for(audience) else {})
    return _joined(b'{"type":"patch"}', _head(live, after), after.bodies[key], own)


def _patch(before: Picture, after: Picture, audience: Audience) -> Fields:
    wholes = ("event", "moves", "proposed", "news")
    patch: Fields = {name: getattr(after, name) for name in wholes if getattr(after, name) != getattr(before, name)}
    players = _changed(_player_changes(before, after), before.players, after.players, audience)
    tables = _changed(_table_changes(before, after), before.tables, after.tables, audience)
    return patch | ({"players": players} if players else {}) | ({"tables": tables} if tables else {})


def _changed(
    changes: Iterator[tuple[int, Fields]],
    before: Mapping[PlayerId, object] | Mapping[TableNumber, object],
    after: Mapping[PlayerId, object] | Mapping[TableNumber, object],
    audience: Audience,
) -> dict[str, Fields | None]:
    """Return the changed fields that an audience may see by number, None for what is gone."""
    shown = ((number, _shown(fields, audience)) for number, fields in changes)
    found: dict[str, Fields | None] = {str(number): fields for number, fields in shown if fields}
    return found | {str(number): None for number in before.keys() - after.keys()}


def _shown(fields: Fields, audience: Audience) -> Fields:
    """Return the fields that an audience may see."""
    return {name: fields[name] for name in fields if audience.is_director or name not in _FOR_DIRECTORS}


def _player(one: view.PlayerView) -> Fields:
    return {name: getattr(one, name) for name in _PLAYER_FIELDS}


def _player_changes(before: Picture, after: Picture) -> Iterator[tuple[int, Fields]]:
    """Tell which fields of players changed."""
    for number, one in after.players.items():
        old = before.players.get(number)
        if old is None:
            yield number, _player(one)
        elif old != one:
            fields = {name: getattr(one, name) for name in _PLAYER_FIELDS if getattr(one, name) != getattr(old, name)}
            if old.table is not None and one.table is None:  # the place that the page made out is no more
                fields["place"] = one.place
            yield number, fields


def _table_changes(before: Picture, after: Picture) -> Iterator[tuple[int, Fields]]:
    for number, one in after.tables.items():
        old = before.tables.get(number)
        if old != one:
            known = old.fields() if old is not None else {}
            fields = one.fields()
            yield number, {name: fields[name] for name in fields if name not in known or known[name] != fields[name]}


def _head(live: LiveTournament, picture: Picture) -> bytes:
    """Write the moment and the clock, which may be later than the picture."""
    now = live.now()
    if picture.head[0] != now:
        clock = view.clock_view(picture.state, now)
        picture.head = (now, encode({"seq": picture.seq, "now": now, "clock": clock}))
    return picture.head[1]


def _joined(*parts: bytes) -> bytes:
    """Return one JSON object of the fields of several."""
    return b"{" + b",".join(part[1:-1] for part in parts if part != b"{}") + b"}"
