"""A tournament as its pages see it (docs/event-protocol.md): parts that are sent whole, or only where they changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from ofc.board import ROWS, Row
from ofc.cards import format_cards
from ofc.clock import Millis
from ofc.scoring import CappedBy, Chips, Points, Seat
from ofc.tournament.clock import price_at
from ofc.tournament.events import (
    Action,
    HandSettled,
    LogEntry,
    PlayerId,
    SeatAt,
    Stage,
    TableNumber,
    Undone,
)
from ofc.tournament.history import Log
from ofc.tournament.pacing import price_ahead
from ofc.tournament.seating import ProposedMove, propose_moves
from ofc.tournament.settling import button_after
from ofc.tournament.standings import Standing, standings
from ofc.tournament.state import PlayerState, TableState, Tournament
from ofc.tournament.structure import MINUTE_MS, Break, Level, Structure

SHORT_POINTS = 15
"""A stack of no more points than this, at its table's price, is called short."""


@dataclass(frozen=True, slots=True)
class ClockView:
    """The clock: `ends_at` and `next_break_at` are moments while it runs; `next_break_ms` is how long until a break."""

    running: bool
    step: int
    level: int
    is_break: bool
    price: Chips
    price_next: Chips | None
    left_ms: int | None
    ends_at: Millis | None
    next_break_at: Millis | None
    next_break_ms: int | None


@dataclass(frozen=True, slots=True)
class OutView:
    """A place that is final, or would be if the tournament ended now; `shared` counts who has it."""

    place: int
    shared: int
    table: TableNumber
    hand: int


class PlayerView(msgspec.Struct, frozen=True):
    """A player; `points` are the stack at the table's price, rounded down. `is_new`: not needed for the hand played.

    A struct, not a dataclass: nine hundred are made for each change, in a tenth of the time.
    """

    id: PlayerId
    name: str
    club: str
    paid: bool
    table: TableNumber | None
    seat: Seat | None
    stack: Chips
    points: int
    fantasyland: int
    declared: int
    absent: bool
    entries: int
    withdrawn: bool
    is_new: bool
    out: OutView | None
    place: int | None
    prize: int | None


@dataclass(frozen=True, slots=True)
class PaymentView:
    """Chips paid; `due` is what they would have been but for the cap."""

    loser: PlayerId
    winner: PlayerId
    points: Points
    chips: Chips
    due: Chips
    capped_by: CappedBy | None


@dataclass(frozen=True, slots=True)
class PlayerOut:
    """A player who went out in a hand, and the place that is theirs."""

    player: PlayerId
    place: int


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand's result, or what it would be.

    `approximate`: it was settled from totals, and other pairs that make the same totals would come to other stacks.
    `boards` are those it was settled by, if it was.
    """

    table: TableNumber
    hand: int
    price: Chips
    source: str
    points: Mapping[PlayerId, Points]
    boards: Mapping[PlayerId, Mapping[Row, str]]
    payments: tuple[PaymentView, ...]
    before: Mapping[PlayerId, Chips]
    after: Mapping[PlayerId, Chips]
    fantasyland: Mapping[PlayerId, int]
    out: tuple[PlayerOut, ...]
    button_next: Seat
    price_next: Chips
    held_next: bool
    approximate: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """A table on the floor. `held`: Fantasyland keeps its price and button. `short` are players with few points.

    `can_end`: its Fantasyland may be ended by hand now, none of its hands being under way.
    """

    number: TableNumber
    hand: int
    button: Seat
    seats: tuple[PlayerId | None, ...]
    price: Chips
    held: bool
    can_end: bool
    price_clock: Chips
    button_after: Seat
    last_result_at: Millis | None
    short: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class MoveView:
    """A move to come; `waits_for` is a table in Fantasyland."""

    player: PlayerId
    to: SeatAt
    reason: str
    waits_for: TableNumber | None


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log in words. `undone`: it does not count now. `undoes` is the action that it took back."""

    seq: int
    at: Millis
    by: str
    words: str
    table: TableNumber | None
    undone: bool
    can_undo: bool
    can_redo: bool
    undoes: int | None


def clock_view(state: Tournament, now: Millis) -> ClockView:
    """Return the clock as it stands at `now`."""
    structure = state.structure
    here = state.position(now)
    price = price_at(structure, here.step)
    is_break = isinstance(structure.steps[here.step], Break)
    following = [step for step in structure.steps[here.step + 1 :] if isinstance(step, Level)]
    if is_break:
        following = following[1:]
    running = state.clock.running
    until_break = _until_break(structure, here.step, here.left_ms)
    return ClockView(
        running=running,
        step=here.step,
        level=structure.level_number(here.step),
        is_break=is_break,
        price=price,
        price_next=following[0].price if following else None,
        left_ms=here.left_ms,
        ends_at=Millis(now + here.left_ms) if running and here.left_ms is not None else None,
        next_break_at=Millis(now + until_break) if running and until_break is not None else None,
        next_break_ms=until_break,
    )


def _until_break(structure: Structure, step: int, left_ms: int | None) -> int | None:
    """Return how long until the next break begins, None if none comes or a level before it has no end in time."""
    until = left_ms
    for item in structure.steps[step + 1 :]:
        if until is None or isinstance(item, Break):
            return until
        until = until + item.minutes * MINUTE_MS if item.minutes is not None else None
    return None


def players_view(state: Tournament, now: Millis) -> dict[PlayerId, PlayerView]:
    """Return every player."""
    places = {standing.player: standing for standing in standings(state)}
    shared: dict[int, int] = {}
    for standing in places.values():
        shared[standing.place] = shared.get(standing.place, 0) + 1
    prices = {table.number: price_ahead(state, table, now) for table in state.open_tables}
    return {
        number: _player_view(player, places.get(number), shared, prices) for number, player in state.players.items()
    }


def _player_view(
    player: PlayerState, standing: Standing | None, shared: Mapping[int, int], prices: Mapping[TableNumber, Chips]
) -> PlayerView:
    out = None
    if player.out is not None and player.at is None and standing is not None:
        out = OutView(standing.place, shared[standing.place], player.out.table, player.out.hand)
    return PlayerView(
        id=player.id,
        name=player.name,
        club=player.club,
        paid=player.paid,
        table=player.at.table if player.at is not None else None,
        seat=player.at.seat if player.at is not None else None,
        stack=player.stack,
        points=player.stack // prices[player.at.table] if player.at is not None else 0,
        fantasyland=player.owed,
        declared=player.declared,
        absent=player.absent,
        entries=player.entries,
        withdrawn=player.withdrawn,
        is_new=player.is_new,
        out=out,
        place=standing.place if standing is not None else None,
        prize=standing.prize if standing is not None else None,
    )


def table_view(state: Tournament, table: TableState, now: Millis) -> TableView:
    """Return one table."""
    price = price_ahead(state, table, now)
    players = state.at_table(table.number)
    is_frozen = state.is_frozen(table.number)
    return TableView(
        number=table.number,
        hand=table.hand,
        button=table.button,
        seats=table.seats,
        price=price,
        held=is_frozen,
        can_end=is_frozen and state.settings.stage is Stage.RUNNING and not state.is_hand_owed(table.number),
        price_clock=state.price_on_clock(now)[0],
        button_after=button_after(state, table, earned=False, gone=set()),
        last_result_at=table.last_result_at,
        short=tuple(player.id for player in players if player.stack <= SHORT_POINTS * price),
    )


def moves_view(state: Tournament) -> tuple[MoveView, ...]:
    """Return the moves to come."""
    found = []
    for player in state.alive:
        if player.move is not None and player.at is not None:
            frozen = [n for n in (player.at.table, player.move.to.table) if n in state.tables and state.is_frozen(n)]
            waits_for = frozen[0] if frozen else None
            found.append(MoveView(player.id, player.move.to, player.move.reason, waits_for))
    return tuple(found)


def proposed_view(state: Tournament) -> tuple[ProposedMove, ...]:
    """Return the moves that would keep the tables even, none while nothing is played."""
    return propose_moves(state) if state.settings.stage is Stage.RUNNING else ()


def places_after(state: Tournament, settled: HandSettled) -> dict[PlayerId, int]:
    """Return the places of those who would be out after a hand that is entered now."""
    left = len(state.alive) - len(settled.out)
    places: dict[PlayerId, int] = {}
    for number, (player, stack) in enumerate(settled.out):
        tied = [other for other, had in settled.out[:number] if had == stack]
        places[player] = places[tied[0]] if tied else left + number + 1
    return places


def hand_view(settled: HandSettled, *, places: Mapping[PlayerId, int], approximate: bool = False) -> HandView:
    """Return a hand's result; `places` are those of the players who went out in it."""
    before = dict(settled.stacks)
    for paid in settled.payments:
        before[paid.winner] = Chips(before[paid.winner] - paid.chips)
        before[paid.loser] = Chips(before[paid.loser] + paid.chips)
    return HandView(
        table=settled.table,
        hand=settled.hand,
        price=settled.price,
        source=settled.source,
        points=settled.points,
        boards={
            player: {row: format_cards(board.row(row)) for row in ROWS} for player, board in settled.boards.items()
        },
        payments=tuple(
            PaymentView(
                paid.loser, paid.winner, paid.points, paid.chips, Chips(paid.points * settled.price), paid.capped_by
            )
            for paid in settled.payments
        ),
        before=before,
        after=settled.stacks,
        fantasyland=settled.fantasyland,
        out=tuple(PlayerOut(player, places[player]) for player, _ in settled.out),
        button_next=settled.button_next,
        price_next=settled.price_next,
        held_next=any(settled.fantasyland.values()),
        approximate=approximate,
    )


def table_of(action: Action) -> TableNumber | None:
    """Return the table that an action was done at, None if it was not at one table."""
    tables = {event.table for event in action.events if hasattr(event, "table")}
    return tables.pop() if len(tables) == 1 else None


def log_lines(log: Log, *, most: int, before: int | None = None) -> tuple[LogLine, ...]:
    """Return log entries in words, newest first, at most so many, those before entry `before` where it is given."""
    end = len(log.entries) if before is None else max(0, min(before - 1, len(log.entries)))
    return tuple(log_line(log, entry) for entry in reversed(log.entries[max(0, end - most) : end]))


def log_line(log: Log, entry: LogEntry) -> LogLine:
    """Return one entry of the log in words."""
    undoes, action, what = None, entry, ""
    if not isinstance(action, Action):
        undoes, what = action.action, "Undone: " if isinstance(action, Undone) else "Redone: "
        action = log.entries[undoes - 1]
    assert isinstance(action, Action)  # noqa: S101  # nothing else is undone
    return LogLine(
        entry.seq,
        entry.at,
        entry.by,
        what + action.words,
        table_of(action),
        undone=entry.seq in log.undone,
        can_undo=undoes is None and log.can_undo(entry.seq),
        can_redo=log.can_redo(entry.seq),
        undoes=undoes,
    )
