"""A real `ofc serve` in its own process: killed, cut off from the disk, flooded, stopped."""

from __future__ import annotations

import itertools
import json
import random
import re
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed, WebSocketException

from ofc import table as tables
from ofc.service import TableRooms
from ofc.storage import Journal
from ofc.web import create_app
from tests.playing import next_message
from tests.servers import Server, Socket, in_process, open_table
from tests.web_api.helpers import greeted


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server
    assert "Traceback" not in server.log


@pytest.fixture
def visitor(server: Server) -> Iterator[httpx.Client]:
    with server.visitor() as visitor:
        yield visitor


class Player:
    """Plays one match over whatever connections there are, and remembers what was acknowledged."""

    def __init__(self, server: Server, visitor: httpx.Client, table: str, generator: random.Random) -> None:
        self.server = server
        self.visitor = visitor
        self.table = table
        self.generator = generator
        self.ids = itertools.count()
        self.acknowledged: dict[str, int] = {}
        self.pending: dict[str, object] | None = None
        self.is_over = False
        self.kill_in = -1

    def play_on(self) -> None:
        """Play until the match is over; `ConnectionClosed` when the server goes."""
        with self.server.socket(self.visitor, self.table) as connection:
            if self.pending is not None:  # whether it was done is not known: the same again
                connection.send(self.pending)
            while not self.is_over:
                message = connection.receive_type("view", "done", "refused")
                self.kill_in -= 1
                if self.kill_in == 0:
                    threading.Timer(self.generator.uniform(0.0, 0.03), self.server.process.kill).start()
                if message["type"] == "done":
                    self.acknowledged[message["id"]] = message["seq"]
                    self.pending = None
                elif message["type"] == "refused":
                    assert [fault["code"] for fault in message["errors"]] == ["stale"]
                    self.pending = None
                elif message["view"]["phase"] == "over":
                    self.is_over = True
                elif self.pending is None:
                    self.act(connection, message)
                if message["type"] != "view" and not self.is_over:
                    connection.send({"type": "hello", "version": 1})

    def act(self, connection: object, message: dict[str, object]) -> None:
        view, seq = message["view"], message["seq"]
        command = next_message(view, seq, f"c{next(self.ids)}", self.generator)  # type: ignore[arg-type]  # as read
        if command is not None:
            self.pending = command
            connection.send(command)  # type: ignore[attr-defined]  # a Socket


def check_journal(path: Path, table: str, acknowledged: dict[str, int]) -> None:
    """Check that no event is lost or doubled, that the stream replays, and that what was acknowledged is there."""
    with closing(Journal(path)) as journal:
        events = journal.read(table)
        assert [item.seq for item in events] == list(range(1, len(events) + 1))
        tables.replay(tuple(item.event for item in events))
        (stored,) = [journal.table(table)]
        assert stored is not None
        for command, seq in acknowledged.items():
            assert journal.command_seq(table, stored.visitor, command) == seq
        assert all(seq <= len(events) for seq in acknowledged.values())
        assert len(set(acknowledged.values())) == len(acknowledged)


@pytest.mark.parametrize("seed", range(3))
def test_kill_9_at_any_moment_loses_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    """Eight kills within one match, each a few messages on, at no chosen moment of what the server then does."""
    generator = random.Random(seed)
    server = Server(tmp_path)
    server.start()
    try:
        with server.visitor() as visitor:
            table = open_table(visitor, hands=3)
            player = Player(server, visitor, table, generator)
            for _ in range(8):
                player.kill_in = generator.randrange(2, 16)
                with suppress(WebSocketException, OSError):
                    player.play_on()
                server.kill()
                check_journal(tmp_path / "ofc.sqlite", table, player.acknowledged)
                server.start()
            player.kill_in = -1
            player.play_on()
            assert player.is_over
            assert visitor.get(f"/api/tables/{table}").json()["phase"] == "over"
    finally:
        server.stop()
    check_journal(tmp_path / "ofc.sqlite", table, player.acknowledged)
    assert "Traceback" not in server.log


def test_bots_go_on_after_a_restart_without_anyone_moving(tmp_path: Path) -> None:
    server = Server(tmp_path, bot_pause_ms=10_000)
    server.start()
    with server.visitor() as visitor:
        tables_opened = [open_table(visitor, hands=1) for _ in range(4)]
        server.kill()
        server.bot_pause_ms = 0
        server.start()
        for table in tables_opened:
            with server.socket(visitor, table) as connection:
                while 0 not in connection.receive_type("view")["view"]["turn"]:
                    pass
    assert server.stop() in (0, -15)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is set from outside, which only Linux can")
def test_a_full_disk_refuses_what_it_cannot_keep_and_the_server_stays_up(tmp_path: Path) -> None:
    import resource  # noqa: PLC0415 - not there on every system

    with Server(tmp_path) as server, server.visitor() as visitor:
        table = open_table(visitor)
        with server.socket(visitor, table) as connection:
            message = connection.receive_type("view")
            while 0 not in message["view"]["turn"]:
                message = connection.receive_type("view")
            move = next_message(message["view"], message["seq"], "m", random.Random(1))
            assert move is not None
            limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, limits[1]))
            connection.send(move)
            refused = connection.receive_type("done", "refused")
            assert [fault["code"] for fault in refused["errors"]] == ["journal"]
            connection.send({"type": "hello", "version": 1})
            assert connection.receive_type("view") == message
            answer = visitor.post("/api/tables", json={"rules": "pineapple", "bots": ["random"]})
            assert answer.status_code == 503
            assert visitor.get("/api/health").status_code == 200
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
            connection.send(move)
            assert connection.receive_type("done", "refused")["type"] == "done"
        assert len(visitor.get("/api/tables").json()["tables"]) == 1
    assert "Traceback" not in server.log
    with closing(sqlite3.connect(tmp_path / "ofc.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_two_servers_on_one_journal_never_both_win(tmp_path: Path) -> None:
    """The lock on the folder is a courtesy; the numbers in the journal are the fence, also without it."""
    there = TestClient(create_app(lambda: TableRooms(Journal(tmp_path / "ofc.sqlite"), bot_pause_ms=0)))
    with Server(tmp_path) as here, there, here.visitor() as visitor:
        table = open_table(visitor, rules="pineapple", bots=["random"], hands=3)
        there.cookies.set("ofc_visitor", visitor.cookies["ofc_visitor"])
        with here.socket(visitor, table) as mine, greeted(there, table) as session:
            theirs = Socket(in_process(session))
            assert theirs.receive_type("view")["view"]["you"] == 0
            for number in range(6):
                for connection, other in ((mine, theirs), (theirs, mine)):
                    connection.send({"type": "hello", "version": 1})
                    other.send({"type": "hello", "version": 1})
                    message = connection.receive_type("view")
                    command = next_message(
                        message["view"], message["seq"], f"{number}{connection is mine}", random.Random(1)
                    )
                    if command is not None:
                        other_command = {**command, "id": f"{command['id']} too"}
                        connection.send(command)
                        other.send(other_command)
                        answers = [side.receive_type("done", "refused") for side in (connection, other)]
                        assert [answer["type"] for answer in answers].count("done") <= 1
    with closing(Journal(tmp_path / "ofc.sqlite")) as journal:
        events = journal.read(table)
    tables.replay(tuple(item.event for item in events))


def test_a_second_server_on_one_data_folder_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    with Server(tmp_path) as first:
        for port, codes in (("0", ["data-in-use"]), (str(first.port), ["port-unusable", "data-in-use"])):
            done = serve("--port", port, "--data", str(tmp_path))
            assert done.returncode == 2
            assert re.findall(r"\[([a-z-]+)\]$", done.stderr, re.MULTILINE) == codes
            assert f"the data folder {tmp_path}" in done.stderr
            assert "--data DIR" in done.stderr
        with first.visitor() as visitor:
            assert visitor.get("/api/health").status_code == 200
        first.kill()
        first.start()  # on the same port, at once
    assert serve("--port", "0", "--data", str(tmp_path / "none"), "--host", "..").returncode == 2
    assert not (tmp_path / "none").exists()


def test_one_who_reads_nothing_does_not_hold_up_the_table(server: Server, visitor: httpx.Client) -> None:
    table = open_table(visitor, hands=2)
    with server.visitor() as watcher, server.socket(watcher, table) as slow:
        for number in range(2_000):  # views that nobody reads
            slow.send({"type": "ping" if number % 2 else "hello", **({"id": "x"} if number % 2 else {"version": 1})})
            if number == 200:
                break
        player = Player(server, visitor, table, random.Random(2))
        player.play_on()
        assert player.is_over


def test_a_flood_on_one_socket_does_not_keep_others_waiting(server: Server, visitor: httpx.Client) -> None:
    table = open_table(visitor)
    with server.visitor() as flooder, server.socket(flooder, table) as flood:
        for number in range(5_000):
            flood.send({"type": "ping", "id": str(number)})
        assert visitor.get("/api/health").status_code == 200
        for number in range(5_000):
            assert flood.receive_type("pong")["id"] == str(number)


def test_text_that_is_none_and_messages_too_large_close_the_socket(server: Server, visitor: httpx.Client) -> None:
    table = open_table(visitor)
    for payload, code in ((b'"\xff"', 1007), (b" " * 65_537, 1009)):
        with server.socket(visitor, table) as connection:
            connection.connection.send(payload, text=True)
            with pytest.raises(ConnectionClosed) as closed:
                connection.receive_type("the end")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == code
    assert visitor.get("/api/health").status_code == 200


def test_a_stopped_server_closes_its_sockets(tmp_path: Path) -> None:
    with (
        Server(tmp_path, bot_pause_ms=10_000) as server,
        server.visitor() as visitor,
        server.socket(visitor, open_table(visitor)) as connection,
    ):
        connection.receive_type("view")
        server.stop()
        with pytest.raises(ConnectionClosed) as closed:
            connection.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    assert "Traceback" not in server.log


def serve(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ofc", "serve", *options], capture_output=True, text=True, check=False, timeout=60
    )


def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = serve("--port", str(taken.getsockname()[1]), "--data", str(tmp_path / "data"))
    assert done.returncode == 2
    assert "port-unusable" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("host", ["no.such.host.invalid", "x" * 70, "..", "", " "])
def test_a_host_that_is_none_is_said(tmp_path: Path, host: str) -> None:
    done = serve("--host", host, "--port", "0", "--data", str(tmp_path))
    assert (done.returncode, "host-unknown" in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("case", ["under a file", "journal is a folder", "lock is a folder", "journal is no database"])
def test_a_data_folder_that_cannot_be_used_is_said(tmp_path: Path, case: str) -> None:
    folder = tmp_path / "data"
    if case == "under a file":
        (tmp_path / "data").write_text("not a folder")
        folder = tmp_path / "data" / "deeper"
    elif case == "journal is a folder":
        (folder / "ofc.sqlite").mkdir(parents=True)
    elif case == "lock is a folder":
        (folder / "ofc.lock").mkdir(parents=True)
    else:
        folder.mkdir()
        (folder / "ofc.sqlite").write_bytes(b"no database at all, and long enough to tell" * 100)
    done = serve("--port", "0", "--data", str(folder))
    assert done.returncode == 2, done.stderr
    assert "data-unusable" in done.stderr
    assert str(folder) in done.stderr
    assert "Traceback" not in done.stderr


def test_an_empty_text_is_no_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = serve("--port", "0", "--data", "")
    assert done.returncode == 2
    assert "an empty text names no folder" in done.stderr
    assert not [*tmp_path.iterdir()]


def test_the_journal_is_in_the_users_own_data_folder_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ofc.cli.serve import default_data_folder  # noqa: PLC0415 - beside what it is about

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_data_folder() == tmp_path / "ofc"
    monkeypatch.setenv("HOME", str(tmp_path))
    for relative in ("", "data"):
        monkeypatch.setenv("XDG_DATA_HOME", relative)
        assert default_data_folder() == tmp_path / ".local" / "share" / "ofc"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert default_data_folder() == tmp_path / ".local" / "share" / "ofc"


def test_who_has_no_home_is_asked_for_a_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    from ofc.cli.serve import ServeError, default_data_folder  # noqa: PLC0415 - beside what it is about

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.raises(ServeError, match="--data DIR") as refused:
        default_data_folder()
    assert refused.value.code == "data-unusable"


def test_secrets_of_visitors_are_not_in_the_journal(tmp_path: Path) -> None:
    with Server(tmp_path) as server, server.visitor() as visitor:
        open_table(visitor)
        secret = visitor.cookies["ofc_visitor"]
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert secret.encode() not in held
    assert json.dumps(secret).encode() not in held
