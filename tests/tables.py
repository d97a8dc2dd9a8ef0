"""Tables for tests: decks stacked so that chosen boards come out, hands played from a script or at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import islice

from ofc import table as tables
from ofc.board import ROWS, Board, Placement
from ofc.cards import DECK, Card, shuffled_deck
from ofc.clock import Millis
from ofc.dealing import deal_order
from ofc.events import HandEvent, HandSettled, HandStarted, Player, TableEvent, TableOpened
from ofc.hand import FILL_ORDER, Expire, Hand, Place
from ofc.rules import RuleSet
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Seat
from ofc.table import DealHand, Sit, Table, TableCommand, open_table

NAMES = ("Anna", "Bo", "Cato", "Dina")
STREET_MS = 7_000
"""How much later each move of a test comes than the one before."""

# Boards with no card in common, whatever seats they are given to. None of them earns Fantasyland but those that say so.
PLAIN_A = "2c 3d 5h / 4c 4d 6h 7s 8c / 9c 9d Ts Js Kc"
"""A pair over a pair over five high; no royalties."""
PLAIN_B = "2d 3h 5s / 4h 4s 6c 7d 8d / 9h 9s Tc Jc Kd"
"""The same ranks as `PLAIN_A`: every row ties."""
PLAIN_C = "2h 3s 5c / 6d 6s 7c 8h Td / Jd Jh Qc Ah Kh"
"""A pair of jacks over sixes over five high: beats the other two in middle and bottom."""
FOULED = "Qd Qh 2s / 3c 5d 7h 8s Th / Ad Ac As Kh Ks"
"""Queens over ten high."""


QUEENS = "Qc Qd 2h / Kh Ks 3c 5c 7c / Ac Ad 6d 8h Th"
"""Earns Fantasyland with queens, beats the plain boards in every row; no card in common with `PLAIN_A`, `PLAIN_B`."""
KINGS = "Kh Ks 2h / Ac Ad 3c 5c 7c / Qc Qd Qh 8h Th"
"""The same with kings."""
TRIPS = "Qc Qd Qh / Th Jd Qs Kh Ac / 2s 3s 6s 8s As"
"""The same with three queens, which also stay in Fantasyland."""
QUADS = "2s 3s 5d / Kh Ks 3c 5c 7c / Qc Qd Qh Qs 8h"
"""Four queens at the bottom stay in Fantasyland, where the rules know staying; high card on top."""


class Game:
    """A table with every event that led to it. Time goes on by `STREET_MS` with each command."""

    def __init__(
        self,
        rules: RuleSet | str = "pineapple",
        *,
        seats: int | None = None,
        money: tuple[int, int] | None = None,
        hands: int = 24,
        button: int = 0,
        names: Sequence[str] = NAMES,
    ) -> None:
        self.rules = get_rules(rules) if isinstance(rules, str) else rules
        count = self.rules.max_seats if seats is None else seats
        stack, price = (None, None) if money is None else (Chips(money[0]), Chips(money[1]))
        self.now = Millis(1_790_000_000_000)
        self.events: list[TableEvent] = []
        opened = TableOpened(self.rules, count, hands, stack, price, Seat(button), seeded=False, at=self.now)
        for event in open_table(opened):
            self.events.append(event)
        self.table: Table = tables.replay(tuple(self.events))
        for seat in range(count):
            self.do(Sit(Seat(seat), Player(names[seat]), self.now))

    @property
    def hand(self) -> Hand:
        """The hand under way, or the last one."""
        assert self.table.hand is not None
        return self.table.hand

    @property
    def settled(self) -> HandSettled:
        """The last hand's result."""
        assert self.table.settled is not None
        return self.table.settled

    @property
    def hand_events(self) -> list[TableEvent]:
        """The events of the last hand and of nothing else, from its start to its settlement or as far as it is."""
        starts = [n for n, event in enumerate(self.events) if isinstance(event, HandStarted)]
        return [event for event in self.events[starts[-1] :] if isinstance(event, HandEvent | HandSettled)]

    def do(self, command: TableCommand) -> tuple[TableEvent, ...]:
        """Decide a command, apply its events, and return them."""
        events = tables.decide(self.table, command)
        for event in events:
            self.events.append(event)
            self.table = tables.apply(self.table, event)
        self.now = Millis(self.now + STREET_MS)
        return events

    def deal(self, deck: Sequence[Card] | int) -> None:
        """Deal the next hand from a deck, or from one shuffled by a seed."""
        cards = shuffled_deck(random.Random(deck)) if isinstance(deck, int) else tuple(deck)
        self.do(DealHand(cards, self.now))

    def place(self, seat: int, placements: Sequence[Placement], discards: Sequence[Card] | None = None) -> None:
        """Place a street's cards."""
        given = None if discards is None else tuple(discards)
        self.do(Place(Seat(seat), tuple(placements), given, self.now))

    def expire(self, seat: int, arrangement: Sequence[Placement] = (), house: Sequence[Placement] = ()) -> None:
        """Let a seat's time run out."""
        self.do(Expire(Seat(seat), tuple(arrangement), tuple(house), self.now))

    def deal_boards(self, boards: Mapping[int, Board | str]) -> None:
        """Deal the next hand so that each seat is dealt the cards of its board, and others to discard."""
        read = {seat: Board.parse(board) if isinstance(board, str) else board for seat, board in boards.items()}
        self.deal(stacked_deck(self.table, read))

    def play_boards(self, boards: Mapping[int, Board | str]) -> HandSettled:
        """Deal and play the next hand so that each seat ends with its board; return the result."""
        read = {seat: Board.parse(board) if isinstance(board, str) else board for seat, board in boards.items()}
        self.deal_boards(boards)
        while self.table.is_playing:
            seat = self.hand.to_act[0]
            self.place(seat, towards(self.hand, seat, read[seat]))
        return self.settled

    def play_out(self, generator: random.Random) -> None:
        """Play the hand under way to its end: anything legal, in any order that is allowed."""
        while self.table.is_playing:
            seat = generator.choice(self.hand.to_act)
            self.place(seat, any_placements(self.hand, seat, generator))

    def play_match(self, seed: int) -> None:
        """Play hands at random until the match ends."""
        generator = random.Random(seed)
        while self.table.match_end is None:
            self.deal(shuffled_deck(generator))
            self.play_out(generator)


def stacked_deck(table: Table, boards: Mapping[int, Board]) -> tuple[Card, ...]:
    """Return a deck that deals each seat the cards of its board in the order of `towards`, and others to discard."""
    wanted = {card for board in boards.values() for card in board.cards}
    spare = iter([card for card in DECK if card not in wanted])
    seats = table.players
    held = [table.seat(seat).owed for seat in seats]
    button = tables._button_among(table, table.button)
    mine = {seat: iter(_in_order(boards[seat])) for seat in seats}
    deck: list[Card] = []
    for deal in deal_order(seats, button, held, table.rules.streets):
        placed = 13 if deal.street == 0 else table.rules.streets[deal.street - 1].placed
        deck += [placement.card for placement in islice(mine[deal.seat], placed)]
        deck += islice(spare, deal.count - placed)
    return (*deck, *spare)


def towards(hand: Hand, seat: Seat, board: Board) -> tuple[Placement, ...]:
    """Return the placements of the cards that the seat holds now which belong to `board`."""
    dealt = hand.holding(seat).dealt
    return tuple(placement for placement in _in_order(board) if placement.card in dealt)


def any_placements(hand: Hand, seat: Seat, generator: random.Random) -> tuple[Placement, ...]:
    """Return any legal placements, with ranks kept together so that some boards do not foul."""
    holding = hand.holding(seat)
    free = [row for row in FILL_ORDER for _ in range(holding.board.free(row))]
    cards = list(holding.dealt)
    if generator.random() < 0.3:
        generator.shuffle(free)
    if generator.random() < 0.7:
        cards.sort(key=lambda card: (sum(other.rank == card.rank for other in cards), card), reverse=True)
    return tuple(map(Placement, cards[: hand.to_place(seat)], free))


def cards_shown(value: object) -> set[Card]:
    """Return every card anywhere in a view, an outlook or any other value."""
    if isinstance(value, Card):
        return {value}
    if isinstance(value, Mapping):
        return cards_shown(list(value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return {card for item in value for card in cards_shown(item)}
    if is_dataclass(value):
        return cards_shown([getattr(value, item.name) for item in fields(value)])
    return set()


def check_cards(hand: Hand) -> None:
    """Assert that no card is held twice, all were dealt off the deck in order, and boards are what the log placed."""
    held: Counter[Card] = Counter()
    for holding in hand.holdings:
        held.update([*holding.board.cards, *holding.dealt, *holding.discards])
    assert not held or max(held.values()) == 1
    dealt = sum(deal.count for deal in hand.deals[: hand.deals_done])
    assert set(held) == set(hand.started.deck[:dealt])
    placed = {placement.card for entry in hand.log for placement in entry.placements}
    assert placed == {card for holding in hand.holdings for card in holding.board.cards}


def _in_order(board: Board) -> list[Placement]:
    return [Placement(card, row) for row in reversed(ROWS) for card in board.row(row)]
