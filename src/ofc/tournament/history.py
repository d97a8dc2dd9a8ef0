"""A tournament as the fold of its log; every change can be undone and redone.

The state is made of parts: the settings, the clock, each player, each table. An action replaces some of them. It can
be undone as long as each part is still as the action left it, and redone as long as each is as it was before:
otherwise something was built upon it ("Played on").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import assert_never

from ofc.errors import Fault, IllegalCommandError
from ofc.tournament.applying import Change, Draft, Key, Maps, part_of, with_parts
from ofc.tournament.clock import clock_at, step_length_ms
from ofc.tournament.events import Action, LogEntry, Opened, Redone, Stage, Undone
from ofc.tournament.prizes import PrizeError
from ofc.tournament.standings import prizes_left
from ofc.tournament.state import Settings, Tournament


@dataclass(slots=True)
class Log:
    """A tournament's log with the state it leads to, and what is needed to undo each of its actions.

    `append` is the only way to change it. Entries are never rewritten.
    """

    state: Tournament
    entries: list[LogEntry] = field(default_factory=list)
    changes: dict[int, dict[Key, Change]] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)

    @classmethod
    def replay(cls, entries: Iterable[LogEntry]) -> Log:
        """Return the log of these entries; `IllegalCommandError` if they do not follow from each other.

        What was entered is not judged again: `ofc.tournament.checking.check_log` does that.
        """
        remaining = iter(entries)
        first = next(remaining, None)
        if first is None:
            raise IllegalCommandError(Fault("log-empty", "a log begins with a tournament being set up"))
        log = cls._begin(first)
        own: Maps = ({}, {})  # nobody sees the states between: one pair of maps serves all of them
        for entry in remaining:
            log._add(entry, own)  # noqa: SLF001  # its own
            if not isinstance(entry, Action):
                own = (dict(log.state.players), dict(log.state.tables))
        return log

    @classmethod
    def _begin(cls, entry: LogEntry) -> Log:
        match entry:
            case Action(seq=1, events=(Opened() as opened,)):
                settings = Settings(opened.name, opened.rules, opened.structure, opened.seats, opened.absent_points)
                length = step_length_ms(opened.structure, 0)
                clock = clock_at(0, length, running=False, now=entry.at)
                return cls(Tournament(settings, clock, {}, {}, seq=1), [entry])
            case _:
                raise IllegalCommandError(Fault("log-start", "a log begins with a tournament being set up"))

    def append(self, entry: LogEntry) -> None:
        """Add an entry and change the state accordingly; `IllegalCommandError` refuses it and changes nothing."""
        self._add(entry, None)

    def _add(self, entry: LogEntry, own: Maps | None) -> None:
        if entry.seq != self.state.seq + 1:
            message = f"entry {entry.seq} cannot follow entry {self.state.seq}"
            raise IllegalCommandError(Fault("log-gap", message, field="seq", text=str(entry.seq)))
        match entry:
            case Action():
                draft = self._draft(entry, own)
                self.changes[entry.seq] = draft.changes()
                self.state = draft.state
            case Undone(action=action):
                self.state = replace(self.check_undo(action), seq=entry.seq)
                self.undone.add(action)
            case Redone(action=action):
                self.state = replace(self.check_redo(action), seq=entry.seq)
                self.undone.discard(action)
            case _:
                assert_never(entry)
        self.entries.append(entry)

    def _draft(self, action: Action, own: Maps | None = None) -> Draft:
        draft = Draft(self.state, action, own=own)
        for event in action.events:
            draft.apply(event)
        return draft

    def check_undo(self, action: int) -> Tournament:
        """Return the state without an action; `IllegalCommandError` if it does not count, or was built upon.

        Once the tournament is finished, only its end can be taken back.
        """
        if action not in self.changes or action in self.undone:
            message = f"entry {action} is not an action that counts now"
            raise IllegalCommandError(Fault("undo-unknown", message, field="action", text=str(action)))
        if not self._is_as_left(action):
            message = "something was played on it since; undo that first"
            raise IllegalCommandError(Fault("played-on", message, field="action", text=str(action)))
        changes = self.changes[action]
        if self.state.settings.stage is Stage.FINISHED and ("settings", 0) not in changes:
            message = "the tournament is finished; undo its end first"
            raise IllegalCommandError(Fault("finished", message, field="action", text=str(action)))
        after = with_parts(self.state, {key: change.before for key, change in changes.items()})
        _refuse_unsound(self.state, after, action)
        return after

    def check_redo(self, action: int) -> Tournament:
        """Return the state with an action again; `IllegalCommandError` if it was not undone, or no longer fits."""
        if action not in self.undone:
            message = f"entry {action} was not taken back"
            raise IllegalCommandError(Fault("redo-unknown", message, field="action", text=str(action)))
        changes = self.changes[action]
        if not self._is_as_before(action):
            message = "something was done since that does not go with it"
            raise IllegalCommandError(Fault("played-on", message, field="action", text=str(action)))
        if self.state.settings.stage is Stage.FINISHED:
            message = "the tournament is finished; undo its end first"
            raise IllegalCommandError(Fault("finished", message, field="action", text=str(action)))
        after = with_parts(self.state, {key: change.after for key, change in changes.items()})
        _refuse_unsound(self.state, after, action)
        return after

    def without(self, action: int) -> Log:
        """Return the log as it would be were an action undone; this one stays. Refused as `check_undo` refuses it."""
        return replace(self, state=self.check_undo(action), undone={*self.undone, action})

    def touched_by(self, entry: LogEntry) -> frozenset[Key]:
        """Return the parts that an entry changed, or would change if it were appended next."""
        if not isinstance(entry, Action):
            return frozenset(self.changes.get(entry.action, ()))
        if entry.seq > self.state.seq:
            return frozenset(self._draft(entry).changes())
        return frozenset(self.changes.get(entry.seq, ()))

    def can_undo(self, action: int) -> bool:
        """Whether the action counts and nothing was built upon it."""
        return action in self.changes and action not in self.undone and self._is_as_left(action)

    def can_redo(self, action: int) -> bool:
        """Whether the action was undone, and all is as it was before it."""
        return action in self.undone and self._is_as_before(action)

    def _is_as_before(self, action: int) -> bool:
        return all(part_of(self.state, key) == change.before for key, change in self.changes[action].items())

    def _is_as_left(self, action: int) -> bool:
        return all(part_of(self.state, key) == change.after for key, change in self.changes[action].items())


def _refuse_unsound(before: Tournament, after: Tournament, action: int) -> None:
    """Refuse to take back, or do again, what parts that were changed since do not go with.

    The clock runs only while it is played; names and codes are unique; a table's price is that of a level; a deal is
    between all who play, about the prizes there are.
    """
    code, message = "played-on", None
    names = [player.name.casefold() for player in after.players.values() if not player.withdrawn]
    codes = [table.code for table in after.tables.values()]
    if after.clock.running and after.settings.stage is not Stage.RUNNING:
        code, message = "clock-runs", "the clock runs; undo that, or pause it, first"
    elif len(set(names)) < len(names) or len(set(codes)) < len(codes):
        message = "a player of that name, or a table of that code, came since"
    elif after.tables_without_level(after.structure):
        message = "a table plays at a level that would be gone"
    elif after.deal is not None and not _is_deal_sound(before, after):
        message = "a deal was made about this; undo that first"
    if message is not None:
        raise IllegalCommandError(Fault(code, message, field="action", text=str(action)))


def _is_deal_sound(before: Tournament, after: Tournament) -> bool:
    deal = after.deal
    if deal is None or not {player.id for player in after.alive} <= deal.shares.keys():
        return False
    if before.deal is not None:
        return after.prizes == before.prizes and after.entries == before.entries
    try:
        return sum(deal.shares.values()) + deal.held_back == sum(prizes_left(after))
    except PrizeError:
        return False
