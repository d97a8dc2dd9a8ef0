"""Pages of an event on a real `ofc serve`, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
from websockets.sync.client import ClientConnection, connect

from tests.random_events import View, merged
from tests.servers import DEADLINE_S, Server

OPENING: dict[str, Any] = {
    "name": "Cup",
    "rules": "tournament",
    "structure": {
        "starting_stack": 1000,
        "steps": [{"kind": "level", "price": 10, "minutes": 20}, {"kind": "level", "price": 20, "minutes": 20}],
        "late_until": 0,
        "reentries": 0,
    },
    "director": "Kari",
}


def open_event(visitor: httpx.Client, **wishes: Any) -> str:
    answer = visitor.post("/api/events", json={**OPENING, **wishes})
    assert answer.status_code == 201, answer.text
    event: str = answer.json()["event"]
    return event


class EventSocket:
    """One side of an event's WebSocket, which knows what it has been told."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.view: View = {}

    def send(self, message: dict[str, Any]) -> None:
        self.connection.send(json.dumps(message))

    def receive(self, *types: str) -> dict[str, Any]:
        """Return the next message of these types."""
        while True:
            message: dict[str, Any] = json.loads(self.connection.recv(DEADLINE_S))
            if message["type"] == "state":
                self.view = message
            elif message["type"] == "patch":
                self.view = merged(self.view, message)
            if message["type"] in types:
                return message

    def do(self, own_id: str, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command decided on what is known, and return the answer."""
        self.send({"type": "do", "id": own_id, "seq": self.view["seq"], "command": command})
        answer = self.receive("done", "refused")
        while answer["type"] == "done" and self.view["seq"] < answer["seq"]:
            self.receive("patch", "state")
        return answer


@contextmanager
def event_socket(
    server: Server, visitor: httpx.Client, event: str, kind: str = "director", **hello: Any
) -> Iterator[EventSocket]:
    """Open a page's socket and say hello."""
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    address = f"ws://127.0.0.1:{server.port}/api/events/{event}/socket"
    with connect(address, additional_headers={"Cookie": cookie}, proxy=None, open_timeout=DEADLINE_S) as connection:
        socket = EventSocket(connection)
        socket.send({"type": "hello", "version": 1, "as": kind, **hello})
        socket.receive("state")
        yield socket
