"""Live tournaments in one process: each has one owner here, its log in the journal, and whoever watches it."""

from __future__ import annotations

import asyncio
import gc
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError, OfcError
from ofc.service.rooms import DAY_MS, StaleError, check_known, now_ms
from ofc.service.tasks import Tasks
from ofc.storage import ConflictError, Journal, JournalError, StoredDirector, StoredRow, StoredTournament
from ofc.tournament.applying import Key
from ofc.tournament.checking import check_log
from ofc.tournament.commands import (
    Command,
    DrawSeats,
    MarkAbsence,
    Open,
    Redo,
    RedrawSeats,
    SeatPlayer,
    TakeOver,
    Told,
    Undo,
)
from ofc.tournament.deciding import decide, open_tournament
from ofc.tournament.events import Action, HandSettled, LogEntry, TableCoded, TableNumber, Undone
from ofc.tournament.history import Log
from ofc.tournament.log import Export, LogError, decode_entry, encode_entry
from ofc.tournament.state import Tournament
from ofc.tournament.view import log_line

MOST_OPENED_A_DAY: Final = 50
"""How many tournaments one visitor may open in 24 hours, those taken in included."""
MOST_KEPT: Final = 50
"""How many tournaments that nobody watches stay in memory, the latest used."""
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH: Final = 6
MOST_BEHIND_MS: Final = 60_000
"""How far this computer's clock may be behind the moments in a file that is taken in."""
_CODE_MARK: Final = b'"code":'
_TOLD_LATE_S: Final = 0.01
"""How long after the clock has come to a new step watchers are told, so that it has surely come there."""
_UNKNOWN: Final = ""
"""The sender of what no command made here."""

AnyCommand = Command | Undo | Redo


class TooManyTournamentsError(IllegalCommandError):
    """The visitor has opened as many tournaments as one may for now."""


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
class TakenIn:
    """An event that goes on here from its file.

    `codes` are the new ones of tables whose code belongs to another event here. `words` are what the log says of that,
    and of the clock that was stopped, None where there was nothing to say. `is_known`: the visitor directed it here
    before, and what the file had more was added.
    """

    event: str
    key: str
    codes: Mapping[TableNumber, str]
    words: str | None
    is_known: bool


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


class Tournaments:
    """Every tournament that this process serves."""

    def __init__(self, journal: Journal, *, now: Callable[[], Millis] = now_ms) -> None:
        """Serve the tournaments of `journal`."""
        self.journal = journal
        self.now = now
        self.tasks = Tasks()
        # Found as long as anyone holds it, so that one never has two owners here; the latest are held anyway.
        self._live: WeakValueDictionary[str, LiveTournament] = WeakValueDictionary()
        self._latest: OrderedDict[str, LiveTournament] = OrderedDict()
        self._taking_in = asyncio.Lock()

    async def open(self, visitor: str, director: str, command: Open) -> tuple[str, str]:
        """Open a tournament directed by `visitor`; return its id and the key that makes others directors.

        `IllegalCommandError` holds every fault, `TooManyTournamentsError` that there are enough; then none is opened.
        """
        self._check_opened(visitor)
        entry = open_tournament(command, Told(director, self.now()))
        return await self._keep_new(visitor, director, Log.replay([entry]))

    async def take_in(self, visitor: str, director: str, file: Export) -> TakenIn:
        """Go on with a tournament that was played elsewhere, from its file; as `open`.

        If the visitor directs it here, and nothing was done here that the file does not have, it goes on as the same
        event. A clock that runs is stopped where it stood when the file was written. A table's code that another event
        here has is replaced: that one's phones keep the printed ones.
        `LogError` says what in the log is not as the rules have it, that the visitor directs it here already and it
        has nothing new, or that this computer's clock is behind.
        """
        entries = list(file.entries)
        async with self._taking_in:  # of two at once, the second finds the first's codes taken
            known = None
            for live in await self.tournaments_of(visitor):
                own = live.log.entries
                if own[: len(entries)] == entries:
                    message = f"{live.state.settings.name} is here already, with all that this file has; "
                    raise LogError(Fault("event-known", message + "open it from the list"))
                if entries[: len(own)] == own:
                    known = live
            if known is None:
                self._check_opened(visitor)
            log = await asyncio.to_thread(_checked, entries)
            self._check_clock(log)
            taken = await self._take_over(log, director, file.at, but=known.stored.id if known is not None else None)
            codes = {
                event.table: event.code
                for event in (taken.events if taken is not None else ())
                if isinstance(event, TableCoded)
            }
            words = taken.words if taken is not None else None
            if known is not None:
                await known.extend(log)
                return TakenIn(known.stored.id, known.stored.key, codes, words, is_known=True)
            event, key = await self._keep_new(visitor, director, log)
            return TakenIn(event, key, codes, words, is_known=False)

    def _check_clock(self, log: Log) -> None:
        behind = log.entries[-1].at - self.now()
        if behind > MOST_BEHIND_MS:
            minutes = f"{behind // 60_000:,} min"
            message = f"this computer's clock is {minutes} behind the event's last entry; set it right, and try again"
            raise LogError(Fault("clock-behind", message, field="at", text=str(log.entries[-1].at)))

    async def _take_over(self, log: Log, director: str, written: Millis | None, *, but: str | None) -> Action | None:
        """Append what has to be done about the clock and the codes, and return it; None if nothing has."""
        taken = await self.codes_taken({table.code for table in log.state.tables.values()}, but=but)
        codes = {number: new_code() for number, table in log.state.tables.items() if table.code in taken}
        if not codes and not log.state.clock.running:
            return None
        last = log.entries[-1].at
        at = max(last, min(written or last, self.now()))
        entry = decide(log, TakeOver(codes), Told(director, at))
        log.append(entry)
        return entry if isinstance(entry, Action) else None

    async def codes_taken(self, codes: Collection[str], *, but: str | None) -> set[str]:
        """Return those codes that a table of any tournament but one has, be it closed."""
        rows = await asyncio.to_thread(self.journal.tournament_rows, _CODE_MARK)
        events = {
            stream: None
            for stream, body in rows
            if stream != but and any(_CODE_MARK + msgspec.json.encode(code) in body for code in codes)
        }
        taken: set[str] = set()
        for event in events:
            live = await self.get(event)
            if live is not None:
                taken |= {table.code for table in live.state.tables.values()}.intersection(codes)
        return taken

    def _check_opened(self, visitor: str) -> None:
        since = Millis(self.now() - DAY_MS)
        if self.journal.tournaments_opened(visitor, since=since) >= MOST_OPENED_A_DAY:
            message = f"you have opened {MOST_OPENED_A_DAY} events in 24 hours; go on with one of them"
            raise TooManyTournamentsError(Fault("too-many-events", message))

    async def _keep_new(self, visitor: str, director: str, log: Log) -> tuple[str, str]:
        tournament = "".join(secrets.choice(_ID_LETTERS) for _ in range(12))
        key = secrets.token_urlsafe(12)
        stored = StoredTournament(tournament, key, self.now())
        rows = await asyncio.to_thread(lambda: [encode_entry(entry) for entry in log.entries])
        await self.journal.append_rows(tournament, 0, rows, record=stored)
        await self.appoint(tournament, visitor, director)
        self._keep(LiveTournament(self, stored, ReadLog(log, {})))
        return tournament, key

    async def join(self, tournament: str, visitor: str, *, key: str, name: str) -> None:
        """Make a visitor a director who has the key; `NotAllowedError` if it is not the key."""
        stored = self.journal.tournament(tournament)
        if stored is None or not hmac.compare_digest(stored.key.encode(), key.encode()):
            raise NotAllowedError(Fault("key-wrong", "this is not the key of this event", field="key"))
        await self.appoint(tournament, visitor, name)

    async def appoint(self, tournament: str, visitor: str, name: str) -> None:
        """Make a visitor a director of a tournament or league."""
        record = StoredDirector(tournament, visitor, name, self.now())
        await self.journal.append_rows(f"{tournament}/directors/{visitor}/{record.since}", 0, [], record=record)

    def director(self, tournament: str, visitor: str) -> StoredDirector | None:
        """Return the visitor as a director of the tournament or league, None if they are not."""
        return self.journal.director(tournament, visitor)

    async def get(self, tournament: str) -> LiveTournament | None:
        """Return a tournament, from the journal if it is not loaded; None if there is none of this id."""
        live = self._live.get(tournament)
        if live is None:
            stored = self.journal.tournament(tournament)
            if stored is None:
                return None
            read = await self.read(tournament)
            # Somebody else may have been as quick.
            live = self._live.get(tournament) or LiveTournament(self, stored, read)
        self._keep(live)
        return live

    async def tournaments_of(self, visitor: str) -> list[LiveTournament]:
        """Return the tournaments that a visitor directs, newest first, at most `MOST_KEPT`."""
        found = [await self.get(stored.id) for stored in self.journal.tournaments_of(visitor)[:MOST_KEPT]]
        return [live for live in found if live is not None]

    async def find_code(self, code: str) -> tuple[LiveTournament, TableNumber] | None:
        """Return the table that has this code, in the newest tournament where one has; None if none has.

        Only the newest `MOST_KEPT` tournaments are loaded for it, and those that are loaded anyway looked at.
        """
        for age, stored in enumerate(self.journal.tournaments()):
            if age >= MOST_KEPT and stored.id not in self._live:
                continue
            live = await self.get(stored.id)
            number = live.table_of_code(code) if live is not None else None
            if live is not None and number is not None:
                return live, number
        return None

    async def read(self, tournament: str) -> ReadLog:
        """Return a tournament's log as the journal has it; the others go on meanwhile.

        `JournalError` if it cannot be read, or holds what this program cannot read.
        """
        rows = await asyncio.to_thread(self.journal.read_rows, tournament)
        senders = await asyncio.to_thread(self.journal.senders, tournament)
        try:
            return ReadLog(await asyncio.to_thread(replay_rows, rows), senders)
        except OfcError as error:
            raise JournalError(f"{tournament} holds what this program cannot read: {error}") from error

    async def close(self) -> None:
        """Finish what is being stored; the journal is closed by its owner."""
        await self.tasks.finish()

    def _keep(self, live: LiveTournament) -> None:
        self._live[live.stored.id] = live
        self._latest[live.stored.id] = live
        self._latest.move_to_end(live.stored.id)
        if len(self._latest) > MOST_KEPT:
            self._latest.popitem(last=False)


def new_code() -> str:
    """Return a code that is easily typed, as tables and leagues have."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def replay_rows(rows: Sequence[StoredRow]) -> Log:
    """Return the log that a journal's rows hold; `OfcError` if they are none."""
    # Of what is read nothing is garbage, and looking for some takes a third of the time.
    gc.disable()
    try:
        return Log.replay(decode_entry(row.type, row.body) for row in rows)
    finally:
        gc.enable()


def _checked(entries: Sequence[LogEntry]) -> Log:
    faults = check_log(entries)
    if faults:
        raise LogError(*faults)
    return Log.replay(entries)
