"""Finished hands, found again in a table's stream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ofc import table as tables
from ofc.events import CardsPlaced, HandAbandoned, HandSettled, HandStarted, MatchStarted, TableEvent
from ofc.scoring import Seat
from ofc.table import Table
from ofc.view import View, view_for


@dataclass(frozen=True, slots=True)
class PastHand:
    """A finished hand: its place among the table's finished hands from 1, and its match's number from 1.

    `before` each placement, and after the showdown, the table stood as in `states`.
    """

    hand: int
    match: int
    states: tuple[Table, ...]

    @property
    def shown(self) -> Table:
        """The table at the showdown."""
        return self.states[-1]

    def frames(self, viewer: Seat | None) -> tuple[View, ...]:
        """Return the hand as the viewer may see it, one frame before each placement and the showdown last."""
        return tuple(view_for(state, viewer) for state in self.states)


def past_hands(events: Iterable[TableEvent]) -> list[PastHand]:
    """Return a table's finished hands, oldest first; an abandoned or unfinished one is left out."""
    found: list[PastHand] = []
    table: Table | None = None
    states: list[Table] = []
    match = 1
    for event in events:
        if isinstance(event, CardsPlaced) and table is not None:
            states.append(table)
        table = tables.apply(table, event)
        if isinstance(event, HandStarted | HandAbandoned):
            states = []
        elif isinstance(event, HandSettled):
            found.append(PastHand(len(found) + 1, match, (*states, table)))
        elif isinstance(event, MatchStarted):
            match += 1
    return found
