"""Judging a board with one street to come: the mean over deals of that street, each placed as well as can be."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from ofc.board import ROWS
from ofc.bots.worth import Worth
from ofc.cards import Card
from ofc.evaluation import STRENGTHS, Strength, evaluate
from ofc.rules import Street

MAX_PLACED: Final = 2
"""The most cards that the last street may place."""
_DEALS: Final = 36
_NEVER: Final = -1e9

Rows = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
"""The cards of top, middle and bottom."""


class _Room(NamedTuple):
    """What an open row may be beside the rows that are full: least and most strength, and its points by strength.

    `rest` are the points of the full rows.
    """

    least: int
    most: int
    points: list[float]
    rest: float


class LastStreet:
    """A judge of boards that lack one or two cards. All are judged by the same deals."""

    def __init__(self, unseen: Sequence[Card], street: Street, worth: Worth, generator: random.Random) -> None:
        self._unseen = unseen
        self._worth = worth
        self._deals = _sample_deals(len(unseen), street.dealt, generator)
        self._pairs = [tuple(combinations(deal, 2)) for deal in self._deals]
        self._all_pairs = sorted({pair for pairs in self._pairs for pair in pairs})
        self._singles: dict[tuple[Card, ...], list[Strength]] = {}
        self._doubles: dict[tuple[Card, ...], dict[tuple[int, int], Strength]] = {}

    def __call__(self, rows: Rows) -> float:
        """Return the mean points of the best placements; the foul's points where every deal fouls."""
        is_open = [number for number, row in enumerate(ROWS) if len(rows[number]) < row.size]
        if len(is_open) == 2:
            return self._two_rows(rows, is_open[0], is_open[1])
        if len(rows[is_open[0]]) == ROWS[is_open[0]].size - 1:
            return self._one_place(rows, is_open[0])
        return self._one_row(rows, is_open[0])

    def _one_place(self, rows: Rows, number: int) -> float:
        least, most, points, rest = self._room(rows, number)
        foul = self._worth.foul
        values = [points[s] + rest if least <= s <= most else foul for s in self._single(rows[number])]
        return sum(max([values[card] for card in deal]) for deal in self._deals) / len(self._deals)

    def _one_row(self, rows: Rows, number: int) -> float:
        least, most, points, rest = self._room(rows, number)
        foul = self._worth.foul - rest
        strengths = self._double(rows[number])
        total = 0.0
        for pairs in self._pairs:
            best = foul
            for pair in pairs:
                strength = strengths[pair]
                if least <= strength <= most and points[strength] > best:
                    best = points[strength]
            total += best
        return rest + total / len(self._deals)

    def _two_rows(self, rows: Rows, upper: int, lower: int) -> float:
        least, most, points, rest = self._room(rows, upper)
        above = self._single(rows[upper])
        above_points = [points[s] + rest if least <= s <= most else _NEVER for s in above]
        least, most, points, _ = self._room(rows, lower)
        below = self._single(rows[lower])
        below_points = [points[s] if least <= s <= most else _NEVER for s in below]
        # A top and a bottom do not touch; of two neighbours the upper may not be the stronger.
        gap = -len(STRENGTHS) if lower - upper == 2 else self._gap(lower)
        total = 0.0
        for deal in self._deals:
            best = self._worth.foul
            for a in deal:
                strength, own = above[a] + gap, above_points[a]
                for b in deal:
                    if strength <= below[b] and own + below_points[b] > best and a != b:
                        best = own + below_points[b]
            total += best
        return total / len(self._deals)

    def _gap(self, lower: int) -> int:
        """Return by how much a row must be stronger than the one above it."""
        return int(self._worth.is_strict and lower == 2)

    def _room(self, rows: Rows, number: int) -> _Room:
        tables = (self._worth.top, self._worth.middle, self._worth.bottom)
        least, most, rest = 0, len(STRENGTHS), 0.0
        full = {
            other: evaluate(rows[other])
            for other in range(3)
            if other != number and len(rows[other]) == ROWS[other].size
        }
        for other, strength in full.items():
            rest += tables[other][strength]
            if other == number - 1:
                least = strength + self._gap(number)
            elif other == number + 1:
                most = strength - self._gap(other)
            elif 1 in full and full[min(other, 1)] + self._gap(max(other, 1)) > full[max(other, 1)]:
                most = -1
        return _Room(least, most, tables[number], rest)

    def _single(self, cards: tuple[Card, ...]) -> list[Strength]:
        """Return the strength of a row that lacks one card with each unseen card."""
        known = self._singles.get(cards)
        if known is None:
            known = self._singles[cards] = [evaluate((*cards, card)) for card in self._unseen]
        return known

    def _double(self, cards: tuple[Card, ...]) -> dict[tuple[int, int], Strength]:
        """Return the strength of a row that lacks two cards with each pair that is dealt."""
        known = self._doubles.get(cards)
        if known is None:
            unseen = self._unseen
            known = {(a, b): evaluate((*cards, unseen[a], unseen[b])) for a, b in self._all_pairs}
            self._doubles[cards] = known
        return known


def _sample_deals(unseen: int, dealt: int, generator: random.Random) -> list[tuple[int, ...]]:
    """Return deals as places among the unseen cards, ascending: every card is in about as many of them."""
    if dealt == 1:
        return [(place,) for place in range(unseen)]
    deals: list[tuple[int, ...]] = []
    places = list(range(unseen))
    while len(deals) < _DEALS:
        generator.shuffle(places)
        deals += [tuple(sorted(places[n : n + dealt])) for n in range(0, unseen - dealt + 1, dealt)]
    return deals[:_DEALS]
