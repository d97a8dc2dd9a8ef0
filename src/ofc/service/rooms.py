"""Live tables in one process: each has one owner here, its stream in the journal, and whoever watches it."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

from ofc import table as tables
from ofc.bots import Bot, get_bot
from ofc.cards import Card, shuffled_deck
from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError
from ofc.events import Player, TableEvent, TableOpened
from ofc.hand import Place
from ofc.rules import RuleSet
from ofc.scoring import Chips, Seat
from ofc.service.commands import ServiceCommand, decide
from ofc.service.past import PastHand, past_hands
from ofc.service.tasks import Tasks
from ofc.storage import ConflictError, Journal, JournalError, StoredTable
from ofc.table import DealHand, Sit, Table, TableCommand
from ofc.view import view_for

_LOG: Final = logging.getLogger(__name__)
_ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_BOT_NAMES: Final = ("Ada", "Bo", "Cleo", "Dora")
MOST_KEPT: Final = 1000
"""How many tables that nobody uses stay in memory, the latest used."""
MOST_TABLES_A_DAY: Final = 200
"""How many tables a visitor may open in 24 hours."""
DAY_MS: Final = 24 * 3600 * 1000
_LONGEST_RETRY_MS: Final = 60_000


class StaleError(IllegalCommandError):
    """The command was decided on another view than the present one."""


class TooManyTablesError(IllegalCommandError):
    """The visitor has opened as many tables as one may for now."""


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


def check_known(what: str, base_seq: int, seq: int) -> None:
    """Refuse a command decided on a number that its table, event or league, now at `seq`, has not come to."""
    if base_seq > seq:
        message = f"the {what} is at {seq} and knows no {base_seq}: the server's data may have been restored"
        raise StaleError(Fault("stale", f"{message} from an older copy", field="seq", text=str(base_seq)))


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
        return await asyncio.shield(self._rooms.tasks.spawn(self._submit(visitor, command_id, base_seq, command)))

    async def _submit(self, visitor: str, command_id: str, base_seq: int, command: ServiceCommand) -> int:
        async with self._lock:
            done = self._rooms.journal.command_seq(self.stored.id, visitor, command_id)
            if done is not None:
                if done > self.seq:  # another process did it
                    await self._reload()
                return done
            events = self._decide(visitor, base_seq, command)
            return await self._append(events, sender=visitor, command=command_id)

    def refusals(self, visitor: str, base_seq: int | None, command: ServiceCommand) -> tuple[Fault, ...]:
        """Return why a command would be refused now, and do nothing; of a `base_seq` that is None nothing is said."""
        try:
            self._decide(visitor, self.seq if base_seq is None else base_seq, command)
        except IllegalCommandError as error:
            return error.faults
        return ()

    def _decide(self, visitor: str, base_seq: int, command: ServiceCommand) -> tuple[TableEvent, ...]:
        check_known("table", base_seq, self.seq)
        if base_seq != self.seq:
            message = f"the table has moved on from {base_seq} to {self.seq}"
            raise StaleError(Fault("stale", message, field="seq", text=str(base_seq)))
        return decide(self.table, self.seat_of(visitor), command, deck=self._deck(), at=self._rooms.now())

    async def _append(
        self, events: Sequence[TableEvent], *, sender: str | None = None, command: str | None = None
    ) -> int:
        """Store, then apply, then tell; where another process was first, start again from the journal."""
        journal = self._rooms.journal
        try:
            appended = await journal.append(self.stored.id, self.seq, events, sender=sender, command=command)
        except ConflictError as error:
            await self._reload()
            raise StaleError(Fault("stale", str(error), field="seq")) from error
        if appended.repeated:
            await self._reload()
        else:
            for event in events:
                self.table = tables.apply(self.table, event)
            self.seq = appended.seq
            self._tell()
        return appended.seq

    async def _reload(self) -> None:
        self.table, self.seq = await self._rooms.read(self.stored.id)
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
        is_playing = self._bot_task is not None and not self._bot_task.done()
        if self._next_bot() is not None and not is_playing and not self._rooms.is_closing:
            self._bot_task = self._rooms.tasks.spawn(self._play_bots())

    def stop_bots(self) -> None:
        """Let the bots stop where they are; what one is storing is stored or not, as the journal decides."""
        if self._bot_task is not None:
            self._bot_task.cancel()

    def _next_bot(self) -> Seat | None:
        if not self.table.is_playing or self.table.hand is None:
            return None
        return next((seat for seat in self.table.hand.to_act if seat in self._bots), None)

    async def _play_bots(self) -> None:
        """Let one bot after the other place; where the journal refuses, ask again, each time later."""
        retry_ms = self._rooms.retry_ms
        try:
            while (seat := self._next_bot()) is not None:
                await asyncio.sleep(self._rooms.bot_pause_ms / 1000)
                try:
                    await self._play_bot(seat)
                    retry_ms = self._rooms.retry_ms
                except JournalError as error:
                    _LOG.error("table %s: a bot's move could not be stored: %s", self.stored.id, error)
                    await asyncio.sleep(retry_ms / 1000)
                    retry_ms = min(2 * retry_ms, _LONGEST_RETRY_MS)
        except Exception:  # noqa: BLE001 - whatever a bot does wrong is noted, and does not end the table
            # It tries again when somebody next looks at the table.
            _LOG.exception("table %s: a bot failed", self.stored.id)

    async def _play_bot(self, seat: Seat) -> None:
        before = self.seq
        seeded = self.stored.seed is not None
        generator = random.Random(f"{self.stored.seed}:{before}") if seeded else random.SystemRandom()
        view = view_for(self.table, seat)
        placements = await asyncio.to_thread(self._bots[seat].place, view, self.table.rules, generator)
        async with self._lock:
            if self.seq != before:
                return  # the table moved on while the bot was thinking: it thinks again, or its turn is gone
            events = tables.decide(self.table, Place(seat, placements, None, self._rooms.now()))
            with suppress(StaleError):
                await self._append(events)


class TableRooms:
    """Every table that this process serves.

    `bot_pause_ms` is how long a bot seems to think, `retry_ms` how long it first waits for a journal that refused.
    """

    def __init__(
        self, journal: Journal, *, bot_pause_ms: int = 600, retry_ms: int = 1000, now: Callable[[], Millis] = now_ms
    ) -> None:
        """Serve the tables of `journal`."""
        self.journal = journal
        self.bot_pause_ms = bot_pause_ms
        self.retry_ms = retry_ms
        self.now = now
        self.is_closing = False
        # Found as long as anyone holds it, so that a table never has two owners here; the latest are held anyway.
        self._live: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        self._latest: OrderedDict[str, LiveTable] = OrderedDict()
        self.tasks = Tasks()

    async def get(self, table_id: str) -> LiveTable | None:
        """Return a table, from the journal if it is not loaded; None if there is none of this id."""
        live = self._live.get(table_id)
        if live is None:
            stored = self.journal.table(table_id)
            if stored is None:
                return None
            table, seq = await self.read(table_id)
            # Somebody else may have been as quick.
            live = self._live.get(table_id) or LiveTable(self, stored, table, seq)
        self._keep(live)
        live.start_bots()
        return live

    async def read(self, table_id: str) -> tuple[Table, int]:
        """Return a table's state and number as the journal has them; the other tables go on meanwhile."""
        events = await asyncio.to_thread(self.journal.read, table_id)
        return await asyncio.to_thread(tables.replay, tuple(item.event for item in events)), events[-1].seq

    async def tables_of(self, visitor: str, *, limit: int = 100) -> list[LiveTable]:
        """Return a visitor's tables, newest first, at most `limit`."""
        found = [await self.get(stored.id) for stored in self.journal.tables_of(visitor, limit=limit)]
        return [live for live in found if live is not None]

    async def past_hands(self, table_id: str) -> list[PastHand]:
        """Return a table's finished hands, oldest first."""
        events = await asyncio.to_thread(self.journal.read, table_id)
        return await asyncio.to_thread(past_hands, [item.event for item in events])

    async def close(self) -> None:
        """Stop the bots, finish what is being stored, and close the journal."""
        self.is_closing = True
        for live in self._live.values():
            live.stop_bots()
        await self.tasks.finish()
        await asyncio.to_thread(self.journal.close)

    def _keep(self, live: LiveTable) -> None:
        self._live[live.stored.id] = live
        self._latest[live.stored.id] = live
        self._latest.move_to_end(live.stored.id)
        if len(self._latest) > MOST_KEPT:
            self._latest.popitem(last=False)

    async def open(self, visitor: str, request: OpenRequest) -> str:
        """Open a table, seat everyone, deal the first hand, and return its id.

        `IllegalCommandError` holds every fault, `TooManyTablesError` that there are enough; then none is opened.
        """
        at = self.now()
        if self.journal.tables_opened(visitor, since=Millis(at - DAY_MS)) >= MOST_TABLES_A_DAY:
            message = f"you have opened {MOST_TABLES_A_DAY} tables in 24 hours; go on with one of them"
            raise TooManyTablesError(Fault("too-many-tables", message))
        seats = 1 + len(request.bots)
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
