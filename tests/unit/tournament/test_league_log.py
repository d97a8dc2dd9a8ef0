"""A league's log: what is decided, refused, undone, and read back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc.clock import Millis
from ofc.errors import IllegalCommandError, OfcError
from ofc.tournament.commands import Redo, Told, Undo
from ofc.tournament.events import Undone
from ofc.tournament.league_log import (
    MOST_EVENTS,
    LeagueCommand,
    LeagueLog,
    LeagueSet,
    LeagueSettings,
    ListEvent,
    decode_league_entry,
    encode_league_entry,
)
from ofc.tournament.leagues import LeagueError, LinearPoints

TOLD = Told("Kari", Millis(5))
OPENING = LeagueSettings("Spring", "linear")
OTHER = LeagueSettings("Spring", "root", best=3, least_played=2)


def add(event: str) -> ListEvent:
    return ListEvent(event, f"Event {event}", belongs=True)


def remove(event: str) -> ListEvent:
    return ListEvent(event, f"Event {event}", belongs=False)


def made(*commands: LeagueCommand) -> LeagueLog:
    log = LeagueLog()
    for command in (OPENING, *commands):
        log.append(log.decide(command, TOLD))
    return log


def refused(code: str, work: Callable[[], object], kind: type[OfcError] = IllegalCommandError) -> None:
    with pytest.raises(kind) as error:
        work()
    assert error.value.code == code


def test_settings_and_events_are_what_was_said_last() -> None:
    log = made(add("a"), add("b"), OTHER, remove("a"))
    assert log.settings == OTHER
    assert log.settings.league.best == 3
    assert (log.events, log.seq) == (["b"], 5)
    assert [log.words(entry) for entry in log.entries] == [
        "Spring: 1 for every player beaten and 1 for coming.",
        "Event a was added.",
        "Event b was added.",
        "Spring: 10 × √(players ÷ place); the best 3 results count; who played 2 events is ranked first.",
        "Event a was taken out.",
    ]


def test_a_formula_is_kept_as_it_is_written_in_one_way() -> None:
    assert made().settings == LeagueSettings("Spring", "linear:1,1")
    assert made().settings.league.formula == LinearPoints()


def test_undo_and_redo_bring_back_what_was_before_and_after() -> None:
    log = made(add("a"), OTHER, Undo(3), Undo(2))
    assert (log.settings, log.events, log.undone) == (LeagueSettings("Spring", "linear:1,1"), [], {2, 3})
    assert [log.can_undo(seq) for seq in range(1, 6)] == [False] * 5
    log.append(log.decide(Redo(2), TOLD))
    assert (log.events, log.can_undo(2)) == (["a"], True)
    assert log.words(log.entries[-1]) == "Redone: Event a was added."
    assert log.words(log.entries[-2]) == "Undone: Event a was added."


@pytest.mark.parametrize(
    ("before", "command", "code"),
    [
        ([add("a")], add("a"), "event-listed"),
        ([], remove("a"), "event-unlisted"),
        ([add("a"), Undo(2)], remove("a"), "event-unlisted"),
        ([add(str(number)) for number in range(MOST_EVENTS)], add("a"), "league-full"),
        ([], Undo(1), "undo-unknown"),
        ([], Undo(2), "undo-unknown"),
        ([add("a"), Undo(2)], Undo(2), "undo-unknown"),
        ([add("a"), Undo(2)], Undo(3), "undo-unknown"),
        ([add("a"), remove("a")], Undo(2), "played-on"),
        ([add("a")], Redo(2), "redo-unknown"),
        ([OTHER, Undo(2), LeagueSettings("Spring", "neau")], Redo(2), "played-on"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    before: list[LeagueCommand], command: LeagueCommand, code: str
) -> None:
    log = made(*before)
    seq, events = log.seq, log.events
    refused(code, lambda: log.decide(command, TOLD))
    assert (log.seq, log.events) == (seq, events)


def test_every_fault_of_the_settings_is_told() -> None:
    with pytest.raises(LeagueError) as error:
        made(LeagueSettings("", "golden", best=0, least_played=-1))
    assert [fault.code for fault in error.value.faults] == [
        "name-length",
        "formula-unknown",
        "league-impossible",
        "league-impossible",
    ]


def test_what_an_entry_would_change_was_changed_last_at() -> None:
    log = made(add("a"), add("b"), OTHER)
    assert log.changed_at(log.decide(Undo(2), TOLD)) == 2
    assert log.changed_at(log.decide(OPENING, TOLD)) == 4
    assert log.changed_at(log.decide(add("c"), TOLD)) == 0


def test_a_log_begins_with_settings_and_has_no_gap() -> None:
    refused("log-gap", lambda: LeagueLog.replay([Undone(1, Millis(0), "Kari", 1)]))
    refused("log-gap", lambda: LeagueLog.replay([LeagueSet(2, Millis(0), "Kari", "", OPENING)]))


COMMANDS = st.one_of(
    st.sampled_from([OPENING, OTHER, *map(add, "ab"), *map(remove, "ab")]),
    st.builds(Undo, st.integers(0, 9)),
    st.builds(Redo, st.integers(0, 9)),
)


@given(st.lists(COMMANDS, max_size=12))
def test_what_is_stored_is_read_back_and_leads_to_the_same(commands: list[LeagueCommand]) -> None:
    log = made()
    for command in commands:
        try:
            log.append(log.decide(command, TOLD))
        except IllegalCommandError:
            continue
    again = LeagueLog.replay(decode_league_entry(*encode_league_entry(entry)) for entry in log.entries)
    assert again == log
    undoable = [seq for seq in range(1, log.seq + 1) if log.can_undo(seq)]
    for seq in undoable:
        other = LeagueLog.replay(log.entries)
        other.append(other.decide(Undo(seq), TOLD))
        other.append(other.decide(Redo(seq), TOLD))
        assert (other.settings, set(other.events)) == (log.settings, set(log.events))


def test_what_is_no_entry_is_refused() -> None:
    refused("log-type", lambda: decode_league_entry("Opened", b"{}"), LeagueError)
    refused("log-field", lambda: decode_league_entry("LeagueSet", b"{}"), LeagueError)
    refused("log-field", lambda: decode_league_entry("LeagueSet", b"{"), LeagueError)
