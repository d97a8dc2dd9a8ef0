"""A real `ofc serve` in a process of its own, on loopback, and small clients for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

import httpx2 as httpx
from starlette.testclient import WebSocketTestSession
from websockets.sync.client import ClientConnection, connect

DEADLINE_S = 60
"""How long a test waits before it says that nothing came; never reached when all is well."""


class Server:
    """`ofc serve` over a data folder. `log` is what it wrote on standard error."""

    def __init__(self, data: Path, *, bot_pause_ms: int = 0, port: int = 0) -> None:
        self.data = data
        self.bot_pause_ms = bot_pause_ms
        self.port = port
        self.lines: list[str] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return "".join(self.lines)

    def start(self) -> None:
        """Start it, on the port that it had before, and wait until it listens."""
        options = ["--port", str(self.port), "--data", str(self.data), "--bot-pause-ms", str(self.bot_pause_ms)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ofc", "serve", *options], stderr=subprocess.PIPE, text=True, env={**os.environ}
        )
        assert self.process.stderr is not None
        first = self.process.stderr.readline()
        self.lines.append(first)
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", first)
        assert found, first + self.process.stderr.read()
        self.port = int(found[1])
        self._reader = threading.Thread(target=self._read, args=(self.process.stderr,))
        self._reader.start()

    def _read(self, stream: Any) -> None:
        self.lines.extend(stream)
        stream.close()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self.process.kill()
        self._wait()

    def stop(self) -> int:
        """End it as a supervisor would, and return its exit status."""
        self.process.terminate()
        return self._wait()

    def _wait(self) -> int:
        status = self.process.wait(DEADLINE_S)
        self._reader.join(DEADLINE_S)
        return status

    def visitor(self) -> httpx.Client:
        """Return a browser of somebody new."""
        return httpx.Client(base_url=self.url, timeout=DEADLINE_S, trust_env=False)

    @contextmanager
    def socket(self, visitor: httpx.Client, table: str, *, hello: bool = True) -> Iterator[Socket]:
        """Open a table's socket, and say hello on it."""
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        address = f"ws://127.0.0.1:{self.port}/api/tables/{table}/socket"
        with connect(address, additional_headers={"Cookie": cookie}, proxy=None, open_timeout=DEADLINE_S) as connection:
            socket = Socket(connection)
            if hello:
                socket.send({"type": "hello", "version": 1})
            yield socket


def in_process(session: WebSocketTestSession) -> ClientConnection:
    """Return a socket of the application in this process, for where one to a server is expected."""
    return cast(ClientConnection, _InProcess(session))


class _InProcess:
    def __init__(self, session: WebSocketTestSession) -> None:
        self.send = session.send_text
        self._session = session

    def recv(self, _timeout: float) -> str:
        return self._session.receive_text()


class Socket:
    """One side of a table's WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, message: dict[str, Any]) -> None:
        self.connection.send(json.dumps(message))

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.connection.recv(DEADLINE_S))
        return message

    def receive_type(self, *types: str) -> dict[str, Any]:
        """Return the next message of these types; others before it are passed over."""
        while (message := self.receive())["type"] not in types:
            pass
        return message


def open_table(visitor: httpx.Client, **wishes: Any) -> str:
    """Open a table as this visitor and return its id."""
    answer = visitor.post("/api/tables", json={"rules": "ultimate", "bots": ["random", "random"], **wishes})
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    return table
