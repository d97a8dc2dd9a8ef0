"""Judging a board with streets to come: what its rows may become, taken together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from ofc.bots.chances import Target, count_live, five_targets, hits_for, top_targets
from ofc.bots.last_street import Rows
from ofc.bots.worth import Taste, Worth
from ofc.cards import Card

_DEALT_AFTER_FIRST: Final = 12
"""Cards dealt on streets 2 to 5 of Pineapple, for which `Taste.fresh` is meant."""
_LEAST_CHANCE: Final = 0.02
"""Targets less likely than this are left out."""
_SHORTEST: Final = 16
_SHORTLIST_SHARE: Final = 8
"""One board in so many is judged in full, `_SHORTEST` at least. Of 232, judging 40 lost 0.01 points, 20 lost 0.1."""
_CROSSED: Final = 3.0
"""Points taken off in the rough order for each row that is below the one above it as the cards lie."""

_Cards = tuple[Card, ...]


class _Row(NamedTuple):
    """What one row may become: its targets weakest first, the points it promises by itself, its weakest end."""

    targets: list[Target]
    alone: float
    floor: int


class _Top(NamedTuple):
    """A top by how strong it may be at most.

    `limits` are the targets' strengths, negated and so ascending; `values` the points promised where the target at
    the same place is the strongest allowed.
    """

    limits: list[int]
    values: list[float]


class _Upper(NamedTuple):
    """A top and a middle in the same way; `safe` are the chances that they do not foul."""

    limits: list[int]
    values: list[float]
    safe: list[float]


class Promise:
    """A judge of unfinished boards.

    The bottom ends at one of its targets; below it the middle goes for the strongest target that the bottom allows,
    and the top for the strongest that the middle allows. A row fouls if even its weakest end is too strong.
    """

    def __init__(self, unseen: Sequence[Card], dealt: int, worth: Worth, taste: Taste) -> None:
        """Judge with `dealt` cards still to come out of `unseen`."""
        self._worth = worth
        self._live = count_live(unseen)
        chance = dealt / len(unseen)
        self._top_hits = hits_for(chance * taste.top_sight)
        self._five_hits = hits_for(chance * taste.five_sight)
        self._fresh = taste.fresh * dealt / _DEALT_AFTER_FIRST / 5
        self._fresh_top = taste.fresh_top
        self._targets: dict[_Cards, list[Target]] = {}
        self._tops: dict[_Cards, _Row] = {}
        self._middles: dict[_Cards, _Row] = {}
        self._bottoms: dict[_Cards, _Row] = {}
        self._top_limits: dict[_Cards, _Top] = {}
        self._ends: dict[_Cards, list[tuple[int, float, float]]] = {}

    def shortlist(self, boards: Sequence[Rows]) -> Sequence[Rows]:
        """Return the boards that promise most with rows taken each by itself: the best is among them."""
        size = max(_SHORTEST, len(boards) // _SHORTLIST_SHARE)
        return sorted(boards, key=self._rough, reverse=True)[:size]

    def _rough(self, rows: Rows) -> float:
        top, middle, bottom = self._top(rows[0]), self._middle(rows[1]), self._bottom(rows[2])
        crossed = (top.floor > middle.floor) + (middle.floor > bottom.floor)
        return top.alone + middle.alone + bottom.alone - crossed * _CROSSED

    def __call__(self, rows: Rows) -> float:
        """Return the points that the board promises."""
        limits, values, safe = self._join(rows[0], rows[1])
        foul = self._worth.foul
        total = 0.0
        for limit, chance, points in self._ends_of(rows[2]):
            place = bisect_left(limits, limit)
            total += chance * (points * safe[place] + values[place] if place < len(values) else foul)
        return total

    def _join(self, top: _Cards, middle: _Cards) -> _Upper:
        limits, worths = self._limits_of(top)
        points, foul = self._worth.middle, self._worth.foul
        strengths, below, safe = [], [], []
        value = chance_safe = 0.0
        for strength, chance in self._five(middle):
            place = bisect_left(limits, -strength)
            if place < len(worths):
                value = chance * (points[strength] + worths[place]) + (1 - chance) * value
                chance_safe = chance + (1 - chance) * chance_safe
            else:
                value = chance * foul + (1 - chance) * value
                chance_safe *= 1 - chance
            strengths.append(-strength)
            below.append(value)
            safe.append(chance_safe)
        return _Upper(strengths[::-1], below[::-1], safe[::-1])

    def _ends_of(self, bottom: _Cards) -> list[tuple[int, float, float]]:
        """Return the bottom's ends: strength negated, chance, points."""
        ends = self._ends.get(bottom)
        if ends is None:
            ends = self._ends[bottom] = []
            left = 1.0
            for strength, chance in reversed(self._five(bottom)):
                ends.append((-strength, left * chance, self._worth.bottom[strength]))
                left *= 1 - chance
        return ends

    def _limits_of(self, top: _Cards) -> _Top:
        upper = self._top_limits.get(top)
        if upper is None:
            values, limits = [], []
            value = 0.0
            for strength, chance in self._top(top).targets:
                value = chance * self._worth.top[strength] + (1 - chance) * value
                values.append(value)
                limits.append(-strength)
            upper = self._top_limits[top] = _Top(limits[::-1], values[::-1])
        return upper

    def _top(self, cards: _Cards) -> _Row:
        row = self._tops.get(cards)
        if row is None:
            targets = _likely(top_targets(cards, self._live, self._top_hits, self._fresh_top))
            row = self._tops[cards] = _row(targets, self._worth.top)
        return row

    def _middle(self, cards: _Cards) -> _Row:
        row = self._middles.get(cards)
        if row is None:
            row = self._middles[cards] = _row(self._five(cards), self._worth.middle)
        return row

    def _bottom(self, cards: _Cards) -> _Row:
        row = self._bottoms.get(cards)
        if row is None:
            row = self._bottoms[cards] = _row(self._five(cards), self._worth.bottom)
        return row

    def _five(self, cards: _Cards) -> list[Target]:
        """Return the targets of a row of five, weakest first."""
        targets = self._targets.get(cards)
        if targets is None:
            found = five_targets(cards, self._live, self._five_hits, self._fresh * (5 - len(cards)))
            targets = self._targets[cards] = _likely(found)
        return targets


def _likely(targets: list[Target]) -> list[Target]:
    """Return the targets weakest first, but for the least likely."""
    return [target for target in reversed(targets) if target[1] >= _LEAST_CHANCE]


def _row(targets: list[Target], points: list[float]) -> _Row:
    value = 0.0
    for strength, chance in targets:
        value = chance * points[strength] + (1 - chance) * value
    return _Row(targets, value, targets[0][0])
