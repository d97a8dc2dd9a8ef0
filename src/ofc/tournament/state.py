"""A tournament at one moment: the settings, the clock, each player, each table, the prizes. All of it immutable.

Players and tables are structs, not dataclasses: every hand changes several, and they are copied ten times as fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError
from ofc.rules import RuleSet
from ofc.scoring import Chips, Points, Seat
from ofc.tournament.clock import Position, is_break, last_break, level_step, position, price_at
from ofc.tournament.events import ClockSet, DealMade, PlayerId, PrizesSet, SeatAt, Stage, TableNumber
from ofc.tournament.structure import Level, Structure


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
    """When a player went out: `order` is the log entry, `stack` what they had at that hand's start (R-CHIP-4).

    Outs of one round of hand-for-hand are of one order: that in which the round began. `hand` is 0 for a player who
    was removed.
    """

    order: int
    stack: Chips
    table: TableNumber
    hand: int


@dataclass(frozen=True, slots=True)
class Move:
    """A move that is to come."""

    to: SeatAt
    reason: str


class PlayerState(msgspec.Struct, frozen=True, gc=False):
    """A player on the list: `at` a seat with a stack, or not (yet, or no longer).

    `owed` counts the cards of a Fantasyland to be played in the hand being played; `declared` those earned in it for
    the next one. `is_new`: sat down where a hand may be under way, and may be left out of its result. `entries`
    counts how often the player was given a starting stack.
    """

    id: PlayerId
    name: str
    club: str
    paid: bool
    at: SeatAt | None = None
    stack: Chips = Chips(0)
    owed: int = 0
    declared: int = 0
    absent: bool = False
    is_new: bool = False
    entries: int = 0
    out: Out | None = None
    withdrawn: bool = False
    move: Move | None = None


class TableState(msgspec.Struct, frozen=True, gc=False):
    """A table on the floor. `hand` is the number of the hand being played, `price` and `step` what it began at.

    `hands_in_step` counts the hands played at that step's level before it; `round` is the last one of hand-for-hand
    that the table has finished. `after_break`: the price was set in a break, and the hand begins when that is over.
    """

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
    round: int = 0
    after_break: bool = False


class MoveAhead(NamedTuple):
    """A player who is to move: who, from which table, and where to."""

    player: PlayerId
    source: TableNumber
    to: SeatAt


@dataclass(frozen=True, slots=True)
class HandForHand:
    """Every table plays one hand and waits: the number of the round, from 1, and the log entry that it began in."""

    round: int
    since: int


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament now. `seq` is the number of its last log entry."""

    settings: Settings
    clock: ClockSet
    players: Mapping[PlayerId, PlayerState]
    tables: Mapping[TableNumber, TableState]
    seq: int = 0
    hand_for_hand: HandForHand | None = None
    prizes: PrizesSet | None = None
    deal: DealMade | None = None

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

    @property
    def moves_ahead(self) -> tuple[MoveAhead, ...]:
        """The moves that are to come, by the player's number."""
        ahead = [
            MoveAhead(player.id, player.at.table, player.move.to)
            for player in self.players.values()
            if player.at is not None and player.move is not None
        ]
        return tuple(sorted(ahead))

    @property
    def entries(self) -> int:
        """How many starting stacks were given out, those of re-entries included; before the draw, how many will be."""
        if self.settings.stage is Stage.SETUP:
            return self.entrants
        return sum(player.entries for player in self.players.values())

    @property
    def entrants(self) -> int:
        """How many players were ever seated; before the draw, how many will be."""
        if self.settings.stage is Stage.SETUP:
            return sum(not player.withdrawn for player in self.players.values())
        return sum(player.entries > 0 for player in self.players.values())

    def name_of(self, player: PlayerId) -> str:
        """Return a player's name, or the number in words of one who is not in this tournament."""
        known = self.players.get(player)
        return f"player {player}" if known is None else known.name

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
        return tuple([self.players[player] for player in self.tables[number].seats if player is not None])

    def is_frozen(self, number: TableNumber) -> bool:
        """Whether a Fantasyland is owed or declared at the table: it keeps price, button and players (R-CHIP-5).

        A player without an opponent keeps no table: their Fantasyland lapses or is carried to the next (R-CHIP-6).
        """
        here = self.at_table(number)
        return len(here) > 1 and any(player.owed or player.declared for player in here)

    def is_hand_owed(self, number: TableNumber) -> bool:
        """Whether the hand being played at the table is somebody's Fantasyland: its result alone ends that."""
        return any(player.owed for player in self.at_table(number))

    def playing_tables(self) -> Iterable[TableState]:
        """The tables with an opponent to play against, in no order."""
        return (
            table
            for table in self.tables.values()
            if table.open and len(table.seats) - table.seats.count(None) > 1  # one alone does not play
        )

    def tables_without_level(self, structure: Structure) -> tuple[TableNumber, ...]:
        """Return the open tables whose price is of a step that is no level of this structure."""
        steps = structure.steps
        return tuple(
            table.number
            for table in self.open_tables
            if table.step >= len(steps) or not isinstance(steps[table.step], Level)
        )

    def position(self, now: Millis) -> Position:
        """Return where the clock stands."""
        return position(self.clock, self.structure, now)

    def is_between_hands(self, table: TableState, now: Millis) -> bool:
        """Whether the clock is in a break in which the table ended a hand: its next one begins when that is over.

        A table in Fantasyland keeps its price all the same.
        """
        here = self.position(now).step
        return table.after_break and is_break(self.structure, here) and table.step == level_step(self.structure, here)

    def price(self, table: TableState, now: Millis) -> tuple[Chips, int]:
        """Return the price of the hand being played at a table, and the step of its level.

        A hand keeps the price it began at (R-CHIP-5). No hand lasts through a whole break, unless the break was
        skipped: one begun before a break that is over was in truth begun after it.
        """
        step = self.position(now).step
        passed = last_break(self.structure, max(table.step, self.clock.step - 1), step)
        if passed is None or self.is_frozen(table.number):
            return table.price, table.step
        begun = level_step(self.structure, passed)
        return price_at(self.structure, begun), begun

    def price_on_clock(self, now: Millis) -> tuple[Chips, int]:
        """Return the price that the clock gives a hand begun now, and the step of its level."""
        step = level_step(self.structure, self.position(now).step)
        return price_at(self.structure, step), step
