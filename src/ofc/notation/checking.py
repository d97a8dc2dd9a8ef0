"""What in a record is not legal: of the seats, of the cards, of each seat's own actions, of the order of play.

Each check goes on past a fault where it can, so that one reading tells them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ofc import hand as hands
from ofc.board import BOARD_SIZE, Placement, Row
from ofc.cards import DECK, Card, format_cards
from ofc.dealing import FANTASYLAND_STREET
from ofc.errors import Fault, any_of
from ofc.events import HandStarted
from ofc.hand import FILL_ORDER, Hand, Place
from ofc.notation.records import Action, HandRecord, SeatRecord
from ofc.rules import Street
from ofc.scoring import fantasyland_faults, players_faults
from ofc.table import NAME_LENGTHS


def legality_faults(record: HandRecord) -> list[Fault]:
    """Return everything that makes the hand one that cannot have been played so; the result is not looked at."""
    faults = [*_seat_faults(record), *_stranger_faults(record), *_card_faults(record)]
    # Whose turn it was, and how many cards were due, is known only where the seats are.
    if all(fault.code in ("card-twice", "deck-count") for fault in faults):
        own = [fault for entry in record.seats for fault in _own_faults(record, entry)]
        faults += own
        if not any(fault.code.startswith("street-") for fault in own):
            faults += _order_faults(record)
    return faults


def _seat_faults(record: HandRecord) -> Iterator[Fault]:
    yield from (replace(fault, field="seats") for fault in players_faults(len(record.seats), record.rules))
    numbers = [entry.seat for entry in record.seats]
    if numbers != sorted(set(numbers)):
        yield Fault("seats-order", "the seats ascend, each there once", field="seats", text=str(numbers))
    names: set[str] = set()
    for n, entry in enumerate(record.seats):
        field, name = f"seats[{n}]", entry.name
        if entry.seat >= record.rules.max_seats:
            message = f"a table of {record.rules.id} has no seat {entry.seat}"
            yield Fault("seat-unknown", message, field=f"{field}.seat", player=name, text=str(entry.seat))
        if len(name) not in NAME_LENGTHS:
            yield Fault("name-length", "a name has 1 to 20 characters", field=f"{field}.name", player=name, text=name)
        if name.casefold() in names:
            yield Fault("name-taken", f"“{name}” sits here twice", field=f"{field}.name", player=name, text=name)
        names.add(name.casefold())
        for fault in fantasyland_faults(entry.fantasyland, record.rules):
            yield replace(fault, field=f"{field}.fantasyland", player=name)
        if (entry.stack is None) != (record.price is None):
            yield Fault("money-incomplete", "a stack and a price come together", field=f"{field}.stack", player=name)
    if record.button not in numbers:
        message = f"the button is at seat {record.button}, where nobody is dealt in"
        yield Fault("button-unknown", message, field="button", text=str(record.button))


def _stranger_faults(record: HandRecord) -> Iterator[Fault]:
    for n, action in enumerate(record.actions):
        if record.seat(action.seat) is None:
            message = f"seat {action.seat} is not dealt in"
            yield Fault("seat-not-dealt-in", message, field=f"actions[{n}].seat", text=str(action.seat))


def _card_faults(record: HandRecord) -> Iterator[Fault]:
    """Yield a fault for each card that comes off the deck a second time."""
    seen: set[Card] = set()
    for n, action in enumerate(record.actions):
        for place, card in _told(action):
            if card in seen:
                message = f"{card} is dealt twice in this hand"
                field = f"actions[{n}].{place}"
                yield Fault("card-twice", message, field=field, player=record.name_of(action.seat), text=str(card))
            seen.add(card)
    for n, card in enumerate(record.undealt or ()):
        if card in seen:
            yield Fault("card-twice", f"{card} is undealt and dealt", field=f"undealt[{n}]", text=str(card))
        seen.add(card)
    dealt = sum(len(action.dealt) for action in record.actions)
    if record.undealt is not None and dealt + len(record.undealt) != len(DECK):
        message = f"{dealt} cards dealt and {len(record.undealt)} undealt are not the deck's {len(DECK)}"
        yield Fault("deck-count", message, field="undealt", text=str(len(record.undealt)))


def _told(action: Action) -> Iterator[tuple[str, Card]]:
    """Yield each card that this action shows was dealt to its seat, and where it stands."""
    yield from ((f"dealt[{n}]", card) for n, card in enumerate(action.dealt) if card is not None)
    if None in action.dealt:
        later = [(f"placed[{n}]", placement.card) for n, placement in enumerate(action.placements)]
        later += [(f"discarded[{n}]", card) for n, card in enumerate(action.discards) if card is not None]
        first = {card: place for place, card in reversed(later) if card not in action.dealt}
        yield from ((place, card) for card, place in first.items())


def _own_faults(record: HandRecord, entry: SeatRecord) -> Iterator[Fault]:
    """Yield what is wrong with one seat's actions, taken alone: streets, counts, cards, rows."""
    wanted = dict(enumerate(record.rules.streets, start=1))
    if entry.fantasyland:
        wanted = {FANTASYLAND_STREET: Street(entry.fantasyland, BOARD_SIZE)}
    left = dict(wanted)
    taken: Counter[Row] = Counter()
    for n, action in enumerate(record.actions):
        if action.seat != entry.seat:
            continue
        field = f"actions[{n}]"
        street = left.pop(action.street, None)
        if street is None:
            code, message = "street-unknown", f"{entry.name} has no street {action.street}"
            if action.street in wanted:
                code, message = "street-twice", f"{entry.name} has played street {action.street} already"
            yield Fault(code, message, field=f"{field}.street", player=entry.name, text=str(action.street))
            continue
        for fault in (
            *_deal_faults(action, street),
            *_placement_faults(action, street, taken),
            *_discard_faults(action),
        ):
            yield replace(fault, field=f"{field}.{fault.field}", player=entry.name)
        taken.update(placement.row for placement in action.placements)
    for number in left:
        message = f"{entry.name} never plays street {number}"
        yield Fault("street-missing", message, field="actions", player=entry.name, text=str(number))


def _deal_faults(action: Action, street: Street) -> Iterator[Fault]:
    if len(action.dealt) != street.dealt:
        message = f"street {action.street} deals {street.dealt}, not {len(action.dealt)}"
        yield Fault("deal-count", message, field="dealt", text=_text(action.dealt))


def _placement_faults(action: Action, street: Street, taken: Counter[Row]) -> Iterator[Fault]:
    cards = [placement.card for placement in action.placements]
    for n, (card, row) in enumerate(action.placements):
        field = f"placed[{n}].card"
        if card in cards[:n]:
            yield Fault("card-placed-twice", f"{card} is placed twice", field=field, row=row, text=str(card))
        elif card not in action.dealt and None not in action.dealt:
            yield Fault("card-not-dealt", f"{card} was not dealt here", field=field, row=row, text=str(card))
    for row in Row:
        free = max(row.size - taken[row], 0)
        wanted = sum(placement.row is row for placement in action.placements)
        if wanted > free:
            message = f"the {row} has {free} free, not {wanted}"
            yield Fault("row-overfull", message, field="placed", row=row, text=str(wanted))
    if len(cards) != street.placed:
        message = f"street {action.street} places {street.placed} cards, not {len(cards)}"
        yield Fault("placements-count", message, field="placed", text=str(len(cards)))


def _discard_faults(action: Action) -> Iterator[Fault]:
    """Yield a fault unless the discards are, or with cards unknown may be, just the cards that are not placed."""
    placed = {placement.card for placement in action.placements}
    known = [card for card in action.discards if card is not None]
    rest = {card for card in action.dealt if card is not None} - placed
    strangers = [card for card in known if card not in rest and (None not in action.dealt or card in placed)]
    may_come = len(action.discards) - len(known)
    if (
        strangers
        or len(set(known)) != len(known)
        or len(action.discards) != len(action.dealt) - len(placed)
        or len(rest - set(known)) > may_come
    ):
        message = "the discards are just the cards dealt and not placed"
        yield Fault("discards-mismatch", message, field="discarded", text=_text(action.discards))


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
        field, player = f"actions[{n}]", record.name_of(action.seat)
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
