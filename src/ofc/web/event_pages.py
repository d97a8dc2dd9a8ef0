"""What each kind of page is sent of a tournament: everything once, then only what changed.

A tournament has few secrets: tables' codes, who has paid, and the log are for directors; the rest is on the big
screen. A picture is made once for each change, and its messages once for all pages that may see the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from weakref import WeakKeyDictionary

from ofc.clock import Millis
from ofc.service.tournaments import LiveTournament
from ofc.tournament import view
from ofc.tournament.events import Action, FantasylandDeclared, HandSettled, Moved, MovePlanned, PlayerId, TableNumber
from ofc.web.protocol import encode

LOG_LINES: Final = 50
NEWS_ENTRIES: Final = 40
NEWS_LINES: Final = 20


@dataclass(frozen=True, slots=True)
class News:
    """Something for the big screen, in words."""

    seq: int
    at: Millis
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class TableOnPage:
    """A table with its last result. `undo` is the action that entered it, if it can be undone."""

    table: view.TableView
    last_hand: view.HandView | None
    undo: int | None
    code: str

    def fields(self, *, with_code: bool) -> dict[str, object]:
        """Return the protocol's Table."""
        plain: dict[str, object] = {name: getattr(self.table, name) for name in view.TableView.__dataclass_fields__}
        plain |= {"last_hand": self.last_hand, "undo": self.undo}
        return plain | {"code": self.code} if with_code else plain


@dataclass(slots=True, eq=False, weakref_slot=True)
class Picture:
    """A tournament at one entry of its log and one step of its clock, as pages see it."""

    seq: int
    event: Mapping[str, object]
    clock: view.ClockView
    players: Mapping[PlayerId, view.PlayerView]
    tables: Mapping[TableNumber, TableOnPage]
    moves: tuple[view.MoveView, ...]
    proposed: tuple[object, ...]
    news: tuple[News, ...]
    log: tuple[view.LogLine, ...]
    number: int = field(default_factory=itertools.count().__next__)
    patches: dict[tuple[int, bool], bytes] = field(default_factory=dict)


_PICTURES: WeakKeyDictionary[LiveTournament, tuple[tuple[int, int], Picture]] = WeakKeyDictionary()


def picture_of(live: LiveTournament) -> Picture:
    """Return the tournament's picture now, made anew only when its log or its clock's step has changed."""
    now = live.now()
    key = (live.state.seq, live.state.position(now).step)
    known = _PICTURES.get(live)
    if known is not None and known[0] == key:
        return known[1]
    picture = _make_picture(live, now)
    _PICTURES[live] = (key, picture)
    return picture


def _make_picture(live: LiveTournament, now: Millis) -> Picture:
    state = live.state
    players = view.players_view(state, now)
    tables = {
        table.number: _table_on_page(live, view.table_view(state, table, now), table.code, players)
        for table in state.open_tables
    }
    event = view.event_view(state, now)
    plain = {name: getattr(event, name) for name in view.EventView.__dataclass_fields__}
    return Picture(
        seq=state.seq,
        event={"id": live.stored.id, **plain},
        clock=view.clock_view(state, now),
        players=players,
        tables=tables,
        moves=view.moves_view(state),
        proposed=view.proposed_view(state),
        news=tuple(_news(live, players)),
        log=view.log_lines(live.log, most=LOG_LINES),
    )


def _table_on_page(
    live: LiveTournament, table: view.TableView, code: str, players: Mapping[PlayerId, view.PlayerView]
) -> TableOnPage:
    action = live.last_hand(table.number)
    if action is None:
        return TableOnPage(table, None, None, code)
    settled = next(event for event in action.events if isinstance(event, HandSettled) and event.table == table.number)
    hand = view.hand_view(settled, places={number: one.place or 0 for number, one in players.items()})
    return TableOnPage(table, hand, action.seq if live.log.can_undo(action.seq) else None, code)


def _news(live: LiveTournament, players: Mapping[PlayerId, view.PlayerView]) -> Iterator[News]:
    """Tell of moves, Fantasyland and those who went out, newest first, from the latest entries that count."""
    told = 0
    for entry in reversed(live.log.entries[-NEWS_ENTRIES:]):
        if not isinstance(entry, Action) or entry.seq in live.log.undone:
            continue
        for kind, words in _told(entry, players):
            yield News(entry.seq, entry.at, kind, words)
            told += 1
            if told == NEWS_LINES:
                return


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
                    yield "out", f"{players[player].place}. {players[player].name}"
            case _:
                continue


def state_message(live: LiveTournament, picture: Picture, you: Mapping[str, object], *, is_director: bool) -> bytes:
    """Write everything that this kind of page may see."""
    message = {
        "type": "state",
        "seq": picture.seq,
        "now": live.now(),
        "you": you,
        "event": picture.event,
        "clock": _clock_now(live, picture),
        "players": {str(number): _player(one, is_director=is_director) for number, one in picture.players.items()},
        "tables": {str(number): one.fields(with_code=is_director) for number, one in picture.tables.items()},
        "moves": picture.moves,
        "proposed": picture.proposed,
        "news": picture.news,
        "log": picture.log if is_director else [],
    }
    return encode(message)


def patch_message(live: LiveTournament, before: Picture, after: Picture, *, is_director: bool) -> bytes:
    """Write what differs between two pictures; the same for every page of its kind, and so made once."""
    key = (before.number, is_director)
    if key not in after.patches:
        after.patches[key] = encode(_patch(live, before, after, is_director=is_director))
    return after.patches[key]


def _patch(live: LiveTournament, before: Picture, after: Picture, *, is_director: bool) -> dict[str, object]:
    patch: dict[str, object] = {"type": "patch", "seq": after.seq, "now": live.now(), "clock": _clock_now(live, after)}
    players: dict[str, view.PlayerView | None] = {
        str(number): _player(one, is_director=is_director)
        for number, one in after.players.items()
        if one != before.players.get(number)
    }
    players.update({str(number): None for number in before.players.keys() - after.players.keys()})
    tables: dict[str, object] = {
        str(number): one.fields(with_code=is_director)
        for number, one in after.tables.items()
        if one != before.tables.get(number)
    }
    tables |= {str(number): None for number in before.tables.keys() - after.tables.keys()}
    wholes = ["event", "moves", "proposed", "news", *(["log"] if is_director else [])]
    patch |= {name: getattr(after, name) for name in wholes if getattr(after, name) != getattr(before, name)}
    if players:
        patch["players"] = players
    if tables:
        patch["tables"] = tables
    return patch


def _player(one: view.PlayerView, *, is_director: bool) -> view.PlayerView:
    return one if is_director else replace(one, paid=False)


def _clock_now(live: LiveTournament, picture: Picture) -> view.ClockView:
    """Return the clock at this moment: its picture may be older."""
    return view.clock_view(live.state, live.now()) if live.state.seq == picture.seq else picture.clock
