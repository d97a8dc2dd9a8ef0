"""A league as the fold of its log: its rule, and which events belong to it; every change can be undone and redone.

The state is made of parts, the settings and each event, and an entry replaces one of them. It can be undone as long as
the part is as the entry left it, as in `ofc.tournament.history`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

import msgspec

from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError
from ofc.tournament.commands import Redo, Told, Undo
from ofc.tournament.events import Redone, Undone
from ofc.tournament.league_formulas import format_formula, parse_formula, rule_words
from ofc.tournament.leagues import League, LeagueError, LinearPoints, league_faults
from ofc.tournament.refusing import name_faults, refuse

MOST_EVENTS: Final = 100
_SETTINGS: Final = ""
"""The key of the settings; an event's is its id."""


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """A league's name and rule. `formula` is what `parse_formula` reads."""

    name: str
    formula: str
    best: int | None = None
    least_played: int = 0

    @property
    def league(self) -> League:
        """The rule; `LeagueError` if the formula is none."""
        return League(parse_formula(self.formula), self.best, self.least_played)


@dataclass(frozen=True, slots=True)
class ListEvent:
    """Command: add an event, called `name`, or take it out."""

    event: str
    name: str
    belongs: bool


@dataclass(frozen=True, slots=True)
class LeagueSet:
    """The league was opened with these settings, or they were changed."""

    seq: int
    at: Millis
    by: str
    words: str
    settings: LeagueSettings


@dataclass(frozen=True, slots=True)
class EventListed:
    """An event was added, or taken out."""

    seq: int
    at: Millis
    by: str
    words: str
    event: str
    belongs: bool


LeagueCommand = LeagueSettings | ListEvent | Undo | Redo
LeagueAction = LeagueSet | EventListed
LeagueEntry = LeagueAction | Undone | Redone
_KINDS: Final[dict[str, type[LeagueEntry]]] = {kind.__name__: kind for kind in get_args(LeagueEntry)}


@dataclass(slots=True)
class LeagueLog:
    """A league's log with the state it leads to. `append` is the only way to change it."""

    entries: list[LeagueEntry] = field(default_factory=list)
    undone: set[int] = field(default_factory=set)
    _parts: dict[str, Any] = field(default_factory=dict)
    _done: dict[int, tuple[LeagueAction, Any]] = field(default_factory=dict)
    """Each action with the part as it was before; not the opening, which stays."""
    _latest: dict[str, int] = field(default_factory=dict)

    @classmethod
    def replay(cls, entries: Iterable[LeagueEntry]) -> LeagueLog:
        """Return the log of these entries; `IllegalCommandError` if they do not follow from each other."""
        log = cls()
        for entry in entries:
            log.append(entry)
        return log

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    @property
    def settings(self) -> LeagueSettings:
        """The league's name and rule now."""
        settings: LeagueSettings = self._parts[_SETTINGS]
        return settings

    @property
    def events(self) -> list[str]:
        """The ids of the events that belong to it."""
        return [key for key, part in self._parts.items() if part is True]

    def decide(self, command: LeagueCommand, told: Told) -> LeagueEntry:
        """Return the entry that a command makes; `IllegalCommandError` or `LeagueError` says why not."""
        seq = self.seq + 1
        match command:
            case Undo(action):
                self._check(action, is_redo=False)
                return Undone(seq, told.at, told.by, action)
            case Redo(action):
                self._check(action, is_redo=True)
                return Redone(seq, told.at, told.by, action)
            case ListEvent(event, name, belongs):
                if belongs == (event in self.events):
                    code, words = ("listed", "is in the league already") if belongs else ("unlisted", "is not in it")
                    refuse(f"event-{code}", f"{name} {words}", field="event", text=event)
                if belongs and len(self.events) >= MOST_EVENTS:
                    refuse("league-full", f"a league has at most {MOST_EVENTS} events", field="event", text=event)
                words = f"{name} was {'added' if belongs else 'taken out'}."
                return EventListed(seq, told.at, told.by, words, event, belongs)
            case _:
                league = _checked(command)
                words = f"{command.name}: {rule_words(league)}."
                return LeagueSet(seq, told.at, told.by, words, replace(command, formula=format_formula(league.formula)))

    def append(self, entry: LeagueEntry) -> None:
        """Add an entry and change the state accordingly; `IllegalCommandError` refuses it and changes nothing."""
        if entry.seq != self.seq + 1 or (not self.seq and not isinstance(entry, LeagueSet)):
            message = f"entry {entry.seq} cannot follow entry {self.seq}"
            raise IllegalCommandError(Fault("log-gap", message, field="seq", text=str(entry.seq)))
        match entry:
            case Undone(action=seq):
                action, part = self._check(seq, is_redo=False)
                self.undone.add(seq)
            case Redone(action=seq):
                action, _ = self._check(seq, is_redo=True)
                part = _after(action)
                self.undone.discard(seq)
            case _:
                action, part = entry, _after(entry)
                if self.seq:
                    self._done[entry.seq] = (entry, self._parts.get(_key(entry)))
        self._parts[_key(action)] = part
        self._latest[_key(action)] = entry.seq
        self.entries.append(entry)

    def can_undo(self, action: int) -> bool:
        """Whether an entry is an action that counts, and nothing was built upon it."""
        return self._is_possible(action, is_redo=False)

    def can_redo(self, action: int) -> bool:
        """Whether an entry is an action that was undone, and all is as it was before it."""
        return self._is_possible(action, is_redo=True)

    def _is_possible(self, action: int, *, is_redo: bool) -> bool:
        try:
            self._check(action, is_redo=is_redo)
        except IllegalCommandError:
            return False
        return True

    def changed_at(self, entry: LeagueEntry) -> int:
        """Return the number of the last entry that changed what this one would change if it were appended next."""
        action = self._done[entry.action][0] if isinstance(entry, Undone | Redone) else entry
        return self._latest.get(_key(action), 0)

    def words(self, entry: LeagueEntry) -> str:
        """Say an entry to people."""
        if isinstance(entry, Undone | Redone):
            return f"{'Undone' if isinstance(entry, Undone) else 'Redone'}: {self._done[entry.action][0].words}"
        return entry.words

    def _check(self, seq: int, *, is_redo: bool) -> tuple[LeagueAction, Any]:
        """Return the action to be taken back or done again, and its part as it was before."""
        if seq not in self._done or (seq in self.undone) != is_redo:
            message = f"entry {seq} {'was not taken back' if is_redo else 'is not an action that counts now'}"
            refuse("redo-unknown" if is_redo else "undo-unknown", message, field="action", text=seq)
        action, before = self._done[seq]
        if self._parts[_key(action)] != (before if is_redo else _after(action)):
            refuse("played-on", "it was changed again since; undo that first", field="action", text=seq)
        return action, before


def _checked(settings: LeagueSettings) -> League:
    """Return the rule; `LeagueError` holds every fault of it and of the name."""
    faults = name_faults(settings.name)
    try:
        league = settings.league
    except LeagueError as error:
        faults += error.faults
        league = League(LinearPoints(), settings.best, settings.least_played)
    faults += league_faults(league)
    if faults:
        raise LeagueError(*faults)
    return league


def _key(action: LeagueAction) -> str:
    return _SETTINGS if isinstance(action, LeagueSet) else action.event


def _after(action: LeagueAction) -> LeagueSettings | bool:
    return action.settings if isinstance(action, LeagueSet) else action.belongs


def encode_league_entry(entry: LeagueEntry) -> tuple[str, bytes]:
    """Return an entry's type name and its JSON."""
    return type(entry).__name__, msgspec.json.encode(entry)


def decode_league_entry(name: str, body: bytes) -> LeagueEntry:
    """Return the entry that `encode_league_entry` wrote; `LeagueError` if it is not one."""
    if name not in _KINDS:
        raise LeagueError(Fault("log-type", f"an entry is one of {', '.join(_KINDS)}", field="type", text=name[:80]))
    try:
        return msgspec.json.decode(body, type=_KINDS[name])
    except msgspec.DecodeError as error:
        raise LeagueError(Fault("log-field", f"not an entry of a league's log: {error}")) from error
