"""Finished hands, found again in a table's stream."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from ofc.scoring import Seat
from ofc.service import EndMatch, NextHand, PastHand, Rematch
from tests.live import VISITOR, get_table, insist, open_request, open_rooms, play_on


def run(work: Coroutine[Any, Any, list[PastHand]]) -> list[PastHand]:
    return asyncio.run(work)


def test_hands_are_numbered_through_and_know_their_match(tmp_path: Path) -> None:
    async def work() -> list[PastHand]:
        generator = random.Random(1)
        async with open_rooms(tmp_path / "ofc.sqlite") as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request(hands=50)))
            await play_on(live, generator, hands=2)
            await live.submit(VISITOR, "next", live.seq, NextHand())
            await insist(live, "end", EndMatch())  # the third hand is abandoned
            await live.submit(VISITOR, "again", live.seq, Rematch())
            await play_on(live, generator, hands=1)
            await live.submit(VISITOR, "more", live.seq, NextHand())  # a hand under way is no past one
            return await rooms.past_hands(live.stored.id)

    hands = run(work())
    assert [(past.hand, past.match) for past in hands] == [(1, 1), (2, 1), (3, 2)]
    assert [past.shown.hand and past.shown.hand.started.number for past in hands] == [1, 2, 1]


def test_a_frame_stands_before_each_placement_and_the_showdown_last(tmp_path: Path) -> None:
    async def work() -> list[PastHand]:
        async with open_rooms(tmp_path / "ofc.sqlite") as rooms:
            live = await get_table(rooms, await rooms.open(VISITOR, open_request("pineapple", bots=("random",))))
            await play_on(live, random.Random(1), hands=1)
            return await rooms.past_hands(live.stored.id)

    (past,) = run(work())
    for viewer in (Seat(0), None):
        frames = past.frames(viewer)
        assert [len(frame.log) for frame in frames] == list(range(11))
        assert [frame.phase for frame in frames[:-1]] == ["placing"] * 10
        assert frames[-1].phase == "showdown"
        assert frames[-1].result is not None
    assert past.frames(None)[0].cards == ()


def test_a_table_without_finished_hands_has_none(tmp_path: Path) -> None:
    async def work() -> list[PastHand]:
        async with open_rooms(tmp_path / "ofc.sqlite", bot_pause_ms=10_000) as rooms:
            return await rooms.past_hands(await rooms.open(VISITOR, open_request()))

    assert run(work()) == []
