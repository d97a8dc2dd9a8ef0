"""What is wrong with a line of a log, in words for people: which field, what it has, and what belongs there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from ofc.errors import Fault
from ofc.toml_files import cut

_TOLD: Final = re.compile(r"(.*?)(?: - at (`key` in )?`\$([^`]*)`)?", re.DOTALL)
_EXPECTED: Final = re.compile(r"Expected `([^`]+)`( of length \d+)?(?:, got `([^`]+)`)?")
_NAMED: Final = re.compile(r"Object (missing required|contains unknown) field `([^`]*)`")
_STEP: Final = re.compile(r"\[(\d+|\.\.\.)\]|\.([^.\[]+)")
_KINDS: Final = {
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
"""Kinds of values as the decoder calls them."""


def field_fault(told: str, line: object) -> Fault:
    """Return the fault that the decoder told of a line, with the field and the text that the line has there."""
    found = _TOLD.fullmatch(told)
    what, of_key, path = found.groups() if found else (told, None, None)
    expected, named = _EXPECTED.fullmatch(what), _NAMED.fullmatch(what)
    field, value = next(_values(line, path or "", expected[3] if expected and not of_key else None))
    if of_key:
        value = next((key for key in value if not key.isdigit()), value) if isinstance(value, dict) else value
        return _fault(field, f"its keys are numbers in quotes, not {_text(value)}", value)
    if named:
        place = f"{field}.{named[2]}".removeprefix(".")
        if named[1] == "missing required":
            return _fault(place, "is missing", value)
        own = value.get(named[2]) if isinstance(value, dict) else value
        return _fault(place, "no such field is known", own)
    if expected:
        kinds = " or ".join(_KINDS.get(kind, kind) for kind in expected[1].split(" | "))
        return _fault(field, f"{kinds}{expected[2] or ''}, not {_text(value)}", value)
    if what.startswith("Invalid "):
        return _fault(field, f"{_text(value)} is not one that is known", value)
    return _fault(field, what, value)


def _fault(field: str, message: str, value: object) -> Fault:
    return Fault("log-field", f"{field or 'the line'}: {message}", field=field or None, text=_text(value))


def _text(value: object) -> str:
    return cut(json.dumps(value, ensure_ascii=False))


def _values(value: object, path: str, kind: str | None, field: str = "") -> Iterator[tuple[str, object]]:
    """Yield the values at a path, first those of a kind that the decoder told: it does not tell an object's keys."""
    found = list(_all_values(value, path, field))
    yield from sorted(found, key=lambda one: kind is not None and kind != _kind(one[1]))


def _all_values(value: object, path: str, field: str) -> Iterator[tuple[str, object]]:
    step = _STEP.match(path)
    if step is None:
        yield field.removeprefix("."), value
    elif isinstance(value, dict):
        keys = [*value] if step[1] else [step[2]]
        for key in keys:
            yield from _all_values(value.get(key), path[step.end() :], f"{field}.{key}")
    elif isinstance(value, list):
        number = int(step[1])
        yield from _all_values(value[number], path[step.end() :], f"{field}[{number}]")
    else:
        yield field.removeprefix("."), value


def _kind(value: object) -> str:
    kinds: dict[type, str] = {bool: "bool", int: "int", float: "float", str: "str", list: "array", dict: "object"}
    return kinds.get(type(value), "null")
