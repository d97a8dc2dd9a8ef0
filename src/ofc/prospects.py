"""What can still become of unfinished rows: whether a foul is certain, and whether rows lie out of order.

Judged only from cards that a player may see: `unseen` are all the others, any of which may still come.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from ofc.board import ROWS, Board, Row
from ofc.cards import Card, Rank, Suit
from ofc.evaluation import STRENGTHS, Category, Strength, category_of, describe_cards, evaluate, evaluate_ranks


class _Completion(NamedTuple):
    """A way to fill a row: its strength, the ranks added, and the suit if it must be that of a flush."""

    strength: Strength
    ranks: tuple[Rank, ...]
    suit: Suit | None


def is_foul_certain(board: Board, unseen: Collection[Card], *, strict: bool, rows: Sequence[Row] = ROWS) -> bool:
    """Whether no cards out of `unseen` can complete `board` without a foul (R-FOUL-1).

    `rows` limits the question to two neighbouring rows. Exact; costs microseconds for most boards.

    >>> from ofc.cards import DECK
    >>> board = Board.parse("Kh Kd 4s / Qc Qd 9s 7h 2c / -")
    >>> is_foul_certain(board, set(DECK) - set(board.cards), strict=False)
    True
    """
    order = [row for row in ROWS if row in rows]
    held = [board.row(row) for row in order]
    completions = [_completions(board.row(row), row.size) for row in order]
    return not _can_order(held, completions, set(unseen), strict=strict)


def _completions(cards: Sequence[Card], size: int) -> tuple[_Completion, ...]:
    """Return every different way to fill a row, weakest first, whether or not the cards for it are there."""
    if len(cards) == size:
        return (_Completion(evaluate(cards), (), None),)
    suits = {card.suit for card in cards} or set(Suit)
    can_flush = size == Row.BOTTOM.size and (not cards or len(suits) == 1)
    return _fillings(tuple(sorted(card.rank for card in cards)), size, tuple(sorted(suits)) if can_flush else ())


@lru_cache(maxsize=4096)
def _fillings(held: tuple[Rank, ...], size: int, suits: tuple[Suit, ...]) -> tuple[_Completion, ...]:
    """Return every way to fill a row that holds these ranks and may become a flush of these suits, weakest first."""
    free = size - len(held)
    found = [
        _Completion(evaluate_ranks([*held, *ranks], suited=False), ranks, None)
        for ranks in combinations_with_replacement(Rank, free)
        if max(map((held + ranks).count, ranks)) <= len(Suit)
    ]
    if len(set(held)) == len(held):
        found += [
            _Completion(evaluate_ranks([*held, *ranks], suited=True), ranks, suit)
            for suit in suits
            for ranks in combinations([rank for rank in Rank if rank not in held], free)
        ]
    return tuple(sorted(found, key=_strength_of))


def _strength_of(completion: _Completion) -> Strength:
    return completion.strength


def _can_order(
    held: Sequence[Sequence[Card]], completions: Sequence[Sequence[_Completion]], unseen: set[Card], *, strict: bool
) -> bool:
    """Whether some choice, one completion a row, is in order and can be made from the cards there are.

    Goes upward, the lowest row strongest first and the others weakest first, so that the easy case is found at once.
    """
    last = len(held) - 1
    # Up to here, and from here on, a strength fits under or over another.
    under, over = (bisect_left, bisect_right) if strict else (bisect_right, bisect_left)
    # No row need be weaker than the weakest that the row above it can be, nor stronger than the strongest below it.
    lows = [0, *(over(completions[n + 1], completions[n][0].strength, key=_strength_of) for n in range(last))]
    highs = [under(completions[n], completions[n + 1][-1].strength, key=_strength_of) for n in range(last)]
    if any(low >= high for low, high in zip(lows, [*highs, len(completions[last])], strict=True)):
        return False

    def search(place: int, ceiling: Strength, chosen: tuple[tuple[Sequence[Card], _Completion], ...]) -> bool:
        if place < 0:
            return True
        fitting = range(lows[place], under(completions[place], ceiling, key=_strength_of))
        for number in fitting if place < last else reversed(fitting):
            completion = completions[place][number]
            longer = (*chosen, (held[place], completion))
            if _are_there(longer, unseen) and search(place - 1, completion.strength, longer):
                return True
        return False

    return search(last, Strength(len(STRENGTHS)), ())


def _are_there(chosen: Sequence[tuple[Sequence[Card], _Completion]], unseen: set[Card]) -> bool:
    """Whether all these completions together can be made from the cards there are."""
    left = set(unseen)
    for _, completion in chosen:
        if completion.suit is not None:
            taken = {Card.of(rank, completion.suit) for rank in completion.ranks}
            if not taken <= left:
                return False
            left -= taken
    # Of a rank any card will do, but in a row that is not to become a flush by accident.
    mixed = [(row, completion) for row, completion in chosen if completion.suit is None]
    there = Counter(card.rank for card in left)
    there.subtract(rank for _, completion in mixed for rank in completion.ranks)
    if any(count < 0 for count in there.values()):
        return False
    return _are_mixed([(row, completion.ranks) for row, completion in mixed if _may_flush(row, completion)], left)


def _may_flush(held: Sequence[Card], completion: _Completion) -> bool:
    """Whether the cards added, all of one suit, would make a flush of what is to be none."""
    ranks = {card.rank for card in held} | set(completion.ranks)
    return len(ranks) == 5 and bool(completion.ranks) and len({card.suit for card in held}) <= 1


def _are_mixed(rows: Sequence[tuple[Sequence[Card], tuple[Rank, ...]]], left: set[Card]) -> bool:
    """Whether cards of these ranks can be added to each row so that none is of one suit."""
    if not rows:
        return True
    (held, ranks), *others = rows
    suits = [[suit for suit in Suit if Card.of(rank, suit) in left] for rank in ranks]
    return any(
        len({*(card.suit for card in held), *choice}) > 1
        and _are_mixed(others, left - {Card.of(rank, suit) for rank, suit in zip(ranks, choice, strict=True)})
        for choice in product(*suits)
    )


def _made(cards: Sequence[Card]) -> tuple[Category, tuple[Rank, ...]]:
    """Return the pairs and better that lie in a row now, comparable between rows; of a full row its type."""
    if len({card.rank for card in cards}) == 5:
        return category_of(evaluate(cards)), ()
    counts = sorted(((n, rank) for rank, n in Counter(card.rank for card in cards).items()), reverse=True)
    shape = tuple(n for n, _ in counts if n > 1)
    category = {
        (): Category.HIGH_CARD,
        (2,): Category.PAIR,
        (2, 2): Category.TWO_PAIR,
        (3,): Category.TRIPS,
        (3, 2): Category.FULL_HOUSE,
        (4,): Category.QUADS,
    }[shape]
    return category, tuple(rank for n, rank in counts if n > 1)


def is_above(upper: Sequence[Card], upper_size: int, lower: Sequence[Card], lower_size: int) -> bool:
    """Whether the upper row, as the cards lie now, beats the lower: out of order, though maybe still to be saved."""
    if len(upper) == upper_size and len(lower) == lower_size:
        return evaluate(upper) > evaluate(lower)
    if not lower:
        return False
    if len(lower) == lower_size and len(lower) == 5:
        full = evaluate(lower)
        category, ranks = _made(upper)
        if category is Category.HIGH_CARD:
            return False
        return full < _weakest_with(category, ranks)
    return _made(upper) > _made(lower)


def _weakest_with(category: Category, ranks: tuple[Rank, ...]) -> Strength:
    """Return the strength of three or five cards that hold these pairs, trips or quads and the lowest kickers."""
    cards = [rank for rank in ranks for _ in range(2)]
    if category is Category.TRIPS:
        cards.insert(0, ranks[0])
    elif category is Category.QUADS:
        cards += [ranks[0], ranks[0]]
    size = 3 if len(cards) <= 3 else 5
    kickers = (rank for rank in Rank if rank not in ranks)
    while len(cards) < size:
        cards.append(next(kickers))
    return evaluate_ranks(cards, suited=False)


def out_of_order_rows(board: Board) -> tuple[Row, ...]:
    """Return the rows that, as the cards lie now, are beaten by the row above them."""
    return tuple(
        lower
        for upper, lower in ((Row.TOP, Row.MIDDLE), (Row.MIDDLE, Row.BOTTOM))
        if is_above(board.row(upper), upper.size, board.row(lower), lower.size)
    )


def saving_words(upper: Sequence[Card], upper_size: int, lower: Sequence[Card], unseen: Iterable[Card]) -> str:
    """Say what a lower row of five that lies below the upper one needs: "Needs a heart", "Needs a king or a nine"."""
    beat = f"Needs to beat {describe_cards(upper, upper_size)}"
    if len(lower) != 4:
        return beat
    savers = [card for card in unseen if not is_above(upper, upper_size, [*lower, card], 5)]
    if not savers:
        return beat
    suits = {card.suit for card in savers}
    ranks = sorted({card.rank for card in savers}, reverse=True)
    if len(suits) == 1 and len(ranks) > 3:
        return f"Needs a {suits.pop().word.removesuffix('s')}"
    if len(ranks) <= 3:
        named = [f"{'an' if rank in (Rank.ACE, Rank.EIGHT) else 'a'} {rank.word}" for rank in ranks]
        return "Needs " + " or ".join(filter(None, [", ".join(named[:-1]), named[-1]]))
    return beat
