"""Whether a log is one that this tournament's rules lead to: every entry is decided again by the same core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from ofc.errors import Fault, IllegalCommandError, OfcError
from ofc.tournament.commands import Command, Open, Told
from ofc.tournament.deciding import decide, open_tournament
from ofc.tournament.differing import differences
from ofc.tournament.events import (
    Action,
    HandSettled,
    LogEntry,
    SeatsDrawn,
    SeatsRedrawn,
)
from ofc.tournament.history import Log
from ofc.tournament.retelling import commands_of
from ofc.tournament.state import Settings, Tournament

LAST_MOMENT: Final = 253_402_300_799_999
"""The last millisecond of the year 9999."""


def check_log(entries: Iterable[LogEntry]) -> tuple[Fault, ...]:
    """Return what is wrong with a log, in order; nothing if it is as the rules have it.

    What was done is read from each entry, and decided again: all that is recorded must come of it. That are the seats
    that a recorded seed draws, every hand's payments, stacks, eliminations, button and price from the points or boards
    that were entered, and the moves, tables, prices and levels that follow. Chips are neither made nor lost, no moment
    lies before the one of the entry before, and what is taken back or done again could be.
    Each fault's message says in which entry, at which table and in which hand. What follows a wrong entry is judged by
    what that should have been; of entries after one that the rules refuse nothing can be said.
    """
    return review_log(entries).faults


@dataclass(frozen=True, slots=True)
class Review:
    """What is wrong with a log, and where its words are others than this version's, which is no fault."""

    faults: tuple[Fault, ...]
    remarks: tuple[Fault, ...]


def review_log(entries: Iterable[LogEntry]) -> Review:
    """Check a log as `check_log` does, and compare its words too: a log may be of a version that said it otherwise."""
    found = _found(entries)
    faults = tuple(fault for fault in found if fault.code != "words-other")
    return Review(faults, tuple(fault for fault in found if fault.code == "words-other"))


def _found(entries: Iterable[LogEntry]) -> tuple[Fault, ...]:
    faults: list[Fault] = []
    log: Log | None = None
    number = 0
    last = 0
    for number, entry in enumerate(entries, start=1):
        place = f"entry {number}"
        try:
            if not last <= entry.at <= LAST_MOMENT:
                faults.append(_placed(_time_fault(entry.at, last), place))
            last = min(entry.at, LAST_MOMENT)
            if log is None:
                log = Log.replay([entry])
                refused = _opening_faults(log.state.settings, entry)
                faults += [_placed(fault, place) for fault in refused]
                if any(fault.code != "words-other" for fault in refused):
                    break
            elif isinstance(entry, Action) and entry.seq == log.state.seq + 1:
                hand = _hand_in(entry)
                judged = _judge(log, entry)
                where = f"{place}, table {hand.table}, hand {hand.hand}" if hand is not None else place
                faults += [_placed(fault, where) for fault in judged.faults]
                if judged.right is None:
                    break
                log.append(judged.right)
            else:
                log.append(entry)
        except OfcError as error:
            return (*faults, *(_placed(fault, place) for fault in error.faults))
    if not number:
        return (Fault("log-empty", "there is no entry in it"),)
    return tuple(faults)


def _placed(fault: Fault, place: str) -> Fault:
    name = f", {fault.player}" if fault.player is not None and fault.player not in fault.message else ""
    return replace(fault, message=f"{place}{name}: {fault.message}")


def _time_fault(at: int, last: int) -> Fault:
    message = "it was done before the entry before it" if at < last else "it was done after the year 9999"
    message = message if last else "it was done before 1970, or after the year 9999"
    return Fault("log-time", message, field="at", text=str(at))


def _opening_faults(opened: Settings, entry: LogEntry) -> tuple[Fault, ...]:
    command = Open(opened.name, opened.rules, opened.structure, opened.seats, opened.absent_points)
    try:
        right = open_tournament(command, Told(entry.by, entry.at))
    except IllegalCommandError as error:
        return error.faults
    return () if right == entry or not isinstance(entry, Action) else (_words_fault(entry, right),)


@dataclass(frozen=True, slots=True)
class _Judged:
    """What is wrong with an action, and what it should have been; None where the core refuses it."""

    faults: tuple[Fault, ...]
    right: Action | None


def _judge(log: Log, action: Action) -> _Judged:
    """Decide again what an action can have come of; the likeliest is the one that it differs least from."""
    found: list[_Judged] = []
    try:
        for command in commands_of(log.state, action):
            judged = _compared(log, action, command)
            if not judged.faults:
                return judged
            found.append(judged)
    except IllegalCommandError as error:
        return _Judged(error.faults, None)
    if not found:
        kinds = ", ".join(dict.fromkeys(type(event).__name__ for event in action.events)) or "nothing"
        return _Judged((Fault("entry-wrong", f"{kinds}: nobody can do that", text=kinds),), None)
    return min(found, key=lambda one: (one.right is None, len(one.faults)))


def _chips_faults(state: Tournament, hand: HandSettled) -> Iterator[Fault]:
    """Judge that a hand makes no chips and loses none, however it was settled."""
    before = sum(player.stack for player in state.players.values() if player.id in hand.stacks)
    won = sum(hand.stacks.values()) - before
    if won:
        yield Fault("chips-lost", f"{won:+,} chips came into play from nowhere")


def _compared(log: Log, action: Action, command: Command) -> _Judged:
    try:
        right = decide(log, command, Told(action.by, action.at))
    except IllegalCommandError as error:
        return _Judged(error.faults, None)
    assert isinstance(right, Action)  # noqa: S101  # only undo and redo make others
    settled = _hand_in(action)
    if right.events != action.events:
        is_draw = any(isinstance(event, SeatsDrawn | SeatsRedrawn) for event in action.events)
        faults = tuple(
            replace(fault, code="draw-wrong" if is_draw else "hand-wrong" if settled is not None else "entry-wrong")
            for fault in differences(log.state, action.events, right.events)
        )
        return _Judged((*faults, *(_chips_faults(log.state, settled) if settled else ())), right)
    return _Judged(() if action.words == right.words else (_words_fault(action, right),), action)


def _hand_in(action: Action) -> HandSettled | None:
    return next((event for event in action.events if isinstance(event, HandSettled)), None)


def _words_fault(action: Action, right: Action) -> Fault:
    message = f"its words are “{action.words}”; this version says “{right.words}”"
    return Fault("words-other", message, field="words", text=action.words)
