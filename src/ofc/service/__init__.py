"""The live tables: they decide, append, and only then tell."""

from ofc.service.commands import EndMatch, Move, NextHand, Rematch, ServiceCommand
from ofc.service.past import PastHand, past_hands
from ofc.service.rooms import LiveTable, OpenRequest, StaleError, TableRooms, TooManyTablesError

__all__ = [
    "EndMatch",
    "LiveTable",
    "Move",
    "NextHand",
    "OpenRequest",
    "PastHand",
    "Rematch",
    "ServiceCommand",
    "StaleError",
    "TableRooms",
    "TooManyTablesError",
    "past_hands",
]
