"""Live tables in one process: each has one owner here, its stream in the journal, and whoever watches it."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from ofc import table as tables
from ofc.bots import Bot, get_bot
from ofc.cards import Card, shuffled_deck
from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError, OfcError
from ofc.events import Player, TableEvent, TableOpened
from ofc.hand import Place
from ofc.rules import RuleSet
from ofc.scoring import Chips, Seat
from ofc.service.commands import ServiceCommand, decide
from ofc.service.past import PastHand, past_hands
from ofc.storage import ConflictError, Journal, JournalError, StoredTable
from ofc.table import DealHand, Sit, Table, TableCommand
from ofc.view import view_for

_LOG: Final = logging.getLogger(__name__)
_T = TypeVar("_T")
_ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_BOT_NAMES: Final = ("Ada", "Bo", "Cleo", "Dora")
MAX_LOADED: Final = 1000
"""How many tables nobody watches may stay in memory."""


class StaleError(IllegalCommandError):
    """The command was decided on an older view than the present one."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A table to open: the visitor in the first seat and bots by id in the others.

    `seed` None: decks nobody can foresee. `stack` and `price` are None where points are kept.
    """

    rules: RuleSet
    name: str
    bots: tuple[str, ...]
    hands: int
    stack: Chips | None
    price: Chips | None
    seed: int | None


def now_ms() -> Millis:
    """Return the present moment."""
    return Millis(time.time_ns() // 1_000_000)


class LiveTable:
    """One table's state, its number in the stream, and those to be told when it changes."""

    def __init__(self, rooms: TableRooms, stored: StoredTable, table: Table, seq: int) -> None:
        """Take over a table whose stream ends at `seq`."""
        self.stored = stored
        self.table = table
        self.seq = seq
        self._rooms = rooms
        self._lock = asyncio.Lock()
        self._listeners: set[asyncio.Event] = set()
        self._bots: dict[Seat, Bot] = {
            Seat(number): get_bot(state.player.bot).bot
            for number, state in enumerate(table.seats)
            if state.player is not None and state.player.bot is not None
        }
        self._bot_task: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches and no bot is playing."""
        return not self._listeners and not self._lock.locked() and (self._bot_task is None or self._bot_task.done())

    def seat_of(self, visitor: str) -> Seat | None:
        """Return the visitor's seat, None for a spectator."""
        return self.stored.seat if visitor == self.stored.visitor else None

    @contextmanager
    def watched(self) -> Iterator[asyncio.Event]:
        """Give an event that is set whenever the table has changed; the watcher clears it."""
        changed = asyncio.Event()
        self._listeners.add(changed)
        try:
            yield changed
        finally:
            self._listeners.discard(changed)

    async def submit(self, visitor: str, command_id: str, base_seq: int, command: ServiceCommand) -> int:
        """Do a visitor's command once, and return the number its events end at, when they are on the disk.

        The same `command_id` again is answered with the first time's number. `StaleError` if `base_seq` is not the
        present number, `IllegalCommandError` if the table refuses, `JournalError` if the disk does; each leaves
        everything as it was.
        """
        # Not to be cancelled half-way by a lost connection: what is stored must also be applied.
        return await asyncio.shield(self._rooms.spawn(self._submit(visitor, command_id, base_seq, command)))

    async def _submit(self, visitor: str, command_id: str, base_seq: int, command: ServiceCommand) -> int:
        async with self._lock:
            done = self._rooms.journal.command_seq(self.stored.id, visitor, command_id)
            if done is not None:
                return done
            if base_seq != self.seq:
                message = f"the table has moved on from {base_seq} to {self.seq}"
                raise StaleError(Fault("stale", message, field="seq", text=str(base_seq)))
            seat = self.seat_of(visitor)
            events = decide(self.table, seat, command, deck=self._deck(), at=self._rooms.now())
            await self._append(events, sender=visitor, command=command_id)
            return self.seq

    async def _append(
        self, events: Sequence[TableEvent], *, sender: str | None = None, command: str | None = None
    ) -> None:
        """Store, then apply, then tell; after somebody else's append start again from the journal."""
        try:
            appended = await self._rooms.journal.append(
                self.stored.id, self.seq, events, sender=sender, command=command
            )
        except ConflictError as error:
            stored = self._rooms.journal.read(self.stored.id)
            self.table = tables.replay(tuple(item.event for item in stored))
            self.seq = stored[-1].seq
            self._tell()
            raise StaleError(Fault("stale", str(error), field="seq")) from error
        for event in events:
            self.table = tables.apply(self.table, event)
        self.seq = appended.seq
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener.set()
        self.start_bots()

    def _deck(self) -> tuple[Card, ...]:
        if self.stored.seed is None:
            return shuffled_deck(random.SystemRandom())
        return shuffled_deck(random.Random(f"{self.stored.seed}:{self.seq}"))

    def start_bots(self) -> None:
        """Let the bots go on, if it is a bot's turn and they are not at it already."""
        if self._next_bot() is not None and (self._bot_task is None or self._bot_task.done()):
            self._bot_task = self._rooms.spawn(self._play_bots())

    def _next_bot(self) -> Seat | None:
        if not self.table.is_playing or self.table.hand is None:
            return None
        return next((seat for seat in self.table.hand.to_act if seat in self._bots), None)

    async def _play_bots(self) -> None:
        try:
            while (seat := self._next_bot()) is not None:
                await asyncio.sleep(self._rooms.bot_pause_ms / 1000)
                await self._play_bot(seat)
        except JournalError:
            # The bots go on when somebody next looks at the table.
            _LOG.exception("a bot's move at table %s could not be stored", self.stored.id)

    async def _play_bot(self, seat: Seat) -> None:
        before = self.seq
        seeded = self.stored.seed is not None
        generator = random.Random(f"{self.stored.seed}:{before}") if seeded else random.SystemRandom()
        view = view_for(self.table, seat)
        placements = await asyncio.to_thread(self._bots[seat].place, view, self.table.rules, generator)
        async with self._lock:
            try:
                place = Place(seat, placements, None, self._rooms.now())
                await self._append(tables.decide(self.table, place))
            except OfcError:
                # The table moved on while the bot was thinking: it thinks again, or its turn is gone.
                if self.seq == before:
                    raise


class TableRooms:
    """Every table that this process serves. `bot_pause_ms` is how long a bot seems to think."""

    def __init__(self, journal: Journal, *, bot_pause_ms: int = 600, now: Callable[[], Millis] = now_ms) -> None:
        """Serve the tables of `journal`."""
        self.journal = journal
        self.bot_pause_ms = bot_pause_ms
        self.now = now
        self._loaded: OrderedDict[str, LiveTable] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Run work that outlives whoever asked for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def get(self, table_id: str) -> LiveTable | None:
        """Return a table, from the journal if it is not loaded; None if there is none of this id."""
        live = self._loaded.get(table_id)
        if live is None:
            stored = self.journal.table(table_id)
            if stored is None:
                return None
            events = self.journal.read(table_id)
            live = LiveTable(self, stored, tables.replay(tuple(item.event for item in events)), events[-1].seq)
        self._keep(live)
        live.start_bots()
        return live

    def tables_of(self, visitor: str, *, limit: int = 100) -> list[LiveTable]:
        """Return a visitor's tables, newest first, at most `limit`."""
        return [live for stored in self.journal.tables_of(visitor, limit=limit) if (live := self.get(stored.id))]

    def past_hands(self, table_id: str) -> list[PastHand]:
        """Return a table's finished hands, oldest first."""
        return past_hands(item.event for item in self.journal.read(table_id))

    async def close(self) -> None:
        """Stop the bots, finish what is being stored, and close the journal."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.journal.close)

    def _keep(self, live: LiveTable) -> None:
        """Keep a table loaded, and let go of the longest unused ones that nobody watches."""
        self._loaded[live.stored.id] = live
        self._loaded.move_to_end(live.stored.id)
        for table_id in list(self._loaded)[: max(0, len(self._loaded) - MAX_LOADED)]:
            if self._loaded[table_id].is_idle:
                del self._loaded[table_id]

    async def open(self, visitor: str, request: OpenRequest) -> str:
        """Open a table, seat everyone, deal the first hand, and return its id.

        `IllegalCommandError` holds every fault; then no table is opened.
        """
        seats = 1 + len(request.bots)
        at = self.now()
        chooser = random.SystemRandom() if request.seed is None else random.Random(f"{request.seed}:0")
        opened = TableOpened(
            rules=request.rules,
            seats=seats,
            hands=request.hands,
            stack=request.stack,
            price=request.price,
            button=Seat(chooser.randrange(seats)),
            seeded=request.seed is not None,
            at=at,
        )
        events = list(tables.open_table(opened))
        table = tables.replay(tuple(events))
        names = [name for name in _BOT_NAMES if name.casefold() != request.name.casefold()]
        players = [Player(request.name), *(Player(name, bot) for name, bot in zip(names, request.bots, strict=False))]
        deck = shuffled_deck(chooser)
        commands: list[TableCommand] = [Sit(Seat(number), player, at) for number, player in enumerate(players)]
        for command in [*commands, DealHand(deck, at)]:
            decided = tables.decide(table, command)
            for event in decided:
                table = tables.apply(table, event)
            events += decided
        table_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(12))
        stored = StoredTable(table_id, visitor, Seat(0), request.seed, at)
        appended = await self.journal.append(table_id, 0, events, opened=stored)
        live = LiveTable(self, stored, table, appended.seq)
        self._keep(live)
        live.start_bots()
        return table_id
