"""Bots play every rule set, and know nothing that their seat may not know."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ofc.bots import BOTS, get_bot
from ofc.hand import Place, placement_faults
from ofc.rules import RuleSet
from ofc.rulesets import BUILT_IN
from ofc.view import view_for
from tests.bot_tables import decisions
from tests.hidden import with_other_secrets
from tests.strategies import own_rules

pytestmark = pytest.mark.unmeasured  # it plays much, and shows no line that smaller tests do not

NAMES = [entry.id for entry in BOTS]


def is_legal(command: Place, table: object) -> bool:
    hand = getattr(table, "hand", None)
    assert hand is not None
    return not placement_faults(hand, command.seat, command.placements)


@pytest.mark.parametrize("rules", BUILT_IN, ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", NAMES)
def test_every_bot_plays_every_rule_set_at_every_number_of_seats(name: str, rules: RuleSet, *, is_long: bool) -> None:
    """Streets, and a Fantasyland, through the same door as people: a refusal would be an error."""
    bot = get_bot(name).bot
    counts = rules.fantasyland_counts
    for seats in rules.seats:
        # All seats in Fantasyland at once would not fit the deck.
        owed = [counts[seats % len(counts)]]
        for table, command in decisions([bot] * seats, rules, hands=20 if is_long else 1, seed=seats, owed=owed):
            assert is_legal(command, table)


@settings(max_examples=3)
@given(rules=own_rules(), seed=st.integers(0, 1_000))
def test_every_bot_plays_rules_of_ones_own(rules: RuleSet, seed: int) -> None:
    for name in NAMES:
        for table, command in decisions([get_bot(name).bot] * rules.min_seats, rules, hands=1, seed=seed):
            assert is_legal(command, table)


@settings(max_examples=15)
@given(
    name=st.sampled_from(NAMES),
    rules=st.sampled_from(BUILT_IN),
    seed=st.integers(0, 1_000),
    decision=st.integers(0, 40),
    is_owed=st.booleans(),
)
def test_hidden_cards_do_not_move_a_bot(name: str, rules: RuleSet, seed: int, decision: int, is_owed: bool) -> None:
    """R-SEE-1: undealt cards, others' discards and boards set in Fantasyland may be any, it places the same."""
    bot = get_bot(name).bot
    owed = [rules.fantasyland_counts[-1]] if is_owed else []
    played = list(decisions([get_bot("random").bot] * rules.max_seats, rules, hands=1, seed=seed, owed=owed))
    table, command = played[decision % len(played)]
    other = with_other_secrets(table, command.seat, random.Random(seed + 1))
    first, second = (bot.place(view_for(at, command.seat), rules, random.Random(seed)) for at in (table, other))
    assert first == second
    assert not placement_faults(table.hand, command.seat, first) if table.hand else False


@given(seed=st.integers(0, 1_000))
@settings(max_examples=10)
def test_a_bot_is_the_same_again_given_view_and_generator(seed: int) -> None:
    bot = get_bot("heuristic").bot
    rules = replace(BUILT_IN[0], id="own")
    table, command = list(decisions([get_bot("random").bot] * 3, rules, hands=1, seed=seed))[seed % 15]
    view = view_for(table, command.seat)
    assert bot.place(view, rules, random.Random(1)) == bot.place(view, rules, random.Random(1))
