"""A tournament in a test: commands given and done in one call, with the time going on by itself."""

from __future__ import annotations

from collections.abc import Mapping

from ofc.board import Board
from ofc.clock import Millis
from ofc.rules import RuleSet
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Points, Seat
from ofc.tournament.commands import (
    Command,
    DrawSeats,
    NewPlayer,
    Open,
    Redo,
    Register,
    SetButton,
    StartClock,
    Told,
    Undo,
)
from ofc.tournament.deciding import decide, open_tournament
from ofc.tournament.events import LogEntry, PlayerId, SeatAt, TableNumber
from ofc.tournament.history import Log
from ofc.tournament.settling import EnterBoards, EnterPoints
from ofc.tournament.state import PlayerState, TableState, Tournament
from ofc.tournament.structure import MINUTE_MS, Level, Step, Structure

TOURNAMENT = get_rules("tournament")


def levels(*prices: int, minutes: int = 20) -> tuple[Step, ...]:
    """Levels of so many minutes at these prices."""
    return tuple(Level(Chips(price), minutes=minutes) for price in prices)


class Director:
    """One tournament and what is done to it. Players are called A, B, C … and have the numbers 1, 2, 3 …"""

    def __init__(
        self,
        *steps: Step,
        stack: int = 10_000,
        rules: RuleSet = TOURNAMENT,
        seats: int = 3,
        late_until: int = 0,
        reentries: int = 0,
    ) -> None:
        structure = Structure(Chips(stack), steps or levels(100, 200, 300), late_until, reentries)
        self.now = 0
        self.log = Log.replay([open_tournament(Open("Cup", rules, structure, seats=seats), self.told)])

    @property
    def told(self) -> Told:
        return Told("director", Millis(self.now))

    @property
    def state(self) -> Tournament:
        return self.log.state

    def do(self, command: Command | Undo | Redo) -> LogEntry:
        """Give a command and have it done."""
        entry = decide(self.log, command, self.told)
        self.log.append(entry)
        return entry

    def wait(self, minutes: float) -> None:
        """Let time go by."""
        self.now += round(minutes * MINUTE_MS)

    def register(self, count: int) -> None:
        """Put A, B, C … on the list."""
        first = len(self.state.players)
        self.do(Register(tuple(NewPlayer(chr(ord("A") + first + n)) for n in range(count))))

    def begin(self, count: int) -> None:
        """Draw the seats of so many players and start the clock; the button is in seat 0 of every table."""
        self.register(count)
        self.do(DrawSeats(1, tuple(f"code-{number}" for number in range(1, 10))))
        self.do(StartClock())
        for table in self.state.open_tables:
            self.do(SetButton(table.number, Seat(0)))

    def sitting(self, table: int = 1) -> list[int]:
        """Who sits at a table, by seat."""
        return [int(player.id) for player in self.state.at_table(TableNumber(table))]

    def player(self, number: int) -> PlayerState:
        return self.state.player(PlayerId(number))

    def table(self, number: int = 1) -> TableState:
        return self.state.table(TableNumber(number))

    def stacks(self) -> dict[int, int]:
        """The stacks of those who play."""
        return {player.id: player.stack for player in self.state.alive}

    def points(
        self, points: Mapping[int, int], fantasyland: Mapping[int, int] | None = None, *, table: int = 1
    ) -> LogEntry:
        """Enter the hand being played, by points."""
        return self.do(self.hand(points, fantasyland, table=table))

    def hand(
        self, points: Mapping[int, int], fantasyland: Mapping[int, int] | None = None, *, table: int = 1
    ) -> EnterPoints:
        """The command that enters the hand being played."""
        return EnterPoints(
            TableNumber(table),
            self.table(table).hand,
            {PlayerId(player): Points(number) for player, number in points.items()},
            {PlayerId(player): cards for player, cards in (fantasyland or {}).items()},
        )

    def boards(self, boards: Mapping[int, str], *, table: int = 1) -> LogEntry:
        """Enter the hand being played, by boards."""
        parsed = {PlayerId(player): Board.parse(text) for player, text in boards.items()}
        return self.do(EnterBoards(TableNumber(table), self.table(table).hand, parsed))


def at(table: int, seat: int) -> SeatAt:
    """A seat of the floor."""
    return SeatAt(TableNumber(table), Seat(seat))
