"""A finished hand with the names of its players, its result, and the result in plain values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NotRequired, TypedDict

from ofc.board import Board
from ofc.evaluation import Strength, describe
from ofc.rules import RuleSet
from ofc.scoring import (
    Chips,
    ChipSettlement,
    PairScore,
    RowPoints,
    Seat,
    Settlement,
    Transfer,
    settle,
    settle_chips,
)


@dataclass(frozen=True, slots=True)
class Money:
    """The price of a point, over 0, and the stacks before the hand by seat, 0 or more."""

    price: Chips
    stacks: tuple[Chips, ...]


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """All that the result of a hand depends on, by seat. `names` differ.

    `fantasyland` is the number of cards each seat held in Fantasyland in this hand, 0 for a regular hand.
    """

    rules: RuleSet
    names: tuple[str, ...]
    boards: tuple[Board, ...]
    fantasyland: tuple[int, ...]
    button: Seat
    money: Money | None = None


@dataclass(frozen=True, slots=True)
class ScoredHand:
    """A finished hand and its result; `chips` where there is money."""

    hand: FinishedHand
    settlement: Settlement
    chips: ChipSettlement | None


class RowValues(TypedDict):
    """A number for each row."""

    top: int
    middle: int
    bottom: int


class RoyaltyValues(RowValues):
    """The royalties of each row, and of all."""

    total: int


class RowWords(TypedDict):
    """Each row's hand in words."""

    top: str
    middle: str
    bottom: str


class PlayerAnswer(TypedDict):
    """One player's result.

    Only where there are stacks: `chips`, the net change, and `stack`, the stack after.
    """

    name: str
    fouled: bool
    hands: RowWords
    royalties: RoyaltyValues
    points: int
    fantasyland_next: int
    chips: NotRequired[int]
    stack: NotRequired[int]


class PairAnswer(TypedDict):
    """One pair's result, every number seen from `a`.

    `chips` and `capped_by` are None where there are no stacks.
    """

    a: str
    b: str
    rows: RowValues
    scoop: int
    royalties: int
    points: int
    chips: int | None
    capped_by: str | None


class Answer(TypedDict):
    """A hand's result in plain values: players in seat order, pairs in settlement order."""

    rules: str
    players: list[PlayerAnswer]
    pairs: list[PairAnswer]


def score_hand(hand: FinishedHand) -> ScoredHand:
    """Settle a hand, and pay it where there is money. `ScoringError` if its parts do not fit together."""
    settlement = settle(hand.boards, hand.rules, fantasyland=hand.fantasyland, button=hand.button)
    if hand.money is None:
        return ScoredHand(hand, settlement, None)
    return ScoredHand(hand, settlement, settle_chips(settlement, stacks=hand.money.stacks, price=hand.money.price))


def answer(scored: ScoredHand) -> Answer:
    """Return a result in plain values, as JSON has them (docs/score.md)."""
    names = scored.hand.names
    transfers = scored.chips.transfers if scored.chips else (None,) * len(scored.settlement.pairs)
    return {
        "rules": scored.hand.rules.name,
        "players": [_player(scored, Seat(seat)) for seat in range(len(names))],
        "pairs": [
            _pair(names, pair, transfer) for pair, transfer in zip(scored.settlement.pairs, transfers, strict=True)
        ],
    }


@cache
def words(strength: Strength) -> str:
    """Say a full row in words, with a capital: "Pair of queens"."""
    text = describe(strength)
    return text[0].upper() + text[1:]


def _player(scored: ScoredHand, seat: Seat) -> PlayerAnswer:
    hand, score = scored.hand, scored.settlement.players[seat]
    top, middle, bottom = hand.boards[seat].strengths()
    player: PlayerAnswer = {
        "name": hand.names[seat],
        "fouled": score.fouled,
        "hands": {"top": words(top), "middle": words(middle), "bottom": words(bottom)},
        "royalties": {**_rows(score.royalties), "total": score.royalties.total},
        "points": score.points,
        "fantasyland_next": score.fantasyland_next,
    }
    if hand.money is not None and scored.chips is not None:
        player["chips"] = scored.chips.stacks[seat] - hand.money.stacks[seat]
        player["stack"] = scored.chips.stacks[seat]
    return player


def _pair(names: tuple[str, ...], pair: PairScore, transfer: Transfer | None) -> PairAnswer:
    return {
        "a": names[pair.a],
        "b": names[pair.b],
        "rows": _rows(pair.rows),
        "scoop": pair.scoop,
        "royalties": pair.royalties,
        "points": pair.points,
        "chips": None if transfer is None else transfer.chips,
        "capped_by": None if transfer is None or transfer.capped_by is None else str(transfer.capped_by),
    }


def _rows(points: RowPoints) -> RowValues:
    return {"top": points.top, "middle": points.middle, "bottom": points.bottom}
