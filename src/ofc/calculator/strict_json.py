"""JSON read strictly: what other readers pass over in silence is a fault here."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from ofc.calculator.plain import NumberText, shown
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
_PLAIN_STEP: Final = re.compile(r'[^.\[\]"]+')
"""A key that stands in a path without quotes."""


def read_json(text: str) -> object:
    """Read one JSON value.

    `ScoringError`: as `scan_json`; else there is a fault for every key that is there twice (`json-key-twice`) and for
    every NaN and Infinity (`json-number`).
    """
    decoder = NotingDecoder()
    value = _decoded(decoder.decode, text, first_line=1)
    faults = decoder.doubled + [
        Fault("json-number", f"{name} is not a number in JSON", text=name) for name in decoder.no_numbers
    ]
    if faults:
        raise ScoringError(*faults)
    return value


def scan_json(text: str, *, first_line: int = 1, fractions: bool = False) -> tuple[object, list[Fault]]:
    """Read one JSON value; return it, and a fault for every key that is there twice, of which the last value counts.

    The `field` of such a fault is the key's path, None in an object of which nothing is left in the value.
    Whole numbers of over 18 digits, NaN and Infinity come as `NumberText`, and so do numbers that are not whole unless
    `fractions` asks for floats: whoever reads the value says where that is wrong, with all that is wrong besides.
    `ScoringError`: `json-malformed` says the line (counted from `first_line`) and column, or `json-too-deep`.
    """
    decoder = NotingDecoder(fractions=fractions)
    return _decoded(decoder.decode, text, first_line), decoder.doubled


def scan_array(text: str) -> list[tuple[object, list[Fault]]]:
    """Read an array's items each as `scan_json` does. The text is one JSON array, as `scan_json` has found."""
    items: list[tuple[object, list[Fault]]] = []
    at = _after_blanks(text, text.index("[") + 1)
    while text[at] != "]":
        decoder = NotingDecoder()
        value, end = decoder.raw_decode(text, at)
        items.append((value, decoder.doubled))
        at = _after_blanks(text, end)
        if text[at] == ",":
            at = _after_blanks(text, at + 1)
    return items


def _decoded(decode: Callable[[str], object], text: str, first_line: int) -> object:
    try:
        return decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno + first_line - 1}, column {error.colno}"
        message = f"not JSON: {say_malformed(error)}, at {place}"
        excerpt = error.doc[error.pos : error.pos + 20].split("\n")[0]
        raise ScoringError(Fault("json-malformed", message, text=excerpt or None)) from error
    except RecursionError as error:
        raise ScoringError(Fault("json-too-deep", "the JSON is nested too deep")) from error


def _after_blanks(text: str, at: int) -> int:
    while text[at] in " \t\n\r":
        at += 1
    return at


def say_malformed(error: json.JSONDecodeError) -> str:
    """Say in plain words what is no JSON, without the place."""
    return _MALFORMED.get(error.msg.partition(": ")[0], error.msg)


def is_one_value(text: str) -> bool:
    """Whether the text has the form of exactly one JSON value, be it faulty otherwise."""
    try:
        NotingDecoder().decode(text)
    except json.JSONDecodeError:
        return False
    except RecursionError:
        return True
    return True


class NotingDecoder(json.JSONDecoder):
    """Decodes one value, and notes what other readers pass over in silence."""

    def __init__(self, *, fractions: bool = False) -> None:
        super().__init__(
            object_pairs_hook=self._object,
            parse_float=None if fractions else NumberText,
            parse_int=_whole,
            parse_constant=self._no_number,
        )
        self.doubled: list[Fault] = []
        """A fault for every key that is there twice, once the value is decoded; `field` is its path."""
        self.no_numbers: list[str] = []
        self._with_doubled: list[tuple[dict[str, object], list[str]]] = []
        """Objects that had keys twice, kept so that none after them gets their `id`."""

    def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
        """Decode the value that begins at `idx`; return it and where it ends."""
        value, end = super().raw_decode(s, idx)
        if self._with_doubled:
            paths = dict(_paths_of_objects(value))
            self.doubled = [
                _key_twice(key, paths.get(id(values))) for values, keys in self._with_doubled for key in keys
            ]
        return value, end

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        values = dict(pairs)
        if len(values) != len(pairs):
            twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
            self._with_doubled.append((values, twice))
        return values

    def _no_number(self, name: str) -> NumberText:
        self.no_numbers.append(name)
        return NumberText(name)


def _paths_of_objects(value: object) -> Iterator[tuple[int, str]]:
    """Yield the `id` and path of every object in a value, however deep; the path of the value itself is empty."""
    ahead = [(value, "")]
    while ahead:
        one, path = ahead.pop()
        if isinstance(one, dict):
            yield id(one), path
            ahead += [(inner, _path(path, key)) for key, inner in one.items() if isinstance(inner, (dict, list))]
        items = one if isinstance(one, list) else ()
        ahead += [(inner, shown(f"{path}[{n}]")) for n, inner in enumerate(items) if isinstance(inner, (dict, list))]


def _path(path: str, key: str) -> str:
    """Return the path of a key in the object at `path`, cut where it is long."""
    step = key if _PLAIN_STEP.fullmatch(key) else json.dumps(key, ensure_ascii=False)
    return shown(f"{path}.{step}" if path else step)


def _key_twice(key: str, path: str | None) -> Fault:
    """Return the fault of a key that the object at `path` had twice, or one of which nothing is left (None)."""
    where = "an object that a later value replaces" if path is None else path or "one object"
    message = f"“{shown(key)}” is there twice in {where}"
    return Fault("json-key-twice", message, field=None if path is None else _path(path, key), text=shown(key))


def _whole(digits: str) -> int | NumberText:
    return int(digits) if len(digits) <= _MOST_DIGITS else NumberText(digits)
