"""One table's WebSocket: a view whenever something changed, an answer to every message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from starlette.websockets import WebSocket

from ofc.errors import Fault, OfcError
from ofc.hand import Hand, move_faults, placement_faults
from ofc.outlook import chosen_faults, outlook_for
from ofc.scoring import Seat
from ofc.service import LiveTable, Move, StaleError, TableRooms
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
from ofc.web.protocol import Arrange, Command, Hello, Ping, ToldMove, UnreadCommandError
from ofc.web.reading import MOST_FAULTS, RequestError

_NO_HAND: Final = Fault("no-hand", "you have no board in a hand now")
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
            more = self._refusals(error) if isinstance(error, UnreadCommandError) else ()
            faults = (*error.faults, *more)[:MOST_FAULTS]
            await self.send(protocol.refused_message(protocol.message_id(text), self.table.seq, faults))
            if any(fault.code == "stale" for fault in more):
                await self._send_view()
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

    def _refusals(self, error: UnreadCommandError) -> Sequence[Fault]:
        """Return for what more a command would be refused that could not be read whole, as far as it could be."""
        told, unread = error.command, {fault.field for fault in error.faults}
        if not isinstance(told, ToldMove):
            return self.table.refusals(self.visitor, error.seq, told)
        mine = self._hand_of_mine()
        if told.arranges:
            if mine is None:
                return [_NO_HAND]
            faults = placement_faults(*mine, told.placements, partial=True)
            faults += chosen_faults(*mine, told.placements, told.cards or ())
        else:
            refused = self.table.refusals(self.visitor, error.seq, Move((), None))
            if mine is None or any(fault.field in ("seq", "seat") for fault in refused):
                return refused
            faults = move_faults(*mine, told.placements, told.cards)
        return [fault for fault in faults if fault.field not in unread]

    def _hand_of_mine(self) -> tuple[Hand, Seat] | None:
        """Return the hand under way and the sender's seat in it, None if there is none."""
        table, seat = self.table.table, self.table.seat_of(self.visitor)
        if seat is None or table.hand is None or not table.is_playing or seat not in table.hand.seats:
            return None
        return table.hand, seat

    async def _answer_arrange(self, question: Arrange) -> None:
        mine = self._hand_of_mine()
        if mine is None:
            await self.send(protocol.refused_message(question.id, self.table.seq, [_NO_HAND]))
            return
        outlook = outlook_for(*mine, question.placements, question.chosen)
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
