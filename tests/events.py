"""Live tournaments for tests: opened over a journal, with a clock that only the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ofc.clock import Millis
from ofc.errors import IllegalCommandError, OfcError
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Points
from ofc.service.live_tournament import Actor, AnyCommand, Done, LiveTournament
from ofc.service.tournaments import Tournaments
from ofc.storage import Journal
from ofc.tournament.commands import DrawSeats, NewPlayer, Open, Register, StartClock
from ofc.tournament.events import TableNumber
from ofc.tournament.settling import EnterPoints
from ofc.tournament.structure import Break, Level, Structure

VISITOR = "visitor-1"
KARI = Actor(VISITOR, "Kari")
OLA = Actor("visitor-2", "Ola")
STRUCTURE = Structure(
    Chips(1000),
    (Level(Chips(10), minutes=20), Break(10), Level(Chips(20), minutes=20), Level(Chips(40))),
    late_until=1,
    reentries=1,
)


class FakeClock:
    """Tells the moment that the test has set."""

    def __init__(self, now: int = 1_800_000_000_000) -> None:
        self.now = now

    def __call__(self) -> Millis:
        return Millis(self.now)


@asynccontextmanager
async def serving(path: Path, clock: FakeClock | None = None) -> AsyncIterator[Tournaments]:
    """One process' tournaments, over a journal that others may share."""
    journal = Journal(path)
    journal._writer.execute("PRAGMA synchronous = OFF")  # it is not the disk that is tried here
    tournaments = Tournaments(journal, now=clock or FakeClock())
    try:
        yield tournaments
    finally:
        await tournaments.close()
        journal.close()


async def get(tournaments: Tournaments, event: str) -> LiveTournament:
    """Return a tournament that there is."""
    live = await tournaments.get(event)
    assert live is not None
    return live


async def opened(tournaments: Tournaments, structure: Structure = STRUCTURE, *, rules: str = "tournament") -> str:
    """Open a tournament directed by Kari and return its id."""
    event, _ = await tournaments.open(VISITOR, "Kari", Open("Cup", get_rules(rules), structure))
    return event


class Counted:
    """Gives commands ids of their own."""

    def __init__(self, live: LiveTournament) -> None:
        self.live = live
        self.count = 0

    async def do(self, command: AnyCommand, actor: Actor = KARI, *, seq: int | None = None) -> Done:
        """Do a command on what is there now, or was at `seq`."""
        self.count += 1
        base = self.live.state.seq if seq is None else seq
        return await self.live.submit(actor, f"{actor.sender}-{self.count}", base, command)


async def begun(tournaments: Tournaments, players: int = 7) -> tuple[LiveTournament, Counted]:
    """Open a tournament, draw so many players A, B, C … and start the clock."""
    live = await get(tournaments, await opened(tournaments))
    direct = Counted(live)
    await direct.do(Register(tuple(NewPlayer(chr(ord("A") + number), paid=True) for number in range(players))))
    await direct.do(DrawSeats(0, ()))
    await direct.do(StartClock())
    return live, direct


def table_actor(number: int, phone: str = "phone") -> Actor:
    """A table's page."""
    return Actor(f"{phone}:{number}", f"Table {number}", TableNumber(number))


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


def hand(live: LiveTournament, table: int = 1, points: int = 3, **cards: int) -> EnterPoints:
    """The hand being played at a table: the first player wins so many points from the second."""
    here = live.state.at_table(TableNumber(table))
    won = {player.id: Points(0) for player in here} | {here[0].id: Points(points), here[1].id: Points(-points)}
    earned = {here[int(seat[1:])].id: count for seat, count in cards.items()}
    return EnterPoints(TableNumber(table), live.state.table(TableNumber(table)).hand, won, earned)


async def refused(work: Awaitable[object], code: str, kind: type[OfcError] = IllegalCommandError) -> str:
    with pytest.raises(kind) as error:
        await work
    assert error.value.code == code
    return str(error.value)
