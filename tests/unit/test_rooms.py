"""Live tables: they decide, append, and only then tell."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from ofc import table as tables
from ofc.board import Placement, Row
from ofc.bots import BOTS, BotEntry
from ofc.cards import Card
from ofc.clock import Millis
from ofc.errors import IllegalCommandError
from ofc.events import HandStarted, MatchEnd, PlayerSeated, TableOpened
from ofc.rules import RuleSet
from ofc.scoring import Seat
from ofc.service import (
    EndMatch,
    Move,
    NextHand,
    Rematch,
    StaleError,
    TableRooms,
    TooManyTablesError,
)
from ofc.service import (
    rooms as rooms_module,
)
from ofc.storage import Journal, JournalError
from ofc.table import Table
from ofc.view import View
from tests.live import (
    VISITOR,
    first_move,
    get_table,
    insist,
    next_command,
    open_request,
    open_rooms,
    play_on,
    wait_for_turn,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ofc.sqlite"


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def stored_table(rooms: TableRooms, table_id: str) -> tuple[Table, int]:
    """Return a table as the journal has it."""
    events = rooms.journal.read(table_id)
    assert [item.seq for item in events] == list(range(1, len(events) + 1))
    return tables.replay(tuple(item.event for item in events)), len(events)


def test_a_table_opens_with_everyone_seated_and_the_first_hand_dealt(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path, bot_pause_ms=10_000) as rooms:
            table_id = await rooms.open(VISITOR, open_request(name="Ada", hands=7))
            live = await get_table(rooms, table_id)
            assert (live.table, live.seq) == stored_table(rooms, table_id)
            assert [seat.player and seat.player.name for seat in live.table.seats] == ["Ada", "Bo", "Cleo"]
            assert live.table.is_playing
            assert live.table.opened.hands == 7
            assert live.seat_of(VISITOR) == 0
            assert live.seat_of("another") is None

    run(work())


def test_a_table_that_cannot_be_is_not_opened(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            with pytest.raises(IllegalCommandError, match=r"3, not 2.*1 to 1000 hands"):
                await rooms.open(VISITOR, open_request(bots=("random",), hands=0))
            assert await rooms.tables_of(VISITOR) == []
            assert await rooms.get("nothing") is None

    run(work())


def test_the_same_seed_deals_the_same_table(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            played = []
            for seed in (5, 5, 6):
                live = await get_table(rooms, await rooms.open(VISITOR, open_request(hands=2, seed=seed)))
                assert live.table.opened.seeded
                await play_on(live, random.Random(1))
                played.append(
                    [event.deck for event in events_of(rooms, live.stored.id) if isinstance(event, HandStarted)]
                )
            assert played[0] == played[1] != played[2]

    def events_of(rooms: TableRooms, table_id: str) -> list[object]:
        return [item.event for item in rooms.journal.read(table_id)]

    run(work())


def test_a_match_is_played_to_its_end_then_again(path: Path) -> None:
    async def work() -> None:
        generator = random.Random(2)
        async with open_rooms(path) as rooms:
            live = await get_table(
                rooms, await rooms.open(VISITOR, open_request("pineapple", bots=("random",), hands=2))
            )
            await play_on(live, generator)
            assert live.table.match_end is MatchEnd.HANDS
            with pytest.raises(IllegalCommandError, match="the match is over"):
                await live.submit(VISITOR, "late", live.seq, NextHand())
            await live.submit(VISITOR, "again", live.seq, Rematch())
            assert live.table.is_playing
            with pytest.raises(IllegalCommandError, match="the match is not over"):
                await live.submit(VISITOR, "more", live.seq, Rematch())
            await insist(live, "end", EndMatch())
            assert (live.table, live.seq) == stored_table(rooms, live.stored.id)
            hands = await rooms.past_hands(live.stored.id)
            assert all(past.match == 1 for past in hands)

    run(work())


def test_a_command_sent_again_is_done_once_also_after_a_restart(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path, bot_pause_ms=10_000) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request()))
            await turn_of(live)
            move, base = first_move(live), live.seq
            seq = await live.submit(VISITOR, "a", base, move)
            assert seq > base
            table = live.table
            assert await live.submit(VISITOR, "a", base, move) == seq
            assert await live.submit(VISITOR, "a", 0, NextHand()) == seq
            assert (live.table, live.seq) == (table, seq)
        async with open_rooms(path, bot_pause_ms=10_000) as rooms:
            live = await get_table(rooms, live.stored.id)
            assert live.table == table
            assert await live.submit(VISITOR, "a", base, move) == seq
            assert live.table == table

    async def turn_of(live: rooms_module.LiveTable) -> None:
        """Make it the person's turn: bots that think for ten seconds are hurried."""
        live._rooms.bot_pause_ms = 0
        live.stop_bots()
        while live._bot_task is not None and not live._bot_task.done():
            await asyncio.sleep(0)
        live.start_bots()
        await wait_for_turn(live)
        live._rooms.bot_pause_ms = 10_000

    run(work())


def test_two_copies_of_a_command_at_once_are_done_once(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request()))
            await wait_for_turn(live)
            move = first_move(live)
            base = live.seq
            first, second = await asyncio.gather(*(live.submit(VISITOR, "a", base, move) for _ in range(2)))
            assert first == second
            assert rooms.journal.command_seq(live.stored.id, VISITOR, "a") == first

    run(work())


@pytest.mark.parametrize(
    ("offset", "words"), [(-1, "the table has moved on from"), (1, "may have been restored"), (1000, "and knows no 10")]
)
def test_a_command_on_another_view_is_stale_and_changes_nothing(path: Path, offset: int, words: str) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request()))
            await wait_for_turn(live)
            before = live.table, live.seq
            with pytest.raises(StaleError) as refused:
                await live.submit(VISITOR, "a", live.seq + offset, first_move(live))
            assert refused.value.code == "stale"
            assert words in str(refused.value)
            assert (live.table, live.seq) == before == stored_table(rooms, live.stored.id)

    run(work())


def test_a_spectator_cannot_act(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request()))
            await wait_for_turn(live)
            before = live.table
            for command in (first_move(live), NextHand(), EndMatch(), Rematch()):
                with pytest.raises(IllegalCommandError) as refused:
                    await live.submit("another", "a", live.seq, command)
                assert refused.value.code == "not-your-table"
            assert live.table == before

    run(work())


def test_of_two_processes_on_one_journal_only_one_wins_and_the_other_catches_up(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as here, open_rooms(path) as there:
            mine = await get_table(here, await here.open(VISITOR, open_request()))
            await wait_for_turn(mine)
            theirs = await get_table(there, mine.stored.id)
            assert (theirs.table, theirs.seq) == (mine.table, mine.seq)
            base, move = mine.seq, first_move(mine)
            await mine.submit(VISITOR, "a", base, move)
            with theirs.watched() as changed:
                with pytest.raises(StaleError):
                    await theirs.submit(VISITOR, "b", base, move)
                assert changed.is_set()
            assert theirs.seq > base
            assert there.journal.command_seq(mine.stored.id, VISITOR, "b") is None
            await play_on(theirs, random.Random(3))
            stored_table(there, mine.stored.id)

    run(work())


def test_a_command_stored_by_another_process_is_answered_and_not_done_again(path: Path) -> None:
    """The other process answers between the look-up and the append: its cards count, not those dealt here."""

    async def work() -> None:
        async with open_rooms(path) as here, open_rooms(path) as there:
            mine = await get_table(here, await here.open(VISITOR, open_request("pineapple", bots=("random",), hands=9)))
            await play_on(mine, random.Random(3), hands=1)
            theirs = await get_table(there, mine.stored.id)
            base = mine.seq
            both = await asyncio.gather(
                mine.submit(VISITOR, "a", base, NextHand()), theirs.submit(VISITOR, "a", base, NextHand())
            )
            assert both[0] == both[1]
            for live, rooms in ((mine, here), (theirs, there)):
                live.stop_bots()
                started = [
                    item.event for item in rooms.journal.read(mine.stored.id) if isinstance(item.event, HandStarted)
                ]
                assert live.table.hand is not None
                assert live.table.hand.started == started[-1]

    run(work())


def test_a_command_that_another_process_did_before_is_seen_here_too(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as here, open_rooms(path) as there:
            mine = await get_table(here, await here.open(VISITOR, open_request()))
            await wait_for_turn(mine)
            theirs = await get_table(there, mine.stored.id)
            base = mine.seq
            seq = await mine.submit(VISITOR, "a", base, EndMatch())
            with theirs.watched() as changed:
                assert await theirs.submit(VISITOR, "a", base, EndMatch()) == seq
                assert changed.is_set()
            assert (theirs.table, theirs.seq) == (mine.table, mine.seq)

    run(work())


def test_what_cannot_be_stored_is_not_done_and_the_next_try_succeeds(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request()))
            await wait_for_turn(live)
            before, base, move = live.table, live.seq, first_move(live)
            rooms.journal._writer.execute("PRAGMA query_only = ON")
            with live.watched() as changed, pytest.raises(JournalError, match="readonly"):
                await live.submit(VISITOR, "a", base, move)
            assert not changed.is_set()
            assert (live.table, live.seq) == (before, base) == stored_table(rooms, live.stored.id)
            with pytest.raises(JournalError):
                await rooms.open(VISITOR, open_request())
            assert len(await rooms.tables_of(VISITOR)) == 1
            rooms.journal._writer.execute("PRAGMA query_only = OFF")
            assert await live.submit(VISITOR, "a", base, move) > base

    run(work())


def test_bots_go_on_once_the_journal_takes_their_moves_again(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request("pineapple", bots=("random",))))
            await wait_for_turn(live)
            move = first_move(live)
            await live.submit(VISITOR, "a", live.seq, move)
            rooms.journal._writer.execute("PRAGMA query_only = ON")
            while "could not be stored" not in caplog.text:
                await asyncio.sleep(0.001)
            rooms.journal._writer.execute("PRAGMA query_only = OFF")
            await play_on(live, random.Random(4))
            assert live.table.match_end is not None

    run(work())


class BrokenBot:
    """Fails twice, each time in another way, then plays."""

    def __init__(self) -> None:
        self.asked = 0

    def place(self, view: View, rules: RuleSet, generator: random.Random) -> tuple[Placement, ...]:
        self.asked += 1
        if self.asked == 1:
            raise RuntimeError("a bug in the bot")
        if self.asked == 2:
            return (Placement(Card.parse("Kh"), Row.TOP),)
        return BOTS[0].bot.place(view, rules, generator)


def test_a_bot_that_fails_is_noted_and_tries_again_when_somebody_looks(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = BrokenBot()
    monkeypatch.setattr("ofc.bots.registry.BOTS", (*BOTS, BotEntry("broken", "Broken", "Fails", bot)))

    async def work() -> None:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request("pineapple", bots=("broken",))))
            while live.table.match_end is None:
                await rooms.get(live.stored.id)
                await asyncio.sleep(0.001)
                command = next_command(live, random.Random(1))
                if command is not None:
                    await live.submit(VISITOR, str(live.seq), live.seq, command)

    with caplog.at_level(logging.ERROR):
        run(work())
    assert [record.getMessage().partition(": ")[2] for record in caplog.records] == ["a bot failed"] * 2
    assert bot.asked > 2


def test_a_bot_whose_turn_is_gone_when_it_has_thought_leaves_it(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request("pineapple", bots=("random",))))
            for number in range(20):
                if live.table.match_end is None:
                    await insist(live, f"end{number}", EndMatch())
                await insist(live, f"again{number}", Rematch())
                await asyncio.sleep(0)
            await play_on(live, random.Random(5))
            stored_table(rooms, live.stored.id)

    run(work())


def test_bots_play_on_after_a_restart_when_somebody_looks(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path, bot_pause_ms=10_000) as rooms:
            table_id = await rooms.open(VISITOR, open_request())
            assert (await get_table(rooms, table_id)).table.hand is not None
        async with open_rooms(path) as rooms:
            (live,) = await rooms.tables_of(VISITOR)
            await play_on(live, random.Random(6))
            assert live.table.match_end is MatchEnd.HANDS

    run(work())


def test_a_table_has_one_owner_however_many_are_loaded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms_module, "MOST_KEPT", 2)

    async def work() -> None:
        async with open_rooms(path) as rooms:
            ids = [await rooms.open(VISITOR, open_request()) for _ in range(6)]
            for table_id in ids:
                await insist(await get_table(rooms, table_id), "end", EndMatch())
            held = await get_table(rooms, ids[0])
            await asyncio.gather(*(rooms.get(table_id) for table_id in ids * 3))
            is_held = await rooms.get(ids[0]) is held
            assert is_held
            await rooms.tasks.finish()
            await asyncio.sleep(0)  # the event loop lets go of the last answer
            gc.collect()
            assert set(rooms._live) == {ids[0], *rooms._latest}
            assert len(rooms._latest) == 2
            found = await rooms.tables_of(VISITOR)
            assert {live.stored.id for live in found} == set(ids)

    run(work())


def test_two_who_ask_for_an_unloaded_table_get_the_same(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path, bot_pause_ms=10_000) as rooms:
            table_id = await rooms.open(VISITOR, open_request())
        async with open_rooms(path, bot_pause_ms=10_000) as rooms:
            first, *others = await asyncio.gather(*(rooms.get(table_id) for _ in range(10)))
            assert first is not None
            assert all(live is first for live in others)

    run(work())


def test_a_visitor_opens_so_many_tables_a_day(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms_module, "MOST_TABLES_A_DAY", 2)
    now = Millis(10**12)

    async def work() -> None:
        nonlocal now
        async with open_rooms(path, bot_pause_ms=10_000, now=lambda: now) as rooms:
            for _ in range(2):
                await rooms.open(VISITOR, open_request())
            with pytest.raises(TooManyTablesError) as refused:
                await rooms.open(VISITOR, open_request())
            assert refused.value.code == "too-many-tables"
            await rooms.open("another", open_request())
            now = Millis(now + 24 * 3600 * 1000 + 1)
            await rooms.open(VISITOR, open_request())
            assert len(await rooms.tables_of(VISITOR)) == 3
            assert len(await rooms.tables_of(VISITOR, limit=1)) == 1

    run(work())


def test_a_lost_connection_does_not_undo_a_command_half_way(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path, bot_pause_ms=10_000) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request()))
            asked = asyncio.create_task(live.submit(VISITOR, "a", live.seq, EndMatch()))
            await asyncio.sleep(0)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            assert await live.submit(VISITOR, "a", 0, EndMatch()) == live.seq
            assert live.table.match_end is MatchEnd.ENDED
            assert (live.table, live.seq) == stored_table(rooms, live.stored.id)

    run(work())


def test_closing_finishes_what_is_being_stored(path: Path) -> None:
    async def work() -> int:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request()))
            await wait_for_turn(live)
            asked = asyncio.create_task(live.submit(VISITOR, "a", live.seq, first_move(live)))
            await asyncio.sleep(0)
            await rooms.close()
            return await asked

    seq = asyncio.run(work())
    journal = Journal(path)
    (stored,) = journal.tables_of(VISITOR, limit=9)
    assert journal.command_seq(stored.id, VISITOR, "a") == seq
    journal.close()


def test_chips_are_lost_until_too_few_are_left(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            request = open_request("tournament", hands=1000, stack=200, price=10, seed=3)
            live = await get_table(rooms, await rooms.open(VISITOR, request))
            await play_on(live, random.Random(8))
            assert live.table.match_end is MatchEnd.CHIPS
            assert sum(seat.stack or 0 for seat in live.table.seats) == 600
            hands = await rooms.past_hands(live.stored.id)
            assert {len(past.shown.hand.seats) for past in hands if past.shown.hand} == {2, 3}

    run(work())


def test_moves_that_are_not_legal_are_refused_with_every_fault(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path) as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request()))
            await wait_for_turn(live)
            (card, row), *_ = first_move(live).placements
            with pytest.raises(IllegalCommandError) as refused:
                await live.submit(VISITOR, "a", live.seq, Move((Placement(card, row),) * 4, ()))
            codes = [fault.code for fault in refused.value.faults]
            assert codes == ["card-twice"] * 4 + ["placements-count"]

    run(work())


def test_a_seat_is_named_in_the_stream_before_the_first_hand(path: Path) -> None:
    async def work() -> None:
        async with open_rooms(path, bot_pause_ms=10_000) as rooms:
            table_id = await rooms.open(VISITOR, open_request("classic", bots=("random",) * 3))
            kinds = [type(item.event) for item in rooms.journal.read(table_id)]
            assert kinds[:6] == [TableOpened, *[PlayerSeated] * 4, HandStarted]
            assert (await get_table(rooms, table_id)).stored.seat == Seat(0)

    run(work())
