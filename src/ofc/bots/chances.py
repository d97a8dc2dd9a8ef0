"""What a row may still become, and how likely: the targets of an unfinished row.

An estimate, not a count. Every live card is taken to be seen in time with the same chance, independent of the
others, and a row to end at the strongest target it gets the cards for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

from ofc.cards import Card, Rank
from ofc.evaluation import Category, Strength, category_of, evaluate_ranks, leading_rank

Target = tuple[Strength, float]
"""A strength that a row may end at, and the chance to get the cards for it."""
Hits = Sequence[Sequence[float]]
"""`hits[j][n]`: the chance to see at least `j` of `n` live cards in time."""

_STEPS: Final = 256
"""The chance to see a card is rounded to so many steps, so that few tables are made."""
_RANKS: Final = range(13)


class Live(NamedTuple):
    """The cards not seen, counted by rank (twos first) and by suit."""

    ranks: list[int]
    suits: list[int]


def count_live(unseen: Sequence[Card]) -> Live:
    """Count the cards that have not been seen."""
    ranks, suits = [0] * 13, [0] * 4
    for card in unseen:
        ranks[card >> 2] += 1
        suits[card & 3] += 1
    return Live(ranks, suits)


def hits_for(chance: float) -> Hits:
    """Return the table of hits where each live card is seen with `chance`, 0 to 1."""
    return _hits(round(min(1.0, max(0.0, chance)) * _STEPS))


@lru_cache(maxsize=_STEPS + 1)
def _hits(step: int) -> Hits:
    chance = step / _STEPS
    return [[_at_least(wanted, live, chance) for live in range(14)] for wanted in range(6)]


def _at_least(wanted: int, live: int, chance: float) -> float:
    return sum(comb(live, n) * chance**n * (1 - chance) ** (live - n) for n in range(wanted, live + 1))


def five_targets(cards: Sequence[Card], live: Live, hits: Hits, fresh: float) -> list[Target]:
    """Return what a row of five may become, strongest first; the last is certain: what it makes in any case.

    `fresh` is the chance that a pair comes here of a rank that the row does not hold.
    """
    free = 5 - len(cards)
    ranks = sorted([card >> 2 for card in cards], reverse=True)
    distinct = sorted(set(ranks), reverse=True)
    counts = [ranks.count(rank) for rank in distinct]
    seen = live.ranks
    one = hits[1]
    targets: list[Target] = []
    is_suited = len({card & 3 for card in cards}) == 1
    if is_suited:
        targets.append((_FLUSH_BY_HIGH[max(distinct[0], 9)], hits[free][live.suits[cards[0] & 3]]))
    if len(distinct) == len(ranks):
        for missing, strength in _straights(tuple(distinct)):
            chance = 1.0
            for rank in missing:
                chance *= one[seen[rank]]
            targets.append((strength, chance))
    for rank, count in zip(distinct, counts, strict=True):
        if count < 4 <= count + free:
            targets.append((_QUADS[rank], hits[4 - count][seen[rank]]))
        if count < 3 <= count + free and sum(counts) - count == len(counts) - 1:
            targets.append((_TRIPS[rank], hits[3 - count][seen[rank]]))
    _add_full_houses(targets, distinct, counts, seen, hits, fresh)
    paired = [rank for rank, count in zip(distinct, counts, strict=True) if count == 2]
    single = [rank for rank, count in zip(distinct, counts, strict=True) if count == 1]
    if len(single) + 2 * len(paired) == len(ranks):
        _add_pairs(targets, paired, single, free, seen, hits, fresh)
    targets.sort(reverse=True)
    targets.append((_floor(tuple(ranks), 5), 1.0))
    return targets


def _add_full_houses(
    targets: list[Target],
    distinct: list[int],
    counts: list[int],
    seen: list[int],
    hits: Hits,
    fresh: float,
) -> None:
    if len(distinct) == 1 and counts[0] <= 3:
        rank = distinct[0]
        targets.append((_FULL_HOUSE[rank], hits[3 - counts[0]][seen[rank]] * fresh))
    elif len(distinct) == 2:
        for trips, pair in ((0, 1), (1, 0)):
            if counts[trips] <= 3 and counts[pair] <= 2:
                needs = hits[3 - counts[trips]][seen[distinct[trips]]] * hits[2 - counts[pair]][seen[distinct[pair]]]
                targets.append((_FULL_HOUSE[distinct[trips]], needs))


def _add_pairs(
    targets: list[Target],
    paired: list[int],
    single: list[int],
    free: int,
    seen: list[int],
    hits: Hits,
    fresh: float,
) -> None:
    one = hits[1]
    if len(paired) == 1:
        if free >= 1:
            targets.extend((_two_pair(paired[0], rank), one[seen[rank]]) for rank in single)
        if free >= 2:
            targets.append((_two_pair(paired[0], 6), fresh))
    elif not paired:
        if free >= 2:
            targets.extend((_two_pair(a, b), one[seen[a]] * one[seen[b]]) for a, b in combinations(single, 2))
            targets.append((_PAIR[8], fresh))
        if free >= 3:
            some = 1.0
            for rank in single:
                some *= 1 - one[seen[rank]]
            targets.append((_two_pair(single[0] if single else 10, 6), (1 - some if single else fresh) * fresh))
        if free >= 1:
            targets.extend((_PAIR[rank], one[seen[rank]]) for rank in single)


def top_targets(cards: Sequence[Card], live: Live, hits: Hits, fresh: float) -> list[Target]:
    """Return what a top may become, as `five_targets` does; `fresh` scales the chance of pairs not begun."""
    free = 3 - len(cards)
    ranks = sorted([card >> 2 for card in cards], reverse=True)
    targets: list[Target] = []
    if free:
        seen = live.ranks
        if len(ranks) == 2 and ranks[0] == ranks[1]:
            targets.append((_TOP_TRIPS[ranks[0]], hits[1][seen[ranks[0]]]))
        else:
            targets.extend((_TOP_PAIR[rank], hits[1][seen[rank]]) for rank in ranks)
        if free >= 2:
            targets.extend((_TOP_TRIPS[rank], hits[2][seen[rank]]) for rank in ranks)
            targets.extend((_TOP_PAIR[rank], hits[2][seen[rank]] * fresh) for rank in _RANKS if rank not in ranks)
        targets.sort(reverse=True)
    targets.append((_floor(tuple(ranks), 3), 1.0))
    return targets


@lru_cache(maxsize=4096)
def _straights(ranks: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], Strength], ...]:
    """Return the straights that different ranks may belong to: the ranks missing, and the strength."""
    found = []
    for high in range(12, 2, -1):
        window = [rank % 13 for rank in range(high - 4, high + 1)]  # -1 is the ace below the two
        if all(rank in window for rank in ranks):
            found.append((tuple(rank for rank in window if rank not in ranks), _strength(window)))
    return tuple(found)


@lru_cache(maxsize=8192)
def _floor(ranks: tuple[int, ...], size: int) -> Strength:
    """Return the strength that these ranks, highest first, have whatever follows: filled up with what helps least."""
    filled = list(ranks)
    others = (rank for rank in _RANKS if rank not in ranks)
    while len(filled) < size:
        rank = next(others)
        if not (size == 5 and len(filled) == 4 and _is_straight([*filled, rank])):
            filled.append(rank)
    return _strength(filled)


def _is_straight(ranks: Sequence[int]) -> bool:
    return category_of(_strength(ranks)) is Category.STRAIGHT


def _strength(ranks: Sequence[int]) -> Strength:
    return evaluate_ranks([Rank(rank + 2) for rank in ranks], suited=False)


def _middling(size: int, category: Category, *, suited: bool = False) -> list[Strength]:
    """Return, by leading rank, the middle one of a hand type's strengths; where there is none, the next one's."""
    by_rank: list[list[Strength]] = [[] for _ in _RANKS]
    for ranks in combinations_with_replacement(Rank, size):
        if size == 5 and (ranks[0] == ranks[4] or (suited and len(set(ranks)) < 5)):
            continue
        strength = evaluate_ranks(ranks, suited=suited)
        if category_of(strength) is category:
            by_rank[leading_rank(strength) - 2].append(strength)
    first = next(strengths for strengths in by_rank if strengths)
    for strengths in by_rank:
        strengths.sort()
    return [strengths[len(strengths) // 2] if strengths else first[0] for strengths in by_rank]


_PAIR: Final = _middling(5, Category.PAIR)
_TRIPS: Final = _middling(5, Category.TRIPS)
_FULL_HOUSE: Final = _middling(5, Category.FULL_HOUSE)
_QUADS: Final = _middling(5, Category.QUADS)
_FLUSH_BY_HIGH: Final = _middling(5, Category.FLUSH, suited=True)
_TOP_PAIR: Final = _middling(3, Category.PAIR)
_TOP_TRIPS: Final = _middling(3, Category.TRIPS)


@lru_cache(maxsize=256)
def _two_pair(a: int, b: int) -> Strength:
    """Return the strength of two pairs with a middling kicker; of equal ranks the second is taken one lower."""
    if a == b:
        b = a - 1 if a else a + 1
    kicker = next(rank for rank in (7, 6, 8) if rank not in (a, b))
    return _strength([a, a, b, b, kicker])
