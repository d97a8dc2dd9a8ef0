"""The browser, and a server to open in it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, expect

from tests.servers import Server
from tests.web import chromium
from tests.web.scenes import DESKTOP, new_context

LOST_CONNECTION = (
    "WebSocket connection",
    "WebSocket is closed",
    "net::ERR_CONNECTION",
    "net::ERR_INTERNET_DISCONNECTED",
)

# A busy machine is not a bug.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Starts the Chromium that the machine has, quietly; as root only without its sandbox."""
    arguments = [
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")
    found = chromium.find_installed()
    place = {"executable_path": found} if found else {}
    return {**browser_type_launch_args, **place, "args": arguments}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that every test of this process may use: each plays at tables of its own."""
    with Server(tmp_path_factory.mktemp("data"), bot_pause_ms=20) as server:
        yield server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of this test alone, to be killed."""
    server = Server(tmp_path, bot_pause_ms=20)
    with server:
        yield server


class Opener(Protocol):
    """Opens a browser of somebody new. `refused` is an HTTP status that the test is about."""

    def __call__(self, size: tuple[int, int] = ..., *, refused: int | None = ..., **options: Any) -> BrowserContext: ...


@pytest.fixture
def open_browser(browser: Browser) -> Iterator[Opener]:
    """Browsers of somebody new, whose pages must run without a complaint: no error, nothing that the policy forbids."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    forgiven = [*LOST_CONNECTION]

    def note(message: ConsoleMessage) -> None:
        # A lost connection is told in the console too; that one is meant.
        if message.type in ("error", "warning") and not any(text in message.text for text in forgiven):
            complaints.append(f"{message.type}: {message.text}")

    def open_it(size: tuple[int, int] = DESKTOP, *, refused: int | None = None, **options: Any) -> BrowserContext:
        if refused:
            forgiven.append(f"status of {refused}")
        context = new_context(browser, size, **options)
        context.set_default_timeout(20_000)
        context.on("console", note)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        contexts.append(context)
        return context

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []
