"""Live tournaments and what keeps them: the journal, other processes, logs from elsewhere, and those who watch."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ofc.errors import IllegalCommandError
from ofc.scoring import Chips
from ofc.service import StaleError
from ofc.service import tournaments as service
from ofc.service.live_tournament import NotAllowedError
from ofc.service.tasks import Tasks
from ofc.storage import JournalError
from ofc.tournament import commands as do
from ofc.tournament.events import Action, HandSettled, TableNumber
from ofc.tournament.log import Export, LogError, encode_entry
from ofc.tournament.structure import Break, Structure
from tests.events import (
    KARI,
    OLA,
    STRUCTURE,
    VISITOR,
    Counted,
    FakeClock,
    begun,
    get,
    hand,
    opened,
    refused,
    run,
    serving,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ofc.sqlite"


def test_a_code_is_found_and_few_events_are_looked_through(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_KEPT", 2)

    async def work() -> None:
        clock = FakeClock()
        async with serving(path, clock) as tournaments:
            old, _ = await begun(tournaments)
            clock.now += 1
            await tournaments.take_in("another", "Ola", Export(tuple(old.log.entries)))
            code = old.state.table(TableNumber(1)).code
            found = await tournaments.find_code(code)
            assert found is not None
            assert found[0] is old
            del found
            for _ in range(2):
                clock.now += 1
                await opened(tournaments)
            found = await tournaments.find_code(code)
            assert found is not None
            assert found[0] is old  # held here, and so looked at however old
            event = old.stored.id
            del found, old, _
            gc.collect()
            assert await tournaments.find_code(code) is None
            assert (await get(tournaments, event)).table_of_code(code) == 1
            assert len(await tournaments.tournaments_of(VISITOR)) == 2

    run(work)


def test_whoever_watches_is_told_of_changes_and_of_the_clocks_steps(path: Path) -> None:
    async def work() -> None:
        clock = FakeClock()
        async with serving(path, clock) as tournaments:
            live, direct = await begun(tournaments)
            with live.watched() as changed, live.watched() as other:
                assert not changed.is_set()
                await direct.do(do.PauseClock())
                assert changed.is_set()
                assert other.is_set()
                assert live._timer is None
                await direct.do(do.StartClock())
                clock.now += 20 * 60_000 - 30
                await direct.do(hand(live))
                changed.clear()
                # The time that is left is short, and really passes; the moment is the test's.
                clock.now += 30
                await asyncio.wait_for(changed.wait(), 30)
                assert live.state.position(clock()).step == 1
            assert live._timer is None

    run(work)


def test_of_two_processes_the_late_one_reads_what_the_other_did(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as here, serving(path) as there:
            mine, direct = await begun(here)
            theirs = await get(there, mine.stored.id)
            first = await direct.do(hand(mine))
            with theirs.watched() as changed:
                await refused(theirs.submit(OLA, "a", theirs.state.seq, do.AdjustClock(60_000)), "stale", StaleError)
                assert changed.is_set()
            assert theirs.state == mine.state
            last = theirs.last_hand(TableNumber(1))
            assert last is not None
            assert last.seq == first.seq
            # It knows what was touched, and by whom.
            player = mine.state.at_table(TableNumber(1))[0].id
            late = do.CorrectStack(player, Chips(5), "lost")
            await refused(theirs.submit(OLA, "b", first.seq - 1, late), "stale", StaleError)
            await theirs.submit(KARI, "b", first.seq - 1, late)

    run(work)


def test_a_command_that_another_process_did_is_answered_as_there(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as here, serving(path) as there:
            mine, _ = await begun(here)
            theirs = await get(there, mine.stored.id)
            seq, command = mine.state.seq, hand(mine)
            done = await mine.submit(KARI, "x", seq, command)
            assert await theirs.submit(KARI, "x", seq, command) == done
            assert theirs.state == mine.state

    run(work)


def test_a_command_stored_by_another_process_at_the_same_moment_is_done_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with serving(path) as here, serving(path) as there:
            mine, _ = await begun(here)
            theirs = await get(there, mine.stored.id)
            seq, command = mine.state.seq, hand(mine)
            done = await mine.submit(KARI, "x", seq, command)
            # It was not stored yet when this process looked.
            monkeypatch.setattr(there.journal, "command_seq", lambda *_: None)
            assert await theirs.submit(KARI, "x", seq, command) == done
            assert theirs.state == mine.state

    run(work)


def test_where_the_journal_refuses_nothing_is_done_and_nobody_told(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, _ = await begun(tournaments)
            before, command = live.state, hand(live)
            with closing(sqlite3.connect(path)) as other:
                other.execute("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END")
                with live.watched() as changed:
                    with pytest.raises(JournalError, match="full"):
                        await live.submit(KARI, "x", before.seq, command)
                    with pytest.raises(JournalError, match="full"):
                        await opened(tournaments)
                    assert not changed.is_set()
                assert live.state is before
                other.execute("DROP TRIGGER full")
            assert (await live.submit(KARI, "x", before.seq, command)).seq == before.seq + 1
            assert [one.stored.id for one in await tournaments.tournaments_of(VISITOR)] == [live.stored.id]

    run(work)


def test_what_a_lost_connection_asked_for_is_done_all_the_same(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, _ = await begun(tournaments)
            seq = live.state.seq
            asking = asyncio.create_task(live.submit(KARI, "x", seq, hand(live)))
            await asyncio.sleep(0)
            asking.cancel()
            await tournaments.tasks.finish()
            assert live.state.seq == seq + 1

    run(work)


def test_a_log_that_cannot_be_read_is_a_fault_of_the_journal(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, _ = await begun(tournaments)
            event = live.stored.id
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE events SET body = '{}' WHERE stream = ? AND seq = 2", (event,))
            database.commit()
        async with serving(path) as tournaments:
            with pytest.raises(JournalError, match=f"{event} holds what this program cannot read"):
                await tournaments.get(event)

    run(work)


def test_an_event_goes_on_elsewhere_from_its_log(path: Path, tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(path) as here, serving(tmp_path / "other.sqlite") as there:
            live, direct = await begun(here)
            await direct.do(hand(live))
            await direct.do(do.PauseClock())
            answer = await there.take_in("stranger", "Ola", Export(tuple(live.log.entries)))
            event, key = answer.event, answer.key
            assert (event, key) != (live.stored.id, live.stored.key)
            taken = await get(there, event)
            assert taken.state == live.state
            director = there.director(event, "stranger")
            assert director is not None
            assert director.name == "Ola"
            for entries in (live.log.entries, live.log.entries[:-1]):
                with pytest.raises(LogError, match="here already") as known:
                    await there.take_in("stranger", "Ola", Export(tuple(entries)))
                assert [fault.code for fault in known.value.faults] == ["event-known"]
            await direct.do(hand(live))  # what went on elsewhere meanwhile can be taken in
            again = await there.take_in("stranger", "Ola", Export(tuple(live.log.entries)))
            assert again.event == event
            assert taken.state == live.state
            await Counted(taken).do(hand(taken), OLA)
        async with serving(tmp_path / "other.sqlite") as there:
            assert (await get(there, event)).state == taken.state

    run(work)


def test_a_log_that_was_written_by_hand_is_not_taken_in(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, direct = await begun(tournaments)
            await direct.do(hand(live))
            entries = list(live.log.entries)
            last = entries[-1]
            assert isinstance(last, Action)
            settled = last.events[0]
            assert isinstance(settled, HandSettled)
            forged = {player: Chips(stack + 1) for player, stack in settled.stacks.items()}
            events = (
                HandSettled(**{name: getattr(settled, name) for name in HandSettled.__slots__} | {"stacks": forged}),
            )
            entries[-1] = Action(last.seq, last.at, last.by, last.words, events)
            with pytest.raises(LogError) as error:
                await tournaments.take_in("x", "X", Export(tuple(entries)))
            assert {"hand-wrong", "chips-lost"} <= {fault.code for fault in error.value.faults}
            with pytest.raises(LogError, match="no entry"):
                await tournaments.take_in("x", "X", Export(()))
            assert await tournaments.tournaments_of("x") == []

    run(work)


def test_only_who_has_the_key_becomes_a_director_and_a_new_name_counts(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            event = await opened(tournaments)
            live = await get(tournaments, event)
            for wrong, name in ((event, "wrong"), (event, ""), (event, "é"), ("nothing", live.stored.key)):
                await refused(tournaments.join(wrong, "v", key=name, name="Ola"), "key-wrong", NotAllowedError)
            assert tournaments.director(event, "v") is None
            for name in ("Ola", "Ola N."):
                await tournaments.join(event, "v", key=live.stored.key, name=name)
                director = tournaments.director(event, "v")
                assert director is not None
                assert director.name == name

    run(work)


def test_a_tournament_that_cannot_be_is_not_opened(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            with pytest.raises(IllegalCommandError) as error:
                await opened(tournaments, Structure(Chips(0), (Break(5),), late_until=7))
            assert len(error.value.faults) >= 4
            assert tournaments.journal.tournaments() == []

    run(work)


def test_those_that_nobody_watches_are_let_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_KEPT", 1)

    async def work() -> None:
        async with serving(path) as tournaments:
            first, second = await opened(tournaments), await opened(tournaments)
            await asyncio.sleep(0)  # the event loop lets go of the last answer
            gc.collect()
            assert set(tournaments._live) == {second}
            live = await get(tournaments, first)
            both = await asyncio.gather(get(tournaments, second), get(tournaments, second))
            assert both[0] is both[1]
            assert set(tournaments._live) == {first, second}
            assert await get(tournaments, first) is live

    run(work)


def test_work_is_waited_for_at_the_end_whether_it_fails_or_not() -> None:
    async def work() -> None:
        tasks, done = Tasks(), []

        async def later(number: int) -> None:
            await asyncio.sleep(0)
            done.append(number)
            if number == 1:
                raise ValueError("failed")

        for number in range(3):
            tasks.spawn(later(number))
        await tasks.finish()
        await tasks.finish()
        assert sorted(done) == [0, 1, 2]
        assert not tasks._running

    run(work)


def test_the_journal_tells_who_sent_what(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, _ = await begun(tournaments)
            assert tournaments.journal.senders(live.stored.id) == {2: VISITOR, 3: VISITOR, 4: VISITOR}
            assert live.state.structure == STRUCTURE
            row = tournaments.journal.read_rows(live.stored.id)[3]
            assert (row.type, row.body) == encode_entry(live.log.entries[3])

    run(work)
