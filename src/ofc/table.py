"""A table over many hands: seats, button, Fantasyland carried over, points or stacks, the price, the match.

The same shape as a hand: `open_table` begins, `decide` turns a command into events or refuses it, `apply` makes the
next state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, assert_never

from ofc import hand as hands
from ofc.cards import DECK, Card
from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError, any_of
from ofc.events import (
    CardsDealt,
    CardsPlaced,
    HandAbandoned,
    HandEvent,
    HandSettled,
    HandStarted,
    MatchEnd,
    MatchEnded,
    MatchStarted,
    Player,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PriceSet,
    TableEvent,
    TableOpened,
)
from ofc.hand import Expire, Hand, Place
from ofc.rules import ButtonRule, LoneFantasyland, RuleSet
from ofc.scoring import Chips, Points, Seat, Transfer, settle_chips

NAME_LENGTHS: Final = range(1, 21)
MATCH_HANDS: Final = range(1, 1001)


_NO_POINTS: Final = Points(0)


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat between and during hands. `stack` is None where points are kept; `owed` counts Fantasyland cards.

    `history` is the standing at the start and after each hand of this match that the player was dealt into; `out_after`
    counts the match's hands up to the one that took the last chips, 0 while there are any (R-CHIP-4). `is_new`:
    sat down after the hand that the table still shows, and knows nothing of the cards of who sat here in it.
    """

    player: Player | None = None
    points: Points = _NO_POINTS
    stack: Chips | None = None
    owed: int = 0
    away: bool = False
    history: tuple[int, ...] = (0,)
    out_after: int = 0
    is_new: bool = False

    @property
    def standing(self) -> int:
        """Points of this match, or the stack in chips."""
        return self.points if self.stack is None else self.stack

    @property
    def is_out(self) -> bool:
        """Whether the player has no chips left (R-CHIP-4)."""
        return self.stack == 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table between or during hands. Holds every secret: show players only what `ofc.view` makes of it.

    `hand` is the hand under way, or the last one until the next is dealt; `settled` its result once it is shown
    down. `hands_played` counts this match's hands. `price` is in force, `price_next` waits (R-CHIP-5).
    """

    opened: TableOpened
    seats: tuple[SeatState, ...]
    button: Seat
    price: Chips | None
    price_next: Chips | None = None
    hand: Hand | None = None
    settled: HandSettled | None = None
    hands_played: int = 0
    match_end: MatchEnd | None = None

    @property
    def rules(self) -> RuleSet:
        """The rules in force."""
        return self.opened.rules

    @property
    def is_playing(self) -> bool:
        """Whether a hand is under way."""
        return self.hand is not None and self.settled is None and self.match_end is None

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seats that would be dealt in now: taken, and not out of chips."""
        return tuple(Seat(n) for n, seat in enumerate(self.seats) if seat.player is not None and not seat.is_out)

    @property
    def is_fantasyland_owed(self) -> bool:
        """Whether any player is owed a Fantasyland hand."""
        return any(self.seats[seat].owed for seat in self.players)

    def seat(self, seat: Seat) -> SeatState:
        """Return one seat's state."""
        return self.seats[seat]


@dataclass(frozen=True, slots=True)
class Sit:
    """Sit down in a free seat, between hands (R-SEAT-1)."""

    seat: Seat
    player: Player
    at: Millis


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave a seat, between hands (R-SEAT-1)."""

    seat: Seat
    at: Millis


@dataclass(frozen=True, slots=True)
class Return:
    """Be back after a forced placement (R-TIME-1)."""

    seat: Seat
    at: Millis


@dataclass(frozen=True, slots=True)
class SetPrice:
    """Set the price per point, in force from the next hand with no Fantasyland pending on (R-CHIP-5)."""

    price: Chips
    at: Millis


@dataclass(frozen=True, slots=True)
class DealHand:
    """Deal the next hand from a deck freshly shuffled into this order."""

    deck: tuple[Card, ...]
    at: Millis


@dataclass(frozen=True, slots=True)
class EndMatch:
    """End the match now; a hand under way is abandoned."""

    at: Millis


@dataclass(frozen=True, slots=True)
class StartMatch:
    """After a match, start another with the same players."""

    at: Millis


TableCommand = Sit | Leave | Return | SetPrice | DealHand | Place | Expire | EndMatch | StartMatch


def opening_faults(opened: TableOpened) -> list[Fault]:
    """Return everything that keeps such a table from being opened."""
    faults: list[Fault] = []
    rules = opened.rules
    if opened.seats not in rules.seats:
        allowed = any_of(rules.seats)
        faults.append(
            Fault(
                "seats-count",
                f"{rules.id} is played by {allowed}, not {opened.seats}",
                field="seats",
                text=str(opened.seats),
            )
        )
    if opened.hands not in MATCH_HANDS:
        faults.append(
            Fault(
                "hands-count",
                f"a match is 1 to 1000 hands, not {opened.hands}",
                field="hands",
                text=str(opened.hands),
            )
        )
    if (opened.stack is None) != (opened.price is None):
        faults.append(Fault("money-incomplete", "a stack and a price come together", field="money"))
    for name, amount in (("stack", opened.stack), ("price", opened.price)):
        if amount is not None and amount < 1:
            faults.append(
                Fault(
                    f"{name}-invalid",
                    f"the {name} is 1 chip or more, not {amount}",
                    field=f"money.{name}",
                    text=str(amount),
                )
            )
    if not 0 <= opened.button < opened.seats:
        faults.append(Fault("button-unknown", f"no seat {opened.button}", field="button", text=str(opened.button)))
    return faults


def name_faults(name: str) -> list[Fault]:
    """Return everything that keeps a name from sitting at a table."""
    faults: list[Fault] = []
    if len(name) not in NAME_LENGTHS:
        faults.append(Fault("name-length", "a name has 1 to 20 characters", field="name", text=name))
    if not name.isprintable() or name.strip() != name:
        message = "a name is in one line, with no space at its ends"
        faults.append(Fault("name-unreadable", message, field="name", text=name))
    return faults


def open_table(opened: TableOpened) -> tuple[TableEvent, ...]:
    """Return the first event of a table; `IllegalCommandError` holds every fault."""
    faults = opening_faults(opened)
    if faults:
        raise IllegalCommandError(*faults)
    return (opened,)


def decide(table: Table, command: TableCommand) -> tuple[TableEvent, ...]:
    """Return the events that the command leads to; `IllegalCommandError` says why not and changes nothing."""
    match command:
        case Place() | Expire():
            return _decide_placing(table, command)
        case DealHand():
            return _decide_dealing(table, command)
        case Sit(seat, player, at):
            _refuse_during_hand(table)
            _refuse_unless(0 <= seat < len(table.seats), "seat-unknown", f"no seat {seat}")
            _refuse_unless(table.seat(seat).player is None, "seat-taken", f"seat {seat} is taken")
            faults = name_faults(player.name)
            if faults:
                raise IllegalCommandError(*faults)
            names = {state.player.name.casefold() for state in table.seats if state.player}
            _refuse_unless(player.name.casefold() not in names, "name-taken", f"“{player.name}” sits here already")
            return (PlayerSeated(seat, player, at),)
        case Leave(seat, at):
            _refuse_during_hand(table)
            _refuse_empty_seat(table, seat)
            left = PlayerLeft(seat, at)
            # A Fantasyland given up may be what the match went on for.
            is_played = table.match_end is None and table.hands_played >= table.opened.hands
            return (left, *_hands_end(apply(table, left), at)) if is_played else (left,)
        case Return(seat, at):
            _refuse_empty_seat(table, seat)
            return (PlayerReturned(seat, at),) if table.seat(seat).away else ()
        case SetPrice(price, at):
            _refuse_unless(table.price is not None, "points-kept", "this table keeps points, not chips")
            _refuse_unless(price >= 1, "price-invalid", f"the price is 1 chip or more, not {price}")
            return (PriceSet(price, at),)
        case EndMatch(at):
            _refuse_unless(table.match_end is None, "match-over", "the match is over")
            ended = MatchEnded(MatchEnd.ENDED, at)
            return (HandAbandoned(at), ended) if table.is_playing else (ended,)
        case StartMatch(at):
            _refuse_unless(table.match_end is not None, "match-running", "the match is not over")
            return (MatchStarted(at),)
        case _:
            assert_never(command)


def apply(table: Table | None, event: TableEvent) -> Table:
    """Return the state after an event that `open_table` or `decide` made; `table` is None before `TableOpened`."""
    if isinstance(event, TableOpened):
        return Table(event, (SeatState(),) * event.seats, event.button, event.price)
    if table is None:
        raise TypeError("a table begins with TableOpened")
    match event:
        case HandStarted():
            price, price_next = _prices(table)
            started = hands.apply(table.rules, None, event)
            seats = tuple(replace(state, is_new=False) for state in table.seats)
            return replace(
                table,
                seats=seats,
                hand=started,
                settled=None,
                button=event.button,
                price=price,
                price_next=price_next,
            )
        case CardsDealt() | CardsPlaced():
            away = isinstance(event, CardsPlaced) and event.forced
            seats = _with_state(table, event.seat, replace(table.seat(event.seat), away=True)) if away else table.seats
            return replace(table, hand=hands.apply(table.rules, table.hand, event), seats=seats)
        case HandSettled():
            return _apply_settled(table, event)
        case HandAbandoned():
            return replace(table, hand=None)
        case PlayerSeated(seat, player):
            return replace(table, seats=_with_state(table, seat, replace(_fresh(table, player), is_new=True)))
        case PlayerLeft(seat):
            return _lapse(replace(table, seats=_with_state(table, seat, SeatState())))
        case PlayerReturned(seat):
            return replace(table, seats=_with_state(table, seat, replace(table.seat(seat), away=False)))
        case PriceSet(price):
            return replace(table, price_next=price if price != table.price else None)
        case MatchEnded(reason):
            return replace(table, match_end=reason)
        case MatchStarted():
            # Who is away stays away until they return (R-TIME-1).
            seats = tuple(replace(_fresh(table, state.player), away=state.away) for state in table.seats)
            return replace(
                table,
                seats=seats,
                price=table.opened.price,
                price_next=None,
                hand=None,
                settled=None,
                hands_played=0,
                match_end=None,
            )
        case _:
            assert_never(event)


def replay(events: tuple[TableEvent, ...]) -> Table:
    """Return the state that these events lead to, from the first on."""
    table: Table | None = None
    for event in events:
        table = apply(table, event)
    if table is None:
        raise TypeError("a table has at least one event")
    return table


def _decide_dealing(table: Table, command: DealHand) -> tuple[TableEvent, ...]:
    _refuse_unless(table.match_end is None, "match-over", "the match is over")
    _refuse_during_hand(table)
    seats = table.players
    allowed = any_of(table.rules.seats)
    _refuse_unless(
        len(seats) in table.rules.seats,
        "seats-count",
        f"{table.rules.id} is played by {allowed}, not {len(seats)}",
    )
    _refuse_unless(sorted(command.deck) == list(DECK), "deck-invalid", "a deck holds each of the 52 cards once")
    started = HandStarted(
        number=table.hands_played + 1,
        seats=seats,
        button=_button_among(table, table.button),
        fantasyland=tuple(table.seat(seat).owed for seat in seats),
        price=_prices(table)[0],
        deck=command.deck,
        at=command.at,
    )
    return hands.start_hand(table.rules, started)


def _decide_placing(table: Table, command: Place | Expire) -> tuple[TableEvent, ...]:
    _refuse_unless(table.is_playing, "no-hand", "no hand is under way")
    assert table.hand is not None  # noqa: S101  # is_playing says so
    events: list[TableEvent] = list(hands.decide(table.hand, command))
    hand = table.hand
    for event in events:
        assert isinstance(event, HandEvent)  # noqa: S101  # what a hand decides
        hand = hands.apply(table.rules, hand, event)
    if hand.is_over:
        after = replace(table, hand=hand)
        settled = _settle(after, hand, command.at)
        events.append(settled)
        events += _match_end(apply(after, settled), command.at)
    return tuple(events)


def _settle(table: Table, hand: Hand, at: Millis) -> HandSettled:
    settlement = hand.settle()
    transfers: tuple[Transfer, ...] = ()
    stacks: tuple[Chips, ...] = ()
    if hand.started.price is not None:
        paid = settle_chips(
            settlement,
            stacks=[table.seat(seat).stack or Chips(0) for seat in hand.seats],
            price=hand.started.price,
        )
        transfers, stacks = paid.transfers, paid.stacks
    settled = HandSettled(settlement, transfers, stacks, hand.button, at)
    after = _apply_settled(table, settled)
    return replace(settled, button_next=_button_next(after, hand))


def _button_next(after: Table, hand: Hand) -> Seat:
    """Return the button's seat in the next hand (R-FL-7)."""
    rule = after.rules.button
    stays = (rule is ButtonRule.AFTER_REGULAR_HAND and any(hand.started.fantasyland)) or (
        rule is ButtonRule.AFTER_HAND_EARNING_NONE and after.is_fantasyland_owed
    )
    step = 0 if stays else 1
    return _button_among(after, Seat((hand.button + step) % len(after.seats)))


def _button_among(table: Table, button: Seat) -> Seat:
    """Return the button's seat, or the next one clockwise that is dealt in."""
    clockwise = (Seat((button + step) % len(table.seats)) for step in range(len(table.seats)))
    return next((seat for seat in clockwise if seat in table.players), button)


def _apply_settled(table: Table, event: HandSettled) -> Table:
    hand = table.hand
    if hand is None:
        raise TypeError("a hand is settled after it started")
    seats = list(table.seats)
    for place, (seat, score) in enumerate(zip(hand.seats, event.settlement.players, strict=True)):
        state = seats[seat]
        after = replace(
            state,
            points=Points(state.points + score.points),
            stack=event.stacks[place] if event.stacks else None,
            owed=score.fantasyland_next,
        )
        # A player without chips is out (R-CHIP-4), and nothing more is owed to one who is out.
        seats[seat] = replace(
            after,
            owed=0 if after.is_out else after.owed,
            history=(*state.history, after.standing),
            out_after=table.hands_played + 1 if after.is_out else 0,
        )
    settled = replace(
        table,
        seats=tuple(seats),
        settled=event,
        hands_played=table.hands_played + 1,
        button=event.button_next,
    )
    return _lapse(settled)


def _lapse(table: Table) -> Table:
    """Let a Fantasyland lapse that is owed where no opponent is left (R-CHIP-6), unless the rules carry it."""
    if len(table.players) > 1 or table.rules.lone_fantasyland is LoneFantasyland.CARRIED:
        return table
    return replace(table, seats=tuple(replace(seat, owed=0) for seat in table.seats))


def _match_end(table: Table, at: Millis) -> list[TableEvent]:
    if len(table.players) < table.rules.min_seats:
        return [MatchEnded(MatchEnd.CHIPS, at)]
    return _hands_end(table, at)


def _hands_end(table: Table, at: Millis) -> list[TableEvent]:
    if table.hands_played >= table.opened.hands and not table.is_fantasyland_owed:
        return [MatchEnded(MatchEnd.HANDS, at)]
    return []


def _prices(table: Table) -> tuple[Chips | None, Chips | None]:
    """Return the price of the next hand and what still waits: a new price waits for every Fantasyland (R-CHIP-5)."""
    if table.price_next is None or table.is_fantasyland_owed:
        return table.price, table.price_next
    return table.price_next, None


def _fresh(table: Table, player: Player | None) -> SeatState:
    """Return a seat as it is at a match's start."""
    if player is None:
        return SeatState()
    return SeatState(player=player, stack=table.opened.stack, history=(table.opened.stack or 0,))


def _with_state(table: Table, seat: Seat, state: SeatState) -> tuple[SeatState, ...]:
    return (*table.seats[:seat], state, *table.seats[seat + 1 :])


def _refuse_unless(condition: object, code: str, message: str) -> None:
    if not condition:
        raise IllegalCommandError(Fault(code, message))


def _refuse_during_hand(table: Table) -> None:
    _refuse_unless(not table.is_playing, "hand-running", "a hand is under way")


def _refuse_empty_seat(table: Table, seat: Seat) -> None:
    _refuse_unless(
        0 <= seat < len(table.seats) and table.seat(seat).player is not None,
        "seat-empty",
        f"nobody sits in seat {seat}",
    )
