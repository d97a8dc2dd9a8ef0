"""Programs that speak docs/event-protocol.md to the application in this process."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from tests.random_events import View, merged

STRUCTURE: dict[str, Any] = {
    "starting_stack": 1000,
    "steps": [
        {"kind": "level", "price": 10, "minutes": 20, "hands": None},
        {"kind": "break", "minutes": 10},
        {"kind": "level", "price": 20, "minutes": 20, "hands": None},
        {"kind": "level", "price": 40, "minutes": 20, "hands": None},
    ],
    "late_until": 1,
    "reentries": 1,
}
OPENING: dict[str, Any] = {
    "name": "Cup",
    "rules": "tournament",
    "structure": STRUCTURE,
    "seats": 3,
    "absent_points": 3,
    "director": "Kari",
}


def open_event(client: TestClient, **wishes: Any) -> str:
    answer = client.post("/api/events", json={**OPENING, **wishes})
    assert answer.status_code == 201, answer.text
    event: str = answer.json()["event"]
    return event


def address(event: str, path: str) -> str:
    return f"/api/events/{event}/{path}"


class Page:
    """One page: it keeps what it knows up to date, and remembers every text it was sent."""

    def __init__(self, socket: WebSocketTestSession, hello: dict[str, Any]) -> None:
        self.socket = socket
        self.ids = itertools.count(1)
        self.texts: list[str] = []
        self.view: View = {}
        socket.send_json({"type": "hello", "version": 1, **hello})
        self.receive("state")

    @property
    def seq(self) -> int:
        return int(self.view["seq"])

    def receive(self, *types: str) -> dict[str, Any]:
        """Return the next message of these types; those before it are taken note of."""
        while True:
            message: dict[str, Any] = self.socket.receive_json()
            self.texts.append(str(message))
            if message["type"] == "state":
                self.view = {name: value for name, value in message.items() if name != "type"}
            elif message["type"] == "patch":
                self.view = merged(self.view, message)
            if message["type"] in types:
                return message

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message and return its answer."""
        self.socket.send_json(message)
        while (answer := self.receive("done", "refused", "previewed", "log", "pong"))["id"] != message["id"]:
            pass
        return answer

    def send(self, command: dict[str, Any], *, seq: int | None = None, own_id: str | None = None) -> dict[str, Any]:
        """Send a command on what is seen now, or was at `seq`, and return its answer."""
        own_id = own_id or f"c{next(self.ids)}"
        return self.ask({"type": "do", "id": own_id, "seq": self.seq if seq is None else seq, "command": command})

    def do(self, command: str, /, **fields: Any) -> dict[str, Any]:
        """Do a command, and see what came of it."""
        answer = self.send({"do": command, **fields})
        assert answer["type"] == "done", answer
        self.catch_up(answer["seq"])
        return answer

    def refuse(self, command: str, /, **fields: Any) -> list[dict[str, Any]]:
        """Send a command that is refused, and return its faults."""
        answer = self.send({"do": command, **fields})
        assert answer["type"] == "refused", answer
        assert answer["errors"]
        errors: list[dict[str, Any]] = answer["errors"]
        return errors

    def preview(self, command: str, /, **fields: Any) -> dict[str, Any]:
        return self.ask({"type": "preview", "id": f"p{next(self.ids)}", "command": {"do": command, **fields}})

    def catch_up(self, seq: int) -> View:
        """Wait until what happened up to an entry is seen."""
        while self.seq < seq:
            self.receive("patch", "state")
        return self.view

    def fresh(self) -> View:
        """Ask for everything anew, and check that it is what was known."""
        known = self.view
        self.socket.send_json({"type": "hello", "version": 1, "as": "viewer"})
        self.receive("state")
        for part in ("now", "clock"):
            known[part] = self.view[part]
        assert self.view == known
        return self.view

    def points(self, table: int, *won: int, **fields: Any) -> dict[str, Any]:
        """Return the fields of the hand being played: these points by seat."""
        shown = self.view["tables"][str(table)]
        here = [player for player in shown["seats"] if player is not None]
        points = {str(player): number for player, number in zip(here, won, strict=True)}
        return {"table": table, "hand": shown["hand"], "points": points, "fantasyland": {}, **fields}


@contextmanager
def page(client: TestClient, event: str, kind: str = "director", **hello: Any) -> Iterator[Page]:
    """Open a page of an event."""
    with client.websocket_connect(address(event, "socket")) as socket:
        yield Page(socket, {"as": kind, **hello})


def begin(director: Page, players: int = 7, *, clock: bool = True) -> None:
    """Register so many players, draw their seats and start the clock."""
    director.do("register", players=[{"name": f"Player {number}", "paid": True} for number in range(1, players + 1)])
    director.do("draw")
    if clock:
        director.do("start-clock")


def code_of(director: Page, table: int) -> str:
    code: str = director.view["tables"][str(table)]["code"]
    return code
