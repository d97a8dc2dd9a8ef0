"""Show a director's actions on every screen of a large event, against the limit of 200 ms for 99 of 100.

    python bench/events.py [PLAYERS] [SCREENS] [ACTIONS]

Loopback only. One process of `ofc serve` has 900 players at 300 tables and 500 sockets open, from one client process
on the same machine. A hand is entered at a table after another; the time runs from the director sending it until a
screen has what changed. A screen reads no more of a message than its number. The rival is a bare server of the
`websockets` library that stores, decides and draws nothing: it hands on as many bytes to as many sockets.
"""

import asyncio
import base64
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2 as httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.servers import Server

PLAYERS = 900
SCREENS = 500
ACTIONS = 60
LIMIT_MS = 200.0
PAUSE_S = 0.3
TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
STRUCTURE = {
    "starting_stack": 5000,
    "steps": [{"kind": "level", "price": 10, "minutes": 20}, {"kind": "level", "price": 20}],
    "late_until": 0,
    "reentries": 0,
}


RIVAL = """
import asyncio, sys
from websockets.asyncio.server import broadcast, serve

async def hear(socket):
    screens.add(socket)
    async for message in socket:
        broadcast(screens, message)

async def main():
    async with serve(hear, "127.0.0.1", 0, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.wait_closed()

screens = set()
asyncio.run(main())
"""


class Screens:
    """Sockets that look, and when each of them saw the log's number that is awaited."""

    def __init__(self) -> None:
        self.seq = b""
        self.left = 0
        self.seen: list[float] = []
        self.all_seen = asyncio.Event()
        self.bytes = 0

    def await_seq(self, seq: int, screens: int) -> None:
        self.seq, self.left, self.seen = b'"seq":%d,' % seq, screens, []
        self.all_seen.clear()

    def see(self, payload: bytes) -> None:
        if self.seq and self.seq in payload[:60]:
            self.seen.append(time.perf_counter())
            self.bytes += len(payload)
            self.left -= 1
            if not self.left:
                self.all_seen.set()


class Screen(asyncio.Protocol):
    """One socket of a screen, as light as can be: 500 phones do not share one processor with the server."""

    def __init__(self, screens: Screens, request: bytes, hello: bytes) -> None:
        self.screens = screens
        self.request = request
        self.hello = hello
        self.received = b""
        self.is_open = False
        self.greeted = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # it is a TCP connection
        self.transport = transport
        transport.write(self.request)

    def data_received(self, received: bytes) -> None:
        self.received += received
        if not self.is_open:
            head, end, rest = self.received.partition(b"\r\n\r\n")
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                raise RuntimeError(head)
            self.is_open, self.received = True, rest
            if self.hello:
                self.send(0x80 | TEXT, self.hello)
            else:
                self.greeted.set_result(None)
        while (frame := self.next_frame()) is not None:
            opcode, payload = frame
            if opcode == PING:
                self.send(0x80 | PONG, payload)
            elif not self.greeted.done():
                self.greeted.set_result(None)
            else:
                self.screens.see(payload)

    def next_frame(self) -> tuple[int, bytes] | None:
        """Take a whole frame (RFC 6455) off what was received: its opcode and payload."""
        if len(self.received) < 2:
            return None
        short = self.received[1]
        start = {126: 4, 127: 10}.get(short, 2)
        size = short if start == 2 else int.from_bytes(self.received[2:start])
        if len(self.received) < start + size:
            return None
        opcode, payload = self.received[0] & 0x0F, self.received[start : start + size]
        self.received = self.received[start + size :]
        return opcode, payload

    def close(self) -> None:
        self.send(0x80 | CLOSE, b"")
        self.transport.close()

    def send(self, first: int, payload: bytes) -> None:
        """Send a short frame; a mask of zeros leaves the payload as it is."""
        self.transport.write(bytes((first, 0x80 | len(payload))) + b"\0\0\0\0" + payload)


async def open_screens(url: str, path: str, hello: bytes, screens: int) -> tuple[Screens, list[Screen]]:
    """Open as many sockets, each greeted before the next is opened."""
    host, port = url.rpartition("/")[2].split(":")
    lines = (
        f"GET {path} HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}", "", "",
    )  # fmt: skip
    request = "\r\n".join(lines).encode()
    watching, opened = Screens(), []
    for _ in range(screens):
        loop = asyncio.get_running_loop()
        _, screen = await loop.create_connection(lambda: Screen(watching, request, hello), host, int(port))
        await screen.greeted
        opened.append(screen)
    return watching, opened


def open_socket(url: str, event: str, cookie: str) -> connect:
    address = f"ws{url.removeprefix('http')}/api/events/{event}/socket"
    return connect(
        address, additional_headers={"Cookie": cookie}, proxy=None, compression=None, open_timeout=120, max_size=2**24
    )


async def greet(socket: ClientConnection, kind: str) -> dict[str, Any]:
    await socket.send(json.dumps({"type": "hello", "version": 1, "as": kind}))
    state: dict[str, Any] = json.loads(await socket.recv())
    return state


async def ask(socket: ClientConnection, own_id: str, seq: int, command: dict[str, Any]) -> int:
    """Send a command and return the number of the log after it."""
    await socket.send(json.dumps({"type": "do", "id": own_id, "seq": seq, "command": command}))
    while True:
        answer = json.loads(await socket.recv())
        if answer.get("id") == own_id:
            if answer["type"] != "done":
                raise RuntimeError(answer)
            return int(answer["seq"])


async def measure(
    server: Server, event: str, cookie: str, players: int, screens: int, actions: int
) -> tuple[list[float], float, float]:
    """Return each screen's milliseconds, the server's milliseconds of processor an action, and bytes a screen."""
    async with open_socket(server.url, event, cookie) as director:
        await greet(director, "director")
        names = "\n".join(["name", *(f"Player {number}" for number in range(players))])
        seq = await ask(director, "import", 1, {"do": "import-csv", "text": names})
        seq = await ask(director, "draw", seq, {"do": "draw"})
        seq = await ask(director, "clock", seq, {"do": "start-clock"})
    async with open_socket(server.url, event, cookie) as director:
        state = await greet(director, "director")
        hello = b'{"type":"hello","version":1,"as":"viewer"}'
        watching, opened = await open_screens(server.url, f"/api/events/{event}/socket", hello, screens)
        generator, times = random.Random(1), []
        tables = list(state["tables"].values())
        used = cpu_ms(server.process.pid)
        for number in range(actions):
            table = tables[generator.randrange(len(tables))]
            first, second, *rest = [player for player in table["seats"] if player is not None]
            won = generator.randrange(1, 20)
            points = {first: won, second: -won, **dict.fromkeys(rest, 0)}
            command = {"do": "enter-points", "table": table["number"], "hand": table["hand"], "points": points}
            table["hand"] += 1
            watching.await_seq(seq + 1, screens)
            began = time.perf_counter()
            seq = await ask(director, f"hand {number}", seq, command)
            await watching.all_seen.wait()
            times += [1000 * (seen - began) for seen in watching.seen]
            await asyncio.sleep(PAUSE_S)
        used = cpu_ms(server.process.pid) - used
        for screen in opened:
            screen.close()
    return times, used / actions, watching.bytes / len(times)


async def measure_rival(port: int, screens: int, actions: int, size: int) -> list[float]:
    """Return each screen's milliseconds for messages of this size that are only handed on."""
    address, times = f"ws://127.0.0.1:{port}", []
    watching, opened = await open_screens(f"http://127.0.0.1:{port}", "/", b"", screens)
    async with connect(address, proxy=None, compression=None) as director:
        for number in range(actions):
            watching.await_seq(number, screens)
            began = time.perf_counter()
            await director.send(f'{{"seq":{number},'.ljust(size))
            await watching.all_seen.wait()
            times += [1000 * (seen - began) for seen in watching.seen]
            await asyncio.sleep(PAUSE_S)
    for screen in opened:
        screen.close()
    return times


def rival(screens: int, actions: int, size: int) -> list[float]:
    """Measure the bare server."""
    command = [sys.executable, "-c", RIVAL]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # our own text
        try:
            port = int(process.stdout.readline()) if process.stdout is not None else 0
            return asyncio.run(measure_rival(port, screens, actions, size))
        finally:
            process.kill()


def middle_and_most(times: list[float]) -> tuple[float, float]:
    """Return the median, and what 99 of 100 stay under."""
    ordered = sorted(times)
    return ordered[len(ordered) // 2], ordered[int(0.99 * (len(ordered) - 1))]


def cpu_ms(process: int) -> float:
    """Return how long a process has run on the processor; 0 where the system does not say."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    asked = [int(word) for word in sys.argv[1:4]]
    players, screens, actions = (*asked, *(PLAYERS, SCREENS, ACTIONS)[len(asked) :])
    with tempfile.TemporaryDirectory() as name, Server(Path(name)) as server:
        with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as visitor:
            wishes = {"name": "Large", "rules": "tournament", "structure": STRUCTURE, "director": "Kari"}
            answer = visitor.post("/api/events", json=wishes).raise_for_status()
            cookie = f"ofc_visitor={visitor.cookies['ofc_visitor']}"
        event = answer.json()["event"]
        measured = asyncio.run(measure(server, event, cookie, players, screens, actions))
    times, processor_ms, size = measured
    middle, most = middle_and_most(times)
    bare_middle, bare_most = middle_and_most(rival(screens, actions, round(size)))
    print(f"{players} players, {screens} screens, {actions} hands entered, {size:.0f} bytes to a screen for each")
    print(f"shown in {middle:.0f} ms (half of them), {most:.0f} ms (99 of 100): {most / LIMIT_MS:.2f} of the limit")
    print(f"the bare server: {bare_middle:.0f} ms and {bare_most:.0f} ms; {middle / bare_middle:.1f} and", end=" ")
    print(f"{most / bare_most:.1f} times that; {processor_ms:.0f} ms of the server's processor an action")


if __name__ == "__main__":
    main()
