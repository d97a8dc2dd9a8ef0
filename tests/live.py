"""Live tables in this process, and a person who plays at them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from ofc.board import Placement
from ofc.bots.random_bot import RandomBot
from ofc.hand import all_placements
from ofc.rulesets import get_rules
from ofc.scoring import Chips
from ofc.service import LiveTable, Move, NextHand, OpenRequest, ServiceCommand, StaleError, TableRooms
from ofc.storage import Journal
from ofc.view import view_for

VISITOR = "somebody"


@asynccontextmanager
async def open_rooms(path: Path, **options: Any) -> AsyncIterator[TableRooms]:
    """Serve the tables of the journal at `path`, until the block ends."""
    rooms = TableRooms(Journal(path), **{"bot_pause_ms": 0, "retry_ms": 1, **options})
    try:
        yield rooms
    finally:
        await rooms.close()


def open_request(rules: str = "ultimate", **changes: Any) -> OpenRequest:
    """Return a request for a table: by default two bots, one hand, points, and deals nobody foresees."""
    wishes: dict[str, Any] = {
        "name": "You",
        "bots": ("random", "random"),
        "hands": 1,
        "stack": None,
        "price": None,
        "seed": None,
    } | changes
    money = {key: Chips(wishes[key]) for key in ("stack", "price") if wishes[key] is not None}
    return OpenRequest(rules=get_rules(rules), **{**wishes, **money})


async def get_table(rooms: TableRooms, table_id: str) -> LiveTable:
    """Return a table that is there."""
    live = await rooms.get(table_id)
    assert live is not None
    return live


def first_move(live: LiveTable) -> Move:
    """Return a move that the person may make now: the first there is."""
    hand = live.table.hand
    assert hand is not None
    holding = hand.holding(live.stored.seat)
    return Move(all_placements(holding.board, holding.dealt, hand.to_place(live.stored.seat))[0], None)


def next_command(live: LiveTable, generator: random.Random) -> ServiceCommand | None:
    """Return what the person in the table's seat may do now, at random; None while others act or all is over."""
    view = view_for(live.table, live.stored.seat)
    if view.phase == "showdown":
        return NextHand()
    if view.cards:
        placements: tuple[Placement, ...] = RandomBot().place(view, live.table.rules, generator)
        return Move(placements, None)
    return None


async def wait_for_turn(live: LiveTable) -> None:
    """Wait until the person may act, or the match is over."""
    with live.watched() as changed:
        while next_command(live, random.Random(0)) is None and live.table.match_end is None:
            await changed.wait()
            changed.clear()


async def play_on(live: LiveTable, generator: random.Random, *, hands: int | None = None) -> None:
    """Play until the match is over, or `hands` more hands are shown down."""
    until = None if hands is None else live.table.hands_played + hands
    number = 0
    while True:
        await wait_for_turn(live)
        if live.table.match_end is not None or live.table.hands_played == until:
            return
        command = next_command(live, generator)
        if command is not None:
            number += 1
            await live.submit(live.stored.visitor, f"{live.seq}-{number}", live.seq, command)


async def insist(live: LiveTable, command_id: str, command: ServiceCommand) -> int:
    """Do a command although bots may be moving: when it is stale, try it on the present view."""
    while True:
        try:
            return await live.submit(live.stored.visitor, command_id, live.seq, command)
        except StaleError:
            await asyncio.sleep(0)
