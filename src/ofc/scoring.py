"""Settling a finished hand: fouls, rows, scoops, royalties, Fantasyland, and points paid in chips.

`settle` takes complete boards in seat order and knows nothing of how they came about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Final, NewType

from ofc.board import BOARD_SIZE, ROWS, Board, Row, is_ordered, repeated_cards
from ofc.cards import format_cards
from ofc.errors import Fault, ScoringError, any_of
from ofc.evaluation import Category, Strength, category_of, leading_rank
from ofc.rules import RuleSet, SettlementOrder, StayCards

Seat = NewType("Seat", int)
"""A place at the table, from 0, clockwise."""
Points = NewType("Points", int)
Chips = NewType("Chips", int)


@dataclass(frozen=True, slots=True)
class RowPoints:
    """A number of points for each row."""

    top: Points
    middle: Points
    bottom: Points

    @property
    def total(self) -> Points:
        """The sum over the rows."""
        return Points(self.top + self.middle + self.bottom)

    def row(self, row: Row) -> Points:
        """Return one row's points."""
        if row is Row.TOP:
            return self.top
        return self.middle if row is Row.MIDDLE else self.bottom


NO_POINTS: Final = RowPoints(Points(0), Points(0), Points(0))


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One seat's result: `points` is the sum over its pairs; `royalties` are 0 when fouled (R-FOUL-2).

    `fantasyland_next` is the number of cards held in Fantasyland next hand, 0 for a regular hand.
    """

    fouled: bool
    royalties: RowPoints
    points: Points
    fantasyland_next: int


@dataclass(frozen=True, slots=True)
class PairScore:
    """One pair's result, every number seen from `a` (R-SCORE-1).

    `rows` are 1, 0 or -1 each; `royalties` are a's less b's.
    """

    a: Seat
    b: Seat
    rows: RowPoints
    scoop: Points
    royalties: Points

    @property
    def points(self) -> Points:
        """Rows, scoop and royalties together."""
        return Points(self.rows.total + self.scoop + self.royalties)


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled hand: a score for each seat, and for each pair in settlement order (R-CHIP-3)."""

    players: tuple[PlayerScore, ...]
    pairs: tuple[PairScore, ...]


class CappedBy(StrEnum):
    """Whose stack cut a transfer (R-CHIP-2); the loser's where both are equal."""

    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class Transfer:
    """Chips paid between `a` and `b` for `points`, all seen from `a` (negative: a pays)."""

    a: Seat
    b: Seat
    points: Points
    chips: Chips
    capped_by: CappedBy | None


@dataclass(frozen=True, slots=True)
class ChipSettlement:
    """Every transfer in order, and the stacks after them by seat."""

    transfers: tuple[Transfer, ...]
    stacks: tuple[Chips, ...]


def settle(
    boards: Sequence[Board],
    rules: RuleSet,
    *,
    fantasyland: Sequence[int] | None = None,
    button: Seat | None = None,
) -> Settlement:
    """Settle complete boards in seat order (R-SCORE, R-FOUL, R-ROYAL, R-FL).

    `fantasyland` holds the cards each seat held in Fantasyland in this hand, 0 for a regular hand (the
    default); `button`, by default the last seat, decides only the order of the pairs. `ScoringError` holds
    every fault: seats the rules do not play, boards not complete, a card on two boards, counts the rules do
    not deal.

    >>> from ofc.rulesets import get_rules
    >>> anna = Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
    >>> bo = Board.parse("Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c")
    >>> [player.points for player in settle([anna, bo], get_rules("pineapple")).players]
    [-4, 4]
    """
    held = tuple(fantasyland) if fantasyland is not None else (0,) * len(boards)
    dealer = Seat(len(boards) - 1) if button is None else button
    faults = settling_faults(boards, rules, fantasyland=held, button=dealer)
    if faults:
        raise ScoringError(*faults)
    strengths = [board.strengths() for board in boards]
    fouled = [not is_ordered(*strength, strict=rules.strict_order) for strength in strengths]
    royalties = [
        NO_POINTS if foul else board_royalties(strength, rules)
        for strength, foul in zip(strengths, fouled, strict=True)
    ]
    pairs = tuple(
        _settle_pair(a, b, strengths, fouled, royalties, rules)
        for a, b in settlement_pairs(len(boards), dealer, rules.settlement_order)
    )
    points = [0] * len(boards)
    for pair in pairs:
        points[pair.a] += pair.points
        points[pair.b] -= pair.points
    players = tuple(
        PlayerScore(
            fouled=fouled[seat],
            royalties=royalties[seat],
            points=Points(points[seat]),
            fantasyland_next=0 if fouled[seat] else fantasyland_next(strengths[seat], rules, held=held[seat]),
        )
        for seat in range(len(boards))
    )
    return Settlement(players, pairs)


def settling_faults(
    boards: Sequence[Board], rules: RuleSet, *, fantasyland: Sequence[int], button: Seat
) -> list[Fault]:
    """Return everything that keeps these boards from being settled together."""
    faults = players_faults(len(boards), rules)
    if not 0 <= button < len(boards):
        faults.append(Fault("button-unknown", f"no seat {button}", field="button", text=str(button)))
    if len(fantasyland) != len(boards):
        message = "one Fantasyland count for each board"
        text = str(list(fantasyland))
        faults.append(Fault("fantasyland-count", message, field="fantasyland", text=text))
    for seat, count in enumerate(fantasyland):
        for fault in fantasyland_faults(count, rules):
            faults.append(replace(fault, field=f"players[{seat}].fantasyland"))
    return faults + list(_board_faults(boards))


def players_faults(players: int, rules: RuleSet) -> list[Fault]:
    """Return a fault if the rules are not played by so many."""
    if players in rules.seats:
        return []
    seats = any_of(rules.seats)
    code = "players-too-many" if players > rules.max_seats else "players-too-few"
    message = f"{rules.id} is played by {seats}, not {players}"
    return [Fault(code, message, field="players", text=str(players))]


def fantasyland_faults(count: int, rules: RuleSet) -> list[Fault]:
    """Return a fault if a seat cannot have held so many cards in Fantasyland; 0 is a regular hand."""
    if count == 0 or count in rules.fantasyland_counts:
        return []
    dealt = any_of(rules.fantasyland_counts) or "no"
    message = f"{rules.id} deals {dealt} cards in Fantasyland, not {count}"
    return [Fault("fantasyland-count", message, field="fantasyland", text=str(count))]


def _board_faults(boards: Sequence[Board]) -> Iterator[Fault]:
    if len({card for board in boards for card in board.cards}) == BOARD_SIZE * len(boards):
        return
    rows = [((f"players[{seat}].{row}", row), board.row(row)) for seat, board in enumerate(boards) for row in ROWS]
    for (field, row), cards in rows:
        if len(cards) != row.size:
            message = f"the {row} takes {row.size} cards, here are {len(cards)}"
            yield Fault("row-count", message, field=field, row=row, text=format_cards(cards))
    for card, places in repeated_cards(rows).items():
        (field, row), also = places[1], ", ".join(place for place, _ in places[:1] + places[2:])
        yield Fault("card-twice", f"{card} is on other boards too: {also}", field=field, row=row, text=str(card))


def board_royalties(strengths: tuple[Strength, Strength, Strength], rules: RuleSet) -> RowPoints:
    """Return each row's royalty, top, middle, bottom; a foul is not considered (R-ROYAL-1 to R-ROYAL-3)."""
    top, middle, bottom = strengths
    return RowPoints(
        row_royalty(Row.TOP, top, rules),
        row_royalty(Row.MIDDLE, middle, rules),
        row_royalty(Row.BOTTOM, bottom, rules),
    )


def row_royalty(row: Row, strength: Strength, rules: RuleSet) -> Points:
    """Return the royalty of a full row in its place, never negative (R-ROYAL-1 to R-ROYAL-3)."""
    category = category_of(strength)
    if row is Row.BOTTOM:
        return Points(rules.bottom_royalties[category])
    if row is Row.MIDDLE:
        return Points(rules.middle_royalties[category])
    if category is Category.PAIR:
        return Points(rules.top_pair_royalties[leading_rank(strength) - 2])
    if category is Category.TRIPS:
        return Points(rules.top_trips_royalties[leading_rank(strength) - 2])
    return Points(0)


def fantasyland_entry(top: Strength, rules: RuleSet) -> int:
    """Return the cards that this top earns from a regular hand that is not fouled, 0 for none (R-FL-1)."""
    category = category_of(top)
    if category is Category.PAIR:
        return rules.fantasyland_pairs[leading_rank(top) - 2]
    return rules.fantasyland_trips if category is Category.TRIPS else 0


def fantasyland_next(strengths: tuple[Strength, Strength, Strength], rules: RuleSet, *, held: int) -> int:
    """Return the cards held in Fantasyland next hand by a hand that is not fouled (R-FL-1, R-FL-4 to R-FL-6).

    `held` is the number held in this hand, 0 for a regular hand.
    """
    if held == 0:
        return fantasyland_entry(strengths[0], rules)
    if not does_stay(strengths, rules):
        return 0
    if rules.stay_cards is StayCards.FOURTEEN:
        return 14
    if rules.stay_cards is StayCards.LARGER:
        return max(held, fantasyland_entry(strengths[0], rules))
    return held


def does_stay(strengths: tuple[Strength, Strength, Strength], rules: RuleSet) -> bool:
    """Whether a Fantasyland hand that is not fouled stays there (R-FL-4)."""
    needed = (rules.stay_top, rules.stay_middle, rules.stay_bottom)
    return any(
        category is not None and category_of(strength) >= category
        for strength, category in zip(strengths, needed, strict=True)
    )


def settlement_pairs(seats: int, button: Seat, order: SettlementOrder) -> tuple[tuple[Seat, Seat], ...]:
    """Return the pairs in the order in which they are paid (R-CHIP-3).

    >>> settlement_pairs(3, Seat(2), SettlementOrder.LEFT_FIRST)
    ((0, 1), (0, 2), (1, 2))
    """
    left = [Seat((button + step) % seats) for step in range(1, seats)]
    seating = [button, *left] if order is SettlementOrder.BUTTON_FIRST else [*left, button]
    return tuple(combinations(seating, 2))


def settle_chips(settlement: Settlement, *, stacks: Sequence[Chips], price: Chips) -> ChipSettlement:
    """Pay each pair in order at `price` chips a point, from `stacks` by seat (R-CHIP-1, R-CHIP-2).

    In no pair does anyone win more than they have when it is paid, nor lose more than they have; stacks
    change after each pair. `ScoringError` if the stacks do not fit the seats, a stack is below 0, or the
    price below 1.
    """
    faults = [fault for seat, stack in enumerate(stacks) for fault in _stack_faults(seat, stack)]
    if len(stacks) != len(settlement.players):
        faults.append(Fault("stacks-count", "one stack for each seat", field="stacks", text=str(len(stacks))))
    if price < 1:
        message = f"a price is 1 or more chips a point, not {price}"
        faults.append(Fault("price-invalid", message, field="price", text=str(price)))
    if faults:
        raise ScoringError(*faults)
    return pay_pairs([(pair.a, pair.b, pair.points) for pair in settlement.pairs], stacks=stacks, price=price)


def pay_pairs(pairs: Iterable[tuple[Seat, Seat, Points]], *, stacks: Sequence[Chips], price: Chips) -> ChipSettlement:
    """Pay points between pairs of seats in the order given, each seen from its first seat (R-CHIP-2)."""
    now = list(stacks)
    transfers: list[Transfer] = []
    for a, b, points in pairs:
        winner, loser = (a, b) if points >= 0 else (b, a)
        due = abs(points) * price
        paid = min(due, now[winner], now[loser])
        capped_by = None
        if paid < due:
            capped_by = CappedBy.LOSER if now[loser] <= now[winner] else CappedBy.WINNER
        now[winner] = Chips(now[winner] + paid)
        now[loser] = Chips(now[loser] - paid)
        transfers.append(Transfer(a, b, points, Chips(paid if winner == a else -paid), capped_by))
    return ChipSettlement(tuple(transfers), tuple(now))


def _stack_faults(seat: int, stack: Chips) -> Iterator[Fault]:
    if stack < 0:
        message = f"a stack is 0 or more chips, not {stack}"
        yield Fault("stack-invalid", message, field=f"players[{seat}].stack", text=str(stack))


def _settle_pair(
    a: Seat,
    b: Seat,
    strengths: Sequence[tuple[Strength, Strength, Strength]],
    fouled: Sequence[bool],
    royalties: Sequence[RowPoints],
    rules: RuleSet,
) -> PairScore:
    if fouled[a] or fouled[b]:
        won = [Points(fouled[b] - fouled[a])] * len(ROWS)  # R-FOUL-2, R-FOUL-3
    else:
        won = [Points((x > y) - (x < y)) for x, y in zip(strengths[a], strengths[b], strict=True)]
    rows = RowPoints(*won)
    scoop = rules.scoop * (rows.total // len(ROWS)) if abs(rows.total) == len(ROWS) else 0
    return PairScore(a, b, rows, Points(scoop), Points(royalties[a].total - royalties[b].total))
