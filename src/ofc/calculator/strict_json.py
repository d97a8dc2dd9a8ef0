"""JSON read strictly: what other readers pass over in silence is a fault here."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from ofc.calculator.plain import NumberText
from ofc.errors import Fault, ScoringError

_MOST_DIGITS = 18


def read_json(text: str, *, first_line: int = 1) -> object:
    """Read one JSON value.

    `ScoringError` with one fault: `json-malformed` says the line (counted from `first_line`) and column;
    `json-key-twice`, `json-number` (NaN, Infinity) and `json-too-deep` say what they mean. Numbers that are not
    whole, or have over 18 digits, come as `NumberText`.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        line = error.lineno + first_line - 1
        message = f"not JSON: {error.msg} at line {line}, column {error.colno}"
        excerpt = error.doc[error.pos : error.pos + 20].split("\n")[0]
        raise ScoringError(Fault("json-malformed", message, text=excerpt or None)) from error
    except RecursionError as error:
        raise ScoringError(Fault("json-too-deep", "the JSON is nested too deep")) from error


def is_one_value(text: str) -> bool:
    """Whether the text has the form of exactly one JSON value, be it faulty otherwise."""
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError:
        return False
    except (ScoringError, RecursionError):
        return True
    return True


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        faults = []
        for key, _ in pairs:
            if key in seen:
                faults.append(Fault("json-key-twice", f"“{key}” is there twice in one object", text=key))
            seen.add(key)
        raise ScoringError(*faults)
    return values


def _whole(digits: str) -> int | NumberText:
    return int(digits) if len(digits) <= _MOST_DIGITS else NumberText(digits)


def _no_number(name: str) -> NoReturn:
    raise ScoringError(Fault("json-number", f"{name} is not a number in JSON", text=name))


_HOOKS: dict[str, Any] = {
    "object_pairs_hook": _object,
    "parse_float": NumberText,
    "parse_int": _whole,
    "parse_constant": _no_number,
}
_DECODER = json.JSONDecoder(**_HOOKS)
