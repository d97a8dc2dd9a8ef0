"""Every tournament that this process serves: opened, taken in from a file, found again, and who directs it."""

from __future__ import annotations

import asyncio
import gc
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError, OfcError
from ofc.service.live_tournament import LiveTournament, NotAllowedError, ReadLog, new_code
from ofc.service.rooms import DAY_MS, now_ms
from ofc.service.tasks import Tasks
from ofc.storage import Journal, JournalError, StoredDirector, StoredRow, StoredTournament
from ofc.tournament.checking import check_log
from ofc.tournament.commands import (
    Open,
    TakeOver,
    Told,
)
from ofc.tournament.deciding import decide, open_tournament
from ofc.tournament.events import Action, LogEntry, TableCoded, TableNumber
from ofc.tournament.history import Log
from ofc.tournament.log import Export, LogError, decode_entry, encode_entry

MOST_OPENED_A_DAY: Final = 50
"""How many tournaments one visitor may open in 24 hours, those taken in included."""
MOST_KEPT: Final = 50
"""How many tournaments that nobody watches stay in memory, the latest used."""
_ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
MOST_BEHIND_MS: Final = 60_000
"""How far this computer's clock may be behind the moments in a file that is taken in."""
_CODE_MARK: Final = b'"code":'


class TooManyTournamentsError(IllegalCommandError):
    """The visitor has opened as many tournaments as one may for now."""


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
