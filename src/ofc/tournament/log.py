"""A tournament's log as JSON and back. A stored entry is read for ever: fields are added, never renamed.

docs/tournament-log.md describes the format. `ofc.tournament.checking` judges what a log says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, Final, Literal, Union, get_args, get_type_hints

import msgspec
from msgspec.structs import astuple

from ofc.calculator import read_json
from ofc.cards import Card
from ofc.clock import Millis
from ofc.errors import Fault, OfcError
from ofc.rulesets import rules_of, rules_to_fields
from ofc.tournament.events import (
    Action,
    LogEntry,
    TournamentEvent,
)
from ofc.tournament.log_faults import field_fault
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


@dataclass(frozen=True, slots=True)
class Exported:
    """The last line of an export whose clock runs: when it was written, behind entry `seq`. It is no entry."""

    seq: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Export:
    """A log as a file has it; `at` is when it was written, None where the file does not say."""

    entries: tuple[LogEntry, ...]
    at: Millis | None = None


def _card_of(kind: type, value: object) -> object:
    if kind is Card and isinstance(value, str):
        return Card.parse(value)
    raise ValueError("not a card")


def _wire_of(kind: type[Any], *more: tuple[str, Any], tag: str | None = None) -> type[msgspec.Struct]:
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
_NAMES: Final = {kind: tuple(item.name for item in fields(kind)) for kind in (*_EVENTS, *_ENTRIES, Exported)}
_WITH_PLAIN: Final = {kind for kind in _EVENTS if not _OF_PLAIN.keys().isdisjoint(_NAMES[kind])}
_BODIES: Final = {kind.__name__: (kind, msgspec.json.Decoder(_wire_of(kind), dec_hook=_card_of)) for kind in _ENTRIES}
_WIRE_LINES: Final = {_wire_of(kind, ("v", Literal[1]), tag=kind.__name__): kind for kind in (*_ENTRIES, Exported)}
_LINE: Final = msgspec.json.Decoder(Union[*_WIRE_LINES], dec_hook=_card_of)


def encode_entry(entry: LogEntry) -> tuple[str, bytes]:
    """Return an entry's type name and its JSON."""
    return type(entry).__name__, msgspec.json.encode(_entry_to_plain(entry))


def decode_entry(name: str, body: bytes) -> LogEntry:
    """Return the entry that `encode_entry` wrote; `LogError` if it is not one."""
    if name not in _BODIES:
        raise LogError(Fault("log-type", f"an entry is one of {', '.join(_BODIES)}", field="type", text=name[:80]))
    kind, decoder = _BODIES[name]
    entry: LogEntry = _entry_of(kind, _decoded(decoder, body))
    return entry


def write_log(entries: Iterable[LogEntry], *, exported: Exported | None = None) -> bytes:
    """Return a log as a text of lines, each the JSON of an entry with its type and the format's version.

    `exported` is written behind them.
    """
    lines: list[LogEntry | Exported] = [*entries, *([exported] if exported else ())]
    plain = ({"v": VERSION, "type": type(line).__name__, **_entry_to_plain(line)} for line in lines)
    return b"".join(msgspec.json.encode(line) + b"\n" for line in plain)


def read_log(data: bytes) -> tuple[LogEntry, ...]:
    """Return the entries that `write_log` wrote; `LogError` as `read_export`."""
    return read_export(data).entries


def read_export(data: bytes) -> Export:
    """Return what `write_log` wrote; `LogError` holds a fault for every line that is not one.

    JSON is read strictly: a key that is twice in an object is a fault.
    """
    entries: list[LogEntry] = []
    faults: list[Fault] = []
    exported: Exported | None = None
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            read = _read_line(line)
        except OfcError as error:
            faults += [_at_line(fault, number) for fault in error.faults]
            continue
        if exported is not None:
            faults.append(_at_line(Fault("log-end", "nothing follows the line that ends an export"), number))
        elif isinstance(read, Exported):
            exported = read
            if not faults and read.seq != len(entries):
                message = f"the file was written with {read.seq} entries, and has {len(entries)}"
                faults.append(_at_line(Fault("log-cut", message, field="seq", text=str(read.seq)), number))
        else:
            entries.append(read)
    if faults:
        raise LogError(*faults)
    if not entries:
        raise LogError(Fault("log-empty", "there is no entry in it"))
    return Export(tuple(entries), exported.at if exported else None)


def _read_line(line: bytes) -> LogEntry | Exported:
    _check_json(line)
    wire = _decoded(_LINE, line)
    read: LogEntry | Exported = _entry_of(_WIRE_LINES[type(wire)], wire)
    return read


def _decoded(decoder: msgspec.json.Decoder[Any], data: bytes) -> Any:
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise LogError(_field_fault(str(error), data)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LogError(
            Fault("log-not-json", "not JSON that makes sense: too deep, or half a character in it")
        ) from error


def _field_fault(told: str, data: bytes) -> Fault:
    line = json.loads(data)
    version = line.get("v", VERSION) if isinstance(line, dict) else VERSION
    if type(version) is int and version != VERSION:
        message = f"this program reads logs of version {VERSION}, not {version}"
        return Fault("log-version", message, field="v", text=str(version))
    return field_fault(told, line)


def _check_json(data: bytes) -> None:
    """Refuse a line that is no JSON, in plain words, and keys that are there twice."""
    try:
        read_json(data.decode())
    except UnicodeDecodeError as error:
        message = f"not text in UTF-8: byte {error.start + 1} is 0x{data[error.start]:02x}"
        raise LogError(Fault("log-not-json", message)) from error
    except OfcError as error:
        faults = [
            replace(
                fault,
                code="log-not-json" if fault.code != "json-key-twice" else "log-key-twice",
                message=fault.message.replace("line 1, ", ""),
            )
            for fault in error.faults
        ]
        raise LogError(*faults) from error


def _at_line(fault: Fault, number: int) -> Fault:
    return replace(fault, message=f"line {number}: {fault.message}")


def _entry_to_plain(entry: LogEntry | Exported) -> dict[str, Any]:
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


def _fields_of(value: LogEntry | Exported | TournamentEvent) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value, enc_hook=_card_text, str_keys=True)
    return plain


def _to_builtins(value: object) -> object:
    return msgspec.to_builtins(value, enc_hook=_card_text, str_keys=True)


def _card_text(value: object) -> str:
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


def _entry_of(kind: type[Any], wire: Any) -> Any:
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
