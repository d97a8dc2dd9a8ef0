"""One hand as a state machine: deals, placements, and when it is over.

`start_hand` begins one, `decide` turns a command into events or refuses it, `apply` makes the next state.
Nothing else changes a hand, so replaying its events rebuilds it exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Final

from ofc.board import BOARD_SIZE, EMPTY_BOARD, ROWS, Board, Placement, Row
from ofc.cards import DECK, Card
from ofc.clock import Millis
from ofc.dealing import FANTASYLAND_STREET, Deal, acting_order, deal_order
from ofc.errors import Fault, IllegalCommandError
from ofc.events import CardsDealt, CardsPlaced, HandEvent, HandStarted
from ofc.prospects import is_foul_certain
from ofc.rules import FantasylandTurn, RuleSet
from ofc.scoring import Seat, Settlement, settle

FILL_ORDER: Final = (Row.BOTTOM, Row.MIDDLE, Row.TOP)
Told = tuple[Card | None, Row | None]
"""A placement as its sender tells it; None is a part that could not be read. Every `Placement` is one."""


@dataclass(frozen=True, slots=True)
class SeatCards:
    """What one seat has in a hand. `dealt` are cards not yet placed, `street` the street they belong to."""

    board: Board = EMPTY_BOARD
    dealt: tuple[Card, ...] = ()
    street: int = FANTASYLAND_STREET
    discards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand under way or over. `seats`, `fantasyland` and `holdings` are aligned; all else is derived.

    Holds every secret of the hand: show players only what `ofc.view` makes of it.
    """

    rules: RuleSet
    started: HandStarted
    holdings: tuple[SeatCards, ...]
    deals_done: int = 0
    log: tuple[CardsPlaced, ...] = field(default=())

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats dealt in, ascending."""
        return self.started.seats

    @property
    def button(self) -> Seat:
        """The seat that acts last."""
        return self.started.button

    def holding(self, seat: Seat) -> SeatCards:
        """Return what a seat dealt in has."""
        return self.holdings[self.seats.index(seat)]

    def fantasyland(self, seat: Seat) -> int:
        """Return how many cards the seat holds in Fantasyland in this hand, 0 for a regular hand."""
        return self.started.fantasyland[self.seats.index(seat)]

    @property
    def deals(self) -> tuple[Deal, ...]:
        """The hand's deals in order, done or still to come."""
        return deal_order(self.seats, self.button, self.started.fantasyland, self.rules.streets)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that have cards to place, in acting order."""
        return tuple(seat for seat in acting_order(self.seats, self.button) if self.holding(seat).dealt)

    @property
    def is_over(self) -> bool:
        """Whether every board is complete."""
        return all(holding.board.is_complete for holding in self.holdings)

    def to_place(self, seat: Seat) -> int:
        """Return how many of the cards it holds the seat has to place now."""
        holding = self.holding(seat)
        if not holding.dealt:
            return 0
        return BOARD_SIZE if self.fantasyland(seat) else self.rules.streets[holding.street - 1].placed

    def settle(self) -> Settlement:
        """Settle a hand that is over; seats in the result are places in `seats`."""
        return settle(
            [holding.board for holding in self.holdings],
            self.rules,
            fantasyland=self.started.fantasyland,
            button=Seat(self.seats.index(self.button)),
        )

    def unseen_by(self, seat: Seat) -> set[Card]:
        """Return the cards that the seat has not seen: neither its own nor open on a board."""
        seen = {*self.holding(seat).dealt, *self.holding(seat).discards}
        for other, holding in zip(self.seats, self.holdings, strict=True):
            if other == seat or not self.fantasyland(other):
                seen.update(holding.board.cards)
        return set(DECK) - seen


@dataclass(frozen=True, slots=True)
class Place:
    """Place this street's cards, or a whole Fantasyland.

    `discards` None: whatever is not placed is discarded in dealt order.
    """

    seat: Seat
    placements: tuple[Placement, ...]
    discards: tuple[Card, ...] | None
    at: Millis


@dataclass(frozen=True, slots=True)
class Expire:
    """The seat's time is over (R-TIME-1).

    `arrangement` is its unconfirmed arrangement, if any; `house` the house's setting of a Fantasyland, which
    places 13 of the seat's cards.
    """

    seat: Seat
    arrangement: tuple[Placement, ...]
    house: tuple[Placement, ...]
    at: Millis


def start_hand(rules: RuleSet, started: HandStarted) -> tuple[HandEvent, ...]:
    """Return a hand's first events: its start, every Fantasyland deal, and the first street where it is due."""
    return (started, *_due_deals(apply(rules, None, started), started.at))


def decide(hand: Hand, command: Place | Expire) -> tuple[HandEvent, ...]:
    """Return the events that the command leads to; `IllegalCommandError` holds every fault and changes nothing.

    A placement that fouls is legal (R-DEAL-3).
    """
    seat = command.seat
    if seat not in hand.seats:
        raise IllegalCommandError(
            Fault("seat-not-dealt-in", f"seat {seat} is not in this hand", field="seat", text=str(seat))
        )
    holding = hand.holding(seat)
    if not holding.dealt:
        raise IllegalCommandError(Fault("not-your-turn", "it is not your turn", field="seat", text=str(seat)))
    forced = False
    if isinstance(command, Expire):
        placements = forced_placements(hand, command)
        forced = placements != command.arrangement
        discards = left_over(holding.dealt, placements)
    else:
        placements = command.placements
        discards = left_over(holding.dealt, placements) if command.discards is None else command.discards
        if faults := move_faults(hand, seat, placements, command.discards):
            raise IllegalCommandError(*faults)
    placed = CardsPlaced(seat, holding.street, placements, discards, forced, command.at)
    return (placed, *_due_deals(apply(hand.rules, hand, placed), command.at))


def apply(rules: RuleSet, hand: Hand | None, event: HandEvent) -> Hand:
    """Return the state after an event that `decide` or `start_hand` made; `hand` is None before `HandStarted`."""
    if isinstance(event, HandStarted):
        return Hand(rules, event, tuple(SeatCards() for _ in event.seats))
    if hand is None:
        raise TypeError("a hand begins with HandStarted")
    before = hand.holding(event.seat)
    if isinstance(event, CardsDealt):
        after = replace(before, dealt=event.cards, street=event.street)
        return replace(hand, holdings=_with(hand, event.seat, after), deals_done=hand.deals_done + 1)
    after = replace(
        before,
        board=before.board.with_placed(event.placements),
        dealt=(),
        discards=before.discards + event.discards,
    )
    return replace(hand, holdings=_with(hand, event.seat, after), log=(*hand.log, event))


def left_over(dealt: Sequence[Card], placements: Sequence[Placement]) -> tuple[Card, ...]:
    """Return the dealt cards that are not placed, in dealt order."""
    placed = {placement.card for placement in placements}
    return tuple(card for card in dealt if card not in placed)


def move_faults(
    hand: Hand, seat: Seat, placements: Sequence[Told], discards: Sequence[Card | None] | None
) -> list[Fault]:
    """Return everything that keeps a seat from this move now; a None in it could not be read, and is not judged."""
    faults = placement_faults(hand, seat, placements)
    if discards is not None:
        dealt = hand.holding(seat).dealt
        rest = set(dealt) - {card for card, _ in placements}
        known = [card for card in discards if card is not None]
        if (
            not rest.issuperset(known)
            or len(set(known)) < len(known)
            or len(discards) != len(dealt) - hand.to_place(seat)
        ):
            message = "the discards must be the cards that are not placed"
            faults.append(Fault("discards-mismatch", message, field="discards", text=" ".join(map(str, known))))
    return faults


def placement_faults(hand: Hand, seat: Seat, placements: Sequence[Told], *, partial: bool = False) -> list[Fault]:
    """Return everything that keeps these placements from being made now; `partial` allows too few of them."""
    holding = hand.holding(seat)
    faults: list[Fault] = []
    times = Counter(card for card, _ in placements)
    for number, (card, row) in enumerate(placements):
        if card is None:
            continue
        place = f"placements[{number}].card"
        if card not in holding.dealt:
            message = f"{card} is not among your cards"
            faults.append(Fault("card-not-yours", message, field=place, row=row, text=str(card)))
        if times[card] > 1:
            faults.append(Fault("card-twice", f"{card} is placed twice", field=place, row=row, text=str(card)))
    for row in ROWS:
        wanted = sum(told is row for _, told in placements)
        free = holding.board.free(row)
        if wanted > free:
            message = f"the {row} has {free} free, not {wanted}"
            faults.append(Fault("row-overfull", message, field="placements", row=row, text=str(wanted)))
    needed = hand.to_place(seat)
    if len(placements) > needed or (len(placements) < needed and not partial):
        message, text = f"place {needed} cards, not {len(placements)}", str(len(placements))
        faults.append(Fault("placements-count", message, field="placements", text=text))
    return faults


def forced_placements(hand: Hand, command: Expire) -> tuple[Placement, ...]:
    """Return the placements that time makes for a seat (R-TIME-1).

    A complete arrangement stands. Otherwise a Fantasyland is set as the house sets it; on a street the cards go
    into free places bottom, middle, top in dealt order, the last discarded, unless that makes a foul certain and
    another placement does not: then the first such, going through the rows in the same order.
    """
    seat = command.seat
    if not placement_faults(hand, seat, command.arrangement):
        return command.arrangement
    if hand.fantasyland(seat):
        if faults := placement_faults(hand, seat, command.house):
            raise IllegalCommandError(*faults)
        return command.house
    holding = hand.holding(seat)
    free = [row for row in FILL_ORDER for _ in range(holding.board.free(row))]
    plain = tuple(Placement(card, row) for card, row in zip(holding.dealt[: hand.to_place(seat)], free, strict=False))
    unseen = hand.unseen_by(seat)

    def fouls(placements: tuple[Placement, ...]) -> bool:
        return is_foul_certain(holding.board.with_placed(placements), unseen, strict=hand.rules.strict_order)

    if not fouls(plain):
        return plain
    others = all_placements(holding.board, holding.dealt, hand.to_place(seat))
    return next((placements for placements in others if not fouls(placements)), plain)


def all_placements(board: Board, dealt: Sequence[Card], count: int) -> list[tuple[Placement, ...]]:
    """Return every way to place `count` of the dealt cards, order inside a row ignored; bottom first, last discarded.

    >>> from ofc.cards import parse_cards
    >>> len(all_placements(Board(), parse_cards("Ah Kd 7c 7d 2s"), 5))
    232
    """
    free = {row: board.free(row) for row in ROWS}
    return [
        tuple(Placement(card, row) for card, row in zip(dealt, rows, strict=True) if row is not None)
        for rows in product((*FILL_ORDER, None), repeat=len(dealt))
        if rows.count(None) == len(dealt) - count and all(rows.count(row) <= free[row] for row in ROWS)
    ]


def _with(hand: Hand, seat: Seat, holding: SeatCards) -> tuple[SeatCards, ...]:
    place = hand.seats.index(seat)
    return (*hand.holdings[:place], holding, *hand.holdings[place + 1 :])


def _due_deals(hand: Hand, at: Millis) -> list[HandEvent]:
    """Return the deals that are due: every Fantasyland at once, then each street to one seat after the other.

    Where Fantasyland sets before the others (R-FL-3), nobody is dealt a street until it is set.
    """
    due: list[HandEvent] = []
    waiting = {seat for seat in hand.seats if hand.holding(seat).dealt}
    for deal in hand.deals[hand.deals_done :]:
        if deal.street != FANTASYLAND_STREET and any(
            not hand.fantasyland(seat) or hand.rules.fantasyland_turn is FantasylandTurn.BEFORE_OTHERS
            for seat in waiting
        ):
            break
        due.append(CardsDealt(deal.seat, deal.street, hand.started.deck[deal.first : deal.first + deal.count], at))
        waiting.add(deal.seat)
    return due
