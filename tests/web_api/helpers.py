"""A program that speaks docs/protocol.md to the application in this process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from tests.playing import next_message

HELLO = {"type": "hello", "version": 1}


def open_table(client: TestClient, **wishes: Any) -> str:
    answer = client.post("/api/tables", json={"rules": "pineapple", "bots": ["random"], "hands": 1, **wishes})
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    return table


def codes(answer: dict[str, Any]) -> list[str]:
    return [fault["code"] for fault in answer["errors"]]


def receive(socket: WebSocketTestSession, *types: str) -> dict[str, Any]:
    """Return the next message of these types; others before it are passed over."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] in types:
            return message


def ask(socket: WebSocketTestSession, message: dict[str, Any]) -> dict[str, Any]:
    """Send a message and return its answer; others before it are passed over."""
    socket.send_json(message)
    while (answer := receive(socket, "done", "refused", "outlook", "pong"))["id"] != message["id"]:
        pass
    return answer


@contextmanager
def greeted(client: TestClient, table: str) -> Iterator[WebSocketTestSession]:
    """Open a table's socket and say hello."""
    with client.websocket_connect(f"/api/tables/{table}/socket") as socket:
        socket.send_json(HELLO)
        yield socket


def until_turn(socket: WebSocketTestSession) -> dict[str, Any]:
    """Return the first view in which the player may place, or the match is over."""
    while True:
        message = receive(socket, "view")
        view = message["view"]
        if view["phase"] != "placing" or view["you"] in view["turn"]:
            return message


def present(socket: WebSocketTestSession) -> dict[str, Any]:
    """Ask for the view again, and return the first in which the player may place, or the match is over."""
    socket.send_json(HELLO)
    return until_turn(socket)


def play(socket: WebSocketTestSession, generator: random.Random) -> dict[str, Any]:
    """Play until the match is over, and return the last view."""
    sent = 0
    while True:
        message = receive(socket, "view", "refused")
        assert message["type"] == "view" or codes(message) == ["stale"], message
        if message["type"] == "refused":
            continue
        if message["view"]["phase"] == "over":
            return message
        command = next_message(message["view"], message["seq"], f"{message['seq']}-{sent}", generator)
        if command is not None:
            sent += 1
            socket.send_json(command)


def other_client(client: TestClient) -> TestClient:
    """Return another visitor's browser on the same running server."""
    other = TestClient(client.app)
    other.portal = client.portal
    return other
