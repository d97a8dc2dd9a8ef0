"""Faults told on the command line, to people on standard error and to programs as JSON on standard output."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from ofc.cli.output import write_json
from ofc.errors import Fault, OfcError


class InputError(OfcError):
    """A file that cannot be read, or does not hold text."""


def print_faults(faults: Iterable[Fault], *, as_json: bool, hand: int | None = None) -> None:
    """Tell faults: a line each on standard error, with the number of the hand in a batch, or as JSON on stdout."""
    if as_json:
        write_json(plain_faults(faults))
        return
    for fault in faults:
        place = "" if hand is None else f"hand {hand}: "
        click.echo(_printable(f"error: {place}{fault.message}{_say_text(fault)} [{fault.code}]"), err=True)


def plain_faults(faults: Iterable[Fault]) -> dict[str, list[dict[str, str | None]]]:
    """Return `{"errors": [...]}`; every fault has all five keys."""
    return {
        "errors": [
            {
                "code": fault.code,
                "message": fault.message,
                "player": fault.player,
                "row": fault.row,
                "text": fault.text,
            }
            for fault in faults
        ]
    }


def _say_text(fault: Fault) -> str:
    """Say what text is at fault, unless the message does; a text that came with its quotes gets no others."""
    text = fault.text
    if text is None or re.search(rf"(?<!\w){re.escape(text)}(?!\w)", fault.message):
        return ""
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"'
    return f" ({text})" if is_quoted else f" (“{text}”)"


def _printable(text: str) -> str:
    """Escape what would move the cursor or colour the terminal: the text of a fault is the input's own."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
