"""Tables and hands under any commands: legal, duplicate, stale, late and hostile ones."""

from __future__ import annotations

import random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ofc import table as tables
from ofc.board import Placement, Row
from ofc.cards import DECK, Card, shuffled_deck
from ofc.clock import Millis
from ofc.errors import IllegalCommandError
from ofc.events import CardsPlaced, HandSettled, Player
from ofc.hand import Expire, Place
from ofc.notation import format_record, parse_record, record_of, replay_record, seen_by
from ofc.outlook import outlook_for
from ofc.rules import RuleSet
from ofc.scoring import Chips, Seat
from ofc.table import (
    DealHand,
    EndMatch,
    Leave,
    Return,
    SetPrice,
    Sit,
    StartMatch,
    Table,
    TableCommand,
)
from ofc.view import view_for
from tests.hidden import known_to, with_other_secrets
from tests.strategies import any_rules
from tests.tables import Game, any_placements, cards_shown, check_cards

seats = st.integers(-1, 5).map(Seat)
generators = st.integers(0, 2**32).map(random.Random)
placements = st.lists(st.builds(Placement, st.sampled_from(DECK), st.sampled_from(Row)), max_size=18).map(tuple)
texts = st.text(max_size=22) | st.sampled_from(["Anna", "anna", "Eva"])


class TableMachine(RuleBasedStateMachine):
    """A table at which anything is tried; whatever is refused must leave it as it was."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[TableCommand] = []

    @initialize(
        rules=any_rules,
        data=st.data(),
        money=st.none() | st.tuples(st.integers(1, 200), st.integers(1, 20)),
        hands=st.integers(1, 3),
    )
    def open(self, rules: RuleSet, data: st.DataObject, money: tuple[int, int] | None, hands: int) -> None:
        count = data.draw(st.sampled_from(rules.seats))
        self.game = Game(rules, seats=count, money=money, hands=hands, button=data.draw(st.integers(0, count - 1)))

    @property
    def table(self) -> Table:
        return self.game.table

    def attempt(self, command: TableCommand) -> bool:
        """Send a command; check that it changed nothing if it is refused, and what it must keep if not."""
        self.sent.append(command)
        before, count = self.table, len(self.game.events)
        copy = tables.replay(tuple(self.game.events))
        try:
            events = self.game.do(command)
        except IllegalCommandError:
            assert self.table is before
            assert self.table == copy
            assert len(self.game.events) == count
            return False
        for event in events:
            if isinstance(event, HandSettled):
                self.check_settled(event)
            if isinstance(event, CardsPlaced):
                self.check_placed(before, event)
        return True

    def check_placed(self, before: Table, event: CardsPlaced) -> None:
        assert before.hand is not None
        held = before.hand.holding(event.seat).dealt
        told = [placement.card for placement in event.placements] + list(event.discards)
        assert sorted(told) == sorted(held)
        assert event.placements
        board, now = before.hand.holding(event.seat).board, self.game.hand.holding(event.seat).board
        for row in Row:
            assert now.row(row)[: len(board.row(row))] == board.row(row)

    def check_settled(self, event: HandSettled) -> None:
        points = [player.points for player in event.settlement.players]
        assert sum(points) == 0
        record = record_of(self.table, table_id="k7m2qx")
        if event.stacks:
            assert sum(event.stacks) == sum(entry.stack or 0 for entry in record.seats)
            assert min(event.stacks) >= 0
        line = format_record(record)
        again = parse_record(line)
        assert (again, format_record(again)) == (record, line)
        frames = replay_record(again)
        assert [e for frame in frames for e in frame.events] == self.game.hand_events
        assert frames[-1].table.hand == self.table.hand
        for viewer in (None, *record.seats):
            seat = None if viewer is None else viewer.seat
            partial = parse_record(format_record(seen_by(record, seat)))
            assert partial == seen_by(record, seat)
            last = replay_record(partial)[-1].table
            assert view_for(last, seat).result is not None

    # ------------------------------------------------------------------------------------------ legal commands

    @rule(generator=generators)
    def deal(self, generator: random.Random) -> None:
        self.attempt(DealHand(shuffled_deck(generator), self.game.now))

    @precondition(lambda self: self.table.is_playing)
    @rule(generator=generators)
    def place(self, generator: random.Random) -> None:
        seat = generator.choice(self.game.hand.to_act)
        assert self.attempt(Place(seat, any_placements(self.game.hand, seat, generator), None, self.game.now))

    @precondition(lambda self: self.table.is_playing)
    @rule(generator=generators)
    def expire(self, generator: random.Random) -> None:
        seat = generator.choice(self.game.hand.to_act)
        house = any_placements(self.game.hand, seat, generator)
        arrangement = house[: generator.randint(0, len(house))]
        assert self.attempt(Expire(seat, arrangement, house, self.game.now))
        forced = next(e for e in reversed(self.game.events) if isinstance(e, CardsPlaced)).forced
        assert forced == (arrangement != house)
        assert self.table.seat(seat).away or not forced or self.table.hand is None

    @precondition(lambda self: self.table.is_playing)
    @rule(generator=generators)
    def play_out(self, generator: random.Random) -> None:
        while self.table.is_playing:
            seat = generator.choice(self.game.hand.to_act)
            assert self.attempt(Place(seat, any_placements(self.game.hand, seat, generator), None, self.game.now))

    # ---------------------------------------------------------------------------- commands legal now and then

    @rule(seat=seats, name=texts, bot=st.none() | st.just("random"))
    def sit(self, seat: Seat, name: str, bot: str | None) -> None:
        self.attempt(Sit(seat, Player(name, bot), self.game.now))

    @rule(seat=seats)
    def leave(self, seat: Seat) -> None:
        self.attempt(Leave(seat, self.game.now))

    @rule(seat=seats)
    def come_back(self, seat: Seat) -> None:
        self.attempt(Return(seat, self.game.now))

    @rule(price=st.integers(-1, 500))
    def set_price(self, price: int) -> None:
        self.attempt(SetPrice(Chips(price), self.game.now))

    @rule(is_meant=st.integers(0, 4))
    def end(self, is_meant: int) -> None:
        if is_meant == 0:
            self.attempt(EndMatch(self.game.now))

    @rule()
    def rematch(self) -> None:
        self.attempt(StartMatch(self.game.now))

    # ---------------------------------------------------------------------------------------- hostile commands

    @rule(seat=seats, cards=placements, discards=st.none() | st.lists(st.sampled_from(DECK), max_size=5).map(tuple))
    def place_anything(self, seat: Seat, cards: tuple[Placement, ...], discards: tuple[Card, ...] | None) -> None:
        self.attempt(Place(seat, cards, discards, self.game.now))

    @precondition(lambda self: self.table.is_playing)
    @rule(generator=generators, row=st.sampled_from(Row))
    def place_own_cards_wrong(self, generator: random.Random, row: Row) -> None:
        seat = generator.choice(self.game.hand.to_act)
        holding = self.game.hand.holding(seat)
        cards = [generator.choice(holding.dealt) for _ in range(self.game.hand.to_place(seat))]
        is_legal = len(set(cards)) == len(cards) <= holding.board.free(row)
        wanted = Place(seat, tuple(Placement(card, row) for card in cards), None, self.game.now)
        assert self.attempt(wanted) == is_legal

    @rule(seat=seats, arrangement=placements, house=placements)
    def expire_anyhow(self, seat: Seat, arrangement: tuple[Placement, ...], house: tuple[Placement, ...]) -> None:
        self.attempt(Expire(seat, arrangement, house, Millis(0)))

    @precondition(lambda self: self.sent)
    @rule(generator=generators)
    def send_again(self, generator: random.Random) -> None:
        self.attempt(generator.choice(self.sent[-4:]))

    @rule(generator=generators)
    def deal_a_false_deck(self, generator: random.Random) -> None:
        deck = list(shuffled_deck(generator))
        deck[0] = deck[1]
        assert not self.attempt(DealHand(tuple(deck), self.game.now))

    # ----------------------------------------------------------------------------------------------- invariants

    @invariant()
    def replay_equals_live(self) -> None:
        if hasattr(self, "game"):
            assert tables.replay(tuple(self.game.events)) == self.table

    @invariant()
    def no_card_is_there_twice(self) -> None:
        if not hasattr(self, "game") or self.table.hand is None:
            return
        check_cards(self.table.hand)

    @invariant()
    def hidden_cards_do_not_move_a_view(self) -> None:
        if not hasattr(self, "game"):
            return
        generator = random.Random(len(self.game.events))
        for viewer in (None, *(Seat(n) for n in range(len(self.table.seats)))):
            other = with_other_secrets(self.table, viewer, generator)
            view = view_for(self.table, viewer)
            assert view_for(other, viewer) == view
            assert cards_shown(view) <= known_to(self.table, viewer)

    @precondition(lambda self: self.table.is_playing)
    @rule(generator=generators)
    def hidden_cards_do_not_move_an_outlook(self, generator: random.Random) -> None:
        seat = generator.choice(self.game.hand.seats)
        other = with_other_secrets(self.table, seat, generator).hand
        assert other is not None
        arranged = any_placements(self.game.hand, seat, generator)
        arranged = arranged[: generator.randint(0, len(arranged))]
        dealt = self.game.hand.holding(seat).dealt
        chosen = [generator.choice(dealt) for _ in range(generator.randint(0, 2))] if dealt else []
        assert outlook_for(other, seat, arranged, chosen) == outlook_for(self.game.hand, seat, arranged, chosen)


TestTables = TableMachine.TestCase
# Each example plays whole hands, so that a long run needs fewer of them.
TestTables.settings = settings(max_examples=min(settings().max_examples, 400))
