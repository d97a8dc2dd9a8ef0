"""One table's WebSocket: a view whenever something changed, an answer to every message."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ofc.errors import Fault, OfcError
from ofc.outlook import outlook_for
from ofc.service import LiveTable, StaleError, TableRooms
from ofc.storage import JournalError
from ofc.web import protocol
from ofc.web.protocol import Arrange, Command, Hello, Ping
from ofc.web.reading import MAX_BYTES, RequestError

HELLO_S: Final = 10
TRY_AGAIN_LATER: Final = 1013
POLICY_VIOLATION: Final = 1008
TOO_LARGE: Final = 1009


async def table_socket(websocket: WebSocket) -> None:
    """Serve one WebSocket from handshake to end."""
    rooms: TableRooms = websocket.app.state.rooms
    table = rooms.get(websocket.path_params["table"])
    if table is None or not _is_same_site(websocket):
        # Before it is accepted, closing a WebSocket answers 403.
        await websocket.close()
        return
    await websocket.accept()
    connection = _Connection(websocket, table, websocket.scope["state"]["visitor"])
    try:
        await connection.serve()
    except WebSocketDisconnect:
        return


def _is_same_site(websocket: WebSocket) -> bool:
    """Whether the page that opened the socket came from here; programs send no origin."""
    origin = websocket.headers.get("origin")
    return origin is None or origin.partition("://")[2] == websocket.headers.get("host")


class _Connection:
    """What one socket says and hears. Only one task sends at a time."""

    def __init__(self, websocket: WebSocket, table: LiveTable, visitor: str) -> None:
        self.websocket = websocket
        self.table = table
        self.visitor = visitor
        self.sending = asyncio.Lock()

    async def serve(self) -> None:
        try:
            hello = protocol.read_message(await asyncio.wait_for(self._receive(), HELLO_S))
            if not isinstance(hello, Hello):
                raise RequestError(Fault("hello-first", "say hello first", field="type"))
            if hello.version != protocol.VERSION:
                message = f"this server speaks version {protocol.VERSION}"
                raise RequestError(Fault("version", message, field="version", text=str(hello.version)))
        except TimeoutError:
            await self.websocket.close(POLICY_VIOLATION, "no hello")
            return
        except OfcError as error:
            await self._send(protocol.refused_message(None, self.table.seq, error.faults))
            await self.websocket.close(POLICY_VIOLATION, "no hello")
            return
        with self.table.watched() as changed:
            self.table.start_bots()
            changed.set()
            telling = asyncio.create_task(self._tell(changed))
            try:
                while True:
                    await self._answer(await self._receive())
            finally:
                telling.cancel()

    async def _tell(self, changed: asyncio.Event) -> None:
        """Send a view after every change; changes that come while one is being sent share the next."""
        while True:
            await changed.wait()
            changed.clear()
            await self._send_view()

    async def _send_view(self) -> None:
        seat = self.table.seat_of(self.visitor)
        await self._send(protocol.view_message(self.table.stored.id, self.table.table, self.table.seq, seat))

    async def _answer(self, text: str) -> None:
        try:
            message = protocol.read_message(text)
        except OfcError as error:
            await self._send(protocol.refused_message(protocol.message_id(text), self.table.seq, error.faults))
            return
        match message:
            case Hello():
                await self._send_view()
            case Ping(ping_id):
                await self._send(protocol.pong_message(ping_id))
            case Arrange():
                await self._answer_arrange(message)
            case Command():
                await self._answer_command(message)

    async def _answer_arrange(self, question: Arrange) -> None:
        table, seat = self.table.table, self.table.seat_of(self.visitor)
        if seat is None or table.hand is None or not table.is_playing or seat not in table.hand.seats:
            fault = Fault("no-hand", "you have no board in a hand now")
            await self._send(protocol.refused_message(question.id, self.table.seq, [fault]))
            return
        outlook = outlook_for(table.hand, seat, question.placements, question.chosen)
        await self._send(protocol.outlook_message(question.id, outlook))

    async def _answer_command(self, command: Command) -> None:
        try:
            seq = await self.table.submit(self.visitor, command.id, command.seq, command.command)
        except OfcError as error:
            await self._send(protocol.refused_message(command.id, self.table.seq, error.faults))
            if isinstance(error, StaleError):
                await self._send_view()
        except JournalError:
            fault = Fault("journal", "this could not be stored, and was not done; try again")
            await self._send(protocol.refused_message(command.id, self.table.seq, [fault]))
        else:
            await self._send(protocol.done_message(command.id, seq))

    async def _receive(self) -> str:
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message["code"], message.get("reason"))
        text = message.get("text")
        if text is None:
            raw: bytes = message["bytes"]
            text = raw.decode("utf-8", errors="replace")
        if len(text.encode()) > MAX_BYTES:
            await self.websocket.close(TOO_LARGE, "message too large")
            raise WebSocketDisconnect(TOO_LARGE)
        return str(text)

    async def _send(self, payload: bytes) -> None:
        async with self.sending:
            if self.websocket.application_state is WebSocketState.CONNECTED:
                await self.websocket.send_text(payload.decode())
