"""Waiting for what a page says of itself.

Playwright's own `wait_for_function` asks again from inside the page, by `eval`, which the page's policy forbids
once the first answer was no.
"""

from __future__ import annotations

import time

from playwright.sync_api import Page

_PATIENCE_S = 20
_PAUSE_MS = 50


def wait_until(page: Page, expression: str, arg: object = None) -> None:
    """Wait until a JavaScript expression, or function of `arg`, is true in the page."""
    end = time.monotonic() + _PATIENCE_S
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, f"never true: {expression}"
        page.wait_for_timeout(_PAUSE_MS)
