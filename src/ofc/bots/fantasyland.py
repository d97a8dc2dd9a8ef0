"""What a Fantasyland is worth to a bot, and how the house sets one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ofc.board import Placement
from ofc.cards import Card
from ofc.evaluation import Category
from ofc.rules import MAX_FANTASYLAND, RuleSet, StayCards
from ofc.scoring import Points
from ofc.solver import set_fantasyland

_VALUES: Final = {13: 5.0, 14: 8.5, 15: 12.0, 16: 16.0, 17: 20.0}
"""Points that a Fantasyland of so many cards makes over a regular hand, against each opponent, under the royalties
of the pages: measured as mean best royalties less those of a regular hand."""

_TYPICAL: Final = ((Category.STRAIGHT, 0.15), (Category.FLUSH, 0.2), (Category.FULL_HOUSE, 0.45), (Category.QUADS, 0.2))
"""How often a good setting has these rows of five, roughly: to weigh royalties of one's own against the pages'."""
_TYPICAL_WORTH: Final = 26.4
"""What the pages' royalties make of `_TYPICAL` in the middle and at the bottom, and of aces on top."""


@lru_cache(maxsize=256)
def fantasyland_value(rules: RuleSet, count: int) -> float:
    """Return roughly the points that Fantasyland with `count` cards is worth over a regular hand; 0 cards: 0.

    >>> from ofc.rulesets import get_rules
    >>> [round(fantasyland_value(get_rules("ultimate"), count), 1) for count in (0, 14, 17)]
    [0.0, 8.5, 20.0]
    """
    if count == 0:
        return 0.0
    rows = sum(share * (rules.middle_royalties[row] + rules.bottom_royalties[row]) for row, share in _TYPICAL)
    return _VALUES[min(count, MAX_FANTASYLAND)] * (rows + rules.top_pair_royalties[-1]) / _TYPICAL_WORTH


def stay_value(rules: RuleSet, held: int) -> Points:
    """Return the points, rounded, that staying in a Fantasyland of `held` cards is worth; 0 if none stays."""
    if not rules.can_stay:
        return Points(0)
    return Points(round(fantasyland_value(rules, 14 if rules.stay_cards is StayCards.FOURTEEN else held)))


def house_setting(cards: Sequence[Card], rules: RuleSet) -> tuple[Placement, ...]:
    """Return the house's setting of a whole Fantasyland: the most royalties, staying counted in; never a foul.

    This is how the server sets for a player whose time is over (R-TIME-1). Takes milliseconds; `CardError` unless
    there are 13 to 17 different cards.
    """
    return set_fantasyland(cards, rules, stay_bonus=stay_value(rules, len(cards))).placements
