"""Counts that must come out: of placement sequences, and of Fantasyland settings."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from math import comb

import pytest

from ofc.board import ROWS, Board
from ofc.cards import DECK
from ofc.hand import all_placements
from ofc.rules import Street
from ofc.rulesets import get_rules

Free = tuple[int, int, int]


@cache
def ways_on(free: Free, street: Street) -> Counter[Free]:
    """How many placements lead from so many free places, top to bottom, to which."""
    deck = iter(DECK)
    board = Board(*(tuple(next(deck) for _ in range(row.size - left)) for row, left in zip(ROWS, free, strict=True)))
    dealt = [next(deck) for _ in range(street.dealt)]
    ways: Counter[Free] = Counter()
    for placements in all_placements(board, dealt, street.placed):
        after = board.with_placed(placements)
        ways[after.free(ROWS[0]), after.free(ROWS[1]), after.free(ROWS[2])] += 1
    return ways


def test_placement_sequences_of_one_deal_after_each_street() -> None:
    """Order inside a row ignored, discards told apart: what a placement leaves free is all the next one depends on."""
    sequences: Counter[Free] = Counter({(3, 5, 5): 1})
    counts = []
    for street in get_rules("ultimate").streets:
        after: Counter[Free] = Counter()
        for free, times in sequences.items():
            for then, ways in ways_on(free, street).items():
                after[then] += times * ways
        sequences = after
        counts.append(sequences.total())
    assert counts == [232, 5_334, 100_170, 1_259_874, 5_837_832]


@pytest.mark.parametrize(
    ("cards", "settings"),
    [(13, 72_072), (14, 1_009_008), (15, 7_567_560), (16, 40_360_320), (17, 171_531_360)],
)
def test_settings_of_a_fantasyland(cards: int, settings: int) -> None:
    """Every bottom leaves as many middles, and every two rows as many tops: one of each is enumerated."""
    held = range(cards)
    bottoms = list(combinations(held, 5))
    middles = [middle for middle in bottoms if not set(middle) & set(bottoms[0])]
    tops = [top for top in combinations(held, 3) if not set(top) & {*bottoms[0], *middles[0]}]
    assert len(bottoms) * len(middles) * len(tops) == settings
    assert settings == comb(cards, 13) * 72_072
