"""Leagues: each a stream of its own in the journal, over the logs of its events.

Nothing here is the owner of anything: a league is read again when its stream has grown, so that it does not matter
which process, or which director, was first.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from ofc.clock import Millis
from ofc.errors import Fault, OfcError
from ofc.service.live_tournament import Actor, NotAllowedError, new_code
from ofc.service.rooms import DAY_MS, StaleError, check_known
from ofc.service.tournaments import MOST_KEPT, MOST_OPENED_A_DAY, TooManyTournamentsError, Tournaments
from ofc.storage import ConflictError, JournalError, StoredLeague
from ofc.tournament.commands import Told
from ofc.tournament.events import Stage
from ofc.tournament.league_log import (
    LeagueCommand,
    LeagueLog,
    LeagueSettings,
    ListEvent,
    decode_league_entry,
    encode_league_entry,
)
from ofc.tournament.league_table import Row, event_result, is_over, league_table
from ofc.tournament.leagues import LeagueEvent
from ofc.tournament.refusing import refuse

_STREAM: Final = "league/"


@dataclass(frozen=True, slots=True)
class LeagueDone:
    """A command that is stored: the log's number after it, and its words."""

    seq: int
    words: str


@dataclass(frozen=True, slots=True)
class Counted:
    """One event of a league as it is at number `seq` of its log."""

    id: str
    seq: int
    stage: Stage
    opened_at: Millis
    result: LeagueEvent
    is_over: bool


@dataclass(slots=True, eq=False)
class LiveLeague:
    """A league as it was read last: its log, its events by the moment they were opened, and its table."""

    stored: StoredLeague
    log: LeagueLog
    events: tuple[Counted, ...] = ()
    table: tuple[Row, ...] = ()
    made_of: object = field(default=None)
    """What the table was made of: the numbers of the league's log and of each event's."""


class Leagues:
    """Every league of this process' journal."""

    def __init__(self, tournaments: Tournaments) -> None:
        """Serve the leagues over these tournaments."""
        self._tournaments = tournaments
        self._journal = tournaments.journal
        self._latest: OrderedDict[str, LiveLeague] = OrderedDict()

    async def open(self, visitor: str, director: str, settings: LeagueSettings) -> StoredLeague:
        """Open a league directed by `visitor`.

        `LeagueError` holds every fault of the settings, `TooManyTournamentsError` says that there are enough.
        """
        since = self._tournaments.now() - DAY_MS
        if sum(one.opened_at >= since for one in self._journal.leagues_of(visitor)) >= MOST_OPENED_A_DAY:
            message = f"you have opened {MOST_OPENED_A_DAY} leagues in 24 hours; go on with one of them"
            raise TooManyTournamentsError(Fault("too-many-leagues", message))
        entry = LeagueLog().decide(settings, Told(director, self._tournaments.now()))
        stored = StoredLeague(new_code(), secrets.token_urlsafe(12), self._tournaments.now())
        await self._journal.append_rows(_STREAM + stored.id, 0, [encode_league_entry(entry)], record=stored)
        await self._tournaments.appoint(stored.id, visitor, director)
        return stored

    async def join(self, league: LiveLeague, visitor: str, *, key: str, name: str) -> None:
        """Make a visitor a director who has the key; `NotAllowedError` if it is not the key."""
        if not hmac.compare_digest(league.stored.key.encode(), key.encode()):
            raise NotAllowedError(Fault("key-wrong", "this is not the key of this league", field="key"))
        await self._tournaments.appoint(league.stored.id, visitor, name)

    async def leagues_of(self, visitor: str) -> list[LiveLeague]:
        """Return the leagues that a visitor directs, newest first, at most `MOST_KEPT`."""
        found = [await self.get(stored.id) for stored in self._journal.leagues_of(visitor)[:MOST_KEPT]]
        return [league for league in found if league is not None]

    async def get(self, code: str) -> LiveLeague | None:
        """Return a league as it is now, without its table; None if there is none of this code."""
        code = code.strip().upper()
        league = self._latest.get(code)
        if league is None:
            stored = self._journal.league(code)
            if stored is None:
                return None
            league = LiveLeague(stored, LeagueLog())
        if self._journal.last_seq(_STREAM + code) != league.log.seq:
            league.log = self._read(code)
        self._latest[code] = league
        self._latest.move_to_end(code)
        if len(self._latest) > MOST_KEPT:
            self._latest.popitem(last=False)
        return league

    def _read(self, code: str) -> LeagueLog:
        rows = self._journal.read_rows(_STREAM + code)
        try:
            return LeagueLog.replay(decode_league_entry(row.type, row.body) for row in rows)
        except OfcError as error:
            raise JournalError(f"league {code} holds what this program cannot read: {error}") from error

    async def count(self, league: LiveLeague) -> None:
        """Bring a league's events and table up to what was stored; little work where nothing was."""
        log, known = league.log, {one.id: one for one in league.events}
        events = [await self._event(event, known.get(event)) for event in log.events]
        made_of = (log.seq, *((one.id, one.seq) for one in events))
        if made_of == league.made_of:
            return
        events.sort(key=lambda one: (one.opened_at, one.id))
        running = frozenset(number for number, one in enumerate(events) if not one.is_over)
        results = [one.result for one in events]
        rows = await asyncio.to_thread(league_table, log.settings.league, results, running=running)
        # At once, and last: who reads meanwhile sees the table before.
        league.events, league.table, league.made_of = tuple(events), tuple(rows), made_of

    async def _event(self, event: str, known: Counted | None) -> Counted:
        if known is not None and known.seq == self._journal.last_seq(event):
            return known
        live = await self._tournaments.get(event)
        if live is None:
            raise JournalError(f"event {event}, which a league counts, is not in the journal")
        state = live.state
        result = await asyncio.to_thread(event_result, state)
        return Counted(event, state.seq, state.settings.stage, live.stored.opened_at, result, is_over(state))

    async def submit(
        self, league: LiveLeague, actor: Actor, command_id: str, base_seq: int, command: LeagueCommand
    ) -> LeagueDone:
        """Do a director's command once, and return when it is on the disk; refused as `LiveTournament.submit`.

        Only who directs an event may add it: its players were not asked by anybody else.
        """
        stream = _STREAM + league.stored.id
        done = self._journal.command_seq(stream, actor.sender, command_id)
        if done is None:
            if isinstance(command, ListEvent):
                command = await self._named(command, actor)
            log = league.log
            check_known("league", base_seq, log.seq)
            entry = log.decide(command, Told(actor.name, self._tournaments.now()))
            latest = log.changed_at(entry)
            if latest > base_seq:
                first = log.entries[latest - 1]
                raise _stale(f"{first.by} was first: {log.words(first)}", base_seq)
            rows = [encode_league_entry(entry)]
            try:
                appended = await self._journal.append_rows(
                    stream, log.seq, rows, sender=actor.sender, command=command_id
                )
            except ConflictError as error:
                raise _stale("somebody else was first; look again", base_seq) from error
            done = appended.seq
        log = self._read(league.stored.id)
        return LeagueDone(done, log.words(log.entries[done - 1]))

    async def _named(self, command: ListEvent, actor: Actor) -> ListEvent:
        """Return the command with the event's name; refused if the event is not the actor's to add."""
        live = await self._tournaments.get(command.event)
        if live is None:
            refuse("event-unknown", "there is no such event", field="event", text=command.event)
        if command.belongs and self._tournaments.director(command.event, actor.sender) is None:
            message = f"only a director of {live.state.settings.name} may add it"
            raise NotAllowedError(Fault("not-director", message, field="event"))
        return ListEvent(command.event, live.state.settings.name, command.belongs)


def _stale(message: str, base_seq: int) -> StaleError:
    return StaleError(Fault("stale", message, field="seq", text=str(base_seq)))
