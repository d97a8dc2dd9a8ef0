"""A live tournament: its log, whoever watches it, and what its directors and tables may do."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError
from ofc.service.rooms import StaleError, check_known
from ofc.storage import ConflictError, StoredTournament
from ofc.tournament.applying import Key
from ofc.tournament.commands import (
    Command,
    DrawSeats,
    MarkAbsence,
    Redo,
    RedrawSeats,
    SeatPlayer,
    Told,
    Undo,
)
from ofc.tournament.deciding import decide
from ofc.tournament.events import Action, HandSettled, LogEntry, TableNumber, Undone
from ofc.tournament.history import Log
from ofc.tournament.log import encode_entry
from ofc.tournament.state import Tournament
from ofc.tournament.view import log_line

if TYPE_CHECKING:
    from ofc.service.tournaments import Tournaments

_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH: Final = 6
_TOLD_LATE_S: Final = 0.01
"""How long after the clock has come to a new step watchers are told, so that it has surely come there."""
_UNKNOWN: Final = ""
"""The sender of what no command made here."""

AnyCommand = Command | Undo | Redo


class NotAllowedError(IllegalCommandError):
    """Only a director, or the table itself, may do this."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who gives a command. `table` is set for a table's page, which may act for that table only.

    `sender` tells senders apart, so that each command is done once; `name` is what the log says.
    """

    sender: str
    name: str
    table: TableNumber | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """A command that is stored: the log's number after it, its words, and the action that it did or took back."""

    seq: int
    words: str
    action: int


@dataclass(frozen=True, slots=True)
class Preview:
    """The entry that a command would make, and the log that it would be added to."""

    log: Log
    entry: LogEntry


@dataclass(frozen=True, slots=True)
class ReadLog:
    """A log as the journal has it, and which sender's command made each entry, where one did."""

    log: Log
    senders: Mapping[int, str]


class LiveTournament:
    """One tournament's log, and those to be told when it changes."""

    def __init__(self, tournaments: Tournaments, stored: StoredTournament, read: ReadLog) -> None:
        """Take over a tournament whose log was read."""
        self.stored = stored
        self._tournaments = tournaments
        self._lock = asyncio.Lock()
        self._watchers: set[asyncio.Event] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._take_over(read)

    def _take_over(self, read: ReadLog) -> None:
        self.log = read.log
        self._touched: dict[Key, dict[str, int]] = {}
        self._hands: dict[TableNumber, list[int]] = {}
        for entry in read.log.entries:
            self._note(entry, read.senders.get(entry.seq, _UNKNOWN))

    @property
    def state(self) -> Tournament:
        """The tournament now."""
        return self.log.state

    def now(self) -> Millis:
        """Return the present moment, never one before the last entry's: a computer's clock may be set back."""
        return max(self._tournaments.now(), self.log.entries[-1].at)

    def table_of_code(self, code: str) -> TableNumber | None:
        """Return the open table that has this code, None if there is none."""
        wanted = code.strip().upper()
        return next((table.number for table in self.state.open_tables if table.code == wanted), None)

    def last_hand(self, table: TableNumber) -> Action | None:
        """Return the action that entered the table's last hand, those that were taken back left out."""
        for seq in reversed(self._hands.get(table, ())):
            entry = self.log.entries[seq - 1]
            if seq not in self.log.undone and isinstance(entry, Action):
                return entry
        return None

    @contextmanager
    def watched(self) -> Iterator[asyncio.Event]:
        """Give an event that is set whenever the log has grown or the clock came to a step; the watcher clears it."""
        changed = asyncio.Event()
        self._watchers.add(changed)
        self._set_timer()
        try:
            yield changed
        finally:
            self._watchers.discard(changed)
            self._set_timer()

    def preview(self, actor: Actor, command: AnyCommand, *, without: int | None = None) -> Preview:
        """Return what a command would do now, or were the action `without` undone; nothing is done.

        Refused as `submit` would be.
        """
        log = self.log
        if without is not None:
            self._check_allowed(actor, Undo(without))
            log = log.without(without)
        self._check_allowed(actor, command)
        return Preview(log, decide(log, self._completed(command), Told(actor.name, self.now())))

    async def submit(self, actor: Actor, command_id: str, base_seq: int, command: AnyCommand) -> Done:
        """Do a command once, and return when it is on the disk.

        The same `command_id` of the same sender again is answered as the first time. `StaleError` if something that
        the command touches was changed by another after `base_seq`, `IllegalCommandError` if the tournament refuses,
        `NotAllowedError` if it is not the actor's to do, `JournalError` if the disk refuses; then nothing is changed.
        """
        # Not to be cancelled half-way by a lost connection: what is stored must also be applied.
        return await asyncio.shield(self._tournaments.tasks.spawn(self._submit(actor, command_id, base_seq, command)))

    async def _submit(self, actor: Actor, command_id: str, base_seq: int, command: AnyCommand) -> Done:
        async with self._lock:
            journal = self._tournaments.journal
            done = journal.command_seq(self.stored.id, actor.sender, command_id)
            if done is not None:
                return await self._done(done)
            self._check_allowed(actor, command)
            entry = decide(self.log, self._completed(command), Told(actor.name, self.now()))
            self._check_fresh(self.log.touched_by(entry), base_seq, actor)
            await self._check_codes(entry)
            try:
                appended = await journal.append_rows(
                    self.stored.id, self.state.seq, [encode_entry(entry)], sender=actor.sender, command=command_id
                )
            except ConflictError as error:
                await self._reload()
                raise StaleError(Fault("stale", str(error), field="seq", text=str(base_seq))) from error
            if not appended.repeated:
                self.log.append(entry)
                self._note(entry, actor.sender)
                self._tell()
            return await self._done(appended.seq)

    async def _check_codes(self, entry: LogEntry) -> None:
        """Refuse to bring a code back that another event has by now: its own phones have the printed ones."""
        if isinstance(entry, Action):
            return
        after = self.log.check_undo(entry.action) if isinstance(entry, Undone) else self.log.check_redo(entry.action)
        back = {table.code for table in after.tables.values()} - {table.code for table in self.state.tables.values()}
        if back and await self._tournaments.codes_taken(back, but=self.stored.id):
            message = "another event here has that table's code by now"
            raise IllegalCommandError(Fault("code-taken", message, field="action", text=str(entry.action)))

    async def extend(self, log: Log) -> None:
        """Go on with a log that begins with this one; `StaleError` if it no longer does."""
        async with self._lock:
            seq = self.state.seq
            if log.entries[:seq] != self.log.entries:
                raise StaleError(Fault("stale", "the event went on here meanwhile; look again"))
            rows = [encode_entry(entry) for entry in log.entries[seq:]]
            await self._tournaments.journal.append_rows(self.stored.id, seq, rows)
            self._take_over(ReadLog(log, self._tournaments.journal.senders(self.stored.id)))
            self._tell()

    async def _reload(self) -> None:
        """Start again from the journal, where another process was first."""
        self._take_over(await self._tournaments.read(self.stored.id))
        self._tell()

    async def _done(self, seq: int) -> Done:
        if seq > self.state.seq:  # done by another process
            await self._reload()
        entry = self.log.entries[seq - 1]
        if isinstance(entry, Action):
            return Done(seq, entry.words, seq)
        return Done(seq, log_line(self.log, entry).words, entry.action)

    def _note(self, entry: LogEntry, sender: str) -> None:
        """Remember which parts an entry touched and who sent it, and at which table it entered a hand."""
        for key in self.log.touched_by(entry):
            self._touched.setdefault(key, {})[sender] = entry.seq
        if isinstance(entry, Action):
            for event in entry.events:
                if isinstance(event, HandSettled):
                    self._hands.setdefault(event.table, []).append(entry.seq)

    def _check_fresh(self, keys: Iterable[Key], base_seq: int, actor: Actor) -> None:
        """Refuse what was decided before another changed something that it touches, or on what is not known here."""
        check_known("event", base_seq, self.state.seq)
        changes = (self._touched.get(key, {}) for key in keys)
        latest = max((seq for seqs in changes for sender, seq in seqs.items() if sender != actor.sender), default=0)
        if latest > base_seq:
            entry = self.log.entries[latest - 1]
            message = f"{entry.by} was first: {log_line(self.log, entry).words}"
            raise StaleError(Fault("stale", message, field="seq", text=str(base_seq)))

    def _check_allowed(self, actor: Actor, command: AnyCommand) -> None:
        if actor.table is None:
            return
        match command:
            case Undo(action) | Redo(action):
                entry = self.log.entries[action - 1] if 0 < action <= len(self.log.entries) else None
                events = entry.events if isinstance(entry, Action) else ()
                is_own = any(isinstance(event, HandSettled) and event.table == actor.table for event in events)
            case MarkAbsence(player):
                seat = self.state.player(player).at
                is_own = seat is not None and seat.table == actor.table
            case _:
                is_own = getattr(command, "table", None) == actor.table and not hasattr(command, "button")
        if not is_own:
            message = f"table {actor.table} can do this only for itself; ask a director"
            raise NotAllowedError(Fault("not-yours", message))

    def _completed(self, command: AnyCommand) -> AnyCommand:
        """Give a command the secrets and the chance it needs: they come from here, never from a page."""
        match command:
            case DrawSeats():
                return DrawSeats(secrets.randbelow(2**31), self._codes(len(self.state.players)))
            case SeatPlayer(player):
                return SeatPlayer(player, self._codes(1)[0])
            case RedrawSeats():
                return RedrawSeats(secrets.randbelow(2**31))
            case _:
                return command

    def _codes(self, count: int) -> tuple[str, ...]:
        taken = {table.code for table in self.state.tables.values()}
        codes: set[str] = set()
        while len(codes) < count:
            codes.add(new_code())
            codes -= taken
        return tuple(codes)

    def _tell(self) -> None:
        for changed in self._watchers:
            changed.set()
        self._set_timer()

    def _set_timer(self) -> None:
        """Tell watchers when the clock comes to its next step, if it runs and anybody watches."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        left_ms = self.state.position(self.now()).left_ms if self.state.clock.running else None
        if self._watchers and left_ms:
            self._timer = asyncio.get_running_loop().call_later(left_ms / 1000 + _TOLD_LATE_S, self._tell)


def new_code() -> str:
    """Return a code that is easily typed, as tables and leagues have."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
