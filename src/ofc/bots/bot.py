"""What a bot is: it gets what its seat may see, and answers with placements. The same door as people use."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol

from ofc.board import Board, Placement
from ofc.cards import DECK, Card
from ofc.rules import RuleSet
from ofc.view import View


class Bot(Protocol):
    """A player without a person. docs/bots.md writes one step by step."""

    def place(self, view: View, rules: RuleSet, generator: random.Random) -> tuple[Placement, ...]:
        """Return legal placements for the seat `view.you`, which has cards to place; the rest are discarded.

        `rules` are those that `view.rules` names. The answer follows from the arguments alone: all chance comes
        from `generator`, and nothing is remembered from one call to the next.
        """
        ...


@dataclass(frozen=True, slots=True)
class Situation:
    """A decision as a bot needs it: plain values out of a view.

    `cards` are to be placed now, `to_place` of them; `fantasyland` counts the cards held in Fantasyland, 0 in a
    regular hand. `opponents` are the boards in sight. `unseen` are the cards that the seat has not seen, ascending.
    """

    board: Board
    cards: tuple[Card, ...]
    to_place: int
    street: int
    fantasyland: int
    opponents: tuple[Board, ...]
    unseen: tuple[Card, ...]


def read_situation(view: View) -> Situation:
    """Return the decision that the view's own seat has to make; `ValueError` if it has no cards to place."""
    own = next((seat for seat in view.seats if seat.seat == view.you), None)
    if own is None or own.board is None or not view.cards:
        raise ValueError("a bot is asked only when its own seat has cards to place")
    others = tuple(seat.board for seat in view.seats if seat.seat != view.you and seat.board is not None)
    seen = {*view.cards, *own.board.cards, *(own.discards or ())}
    for board in others:
        seen.update(board.cards)
    return Situation(
        board=own.board,
        cards=view.cards,
        to_place=view.to_place,
        street=view.street,
        fantasyland=own.fantasyland,
        opponents=others,
        unseen=tuple(card for card in DECK if card not in seen),
    )
