"""Table events as JSON text and back. A stored event is read for ever: fields are added, never renamed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, get_args

import msgspec

from ofc.cards import Card
from ofc.events import TableEvent, TableOpened
from ofc.rulesets import rules_of, rules_to_fields

_TYPES: Final = {kind.__name__: kind for kind in get_args(TableEvent)}


def _to_plain(value: object) -> object:
    if isinstance(value, Card):
        return str(value)
    raise TypeError(f"no JSON for {type(value).__name__}")


def _from_plain(kind: type, value: object) -> object:
    if kind is Card and isinstance(value, str):
        return Card.parse(value)
    raise TypeError(f"no {kind.__name__} from {value!r}")


def encode_event(event: TableEvent) -> tuple[str, bytes]:
    """Return an event's type name and its JSON."""
    if isinstance(event, TableOpened):
        plain = {item.name: getattr(event, item.name) for item in fields(event)}
        return "TableOpened", msgspec.json.encode(plain | {"rules": rules_to_fields(event.rules)})
    return type(event).__name__, msgspec.json.encode(event, enc_hook=_to_plain)


def decode_event(name: str, body: bytes) -> TableEvent:
    """Return the event that `encode_event` wrote; `msgspec.ValidationError` or `KeyError` if it is not one."""
    kind = _TYPES[name]
    if kind is TableOpened:
        plain: dict[str, Any] = msgspec.json.decode(body)
        plain["rules"] = rules_of(plain["rules"])
        return TableOpened(**plain)
    event: TableEvent = msgspec.json.decode(body, type=kind, dec_hook=_from_plain)
    return event
