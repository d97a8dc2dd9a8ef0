"""What can still become of unfinished rows: whether a foul is certain, and whether rows lie out of order.

Judged only from cards that a player may see: `unseen` are all the others, any of which may still come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
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

    `rows` limits the question to two neighbouring rows. Exact; costs microseconds for most boards, milliseconds
    where two rows are nearly empty.

    >>> from ofc.cards import DECK
    >>> board = Board.parse("Kh Kd 4s / Qc Qd 9s 7h 2c / -")
    >>> is_foul_certain(board, set(DECK) - set(board.cards), strict=False)
    True
    """
    if not board.placed:
        return False
    available = Counter(card.rank for card in unseen)
    by_suit = {suit: {card.rank for card in unseen if card.suit == suit} for suit in Suit}
    order = [row for row in ROWS if row in rows]
    cards = [board.row(row) for row in order]
    # Most boards can be saved by pairs and better alone, and those are few.
    for few in (True, False):
        completions = [_completions(board.row(row), row.size, available, by_suit, few=few) for row in order]
        if all(completions) and _can_order(cards, completions, set(unseen), strict=strict):
            return False
    return True


def _completions(
    cards: Sequence[Card], size: int, available: Counter[Rank], by_suit: dict[Suit, set[Rank]], *, few: bool
) -> list[_Completion]:
    """Return every different way to fill a row, weakest first; with `few` only those that add two ranks at most."""
    free = size - len(cards)
    if free == 0:
        return [_Completion(evaluate(cards), (), None)]
    held = [card.rank for card in cards]
    found = [
        _Completion(evaluate_ranks([*held, *ranks], suited=False), ranks, None)
        for ranks in (_of_two_ranks if few else combinations_with_replacement)(sorted(available), free)
        if all(ranks.count(rank) <= available[rank] for rank in set(ranks))
    ]
    if size == 5 and not few:
        for suit in {card.suit for card in cards} or set(Suit):
            if all(card.suit == suit for card in cards):
                found += [
                    _Completion(evaluate_ranks([*held, *ranks], suited=True), ranks, suit)
                    for ranks in combinations(sorted(by_suit[suit]), free)
                ]
    found.sort(key=lambda completion: completion.strength)
    return found


def _of_two_ranks(ranks: Sequence[Rank], count: int) -> Iterator[tuple[Rank, ...]]:
    """Yield every way to take `count` cards of one or of two ranks."""
    for rank in ranks:
        yield (rank,) * count
    for low, high in combinations(ranks, 2):
        for number in range(1, count):
            yield (low,) * number + (high,) * (count - number)


def _can_order(
    held: Sequence[Sequence[Card]], completions: Sequence[list[_Completion]], unseen: set[Card], *, strict: bool
) -> bool:
    """Whether some choice, one completion a row, is in order and can be made from the cards there are.

    Goes upward, the lowest row strongest first and the others weakest first, so that the easy case is found at once.
    """
    last = len(held) - 1

    def fits(strength: Strength, limit: Strength) -> bool:
        return strength < limit if strict else strength <= limit

    def search(place: int, ceiling: Strength, chosen: tuple[tuple[Sequence[Card], _Completion], ...]) -> bool:
        if place < 0:
            return True
        # No row need be weaker than the weakest that the row above it can be.
        floor = completions[place - 1][0].strength if place else Strength(-1)
        for completion in completions[place] if place < last else reversed(completions[place]):
            if fits(completion.strength, ceiling) and fits(floor, completion.strength):
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
