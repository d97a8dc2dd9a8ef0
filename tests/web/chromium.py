"""Finds the Chromium that the browser tests drive. As a script: prints where it is, or fails."""

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""The shell first: it draws no window of its own around each page, which takes as long as the page."""


def find_installed() -> str | None:
    """The program that CHROMIUM names, else one that the machine has; None: only Playwright's own can be."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    found = (shutil.which(name) for name in NAMES)
    return next((program for program in found if program), None)


def find_playwrights_own() -> str | None:
    """The one that `python -m playwright install chromium` brought."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - slow, and often not needed

    with sync_playwright() as playwright:
        program = playwright.chromium.executable_path
    return program if Path(program).exists() else None


if __name__ == "__main__":
    program = find_installed() or find_playwrights_own()
    if not program or not shutil.which(program):
        sys.exit("no Chromium found")
    sys.stdout.write(f"{program}\n")
