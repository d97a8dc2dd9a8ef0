"""Slow and obvious twins of the domain's functions, written from the rules and not from the code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from ofc.cards import Card
from ofc.rules import RuleSet
from ofc.scoring import PairScore

NAMES = (
    "high-card pair two-pair trips straight flush full-house quads straight-flush royal-flush".split()  # noqa: SIM905  # reads better
)
RANKS = "23456789TJQKA"
_STRAIGHTS = ["A2345", *(RANKS[low : low + 5] for low in range(9))]


def hand_name(cards: Sequence[Card]) -> str:
    """Name a full row's type, by counting and by looking straights up in a list."""
    ranks = [str(card)[0] for card in cards]
    suits = {str(card)[1] for card in cards}
    same = " ".join(sorted(str(ranks.count(rank)) for rank in ranks))
    if len(cards) == 3:
        return {"1 1 1": "high-card", "1 2 2": "pair", "3 3 3": "trips"}[same]
    is_straight = any(set(ranks) == set(straight) for straight in _STRAIGHTS)
    if is_straight and len(suits) == 1:
        return "royal-flush" if set(ranks) == set("TJQKA") else "straight-flush"
    if len(suits) == 1:
        return "flush"
    if is_straight:
        return "straight"
    return {
        "1 4 4 4 4": "quads",
        "2 2 3 3 3": "full-house",
        "1 1 3 3 3": "trips",
        "1 2 2 2 2": "two-pair",
        "1 1 1 2 2": "pair",
        "1 1 1 1 1": "high-card",
    }[same]


def compare(first: Sequence[Card], second: Sequence[Card]) -> int:
    """Compare two full rows: 1, 0 or -1 for the first (R-RANK-1 to R-RANK-5)."""
    a, b = _order(first), _order(second)
    for x, y in zip(a, b, strict=False):
        if x != y:
            return 1 if x > y else -1
    return (len(a) > len(b)) - (len(a) < len(b))


def _order(cards: Sequence[Card]) -> list[int]:
    name = hand_name(cards)
    numbers = [RANKS.index(str(card)[0]) + 2 for card in cards]
    if name in ("straight", "straight-flush") and set(numbers) == {14, 2, 3, 4, 5}:
        numbers = [1 if number == 14 else number for number in numbers]
    # Cards of a rank held more often come first; among these the higher rank.
    counted = sorted(numbers, key=lambda number: (-numbers.count(number), -number))
    return [NAMES.index("straight-flush" if name == "royal-flush" else name), *counted]


def is_fouled(rows: Sequence[Sequence[Card]], rules: RuleSet) -> bool:
    top, middle, bottom = rows
    allowed = (1,) if rules.strict_order else (0, 1)
    return compare(bottom, middle) not in allowed or compare(middle, top) not in allowed


def royalty(place: int, row: Sequence[Card], rules: RuleSet) -> int:
    """Return a row's royalty; `place` 0 is the top."""
    name = hand_name(row)
    if place:
        return (rules.middle_royalties, rules.bottom_royalties)[place - 1][NAMES.index(name)]
    ranks = [str(card)[0] for card in row]
    most = max(ranks, key=ranks.count)
    table = {"pair": rules.top_pair_royalties, "trips": rules.top_trips_royalties}.get(name)
    return 0 if table is None else table[RANKS.index(most)]


def points(hands: Sequence[Sequence[Sequence[Card]]], rules: RuleSet) -> list[int]:
    """Return every seat's points from the rows of all seats."""
    totals = [0] * len(hands)
    for a, b in combinations(range(len(hands)), 2):
        won = pair_points(hands[a], hands[b], rules)
        totals[a] += won
        totals[b] -= won
    return totals


def pair_points(a: Sequence[Sequence[Card]], b: Sequence[Sequence[Card]], rules: RuleSet) -> int:
    a_fouled, b_fouled = is_fouled(a, rules), is_fouled(b, rules)
    own = sum(royalty(place, row, rules) for place, row in enumerate(a))
    theirs = sum(royalty(place, row, rules) for place, row in enumerate(b))
    if a_fouled and b_fouled:
        return 0
    if a_fouled:
        return -3 - rules.scoop - theirs
    if b_fouled:
        return 3 + rules.scoop + own
    rows = [compare(x, y) for x, y in zip(a, b, strict=True)]
    bonus = rules.scoop if rows == [1, 1, 1] else -rules.scoop if rows == [-1, -1, -1] else 0
    return sum(rows) + bonus + own - theirs


def pay(
    pairs: Sequence[PairScore], button: int, stacks: Sequence[int], price: int, *, button_first: bool
) -> tuple[list[int], list[tuple[int, int, int]]]:
    """Pay chip by chip; return the stacks after, and (winner, loser, chips paid) in the order of paying."""
    seats = len(stacks)
    left_of = {seat: (seat - button) % seats or seats for seat in range(seats)}
    if button_first:
        left_of[button] = 0

    def turn(pair: PairScore) -> tuple[int, ...]:
        return tuple(sorted((left_of[pair.a], left_of[pair.b])))

    now, paid = list(stacks), []
    for pair in sorted(pairs, key=turn):
        winner, loser = (pair.a, pair.b) if pair.points > 0 else (pair.b, pair.a)
        due, had, chips = abs(pair.points) * price, now[winner], 0
        while chips < due and chips < had and now[loser] > 0:
            now[loser] -= 1
            now[winner] += 1
            chips += 1
        paid.append((int(winner), int(loser), chips))
    return now, paid


def all_orders(count: int) -> list[tuple[int, ...]]:
    """Return every order of so many seats."""
    return list(permutations(range(count)))
