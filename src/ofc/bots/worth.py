"""What a finished row is worth to a bot, in points against each opponent."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import Final, NamedTuple

from ofc.board import ROWS, Row
from ofc.bots.fantasyland import fantasyland_value
from ofc.evaluation import STRENGTHS, Strength
from ofc.rules import RuleSet
from ofc.scoring import fantasyland_entry, row_royalty


class Taste(NamedTuple):
    """How the heuristic bot weighs things. The defaults came out best in play against itself (docs/bots.md)."""

    foul: float = 7.0
    """Points that a foul costs, beside the royalties lost."""
    entry: float = 1.0
    """What an entry into Fantasyland counts, as a share of its value."""
    win: float = 1.8
    """Points for a row that surely wins; minus as many for one that surely loses."""
    top_sight: float = 0.8
    """Share of the cards still to be dealt that the top gets to choose from."""
    five_sight: float = 0.65
    """The same for the middle and the bottom."""
    fresh: float = 0.5
    """Chance that a pair of a new rank comes to an empty row of five within four streets."""
    fresh_top: float = 0.5
    """Share of the chance to see a pair of a new rank that the top gets to use."""


class Worth(NamedTuple):
    """Points by strength of a row in its place: royalty, the chance to win it, an entry into Fantasyland; a foul's."""

    top: list[float]
    middle: list[float]
    bottom: list[float]
    foul: float
    is_strict: bool

    def of(self, top: Strength, middle: Strength, bottom: Strength) -> float:
        """Return the points of a finished board."""
        if top > middle or middle + self.is_strict > bottom:
            return self.foul
        return self.top[top] + self.middle[middle] + self.bottom[bottom]


@lru_cache(maxsize=64)
def worth_of(rules: RuleSet, taste: Taste) -> Worth:
    """Return the worth of every row under these rules."""
    tables: dict[Row, list[float]] = {}
    for row in ROWS:
        shares = _win_shares(row)
        tables[row] = [row_royalty(row, Strength(s), rules) + taste.win * (2 * shares[s] - 1) for s in STRENGTHS]
    for s in STRENGTHS:
        tables[Row.TOP][s] += taste.entry * fantasyland_value(rules, fantasyland_entry(Strength(s), rules))
    return Worth(tables[Row.TOP], tables[Row.MIDDLE], tables[Row.BOTTOM], -taste.foul, rules.strict_order)


_DECILES: Final = {
    Row.TOP: (2, 430, 744, 939, 1173, 1389, 1481, 2723, 3947, 4157, 4523),
    Row.MIDDLE: (75, 1575, 2266, 2815, 3623, 4364, 4606, 4736, 5179, 5996, 7669),
    Row.BOTTOM: (919, 4631, 4974, 5621, 6312, 6317, 6562, 6821, 7185, 7624, 7914),
}
"""The strength that each tenth of rows stays under, in hands of heuristic bots that did not foul."""


def _win_shares(row: Row) -> list[float]:
    """Return by strength the share of an opponent's rows that it beats."""
    marks = _DECILES[row]
    shares = []
    for strength in STRENGTHS:
        place = bisect_left(marks, strength)
        if place == 0:
            shares.append(0.0)
        elif place == len(marks):
            shares.append(1.0)
        else:
            low, high = marks[place - 1], marks[place]
            shares.append((place - 1 + (strength - low) / (high - low)) / (len(marks) - 1))
    return shares
