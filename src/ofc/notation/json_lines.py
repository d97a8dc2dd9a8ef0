"""One line of JSON read strictly: what other readers pass over in silence is a fault here."""

from __future__ import annotations

import json

from ofc.calculator.plain import NumberText
from ofc.calculator.strict_json import NotingDecoder, say_malformed
from ofc.errors import Fault, NotationError

SHOWN = 80
"""How much of a faulty text a fault repeats."""


def read_line(line: str | bytes) -> tuple[object, list[Fault]]:
    """Read one JSON value; return it with a fault for every key that is there twice, of which the last value counts.

    NaN, Infinity and numbers of over 18 digits come as `NumberText`. `NotationError` with one fault, whose code says
    what is wrong: `text-encoding` (bytes that are not UTF-8), `line-empty`, `json-malformed` (with the place),
    `json-too-deep`.
    """
    if isinstance(line, bytes):
        try:
            line = line.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"not UTF-8: byte {error.start + 1} is 0x{line[error.start]:02x}"
            raise NotationError(Fault("text-encoding", message)) from error
    if not line.strip():
        raise NotationError(Fault("line-empty", "the line is empty"))
    decoder = NotingDecoder(fractions=True)
    try:
        return decoder.decode(line), decoder.doubled
    except json.JSONDecodeError as error:
        place = f"column {error.colno}" if error.lineno == 1 else f"its line {error.lineno}, column {error.colno}"
        message = f"not JSON: {say_malformed(error)}, at {place}"
        raise NotationError(Fault("json-malformed", message, text=shown(line[error.pos :]) or None)) from error
    except RecursionError as error:
        raise NotationError(Fault("json-too-deep", "the JSON is nested too deep")) from error


def shown(value: object) -> str:
    """Return a value as a fault repeats it: in one line, cut where it is long."""
    match value:
        case str() | NumberText():
            text = " ".join(str(value).split())
        case dict():
            text = "{…}" if value else "{}"
        case list():
            text = "[…]" if value else "[]"
        case _:
            text = json.dumps(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
