"""Who a request comes from: a secret in a cookie, which is the whole of an account."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "ofc_visitor"
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{22,64}")
_YEAR_S: Final = 365 * 24 * 3600


class VisitorMiddleware:
    """Puts the visitor, a digest of the secret, into `scope["state"]["visitor"]`; gives a new one a cookie."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        known = _secret_of(HTTPConnection(scope))
        secret = known or secrets.token_urlsafe(24)
        # Journals hold a digest: whoever reads one cannot play in another's name.
        scope.setdefault("state", {})["visitor"] = hashlib.sha256(secret.encode()).hexdigest()

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and known is None:
                cookie = f"{COOKIE}={secret}; Path=/; Max-Age={_YEAR_S}; HttpOnly; SameSite=Lax"
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _secret_of(connection: HTTPConnection) -> str | None:
    # As browsers write cookies, leniently: other servers on this host may have set strange ones.
    value = connection.cookies.get(COOKIE, "")
    return value if _SECRET.fullmatch(value) else None
