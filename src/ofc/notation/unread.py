"""A record of which some fields could not be read: what is known of it all the same, so that the rest is judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ofc.cards import Card
from ofc.errors import Fault
from ofc.hand import Told
from ofc.notation.records import Action, HandRecord, SeatRecord
from ofc.scoring import Seat


class Unread:
    """The fields of a record that hold something that stands in for what could not be read."""

    def __init__(self, fields: Iterable[str] = ()) -> None:
        """Take the fields' paths, such as `actions[3].dealt[1]`."""
        self._fields: Final = frozenset(fields)
        self._around: Final = frozenset(outer for field in self._fields for outer in _outwards(field))

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._fields)

    def covers(self, field: str) -> bool:
        """Return whether the field, or what it is in, could not be read."""
        return bool(self._fields) and any(outer in self._fields for outer in _outwards(field))

    def touches(self, field: str) -> bool:
        """Return whether the field, what it is in or anything in it could not be read."""
        return field in self._around or self.covers(field)


def _outwards(field: str) -> Iterator[str]:
    """Yield a path, and that of everything that it is in."""
    yield field
    yield from (field[: mark.start()] for mark in re.finditer(r"[.\[]", field))


@dataclass(frozen=True, slots=True)
class Act:
    """An action as far as it could be read; None stands for what could not.

    Of a partial record the cards left out are None too. `is_whole`: the three lists are there, though not each card.
    """

    field: str
    seat: Seat | None
    street: int | None
    dealt: tuple[Card | None, ...]
    placed: tuple[Told, ...]
    discards: tuple[Card | None, ...]
    is_whole: bool


def acts_of(record: HandRecord, unread: Unread) -> tuple[Act, ...]:
    """Return the record's actions."""
    return tuple(_act(f"actions[{n}]", action, unread) for n, action in enumerate(record.actions))


def seats_of(entries: Sequence[SeatRecord], unread: Unread) -> dict[Seat, tuple[str, SeatRecord]]:
    """Return the field and the entry of each seat whose number could be read; of a seat told twice the first."""
    seats: dict[Seat, tuple[str, SeatRecord]] = {}
    for n, entry in enumerate(entries):
        if not unread.covers(f"seats[{n}].seat"):
            seats.setdefault(entry.seat, (f"seats[{n}]", entry))
    return seats


def with_owner(fault: Fault, record: HandRecord, unread: Unread) -> Fault:
    """Return a fault of form with whose field it is, the two of a pair included, and with its row."""
    place = re.match(
        r"(seats|actions|result\.players|result\.pairs)\[(\d+)\](?:\.placed\[(\d+)\]\.card)?", fault.field or ""
    )
    if place is None:
        return fault
    part, number = place[1], int(place[2])
    names: list[str | None]
    row = fault.row
    match part:
        case "seats":
            names = [None if unread.covers(f"seats[{number}].name") else record.seats[number].name]
        case "actions":
            action = record.actions[number]
            names = [_name_of(action.seat, f"{place[1]}[{number}].seat", record, unread)]
            if place[3] is not None and not unread.covers(f"actions[{number}].placed[{place[3]}].row"):
                row = action.placements[int(place[3])].row
        case "result.players":
            names = [_name_of(record.result.players[number].seat, f"{part}[{number}].seat", record, unread)]
        case _:
            pair = record.result.pairs[number]
            names = [
                _name_of(seat, f"{part}[{number}].{key}", record, unread)
                for key, seat in (("a", pair.a), ("b", pair.b))
            ]
    known = [name for name in names if name]
    return replace(fault, player=" and ".join(known) if len(known) == len(names) else None, row=row)


def _name_of(seat: Seat, field: str, record: HandRecord, unread: Unread) -> str | None:
    seats = seats_of(record.seats, unread)
    if unread.covers(field) or seat not in seats or unread.covers(f"{seats[seat][0]}.name"):
        return None
    return seats[seat][1].name


def _act(field: str, action: Action, unread: Unread) -> Act:
    if not unread.touches(field):
        return Act(field, action.seat, action.street, action.dealt, action.placements, action.discards, is_whole=True)
    placed = tuple(
        (
            None if unread.covers(f"{field}.placed[{n}].card") else card,
            None if unread.covers(f"{field}.placed[{n}].row") else row,
        )
        for n, (card, row) in enumerate(action.placements)
    )
    # Where the cards dealt are not known, any card may be among them.
    dealt = (None,) if unread.covers(f"{field}.dealt") else _known(action.dealt, f"{field}.dealt", unread)
    return Act(
        field,
        None if unread.covers(f"{field}.seat") else action.seat,
        None if unread.covers(f"{field}.street") else action.street,
        dealt,
        placed,
        _known(action.discards, f"{field}.discarded", unread),
        is_whole=not any(unread.covers(f"{field}.{part}") for part in ("dealt", "placed", "discarded")),
    )


def _known(cards: tuple[Card | None, ...], field: str, unread: Unread) -> tuple[Card | None, ...]:
    return tuple(None if unread.covers(f"{field}[{n}]") else card for n, card in enumerate(cards))
