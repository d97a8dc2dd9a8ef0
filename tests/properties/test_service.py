"""The live table as a state machine: whatever is sent, in whatever order, what is stored is what is told.

Two processes serve the same table over one journal, so that each is now and then behind the other.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ofc import table as tables
from ofc.board import Placement, Row
from ofc.cards import DECK
from ofc.errors import IllegalCommandError
from ofc.hand import all_placements
from ofc.rulesets import get_rules
from ofc.service import EndMatch, LiveTable, Move, NextHand, Rematch, ServiceCommand, StaleError, TableRooms
from ofc.storage import Journal, JournalError
from ofc.table import Table
from tests.live import VISITOR, get_table, open_request, wait_for_turn

pytestmark = pytest.mark.unmeasured  # it plays much, and shows no line that smaller tests do not

_rules = st.sampled_from(
    ["ultimate", "pineapple", "tournament", "casual", "casual-progressive", "progressive", "classic"]
)
_rows = st.sampled_from(Row)
_placements = st.lists(st.builds(Placement, st.sampled_from(DECK), _rows), max_size=6).map(tuple)
_discards = st.none() | st.lists(st.sampled_from(DECK), max_size=3).map(tuple)
_hostile = st.one_of(
    st.builds(Move, _placements, _discards), st.builds(NextHand), st.builds(Rematch), st.just(Move((), None))
)


class Service(RuleBasedStateMachine):
    """A person who plays, forgets, repeats and lies, at one table that two processes serve."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp())
        self.sides = [self.serve(), self.serve()]
        self.sent: dict[str, tuple[int, ServiceCommand, int]] = {}
        self.numbers = 0

    def serve(self) -> TableRooms:
        rooms = TableRooms(Journal(self.folder / "ofc.sqlite"), bot_pause_ms=0)
        rooms.journal._writer.execute("PRAGMA synchronous = OFF")  # it is not the disk that is tried here
        return rooms

    @initialize(rules=_rules, data=st.data(), chips=st.booleans(), hands=st.integers(1, 3))
    def open_table(self, rules: str, data: st.DataObject, chips: bool, hands: int) -> None:
        seats = data.draw(st.sampled_from(get_rules(rules).seats))
        money = {"stack": 100, "price": 10} if chips else {}
        request = open_request(rules, bots=("random",) * (seats - 1), hands=hands, seed=1, **money)
        self.table_id = self.loop.run_until_complete(self.sides[0].open(VISITOR, request))

    def live(self, side: int) -> LiveTable:
        """Return one side's table, at rest: its bots have placed what they could."""

        async def settle() -> LiveTable:
            live = await get_table(self.sides[side], self.table_id)
            await wait_for_turn(live)
            while live._bot_task is not None and not live._bot_task.done():
                await asyncio.wait([live._bot_task])
            return live

        return self.loop.run_until_complete(settle())

    def stored(self, side: int) -> tuple[Table, int]:
        events = self.sides[side].journal.read(self.table_id)
        assert [item.seq for item in events] == list(range(1, len(events) + 1))
        return tables.replay(tuple(item.event for item in events)), len(events)

    def submit(self, side: int, command_id: str, base: int, command: ServiceCommand, visitor: str = VISITOR) -> int:
        async def work() -> int:
            live = await get_table(self.sides[side], self.table_id)
            seq = await live.submit(visitor, command_id, base, command)
            await wait_for_turn(live)
            return seq

        return self.loop.run_until_complete(work())

    def refused(self, side: int, base: int, command: ServiceCommand, visitor: str = VISITOR) -> None:
        """Send what must be refused, and check that nothing was changed by it."""
        before = self.stored(side)
        self.numbers += 1
        try:
            self.submit(side, f"n{self.numbers}", base, command, visitor)
        except IllegalCommandError as error:
            assert error.faults  # noqa: PT017 - a state machine has no raises
            assert self.stored(side) == before
        else:
            raise AssertionError(f"{command} on {base} was done")

    def catch_up(self, side: int) -> LiveTable:
        """Return one side's table once it knows what the other has stored: a stale command tells it."""
        live = self.live(side)
        _, seq = self.stored(side)
        if live.seq != seq:
            try:
                self.submit(side, f"behind{seq}{side}", live.seq, EndMatch())
            except StaleError:
                pass
            except IllegalCommandError:
                # Its match is over there, ours is not: a restart reads everything.
                self.restart(side)
        return self.live(side)

    @rule(side=st.integers(0, 1), data=st.data())
    def play_on(self, side: int, data: st.DataObject) -> None:
        live = self.catch_up(side)
        command: ServiceCommand
        hand = live.table.hand
        if live.table.match_end is not None:
            command = Rematch()
        elif hand is None or not live.table.is_playing:
            command = NextHand()
        elif hand.fantasyland(live.stored.seat):
            rows = [row for row in Row for _ in range(row.size)]
            dealt = data.draw(st.permutations(hand.holding(live.stored.seat).dealt))
            command = Move(tuple(Placement(card, row) for card, row in zip(dealt, rows, strict=False)), None)
        else:
            holding = hand.holding(live.stored.seat)
            ways = all_placements(holding.board, holding.dealt, hand.to_place(live.stored.seat))
            command = Move(data.draw(st.sampled_from(ways)), None)
        self.numbers += 1
        base, command_id = live.seq, f"n{self.numbers}"
        seq = self.submit(side, command_id, base, command)
        assert seq > base
        self.sent[command_id] = (base, command, seq)

    @precondition(lambda self: self.sent)
    @rule(side=st.integers(0, 1), data=st.data())
    def send_again(self, side: int, data: st.DataObject) -> None:
        """The same command, or another one of its name: answered as the first time, done once."""
        command_id = data.draw(st.sampled_from(sorted(self.sent)))
        base, command, seq = self.sent[command_id]
        self.live(side)
        before = self.stored(side)
        assert self.submit(side, command_id, data.draw(st.sampled_from([0, base, seq])), command) == seq
        assert self.stored(side) == before

    @rule(side=st.integers(0, 1), command=_hostile, behind=st.integers(-2, 3).filter(bool))
    def send_stale(self, side: int, command: ServiceCommand, behind: int) -> None:
        live = self.catch_up(side)
        self.refused(side, live.seq - behind, command)

    @rule(side=st.integers(0, 1), command=_hostile)
    def watch_and_act(self, side: int, command: ServiceCommand) -> None:
        live = self.catch_up(side)
        self.refused(side, live.seq, command, visitor="somebody else")

    @rule(side=st.integers(0, 1), command=_hostile)
    def lie(self, side: int, command: ServiceCommand) -> None:
        """Whatever it is, it is refused and changes nothing, or it was legal and is stored."""
        live = self.catch_up(side)
        before = live.table, live.seq
        self.numbers += 1
        try:
            self.submit(side, f"n{self.numbers}", live.seq, command)
        except IllegalCommandError:
            assert (live.table, live.seq) == before == self.stored(side)
        else:
            assert live.seq > before[1]

    @rule(side=st.integers(0, 1))
    def end(self, side: int) -> None:
        live = self.catch_up(side)
        if live.table.match_end is None:
            self.numbers += 1
            self.submit(side, f"n{self.numbers}", live.seq, EndMatch())
        else:
            self.refused(side, live.seq, EndMatch())

    @rule(side=st.integers(0, 1))
    def send_while_the_journal_refuses(self, side: int) -> None:
        live = self.catch_up(side)
        before = self.stored(side)
        writer = self.sides[side].journal._writer
        writer.execute("PRAGMA query_only = ON")
        command = EndMatch() if live.table.match_end is None else Rematch()
        try:
            self.submit(side, "never", live.seq, command)
        except JournalError:
            assert self.stored(side) == before == (live.table, live.seq)
        else:
            raise AssertionError("it was acknowledged, and could not be stored")
        finally:
            writer.execute("PRAGMA query_only = OFF")

    @rule(side=st.integers(0, 1))
    def restart(self, side: int) -> None:
        self.loop.run_until_complete(self.sides[side].close())
        self.sides[side] = self.serve()

    @invariant()
    def what_is_stored_is_what_is_told(self) -> None:
        """Of at least one side; the other may be behind, but then it stands where the stream once stood."""
        if not hasattr(self, "table_id"):
            return
        lives = [self.live(side) for side in range(2)]
        table, seq = self.stored(0)
        events = self.sides[0].journal.read(self.table_id)
        assert (table, seq) in [(live.table, live.seq) for live in lives]
        for live in lives:
            assert live.table == tables.replay(tuple(item.event for item in events[: live.seq]))
        for command_id, (_, _, number) in self.sent.items():
            assert self.sides[0].journal.command_seq(self.table_id, VISITOR, command_id) == number

    def teardown(self) -> None:
        for side in self.sides:
            self.loop.run_until_complete(side.close())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        shutil.rmtree(self.folder)


TestService = Service.TestCase
TestService.settings = settings(max_examples=max(20, settings().max_examples // 20))
