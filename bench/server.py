"""Count the moves that one process of `ofc serve` acknowledges, against SQLite's own commits one at a time.

    python bench/server.py [TABLES] [SECONDS]

Loopback only. At each table a person plays at once, against two bots that place at random and without a pause. A move
is acknowledged once it is on the disk; the time runs from sending it to that. The rival stores one small row a commit,
as safely (WAL, synchronous=FULL), with no network, no game and no views, on the same disk.
"""

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

import httpx2 as httpx
from websockets.asyncio.client import connect

from tests.playing import next_message
from tests.servers import Server, open_table

TABLES = 200
SECONDS = 15.0
RIVAL_SECONDS = 3.0


def commits_a_second(folder: Path, seconds: float) -> float:
    """Return how many single rows SQLite stores a second, each in a commit of its own."""
    database = sqlite3.connect(folder / "rival.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, body BLOB)")
    body, count, began = b"x" * 200, 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        database.execute("INSERT INTO events (body) VALUES (?)", (body,))
        count += 1
    database.close()
    return count / seconds


async def play(url: str, table: str, cookie: str, until: float, times: list[float]) -> None:
    """Play at one table until the time is over; a move's milliseconds go into `times`."""
    generator, number, sent = random.Random(table), 0, {}
    address = f"ws{url.removeprefix('http')}/api/tables/{table}/socket"
    async with connect(address, additional_headers={"Cookie": cookie}, proxy=None, open_timeout=120) as socket:
        await socket.send('{"type": "hello", "version": 1}')
        while time.perf_counter() < until:
            try:
                message = json.loads(await asyncio.wait_for(socket.recv(), max(0.0, until - time.perf_counter())))
            except TimeoutError:
                return
            if message["type"] == "done":
                times.append(1000 * (time.perf_counter() - sent.pop(message["id"])))
            elif message["type"] == "view":
                command = next_message(message["view"], message["seq"], str(number), generator)
                if command is not None and not sent:
                    number += 1
                    sent[command["id"]] = time.perf_counter()
                    await socket.send(json.dumps(command))


async def play_all(url: str, tables: list[tuple[str, str]], seconds: float) -> list[float]:
    """Play at every table and return the milliseconds of every acknowledged move."""
    times: list[float] = []
    until = time.perf_counter() + seconds
    await asyncio.gather(*(play(url, table, cookie, until, times) for table, cookie in tables))
    return times


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rival = commits_a_second(folder, RIVAL_SECONDS)
        with Server(folder / "data") as server:
            tables: list[tuple[str, str]] = []
            with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as visitor:
                for _ in range(count):
                    visitor.cookies.clear()
                    table = open_table(visitor, hands=1000)
                    tables.append((table, f"ofc_visitor={visitor.cookies['ofc_visitor']}"))
            times = sorted(asyncio.run(play_all(server.url, tables, seconds)))
        with sqlite3.connect(folder / "data" / "ofc.sqlite") as journal:
            (placed,) = journal.execute("SELECT count(*) FROM events WHERE type = 'CardsPlaced'").fetchone()
        journal.close()
    print(f"SQLite, one row a commit: {rival:.0f} commits/s")
    print(
        f"{count} tables and sockets: {len(times) / seconds:.0f} moves/s acknowledged, {placed / seconds:.0f} with the"
    )
    print(f"bots' ({placed / seconds / rival:.2f} times the rival's commits)")
    if times:
        middle, most = (times[int(share * (len(times) - 1))] for share in (0.5, 0.99))
        print(f"a move is acknowledged in {middle:.0f} ms (half of them), {most:.0f} ms (99 of 100)")


if __name__ == "__main__":
    main()
