"""A tournament's log as JSON and back. A stored entry is read for ever: fields are added, never renamed.

docs/tournament-log.md describes the format. `ofc.tournament.checking` judges what a log says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, get_args, get_type_hints

import msgspec

from ofc.cards import Card
from ofc.clock import Millis
from ofc.errors import Fault, OfcError
from ofc.rulesets import rules_of, rules_to_fields
from ofc.tournament.events import (
    Action,
    LogEntry,
    Opened,
    PrizesSet,
    SettingsChanged,
    TournamentEvent,
)
from ofc.tournament.plain import payouts_of, payouts_to_plain, structure_of, structure_to_plain

VERSION: Final = 1
"""The version of the format that is written, and the only one so far."""

_ENTRIES: Final[dict[str, type[LogEntry]]] = {kind.__name__: kind for kind in get_args(LogEntry)}
_EVENTS: Final[dict[str, type[TournamentEvent]]] = {kind.__name__: kind for kind in get_args(TournamentEvent)}
_FIELDS: Final = {
    kind: ({item.name for item in fields(kind)}, {item.name for item in fields(kind) if item.default is MISSING})
    for kind in (*_EVENTS.values(), *_ENTRIES.values())
}
"""The names that each kind may have and those that it must have."""

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
_BY_FIELD: Final = {kind: get_type_hints(kind) for kind in (Opened, SettingsChanged, PrizesSet)}
"""The events with a field that has a plain form of its own."""


@dataclass(frozen=True, slots=True)
class _Head:
    """An action without its events."""

    seq: int
    at: Millis
    by: str
    words: str


_HEAD: Final = tuple(item.name for item in fields(_Head))


class LogError(OfcError):
    """A text that is not a tournament's log, or a log that does not follow from what was entered."""


def encode_entry(entry: LogEntry) -> tuple[str, bytes]:
    """Return an entry's type name and its JSON."""
    return type(entry).__name__, msgspec.json.encode(_entry_to_plain(entry))


def decode_entry(name: str, body: bytes) -> LogEntry:
    """Return the entry that `encode_entry` wrote; `LogError` if it is not one."""
    try:
        plain = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LogError(Fault("log-not-json", f"not JSON: {error}")) from error
    return _entry_of(name, plain)


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
    try:
        plain = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LogError(Fault("log-not-json", f"not JSON: {error}")) from error
    if not isinstance(plain, dict) or plain.pop("v", None) != VERSION:
        raise LogError(Fault("log-version", f"not an entry of a tournament's log of version {VERSION}", field="v"))
    return _entry_of(plain.pop("type", None), plain)


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
    if type(event) not in _BY_FIELD:
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


def _entry_of(name: object, plain: object) -> LogEntry:
    kind = _ENTRIES.get(name) if isinstance(name, str) else None
    if kind is None:
        message = f"an entry is one of {', '.join(_ENTRIES)}"
        raise LogError(Fault("log-type", message, field="type", text=str(name)[:80]))
    values = _checked(kind, plain)
    if kind is not Action:
        entry: LogEntry = _convert(values, kind)
        return entry
    events = values["events"]
    if not isinstance(events, list):
        raise LogError(Fault("log-field", "events are a list", field="events", text=repr(events)[:80]))
    head: _Head = _convert({name: values[name] for name in _HEAD}, _Head)
    return Action(head.seq, head.at, head.by, head.words, tuple([_event_of(event) for event in events]))


def _event_of(plain: object) -> TournamentEvent:
    name = plain.pop("type", None) if isinstance(plain, dict) else None
    kind = _EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise LogError(Fault("log-type", "no such event", field="events", text=str(name)[:80]))
    values = _checked(kind, plain)
    if kind not in _BY_FIELD:
        event: TournamentEvent = _convert(values, kind)
        return event
    read: dict[str, Any] = {
        name: _OF_PLAIN[name](value) if name in _OF_PLAIN else _convert(value, _BY_FIELD[kind][name])
        for name, value in values.items()
    }
    return kind(**read)


def _checked(kind: type, plain: object) -> Mapping[str, object]:
    """Return the fields of an entry or event: every one it needs, and none it does not know."""
    if not isinstance(plain, dict):
        raise LogError(Fault("log-field", f"{kind.__name__} is a table of fields", text=repr(plain)[:80]))
    known, needed = _FIELDS[kind]
    if not needed <= plain.keys() <= known:
        wrong = sorted((needed - plain.keys()) | (plain.keys() - known))
        message = f"{kind.__name__}: missing or unknown: {', '.join(wrong)}"
        raise LogError(Fault("log-field", message, field=wrong[0]))
    return plain


def _convert(value: object, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind, dec_hook=_card_of, str_keys=True)
    except msgspec.ValidationError as error:
        name = getattr(kind, "__name__", "a field")
        raise LogError(Fault("log-field", f"{name}: {error}", text=repr(value)[:80])) from error


def _card_of(kind: type, value: object) -> object:
    if kind is Card and isinstance(value, str):
        return Card.parse(value)
    raise TypeError(f"no {kind.__name__} from {value!r}")
