"""Whatever happens in a tournament, what a page was sent at first and every patch since make what it is sent anew."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ofc.errors import OfcError
from ofc.service.live_tournament import LiveTournament
from ofc.tournament.events import TableNumber
from ofc.web.event_commands import read_command, read_structure
from ofc.web.event_pages import Audience, Picture, patch_message, picture_of, state_message
from ofc.web.reading import Reader
from tests.events import KARI, FakeClock, get, opened, serving
from tests.random_events import STRUCTURE, View, merged, random_command

pytestmark = pytest.mark.unmeasured  # it plays much, and shows no line that smaller tests do not

AUDIENCES = [Audience(is_director=True), Audience(), Audience(table=TableNumber(1)), Audience(table=TableNumber(2))]


class Page:
    """A page that looks now and then, and keeps what it was sent together."""

    def __init__(self, live: LiveTournament, audience: Audience) -> None:
        self.live = live
        self.audience = audience
        self.sent: Picture = picture_of(live)
        self.view = self.fresh()

    def fresh(self) -> View:
        message: View = json.loads(state_message(self.live, picture_of(self.live), {"as": "x"}, self.audience))
        return message

    def look(self) -> bytes:
        before, self.sent = self.sent, picture_of(self.live)
        patch = patch_message(self.live, before, self.sent, self.audience)
        self.view = merged(self.view, json.loads(patch))
        return patch

    def check(self) -> None:
        fresh = self.fresh()
        assert self.view == fresh
        if not self.audience.is_director:
            text = json.dumps(fresh)
            assert '"paid"' not in text
            assert not [table.code for table in self.live.state.tables.values() if table.code in text]
            assert len(fresh["log"]) <= 1


async def play(folder: Path, generator: random.Random, commands: int) -> int:
    clock = FakeClock()
    structure = read_structure(Reader({"structure": STRUCTURE}), "structure")
    async with serving(folder / "ofc.sqlite", clock) as tournaments:
        live = await get(tournaments, await opened(tournaments, structure))
        pages = [Page(live, audience) for audience in AUDIENCES]
        done = 0
        for number in range(commands):
            clock.now += generator.choice((1, 1_000, 60_000, 300_000))
            reader = Reader({})
            pages[0].look()
            command = read_command(random_command(pages[0].view, generator), reader)
            assert command is not None, reader.faults
            try:
                await live.submit(KARI, str(number), live.state.seq, command)
                done += 1
            except OfcError as error:
                assert error.faults[0].message  # noqa: PT017  # what is refused changes nothing, and is no patch either
            for page in pages:
                if generator.random() < 0.6:
                    page.look()
                    page.check()
        await check_restarted(folder, live, clock)
    return done


async def check_restarted(folder: Path, live: LiveTournament, clock: FakeClock) -> None:
    """What another process reads is what this one holds."""
    async with serving(folder / "ofc.sqlite", clock) as others:
        other = await get(others, live.stored.id)
        for audience in AUDIENCES:
            messages: list[Any] = [
                json.loads(state_message(one, picture_of(one), {}, audience)) for one in (live, other)
            ]
            assert messages[0] == messages[1]


@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_state_and_patches_are_the_state_anew(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert asyncio.run(play(Path(folder), random.Random(seed), 120)) > 0
