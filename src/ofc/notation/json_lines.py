"""One line of JSON read strictly: what other readers pass over in silence is a fault here."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from ofc.calculator.strict_json import say_malformed
from ofc.errors import Fault, NotationError

MOST_DIGITS = 18
"""The longest whole number that is read; any chip count or moment has fewer digits."""
SHOWN = 80
"""How much of a faulty text a fault repeats."""


def read_line(line: str | bytes) -> object:
    """Read one JSON value.

    `NotationError` with one fault, whose code says what is wrong: `text-encoding` (bytes that are not UTF-8),
    `line-empty`, `json-malformed` (with the place), `json-key-twice`, `json-number`, `json-too-deep`.
    """
    if isinstance(line, bytes):
        try:
            line = line.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"not UTF-8: byte {error.start + 1} is 0x{line[error.start]:02x}"
            raise NotationError(Fault("text-encoding", message)) from error
    if not line.strip():
        raise NotationError(Fault("line-empty", "the line is empty"))
    try:
        return _DECODER.decode(line)
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if error.lineno == 1 else f"its line {error.lineno}, column {error.colno}"
        message = f"not JSON: {say_malformed(error)}, at {place}"
        raise NotationError(Fault("json-malformed", message, text=shown(line[error.pos :]) or None)) from error
    except RecursionError as error:
        raise NotationError(Fault("json-too-deep", "the JSON is nested too deep")) from error


def shown(value: object) -> str:
    """Return a value as a fault repeats it: in one line, cut where it is long."""
    match value:
        case str():
            text = " ".join(value.split())
        case dict():
            text = "{…}" if value else "{}"
        case list():
            text = "[…]" if value else "[]"
        case _:
            text = json.dumps(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise NotationError(
            *(Fault("json-key-twice", f"“{shown(key)}” is there twice in one object", text=shown(key)) for key in twice)
        )
    return values


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise NotationError(Fault("json-number", f"a number of {len(digits)} digits is too long", text=shown(digits)))
    return int(digits)


def _no_number(name: str) -> NoReturn:
    raise NotationError(Fault("json-number", f"{name} is not a number in JSON", text=name))


_HOOKS: dict[str, Any] = {"object_pairs_hook": _object, "parse_int": _whole, "parse_constant": _no_number}
_DECODER = json.JSONDecoder(**_HOOKS)
