"""The browser."""

import os
from typing import Any

import pytest

from tests.web import chromium


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
