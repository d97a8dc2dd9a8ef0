"""What a person at a table may ask for, before it becomes commands of the table."""

from __future__ import annotations

from dataclasses import dataclass

from ofc import table as tables
from ofc.board import Placement
from ofc.cards import Card
from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError
from ofc.events import TableEvent
from ofc.hand import Place
from ofc.scoring import Seat
from ofc.table import DealHand, StartMatch, Table


@dataclass(frozen=True, slots=True)
class Move:
    """Place this street's cards, or a whole Fantasyland; `discards` None: what is left over."""

    placements: tuple[Placement, ...]
    discards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class NextHand:
    """Deal the next hand."""


@dataclass(frozen=True, slots=True)
class EndMatch:
    """End the match now."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """Start another match with the same players, and deal its first hand."""


ServiceCommand = Move | NextHand | EndMatch | Rematch


def decide(
    table: Table, seat: Seat | None, command: ServiceCommand, *, deck: tuple[Card, ...], at: Millis
) -> tuple[TableEvent, ...]:
    """Return the events of a command by the player in `seat`; `IllegalCommandError` refuses it, a spectator's too.

    `deck` is freshly shuffled, for the hand that the command may deal.
    """
    if seat is None:
        raise IllegalCommandError(Fault("not-your-table", "you watch this table, you do not play at it"))
    match command:
        case Move(placements, discards):
            return tables.decide(table, Place(seat, placements, discards, at))
        case NextHand():
            return tables.decide(table, DealHand(deck, at))
        case EndMatch():
            return tables.decide(table, tables.EndMatch(at))
        case Rematch():
            started = tables.decide(table, StartMatch(at))
            for event in started:
                table = tables.apply(table, event)
            return started + tables.decide(table, DealHand(deck, at))
