"""Strength of rows: one order for three-card and five-card hands (R-RANK-1 to R-RANK-5).

Every class of five cards (7,462) and of three cards (455) has one place in a single order of 7,917, so
comparing any two rows is comparing two integers. A three-card hand that agrees with a five-card hand as far as
it goes stands just below it, because a kicker the top lacks counts lowest (R-RANK-4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from itertools import combinations_with_replacement
from typing import Final, NewType, assert_never

from ofc.cards import Card, Rank, Suit

Strength = NewType("Strength", int)
"""A row's place in the order of all rows, 0 (weakest) to 7,916; equal strengths tie (R-RANK-5)."""


class Category(IntEnum):
    """A type of hand, weakest first (R-RANK-1). The royal flush is set apart only for its royalty."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    TRIPS = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    QUADS = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


_Class = tuple[Category, tuple[int, ...]]
_BY_SHAPE: Final = {
    (1, 1, 1): Category.HIGH_CARD,
    (2, 1): Category.PAIR,
    (3,): Category.TRIPS,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (2, 1, 1, 1): Category.PAIR,
    (2, 2, 1): Category.TWO_PAIR,
    (3, 1, 1): Category.TRIPS,
    (3, 2): Category.FULL_HOUSE,
    (4, 1): Category.QUADS,
}
_WHEEL: Final = (14, 5, 4, 3, 2)


def _rank_key(ranks: Sequence[int]) -> int:
    return sum(1 << 3 * (rank - 2) for rank in ranks)


def _classify(ranks: Sequence[int], *, suited: bool) -> _Class:
    """Return a hand's type and its ranks, those that count most first."""
    counts = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    category = _BY_SHAPE[tuple(count for count, _ in counts)]
    order = tuple(rank for _, rank in counts)
    if len(order) == 5:
        is_straight = order[0] - order[4] == 4 or order == _WHEEL
        high = 5 if order == _WHEEL else order[0]
        if is_straight and suited:
            return (Category.ROYAL_FLUSH if high == Rank.ACE else Category.STRAIGHT_FLUSH, (high,))
        if is_straight:
            return (Category.STRAIGHT, (high,))
        if suited:
            return (Category.FLUSH, order)
    return (category, order)


def _all_classes() -> tuple[dict[int, _Class], dict[int, _Class], dict[int, _Class]]:
    three: dict[int, _Class] = {}
    five: dict[int, _Class] = {}
    flush: dict[int, _Class] = {}
    for trio in combinations_with_replacement(range(2, 15), 3):
        three[_rank_key(trio)] = _classify(trio, suited=False)
    for ranks in combinations_with_replacement(range(2, 15), 5):
        if ranks[0] == ranks[4]:
            continue
        five[_rank_key(ranks)] = _classify(ranks, suited=False)
        if len(set(ranks)) == 5:
            flush[_rank_key(ranks)] = _classify(ranks, suited=True)
    return three, five, flush


_three, _five, _flush = _all_classes()
# Tuples compare as R-RANK-4 asks: type, then ranks in order, and a shorter tuple before its own extensions.
_CLASSES: Final = tuple(sorted({*_three.values(), *_five.values(), *_flush.values()}))
_PLACE: Final = {row_class: Strength(place) for place, row_class in enumerate(_CLASSES)}
_THREE: Final = {key: _PLACE[row_class] for key, row_class in _three.items()}
_FIVE: Final = {key: _PLACE[row_class] for key, row_class in _five.items()}
_FLUSH: Final = {key: _PLACE[row_class] for key, row_class in _flush.items()}
del _three, _five, _flush

STRENGTHS: Final = range(len(_CLASSES))
"""Every strength there is, weakest first."""

_WEIGHT: Final = tuple(1 << 3 * (index // 4) for index in range(52))
_CATEGORY: Final = tuple(row_class[0] for row_class in _CLASSES)
_LEADING_RANK: Final = tuple(Rank(row_class[1][0]) for row_class in _CLASSES)


def evaluate_three(cards: Sequence[Card]) -> Strength:
    """Return the strength of exactly three cards: high card, pair or three of a kind only (R-RANK-3)."""
    a, b, c = cards
    return _THREE[_WEIGHT[a] + _WEIGHT[b] + _WEIGHT[c]]


def evaluate_five(cards: Sequence[Card]) -> Strength:
    """Return the strength of exactly five different cards.

    >>> from ofc.cards import parse_cards
    >>> evaluate_five(parse_cards("Ks Kc Qd Jh 9s")) < evaluate_three(parse_cards("Kh Kd Ac"))
    True
    """
    a, b, c, d, e = cards
    key = _WEIGHT[a] + _WEIGHT[b] + _WEIGHT[c] + _WEIGHT[d] + _WEIGHT[e]
    if a & 3 == b & 3 == c & 3 == d & 3 == e & 3:
        return _FLUSH[key]
    return _FIVE[key]


def evaluate(cards: Sequence[Card]) -> Strength:
    """Return the strength of a full row, of three or of five cards."""
    return evaluate_three(cards) if len(cards) == 3 else evaluate_five(cards)


def evaluate_ranks(ranks: Sequence[Rank], *, suited: bool) -> Strength:
    """Return the strength of three or five cards by their ranks alone; `suited`: five of one suit."""
    key = sum(1 << 3 * (rank - 2) for rank in ranks)
    if len(ranks) == 3:
        return _THREE[key]
    return _FLUSH[key] if suited else _FIVE[key]


def category_of(strength: Strength) -> Category:
    """Return the type of hand."""
    return _CATEGORY[strength]


def leading_rank(strength: Strength) -> Rank:
    """Return the rank that counts first: of the pair, the trips, the high card; 5 for the lowest straight."""
    return _LEADING_RANK[strength]


def describe(strength: Strength) -> str:
    """Say a full row in words, lower case.

    >>> from ofc.cards import parse_cards
    >>> describe(evaluate_five(parse_cards("Ks Kc Qd Qh 9s")))
    'two pair, kings and queens'
    """
    category, numbers = _CLASSES[strength]
    return _describe(category, [Rank(number) for number in numbers])


def _describe(category: Category, ranks: Sequence[Rank]) -> str:
    first = ranks[0]
    match category:
        case Category.HIGH_CARD:
            return f"{first.word} high"
        case Category.PAIR:
            return f"pair of {first.plural}"
        case Category.TWO_PAIR:
            return f"two pair, {first.plural} and {ranks[1].plural}"
        case Category.TRIPS:
            return f"three {first.plural}"
        case Category.STRAIGHT:
            return f"straight to the {first.word}"
        case Category.FLUSH:
            return f"flush, {first.word} high"
        case Category.FULL_HOUSE:
            return f"full house, {first.plural} over {ranks[1].plural}"
        case Category.QUADS:
            return f"four {first.plural}"
        case Category.STRAIGHT_FLUSH:
            return f"straight flush, {first.word} high"
        case Category.ROYAL_FLUSH:
            return "royal flush"
        case _:
            assert_never(category)


def describe_cards(cards: Sequence[Card], size: int) -> str:
    """Say in words what a row of `size` places holds now, empty text for an empty row.

    Of an unfinished row of five the draw is said where it is one: "four hearts, king high".

    >>> from ofc.cards import parse_cards
    >>> describe_cards(parse_cards("Kh Jh 8h 3h"), 5), describe_cards(parse_cards("Qs"), 3)
    ('four hearts, king high', 'queen high')
    """
    if not cards:
        return ""
    if len(cards) == size:
        return describe(evaluate(cards))
    counts = sorted(((count, rank) for rank, count in Counter(card.rank for card in cards).items()), reverse=True)
    ranks = [rank for _, rank in counts]
    shape = [count for count, _ in counts]
    if size == 5 and len(cards) >= 3 and len(ranks) == len(cards):
        number = "three" if len(cards) == 3 else "four"
        if len({card.suit for card in cards}) == 1:
            return f"{number} {Suit(cards[0].suit).word}, {ranks[0].word} high"
        wheel = sorted(1 if rank == Rank.ACE else int(rank) for rank in ranks)
        if len(cards) == 4 and (ranks[0] - ranks[-1] <= 4 or wheel[-1] - wheel[0] <= 4):
            return f"four to a straight, {ranks[0].word} high"
    if shape[0] == 4:
        category = Category.QUADS
    elif shape[0] == 3:
        category = Category.TRIPS
    elif shape[:2] == [2, 2]:
        category = Category.TWO_PAIR
    else:
        category = Category.PAIR if shape[0] == 2 else Category.HIGH_CARD
    return _describe(category, ranks)
