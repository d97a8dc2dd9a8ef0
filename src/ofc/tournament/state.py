"""A tournament as the fold of its log; every change can be undone and redone.

The state is made of parts: the settings, the clock, each player, each table. An action replaces some of them. It can
be undone as long as each part is still as the action left it, and redone as long as each is as it was before:
otherwise something was built upon it ("Played on").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError
from ofc.rules import RuleSet
from ofc.scoring import Chips, Points, Seat
from ofc.tournament.clock import (
    Position,
    clock_at,
    has_break_between,
    position,
    price_at,
    step_after_last_break,
    step_length_ms,
)
from ofc.tournament.events import (
    AbsenceMarked,
    Action,
    ButtonSet,
    ClockSet,
    FantasylandDeclared,
    FantasylandEnded,
    FantasylandLapsed,
    HandSettled,
    LogEntry,
    MoveCancelled,
    Moved,
    MovePlanned,
    Opened,
    PlayerChanged,
    PlayerId,
    Redone,
    Registered,
    SeatAt,
    Seated,
    SeatsDrawn,
    SettingsChanged,
    StackCorrected,
    Stage,
    StageReached,
    TableClosed,
    TableNumber,
    TableSet,
    TournamentEvent,
    Undone,
    Withdrawn,
)
from ofc.tournament.structure import Structure


@dataclass(frozen=True, slots=True)
class Settings:
    """What a tournament is played by, and how far it has come. `draw_seed` is None before the draw."""

    name: str
    rules: RuleSet
    structure: Structure
    seats: int
    absent_points: Points
    stage: Stage = Stage.SETUP
    draw_seed: int | None = None


@dataclass(frozen=True, slots=True)
class Out:
    """When a player went out: `order` is the log entry, `stack` what they had at that hand's start (R-CHIP-4)."""

    order: int
    stack: Chips
    table: TableNumber
    hand: int


@dataclass(frozen=True, slots=True)
class Move:
    """A move that is to come."""

    to: SeatAt
    reason: str


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player on the list: `at` a seat with a stack, or not (yet, or no longer).

    `owed` counts the cards of a Fantasyland to be played in the hand being played; `declared` those earned in it for
    the next one. `entries` counts how often the player was given a starting stack.
    """

    id: PlayerId
    name: str
    club: str
    paid: bool
    at: SeatAt | None = None
    stack: Chips = Chips(0)  # noqa: RUF009  # a whole number
    owed: int = 0
    declared: int = 0
    absent: bool = False
    entries: int = 0
    out: Out | None = None
    withdrawn: bool = False
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class TableState:
    """A table on the floor. `hand` is the number of the hand being played, `price` and `step` what it began at."""

    number: TableNumber
    code: str
    seats: tuple[PlayerId | None, ...]
    button: Seat
    price: Chips
    step: int
    hand: int = 1
    open: bool = True
    last_result_at: Millis | None = None
    hands_in_step: int = 0


Key = tuple[str, int]
Part = Settings | ClockSet | PlayerState | TableState | None
_SETTINGS: Final = ("settings", 0)
_CLOCK: Final = ("clock", 0)


@dataclass(frozen=True, slots=True)
class Change:
    """What one log entry did to one part of the state."""

    before: Part
    after: Part


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament now. `seq` is the number of its last log entry."""

    settings: Settings
    clock: ClockSet
    players: Mapping[PlayerId, PlayerState]
    tables: Mapping[TableNumber, TableState]
    seq: int = 0

    @property
    def structure(self) -> Structure:
        """The levels and breaks in force."""
        return self.settings.structure

    @property
    def open_tables(self) -> tuple[TableState, ...]:
        """The tables on the floor, in number order."""
        return tuple(table for _, table in sorted(self.tables.items()) if table.open)

    @property
    def alive(self) -> tuple[PlayerState, ...]:
        """The players with a seat, by number."""
        return tuple(player for _, player in sorted(self.players.items()) if player.at is not None)

    def player(self, player: PlayerId) -> PlayerState:
        """Return a player; `IllegalCommandError` (`player-unknown`) if there is none of this number."""
        found = self.players.get(player)
        if found is None:
            message = f"no player has the number {player}"
            raise IllegalCommandError(Fault("player-unknown", message, field="player", text=str(player)))
        return found

    def table(self, number: TableNumber) -> TableState:
        """Return an open table; `IllegalCommandError` (`table-unknown`) if there is none of this number."""
        found = self.tables.get(number)
        if found is None or not found.open:
            message = f"table {number} is not on the floor"
            raise IllegalCommandError(Fault("table-unknown", message, field="table", text=str(number)))
        return found

    def at_table(self, number: TableNumber) -> tuple[PlayerState, ...]:
        """Return who sits at a table, in seat order."""
        return tuple(self.players[player] for player in self.tables[number].seats if player is not None)

    def is_frozen(self, number: TableNumber) -> bool:
        """Whether a Fantasyland is owed or declared at the table: it keeps price, button and players (R-CHIP-5)."""
        return any(player.owed or player.declared for player in self.at_table(number))

    def position(self, now: Millis) -> Position:
        """Return where the clock stands."""
        return position(self.clock, self.structure, now)

    def price(self, table: TableState, now: Millis) -> tuple[Chips, int]:
        """Return the price of the hand being played at a table, and the step it is from.

        A hand keeps the price it began at; no hand lasts through a whole break (R-CHIP-5).
        """
        step = self.position(now).step
        if self.is_frozen(table.number) or not has_break_between(self.structure, table.step, step):
            return table.price, table.step
        begun = step_after_last_break(self.structure, step)
        return price_at(self.structure, begun), begun

    def price_on_clock(self, now: Millis) -> tuple[Chips, int]:
        """Return the price that the clock gives a hand begun now, and its step."""
        step = self.position(now).step
        return price_at(self.structure, step), step


@dataclass(slots=True)
class Log:
    """A tournament's log with the state it leads to, and what is needed to undo each of its actions.

    `append` is the only way to change it. Entries are never rewritten.
    """

    state: Tournament
    entries: list[LogEntry] = field(default_factory=list)
    changes: dict[int, dict[Key, Change]] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)

    @classmethod
    def replay(cls, entries: Iterable[LogEntry]) -> Log:
        """Return the log of these entries; `IllegalCommandError` if they do not follow from each other."""
        log: Log | None = None
        for entry in entries:
            if log is None:
                log = cls._begin(entry)
            else:
                log.append(entry)
        if log is None:
            raise IllegalCommandError(Fault("log-empty", "a log begins with a tournament being set up"))
        return log

    @classmethod
    def _begin(cls, entry: LogEntry) -> Log:
        match entry:
            case Action(seq=1, events=(Opened() as opened,)):
                settings = Settings(opened.name, opened.rules, opened.structure, opened.seats, opened.absent_points)
                length = step_length_ms(opened.structure, 0)
                clock = clock_at(0, length, running=False, now=entry.at)
                return cls(Tournament(settings, clock, {}, {}, seq=1), [entry])
            case _:
                raise IllegalCommandError(Fault("log-start", "a log begins with a tournament being set up"))

    def append(self, entry: LogEntry) -> None:
        """Add an entry and change the state accordingly; `IllegalCommandError` refuses it and changes nothing."""
        if entry.seq != self.state.seq + 1:
            message = f"entry {entry.seq} cannot follow entry {self.state.seq}"
            raise IllegalCommandError(Fault("log-gap", message, field="seq", text=str(entry.seq)))
        match entry:
            case Action():
                after = apply_all(self.state, entry)
                self.changes[entry.seq] = _changes(self.state, after)
            case Undone(action=action):
                self.check_undo(action)
                after = _with_parts(self.state, {key: part.before for key, part in self.changes[action].items()})
                self.undone.add(action)
            case Redone(action=action):
                self.check_redo(action)
                after = _with_parts(self.state, {key: part.after for key, part in self.changes[action].items()})
                self.undone.discard(action)
            case _:
                assert_never(entry)
        self.state = replace(after, seq=entry.seq)
        self.entries.append(entry)

    def check_undo(self, action: int) -> None:
        """Refuse (`IllegalCommandError`) an undo of what does not count, or was built upon (`played-on`)."""
        if action not in self.changes or action in self.undone:
            message = f"entry {action} is not an action that counts now"
            raise IllegalCommandError(Fault("undo-unknown", message, field="action", text=str(action)))
        if any(_part(self.state, key) != change.after for key, change in self.changes[action].items()):
            message = "something was played on it since; undo that first"
            raise IllegalCommandError(Fault("played-on", message, field="action", text=str(action)))

    def check_redo(self, action: int) -> None:
        """Refuse (`IllegalCommandError`) a redo of what was not undone, or no longer fits (`played-on`)."""
        if action not in self.undone:
            message = f"entry {action} was not taken back"
            raise IllegalCommandError(Fault("redo-unknown", message, field="action", text=str(action)))
        if any(_part(self.state, key) != change.before for key, change in self.changes[action].items()):
            message = "something was done since that does not go with it"
            raise IllegalCommandError(Fault("played-on", message, field="action", text=str(action)))

    def can_undo(self, action: int) -> bool:
        """Whether the action counts and nothing was built upon it."""
        if action not in self.changes or action in self.undone:
            return False
        return all(_part(self.state, key) == change.after for key, change in self.changes[action].items())


def apply_all(state: Tournament, action: Action) -> Tournament:
    """Return the state after an action's events."""
    for event in action.events:
        state = apply(state, event, action)
    return state


def apply(state: Tournament, event: TournamentEvent, action: Action) -> Tournament:
    """Return the state after one event of an action that `ofc.tournament.commands` decided."""
    match event:
        case SettingsChanged(name, structure, absent_points):
            settings = replace(state.settings, name=name, structure=structure, absent_points=absent_points)
            return replace(state, settings=settings)
        case StageReached(stage):
            return replace(state, settings=replace(state.settings, stage=stage))
        case SeatsDrawn(seed):
            return replace(state, settings=replace(state.settings, draw_seed=seed))
        case ClockSet():
            tables = {number: replace(table, hands_in_step=0) for number, table in state.tables.items()}
            return replace(state, clock=event, tables=tables if event.step != state.clock.step else state.tables)
        case Registered(player, name, club, paid):
            return _with_player(state, PlayerState(player, name, club, paid))
        case TableSet(number, code, button):
            price, step = state.price_on_clock(action.at)
            return _with_table(state, TableState(number, code, (None,) * state.settings.seats, button, price, step))
        case TableClosed(number):
            return _with_table(state, replace(state.table(number), open=False))
        case ButtonSet(number, button):
            return _with_table(state, replace(state.table(number), button=button))
        case FantasylandEnded(number, button, price, step):
            state = _with_table(state, replace(state.table(number), button=button, price=price, step=step))
            for seated in state.at_table(number):
                state = _with_player(state, replace(seated, owed=0, declared=0))
            return state
        case FantasylandDeclared(_, cards):
            for player_id, count in cards.items():
                state = _with_player(state, replace(state.player(player_id), declared=count))
            return state
        case HandSettled():
            return _apply_hand(state, event, action)
        case Opened():
            raise IllegalCommandError(Fault("log-start", "a tournament is set up once"))
        case _:
            return _with_player(state, _changed_player(state.player(event.player), event))


_PlayerEvent = (
    PlayerChanged
    | Withdrawn
    | Seated
    | MovePlanned
    | MoveCancelled
    | Moved
    | FantasylandLapsed
    | AbsenceMarked
    | StackCorrected
)


def _changed_player(player: PlayerState, event: _PlayerEvent) -> PlayerState:
    match event:
        case PlayerChanged(_, name, club, paid):
            return replace(player, name=name, club=club, paid=paid)
        case Withdrawn():
            return replace(player, withdrawn=True)
        case Seated(_, to, stack):
            return replace(player, at=to, stack=stack, entries=player.entries + 1, out=None, withdrawn=False)
        case MovePlanned(_, to, reason):
            return replace(player, move=Move(to, reason))
        case MoveCancelled():
            return replace(player, move=None)
        case Moved(_, to):
            return replace(player, at=to, move=None)
        case FantasylandLapsed():
            return replace(player, owed=0, declared=0)
        case AbsenceMarked(_, absent):
            return replace(player, absent=absent)
        case StackCorrected(_, stack, _):
            return replace(player, stack=stack)


def _apply_hand(state: Tournament, event: HandSettled, action: Action) -> Tournament:
    out = dict(event.out)
    for player_id, stack in event.stacks.items():
        player = replace(state.player(player_id), stack=stack, owed=event.fantasyland.get(player_id, 0), declared=0)
        if player_id in out:
            gone = Out(action.seq, out[player_id], event.table, event.hand)
            player = replace(player, at=None, owed=0, out=gone, move=None, absent=False)
        state = _with_player(state, player)
    table = state.table(event.table)
    after = replace(
        table,
        hand=event.hand + 1,
        button=event.button_next,
        price=event.price_next,
        step=event.step_next,
        last_result_at=action.at,
        hands_in_step=table.hands_in_step + 1,
    )
    return _with_table(state, after)


def _with_player(state: Tournament, player: PlayerState) -> Tournament:
    """Return the state with a player as given; tables' seats follow from where players sit."""
    known = state.players.get(player.id)
    before = known.at if known is not None else None
    tables = state.tables
    if before != player.at:
        tables = dict(tables)
        if before is not None:
            tables[before.table] = _with_seat(tables[before.table], before.seat, None)
        if player.at is not None:
            tables[player.at.table] = _with_seat(tables[player.at.table], player.at.seat, player.id)
    return replace(state, players={**state.players, player.id: player}, tables=tables)


def _with_seat(table: TableState, seat: Seat, player: PlayerId | None) -> TableState:
    return replace(table, seats=(*table.seats[:seat], player, *table.seats[seat + 1 :]))


def _with_table(state: Tournament, table: TableState) -> Tournament:
    return replace(state, tables={**state.tables, table.number: table})


def _part(state: Tournament, key: Key) -> Part:
    kind, number = key
    if kind == "player":
        return state.players.get(PlayerId(number))
    if kind == "table":
        return state.tables.get(TableNumber(number))
    return state.settings if key == _SETTINGS else state.clock


def _changes(before: Tournament, after: Tournament) -> dict[Key, Change]:
    keys: list[Key] = [_SETTINGS, _CLOCK]
    keys += [("player", number) for number, player in after.players.items() if player is not before.players.get(number)]
    keys += [("table", number) for number, table in after.tables.items() if table is not before.tables.get(number)]
    found = {key: Change(_part(before, key), _part(after, key)) for key in keys}
    return {key: change for key, change in found.items() if change.before != change.after}


def _with_parts(state: Tournament, parts: Mapping[Key, Part]) -> Tournament:
    players, tables = dict(state.players), dict(state.tables)
    settings, clock = state.settings, state.clock
    for (kind, number), part in parts.items():
        match part:
            case Settings():
                settings = part
            case ClockSet():
                clock = part
            case PlayerState():
                players[part.id] = part
            case TableState():
                tables[part.number] = part
            case None if kind == "player":
                del players[PlayerId(number)]
            case None:
                del tables[TableNumber(number)]
    return replace(state, settings=settings, clock=clock, players=players, tables=tables)
