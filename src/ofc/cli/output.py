"""What every subcommand writes with: JSON for programs, tables for people, on any terminal."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from rich.console import Console

_PLAIN: Final = str.maketrans(
    {
        "−": "-", "–": "-", "×": "x", "·": ".", "…": "...", "→": "->", "“": '"', "”": '"', "’": "'",
        "♣": "c", "♦": "d", "♥": "h", "♠": "s", "✓": "+", "✗": "x",
    }
)  # fmt: skip
_PIPED_WIDTH: Final = 200
"""Columns where nobody's terminal sets them: wide enough that no line of a table is broken."""


def make_streams_printable() -> None:
    """Let standard output and error write any text, in the plainest likeness where their encoding lacks a sign."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="ofc-plain")


def open_closed_streams() -> None:
    """Open the standard streams that whoever called has closed, where Python leaves None.

    There is nothing to read; writing to standard output fails as on a full disk, and faults go nowhere.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def write_json(value: object) -> None:
    """Write a value as JSON in UTF-8, indented, and a newline."""
    _write(msgspec.json.format(_encode(value), indent=2) + b"\n")


def write_json_lines(values: Iterable[object]) -> None:
    """Write values as JSON in UTF-8, each on a line of its own."""
    _write(b"".join(_encode(value) + b"\n" for value in values))


def _write(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def open_console() -> Console:
    """Return a console on standard output: coloured on a terminal, plain and unbroken in a pipe."""
    from rich.console import Console  # noqa: PLC0415  # half of the time it takes to start

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
    return console


def signed(number: int) -> str:
    """Return a number of points or chips with its sign, thousands apart: +1,200, −3, 0."""
    return f"{number:+,}".replace("-", "−") if number else "0"


def _encode(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can escape and UTF-8 cannot hold
        return msgspec.json.encode(_replaced(value))


def _replaced(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {_replaced(key): _replaced(item) for key, item in value.items()}
        case list():
            return [_replaced(item) for item in value]
        case _:
            return value


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return lost.translate(_PLAIN).encode("ascii", "replace").decode(), error.end


codecs.register_error("ofc-plain", _in_plain_signs)
