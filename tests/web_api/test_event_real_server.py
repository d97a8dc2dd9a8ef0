"""A real `ofc serve` with an event: killed while results are entered, and started again."""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient
from websockets.exceptions import WebSocketException

from ofc.service import TableRooms
from ofc.storage import Journal
from ofc.tournament.checking import check_log
from ofc.tournament.log import read_log
from ofc.web import create_app
from tests.event_servers import EventSocket, event_socket, open_event
from tests.random_events import next_hand
from tests.servers import Server, in_process


class Phone:
    """A table's page that enters hands, and remembers which were acknowledged."""

    def __init__(self, server: Server, visitor: httpx.Client, event: str, code: str, generator: random.Random) -> None:
        self.server = server
        self.visitor = visitor
        self.event = event
        self.code = code
        self.generator = generator
        self.ids = itertools.count()
        self.acknowledged: dict[str, int] = {}
        self.pending: tuple[str, dict[str, Any]] | None = None

    def enter(self, hands: int, *, kill_after: int | None = None) -> None:
        """Enter so many hands; the server is killed at no chosen moment while one of them is."""
        with event_socket(self.server, self.visitor, self.event, "table", code=self.code) as socket:
            for number in range(hands):
                if number == kill_after:
                    threading.Timer(self.generator.uniform(0, 0.02), self.server.process.kill).start()
                self.enter_one(socket)
            if kill_after is not None:
                socket.receive("nothing")  # until the connection is cut

    def enter_one(self, socket: EventSocket) -> None:
        if self.pending is None:  # otherwise it is not known whether it was done: the same again
            table = str(socket.view["you"]["table"])
            self.pending = (f"c{next(self.ids)}", next_hand(socket.view, table, self.generator))
        answer = socket.do(*self.pending)
        if answer["type"] == "done":
            self.acknowledged[self.pending[0]] = answer["seq"]
        else:
            assert {fault["code"] for fault in answer["errors"]} <= {
                "fantasyland-stay", "hand-entered", "opponent-missing", "table-unknown",
            }, answer  # fmt: skip
        self.pending = None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.log


def test_kill_9_while_results_are_entered_loses_and_doubles_nothing(tmp_path: Path, server: Server) -> None:
    generator = random.Random(1)
    with server.visitor() as visitor:
        structure = {"starting_stack": 10**6, "steps": [{"kind": "level", "price": 1, "minutes": 600}] * 2}
        event = open_event(visitor, structure=structure)
        with event_socket(server, visitor, event) as director:
            names = [{"name": name} for name in "ABCDEF"]
            commands: list[dict[str, Any]] = [{"do": "register", "players": names}, {"do": "draw"}]
            for number, command in enumerate(commands):
                assert director.do(f"d{number}", command)["type"] == "done"
            codes = [table["code"] for table in director.view["tables"].values()]
        phones = [Phone(server, visitor, event, code, generator) for code in codes]
        for turn in range(5):
            phone = phones[turn % 2]
            with suppress(WebSocketException, OSError):
                phone.enter(12, kill_after=generator.randrange(10))
            server.kill()
            server.start()
            check(tmp_path / "ofc.sqlite", event, phones)
        for phone in phones:
            phone.enter(3)
        check(tmp_path / "ofc.sqlite", event, phones)
        exported = visitor.get(f"/api/events/{event}/export").content
        assert check_log(read_log(exported)) == ()
    assert sum(len(phone.acknowledged) for phone in phones) > 10


def check(path: Path, event: str, phones: list[Phone]) -> None:
    """Every acknowledged action is there, once, at the number that it was acknowledged with."""
    with closing(Journal(path)) as journal:
        rows = journal.read_rows(event)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        senders = journal.senders(event)
        for table, phone in enumerate(phones, start=1):
            (sender,) = {name for name in senders.values() if name.endswith(f":{table}")} or {""}
            for own_id, seq in phone.acknowledged.items():
                assert journal.command_seq(event, sender, own_id) == seq
                assert rows[seq - 1].type == "Action"


def test_two_servers_on_one_journal_never_both_win(tmp_path: Path, server: Server) -> None:
    """The lock on the folder is a courtesy; the numbers in the journal are the fence, also without it."""
    there = TestClient(create_app(lambda: TableRooms(Journal(tmp_path / "ofc.sqlite"))))
    with there, server.visitor() as visitor:
        event = open_event(visitor)
        there.cookies.set("ofc_visitor", visitor.cookies["ofc_visitor"])
        path = f"/api/events/{event}/socket"
        with event_socket(server, visitor, event) as mine, there.websocket_connect(path) as session:
            theirs = EventSocket(in_process(session))
            for number in range(8):
                sides = [mine, theirs] if number % 2 else [theirs, mine]
                for side in sides:
                    side.send({"type": "hello", "version": 1, "as": "director"})
                    side.receive("state")
                    side.send(
                        {
                            "type": "do",
                            "id": f"{number} {side is mine}",
                            "seq": side.view["seq"],
                            "command": {"do": "register", "players": [{"name": f"{number} {side is mine}"}]},
                        }
                    )
                answers = [side.receive("done", "refused") for side in sides]
                assert "done" in {answer["type"] for answer in answers}
                assert all(answer["errors"][0]["code"] == "stale" for answer in answers if answer["type"] == "refused")
        exported = visitor.get(f"/api/events/{event}/export").content
    assert check_log(read_log(exported)) == ()
