"""JSON read strictly: what other readers pass over in silence is a fault here."""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from ofc.calculator.plain import NumberText
from ofc.errors import Fault, ScoringError

_MOST_DIGITS = 18
_MALFORMED: Final = {
    "Expecting value": "a value is missing or not one that JSON has",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting ',' delimiter": "a comma, or the end of a list or object, is missing",
    "Extra data": "there is more after the end of the value",
    "Unterminated string starting at": "the text that begins here has no closing quote",
    "Invalid control character at": "a text has a line break, tab or control character in it",
    "Invalid \\escape": "a backslash in a text means nothing here",
    "Invalid \\uXXXX escape": "a \\u in a text is not followed by four hexadecimal digits",
    "Illegal trailing comma before end of object": "there is a comma before the end of an object",
    "Illegal trailing comma before end of array": "there is a comma before the end of a list",
}
"""What Python's decoder says is wrong, in the words of people; a newer one may say more."""


def read_json(text: str, *, first_line: int = 1, fractions: bool = False) -> object:
    """Read one JSON value.

    `ScoringError` with one fault, or one for each key that is there twice: `json-malformed` says the line (counted
    from `first_line`) and column; `json-key-twice`, `json-number` (NaN, Infinity) and `json-too-deep` say what they
    mean. Whole numbers of over 18 digits come as `NumberText`, and so do those that are not whole unless `fractions`
    asks for floats.
    """
    try:
        return (_FRACTIONS_DECODER if fractions else _DECODER).decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno + first_line - 1}, column {error.colno}"
        message = f"not JSON: {say_malformed(error)}, at {place}"
        excerpt = error.doc[error.pos : error.pos + 20].split("\n")[0]
        raise ScoringError(Fault("json-malformed", message, text=excerpt or None)) from error
    except RecursionError as error:
        raise ScoringError(Fault("json-too-deep", "the JSON is nested too deep")) from error


def say_malformed(error: json.JSONDecodeError) -> str:
    """Say in plain words what is no JSON, without the place."""
    return _MALFORMED.get(error.msg.partition(": ")[0], error.msg)


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
_FRACTIONS_DECODER = json.JSONDecoder(**{**_HOOKS, "parse_float": None})
