"""A tournament's WebSocket (docs/event-protocol.md): everything once, then what changed, and answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from ofc.errors import Fault, OfcError
from ofc.service.live_tournament import Actor, AnyCommand, LiveTournament
from ofc.service.tournaments import Tournaments
from ofc.storage import JournalError
from ofc.tournament import event_view, view
from ofc.tournament.events import Action, HandSettled, PrizesSet, TableNumber
from ofc.tournament.settling import pairs_matter
from ofc.web import event_pages
from ofc.web.connection import (
    BROKEN,
    NO_HELLO,
    NOT_STORED,
    POLICY_VIOLATION,
    Connection,
    bytes_in,
    refused_hello,
    serve_socket,
)
from ofc.web.event_commands import read_command
from ofc.web.protocol import encode, message_id, refused_message
from ofc.web.reading import (
    MAX_BYTES,
    MOST_FAULTS,
    MOST_MESSAGE_BYTES,
    RequestError,
    read_choice,
    read_object,
    read_type,
)

_LOG: Final = logging.getLogger(__name__)
VERSION: Final = 1
_TYPES: Final = ("do", "preview", "log", "ping", "hello")
_KINDS: Final = ("director", "table", "viewer")
OLDER_LINES: Final = 100


@dataclass(frozen=True, slots=True)
class Page:
    """What kind of page a socket serves. `actor` is None for one that only looks."""

    kind: str
    actor: Actor | None

    @property
    def table(self) -> TableNumber | None:
        """The table whose page it is."""
        return self.actor.table if self.actor is not None else None

    @property
    def audience(self) -> event_pages.Audience:
        """What it may see."""
        return event_pages.Audience(is_director=self.kind == "director", table=self.table)


async def event_socket(websocket: WebSocket) -> None:
    """Serve one WebSocket from handshake to end."""
    tournaments: Tournaments = websocket.app.state.tournaments
    await serve_socket(websocket, "event", tournaments.get, lambda live: _EventConnection(websocket, tournaments, live))


class _EventConnection(Connection):
    """What one page's socket says and hears."""

    def __init__(self, websocket: WebSocket, tournaments: Tournaments, live: LiveTournament) -> None:
        super().__init__(websocket)
        self.tournaments = tournaments
        self.live = live
        self.visitor: str = websocket.scope["state"]["visitor"]
        self.page = Page("viewer", None)
        self.sent = event_pages.picture_of(live)

    async def serve(self, *, hello_s: float) -> None:
        """Greet, then answer and tell until the socket is closed, which raises `WebSocketDisconnect`."""
        reason = await self._greet(hello_s)
        if reason is not None:
            await self.websocket.close(POLICY_VIOLATION, reason)
            return
        with self.live.watched() as changed:
            await self._send_state()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._tell(changed))
                while True:
                    await self._answer(await self.receive(most=MOST_MESSAGE_BYTES))
                    await asyncio.sleep(0)  # one who sends much waits for the others after each message

    async def _greet(self, hello_s: float) -> str | None:
        """Wait for a hello; return why the socket is to be closed, where none came or another message did."""
        try:
            text = await asyncio.wait_for(self.receive(), hello_s)
        except TimeoutError:
            return NO_HELLO
        try:
            self.page = self._read_hello(text)
        except OfcError as error:
            await self._refuse(message_id(text), error.faults)
            return refused_hello(error)
        except JournalError as error:
            await self._refuse_unstored(message_id(text), error)
            return refused_hello(RequestError(NOT_STORED))
        return None

    def _read_hello(self, text: str | bytes) -> Page:
        reader = read_object(text)
        if reader.take("type") != "hello":
            raise RequestError(Fault("hello-first", "say hello first", field="type"))
        version = reader.whole("version", least=0)
        kind = read_choice(reader, "as", _KINDS, reader.take("as"), code="page-unknown")
        code = reader.text("code", longest=20, default="")
        if version != VERSION:
            reader.fault("version", f"this server speaks version {VERSION}", "version", str(version))
        reader.finish()
        if kind == "table":
            number = self.live.table_of_code(code)
            if number is None:
                raise RequestError(
                    Fault("code-unknown", "no table of this event has this code", field="code", text=code)
                )
            return Page(kind, Actor(f"{self.visitor}:{number}", f"Table {number}", number))
        if kind == "director":
            director = self.tournaments.director(self.live.stored.id, self.visitor)
            if director is None:
                raise RequestError(Fault("not-director", "you do not direct this event", field="as", text=kind))
            return Page(kind, Actor(self.visitor, director.name))
        return Page(kind, None)

    async def _send_state(self) -> None:
        actor = self.page.actor
        you = {"as": self.page.kind, "name": actor.name if actor is not None else None, "table": self.page.table}
        self.sent = event_pages.picture_of(self.live)
        await self.send(event_pages.state_message(self.live, self.sent, you, self.page.audience))

    async def _tell(self, changed: asyncio.Event) -> None:
        """Send what changed; changes that come while one message is being sent share the next."""
        while True:
            await changed.wait()
            changed.clear()
            before, self.sent = self.sent, event_pages.picture_of(self.live)
            if self.sent is not before:
                await self.send(event_pages.patch_message(self.live, before, self.sent, self.page.audience))

    async def _answer(self, text: str | bytes) -> None:
        size = bytes_in(text)
        if size > MAX_BYTES and not self.page.audience.is_director:  # only directors send lists of players
            message = f"a message of this page is at most {MAX_BYTES:,} bytes, not {size:,}"
            await self._refuse(message_id(text), [Fault("message-too-large", message, text=str(size))])
            return
        try:
            reader = read_object(text)
            kind = read_type(reader, _TYPES)
            if kind == "hello":
                await self._send_state()
                return
            own_id = reader.id()
            if kind == "ping":
                reader.finish()
                await self.send(encode({"type": "pong", "id": own_id, "now": self.live.now()}))
            elif kind == "log":
                before = reader.whole("before", least=1)
                reader.finish()
                await self._answer_log(own_id, before)
            else:
                seq = reader.whole("seq", least=0) if kind == "do" else 0
                without = reader.optional_whole("without", least=1) if kind == "preview" else None
                command = read_command(reader.take("command"), reader)
                reader.finish()
                assert command is not None  # noqa: S101  # finish would have raised
                if kind == "do":
                    await self._do(own_id, seq, command)
                else:
                    await self._preview(own_id, command, without)
        except OfcError as error:
            await self._refuse(message_id(text), error.faults)
        except JournalError as error:
            await self._refuse_unstored(message_id(text), error)
        except WebSocketDisconnect:
            raise
        except Exception:  # noqa: BLE001 - it is logged, and answered
            # Were the socket closed for it, the page would connect and send the same again, for ever.
            _LOG.exception("event %s: a message could not be handled", self.live.stored.id)
            await self._refuse(message_id(text), [BROKEN])

    async def _refuse(self, own_id: str | None, faults: Sequence[Fault]) -> None:
        await self.send(refused_message(own_id, self.live.state.seq, faults[:MOST_FAULTS]))

    async def _refuse_unstored(self, own_id: str | None, error: JournalError) -> None:
        _LOG.error("%s", error)
        await self._refuse(own_id, [NOT_STORED])

    async def _answer_log(self, own_id: str, before: int) -> None:
        lines: Sequence[view.LogLine] = ()
        if self.page.audience.is_director:
            lines = view.log_lines(self.live.log, most=OLDER_LINES, before=before)
        await self.send(encode({"type": "log", "id": own_id, "log": lines}))

    @property
    def _actor(self) -> Actor:
        if self.page.actor is None:
            raise RequestError(Fault("not-yours", "this page only looks", field="command"))
        return self.page.actor

    async def _do(self, own_id: str, seq: int, command: AnyCommand) -> None:
        done = await self.live.submit(self._actor, own_id, seq, command)
        message = {"type": "done", "id": own_id, "seq": done.seq, "words": done.words, "action": done.action}
        await self.send(encode(message))

    async def _preview(self, own_id: str, command: AnyCommand, without: int | None) -> None:
        actor = self._actor
        try:
            preview = self.live.preview(actor, command, without=without)
        except OfcError as error:
            await self._send_preview(own_id, "", None, None, error.faults[:MOST_FAULTS])
            return
        log, entry = preview.log, preview.entry
        events = entry.events if isinstance(entry, Action) else ()
        settled = next((event for event in events if isinstance(event, HandSettled)), None)
        hand = None
        prizes = next((event for event in events if isinstance(event, PrizesSet)), None)
        if settled is not None:
            state = log.state
            places = view.places_after(state, settled)
            hand = view.hand_view(settled, places=places, approximate=pairs_matter(state, settled))
        told = None if prizes is None else event_view.prizes_view(replace(log.state, prizes=prizes))
        await self._send_preview(own_id, view.log_line(log, entry).words, hand, told)

    async def _send_preview(
        self,
        own_id: str,
        words: str,
        hand: view.HandView | None,
        prizes: event_view.PrizesView | None,
        faults: Sequence[Fault] = (),
    ) -> None:
        message = {"type": "previewed", "id": own_id, "words": words, "hand": hand, "prizes": prizes, "faults": faults}
        await self.send(encode(message))
