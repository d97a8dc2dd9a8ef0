"""Who sits where: the draw, and who has to move so that tables stay even, in words.

Nobody moves out of a table in Fantasyland, nor into one: such a move waits.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ofc.scoring import Seat
from ofc.tournament.events import PlayerId, SeatAt, TableNumber
from ofc.tournament.state import PlayerState, TableState, Tournament


@dataclass(frozen=True, slots=True)
class ProposedMove:
    """A move that would keep the tables even, and why. `waits_for` is a table in Fantasyland, None if none."""

    player: PlayerId
    name: str
    to: SeatAt
    reason: str
    waits_for: TableNumber | None


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """A table of the draw: its players by seat, None for an empty one, and the button."""

    number: TableNumber
    seats: tuple[PlayerId | None, ...]
    button: Seat


def table_sizes(players: int, seats: int) -> tuple[int, ...]:
    """Return how many players sit at each table: as few tables as hold them, as even as possible.

    >>> table_sizes(7, 3), table_sizes(4, 3), table_sizes(2, 3)
    ((3, 2, 2), (2, 2), (2,))
    """
    if players == 0:
        return ()
    tables = -(-players // seats)
    small, larger = divmod(players, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)


def draw(players: Sequence[PlayerId], seats: int, seed: int, *, name: str = "seats") -> tuple[DrawnTable, ...]:
    """Draw seats and buttons at random, the same for the same seed and name of the draw."""
    generator = random.Random(f"{name}:{seed}")
    order = generator.sample(list(players), len(players))
    drawn: list[DrawnTable] = []
    for number, size in enumerate(table_sizes(len(players), seats), start=1):
        seated, order = order[:size], order[size:]
        filled = (*seated, *[None] * (seats - size))
        drawn.append(DrawnTable(TableNumber(number), filled, Seat(generator.randrange(size))))
    return tuple(drawn)


def free_seats(table: TableState, taken: Sequence[SeatAt] = ()) -> list[Seat]:
    """Return a table's free seats, those that moves to come will take left out."""
    promised = {place.seat for place in taken if place.table == table.number}
    return [Seat(n) for n, player in enumerate(table.seats) if player is None and n not in promised]


def next_seat(table: TableState, after: Seat) -> Seat:
    """Return the next taken seat clockwise after a seat; the seat itself if it is the only one taken, or none is."""
    for step in range(1, len(table.seats) + 1):
        seat = Seat((after + step) % len(table.seats))
        if table.seats[seat] is not None:
            return seat
    return after


def propose_moves(state: Tournament) -> tuple[ProposedMove, ...]:
    """Return the moves that would make the tables as few and as even as they can be, in the order to make them.

    Moves to come already are counted as made. A table breaks when the players fit without it: the one with fewest
    players, of those the highest number, one in Fantasyland last. Otherwise a player goes from the largest table to
    the smallest when they differ by more than one: whoever is first to act there.
    """
    plan = _Plan(state)
    if plan.break_tables():
        plan.balance()
    return tuple(plan.moves)


class _Plan:
    """The floor as it will be once the moves so far are made."""

    def __init__(self, state: Tournament) -> None:
        self.state = state
        self.moves: list[ProposedMove] = []
        self.tables = {table.number: table for table in state.tables.values() if table.open}
        self.sitting = {
            number: [player for player in table.seats if player is not None] for number, table in self.tables.items()
        }
        self.taken: dict[TableNumber, list[SeatAt]] = {}
        for player, source, to in state.moves_ahead:
            if to.table in self.tables:
                self._take(player, source, to)

    @property
    def in_use(self) -> list[TableNumber]:
        """The tables at which somebody will sit."""
        return [number for number, players in self.sitting.items() if players]

    def _take(self, player: PlayerId, source: TableNumber, to: SeatAt) -> None:
        self.sitting[source].remove(player)
        self.sitting[to.table].append(player)
        self.taken.setdefault(to.table, []).append(to)

    def _in_acting_order(self, number: TableNumber) -> list[PlayerState]:
        """Return a table's players, first to act first; those who are on the way to it come last."""
        table = self.tables[number]

        def place(player: PlayerState) -> int:
            if player.at is None or player.at.table != number:
                return len(table.seats)
            return (player.at.seat - table.button - 1) % len(table.seats)

        return sorted((self.state.players[player] for player in self.sitting[number]), key=place)

    def _free(self, number: TableNumber) -> list[Seat]:
        return free_seats(self.tables[number], self.taken.get(number, ()))

    def break_tables(self) -> bool:
        """Break every table that is not needed; False if seats that are still to be left are needed for that."""
        seats = self.state.settings.seats
        while True:
            in_use = self.in_use
            total = sum(len(self.sitting[number]) for number in in_use)
            needed = len(table_sizes(total, seats))
            if len(in_use) <= needed:
                return True
            breaking = min(
                in_use, key=lambda number: (self.state.is_frozen(number), len(self.sitting[number]), -number)
            )
            others = [number for number in in_use if number != breaking]
            tables = "table" if needed == 1 else "tables"
            reason = f"{total} players fit on {needed} {tables}, so table {breaking} breaks"
            for player in self._in_acting_order(breaking):
                target = self._emptiest(others)
                if target is None:
                    return False
                self._move(player, breaking, target, reason)

    def balance(self) -> None:
        while True:
            counts = {number: len(players) for number, players in self.sitting.items() if players}
            if not counts or max(counts.values()) - min(counts.values()) < 2:  # as even as can be
                return
            most = max(counts.values())
            largest = min(
                (number for number in counts if counts[number] == most),
                key=lambda number: (self.state.is_frozen(number), number),
            )
            target = self._emptiest([number for number in counts if most - counts[number] > 1])
            if target is None:
                return
            reason = f"table {largest} has {most} players and table {target} {counts[target]}"
            self._move(self._in_acting_order(largest)[0], largest, target, reason)

    def _emptiest(self, numbers: Sequence[TableNumber]) -> TableNumber | None:
        """Return the table with fewest players that has a free seat, of equals one not in Fantasyland, None if none."""
        by_count: dict[int, list[TableNumber]] = {}
        for number in numbers:
            by_count.setdefault(len(self.sitting[number]), []).append(number)
        for _, equal in sorted(by_count.items()):
            room = [number for number in equal if self._free(number)]
            if room:
                return min(room, key=lambda number: (self.state.is_frozen(number), number))
        return None

    def _move(self, player: PlayerState, source: TableNumber, target: TableNumber, reason: str) -> None:
        to = SeatAt(target, self._free(target)[0])
        frozen = [number for number in (source, target) if self.state.is_frozen(number)]
        self._take(player.id, source, to)
        self.moves.append(ProposedMove(player.id, player.name, to, reason, frozen[0] if frozen else None))
