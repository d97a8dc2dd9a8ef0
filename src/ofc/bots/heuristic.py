"""A bot that weighs what each row may become: sensible boards, without compiled code."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from ofc.board import ROWS, Placement
from ofc.bots.bot import Situation, read_situation
from ofc.bots.fantasyland import house_setting
from ofc.bots.last_street import MAX_PLACED, LastStreet, Rows
from ofc.bots.promise import Promise
from ofc.bots.worth import Taste, worth_of
from ofc.cards import Card
from ofc.evaluation import evaluate_five, evaluate_three
from ofc.prospects import is_foul_certain
from ofc.rules import RuleSet
from ofc.view import View

Judge = Callable[[Rows], float]
"""Says how many points a board promises; the points of a foul at least."""

_DEFAULT_TASTE: Final = Taste()
_WITNESSES: Final = 40
"""How many completions are drawn to find one that does not foul, before all are gone through."""


class HeuristicBot:
    """Places where the rows' chances, taken together, promise most; sets Fantasyland exactly.

    Sees its own cards and every card open on the table. Never makes a foul certain where another placement does not.
    """

    def __init__(self, taste: Taste = _DEFAULT_TASTE) -> None:
        self._taste = taste

    def place(self, view: View, rules: RuleSet, generator: random.Random) -> tuple[Placement, ...]:
        """Return the placement that promises most; `generator` draws the last street's cards that it tries."""
        situation = read_situation(view)
        if situation.fantasyland:
            return house_setting(situation.cards, rules)
        return self.choose(situation, rules, generator)

    def choose(self, situation: Situation, rules: RuleSet, generator: random.Random) -> tuple[Placement, ...]:
        """Return the placement for a regular street."""
        boards: Sequence[Rows] = _boards_after(situation)
        judge = _judge_for(situation, rules, self._taste, generator)
        if isinstance(judge, Promise):
            boards = judge.shortlist(boards)
        ranked = sorted(range(len(boards)), key=lambda number: judge(boards[number]), reverse=True)
        strict = rules.strict_order
        best = next((n for n in ranked if not _is_lost(boards[n], situation, generator, strict=strict)), ranked[0])
        return _placements(situation, boards[best])


def _boards_after(situation: Situation) -> list[Rows]:
    """Return every board that the placements lead to."""
    board = situation.board
    free = (board.free(ROWS[0]), board.free(ROWS[1]), board.free(ROWS[2]))
    subsets: list[tuple[Card, ...]] = [()]
    for card in situation.cards:
        subsets += [(*subset, card) for subset in subsets]
    tops = [board.top + subset for subset in subsets]
    middles = [board.middle + subset for subset in subsets]
    bottoms = [board.bottom + subset for subset in subsets]
    ways = _ways(len(situation.cards), situation.to_place, free)
    return [(tops[top], middles[middle], bottoms[bottom]) for top, middle, bottom in ways]


@lru_cache(maxsize=512)
def _ways(dealt: int, placed: int, free: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Return every way to place `placed` of `dealt` cards, as masks of the cards that go to top, middle, bottom."""
    ways = []
    for rows in product((2, 1, 0, None), repeat=dealt):
        if rows.count(None) == dealt - placed and all(rows.count(row) <= free[row] for row in range(3)):
            top, middle, bottom = (
                sum(1 << card for card, row in enumerate(rows) if row == number) for number in range(3)
            )
            ways.append((top, middle, bottom))
    return ways


def _placements(situation: Situation, rows: Rows) -> tuple[Placement, ...]:
    return tuple(
        Placement(card, row)
        for row, cards in zip(reversed(ROWS), reversed(rows), strict=True)
        for card in cards[len(situation.board.row(row)) :]
    )


def _judge_for(situation: Situation, rules: RuleSet, taste: Taste, generator: random.Random) -> Judge:
    worth = worth_of(rules, taste)
    rest = rules.streets[situation.street :]
    if not rest:
        return lambda rows: worth.of(evaluate_three(rows[0]), evaluate_five(rows[1]), evaluate_five(rows[2]))
    if len(rest) == 1 and rest[0].placed <= MAX_PLACED:
        return LastStreet(situation.unseen, rest[0], worth, generator)
    return Promise(situation.unseen, sum(street.dealt for street in rest), worth, taste)


def _is_lost(rows: Rows, situation: Situation, generator: random.Random, *, strict: bool) -> bool:
    """Whether the board is certain to foul. One completion that does not is proof enough, and mostly quickly found."""
    unseen = situation.unseen
    free = [row.size - len(cards) for row, cards in zip(ROWS, rows, strict=True)]
    first, second = free[0], free[0] + free[1]
    missing = second + free[2]
    for attempt in range(_WITNESSES):
        drawn = generator.sample(unseen, missing) if attempt else _greedy_completion(rows, free, unseen)
        top = evaluate_three((*rows[0], *drawn[:first]))
        middle = evaluate_five((*rows[1], *drawn[first:second]))
        bottom = evaluate_five((*rows[2], *drawn[second:]))
        if top <= middle and middle + strict <= bottom:
            return False
        if not missing:
            return True
    board = situation.board.with_placed(_placements(situation, rows))
    return is_foul_certain(board, unseen, strict=strict)


def _greedy_completion(rows: Rows, free: Sequence[int], unseen: Sequence[Card]) -> list[Card]:
    """Return cards for the free places of top, middle, bottom: the bottom and then the middle match what they hold."""
    left = list(unseen)
    added: dict[int, list[Card]] = {0: [], 1: [], 2: []}
    for number in (2, 1):
        held = [card.rank for card in rows[number]]
        suits = {card.suit for card in rows[number]}
        for _ in range(free[number]):
            if len(suits) == 1 and free[number] <= 2:
                card = max(left, key=lambda card: (card.suit in suits, card))
            else:
                card = max(left, key=lambda card: (held.count(card.rank), card))
            held.append(card.rank)
            left.remove(card)
            added[number].append(card)
    tops = {card.rank for card in rows[0]}
    left.sort(key=lambda card: (card.rank in tops, card))
    added[0] = left[: free[0]]
    return added[0] + added[1] + added[2]
