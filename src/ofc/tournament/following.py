"""What follows of itself from an action: due moves, closed tables, new prices, new levels."""

from __future__ import annotations

from ofc.scoring import Chips
from ofc.tournament.applying import Draft
from ofc.tournament.clock import clock_at, is_break, step_length_ms
from ofc.tournament.events import (
    Action,
    ButtonSet,
    ClockSet,
    HandForHandSet,
    HandSettled,
    Moved,
    SeatAt,
    Stage,
    StageReached,
    TableClosed,
    TableNumber,
    TablePriced,
    TournamentEvent,
)
from ofc.tournament.pacing import has_played, is_level_over, is_round_over
from ofc.tournament.seating import next_seat
from ofc.tournament.state import Tournament


def follow_up(before: Tournament, action: Action) -> list[TournamentEvent]:
    """Return the events that follow an action's own; `IllegalCommandError` if those cannot be applied."""
    return _Following(before, action).followed


class _Following:
    """An action applied, and what follows from it applied after it, step by step."""

    def __init__(self, before: Tournament, action: Action) -> None:
        self.before = before
        self.action = action
        self.draft = Draft(before, action)
        self.followed: list[TournamentEvent] = []
        for event in action.events:
            self.draft.apply(event)
        self._move_players()
        self._tidy_tables()
        self._price_tables()
        if self.state.settings.stage is Stage.RUNNING:
            self._go_on()

    @property
    def state(self) -> Tournament:
        return self.draft.state

    def _add(self, event: TournamentEvent) -> None:
        self.draft.apply(event)
        self.followed.append(event)

    def _move_players(self) -> None:
        """Make the moves that are due; one may free the seat of another."""
        between_hands = {event.table for event in self.action.events if isinstance(event, HandSettled)}
        has_moved = True
        while has_moved:
            has_moved = False
            for player, source, to in self.state.moves_ahead:
                is_played = source not in between_hands and len(self.state.at_table(source)) > 1
                if not (is_played and self.state.settings.stage is Stage.RUNNING) and self._is_way_free(source, to):
                    self._add(Moved(player, to))
                    has_moved = True

    def _is_way_free(self, source: TableNumber, to: SeatAt) -> bool:
        """Whether neither table is in Fantasyland, and the seat is there and free."""
        target = self.state.tables.get(to.table)
        if target is None or not target.open or target.seats[to.seat] is not None:
            return False
        return not self.state.is_frozen(source) and not self.state.is_frozen(to.table)

    def _tidy_tables(self) -> None:
        for number in self.draft.touched_tables:
            table = self.state.tables[number]
            players = self.state.at_table(number)
            is_new = number not in self.before.tables
            if not players and not is_new and not self._is_expected(number):
                self._add(TableClosed(number))
            elif len(players) > 1 and not is_new and len(self.before.at_table(number)) < 2:
                self._begin(number)  # it stood while the clock went on
            if players and table.seats[table.button] is None:
                self._add(ButtonSet(number, next_seat(table, table.button)))

    def _is_expected(self, number: TableNumber) -> bool:
        """Whether somebody is to move to the table."""
        return any(move.to.table == number for move in self.state.moves_ahead)

    def _price_tables(self) -> None:
        """Give tables their price where the clock or the levels change by hand.

        What the clock passed by itself before is forgotten then. No hand was being played overnight, nor in a break
        that is cut short: the clock's new price counts at once. So it does where the table has begun no hand yet.
        """
        is_clock_set = any(isinstance(event, ClockSet | StageReached) for event in self.action.events)
        if not is_clock_set and not any(isinstance(event, HandForHandSet) for event in self.action.events):
            return
        before, state, at = self.before, self.state, self.action.at
        here, there = before.position(at).step, state.position(at).step
        is_cut_short = is_break(before.structure, here) and there > here
        is_resumed = before.settings.stage is Stage.BAGGED and state.settings.stage is Stage.RUNNING
        for table in state.open_tables:
            if table.number not in before.tables:
                continue
            is_called = has_played(before, table, at) and not has_played(state, table, at)  # it waits no more
            is_unplayed = is_resumed or is_called or before.is_between_hands(table, at)
            if not state.is_frozen(table.number) and (is_unplayed or (is_cut_short and table.step < here)):
                self._begin(table.number)
            elif is_clock_set:
                self._price(table.number, *before.price(table, at))

    def _begin(self, number: TableNumber) -> None:
        """Give a table that has begun no hand the price on the clock; in a break it waits until that is over."""
        table, now = self.state.tables[number], self.action.at
        price, step = self.state.price_on_clock(now)
        is_break_new = is_break(self.state.structure, self.state.position(now).step) and not table.after_break
        if is_break_new or (price, step) != (table.price, table.step):
            self._add(TablePriced(number, price, step))

    def _price(self, number: TableNumber, price: Chips, step: int) -> None:
        table = self.state.tables[number]
        if (price, step) != (table.price, table.step):
            self._add(TablePriced(number, price, step))

    def _go_on(self) -> None:
        pace = self.state.hand_for_hand
        if pace is not None:
            is_over, is_last = is_round_over(self.state), len(self.state.open_tables) < 2
            if is_over or is_last:
                self._add(HandForHandSet(0 if is_last else pace.round + 1))
            for table in self.state.open_tables if is_over else ():  # they had begun no hand: all play it at one price
                if not self.state.is_frozen(table.number):
                    self._begin(table.number)
        if is_level_over(self.state, self.action.at):
            step = self.state.position(self.action.at).step + 1
            length = step_length_ms(self.state.structure, step)
            waiting = [table.number for table in self.state.open_tables if not self.state.is_frozen(table.number)]
            self._add(clock_at(step, length, running=self.state.clock.running, now=self.action.at))
            for number in waiting:
                self._begin(number)
