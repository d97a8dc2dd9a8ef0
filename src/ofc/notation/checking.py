"""What in a record is not legal: of the seats, of the cards, of each seat's own actions, of the order of play.

Each check goes on past a fault where it can, so that one reading tells them all. What follows only from another
fault is not told: a street that an action of nobody's may have been, or counts under rules that could not be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ofc import hand as hands
from ofc.board import BOARD_SIZE, Placement, Row
from ofc.cards import DECK, Card, format_cards
from ofc.dealing import FANTASYLAND_STREET
from ofc.errors import Fault, any_of
from ofc.events import HandStarted
from ofc.hand import FILL_ORDER, Hand, Place
from ofc.notation.records import Action, HandRecord, SeatRecord
from ofc.notation.unread import Act, Unread, acts_of, seats_of
from ofc.rules import Street
from ofc.scoring import Seat, fantasyland_faults, players_faults
from ofc.table import NAME_LENGTHS

_OF_SEATS: Final = frozenset(
    ("players-too-few", "players-too-many", "seats-order", "seat-unknown", "fantasyland-count")
)
"""Faults that leave it open who is dealt in."""


def legality_faults(record: HandRecord, unread: Unread) -> list[Fault]:
    """Return everything that makes the hand one that cannot have been played so; the result is not looked at.

    Nothing is said of fields that could not be read, nor of what only they would tell.
    """
    checker = _Checker(record, unread)
    faults = [*checker.seat_faults(), *checker.stranger_faults(), *checker.card_faults(), *checker.own_faults()]
    faults = [fault for fault in faults if not unread.covers(fault.field or "")]
    if checker.is_order_known(faults):
        faults += _order_faults(record)
    return faults


def are_seats_known(record: HandRecord, unread: Unread, faults: list[Fault]) -> bool:
    """Return whether it is plain who is dealt in, in which seats and with how many cards."""
    own = [f"seats[{n}].{part}" for n in range(len(record.seats)) for part in ("seat", "fantasyland")]
    is_read = not unread.touches("rules") and not any(unread.covers(field) for field in ("seats", *own))
    return is_read and not any(fault.code in _OF_SEATS for fault in faults)


class _Checker:
    """One record's checks, and what they share."""

    def __init__(self, record: HandRecord, unread: Unread) -> None:
        self.record = record
        self.rules = record.rules
        self.unread = unread
        self.acts = acts_of(record, unread)
        self.seats = seats_of(record.seats, unread)
        numbers = ("seats", *(f"seats[{n}].seat" for n in range(len(record.seats))))
        self.are_seats_read = not any(unread.covers(field) for field in numbers)
        self.are_rules_read = not unread.touches("rules")
        self.loose = [act for act in self.acts if act.seat not in self.seats or act.street is None]

    def name_of(self, seat: Seat | None) -> str | None:
        """Return who sits in a seat, else the seat in words; None if that could not be read."""
        if seat is None:
            return None
        return (self.seats[seat][1].name if seat in self.seats else "") or f"seat {seat}"

    def is_order_known(self, faults: list[Fault]) -> bool:
        """Return whether it can be judged whose turn it was."""
        return (
            are_seats_known(self.record, self.unread, faults)
            and not self.loose
            and not self.unread.covers("button")
            and not self.unread.covers("actions")
            and not any(fault.code.startswith("street-") or fault.code == "button-unknown" for fault in faults)
        )

    def seat_faults(self) -> Iterator[Fault]:
        """Yield what is wrong with who is dealt in, and with the button."""
        record, rules = self.record, self.rules
        if self.are_rules_read:
            yield from (replace(fault, field="seats") for fault in players_faults(len(record.seats), rules))
        numbers = [entry.seat for entry in record.seats]
        if self.are_seats_read and numbers != sorted(set(numbers)):
            yield Fault("seats-order", "the seats ascend, each there once", field="seats", text=str(numbers))
        names: set[str] = set()
        for n, entry in enumerate(record.seats):
            for fault in self._entry_faults(entry, names):
                yield replace(fault, field=f"seats[{n}].{fault.field}", player=entry.name or None)
            names.add(entry.name.casefold())
        if record.button not in numbers and self.are_seats_read:
            message = f"the button is at seat {record.button}, where nobody is dealt in"
            yield Fault("button-unknown", message, field="button", text=str(record.button))

    def _entry_faults(self, entry: SeatRecord, names: set[str]) -> Iterator[Fault]:
        name = entry.name
        if entry.seat >= self.rules.max_seats and self.are_rules_read:
            message = f"a table of {self.rules.id} has no seat {entry.seat}"
            yield Fault("seat-unknown", message, field="seat", text=str(entry.seat))
        if len(name) not in NAME_LENGTHS:
            yield Fault("name-length", "a name has 1 to 20 characters", field="name", text=name)
        if name.casefold() in names:
            yield Fault("name-taken", f"“{name}” sits here twice", field="name", text=name)
        if self.are_rules_read:
            yield from fantasyland_faults(entry.fantasyland, self.rules)
        if (entry.stack is None) != (self.record.price is None) and not self.unread.covers("price"):
            yield Fault("money-incomplete", "a stack and a price come together", field="stack")

    def stranger_faults(self) -> Iterator[Fault]:
        """Yield a fault for each action of a seat that is not dealt in."""
        for act in self.acts:
            if act.seat is not None and act.seat not in self.seats and self.are_seats_read:
                message = f"seat {act.seat} is not dealt in"
                yield Fault("seat-not-dealt-in", message, field=f"{act.field}.seat", text=str(act.seat))

    def card_faults(self) -> Iterator[Fault]:
        """Yield a fault for each card that comes off the deck a second time."""
        record, unread = self.record, self.unread
        seen: set[Card] = set()
        for act in self.acts:
            for place, card in _cards_told(act):
                if card in seen:
                    message = f"{card} is dealt twice in this hand"
                    field = f"{act.field}.{place}"
                    yield Fault("card-twice", message, field=field, player=self.name_of(act.seat), text=str(card))
                seen.add(card)
        for n, card in enumerate(record.undealt or ()):
            field = f"undealt[{n}]"
            if unread.covers(field):
                continue
            if card in seen:
                yield Fault("card-twice", f"{card} is undealt and dealt", field=field, text=str(card))
            seen.add(card)
        are_counted = all(act.is_whole for act in self.acts) and not unread.covers("actions")
        dealt = sum(len(act.dealt) for act in self.acts)
        if record.undealt is not None and are_counted and dealt + len(record.undealt) != len(DECK):
            message = f"{dealt} cards dealt and {len(record.undealt)} undealt are not the deck's {len(DECK)}"
            yield Fault("deck-count", message, field="undealt", text=str(len(record.undealt)))

    def own_faults(self) -> Iterator[Fault]:
        """Yield what is wrong with each seat's actions, taken alone: streets, counts, cards, rows."""
        for seat in dict.fromkeys([*self.seats, *(act.seat for act in self.acts)]):
            acts = [act for act in self.acts if act.seat == seat]
            for fault in self._faults_of(seat, acts):
                yield replace(fault, player=self.name_of(seat))

    def _faults_of(self, seat: Seat | None, acts: list[Act]) -> Iterator[Fault]:
        streets = self._streets(seat, acts)
        who = self.name_of(seat) or "the seat"
        left = dict(streets)
        taken: Counter[Row] = Counter()
        for act in acts:
            street = None if act.street is None else left.pop(act.street, None)
            is_twice = street is None and act.street in streets
            if street is None and act.street is not None and self.are_rules_read:
                code, message = "street-unknown", f"{who} has no street {act.street}"
                if is_twice:
                    code, message = "street-twice", f"{who} has played street {act.street} already"
                yield Fault(code, message, field=f"{act.field}.street", text=str(act.street))
            if street is not None and self.are_rules_read:
                yield from _count_faults(act, street)
            yield from _placement_faults(act)
            if not is_twice:
                yield from _row_faults(act, taken)
            if act.is_whole:
                yield from _discard_faults(act)
        if seat in self.seats and self.are_rules_read and not self.unread.covers("actions"):
            for number in left:
                if not any(act.street in (number, None) for act in self.loose):
                    message = f"{who} never plays street {number}"
                    yield Fault("street-missing", message, field="actions", text=str(number))

    def _streets(self, seat: Seat | None, acts: list[Act]) -> dict[int, Street]:
        """Return the streets that a seat has to play; where its Fantasyland is not plain, as its actions have it."""
        if seat in self.seats:
            field, entry = self.seats[seat]
            held = entry.fantasyland
            is_plain = not self.unread.covers(f"{field}.fantasyland") and not fantasyland_faults(held, self.rules)
            if held and is_plain:
                return {FANTASYLAND_STREET: Street(held, BOARD_SIZE)}
            if is_plain:
                return dict(enumerate(self.rules.streets, start=1))
        for act in acts:
            if act.street == FANTASYLAND_STREET:
                return {FANTASYLAND_STREET: Street(len(act.dealt), BOARD_SIZE)}
        return dict(enumerate(self.rules.streets, start=1))


def _cards_told(act: Act) -> Iterator[tuple[str, Card]]:
    """Yield each card that this action shows was dealt to its seat, and where it stands."""
    yield from ((f"dealt[{n}]", card) for n, card in enumerate(act.dealt) if card is not None)
    if None in act.dealt:
        later = [(f"placed[{n}]", card) for n, (card, _) in enumerate(act.placed)]
        later += [(f"discarded[{n}]", card) for n, card in enumerate(act.discards)]
        first = {card: place for place, card in reversed(later) if card is not None and card not in act.dealt}
        yield from ((place, card) for card, place in first.items())


def _count_faults(act: Act, street: Street) -> Iterator[Fault]:
    if len(act.dealt) != street.dealt:
        message = f"street {act.street} deals {street.dealt}, not {len(act.dealt)}"
        yield Fault("deal-count", message, field=f"{act.field}.dealt", text=_text(act.dealt))
    if len(act.placed) != street.placed:
        message = f"street {act.street} places {street.placed} cards, not {len(act.placed)}"
        yield Fault("placements-count", message, field=f"{act.field}.placed", text=str(len(act.placed)))


def _placement_faults(act: Act) -> Iterator[Fault]:
    cards = [card for card, _ in act.placed]
    for n, (card, row) in enumerate(act.placed):
        field = f"{act.field}.placed[{n}].card"
        if card is None:
            continue
        if card in cards[:n]:
            yield Fault("card-placed-twice", f"{card} is placed twice", field=field, row=row, text=str(card))
        elif card not in act.dealt and None not in act.dealt:
            yield Fault("card-not-dealt", f"{card} was not dealt here", field=field, row=row, text=str(card))


def _row_faults(act: Act, taken: Counter[Row]) -> Iterator[Fault]:
    """Yield a fault for each row that has too few free places, and take those that there are."""
    for row in Row:
        free = max(row.size - taken[row], 0)
        wanted = sum(told is row for _, told in act.placed)
        if wanted > free:
            message = f"the {row} has {free} free, not {wanted}"
            yield Fault("row-overfull", message, field=f"{act.field}.placed", row=row, text=str(wanted))
        taken[row] += wanted


def _discard_faults(act: Act) -> Iterator[Fault]:
    """Yield a fault unless the discards are, or with cards unknown may be, just the cards that are not placed."""
    placed = {card for card, _ in act.placed if card is not None}
    unread = sum(card is None for card, _ in act.placed)
    known = [card for card in act.discards if card is not None]
    rest = {card for card in act.dealt if card is not None} - placed
    strangers = [card for card in known if card not in rest and (None not in act.dealt or card in placed)]
    may_come = len(act.discards) - len(known) + unread
    if (
        strangers
        or len(set(known)) != len(known)
        or len(act.discards) != len(act.dealt) - len(placed) - unread
        or len(rest - set(known)) > may_come
    ):
        message = "the discards are just the cards dealt and not placed"
        yield Fault("discards-mismatch", message, field=f"{act.field}.discarded", text=_text(act.discards))


def _order_faults(record: HandRecord) -> Iterator[Fault]:
    """Yield the first action out of turn (R-DEAL-2, R-FL-3): the state machine plays along with cards that stand in."""
    started = HandStarted(
        number=1,
        seats=tuple(entry.seat for entry in record.seats),
        button=record.button,
        fantasyland=tuple(entry.fantasyland for entry in record.seats),
        price=None,
        deck=DECK,
        at=record.started_at,
    )
    hand: Hand | None = None
    for event in hands.start_hand(record.rules, started):
        hand = hands.apply(record.rules, hand, event)
    assert hand is not None  # noqa: S101 - start_hand returns events
    for n, action in enumerate(record.actions):
        field, player = f"actions[{n}]", record.name_of(action.seat) or None
        if action.seat not in hand.to_act:
            turn = any_of(record.name_of(seat) for seat in hand.to_act)
            message = f"{player} plays street {action.street} while it is the turn of {turn}"
            yield Fault("play-order", message, field=f"{field}.seat", player=player, text=str(action.seat))
            return
        due = hand.holding(action.seat).street
        if action.street != due:
            message = f"{player} plays street {action.street} before street {due}"
            yield Fault("play-order", message, field=f"{field}.street", player=player, text=str(action.street))
            return
        hand = _with_stand_ins(hand, action)


def _with_stand_ins(hand: Hand, action: Action) -> Hand:
    holding = hand.holding(action.seat)
    free = [row for row in FILL_ORDER for _ in range(holding.board.free(row))]
    count = hand.to_place(action.seat)
    placements = tuple(map(Placement, holding.dealt[:count], free[:count]))
    for event in hands.decide(hand, Place(action.seat, placements, None, action.at)):
        hand = hands.apply(hand.rules, hand, event)
    return hand


def _text(cards: tuple[Card | None, ...]) -> str:
    known = [card for card in cards if card is not None]
    return " ".join(filter(None, [format_cards(known), *["?"] * (len(cards) - len(known))]))
