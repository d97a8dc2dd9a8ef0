"""The application in this process, over a journal of its own."""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ofc.service import TableRooms
from ofc.storage import Journal
from ofc.web import create_app

DEADLINE_S = 300
MakeClient = Callable[..., TestClient]


@pytest.fixture
def _no_hanging() -> Iterator[None]:
    """A socket in this process waits for ever for a message that does not come: end the run and say where."""
    faulthandler.dump_traceback_later(DEADLINE_S, exit=True, file=sys.__stderr__ or 2)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def journal_path(tmp_path: Path) -> Path:
    return tmp_path / "ofc.sqlite"


@pytest.fixture
def built_page(tmp_path: Path) -> Path:
    """A built page, as small as one can be."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>ofc</title>")
    (folder / "app.js").write_text("1")
    return folder


@pytest.fixture
def make_client(_no_hanging: None, journal_path: Path, built_page: Path) -> MakeClient:
    """A server over the test's journal, unless another is told; enter the client to start it."""

    def make(
        *, static: Path = built_page, hello_s: float = 60, bot_pause_ms: int = 0, journal: Path = journal_path
    ) -> TestClient:
        app = create_app(
            lambda: TableRooms(Journal(journal), bot_pause_ms=bot_pause_ms), static=static, hello_s=hello_s
        )
        return TestClient(app)

    return make


@pytest.fixture
def client(make_client: MakeClient) -> Iterator[TestClient]:
    with make_client() as client:
        yield client
