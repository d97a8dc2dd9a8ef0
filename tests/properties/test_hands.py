"""A hand on its own, from any rules and any Fantasyland, at any point."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc import hand as hands
from ofc.cards import shuffled_deck
from ofc.clock import Millis
from ofc.errors import IllegalCommandError
from ofc.events import HandStarted
from ofc.hand import Expire, Hand, Place, all_placements, placement_faults
from ofc.rules import RuleSet
from ofc.scoring import Seat
from tests.strategies import any_rules
from tests.tables import any_placements, check_cards


@st.composite
def hands_under_way(draw: st.DrawFn) -> tuple[Hand, random.Random]:
    """A hand that may hold Fantasyland for any seat, played to any point."""
    rules = draw(any_rules)
    count = draw(st.sampled_from(rules.seats))
    generator = draw(st.integers(0, 2**32).map(random.Random))
    held = tuple(draw(st.sampled_from([0, 0, *rules.fantasyland_counts])) for _ in range(count))
    places = tuple(Seat(n) for n in range(count))
    button = draw(st.sampled_from(places))
    started = HandStarted(1, places, button, held, None, shuffled_deck(generator), Millis(0))
    hand = replayed(rules, started)
    for _ in range(draw(st.integers(0, 40))):
        if hand.to_act:
            seat = generator.choice(hand.to_act)
            command = Place(seat, any_placements(hand, seat, generator), None, Millis(1))
            for event in hands.decide(hand, command):
                hand = hands.apply(rules, hand, event)
    return hand, generator


def replayed(rules: RuleSet, started: HandStarted) -> Hand:
    hand: Hand | None = None
    for event in hands.start_hand(rules, started):
        hand = hands.apply(rules, hand, event)
    assert hand is not None
    return hand


@given(hands_under_way())
def test_a_hand_keeps_its_cards_and_ends_with_every_board_full(case: tuple[Hand, random.Random]) -> None:
    hand, generator = case
    for _ in range(60):
        check_cards(hand)
        if not hand.to_act:
            break
        seat = generator.choice(hand.to_act)
        house = any_placements(hand, seat, generator)
        command: Place | Expire = Place(seat, house, None, Millis(2))
        if generator.random() < 0.3:
            command = Expire(seat, (), house, Millis(2))
        for event in hands.decide(hand, command):
            hand = hands.apply(hand.rules, hand, event)
    assert hand.is_over
    assert hand.deals_done == len(hand.deals)
    assert sum(player.points for player in hand.settle().players) == 0


@given(hands_under_way())
def test_only_seats_with_cards_may_act(case: tuple[Hand, random.Random]) -> None:
    hand, _ = case
    for seat in range(-1, 5):
        if seat in hand.to_act:
            continue
        with pytest.raises(IllegalCommandError) as caught:
            hands.decide(hand, Place(Seat(seat), (), None, Millis(2)))
        assert caught.value.code == ("not-your-turn" if seat in hand.seats else "seat-not-dealt-in")


@given(hands_under_way())
def test_every_listed_placement_is_legal(case: tuple[Hand, random.Random]) -> None:
    hand, generator = case
    for seat in hand.to_act:
        if hand.fantasyland(seat) or len(hand.holding(seat).dealt) > 5:
            continue
        listed = all_placements(hand.holding(seat).board, hand.holding(seat).dealt, hand.to_place(seat))
        assert len(set(listed)) == len(listed) > 0
        for placements in generator.sample(listed, min(len(listed), 5)):
            assert not placement_faults(hand, seat, placements)
