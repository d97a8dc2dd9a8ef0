"""One WebSocket: whole messages in, one message at a time out, and refusals of a handshake."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ofc.calculator.plain import shown
from ofc.errors import Fault, OfcError
from ofc.storage import JournalError
from ofc.web.headers import is_same_site
from ofc.web.protocol import encode
from ofc.web.reading import MAX_BYTES

_LOG: Final = logging.getLogger(__name__)
_Live = TypeVar("_Live")
HELLO_S: Final = 10
NOT_STORED: Final = Fault("journal", "this could not be stored, and was not done; try again")
BROKEN: Final = Fault("internal", "something is wrong here; it has been noted")
FOREIGN_SITE: Final = Fault("origin-foreign", "this page came from another site", field="origin")
POLICY_VIOLATION: Final = 1008
TOO_LARGE: Final = 1009
NO_HELLO: Final = "no hello"
"""Why a socket is closed that said nothing in time."""


def refused_hello(error: OfcError) -> str:
    """Say why a socket is closed whose first message was refused: `hello refused: version`."""
    return f"hello refused: {error.code}"


def bytes_in(content: str | bytes) -> int:
    """Return how many bytes a message takes."""
    return len(content if isinstance(content, bytes) else content.encode())


async def refuse_handshake(websocket: WebSocket, status: int, fault: Fault) -> None:
    """Answer the handshake with an HTTP error."""
    body = encode({"errors": [fault]})
    await websocket.send_denial_response(Response(body, status, media_type="application/json"))


async def serve_socket(
    websocket: WebSocket,
    what: str,
    find: Callable[[str], Awaitable[_Live | None]],
    connect: Callable[[_Live], Connection],
) -> None:
    """Serve one WebSocket from handshake to end. `what` names the part of its address that says what to find."""
    named: str = websocket.path_params[what]
    if not is_same_site(websocket):
        await refuse_handshake(websocket, 403, FOREIGN_SITE)
        return
    try:
        live = await find(named)
    except JournalError as error:
        _LOG.error("%s", error)
        await refuse_handshake(websocket, 503, NOT_STORED)
        return
    if live is None:
        fault = Fault(f"{what}-unknown", f"there is no such {what}", field=what, text=shown(named))
        await refuse_handshake(websocket, 404, fault)
        return
    await websocket.accept()
    try:
        await connect(live).serve(hello_s=websocket.app.state.hello_s)
    except* WebSocketDisconnect:
        pass


class Connection(ABC):
    """What is sent and received over one accepted WebSocket. Only one task sends at a time."""

    def __init__(self, websocket: WebSocket) -> None:
        """Talk over `websocket`."""
        self.websocket = websocket
        self._sending = asyncio.Lock()

    @abstractmethod
    async def serve(self, *, hello_s: float) -> None:
        """Wait so long for a hello, then answer and tell until the socket is closed (`WebSocketDisconnect`)."""

    async def receive(self, *, most: int = MAX_BYTES) -> str | bytes:
        """Return the next message; `WebSocketDisconnect` when there is none any more, or one is over `most` bytes."""
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message["code"], message.get("reason"))
        content: str | bytes = message.get("text") or message.get("bytes") or ""
        if bytes_in(content) > most:
            await self.websocket.close(TOO_LARGE, "message too large")
            raise WebSocketDisconnect(TOO_LARGE)
        return content

    async def send(self, payload: bytes) -> None:
        """Send a message, unless the socket is closed."""
        async with self._sending:
            if self.websocket.application_state is WebSocketState.CONNECTED:
                await self.websocket.send_text(payload.decode())
