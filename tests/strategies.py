"""Hypothesis strategies for the domain's values: cards, boards, rule sets, finished hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from ofc.board import Board
from ofc.cards import DECK, RANK_LETTERS, Card
from ofc.evaluation import Category
from ofc.rules import (
    ButtonRule,
    FantasylandTurn,
    LoneFantasyland,
    RuleSet,
    SettlementOrder,
    StayCards,
    Street,
)
from ofc.rulesets import BUILT_IN
from ofc.scoring import Chips, Seat

cards = st.sampled_from(DECK)
seats_counts = st.integers(2, 4)


def card_lists(count: int) -> st.SearchStrategy[list[Card]]:
    """Return `count` different cards in any order."""
    return st.lists(cards, min_size=count, max_size=count, unique=True)


@st.composite
def boards_together(draw: st.DrawFn, count: int) -> tuple[Board, ...]:
    """Return `count` complete boards with no card in common, some of them well arranged, some fouled."""
    deck = draw(card_lists(13 * count))
    return tuple(_arranged(draw, deck[13 * seat : 13 * seat + 13]) for seat in range(count))


complete_boards = boards_together(1).map(lambda boards: boards[0])


@st.composite
def partial_boards(draw: st.DrawFn) -> Board:
    """Return a board with any number of cards in each row, 0 to full."""
    board = draw(complete_boards)
    keep = draw(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 5)))
    return Board(board.top[: keep[0]], board.middle[: keep[1]], board.bottom[: keep[2]])


def _arranged(draw: st.DrawFn, hand: list[Card]) -> Board:
    """Put 13 cards into rows: as they came, or so that cards of one rank, or of one suit, lie together."""
    match draw(st.sampled_from(["as they came", "by rank", "by suit"])):
        case "by rank":
            of_rank = Counter(card.rank for card in hand)
            hand = sorted(hand, key=lambda card: (of_rank[card.rank], card.rank, card), reverse=True)
        case "by suit":
            hand = sorted(hand, key=lambda card: (card.suit, card.rank))
        case _:
            pass
    return Board(bottom=tuple(hand[:5]), middle=tuple(hand[5:10]), top=tuple(hand[10:]))


built_in_rules = st.sampled_from(BUILT_IN)

_points = st.integers(0, 40)
_entries = st.sampled_from([0, 13, 14, 15, 16, 17])
_ids = st.from_regex(r"own(-[a-z0-9]{1,5}){0,2}", fullmatch=True)
_lines = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)


@st.composite
def own_rules(draw: st.DrawFn) -> RuleSet:
    """Return a possible rule set unlike any built-in one, with every field drawn."""
    min_seats = draw(st.integers(2, 3))
    streets = draw(st.sampled_from([_ULTIMATE_STREETS, _CLASSIC_STREETS, (Street(7, 6), Street(8, 7))]))
    fits = 52 // max(17, sum(street.dealt for street in streets))
    return replace(
        draw(built_in_rules),
        id=draw(_ids),
        version=draw(st.from_regex(r"[0-9][a-z0-9.-]{0,8}", fullmatch=True)),
        title=draw(_lines),
        summary=draw(_lines),
        min_seats=min_seats,
        max_seats=draw(st.integers(min_seats, fits)),
        streets=streets,
        reveals_discards=draw(st.booleans()),
        strict_order=draw(st.booleans()),
        scoop=draw(_points),
        top_pair_royalties=draw(_numbers(_points, len(RANK_LETTERS))),
        top_trips_royalties=draw(_numbers(_points, len(RANK_LETTERS))),
        middle_royalties=draw(_numbers(_points, len(Category))),
        bottom_royalties=draw(_numbers(_points, len(Category))),
        fantasyland_pairs=draw(_numbers(_entries, len(RANK_LETTERS))),
        fantasyland_trips=draw(_entries),
        fantasyland_turn=draw(st.sampled_from(FantasylandTurn)),
        stay_top=draw(st.sampled_from([None, Category.PAIR, Category.TRIPS])),
        stay_middle=draw(st.none() | st.sampled_from(Category)),
        stay_bottom=draw(st.none() | st.sampled_from(Category)),
        stay_cards=draw(st.sampled_from(StayCards)),
        button=draw(st.sampled_from(ButtonRule)),
        settlement_order=draw(st.sampled_from(SettlementOrder)),
        lone_fantasyland=draw(st.sampled_from(LoneFantasyland)),
    )


_ULTIMATE_STREETS = (Street(5, 5), *[Street(3, 2)] * 4)
_CLASSIC_STREETS = (Street(5, 5), *[Street(1, 1)] * 8)


def _numbers(number: st.SearchStrategy[int], count: int) -> st.SearchStrategy[Any]:
    """Return tuples of exactly `count` numbers: a length that no type here can say."""
    return st.lists(number, min_size=count, max_size=count).map(tuple)


any_rules = built_in_rules | own_rules()


def fantasyland_counts(rules: RuleSet) -> st.SearchStrategy[int]:
    """Return the number of cards a seat holds in Fantasyland under these rules; 0: a regular hand."""
    return st.sampled_from([0, *rules.fantasyland_counts])


@dataclass(frozen=True)
class Finished:
    """What `settle` and `settle_chips` take."""

    rules: RuleSet
    boards: tuple[Board, ...]
    fantasyland: tuple[int, ...]
    button: Seat
    stacks: tuple[Chips, ...]
    price: Chips


@st.composite
def finished_hands(draw: st.DrawFn, rules: st.SearchStrategy[RuleSet] = any_rules) -> Finished:
    """Return a finished hand under any rules, with stacks both short and deep."""
    chosen = draw(rules)
    count = draw(st.sampled_from(chosen.seats))
    stacks = draw(st.lists(st.integers(0, 300) | st.integers(0, 100_000), min_size=count, max_size=count))
    return Finished(
        chosen,
        draw(boards_together(count)),
        tuple(draw(fantasyland_counts(chosen)) for _ in range(count)),
        Seat(draw(st.integers(0, count - 1))),
        tuple(map(Chips, stacks)),
        Chips(draw(st.integers(1, 200))),
    )
