"""Headers that keep the page to itself: no foreign scripts, frames, content types or callers."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
        " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


def is_same_site(connection: HTTPConnection) -> bool:
    """Whether the page that asks came from here; programs send no origin."""
    origin = connection.headers.get("origin")
    return origin is None or origin.partition("://")[2] == connection.headers.get("host")


class SecurityHeadersMiddleware:
    """Adds `HEADERS` to every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await self.app(scope, receive, send_with_headers)
