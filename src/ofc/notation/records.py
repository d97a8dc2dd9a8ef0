"""What a hand history holds, as frozen values; made from a table at its showdown."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ofc.board import Placement
from ofc.cards import DECK, Card
from ofc.clock import Millis
from ofc.errors import Fault, NotationError
from ofc.events import CardsPlaced, HandSettled
from ofc.hand import Hand
from ofc.rules import RuleSet
from ofc.scoring import CappedBy, Chips, Points, RowPoints, Seat
from ofc.table import Table


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat dealt in: who sat there, the cards held in Fantasyland (0: a regular hand), the stack at the start.

    `stack` is in chips, None where points are kept.
    """

    seat: Seat
    name: str
    bot: str | None = None
    fantasyland: int = 0
    stack: Chips | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """One seat's street: the cards it was dealt, and how it placed and discarded them, in order.

    Street 0 is a whole Fantasyland. A card that the record's viewer may not know is None. `forced`: time placed the
    cards (R-TIME-1). `at` is the moment of placing, which is also that of the deals that follow from it.
    """

    seat: Seat
    street: int
    dealt: tuple[Card | None, ...]
    placements: tuple[Placement, ...]
    discards: tuple[Card | None, ...]
    forced: bool
    at: Millis


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One seat's recorded result. `stack` is after the hand, None where points are kept."""

    seat: Seat
    fouled: bool
    royalties: RowPoints
    points: Points
    stack: Chips | None
    fantasyland_next: int


@dataclass(frozen=True, slots=True)
class PairRecord:
    """One pair's recorded result, every number seen from `a`; `chips` is None where points are kept."""

    a: Seat
    b: Seat
    rows: RowPoints
    scoop: Points
    royalties: Points
    points: Points
    chips: Chips | None
    capped_by: CappedBy | None


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """The result as recorded: players by seat, pairs in settlement order, the next hand's button."""

    players: tuple[PlayerRecord, ...]
    pairs: tuple[PairRecord, ...]
    button_next: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRecord:
    """A finished hand: all that happened, in order, and its result.

    `undealt` are the cards left in the deck, None where they are not known. A `partial` record is what `viewer`, a
    seat or None for a spectator, may see of the hand after its showdown. A record may be of an illegal hand or hold
    a wrong result: `ofc.notation.check_record` says so.
    """

    rules: RuleSet
    seats: tuple[SeatRecord, ...]
    button: Seat
    price: Chips | None
    started_at: Millis
    actions: tuple[Action, ...]
    undealt: tuple[Card, ...] | None
    result: ResultRecord
    table: str | None = None
    number: int | None = None
    partial: bool = False
    viewer: Seat | None = None

    def seat(self, seat: Seat) -> SeatRecord | None:
        """Return what is recorded of a seat, None if it was not dealt in."""
        return next((entry for entry in self.seats if entry.seat == seat), None)

    def name_of(self, seat: Seat) -> str:
        """Return the name of who sat in a seat, or the seat's number in words."""
        entry = self.seat(seat)
        return f"seat {seat}" if entry is None else entry.name


def record_of(table: Table, *, table_id: str | None = None) -> HandRecord:
    """Return the whole record of the hand that a table is showing down, secrets included.

    `NotationError` (`hand-unfinished`) before the showdown, and (`player-gone`) once a player of the hand has left.
    """
    hand, settled = table.hand, table.settled
    if hand is None or settled is None:
        raise NotationError(Fault("hand-unfinished", "only a hand that was shown down has a history"))
    paid = _chips_paid(hand, settled)
    seats: list[SeatRecord] = []
    for place, seat in enumerate(hand.seats):
        player = table.seat(seat).player
        if player is None or table.seat(seat).is_new:
            raise NotationError(Fault("player-gone", f"who sat in seat {seat} has left", field=f"seats[{place}]"))
        stack = Chips(settled.stacks[place] - paid[place]) if settled.stacks else None
        seats.append(SeatRecord(seat, player.name, player.bot, hand.fantasyland(seat), stack))
    dealt = {(deal.seat, deal.street): hand.started.deck[deal.first : deal.first + deal.count] for deal in hand.deals}
    last = hand.deals[-1]
    return HandRecord(
        rules=hand.rules,
        seats=tuple(seats),
        button=hand.button,
        price=hand.started.price,
        started_at=hand.started.at,
        actions=tuple(_action(entry, dealt[entry.seat, entry.street]) for entry in hand.log),
        undealt=hand.started.deck[last.first + last.count :],
        result=result_of(hand, settled),
        table=table_id,
        number=hand.started.number,
    )


def result_of(hand: Hand, settled: HandSettled) -> ResultRecord:
    """Return a settled hand's result as it is recorded: real seats in place of places."""
    seats = hand.seats
    players = tuple(
        PlayerRecord(
            seat,
            score.fouled,
            score.royalties,
            score.points,
            settled.stacks[place] if settled.stacks else None,
            score.fantasyland_next,
        )
        for place, (seat, score) in enumerate(zip(seats, settled.settlement.players, strict=True))
    )
    transfers = settled.transfers or (None,) * len(settled.settlement.pairs)
    pairs = tuple(
        PairRecord(
            seats[pair.a],
            seats[pair.b],
            pair.rows,
            pair.scoop,
            pair.royalties,
            pair.points,
            transfer.chips if transfer else None,
            transfer.capped_by if transfer else None,
        )
        for pair, transfer in zip(settled.settlement.pairs, transfers, strict=True)
    )
    return ResultRecord(players, pairs, settled.button_next)


def seen_by(record: HandRecord, viewer: Seat | None) -> HandRecord:
    """Return the partial record that a seat, or None for a spectator, may see after the showdown (R-SEE-1, R-SEE-2).

    Every board is open by then. Hidden stay the undealt cards, the others' cards as they were dealt, and the others'
    discards where the rules never show them.
    """
    actions = tuple(
        action
        if action.seat == viewer
        else replace(
            action,
            dealt=(None,) * len(action.dealt),
            discards=action.discards if record.rules.reveals_discards else (None,) * len(action.discards),
        )
        for action in record.actions
    )
    return replace(record, actions=actions, undealt=None, partial=True, viewer=viewer)


def known_cards(record: HandRecord) -> set[Card]:
    """Return every card that the record tells."""
    known: set[Card] = set(record.undealt or ())
    for action in record.actions:
        known.update(placement.card for placement in action.placements)
        known.update(card for card in (*action.dealt, *action.discards) if card is not None)
    return known


def unknown_cards(record: HandRecord) -> list[Card]:
    """Return every card that the record does not tell, in the deck's fixed order."""
    known = known_cards(record)
    return [card for card in DECK if card not in known]


def _action(entry: CardsPlaced, dealt: tuple[Card, ...]) -> Action:
    return Action(entry.seat, entry.street, dealt, entry.placements, entry.discards, entry.forced, entry.at)


def _chips_paid(hand: Hand, settled: HandSettled) -> list[int]:
    """Return each place's net chips."""
    paid = [0] * len(hand.seats)
    for transfer in settled.transfers:
        paid[transfer.a] += transfer.chips
        paid[transfer.b] -= transfer.chips
    return paid
