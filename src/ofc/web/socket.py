"""One table's WebSocket: a view whenever something changed, an answer to every message."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from starlette.websockets import WebSocket

from ofc.errors import Fault, OfcError
from ofc.hand import move_faults
from ofc.outlook import outlook_for
from ofc.service import LiveTable, StaleError, TableRooms
from ofc.storage import JournalError
from ofc.web import protocol
from ofc.web.connection import (
    BROKEN,
    NO_HELLO,
    NOT_STORED,
    POLICY_VIOLATION,
    Connection,
    refused_hello,
    serve_socket,
)
from ofc.web.protocol import Arrange, Command, Hello, Ping, UnreadMoveError
from ofc.web.reading import MOST_FAULTS, RequestError

_LOG: Final = logging.getLogger(__name__)


async def table_socket(websocket: WebSocket) -> None:
    """Serve one WebSocket from handshake to end."""
    rooms: TableRooms = websocket.app.state.rooms
    visitor: str = websocket.scope["state"]["visitor"]
    await serve_socket(websocket, "table", rooms.get, lambda table: _TableConnection(websocket, table, visitor))


class _TableConnection(Connection):
    """What one table's socket says and hears."""

    def __init__(self, websocket: WebSocket, table: LiveTable, visitor: str) -> None:
        super().__init__(websocket)
        self.table = table
        self.visitor = visitor

    async def serve(self, *, hello_s: float) -> None:
        """Greet, then answer and tell until the socket is closed, which raises `WebSocketDisconnect`."""
        reason = await self._greet(hello_s)
        if reason is not None:
            await self.websocket.close(POLICY_VIOLATION, reason)
            return
        with self.table.watched() as changed:
            self.table.start_bots()
            changed.set()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._tell(changed))
                while True:
                    await self._answer(await self.receive())
                    await asyncio.sleep(0)  # one who sends much waits for the others after each message

    async def _greet(self, hello_s: float) -> str | None:
        """Wait for a hello; return why the socket is to be closed, where none came or another message did."""
        try:
            text = await asyncio.wait_for(self.receive(), hello_s)
        except TimeoutError:
            return NO_HELLO
        try:
            hello = protocol.read_message(text)
            if not isinstance(hello, Hello):
                raise RequestError(Fault("hello-first", "say hello first", field="type"))
            if hello.version != protocol.VERSION:
                message = f"this server speaks version {protocol.VERSION}"
                raise RequestError(Fault("version", message, field="version", text=str(hello.version)))
        except OfcError as error:
            await self.send(protocol.refused_message(protocol.message_id(text), self.table.seq, error.faults))
            return refused_hello(error)
        return None

    async def _tell(self, changed: asyncio.Event) -> None:
        """Send a view after every change; changes that come while one is being sent share the next."""
        while True:
            await changed.wait()
            changed.clear()
            await self._send_view()

    async def _send_view(self) -> None:
        seat = self.table.seat_of(self.visitor)
        await self.send(protocol.view_message(self.table.stored.id, self.table.table, self.table.seq, seat))

    async def _answer(self, text: str | bytes) -> None:
        try:
            message = protocol.read_message(text)
        except OfcError as error:
            faults = (*error.faults, *self._rule_faults(error))[:MOST_FAULTS]
            await self.send(protocol.refused_message(protocol.message_id(text), self.table.seq, faults))
            return
        match message:
            case Hello():
                await self._send_view()
            case Ping(ping_id):
                await self.send(protocol.pong_message(ping_id))
            case Arrange():
                await self._answer_arrange(message)
            case Command():  # pragma: no branch - mypy knows no other
                await self._answer_command(message)

    def _rule_faults(self, error: OfcError) -> list[Fault]:
        """Return what the rules say against a move that could not be read whole, if it is the sender's to make now."""
        hand = self.table.table.hand
        seat = self.table.seat_of(self.visitor)
        if (
            not isinstance(error, UnreadMoveError)
            or error.seq not in (None, self.table.seq)
            or not self.table.table.is_playing
            or hand is None
            or seat not in hand.seats
            or not hand.holding(seat).dealt
        ):
            return []
        unread = {fault.field for fault in error.faults}
        faults = move_faults(hand, seat, error.placements, error.discards, partial=error.partial)
        return [fault for fault in faults if fault.field not in unread]

    async def _answer_arrange(self, question: Arrange) -> None:
        table, seat = self.table.table, self.table.seat_of(self.visitor)
        if seat is None or table.hand is None or not table.is_playing or seat not in table.hand.seats:
            fault = Fault("no-hand", "you have no board in a hand now")
            await self.send(protocol.refused_message(question.id, self.table.seq, [fault]))
            return
        outlook = outlook_for(table.hand, seat, question.placements, question.chosen)
        await self.send(protocol.outlook_message(question.id, outlook))

    async def _answer_command(self, command: Command) -> None:
        try:
            seq = await self.table.submit(self.visitor, command.id, command.seq, command.command)
        except OfcError as error:
            await self.send(protocol.refused_message(command.id, self.table.seq, error.faults))
            if isinstance(error, StaleError):
                await self._send_view()
        except JournalError as error:
            _LOG.error("%s", error)
            await self.send(protocol.refused_message(command.id, self.table.seq, [NOT_STORED]))
        except Exception:  # noqa: BLE001 - it is logged, and answered
            # Were the socket closed for it, the page would connect and send the same again, for ever.
            _LOG.exception("table %s: a command could not be handled", self.table.stored.id)
            await self.send(protocol.refused_message(command.id, self.table.seq, [BROKEN]))
        else:
            await self.send(protocol.done_message(command.id, seq))
