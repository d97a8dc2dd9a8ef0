"""Events as the journal keeps them."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc import table as tables
from ofc.board import Placement, Row
from ofc.bots.random_bot import RandomBot
from ofc.cards import Card, shuffled_deck
from ofc.clock import Millis
from ofc.events import (
    CardsPlaced,
    HandAbandoned,
    MatchEnd,
    MatchEnded,
    MatchStarted,
    Player,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PriceSet,
    TableEvent,
    TableOpened,
)
from ofc.hand import Place
from ofc.rules import RuleSet
from ofc.rulesets import BUILT_IN
from ofc.scoring import Chips, Seat
from ofc.storage.codec import decode_event, encode_event
from ofc.table import DealHand, Sit
from ofc.view import view_for
from tests.strategies import any_rules

AT = Millis(1_790_000_000_000)
PLAIN: list[TableEvent] = [
    PlayerSeated(Seat(1), Player("Ada", "random"), AT),
    PlayerSeated(Seat(0), Player("Zoë ♥"), AT),
    PlayerLeft(Seat(2), AT),
    PlayerReturned(Seat(0), AT),
    PriceSet(Chips(100), AT),
    HandAbandoned(AT),
    *(MatchEnded(reason, AT) for reason in MatchEnd),
    MatchStarted(AT),
    CardsPlaced(Seat(0), 2, (Placement(Card.parse("Kh"), Row.TOP),), (Card.parse("2c"),), forced=True, at=AT),
]


def played_events(rules: RuleSet, *, stack: int | None = None) -> list[TableEvent]:
    """Return the events of one hand, from the table's opening to the settlement."""
    generator = random.Random(7)
    seats = rules.max_seats
    chips = None if stack is None else Chips(stack)
    opened = TableOpened(rules, seats, 24, chips, chips and Chips(10), Seat(0), seeded=True, at=AT)
    events: list[TableEvent] = [opened]
    table = tables.replay(tuple(events))

    def do(command: tables.TableCommand) -> None:
        nonlocal table
        for event in tables.decide(table, command):
            events.append(event)
            table = tables.apply(table, event)

    for number in range(seats):
        do(Sit(Seat(number), Player(f"P{number}"), AT))
    do(DealHand(shuffled_deck(generator), AT))
    while table.is_playing:
        assert table.hand is not None
        seat = table.hand.to_act[0]
        do(Place(seat, RandomBot().place(view_for(table, seat), rules, generator), None, AT))
    return events


@pytest.mark.parametrize("event", PLAIN, ids=lambda event: type(event).__name__)
def test_reading_is_the_inverse_of_writing(event: TableEvent) -> None:
    assert decode_event(*encode_event(event)) == event


@pytest.mark.parametrize("rules", BUILT_IN, ids=lambda rules: f"{rules.id}@{rules.version}")
@pytest.mark.parametrize("stack", [None, 50])
def test_a_whole_hand_is_read_as_it_was_written(rules: RuleSet, stack: int | None) -> None:
    events = played_events(rules, stack=stack)
    read = [decode_event(*encode_event(event)) for event in events]
    assert read == events
    assert tables.replay(tuple(read)) == tables.replay(tuple(events))


def test_every_kind_of_event_is_tried_here() -> None:
    tried = {type(event) for event in [*PLAIN, *played_events(BUILT_IN[0])]}
    assert tried == set(get_args(TableEvent))


@given(any_rules, st.none() | st.integers(1, 10**12))
def test_a_table_under_rules_of_ones_own_is_kept_whole(rules: RuleSet, stack: int | None) -> None:
    chips = None if stack is None else Chips(stack)
    opened = TableOpened(rules, rules.min_seats, 24, chips, chips, Seat(0), seeded=False, at=AT)
    assert decode_event(*encode_event(opened)) == opened


def test_what_is_no_event_is_refused() -> None:
    name, body = encode_event(PLAIN[-1])
    with pytest.raises(KeyError):
        decode_event("CardsBurnt", body)
    with pytest.raises(msgspec.ValidationError, match="Nx"):
        decode_event(name, body.replace(b"Kh", b"Nx"))
    with pytest.raises(msgspec.ValidationError, match="no Card from 7"):
        decode_event(name, body.replace(b'"Kh"', b"7"))
    with pytest.raises(TypeError, match="no JSON for object"):
        encode_event(replace(MatchStarted(AT), at=object()))  # type: ignore[arg-type]  # that is what is wrong with it


def test_fields_of_later_versions_are_passed_over() -> None:
    assert decode_event("MatchStarted", b'{"at": 5, "by": "Ada"}') == MatchStarted(Millis(5))
