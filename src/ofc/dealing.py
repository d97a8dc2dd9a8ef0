"""In which order cards come off the deck (R-DEAL-1, R-DEAL-2, R-DEAL-4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ofc.rules import Street
from ofc.scoring import Seat

FANTASYLAND_STREET = 0
"""The street on which a Fantasyland seat gets all its cards; regular streets count from 1."""


@dataclass(frozen=True, slots=True)
class Deal:
    """`count` cards off the deck for one seat on one street; the first is the deck's card `first`, from 0."""

    seat: Seat
    street: int
    first: int
    count: int


def acting_order(seats: Sequence[Seat], button: Seat) -> tuple[Seat, ...]:
    """Return the seats from the button's left, the button last (R-DEAL-2)."""
    place = seats.index(button) + 1
    return (*seats[place:], *seats[:place])


def deal_order(
    seats: Sequence[Seat], button: Seat, fantasyland: Sequence[int], streets: Sequence[Street]
) -> tuple[Deal, ...]:
    """Return a hand's deals in order: Fantasyland seats, then street by street in acting order (R-DEAL-4).

    `fantasyland` holds each seat's count, aligned with `seats`, 0 for a regular hand.

    >>> order = deal_order([Seat(0), Seat(1)], Seat(1), [0, 14], [Street(5, 5), Street(3, 2)])
    >>> [(deal.seat, deal.street, deal.first, deal.count) for deal in order]
    [(1, 0, 0, 14), (0, 1, 14, 5), (0, 2, 19, 3)]
    """
    held = dict(zip(seats, fantasyland, strict=True))
    order = acting_order(seats, button)
    wanted = [(seat, FANTASYLAND_STREET, held[seat]) for seat in order if held[seat]]
    for number, street in enumerate(streets, start=1):
        wanted += [(seat, number, street.dealt) for seat in order if not held[seat]]
    deals: list[Deal] = []
    first = 0
    for seat, number, count in wanted:
        deals.append(Deal(seat, number, first, count))
        first += count
    return tuple(deals)
