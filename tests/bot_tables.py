"""Tables at which bots play, stopped at every decision."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ofc import table as tables
from ofc.bots import Bot
from ofc.cards import shuffled_deck
from ofc.clock import Millis
from ofc.events import Player, TableEvent, TableOpened
from ofc.hand import Place
from ofc.rules import RuleSet
from ofc.scoring import Seat
from ofc.table import DealHand, Sit, Table
from ofc.view import view_for

NOW = Millis(0)


def opened_table(rules: RuleSet, seats: int, *, hands: int, owed: Sequence[int] = ()) -> Table:
    """Return a table with a player in every seat; `owed` are Fantasyland cards that the seats begin with."""
    opened = TableOpened(
        rules=rules, seats=seats, hands=hands, stack=None, price=None, button=Seat(0), seeded=True, at=NOW
    )
    table = tables.replay(tables.open_table(opened))
    for seat in range(seats):
        table = applied(table, tables.decide(table, Sit(Seat(seat), Player(f"Player {seat}"), NOW)))
    states = [replace(state, owed=count) for state, count in zip(table.seats, owed, strict=False)]
    return replace(table, seats=(*states, *table.seats[len(states) :]))


def applied(table: Table, events: Sequence[TableEvent]) -> Table:
    """Return the table after these events."""
    for event in events:
        table = tables.apply(table, event)
    return table


def decisions(
    bots: Sequence[Bot], rules: RuleSet, *, hands: int, seed: int, owed: Sequence[int] = ()
) -> Iterator[tuple[Table, Place]]:
    """Play a match, a bot a seat; yield each table with the placement about to be made there, which must be legal.

    At its end ten hands of Fantasyland are played at most.
    """
    generator = random.Random(seed)
    table = opened_table(rules, len(bots), hands=hands, owed=owed)
    while table.match_end is None and table.hands_played < hands + 10:
        table = applied(table, tables.decide(table, DealHand(shuffled_deck(generator), NOW)))
        while table.is_playing and table.hand is not None:
            seat = table.hand.to_act[0]
            placements = bots[seat].place(view_for(table, seat), rules, generator)
            command = Place(seat, placements, None, NOW)
            events = tables.decide(table, command)
            yield table, command
            table = applied(table, events)
