"""What a viewer may know, said without help from `ofc.view`, and tables with other cards where they know none."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from ofc.board import Placement
from ofc.cards import DECK, Card
from ofc.hand import Hand
from ofc.scoring import Seat
from ofc.table import Table


def known_to(table: Table, viewer: Seat | None) -> set[Card]:
    """Return the cards of the hand that R-SEE-1 and R-SEE-2 let the viewer know."""
    hand, is_shown = table.hand, table.settled is not None
    known: set[Card] = set()
    if hand is None:
        return known
    for seat, holding in zip(hand.seats, hand.holdings, strict=True):
        is_own = seat == viewer and not table.seat(seat).is_new
        if is_own or is_shown or not hand.fantasyland(seat):
            known.update(holding.board.cards)
        if is_own:
            known.update(holding.dealt)
        if is_own or (is_shown and table.rules.reveals_discards):
            known.update(holding.discards)
    return known


def with_other_secrets(table: Table, viewer: Seat | None, generator: random.Random) -> Table:
    """Return the table as it might as well be for all the viewer knows: the cards unknown to them permuted."""
    if table.hand is None:
        return table
    known = known_to(table, viewer)
    unknown = [card for card in DECK if card not in known]
    others = generator.sample(unknown, len(unknown))
    swap = dict(zip(unknown, others, strict=True))
    return replace(table, hand=cast("Hand", _swapped(table.hand, swap)))


def _swapped(value: object, swap: Mapping[Card, Card]) -> object:
    """Return a value with each card in it replaced."""
    if isinstance(value, Card):
        return swap.get(value, value)
    if isinstance(value, Placement):
        return Placement(swap.get(value.card, value.card), value.row)
    if type(value) is tuple:
        return tuple(_swapped(item, swap) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        inside = {item.name: _swapped(getattr(value, item.name), swap) for item in fields(value)}
        return replace(cast("Any", value), **inside)
    return value
