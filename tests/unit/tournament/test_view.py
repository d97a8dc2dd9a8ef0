"""A tournament as its pages see it."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from ofc.scoring import Chips, Points, Seat
from ofc.tournament import event_view, view
from ofc.tournament.commands import (
    Bag,
    CorrectStack,
    DeclareFantasyland,
    Finish,
    JumpTo,
    MarkAbsence,
    PauseClock,
    PlanMove,
    PlayHandForHand,
    Redo,
    RemovePlayer,
    Resume,
    SeatPlayer,
    SetPrizes,
    Undo,
    Withdraw,
)
from ofc.tournament.events import Action, HandSettled, PlayerId, Stage, TableNumber
from ofc.tournament.prizes import (
    BasisPoints,
    Fees,
    FixedAmounts,
    Money,
    Payouts,
    Percentages,
    PlaceWeights,
    TemplatePayouts,
)
from ofc.tournament.structure import Break, Level
from tests.directors import Director, at, levels

MINUTE = 60_000


def settled(director: Director) -> HandSettled:
    """The hand that was entered last."""
    entry = director.log.entries[-1]
    assert isinstance(entry, Action)
    return next(event for event in entry.events if isinstance(event, HandSettled))


def event(director: Director) -> event_view.EventView:
    return event_view.event_view(director.state, director.told.at)


def clock(director: Director) -> view.ClockView:
    return view.clock_view(director.state, director.told.at)


def player(director: Director, number: int) -> view.PlayerView:
    return view.players_view(director.state, director.told.at)[PlayerId(number)]


def table(director: Director, number: int = 1) -> view.TableView:
    return view.table_view(director.state, director.table(number), director.told.at)


def test_an_event_that_is_set_up_and_one_that_is_played() -> None:
    director = Director(*levels(10, 20), stack=1000, late_until=1)
    shown = event(director)
    assert (shown.name, shown.stage, shown.seats, shown.levels) == ("Cup", Stage.SETUP, 3, 2)
    assert (shown.entries, shown.players_left, shown.chips, shown.average) == (0, 0, 0, 0)
    assert (shown.entry_open, shown.hand_for_hand, shown.prizes) == (True, False, None)
    director.begin(7)
    director.do(RemovePlayer(PlayerId(7), "went home"))
    director.do(PlayHandForHand(True))
    shown = event(director)
    assert (shown.entries, shown.players_left, shown.chips, shown.average) == (7, 6, 6000, 1000)
    assert (shown.stage, shown.entry_open, shown.hand_for_hand) == (Stage.RUNNING, True, True)
    assert shown.behind == (1, 3)  # nobody is left to play against at table 2
    director.wait(20)
    assert event(director).entry_open is False


def test_entry_is_open_in_the_night_and_closed_at_the_end() -> None:
    director = Director(*levels(10, 20), late_until=1)
    director.begin(3)
    director.do(Bag())
    assert event(director).entry_open is True
    director.do(Finish())
    assert event(director).entry_open is False


def won(director: Director) -> tuple[int, tuple[Money, ...], bool]:
    """The pool, the prizes, and whether they fit the entries."""
    shown = event(director).prizes
    assert shown is not None
    return shown.pool, shown.places, shown.problem is None


def test_prizes_are_shown_once_they_fit_the_entries() -> None:
    director = Director()
    director.do(SetPrizes(Fees(Money(10)), FixedAmounts((Money(500),))))
    director.begin(3)
    assert won(director) == (30, (), False)
    director.do(SetPrizes(Fees(Money(10)), Percentages((BasisPoints(7000), BasisPoints(3000)))))
    assert won(director) == (30, (21, 9), True)


def test_places_that_get_nothing_are_remarked_on() -> None:
    director = Director()
    director.begin(6)

    def remark(payouts: Payouts, unit: int = 1, fee: int = 10) -> str | None:
        director.do(SetPrizes(Fees(Money(fee)), payouts, Money(unit)))
        shown = event(director).prizes
        assert shown is not None
        assert shown.problem is None
        return shown.remark

    assert remark(PlaceWeights(5), 10) == "Places 3, 4 and 5 get nothing: prizes are rounded down to steps of 10"
    assert remark(PlaceWeights(3), 15) == "Place 3 gets nothing: prizes are rounded down to steps of 15"
    assert remark(FixedAmounts((Money(60), Money(0)))) == "Place 2 gets nothing"
    assert remark(PlaceWeights(5)) is None
    assert remark(PlaceWeights(5), fee=0) is None


def test_a_player_is_new_from_sitting_down_to_the_tables_next_result() -> None:
    director = Director(*levels(10, 20), late_until=2)
    director.begin(5)
    director.register(1)
    director.do(SeatPlayer(PlayerId(6), ""))
    number = player(director, 6).table
    assert number is not None
    assert [one for one in range(1, 7) if player(director, one).is_new] == [6]
    director.points({one: 0 for one in director.sitting(number) if one != 6}, table=number)
    assert player(director, 6).is_new is False


def test_the_pool_grows_with_registrations_before_the_draw() -> None:
    director = Director()
    director.do(SetPrizes(Fees(Money(10)), Percentages((BasisPoints(7000), BasisPoints(3000)))))
    assert won(director) == (0, (), True)
    director.register(1)
    assert (event(director).entries, won(director)) == (1, (10, (), False))
    director.register(3)
    director.do(Withdraw(PlayerId(2)))
    assert (event(director).entries, won(director)) == (3, (30, (21, 9), True))
    director.begin(1)
    assert (event(director).entries, won(director)) == (4, (40, (28, 12), True))


@pytest.mark.parametrize(
    ("payouts", "said"),
    [
        (Percentages((BasisPoints(6050), BasisPoints(3950))), {"percents": (60.5, 39.5)}),
        (FixedAmounts((Money(5),)), {"amounts": (5,)}),
        (PlaceWeights(4), {"places": 4}),
        (TemplatePayouts("club"), {"template": "club"}),
    ],
)
def test_the_terms_of_prizes_are_told_as_the_command_takes_them(payouts: Payouts, said: dict[str, object]) -> None:
    director = Director()
    director.do(SetPrizes(Fees(Money(10), Money(1), Money(2), Money(3)), payouts, Money(5), 2))
    shown = event(director).prizes
    assert shown is not None
    nobody = dict.fromkeys(("percents", "amounts", "template", "places"))
    assert asdict(shown.terms) == {
        "fee": 10, "house_fee": 1, "added": 2, "guaranteed": 3, "unit": 5, "remainder_to": 2, **nobody, **said,
    }  # fmt: skip


def test_rules_as_a_table_needs_them() -> None:
    rules = event_view.rules_view(Director().state.settings.rules)
    assert (rules.id, rules.can_stay) == ("tournament", False)
    assert rules.fantasyland == event_view.EntryCards(queens=14, kings=15, aces=16, trips=17)


def test_a_structure_step_by_step() -> None:
    director = Director(Level(Chips(10), minutes=20), Break(5), Level(Chips(20), hands=3), Level(Chips(40)))
    shown = event_view.structure_view(director.state.structure)
    assert shown.steps == (
        event_view.StepView("level", 1, Chips(10), 20, None),
        event_view.StepView("break", None, None, 5, None),
        event_view.StepView("level", 2, Chips(20), None, 3),
        event_view.StepView("level", 3, Chips(40), None, None),
    )
    assert (shown.starting_stack, shown.late_until, shown.reentries) == (10_000, 0, 0)


def test_the_clock_runs_stands_and_has_a_break_ahead() -> None:
    director = Director(*levels(10, 20), Break(5), *levels(40), late_until=0)
    director.begin(3)
    shown = clock(director)
    assert (shown.running, shown.step, shown.level, shown.is_break) == (True, 0, 1, False)
    assert (shown.price, shown.price_next) == (10, 20)
    assert (shown.left_ms, shown.ends_at) == (20 * MINUTE, 20 * MINUTE)
    assert (shown.next_break_ms, shown.next_break_at) == (40 * MINUTE, 40 * MINUTE)
    director.wait(5)
    director.do(PauseClock())
    director.wait(50)
    shown = clock(director)
    assert (shown.running, shown.left_ms, shown.ends_at) == (False, 15 * MINUTE, None)
    assert (shown.next_break_ms, shown.next_break_at) == (35 * MINUTE, None)
    director.do(JumpTo(2))
    shown = clock(director)
    assert (shown.is_break, shown.level, shown.price, shown.price_next) == (True, 2, 40, None)
    assert shown.next_break_ms is None
    director.do(JumpTo(3))
    assert (clock(director).left_ms, clock(director).price_next) == (None, None)


def test_no_moment_is_named_for_a_break_behind_a_level_counted_in_hands() -> None:
    director = Director(Level(Chips(10), minutes=20), Level(Chips(20), hands=3), Break(5), *levels(40))
    director.begin(3)
    assert (clock(director).next_break_ms, clock(director).next_break_at) == (None, None)


def test_players_before_the_draw_have_no_place() -> None:
    director = Director()
    director.register(2)
    shown = player(director, 1)
    assert (shown.table, shown.seat, shown.stack, shown.points, shown.place, shown.out) == (
        None,
        None,
        0,
        0,
        None,
        None,
    )


def test_players_are_placed_by_their_stacks_and_share_places() -> None:
    director = Director(*levels(100), stack=1000)
    director.begin(3)
    first, second, third = director.sitting()
    director.do(CorrectStack(PlayerId(first), Chips(2050), "miscounted"))
    shown = {number: player(director, number) for number in (first, second, third)}
    assert [shown[number].place for number in (first, second, third)] == [1, 2, 2]
    assert (shown[first].points, shown[second].points) == (20, 10)
    assert (shown[first].table, shown[first].seat) == (1, 0)
    director.do(MarkAbsence(PlayerId(second), True))
    director.do(DeclareFantasyland(TableNumber(1), {PlayerId(first): 14}))
    assert player(director, second).absent is True
    assert (player(director, first).declared, player(director, first).fantasyland) == (14, 0)


def test_those_who_are_out_share_their_place_until_they_enter_again() -> None:
    director = Director(*levels(100, 200), stack=1000, late_until=1, reentries=1)
    director.begin(3)
    first, second, third = director.sitting()
    director.points({first: 100, second: -50, third: -50})
    assert player(director, second).out == view.OutView(2, 2, TableNumber(1), 1)
    assert player(director, third).place == 2
    assert (player(director, second).table, player(director, second).points) == (None, 0)
    director.do(SeatPlayer(PlayerId(second), ""))
    assert player(director, second).out is None
    assert player(director, third).out == view.OutView(3, 1, TableNumber(1), 1)


def test_a_prize_is_shown_once_it_is_won() -> None:
    director = Director(*levels(100), stack=1000)
    director.do(SetPrizes(Fees(Money(10)), Percentages((BasisPoints(7000), BasisPoints(3000)))))
    director.begin(2)
    first, second = director.sitting()
    director.points({first: 100, second: -100})
    assert (player(director, first).prize, player(director, second).prize) == (None, 6)
    director.do(Finish())
    assert player(director, first).prize == 14


def test_a_table_in_fantasyland_keeps_its_price_and_says_what_follows() -> None:
    director = Director(*levels(100, 200), stack=10_000)
    director.begin(3)
    first, second, _ = director.sitting()
    shown = table(director)
    assert (shown.number, shown.hand, shown.button, shown.seats) == (1, 1, 0, tuple(director.sitting()))
    assert (shown.price, shown.held, shown.button_after, shown.last_result_at, shown.short) == (100, False, 1, None, ())
    director.wait(20)
    director.points({first: 2, second: -2, director.sitting()[2]: 0}, {first: 14})
    director.do(CorrectStack(PlayerId(second), Chips(1500), "miscounted"))
    shown = table(director)
    assert (shown.hand, shown.held, shown.price, shown.price_clock) == (2, True, 100, 200)
    assert (shown.button, shown.button_after) == (0, 1)
    assert (shown.last_result_at, shown.short) == (20 * MINUTE, (second,))


def shown(director: Director, number: int = 1) -> int:
    table = view.table_view(director.state, director.table(number), director.told.at)
    seated = director.state.at_table(TableNumber(number))[0]
    assert player(director, seated.id).points == seated.stack // table.price
    return table.price


def test_overnight_stacks_are_counted_at_the_price_that_play_goes_on_at() -> None:
    """R-CHIP-5: no hand is under way, so that the next one has the clock's price, unless Fantasyland keeps another."""
    director = Director(*levels(100, 200, 300))
    director.begin(4)
    director.wait(25)
    assert (shown(director, 1), shown(director, 2)) == (100, 100)  # hands that began before
    one, two = director.sitting(1)
    director.points({one: 1, two: -1}, {one: 14}, table=1)
    director.do(Bag())
    assert (shown(director, 1), shown(director, 2)) == (100, 200)
    director.do(JumpTo(2))
    assert (shown(director, 1), shown(director, 2)) == (100, 300)
    director.do(Resume())
    assert (shown(director, 1), shown(director, 2)) == (100, 300)


def test_a_table_that_waits_shows_the_price_of_the_hand_that_it_waits_for() -> None:
    director = Director(*levels(100, 200, 300))
    director.begin(4)
    director.do(PlayHandForHand(on=True))
    one, two = director.sitting(1)
    director.points({one: 1, two: -1}, table=1)
    director.wait(25)
    assert (shown(director, 1), shown(director, 2)) == (200, 100)
    three, four = director.sitting(2)
    director.points({three: 1, four: -1}, table=2)
    assert (director.table(1).price, director.table(2).price) == (200, 200)
    by_hands = Director(Level(Chips(100), hands=1), Level(Chips(500)))
    by_hands.begin(4)
    one, two = by_hands.sitting(1)
    by_hands.points({one: 1, two: -1}, table=1)
    assert (shown(by_hands, 1), shown(by_hands, 2)) == (500, 100)


def test_a_player_who_waits_alone_counts_points_at_the_clock_s_price() -> None:
    director = Director(*levels(100, 200, 300))
    director.begin(4)
    _, two = director.sitting(1)
    director.do(RemovePlayer(PlayerId(two), "left"))
    director.wait(25)
    assert (shown(director, 1), shown(director, 2)) == (200, 100)


def test_a_move_says_which_table_it_waits_for() -> None:
    director = Director(*levels(100))
    director.begin(5)
    mover, other = director.sitting(1)[0], director.sitting(2)[0]
    director.do(PlanMove(PlayerId(mover), at(2, 2), "too warm"))
    assert view.moves_view(director.state) == (view.MoveView(PlayerId(mover), at(2, 2), "too warm", None),)
    director.do(DeclareFantasyland(TableNumber(2), {PlayerId(other): 14}))
    (move,) = view.moves_view(director.state)
    assert move.waits_for == 2


def test_moves_are_proposed_only_while_it_is_played() -> None:
    director = Director(*levels(100))
    director.begin(7)
    for number in director.sitting(1)[:2]:
        director.do(RemovePlayer(PlayerId(number), "went home"))
    assert view.proposed_view(director.state)
    director.do(Bag())
    assert view.proposed_view(director.state) == ()


def test_a_hand_says_what_everyone_had_and_what_was_due() -> None:
    director = Director(*levels(100, 200), stack=1000)
    director.begin(3)
    first, second, third = director.sitting()
    director.points({first: 15, second: -12, third: -3})
    hand = view.hand_view(settled(director), places={PlayerId(second): 3})
    assert hand.before == {first: 1000, second: 1000, third: 1000}
    assert hand.after == director.stacks() | {second: 0}
    assert [(paid.due, paid.chips, paid.capped_by) for paid in hand.payments] == [
        (900, 900, None), (600, 600, None), (300, 100, "loser"),
    ]  # fmt: skip
    assert hand.out == (view.PlayerOut(PlayerId(second), 3),)
    assert (hand.price, hand.price_next, hand.held_next, hand.source) == (100, 100, False, "points")
    assert hand.points == {first: Points(15), second: Points(-12), third: Points(-3)}
    assert hand.button_next == Seat(2)


def test_a_hand_that_is_not_entered_yet_has_the_places_it_would_give() -> None:
    director = Director(*levels(100), stack=1000)
    director.begin(3)
    first, second, third = director.sitting()
    for number, stack in ((second, 500), (third, 300)):
        director.do(CorrectStack(PlayerId(number), Chips(stack), "miscounted"))
    before = director.state
    director.points({first: 50, second: -25, third: -25})
    assert view.places_after(before, settled(director)) == {second: 2, third: 3}
    director.do(Undo(director.state.seq))
    director.do(CorrectStack(PlayerId(third), Chips(500), "miscounted"))
    before = director.state
    director.points({first: 50, second: -25, third: -25})
    assert view.places_after(before, settled(director)) == {second: 2, third: 2}


def test_the_log_in_words_newest_first() -> None:
    director = Director(*levels(100))
    director.begin(6)
    first, second, third = director.sitting(2)
    entry = director.points({first: 1, second: -1, third: 0}, table=2)
    director.do(Undo(entry.seq))
    director.do(Redo(entry.seq))
    lines = view.log_lines(director.log, most=3)
    assert [line.words.partition(":")[0] for line in lines] == ["Redone", "Undone", "Table 2, hand 1"]
    assert [(line.table, line.undone, line.can_undo, line.undoes) for line in lines] == [
        (2, False, False, entry.seq), (2, False, False, entry.seq), (2, False, True, None),
    ]  # fmt: skip
    assert lines[0].words == f"Redone: {lines[2].words}"
    director.do(Undo(entry.seq))
    assert view.log_line(director.log, entry).undone is True
    drawn = next(line for line in view.log_lines(director.log, most=50) if "drawn" in line.words)
    assert (drawn.table, drawn.can_undo, drawn.by, drawn.at) == (None, False, "director", 0)


def test_the_log_page_by_page() -> None:
    director = Director(*levels(100))
    director.register(9)
    for _ in range(5):
        director.register(1)
    numbers = [entry.seq for entry in director.log.entries]
    assert [line.seq for line in view.log_lines(director.log, most=100)] == numbers[::-1]
    assert [line.seq for line in view.log_lines(director.log, most=2)] == [7, 6]
    assert [line.seq for line in view.log_lines(director.log, most=2, before=6)] == [5, 4]
    assert [line.seq for line in view.log_lines(director.log, most=9, before=3)] == [2, 1]
    assert view.log_lines(director.log, most=9, before=1) == ()
    assert [line.seq for line in view.log_lines(director.log, most=1, before=10**9)] == [7]
