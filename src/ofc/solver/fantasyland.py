"""The best setting of a Fantasyland's cards, exact, without compiled code.

Every row of five and of three is listed once, best first. Middles are tried downward; for each, bottoms downward
that do not share its cards; for each pair the best top left over. What a row is worth, and how strong it is, stand
in one integer, so that a sum of three is the whole objective, and everything stops where no sum can beat the best
so far. That takes milliseconds where trying every setting (171 million of 17 cards) takes minutes.

Nothing but the cards are known: a setting is worth its royalties, and staying in Fantasyland.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, pairwise
from operator import or_
from typing import Final, NamedTuple

from ofc.board import BOARD_SIZE, Board, Placement, Row
from ofc.cards import Card, Rank, Suit, format_cards
from ofc.errors import CardError, Fault
from ofc.evaluation import STRENGTHS, Strength, category_of, evaluate_five, evaluate_ranks
from ofc.rules import MAX_FANTASYLAND, RuleSet
from ofc.scoring import Points, board_royalties, does_stay, row_royalty

_NO_BONUS: Final = Points(0)
_MASK_BITS: Final = MAX_FANTASYLAND
_MASK: Final = (1 << _MASK_BITS) - 1
_STRENGTH_BITS: Final = 13
_WORTH_SHIFT: Final = 3 * _STRENGTH_BITS
_TIE_SHIFTS: Final = {Row.BOTTOM: 2 * _STRENGTH_BITS, Row.MIDDLE: _STRENGTH_BITS, Row.TOP: 0}


@dataclass(frozen=True, slots=True)
class FantasylandSetting:
    """A complete board that does not foul, with what is left over in dealt order.

    `royalties` are the board's; `stays` says whether it stays in Fantasyland (R-FL-4).
    """

    board: Board
    discards: tuple[Card, ...]
    royalties: Points
    stays: bool

    @property
    def placements(self) -> tuple[Placement, ...]:
        """The board as placements, bottom first."""
        return tuple(Placement(card, row) for row in (Row.BOTTOM, Row.MIDDLE, Row.TOP) for card in self.board.row(row))


def set_fantasyland(cards: Sequence[Card], rules: RuleSet, *, stay_bonus: Points = _NO_BONUS) -> FantasylandSetting:
    """Return the setting of 13 to 17 cards with the most royalties plus `stay_bonus` (0 or more) for staying.

    Never fouls. Of equally good ones the strongest bottom, then middle, then top, so that rows are won too; the
    answer does not depend on the order of `cards`, but for suits that make no difference. `CardError` if the
    cards are too few, too many, or there twice.

    >>> from ofc.cards import parse_cards
    >>> from ofc.rulesets import get_rules
    >>> cards = parse_cards("Js 2c Td 3c 2s 2h 5c 5s Jh 2d 9d 7c 9c Jd Kd")
    >>> setting = set_fantasyland(cards, get_rules("ultimate"), stay_bonus=Points(10))
    >>> str(setting.board), setting.royalties, setting.stays
    ('Td 9d 9c / Js Jh Jd 5s 5c / Kd 2s 2h 2d 2c', 26, True)
    """
    if len(set(cards)) != len(cards) or not BOARD_SIZE <= len(cards) <= MAX_FANTASYLAND:
        message = f"a Fantasyland is {BOARD_SIZE} to {MAX_FANTASYLAND} different cards"
        raise CardError(Fault("fantasyland-count", message, text=format_cards(cards)))
    held = sorted(cards, reverse=True)
    masks = _search(held, _worth_of(rules, stay_bonus), strict=rules.strict_order)
    board = Board(*(tuple(card for place, card in enumerate(held) if mask >> place & 1) for mask in masks))
    placed = set(board.cards)
    strengths = board.strengths()
    return FantasylandSetting(
        board=board,
        discards=tuple(card for card in cards if card not in placed),
        royalties=board_royalties(strengths, rules).total,
        stays=does_stay(strengths, rules),
    )


class _RowWorth(NamedTuple):
    """What a row is worth, by strength; `by_rank` lists the strengths by value, least first.

    `value` holds worth and strength in one integer, so no two strengths have the same. `rank_bits` is a strength's
    place in `by_rank`, left of the bits for a card mask.
    """

    value: list[int]
    stays: list[bool]
    rank_bits: list[int]
    by_rank: list[Strength]


class _Worth(NamedTuple):
    """The worth of all rows under some rules. `is_monotone`: in every row a stronger hand is worth no less."""

    top: _RowWorth
    middle: _RowWorth
    bottom: _RowWorth
    bonus: int
    is_monotone: bool


@lru_cache(maxsize=64)
def _worth_of(rules: RuleSet, stay_bonus: int) -> _Worth:
    if stay_bonus < 0:
        raise ValueError("staying in Fantasyland is worth 0 points or more")
    tops, fives = _own_classes()
    rows = {}
    is_monotone = True
    for row, own, least in (
        (Row.TOP, tops, rules.stay_top),
        (Row.MIDDLE, fives, rules.stay_middle),
        (Row.BOTTOM, fives, rules.stay_bottom),
    ):
        stays = [least is not None and category_of(Strength(strength)) >= least for strength in STRENGTHS]
        worth = [row_royalty(row, Strength(s), rules) + stay_bonus * stays[s] for s in STRENGTHS]
        value = [(worth[s] << _WORTH_SHIFT) + (s << _TIE_SHIFTS[row]) for s in STRENGTHS]
        by_rank = [Strength(s) for s in STRENGTHS]
        # A row's own classes alone: the worth of five cards in the top means nothing.
        if any(worth[a] > worth[b] for a, b in pairwise(own)):
            is_monotone = False
            by_rank.sort(key=value.__getitem__)
        rank_bits = [0] * len(STRENGTHS)
        for place, strength in enumerate(by_rank):
            rank_bits[strength] = place << _MASK_BITS
        rows[row] = _RowWorth(value, stays, rank_bits, by_rank)
    return _Worth(rows[Row.TOP], rows[Row.MIDDLE], rows[Row.BOTTOM], stay_bonus << _WORTH_SHIFT, is_monotone)


@lru_cache(maxsize=1)
def _own_classes() -> tuple[list[Strength], list[Strength]]:
    """Return the strengths that three cards can have, and those that five can, weakest first."""
    three = {evaluate_ranks(ranks, suited=False) for ranks in combinations_with_replacement(Rank, 3)}
    return sorted(three), sorted(set(map(Strength, STRENGTHS)) - three)


@lru_cache(maxsize=2)
def _strengths_by_ranks(size: int) -> dict[int, Strength]:
    """Return the strength of each multiset of ranks, not suited, by the sum of their `_RANK_WEIGHT`s."""
    return {
        sum(_RANK_WEIGHT[rank] for rank in ranks): evaluate_ranks(ranks, suited=False)
        for ranks in combinations_with_replacement(Rank, size)
        if size == 3 or ranks[0] != ranks[4]
    }


_RANK_WEIGHT: Final = {rank: 1 << 3 * (rank - 2) for rank in Rank}


@lru_cache(maxsize=16)
def _masks(count: int, size: int) -> tuple[list[int], dict[int, int]]:
    """Return every choice of `size` out of `count` cards as a mask, in `combinations`' order, and where each is."""
    masks = [sum(choice) for choice in combinations([1 << place for place in range(count)], size)]
    return masks, {mask: place for place, mask in enumerate(masks)}


def _strengths(held: Sequence[Card], size: int) -> list[Strength]:
    """Return the strength of every choice of `size` cards, in `combinations`' order."""
    weights = [_RANK_WEIGHT[card.rank] for card in held]
    strengths = list(map(_strengths_by_ranks(size).__getitem__, map(sum, combinations(weights, size))))
    if size == 5:
        place_of = _masks(len(held), size)[1]
        for suit in Suit:
            places = [place for place, card in enumerate(held) if card.suit is suit]
            for choice in combinations(places, 5):
                mask = sum(1 << place for place in choice)
                strengths[place_of[mask]] = evaluate_five([held[place] for place in choice])
    return strengths


def _ranked(strengths: Sequence[Strength], masks: Sequence[int], worth: _RowWorth) -> list[int]:
    """Return the rows as integers of rank and card mask, most valuable first."""
    rows = list(map(or_, map(worth.rank_bits.__getitem__, strengths), masks))
    rows.sort(reverse=True)
    return rows


def _search(held: Sequence[Card], worth: _Worth, *, strict: bool) -> tuple[int, int, int]:
    """Return the card masks of the best top, middle and bottom."""
    count = len(held)
    fives = _strengths(held, 5)
    bottoms = _ranked(fives, _masks(count, 5)[0], worth.bottom)
    middles = bottoms if worth.is_monotone else _ranked(fives, _masks(count, 5)[0], worth.middle)
    tops = _ranked(_strengths(held, 3), _masks(count, 3)[0], worth.top)
    top_value = [worth.top.value[worth.top.by_rank[top >> _MASK_BITS]] for top in tops]
    top_strength = [worth.top.by_rank[top >> _MASK_BITS] for top in tops]
    best_bottom = worth.bottom.value[worth.bottom.by_rank[bottoms[0] >> _MASK_BITS]]
    finder = _Finder(worth, bottoms, tops, top_value, top_strength, strict=strict)
    best_rest = None if worth.is_monotone else _best_beside(fives, top_strength, worth)
    first = 0
    for middle in middles:
        strength = worth.middle.by_rank[middle >> _MASK_BITS]
        if worth.is_monotone:
            # Middles get weaker from here on, so a top too strong for this one is too strong for all.
            while top_strength[first] > strength:
                first += 1
        value = worth.middle.value[strength]
        if value + top_value[first] + best_bottom <= finder.best:
            break
        if best_rest is None or value + best_rest[strength] > finder.best:
            finder.try_middle(middle & _MASK, strength, first)
    return finder.found


def _best_beside(fives: Sequence[Strength], tops: Sequence[Strength], worth: _Worth) -> dict[Strength, int]:
    """Return, for a middle of each strength, what the best bottom and top in order with it are worth together.

    Cards shared are not considered, so it is a bound.
    """
    weakest_first = sorted(set(fives))
    best_below: dict[Strength, int] = {}
    best = 0
    for strength in reversed(weakest_first):
        best = best_below[strength] = max(best, worth.bottom.value[strength])
    best = 0
    rising = sorted(set(tops), reverse=True)
    for strength in weakest_first:
        while rising and rising[-1] <= strength:
            best = max(best, worth.top.value[rising.pop()])
        best_below[strength] += best
    return best_below


class _Finder:
    """The best setting so far, and how to look for a better one around a middle."""

    def __init__(
        self,
        worth: _Worth,
        bottoms: list[int],
        tops: list[int],
        top_value: list[int],
        top_strength: list[Strength],
        *,
        strict: bool,
    ) -> None:
        self.best = -1
        self.found = (0, 0, 0)
        self._worth = worth
        self._bottoms = bottoms
        self._tops = tops
        self._top_value = top_value
        self._top_strength = top_strength
        self._strict = strict

    def try_middle(self, middle: int, strength: Strength, first: int) -> None:
        """Try every bottom and top with this middle that might beat the best; no top before `first` fits."""
        worth, tops, top_value, top_strength = self._worth, self._tops, self._top_value, self._top_strength
        for place in range(first, len(tops)):
            if not tops[place] & middle and top_strength[place] <= strength:
                break
        else:
            return
        first = place
        base = worth.middle.value[strength]
        bound = base + top_value[first]
        least = strength + self._strict
        value, by_rank = worth.bottom.value, worth.bottom.by_rank
        for bottom in self._bottoms:
            if bottom & middle:
                continue
            bottom_strength = by_rank[bottom >> _MASK_BITS]
            if bound + value[bottom_strength] <= self.best:
                return
            if bottom_strength < least:
                if worth.is_monotone:
                    return
                continue
            taken = middle | bottom & _MASK
            top = self._find_top(taken, base + value[bottom_strength], strength, bottom_strength, first)
            if top:
                self.found = (top, middle, bottom & _MASK)

    def _find_top(self, taken: int, base: int, middle: Strength, bottom: Strength, first: int) -> int:
        """Return the mask of the best top beside these two rows if it beats the best so far, else 0.

        Staying counts once: where several rows earn it, `base` and the tops' values promise too much, and a top
        further down may do better.
        """
        worth = self._worth
        earned = worth.middle.stays[middle] + worth.bottom.stays[bottom]
        found = 0
        for place in range(first, len(self._tops)):
            total = base + self._top_value[place]
            if total <= self.best:
                break
            if self._tops[place] & taken or self._top_strength[place] > middle:
                continue
            times = earned + worth.top.stays[self._top_strength[place]]
            if times > 1:
                total -= (times - 1) * worth.bonus
            if total > self.best:
                self.best = total
                found = self._tops[place] & _MASK
            if times <= 1:
                break
        return found
