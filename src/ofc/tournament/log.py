"""A tournament's log as JSON and back. A stored entry is read for ever: fields are added, never renamed.

docs/tournament-log.md describes the format. `ofc.tournament.checking` judges what a log says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from typing import Any, Final, Literal, Union, get_args, get_type_hints

import msgspec
from msgspec.structs import astuple

from ofc.calculator import read_json
from ofc.cards import Card
from ofc.errors import Fault, OfcError
from ofc.rulesets import rules_of, rules_to_fields
from ofc.tournament.events import (
    Action,
    LogEntry,
    TournamentEvent,
)
from ofc.tournament.plain import payouts_of, payouts_to_plain, structure_of, structure_to_plain

VERSION: Final = 1
"""The version of the format that is written, and the only one so far."""

_ENTRIES: Final[tuple[type[LogEntry], ...]] = get_args(LogEntry)
_EVENTS: Final[tuple[type[TournamentEvent], ...]] = get_args(TournamentEvent)
_TO_PLAIN: Final[dict[str, Callable[[Any], object]]] = {
    "rules": rules_to_fields,
    "structure": structure_to_plain,
    "payouts": payouts_to_plain,
}
_OF_PLAIN: Final[dict[str, Callable[[object], object]]] = {
    "rules": rules_of,
    "structure": structure_of,
    "payouts": payouts_of,
}
"""The fields that have a plain form of their own, whatever event they are in."""


class LogError(OfcError):
    """A text that is not a tournament's log, or a log that does not follow from what was entered."""


def _card_of(kind: type, value: object) -> object:
    if kind is Card and isinstance(value, str):
        return Card.parse(value)
    raise TypeError(f"no {kind.__name__} from {value!r}")


def _wire_of(kind: type, *more: tuple[str, Any], tag: str | None = None) -> type[msgspec.Struct]:
    """Return the struct that JSON is read into: the fields of an entry or event, and no others.

    Every one is needed, but for those with a default: they came after the first logs were written.
    """
    hints = get_type_hints(kind)
    read: list[Any] = []
    for item in fields(kind):
        hint = Any if item.name in _OF_PLAIN else hints[item.name]
        hint = tuple[_WIRE_EVENT, ...] if item.name == "events" else hint
        read.append((item.name, hint) if item.default is MISSING else (item.name, hint, item.default))
    return msgspec.defstruct(kind.__name__, [*more, *read], tag=tag, forbid_unknown_fields=True, gc=False)


_WIRE_EVENTS: Final = {_wire_of(kind, tag=kind.__name__): kind for kind in _EVENTS}
_WIRE_EVENT: Any = Union[*_WIRE_EVENTS]
_NAMES: Final = {kind: tuple(item.name for item in fields(kind)) for kind in (*_EVENTS, *_ENTRIES)}
_WITH_PLAIN: Final = {kind for kind in _EVENTS if not _OF_PLAIN.keys().isdisjoint(_NAMES[kind])}
_BODIES: Final = {kind.__name__: (kind, msgspec.json.Decoder(_wire_of(kind), dec_hook=_card_of)) for kind in _ENTRIES}
_WIRE_LINES: Final = {_wire_of(kind, ("v", Literal[1]), tag=kind.__name__): kind for kind in _ENTRIES}
_LINE: Final = msgspec.json.Decoder(Union[*_WIRE_LINES], dec_hook=_card_of)


def encode_entry(entry: LogEntry) -> tuple[str, bytes]:
    """Return an entry's type name and its JSON."""
    return type(entry).__name__, msgspec.json.encode(_entry_to_plain(entry))


def decode_entry(name: str, body: bytes) -> LogEntry:
    """Return the entry that `encode_entry` wrote; `LogError` if it is not one."""
    if name not in _BODIES:
        raise LogError(Fault("log-type", f"an entry is one of {', '.join(_BODIES)}", field="type", text=name[:80]))
    kind, decoder = _BODIES[name]
    return _entry_of(kind, _decoded(decoder, body))


def write_log(entries: Iterable[LogEntry]) -> bytes:
    """Return a log as a text of lines, each the JSON of an entry with its type and the format's version."""
    lines = ({"v": VERSION, "type": type(entry).__name__, **_entry_to_plain(entry)} for entry in entries)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def read_log(data: bytes) -> tuple[LogEntry, ...]:
    """Return the entries that `write_log` wrote; `LogError` holds a fault for every line that is not one."""
    entries: list[LogEntry] = []
    faults: list[Fault] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entries.append(_read_line(line))
        except OfcError as error:
            faults += [_at_line(fault, number) for fault in error.faults]
    if faults:
        raise LogError(*faults)
    if not entries:
        raise LogError(Fault("log-empty", "there is no entry in it"))
    return tuple(entries)


def _read_line(line: bytes) -> LogEntry:
    wire = _decoded(_LINE, line)
    return _entry_of(_WIRE_LINES[type(wire)], wire)


def _decoded(decoder: msgspec.json.Decoder[Any], data: bytes) -> Any:
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise LogError(Fault("log-field", f"not an entry of a log of version {VERSION}: {error}")) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LogError(_not_json(data)) from error


def _not_json(data: bytes) -> Fault:
    """Say in plain words why a line is no JSON."""
    try:
        read_json(data.decode())
    except UnicodeDecodeError as error:
        return Fault("log-not-json", f"not text in UTF-8: byte {error.start + 1} is 0x{data[error.start]:02x}")
    except OfcError as error:
        told = error.faults[0]
        return Fault("log-not-json", told.message.replace("line 1, ", ""), text=told.text)
    return Fault("log-not-json", "not JSON that makes sense: too deep, or half a character in it")


def _at_line(fault: Fault, number: int) -> Fault:
    return Fault(fault.code, f"line {number}: {fault.message}", fault.field, fault.player, fault.row, fault.text)


def _entry_to_plain(entry: LogEntry) -> dict[str, Any]:
    if not isinstance(entry, Action):
        return _fields_of(entry)
    return {
        "seq": entry.seq,
        "at": entry.at,
        "by": entry.by,
        "words": entry.words,
        "events": [{"type": type(event).__name__, **_event_to_plain(event)} for event in entry.events],
    }


def _event_to_plain(event: TournamentEvent) -> dict[str, Any]:
    if type(event) not in _WITH_PLAIN:
        return _fields_of(event)
    values = {item.name: getattr(event, item.name) for item in fields(event)}
    return {name: _TO_PLAIN.get(name, _to_builtins)(value) for name, value in values.items()}


def _fields_of(value: LogEntry | TournamentEvent) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value, enc_hook=_card_text, str_keys=True)
    return plain


def _to_builtins(value: object) -> object:
    return msgspec.to_builtins(value, enc_hook=_card_text, str_keys=True)


def _card_text(value: object) -> str:
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


def _entry_of(kind: type[LogEntry], wire: Any) -> LogEntry:
    if kind is Action:
        return Action(wire.seq, wire.at, wire.by, wire.words, tuple([_event_of(event) for event in wire.events]))
    return kind(*[getattr(wire, name) for name in _NAMES[kind]])


def _event_of(wire: Any) -> TournamentEvent:
    kind = _WIRE_EVENTS[type(wire)]
    values: list[Any] = [*astuple(wire)]
    if kind in _WITH_PLAIN:
        named = zip(_NAMES[kind], values, strict=True)
        values = [_OF_PLAIN[name](value) if name in _OF_PLAIN else value for name, value in named]
    return kind(*values)
