"""Tables and hands under any commands: legal, duplicate, stale, late and hostile ones."""

from __future__ import annotations

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ofc import table as tables
from ofc.board import Board, Placement, Row
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
from ofc.view import View, view_for
from tests.hidden import known_to, with_other_secrets
from tests.strategies import any_rules
from tests.tables import KINGS, PLAIN_A, PLAIN_B, QUADS, QUEENS, TRIPS, Game, any_placements, cards_shown, check_cards

pytestmark = pytest.mark.unmeasured  # it plays much, and shows no line that smaller tests do not

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
        try:
            events = self.game.do(command)
        except IllegalCommandError:
            assert self.table is before
            assert len(self.game.events) == count
            return False
        for event in events:
            if isinstance(event, HandSettled):
                self.check_settled(event)
            if isinstance(event, CardsPlaced):
                self.check_placed(before, event)
                self.hidden_cards_do_not_move_a_view()
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
        viewer = random.Random(line).choice([None, *self.game.hand.seats])
        partial = parse_record(format_record(seen_by(record, viewer)))
        assert partial == seen_by(record, viewer)
        last = replay_record(partial)[-1].table
        # Of the hand, the viewer sees in the partial history just what they see at the table.
        seen, there = view_for(last, viewer), view_for(self.table, viewer)
        assert (seen.log, [seat.board for seat in seen.seats]) == (there.log, self.boards_of_the_hand(there))

    def boards_of_the_hand(self, view: View) -> list[Board | None]:
        return [seat.board for seat in view.seats if seat.seat in self.game.hand.seats]

    # ------------------------------------------------------------------------------------------ legal commands

    @precondition(lambda self: not self.table.is_playing and self.table.match_end is None)
    @rule(generator=generators)
    def deal(self, generator: random.Random) -> None:
        self.attempt(DealHand(shuffled_deck(generator), self.game.now))

    @precondition(lambda self: self.table.is_playing)
    @rule(generator=generators, moves=st.integers(1, 12))
    def place(self, generator: random.Random, moves: int) -> None:
        for _ in range(moves):
            if self.table.is_playing:
                seat = generator.choice(self.game.hand.to_act)
                placements = any_placements(self.game.hand, seat, generator)
                assert self.attempt(Place(seat, placements, None, self.game.now))

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

    @precondition(lambda self: not self.table.is_playing and self.table.match_end is None)
    @rule(board=st.sampled_from([QUEENS, KINGS, TRIPS, QUADS]), generator=generators)
    def play_for_fantasyland(self, board: str, generator: random.Random) -> None:
        players = list(self.table.players)
        if len(players) in self.table.rules.seats and len(players) <= 3:
            generator.shuffle(players)
            boards: dict[int, Board | str] = dict(zip(players, [board, PLAIN_A, PLAIN_B], strict=False))
            self.check_settled(self.game.play_boards(boards))
            self.attempt(DealHand(shuffled_deck(generator), self.game.now))

    # ---------------------------------------------------------------------------- commands legal now and then

    @precondition(lambda self: self.table.match_end is not None)
    @rule()
    def rematch(self) -> None:
        assert self.attempt(StartMatch(self.game.now))

    @rule(data=st.data(), seat=seats, at=st.integers(0, 2**41).map(Millis))
    def come_go_and_ask(self, data: st.DataObject, seat: Seat, at: Millis) -> None:
        commands: st.SearchStrategy[TableCommand] = st.one_of(
            st.builds(Sit, st.just(seat), st.builds(Player, texts, st.none() | st.just("random")), st.just(at)),
            st.builds(SetPrice, st.integers(-1, 500).map(Chips), st.just(at)),
            st.sampled_from([Leave(seat, at), Return(seat, at), StartMatch(at), EndMatch(at)]),
            st.builds(DealHand, generators.map(shuffled_deck), st.just(at)),
        )
        self.attempt(data.draw(commands))

    @precondition(lambda self: not self.table.is_playing)
    @rule(generator=generators)
    def change_player(self, generator: random.Random) -> None:
        seat = Seat(generator.randrange(len(self.table.seats)))
        self.attempt(Leave(seat, self.game.now))
        assert self.attempt(Sit(seat, Player("Newcomer"), self.game.now)) == all(
            state.player is None or state.player.name != "Newcomer" or n == seat
            for n, state in enumerate(self.table.seats)
        )

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
TestTables.settings = settings(max_examples=min(settings().max_examples // 2, 300))
