"""The SQLite journal: one writer thread, group commit, on disk before anyone is told.

`append` is one durable transaction, and `(stream, seq)` is unique: of two writers that expect the same number only
one can win.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import msgspec

from ofc.clock import Millis
from ofc.errors import OfcError
from ofc.events import TableEvent
from ofc.scoring import Seat
from ofc.storage.codec import decode_event, encode_event
from ofc.storage.migrations import migrate

_GROUP: Final = 256


class JournalError(Exception):
    """The journal could not be opened, read or written; nothing of the append is stored."""


class ConflictError(JournalError):
    """Somebody else appended first: the stream does not end at the number that was expected."""


Insertion = tuple[str, tuple[object, ...]]
"""A statement that records something beside the streams, and its values."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table that was opened: by which visitor (a digest of the secret), who sits in `seat`."""

    id: str
    visitor: str
    seat: Seat
    seed: int | None
    opened_at: Millis

    def insertion(self) -> Insertion:
        """Return the statement that records it, and its values."""
        values = (self.id, self.visitor, self.seat, self.seed, self.opened_at)
        return "INSERT INTO tables (id, visitor, seat, seed, opened_at) VALUES (?, ?, ?, ?, ?)", values


@dataclass(frozen=True, slots=True)
class StoredTournament:
    """A tournament that was opened. Whoever has the `key` may become its director."""

    id: str
    key: str
    opened_at: Millis

    def insertion(self) -> Insertion:
        """Return the statement that records it, and its values."""
        return "INSERT INTO tournaments (id, key, opened_at) VALUES (?, ?, ?)", (self.id, self.key, self.opened_at)


@dataclass(frozen=True, slots=True)
class StoredLeague:
    """A league that was opened. Whoever has the `key` may become its director; the id is its public code."""

    id: str
    key: str
    opened_at: Millis

    def insertion(self) -> Insertion:
        """Return the statement that records it, and its values."""
        return "INSERT INTO leagues (id, key, opened_at) VALUES (?, ?, ?)", (self.id, self.key, self.opened_at)


@dataclass(frozen=True, slots=True)
class StoredDirector:
    """A visitor who directs a tournament or league, by the name that its log gives them."""

    tournament: str
    visitor: str
    name: str
    since: Millis

    def insertion(self) -> Insertion:
        """Return the statement that records it, and its values; said again, the name is the later one."""
        values = (self.tournament, self.visitor, self.name, self.since)
        return "INSERT OR REPLACE INTO directors (tournament, visitor, name, since) VALUES (?, ?, ?, ?)", values


Record = StoredTable | StoredTournament | StoredLeague | StoredDirector
"""What is recorded beside the streams."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row of any stream: its number from 1, its type's name and its JSON."""

    seq: int
    type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event and its number in its stream, from 1."""

    seq: int
    event: TableEvent


@dataclass(frozen=True, slots=True)
class Appended:
    """The stream's last number after an append; `repeated` if that command had been stored before."""

    seq: int
    repeated: bool


@dataclass(frozen=True, slots=True)
class _Append:
    stream: str
    expected_seq: int
    rows: Sequence[tuple[str, bytes]]
    sender: str | None
    command: str | None
    record: Record | None
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Appended]

    def settle(self, outcome: Appended | JournalError) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.loop.call_soon_threadsafe(self._set, outcome)

    def _set(self, outcome: Appended | JournalError) -> None:
        if self.done.cancelled():
            return
        if isinstance(outcome, Appended):
            self.done.set_result(outcome)
        else:
            self.done.set_exception(outcome)


class Journal:
    """Streams of table events in one SQLite file.

    Reads see whatever was appended before, and may be made from any thread. Every failure is a `JournalError`.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the journal at `path`; `JournalError` if that cannot be done."""
        try:
            with closing(_connect(path)) as database:
                migrate(database)
            self._reader = _connect(path)
            self._writer = _connect(path)
        except (sqlite3.Error, ValueError) as error:
            raise JournalError(f"cannot open {path}: {error}") from error
        self._reading = threading.Lock()
        self._queue: SimpleQueue[_Append | None] = SimpleQueue()
        self._is_closed = False
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    async def append(
        self,
        stream: str,
        expected_seq: int,
        events: Sequence[TableEvent],
        *,
        sender: str | None = None,
        command: str | None = None,
        opened: StoredTable | None = None,
    ) -> Appended:
        """Store events behind number `expected_seq`, and return once they are on the disk.

        `sender` and `command` name the command that made them: sent again it is not done again, and answered with
        the number of the first time. `opened` records a new table in the same transaction. `ConflictError` if the
        stream ends elsewhere; `JournalError` if the disk refuses.
        """
        rows = [encode_event(event) for event in events]
        return await self.append_rows(stream, expected_seq, rows, sender=sender, command=command, record=opened)

    async def append_rows(
        self,
        stream: str,
        expected_seq: int,
        rows: Sequence[tuple[str, bytes]],
        *,
        sender: str | None = None,
        command: str | None = None,
        record: Record | None = None,
    ) -> Appended:
        """Store rows of any kind, each a type's name and its JSON, as `append` stores events."""
        if self._is_closed:
            raise JournalError("the journal is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Appended] = loop.create_future()
        self._queue.put(_Append(stream, expected_seq, rows, sender, command, record, loop, done))
        return await done

    def read(self, stream: str) -> list[StoredEvent]:
        """Return a stream's table events in order, an empty list if there are none."""
        try:
            return [StoredEvent(row.seq, decode_event(row.type, row.body)) for row in self.read_rows(stream)]
        except (msgspec.MsgspecError, OfcError, KeyError, TypeError) as error:
            raise JournalError(f"{stream} holds what this program cannot read: {error}") from error

    def read_rows(self, stream: str) -> list[StoredRow]:
        """Return a stream's rows in order, an empty list if there are none."""
        rows = self._select("SELECT seq, type, body FROM events WHERE stream = ? ORDER BY seq", stream)
        return [StoredRow(*row) for row in rows]

    def last_seq(self, stream: str) -> int:
        """Return the number of a stream's last row, 0 if it has none."""
        return int(self._select("SELECT coalesce(max(seq), 0) FROM events WHERE stream = ?", stream)[0][0])

    def command_seq(self, stream: str, sender: str, command: str) -> int | None:
        """Return the number that a command's events ended at, None if it was not done."""
        rows = self._select(
            "SELECT seq FROM commands WHERE stream = ? AND sender = ? AND id = ?", stream, sender, command
        )
        return int(rows[0][0]) if rows else None

    def senders(self, stream: str) -> dict[int, str]:
        """Return who sent the command that ended at each number, where one did."""
        return dict(self._select("SELECT seq, sender FROM commands WHERE stream = ?", stream))

    def table(self, table: str) -> StoredTable | None:
        """Return one table's record, None if there is no such table."""
        rows = self._select("SELECT id, visitor, seat, seed, opened_at FROM tables WHERE id = ?", table)
        return StoredTable(*rows[0]) if rows else None

    def tables_of(self, visitor: str, *, limit: int) -> list[StoredTable]:
        """Return a visitor's tables, newest first, at most `limit`."""
        rows = self._select(
            "SELECT id, visitor, seat, seed, opened_at FROM tables WHERE visitor = ?"
            " ORDER BY opened_at DESC, id LIMIT ?",
            visitor,
            limit,
        )
        return [StoredTable(*row) for row in rows]

    def tables_opened(self, visitor: str, *, since: Millis) -> int:
        """Return how many tables a visitor opened at or after `since`."""
        query = "SELECT count(*) FROM tables WHERE visitor = ? AND opened_at >= ?"
        return int(self._select(query, visitor, since)[0][0])

    def tournament(self, tournament: str) -> StoredTournament | None:
        """Return one tournament's record, None if there is no such tournament."""
        rows = self._select("SELECT id, key, opened_at FROM tournaments WHERE id = ?", tournament)
        return StoredTournament(*rows[0]) if rows else None

    def tournaments(self) -> list[StoredTournament]:
        """Return every tournament, newest first."""
        rows = self._select("SELECT id, key, opened_at FROM tournaments ORDER BY opened_at DESC, id")
        return [StoredTournament(*row) for row in rows]

    def tournament_rows(self, holding: bytes) -> list[tuple[str, bytes]]:
        """Return the rows of all tournaments in which these bytes are, each with its tournament; looks through all."""
        query = "SELECT stream, body FROM events JOIN tournaments ON id = stream WHERE instr(body, ?) > 0"
        return self._select(query, holding)

    def tournaments_of(self, visitor: str) -> list[StoredTournament]:
        """Return the tournaments that a visitor directs, newest first."""
        rows = self._select(
            "SELECT id, key, opened_at FROM tournaments JOIN directors ON id = tournament WHERE visitor = ?"
            " ORDER BY opened_at DESC, id",
            visitor,
        )
        return [StoredTournament(*row) for row in rows]

    def tournaments_opened(self, visitor: str, *, since: Millis) -> int:
        """Return how many tournaments a visitor opened at or after `since`, being their first director."""
        query = (
            "SELECT count(*) FROM tournaments JOIN directors AS own ON id = own.tournament"
            " WHERE own.visitor = ? AND opened_at >= ? AND NOT EXISTS"
            " (SELECT 1 FROM directors AS other WHERE other.tournament = id AND other.since < own.since)"
        )
        return int(self._select(query, visitor, since)[0][0])

    def league(self, league: str) -> StoredLeague | None:
        """Return one league's record, None if there is no such league."""
        rows = self._select("SELECT id, key, opened_at FROM leagues WHERE id = ?", league)
        return StoredLeague(*rows[0]) if rows else None

    def leagues_of(self, visitor: str) -> list[StoredLeague]:
        """Return the leagues that a visitor directs, newest first."""
        rows = self._select(
            "SELECT id, key, opened_at FROM leagues JOIN directors ON id = tournament WHERE visitor = ?"
            " ORDER BY opened_at DESC, id",
            visitor,
        )
        return [StoredLeague(*row) for row in rows]

    def director(self, tournament: str, visitor: str) -> StoredDirector | None:
        """Return a visitor's record as a director of a tournament or league, None if they are not."""
        rows = self._select(
            "SELECT tournament, visitor, name, since FROM directors WHERE tournament = ? AND visitor = ?",
            tournament,
            visitor,
        )
        return StoredDirector(*rows[0]) if rows else None

    def close(self) -> None:
        """Finish every append that was asked for, then close; closed twice is closed once."""
        if self._is_closed:
            return
        self._is_closed = True
        self._queue.put(None)
        self._thread.join()
        self._reader.close()
        self._writer.close()

    def _select(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._reading:
                return self._reader.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"the journal cannot be read: {error}") from error

    def _write(self) -> None:
        """Store whatever waits, many appends in one transaction; runs in the writer thread until `close`."""
        is_open = True
        while is_open:
            waiting = [self._queue.get()]
            while not self._queue.empty() and len(waiting) < _GROUP:
                waiting.append(self._queue.get())
            is_open = None not in waiting
            self._write_group([item for item in waiting if item is not None])

    def _write_group(self, group: Sequence[_Append]) -> None:
        outcomes: list[Appended | JournalError] = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            outcomes = [self._write_one(item) for item in group]
            self._writer.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - the thread must not die: whoever waits is answered
            with suppress(sqlite3.Error):  # some failures have rolled back already
                self._writer.execute("ROLLBACK")
            outcomes = [JournalError(f"the journal refused: {error}") for _ in group]
        for item, outcome in zip(group, outcomes, strict=True):
            item.settle(outcome)

    def _write_one(self, item: _Append) -> Appended | JournalError:
        database = self._writer
        if item.command is not None:
            row = database.execute(
                "SELECT seq FROM commands WHERE stream = ? AND sender = ? AND id = ?",
                (item.stream, item.sender, item.command),
            ).fetchone()
            if row:
                return Appended(row[0], repeated=True)
        (last,) = database.execute(
            "SELECT coalesce(max(seq), 0) FROM events WHERE stream = ?", (item.stream,)
        ).fetchone()
        if last != item.expected_seq:
            return ConflictError(f"{item.stream} ends at {last}, not at {item.expected_seq}")
        numbered = enumerate(item.rows, start=last + 1)
        database.executemany(
            "INSERT INTO events (stream, seq, type, body) VALUES (?, ?, ?, ?)",
            [(item.stream, seq, *row) for seq, row in numbered],
        )
        seq = last + len(item.rows)
        if item.command is not None:
            database.execute(
                "INSERT INTO commands (stream, sender, id, seq) VALUES (?, ?, ?, ?)",
                (item.stream, item.sender, item.command, seq),
            )
        if item.record is not None:
            database.execute(*item.record.insertion())
        return Appended(seq, repeated=False)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error:
        database.close()
        raise
    return database
