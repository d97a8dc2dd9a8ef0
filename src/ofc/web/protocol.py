"""The messages of docs/protocol.md, as types, and how they are read and written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from ofc.board import Placement
from ofc.cards import Card
from ofc.errors import Fault
from ofc.hand import Told
from ofc.outlook import Outlook, outlook_for
from ofc.scoring import Seat
from ofc.service import EndMatch, Move, NextHand, Rematch, ServiceCommand
from ofc.table import Table
from ofc.view import LogEntry, View, view_for
from ofc.web.reading import LONGEST_ID, Reader, RequestError, read_object, read_type

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message, of the version that is spoken here."""


@dataclass(frozen=True, slots=True)
class Command:
    """Something to be done, decided on the view numbered `seq`."""

    id: str
    seq: int
    command: ServiceCommand


@dataclass(frozen=True, slots=True)
class Arrange:
    """A question: what is this unconfirmed arrangement worth?"""

    id: str
    placements: tuple[Placement, ...]
    chosen: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Ping:
    """A sign of life is asked for."""

    id: str


@dataclass(frozen=True, slots=True)
class ToldMove:
    """A `place` or `arrange` as far as it could be read; `cards` are its discards, or those chosen."""

    placements: tuple[Told, ...]
    cards: tuple[Card | None, ...] | None
    arranges: bool


class UnreadCommandError(RequestError):
    """A command or arrangement with faults of form: what could be read of it may be refused for more than those.

    `seq` is None in an arrangement, which is of no view, and where it could not be read.
    """

    def __init__(self, faults: Sequence[Fault], seq: int | None, command: ServiceCommand | ToldMove) -> None:
        """Keep what could be read."""
        super().__init__(*faults)
        self.seq = seq
        self.command = command


class _WithId(msgspec.Struct):
    """A message of which nothing but the `id` is read."""

    id: str | None = None


_id_of: Final = msgspec.json.Decoder(_WithId).decode

Message = Hello | Command | Arrange | Ping
_TYPES: Final = ("hello", "place", "next", "end", "rematch", "arrange", "ping")
_COMMANDS: Final[dict[str, type[NextHand | EndMatch | Rematch]]] = {
    "next": NextHand,
    "end": EndMatch,
    "rematch": Rematch,
}


def read_message(text: str | bytes) -> Message:
    """Read one message; `RequestError` holds every fault of form, `UnreadCommandError` what could be read besides."""
    reader = read_object(text)
    kind = read_type(reader, _TYPES)
    message: Hello | Ping
    match kind:
        case "hello":
            version = reader.whole("version", least=0)
            if version != VERSION and not reader.faults:
                reader.fault("version", f"this server speaks version {VERSION}", "version", str(version))
            message = Hello()
        case "ping":
            message = Ping(reader.id())
        case _:
            return _read_command(kind, reader)
    reader.finish()
    return message


def _read_command(kind: str, reader: Reader) -> Command | Arrange:
    own_id = reader.id()
    seq = None if kind == "arrange" else reader.whole("seq", least=0)
    known_seq = None if any(fault.field == "seq" for fault in reader.faults) else seq
    told = _COMMANDS[kind]() if kind in _COMMANDS else _read_move(kind, reader)
    try:
        reader.finish()
    except RequestError as error:
        raise UnreadCommandError(error.faults, known_seq, told) from error
    if not isinstance(told, ToldMove):
        return Command(own_id, seq or 0, told)
    placements = tuple(Placement(card, row) for card, row in told.placements if card is not None and row is not None)
    cards = None if told.cards is None else tuple(card for card in told.cards if card is not None)
    return Arrange(own_id, placements, cards or ()) if seq is None else Command(own_id, seq, Move(placements, cards))


def _read_move(kind: str, reader: Reader) -> ToldMove:
    placements = reader.placements("placements")
    named = "chosen" if kind == "arrange" else "discards"
    cards = None if reader.take(named) is None else reader.cards(named)
    return ToldMove(placements, cards, arranges=kind == "arrange")


def message_id(text: str | bytes) -> str | None:
    """Return the `id` of a message that could not be read, so that its sender knows which; None if it has none.

    Whatever else is in the message is skipped, not read: that may be what is wrong with it.
    """
    try:
        own_id = _id_of(text).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return own_id if own_id is not None and len(own_id) <= LONGEST_ID else None


def view_message(table_id: str, table: Table, seq: int, viewer: Seat | None) -> bytes:
    """Write a `view` message for one viewer."""
    return _encode({"type": "view", "seq": seq, "view": view_fields(table_id, table, viewer)})


def view_fields(table_id: str, table: Table, viewer: Seat | None) -> dict[str, object]:
    """Return a View as docs/protocol.md has it: what may be seen, the table's id, and the outlook of one's board."""
    view = view_for(table, viewer)
    hand = table.hand
    sees_outlook = hand is not None and viewer is not None and viewer in hand.seats and table.is_playing
    outlook = outlook_for(hand, viewer) if hand is not None and viewer is not None and sees_outlook else None
    return {"table": table_id, **_fields(view), "outlook": outlook}


def done_message(command_id: str, seq: int) -> bytes:
    """Write a `done` message."""
    return _encode({"type": "done", "id": command_id, "seq": seq})


def outlook_message(question_id: str, outlook: Outlook) -> bytes:
    """Write an `outlook` message."""
    return _encode({"type": "outlook", "id": question_id, "outlook": outlook})


def refused_message(command_id: str | None, seq: int, faults: Sequence[Fault]) -> bytes:
    """Write a `refused` message."""
    return _encode({"type": "refused", "id": command_id, "seq": seq, "errors": faults})


def pong_message(ping_id: str) -> bytes:
    """Write a `pong` message."""
    return _encode({"type": "pong", "id": ping_id})


def encode(value: object) -> bytes:
    """Write any answer as JSON."""
    return _encode(value)


def _fields(view: View) -> dict[str, object]:
    fields = {name: getattr(view, name) for name in View.__dataclass_fields__}
    return fields | {"log": [_log_entry(entry) for entry in view.log]}


def _log_entry(entry: LogEntry) -> dict[str, object]:
    return {
        "street": entry.street,
        "seat": entry.seat,
        "placements": [{"card": card, "row": row} for card, row in entry.placements],
        "hidden": entry.hidden,
        "forced": entry.forced,
    }


def _to_plain(value: object) -> object:
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


_encode = msgspec.json.Encoder(enc_hook=_to_plain).encode
