"""`ofc replay`: recorded hands street by street, and whether they are legal and scored right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import click

from ofc.cli.errors import InputError, print_faults
from ofc.cli.inputs import read_bytes
from ofc.cli.output import write_json
from ofc.cli.parsing import CheckedCommand
from ofc.errors import Fault
from ofc.notation import Frame, HandRecord, Reading, check_records, format_hand_text

MOST_FAULTS: Final = 50
"""How many faults of one hand are told to people; JSON tells them all."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a file: its number, what could be read of it, its steps if it is legal, and what is wrong."""

    line: int
    read: Reading | None
    frames: tuple[Frame, ...]
    faults: tuple[Fault, ...]

    @property
    def record(self) -> HandRecord | None:
        """The record, if it could be read whole."""
        return None if self.read is None or self.read.faults else self.read.record


@click.command(cls=CheckedCommand)
@click.argument("file", default="-")
@click.option(
    "--hand", "wanted", type=click.IntRange(min=1), metavar="N", help="Only the Nth hand of the file, from 1."
)
@click.option("--check", "checks", is_flag=True, help="Only check: show no hands.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
@click.pass_context
def command(ctx: click.Context, file: str, *, wanted: int | None, checks: bool, as_json: bool) -> None:
    """Show recorded hands street by street, and check them.

    FILE, or standard input, holds a hand in JSON on each line, as docs/hand-history.md describes. Each hand is
    played again under the rules that it names: is every deal and placement legal, and is the recorded result what
    those rules give? The exit status is 2 if anything is wrong with any hand.
    """
    readings = list(_readings(read_bytes(file), wanted))
    if not readings:
        what = "no hand in it" if wanted is None else f"no hand number {wanted}"
        raise InputError(Fault("hands-missing", f"{'standard input' if file == '-' else file} has {what}", text=file))
    if as_json:
        write_json({"hands": [_plain(reading, shows_steps=not checks) for reading in readings]})
    else:
        for number, reading in enumerate(readings, start=1):
            if reading.record is not None and not checks:
                click.echo(format_hand_text(reading.record))
                click.echo("" if reading.faults else "  Checked: the hand is legal, and its result is right.\n")
            _tell_faults(reading, number if wanted is None else wanted)
        faulty = sum(bool(reading.faults) for reading in readings)
        hands = f"{len(readings)} hand{'' if len(readings) == 1 else 's'}"
        click.echo(f"{hands} checked, {faulty or 'none'} faulty.")
    if any(reading.faults for reading in readings):
        ctx.exit(2)


def _readings(data: bytes, wanted: int | None) -> Iterator[_Line]:
    for number, (line, record, replay) in enumerate(check_records(data), start=1):
        if wanted in (None, number):
            yield _Line(line, record, replay.frames, replay.faults)


def _tell_faults(reading: _Line, number: int) -> None:
    """Tell each fault on standard error with its line, its player and its field."""
    told = []
    for fault in reading.faults[:MOST_FAULTS]:
        place = [f"line {reading.line}", fault.player, fault.field]
        told.append(replace(fault, message=f"{', '.join(filter(None, place))}: {fault.message}"))
    more = len(reading.faults) - len(told)
    if more:
        told.append(Fault("faults-more", f"line {reading.line}: and {more} more"))
    print_faults(told, as_json=False, hand=number)


def _plain(reading: _Line, *, shows_steps: bool) -> dict[str, Any]:
    record = reading.record
    plain: dict[str, Any] = {"line": reading.line, "table": None, "hand": None, "rules": None}
    if reading.read is not None:
        read, unread = reading.read.record, reading.read.unread
        told = {"table": read.table, "hand": read.number, "rules": read.rules.name}
        plain |= {field: None if unread.touches(field) else value for field, value in told.items()}
    plain |= {
        "legal": bool(reading.frames),
        "right": not reading.faults,
        "errors": [
            {
                "code": fault.code,
                "message": fault.message,
                "field": fault.field,
                "player": fault.player,
                "row": fault.row,
                "text": fault.text,
            }
            for fault in reading.faults
        ],
    }
    if record is not None and shows_steps:
        plain["steps"] = [_plain_step(record, frame) for frame in reading.frames[1:]]
    return plain


def _plain_step(record: HandRecord, frame: Frame) -> dict[str, Any]:
    action, hand = frame.action, frame.table.hand
    assert action is not None  # noqa: S101 - every frame but the first has one
    assert hand is not None  # noqa: S101 - a frame is of a hand
    return {
        "street": action.street,
        "seat": action.seat,
        "player": record.name_of(action.seat),
        "dealt": [None if card is None else str(card) for card in action.dealt],
        "placed": [{"card": str(card), "row": str(row)} for card, row in action.placements],
        "discarded": [None if card is None else str(card) for card in action.discards],
        "forced": action.forced,
        "board": str(hand.holding(action.seat).board),
    }
