"""Random directors, tables and clocks: whatever they do, late, twice or wrong, a tournament stays sound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ofc.clock import Millis
from ofc.errors import IllegalCommandError
from ofc.rules import LoneFantasyland
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Points, Seat
from ofc.tournament import commands as do
from ofc.tournament import event_view, view
from ofc.tournament.checking import check_log
from ofc.tournament.commands import Command, Redo, Told, Undo
from ofc.tournament.deciding import decide, open_tournament
from ofc.tournament.events import (
    Action,
    LogEntry,
    Moved,
    PlayerId,
    PlayerRemoved,
    SeatAt,
    Seated,
    StackCorrected,
    Stage,
    TableNumber,
)
from ofc.tournament.history import Log
from ofc.tournament.log import read_log, write_log
from ofc.tournament.pacing import waits_for
from ofc.tournament.pricing import steps_reached
from ofc.tournament.prizes import Fees, Money, PlaceWeights, PrizeError, TemplatePayouts
from ofc.tournament.seating import propose_moves
from ofc.tournament.settling import EnterPoints
from ofc.tournament.standings import prizes, prizes_left, standings
from ofc.tournament.state import Tournament
from ofc.tournament.structure import Break, Level, Structure

pytestmark = pytest.mark.unmeasured  # it plays much, and shows no line that smaller tests do not

LEVELS = (
    Level(Chips(10), minutes=20),
    Level(Chips(20), minutes=20),
    Break(10),
    Level(Chips(40), hands=2),
    Level(Chips(80), minutes=20),
    Break(5),
    Level(Chips(160)),
)
numbers = st.integers(-1, 12)
seats = st.integers(-1, 3)


def floor_of(state: Tournament) -> dict[SeatAt, PlayerId]:
    return {
        SeatAt(table.number, Seat(seat)): player
        for table in state.tables.values()
        for seat, player in enumerate(table.seats)
        if player is not None
    }


class TournamentMachine(RuleBasedStateMachine):
    @initialize(players=st.integers(2, 11), seed=st.integers(0, 99), late=st.integers(0, 5), is_carried=st.booleans())
    def open(self, players: int, seed: int, late: int, is_carried: bool) -> None:
        rules = get_rules("tournament")
        if is_carried:
            rules = replace(rules, id="own", lone_fantasyland=LoneFantasyland.CARRIED)
        structure = Structure(Chips(300), LEVELS, late_until=late, reentries=1)
        self.now = 1_000_000
        self.names = 0
        self.codes = 0
        self.chips = 0
        self.entry_chips: dict[int, int] = {}
        self.in_force: dict[tuple[TableNumber, int], set[Chips]] = {}
        self.held: set[tuple[TableNumber, int]] = set()
        self.log = Log.replay([open_tournament(do.Open("Cup", rules, structure), self.told)])
        self.give(do.Register(tuple(do.NewPlayer(self.name()) for _ in range(players))))
        self.give(do.DrawSeats(seed, tuple(self.code() for _ in range(8))))
        self.give(do.StartClock())

    @property
    def told(self) -> Told:
        return Told("someone", Millis(self.now))

    @property
    def state(self) -> Tournament:
        return self.log.state

    def name(self) -> str:
        self.names += 1
        return f"P{self.names}"

    def code(self) -> str:
        self.codes += 1
        return f"c{self.codes}"

    def give(self, command: Command | Undo | Redo) -> LogEntry:
        """Give a command that must be allowed, or raise, with nothing changed."""
        before = self.state
        players, tables, undone = dict(before.players), dict(before.tables), set(self.log.undone)
        try:
            entry = decide(self.log, command, self.told)
            expected = self.log.touched_by(entry)
        finally:
            assert self.state is before
            assert (before.players, before.tables, self.log.undone) == (players, tables, undone)
        self.log.append(entry)
        self.note_prices()
        assert (before.players, before.tables) == (players, tables)
        assert self.log.touched_by(entry) == expected
        self.check_moves(before, entry)
        self.count(before, entry)
        return entry

    def attempt(self, command: Command | Undo | Redo) -> LogEntry | None:
        """Give a command that may be refused."""
        try:
            return self.give(command)
        except IllegalCommandError:
            return None

    def check_moves(self, before: Tournament, entry: LogEntry) -> None:
        """Nobody moves out of a table that was in Fantasyland when the hand, or the command, was over."""
        if not isinstance(entry, Action):
            return
        after = Log(before).state
        settled = [event for event in entry.events if not isinstance(event, Moved)]
        for event in entry.events:
            if isinstance(event, Moved | PlayerRemoved):
                source = before.players[event.player].at
                assert source is not None
                has_hand = any(getattr(other, "table", None) == source.table for other in settled)
                assert has_hand or not after.is_frozen(source.table)

    def count(self, before: Tournament, entry: LogEntry) -> None:
        if not isinstance(entry, Action):
            sign = -1 if entry.action in self.log.undone else 1
            self.chips += sign * self.entry_chips[entry.action]
            return
        change, stacks = 0, {player.id: player.stack for player in before.players.values()}
        for event in entry.events:
            match event:
                case Seated(player, _, stack) | StackCorrected(player, stack, _):
                    change += stack - stacks.get(player, 0)
                case PlayerRemoved(player):
                    change -= stacks[player]
                case _:
                    pass
        self.entry_chips[entry.seq] = change
        self.chips += change

    def note_prices(self) -> None:
        """Keep what was in force since each hand could begin, and which hands a Fantasyland held the price of."""
        step = self.state.position(Millis(self.now)).step
        item = self.state.structure.steps[step]
        for table in self.state.open_tables:
            known = self.in_force.setdefault((table.number, table.hand), set())
            if isinstance(item, Level):
                known.add(item.price)
            if self.state.is_frozen(table.number):
                self.held.add((table.number, table.hand))

    @rule(minutes=st.sampled_from([0, 1, 5, 12, 25]))
    def wait(self, minutes: int) -> None:
        for _ in range(minutes):
            self.now += 60_000
            self.note_prices()

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        tables = [
            table
            for table in self.state.open_tables
            if len(self.state.at_table(table.number)) > 1 and not waits_for(self.state, table, Millis(self.now))
        ]
        if self.state.settings.stage is not Stage.RUNNING or not tables:
            return
        table = data.draw(st.sampled_from(tables))
        here = [p for p in self.state.at_table(table.number) if not p.absent]
        if len(here) - sum(p.is_new for p in here) > 1:
            here = [p for p in here if not p.is_new or data.draw(st.booleans())]
        points = [Points(data.draw(st.integers(-30, 30))) for _ in here[1:]]
        own = dict(zip([p.id for p in here], [Points(-sum(points)), *points], strict=True))
        can = [p.id for p in here if not p.owed]
        cards = data.draw(st.dictionaries(st.sampled_from(can), st.sampled_from([0, 14, 15]))) if can else {}
        if len(here) < 2:
            cards = {p.id: 0 for p in here}
        command = EnterPoints(table.number, table.hand, own, cards)
        if (
            len(self.state.at_table(table.number))
            - sum(p.is_new and p.id not in own for p in self.state.at_table(table.number))
            < 2
        ):
            self.attempt(command)
            return
        self.give(command)
        with pytest.raises(IllegalCommandError):  # the second phone
            self.give(command)

    @rule(
        table=numbers,
        hand=st.integers(0, 5),
        points=st.dictionaries(numbers, st.integers(-40, 40), max_size=4),
        cards=st.dictionaries(numbers, st.integers(-1, 18), max_size=2),
    )
    def play_wrongly(self, table: int, hand: int, points: dict[Any, Any], cards: dict[Any, Any]) -> None:
        self.attempt(EnterPoints(TableNumber(table), hand, points, cards))

    @rule()
    def enter(self) -> None:
        entry = self.attempt(do.Register((do.NewPlayer(self.name()),)))
        if entry is not None:
            self.attempt(do.SeatPlayer(max(self.state.players), self.code()))

    @rule(player=numbers)
    def enter_again(self, player: int) -> None:
        self.attempt(do.SeatPlayer(PlayerId(player), self.code()))

    @rule(
        command=st.one_of(
            st.just(do.StartClock()),
            st.just(do.PauseClock()),
            st.builds(do.JumpTo, st.integers(-1, 8)),
            st.builds(do.AdjustClock, st.integers(-30, 30).map(lambda minutes: minutes * 60_000)),
            st.builds(do.PlayHandForHand, st.booleans()),
            st.builds(do.RedrawSeats, st.integers(0, 9)),
            st.just(do.Bag()),
            st.just(do.Resume()),
            st.builds(do.DeclareFantasyland, numbers, st.dictionaries(numbers, st.sampled_from([0, 14, 15, 18]))),
            st.builds(do.EndFantasyland, numbers),
            st.builds(do.MarkAbsence, numbers, st.booleans()),
            st.builds(do.CorrectStack, numbers, st.integers(-1, 500), st.sampled_from(["", "miscounted"])),
            st.builds(do.SetButton, numbers, seats),
            st.builds(do.RemovePlayer, numbers, st.sampled_from(["", "sent off"])),
            st.builds(do.Withdraw, numbers),
            st.builds(do.ChangePlayer, numbers, st.sampled_from(["P1", "Nobody"]), st.just("Club"), st.booleans()),
            st.builds(do.CancelMove, numbers),
            st.builds(do.PlanMove, numbers, st.builds(SeatAt, numbers, seats), st.just("balance")),
            st.builds(do.MoveNow, numbers, st.builds(SeatAt, numbers, seats), st.just("balance")),
            st.just(do.PlanMoves()),
            st.just(do.SetPrizes(Fees(Money(10)), TemplatePayouts("club"))),
            st.just(do.SetPrizes(Fees(Money(30)), PlaceWeights(2))),
            st.just(do.Finish()),
        )
    )
    def direct(self, command: Command) -> None:
        self.attempt(command)

    @rule(
        cut=st.integers(0, 8), steps=st.lists(st.sampled_from(LEVELS), min_size=1, max_size=4), late=st.integers(0, 9)
    )
    def restructure(self, cut: int, steps: list[Level | Break], late: int) -> None:
        structure = Structure(Chips(300), (*self.state.structure.steps[:cut], *steps), late, 1)
        self.attempt(do.ChangeSettings(self.name(), structure, Points(2)))

    @rule(prices=st.lists(st.integers(1, 200), min_size=len(LEVELS), max_size=len(LEVELS)))
    def reprice(self, prices: list[int]) -> None:
        """The director changes the prices of the levels that are to come, and of the one in force."""
        here = self.state.position(Millis(self.now)).step
        steps = [
            replace(item, price=Chips(price)) if isinstance(item, Level) and number >= here else item
            for number, (item, price) in enumerate(zip(self.state.structure.steps, prices, strict=False))
        ]
        rest = self.state.structure.steps[len(steps) :]
        structure = replace(self.state.structure, steps=(*steps, *rest))
        self.attempt(do.ChangeSettings(self.name(), structure, Points(2)))

    @rule(data=st.data(), prices=st.lists(st.integers(1, 200), min_size=len(LEVELS), max_size=len(LEVELS)))
    def play_in_a_break(self, data: st.DataObject, prices: list[int]) -> None:
        """Tables end their hands in a break, then what follows it is changed, or it ends otherwise than was thought."""
        steps = self.state.structure.steps
        breaks = [number for number, item in enumerate(steps) if isinstance(item, Break)]
        if breaks and self.attempt(do.JumpTo(data.draw(st.sampled_from(breaks)))) is not None:
            self.play(data)
            if data.draw(st.booleans()):
                self.reprice(prices)
            if data.draw(st.booleans()):
                self.attempt(do.JumpTo(data.draw(st.integers(0, len(steps) - 1))))
            else:
                self.wait(25)

    @rule(table=numbers, price=st.sampled_from([10, 20, 40, 80]))
    def play_late(self, table: int, price: int) -> None:
        """A phone that had no connection sends its hand."""
        known = self.state.tables.get(TableNumber(table))
        if known is not None:
            here = [player.id for player in self.state.at_table(known.number) if not player.absent]
            points = dict.fromkeys(here, Points(0))
            self.attempt(EnterPoints(known.number, known.hand, points, {}, Chips(price)))

    @rule(is_whole=st.booleans())
    def deal(self, is_whole: bool) -> None:
        """Who plays agrees to share what there is, evenly, or wrongly."""
        try:
            left = sum(prizes_left(self.state))
        except PrizeError:
            return
        first, *others = [player.id for player in self.state.alive] or [PlayerId(1)]
        self.attempt(do.MakeDeal({first: Money(left if is_whole else 1)} | dict.fromkeys(others, Money(0))))

    @rule(tables=st.sets(numbers, max_size=2))
    def take_over(self, tables: set[int]) -> None:
        self.attempt(do.TakeOver({TableNumber(number): self.code() for number in tables}))

    @rule(back=st.integers(0, 12), is_redo=st.booleans())
    def take_back(self, back: int, is_redo: bool) -> None:
        action = len(self.log.entries) - back
        self.attempt(Redo(action) if is_redo else Undo(action))

    @precondition(lambda self: isinstance(self.log.entries[-1], Action) and self.log.entries[-1].seq > 1)
    @rule()
    def undo_and_redo(self) -> None:
        """Undo then redo is identity, but for the number of entries."""
        before, action = self.state, self.log.entries[-1].seq
        try:
            self.give(Undo(action))
        except IllegalCommandError:
            assert before.settings.stage is Stage.FINISHED
            return
        self.give(Redo(action))
        assert replace(self.state, seq=before.seq) == before

    @rule()
    def even_out(self) -> None:
        """Once the moves that are proposed are made, tables are as few and as even as can be."""
        if self.state.settings.stage is Stage.FINISHED:
            return
        is_moving = bool(self.state.moves_ahead)
        if propose_moves(self.state):
            self.give(do.PlanMoves())
        assert not propose_moves(self.state)
        if is_moving:  # seats that are still to be left may be needed first
            return
        counts = [0] * (max(self.state.tables, default=0) + 1)
        for player in self.state.alive:
            place = player.move.to if player.move is not None else player.at
            assert place is not None
            counts[place.table] += 1
        used = [count for count in counts if count]
        assert not used or max(used) - min(used) < 2
        assert len(used) == -(-sum(used) // 3)

    @invariant()
    def chips_are_conserved(self) -> None:
        assert sum(player.stack for player in self.state.players.values()) == self.chips
        assert all(player.stack >= 0 for player in self.state.players.values())

    @invariant()
    def seats_are_unique(self) -> None:
        floor = floor_of(self.state)
        assert sorted(floor.values()) == sorted(player.id for player in self.state.alive)
        for place, player in floor.items():
            assert self.state.players[player].at == place
            assert self.state.tables[place.table].open
            assert self.state.players[player].stack > 0

    @invariant()
    def nobody_plays_at_a_price_that_was_not_in_force(self) -> None:
        """R-CHIP-5: not since the table's hand before ended, unless a Fantasyland holds the price."""
        state, now = self.state, Millis(self.now)
        is_in_break = isinstance(state.structure.steps[state.position(now).step], Break)
        for table in state.playing_tables():
            hand = (table.number, table.hand)
            if is_in_break or hand in self.held or waits_for(state, table, now):
                continue
            assert state.price(table, now)[0] in self.in_force[hand]

    @invariant()
    def the_clock_stands_where_nothing_is_played(self) -> None:
        assert not self.state.clock.running or self.state.settings.stage is Stage.RUNNING

    @invariant()
    def a_deal_is_between_all_who_play_and_shares_all_there_is(self) -> None:
        deal = self.state.deal
        if deal is not None:
            assert {player.id for player in self.state.alive} <= deal.shares.keys()
            assert sum(one.prize or 0 for one in standings(self.state)) + (
                deal.held_back if self.state.settings.stage is not Stage.FINISHED else 0
            ) == sum(prizes(self.state))

    @invariant()
    def pages_can_be_shown(self) -> None:
        now = Millis(self.now)
        assert view.clock_view(self.state, now).price > 0
        assert view.players_view(self.state, now).keys() == self.state.players.keys()
        for table in self.state.open_tables:
            assert view.table_view(self.state, table, now).price > 0
        assert event_view.event_view(self.state, now).players_left == len(self.state.alive)
        assert all(one.begun[0] > 0 for one in steps_reached(self.log, now))
        view.moves_view(self.state)
        view.proposed_view(self.state)
        view.log_lines(self.log, most=5)

    @invariant()
    def tables_are_sound(self) -> None:
        for table in self.state.open_tables:
            if self.state.at_table(table.number):
                assert table.seats[table.button] is not None
            assert isinstance(self.state.structure.steps[table.step], Level)
        places = [one.place for one in standings(self.state)]
        assert places == sorted(places)
        assert not places or places[0] == 1

    def teardown(self) -> None:
        if not hasattr(self, "log"):
            return
        data = write_log(self.log.entries)
        assert list(read_log(data)) == self.log.entries
        replayed = Log.replay(read_log(data))
        assert (replayed.state, replayed.undone, replayed.changes) == (self.state, self.log.undone, self.log.changes)
        assert check_log(self.log.entries) == ()


TestTournamentMachine: Callable[..., Any] = TournamentMachine.TestCase
