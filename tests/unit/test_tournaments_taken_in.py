"""An event that goes on from its file: which codes it has, where its clock stands, and which event it is."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ofc.clock import Millis
from ofc.service import StaleError
from ofc.service.live_tournament import LiveTournament
from ofc.service.tournaments import TakenIn, Tournaments
from ofc.tournament import commands as do
from ofc.tournament.events import Stage, TableNumber
from ofc.tournament.log import Export, LogError
from ofc.tournament.structure import MINUTE_MS
from tests.events import KARI, OLA, VISITOR, Counted, FakeClock, begun, get, hand, refused, run, serving

T1 = TableNumber(1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ofc.sqlite"


def codes_of(live: LiveTournament) -> dict[TableNumber, str]:
    return {number: table.code for number, table in live.state.tables.items()}


async def take_in(
    tournaments: Tournaments, live: LiveTournament, *, at: int | None = None, visitor: str = OLA.sender
) -> TakenIn:
    file = Export(tuple(live.log.entries), None if at is None else Millis(at))
    return await tournaments.take_in(visitor, "Ola", file)


def test_a_copy_beside_the_original_gets_codes_of_its_own_and_says_so(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, direct = await begun(tournaments)
            await direct.do(do.Bag())
            taken = await take_in(tournaments, live)
            copy = await get(tournaments, taken.event)
            assert taken.codes == codes_of(copy)
            assert taken.words is not None
            assert "Tables 1, 2 and 3 have new codes" in taken.words
            assert copy.log.entries[-1].by == "Ola"
            for own in (live, copy):
                for number, code in codes_of(own).items():
                    assert await tournaments.find_code(code) == (own, number)
            third = await take_in(tournaments, live, visitor="third")
            assert set(third.codes.values()).isdisjoint([*codes_of(live).values(), *codes_of(copy).values()])

    run(work)


def test_on_another_server_the_printed_codes_stay(path: Path, tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(path) as here, serving(tmp_path / "other.sqlite") as there:
            live, direct = await begun(here)
            await direct.do(do.Bag())
            taken = await take_in(there, live)
            assert (taken.codes, taken.words, taken.is_known) == ({}, None, False)
            assert (await get(there, taken.event)).log.entries == live.log.entries

    run(work)


def test_a_table_that_was_closed_keeps_its_code_from_copies_too(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, direct = await begun(tournaments, players=4)
            await direct.do(do.Bag())
            before = Export(tuple(live.log.entries))
            await direct.do(do.Resume())
            first, second = (player.id for player in live.state.at_table(TableNumber(2)))
            for player in (first, second):
                await direct.do(do.RemovePlayer(player, "left"))
            assert not live.state.tables[TableNumber(2)].open
            taken = await tournaments.take_in(OLA.sender, "Ola", before)
            assert taken.codes.keys() == {1, 2}
            copy = await get(tournaments, taken.event)
            for number in (8, 7):  # it opens again, under its own code
                await direct.do(do.Undo(number))
            assert await tournaments.find_code(live.state.tables[TableNumber(2)].code) == (live, TableNumber(2))
            # A copy of this moment has table 2 closed, and gets another code for it all the same.
            assert copy.state.tables[TableNumber(2)].code != live.state.tables[TableNumber(2)].code

    run(work)


def test_a_code_that_another_event_has_by_now_cannot_be_taken_back(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, direct = await begun(tournaments)
            await direct.do(do.PauseClock())
            drawn = live.state.seq - 2
            for number in (drawn + 2, drawn + 1, drawn):  # the pause, the clock, the draw
                await direct.do(do.Undo(number))
            assert live.state.settings.stage is Stage.SETUP
            taken = await take_in(tournaments, live)
            assert (taken.codes, taken.words) == ({}, None)
            copy = Counted(await get(tournaments, taken.event))
            await direct.do(do.Redo(drawn))
            await refused(copy.do(do.Redo(drawn), OLA), "code-taken")
            assert copy.live.state.settings.stage is Stage.SETUP
            beside = await take_in(tournaments, live, visitor="third")
            other = Counted(await get(tournaments, beside.event))
            await refused(other.do(do.Undo(other.live.state.seq), OLA), "code-taken")
            await direct.do(do.Undo(drawn))  # its own it may

    run(work)


def test_a_clock_that_ran_stands_as_it_was_when_the_file_was_written(path: Path, tmp_path: Path) -> None:
    async def work() -> None:
        clock = FakeClock()
        async with serving(path, clock) as here, serving(tmp_path / "other.sqlite", clock) as there:
            live, direct = await begun(here)
            written = clock.now + 5 * MINUTE_MS
            clock.now += 45 * MINUTE_MS  # the laptop is carried to another room
            taken = await take_in(there, live, at=written)
            moved = await get(there, taken.event)
            assert not moved.state.clock.running
            assert moved.state.position(moved.now()).left_ms == 15 * MINUTE_MS
            assert moved.log.entries[-1].at == written
            assert taken.words == (
                "The event went on from its file. The clock stands as it was when the file was written."
            )
            # A file of before the moment was written counts from its last entry, and one that lies from now.
            for at, left in ((None, 20), (clock.now + 9 * MINUTE_MS, 5)):
                other = await take_in(there, live, at=at, visitor=f"at {at}")
                position = (await get(there, other.event)).state.position(Millis(clock.now))
                assert (position.step, position.left_ms) == (0, 20 * MINUTE_MS) if left == 20 else position.step
            await direct.do(do.PauseClock())

    run(work)


def test_an_event_comes_back_to_the_server_it_left_as_the_same_event(path: Path, tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(path) as here, serving(tmp_path / "other.sqlite") as there:
            live, direct = await begun(here)
            await direct.do(do.Bag())
            away = Counted(await get(there, (await take_in(there, live)).event))
            await away.do(do.Resume(), OLA)
            await away.do(hand(away.live), OLA)
            with live.watched() as changed:
                back = await take_in(here, away.live, visitor=VISITOR)
                assert changed.is_set()
            assert (back.event, back.key, back.is_known) == (live.stored.id, live.stored.key, True)
            assert (back.codes, back.words) == ({}, None)
            assert live.state == away.live.state
            done = await direct.do(hand(live))
            assert done.seq == away.live.state.seq + 1
            assert len(await here.tournaments_of(VISITOR)) == 1
        async with serving(path) as here:
            assert (await get(here, live.stored.id)).state == live.state

    run(work)


def test_what_went_on_in_both_places_is_a_copy(path: Path, tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(path) as here, serving(tmp_path / "other.sqlite") as there:
            live, direct = await begun(here)
            await direct.do(do.Bag())
            away = Counted(await get(there, (await take_in(there, live)).event))
            await away.do(do.Resume(), OLA)
            await direct.do(do.CorrectStack(live.state.at_table(T1)[0].id, live.state.structure.starting_stack, "x"))
            back = await take_in(here, away.live, visitor=VISITOR)
            assert not back.is_known
            assert back.event != live.stored.id
            assert back.codes.keys() == {1, 2, 3}
            with pytest.raises(StaleError):  # as if something was done here between the look and the append
                await live.extend(away.live.log)

    run(work)


def test_of_two_copies_at_once_the_second_has_codes_of_its_own_too(path: Path, tmp_path: Path) -> None:
    async def work() -> None:
        async with serving(path) as here, serving(tmp_path / "other.sqlite") as there:
            live, direct = await begun(here)
            await direct.do(do.Bag())
            both = await asyncio.gather(take_in(there, live), take_in(there, live, visitor="third"))
            found = [codes_of(await get(there, one.event)) for one in both]
            assert set(found[0].values()).isdisjoint(found[1].values())

    run(work)


def test_moments_never_go_backwards(path: Path, tmp_path: Path) -> None:
    async def work() -> None:
        clock, slow = FakeClock(), FakeClock()
        async with serving(path, clock) as here, serving(tmp_path / "other.sqlite", slow) as there:
            live, direct = await begun(here)
            slow.now -= 5 * MINUTE_MS
            with pytest.raises(LogError, match="5 min behind") as error:
                await take_in(there, live)
            assert error.value.code == "clock-behind"
            slow.now += 5 * MINUTE_MS - 10_000
            moved = Counted(await get(there, (await take_in(there, live)).event))
            await moved.do(hand(moved.live), OLA)
            clock.now -= MINUTE_MS  # somebody sets the laptop's clock
            await direct.do(hand(live))
            for one in (live, moved.live):
                moments = [entry.at for entry in one.log.entries]
                assert moments == sorted(moments)

    run(work)


def test_a_finished_copy_gets_codes_of_its_own_too(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, direct = await begun(tournaments)
            await direct.do(do.Finish())
            taken = await take_in(tournaments, live)
            copy = Counted(await get(tournaments, taken.event))
            assert taken.codes.keys() == {1, 2, 3}
            await refused(copy.do(do.Bag(), OLA), "finished")
            await copy.do(do.Undo(live.state.seq), OLA)
            await copy.do(do.Bag(), OLA)

    run(work)


def test_only_what_is_needed_is_done_when_an_event_is_taken_over(path: Path) -> None:
    async def work() -> None:
        async with serving(path) as tournaments:
            live, direct = await begun(tournaments, players=4)
            await refused(direct.do(do.TakeOver({TableNumber(9): "NEW"})), "table-unknown")
            one = live.state.tables[T1].code
            for code in ("", "né", "x" * 21):
                await refused(direct.do(do.TakeOver({T1: code})), "codes-missing")
            await refused(direct.do(do.TakeOver({TableNumber(2): one})), "codes-missing")
            await refused(direct.do(do.TakeOver({T1: "NEW", TableNumber(2): "NEW"})), "codes-missing")
            done = await direct.do(do.TakeOver({TableNumber(2): "NEW"}), KARI)
            assert "Table 2 has a new code" in done.words
            await refused(direct.do(do.TakeOver({})), "nothing-to-do")

    run(work)
