"""Commands at the tournament's desk: set up, enter, draw, clock, prizes, stages; and every refusal."""

import re
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from ofc.errors import IllegalCommandError
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Points
from ofc.tournament import commands as do
from ofc.tournament.commands import Command, Redo, Undo
from ofc.tournament.deciding import button_words, open_tournament
from ofc.tournament.events import Action, PlayerId, Stage, TableNumber
from ofc.tournament.prizes import BasisPoints, Fees, FixedAmounts, Money, Percentages
from ofc.tournament.standings import prizes, prizes_left, standings
from ofc.tournament.structure import Break, Level, Structure, structure_faults
from tests.directors import Director, at, levels

P1, P2, P3 = PlayerId(1), PlayerId(2), PlayerId(3)
T1 = TableNumber(1)


def refused(floor: Director, command: Command | Undo | Redo) -> str:
    """Give a command that must be refused, with nothing changed; return the code."""
    before = floor.state
    with pytest.raises(IllegalCommandError) as caught:
        floor.do(command)
    assert floor.state is before
    return caught.value.code


def test_a_tournament_is_set_up_as_asked_or_every_fault_is_told() -> None:
    floor = Director()
    assert floor.state.settings.stage is Stage.SETUP
    wrong = do.Open("", get_rules("tournament"), Structure(Chips(0), ()), seats=5, absent_points=Points(-1))
    with pytest.raises(IllegalCommandError) as caught:
        open_tournament(wrong, floor.told)
    assert {fault.code for fault in caught.value.faults} == {
        "structure-impossible", "name-length", "absent-points", "seats-count",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("structure", "fields"),
    [
        (Structure(Chips(0), levels(1)), ["starting_stack"]),
        (Structure(Chips(1), (Break(1),)), ["steps", "steps"]),
        (Structure(Chips(1), (Level(Chips(0), minutes=1), Level(Chips(1)))), ["steps[0].price"]),
        (Structure(Chips(1), (Level(Chips(1)), Level(Chips(1)))), ["steps[0]"]),
        (Structure(Chips(1), (Level(Chips(1), minutes=1, hands=1),)), ["steps[0]"]),
        (Structure(Chips(1), (Level(Chips(1), minutes=0),)), ["steps[0].minutes"]),
        (Structure(Chips(1), (Level(Chips(1), hands=0),)), ["steps[0].hands"]),
        (Structure(Chips(1), (Break(0), Level(Chips(1)))), ["steps[0].minutes"]),
        (Structure(Chips(1), (Level(Chips(1)),), late_until=2, reentries=-1), ["late_until", "reentries"]),
        (Structure(Chips(1), (*levels(1) * 201,)), ["steps"]),
        (Structure(Chips(1), (Level(Chips(1)),), late_until=1, reentries=1), []),
    ],
)
def test_impossible_structures(structure: Structure, fields: list[str]) -> None:
    assert [fault.field for fault in structure_faults(structure)] == fields


def test_players_are_registered_all_or_none() -> None:
    floor = Director()
    floor.register(2)
    new = do.NewPlayer
    doubled = do.Register((new(" a "), new("x" * 61), new("B\n"), new("C", club="c" * 61), new("c")))
    with pytest.raises(IllegalCommandError) as caught:
        floor.do(doubled)
    assert [fault.code for fault in caught.value.faults] == [
        "name-taken", "name-length", "name-taken", "club-length", "name-taken",
    ]  # fmt: skip
    assert refused(floor, do.Register(())) == "players-missing"
    assert refused(floor, do.Register((new("Z"),) * 10_000)) == "players-too-many"
    assert len(floor.state.players) == 2
    floor.do(do.ChangePlayer(P1, "Ann", "Club", paid=True))
    assert (floor.player(1).name, floor.player(1).club, floor.player(1).paid) == ("Ann", "Club", True)
    assert refused(floor, do.ChangePlayer(P1, "B", "", paid=True)) == "name-taken"
    assert refused(floor, do.ChangePlayer(PlayerId(9), "B", "", paid=True)) == "player-unknown"
    floor.do(do.Withdraw(P2))
    assert refused(floor, do.Withdraw(P2)) == "player-withdrawn"
    floor.do(do.Register((new("B"),)))
    assert floor.player(3).name == "B"


def test_the_draw_seats_everyone_once_and_again_the_same() -> None:
    floor = Director()
    floor.register(1)
    assert refused(floor, do.DrawSeats(1, ("a",))) == "players-too-few"
    assert refused(floor, do.StartClock()) == "not-running"
    assert refused(floor, do.SeatPlayer(P1, "a")) == "not-running"
    assert refused(floor, do.Finish()) == "not-running"
    floor.register(6)
    for codes in (("a", "b"), ("a", "b", "a"), ("a", "b", "")):
        assert refused(floor, do.DrawSeats(1, codes)) == "codes-missing"
    assert refused(floor, do.DrawSeats(2**60, ("a", "b", "c"))) == "seed-invalid"
    first = floor.do(do.DrawSeats(1, ("a", "b", "c")))
    assert refused(floor, do.DrawSeats(1, ("a", "b", "c"))) == "drawn"
    assert refused(floor, do.Withdraw(P1)) == "player-seated"
    assert [len(floor.sitting(number)) for number in (1, 2, 3)] == [3, 2, 2]
    floor.do(Undo(first.seq))
    assert floor.state.settings.stage is Stage.SETUP
    assert isinstance(first, Action)
    again = floor.do(do.DrawSeats(1, ("a", "b", "c")))
    assert isinstance(again, Action)
    assert again.events == first.events


def test_late_entry_reentry_and_their_limits() -> None:
    floor = Director(*levels(100, 200), Break(10), *levels(300), late_until=2, reentries=1, stack=1000)
    floor.begin(3)
    floor.register(1)
    assert refused(floor, do.SeatPlayer(PlayerId(4), "code-1")) == "codes-missing"
    floor.do(do.SeatPlayer(PlayerId(4), "late"))
    assert floor.player(4).at == at(2, 0)
    assert refused(floor, do.SeatPlayer(PlayerId(4), "x")) == "player-seated"
    floor.points({1: 20, 2: -10, 3: -10})
    assert [floor.player(n).at for n in (2, 3)] == [None, None]
    floor.do(do.SeatPlayer(P2, ""))
    assert (floor.player(2).stack, floor.player(2).entries, floor.player(2).out) == (1000, 2, None)
    here = floor.player(2).at
    assert here is not None
    other = next(player for player in floor.sitting(here.table) if player != 2)
    floor.points({2: -10, other: 10}, table=here.table)
    assert refused(floor, do.SeatPlayer(P2, "")) == "reentries-used"
    floor.wait(45)  # in the break after the last level of late entry
    floor.do(do.SeatPlayer(P3, ""))
    floor.wait(10)
    floor_register = do.Register((do.NewPlayer("Late"),))
    assert refused(floor, floor_register) == "entry-closed"
    assert refused(floor, do.SeatPlayer(P2, "")) == "entry-closed"


def test_someone_who_enters_during_a_hand_need_not_be_in_its_result() -> None:
    floor = Director(late_until=1)
    floor.begin(5)  # 3 and 2
    short = next(number for number in (1, 2) if len(floor.sitting(number)) == 2)
    first, second = floor.sitting(short)
    floor.register(1)
    floor.do(do.SeatPlayer(PlayerId(6), ""))
    assert floor.player(6).is_new
    floor.points({first: 1, second: -1}, table=short)
    assert not floor.player(6).is_new
    assert floor.player(6).stack == 10_000
    assert refused(floor, floor.hand({first: 1, second: -1}, table=short)) == "player-missing"
    floor.points({first: 1, second: -2, 6: 1}, table=short)


def test_the_clock_starts_stops_jumps_and_is_moved() -> None:
    floor = Director(*levels(100), Break(10), *levels(200), Level(Chips(300)))
    floor.begin(2)
    assert refused(floor, do.StartClock()) == "clock-runs"
    floor.wait(5)
    floor.do(do.PauseClock())
    assert refused(floor, do.PauseClock()) == "clock-stands"
    floor.wait(60)
    floor.do(do.StartClock())
    floor.do(do.AdjustClock(-60_000))
    assert floor.state.position(floor.told.at).left_ms == 14 * 60_000
    floor.do(do.AdjustClock(-60 * 60_000))
    assert floor.state.position(floor.told.at).left_ms == 1000
    assert refused(floor, do.AdjustClock(10**12)) == "change-too-large"
    floor.do(do.JumpTo(1))
    assert floor.state.position(floor.told.at).step == 1
    assert refused(floor, do.JumpTo(9)) == "step-unknown"
    floor.do(do.JumpTo(3))
    assert refused(floor, do.AdjustClock(1000)) == "no-end"
    floor.wait(10_000)
    assert floor.state.position(floor.told.at).step == 3


def test_a_hand_keeps_its_price_through_a_skipped_break_and_none_lasts_through_a_whole_one() -> None:
    steps = (*levels(100), Break(10), *levels(200), Break(10), *levels(400))

    def price(floor: Director) -> int:
        return floor.state.price(floor.table(), floor.told.at)[0]

    floor = Director(*steps)
    floor.begin(2)
    floor.wait(25)
    assert price(floor) == 100  # the result of the last hand before the break is late
    floor.wait(10)
    assert price(floor) == 200
    floor.do(do.PauseClock())  # what the clock passed is remembered
    assert floor.table().price == 200
    skipped = Director(*steps)
    skipped.begin(2)
    skipped.do(do.JumpTo(2))
    assert price(skipped) == 100
    skipped.points({1: 1, 2: -1})
    assert price(skipped) == 200
    short = Director(*steps)
    short.begin(2)
    short.wait(21)
    short.do(do.JumpTo(2))  # the break is cut short
    assert price(short) == 200


def test_the_structure_is_edited_while_it_runs() -> None:
    floor = Director(*levels(100, 200), stack=5)
    new = Structure(Chips(5), levels(100, 150, 200))
    floor.do(do.ChangeSettings("Cup 2", new, Points(4)))
    assert (floor.state.settings.name, floor.state.settings.absent_points) == ("Cup 2", 4)
    floor.begin(2)
    floor.wait(25)
    gone = Structure(Chips(5), levels(90, 150, 200))
    assert refused(floor, do.ChangeSettings("Cup", gone, Points(3))) == "structure-impossible"
    is_now_break = Structure(Chips(5), (*levels(100), Break(5), *levels(200)))
    assert refused(floor, do.ChangeSettings("Cup", is_now_break, Points(3))) == "structure-impossible"
    floor.do(do.ChangeSettings("Cup", new, Points(3)))
    floor.wait(40)  # at the last level, without end
    assert floor.state.position(floor.told.at).left_ms is None
    floor.do(do.ChangeSettings("Cup", Structure(Chips(5), levels(100, 150, 200, 300)), Points(3)))
    assert floor.state.position(floor.told.at).left_ms == 20 * 60_000
    floor.wait(25)
    assert floor.state.position(floor.told.at).step == 3


def test_the_starting_stack_is_fixed_by_the_draw() -> None:
    """Equal chips: who enters late, or again, begins with what everybody began with."""
    floor = Director(*levels(100, 200), stack=5)
    floor.do(do.ChangeSettings("Cup", Structure(Chips(7), levels(100)), Points(3)))
    floor.begin(4)
    other = do.ChangeSettings(" ", Structure(Chips(8), levels(50)), Points(3))
    with pytest.raises(IllegalCommandError) as caught:
        floor.do(other)
    fixed = caught.value.faults[-1]
    assert [fault.code for fault in caught.value.faults] == ["name-length", "starting-stack-fixed"]
    assert (fixed.field, fixed.text) == ("structure.starting_stack", "8")
    floor.do(do.Bag())
    assert refused(floor, replace(other, name="Cup")) == "starting-stack-fixed"
    floor.do(Undo(floor.state.seq))
    floor.do(replace(other, name="Cup", structure=Structure(Chips(7), levels(50))))


def test_a_hand_is_refused_for_every_reason() -> None:
    floor = Director()
    floor.begin(3)
    hand = floor.hand({1: 1, 2: -1, 3: 0})
    assert refused(floor, replace(hand, table=TableNumber(4))) == "table-unknown"
    assert refused(floor, replace(hand, hand=0)) == "hand-entered"
    assert refused(floor, replace(hand, hand=2)) == "hand-ahead"
    assert refused(floor, floor.hand({1: 1, 2: -1})) == "player-missing"
    assert refused(floor, floor.hand({1: 1, 2: -1, 3: 0, 9: 0})) == "player-not-here"
    assert refused(floor, floor.hand({1: 1, 2: 1, 3: 0})) == "points-sum"
    assert refused(floor, floor.hand({1: 10_001, 2: -10_001, 3: 0})) == "points-invalid"
    assert refused(floor, floor.hand({1: 1, 2: -1, 3: 0}, {1: 13})) == "fantasyland-count"
    assert refused(floor, floor.hand({1: 1, 2: -1, 3: 0}, {9: 14})) == "player-not-here"
    floor.points({1: 1, 2: -1, 3: 0})
    assert refused(floor, hand) == "hand-entered"
    with pytest.raises(IllegalCommandError, match="is missing"):
        floor.boards({1: "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h"})
    same = "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h"
    with pytest.raises(IllegalCommandError) as caught:
        floor.boards({1: same, 2: "9d 8c 2h / As Ad 7d 6d 3c / Ks Js 8s 6s 3s", 3: same})
    third = floor.player(floor.sitting()[-1]).name
    twice = next(fault for fault in caught.value.faults if fault.text == "9c")
    assert (twice.code, twice.player, twice.row, twice.text) == ("card-twice", third, "top", "9c")
    first = floor.player(floor.sitting()[0]).name
    assert twice.message == f"9c is on other boards too: {first}'s top"
    assert "players[" not in str(caught.value)
    floor.do(do.MarkAbsence(P2, absent=True))
    with pytest.raises(IllegalCommandError, match=re.escape(f"{floor.player(2).name} does not play at this table")):
        floor.points({1: 1, 2: 0, 3: -1})
    with pytest.raises(IllegalCommandError, match="player 9 does not play at this table"):
        floor.points({1: 1, 3: -1, 9: 0})
    assert twice.field == f"boards.{floor.sitting()[-1]}.top"


def test_absent_players_are_blinded_and_two_of_them_owe_each_other_nothing() -> None:
    floor = Director(stack=1000)
    floor.begin(3)
    floor.do(do.MarkAbsence(P2, absent=True))
    floor.points({1: 5, 3: -5})
    assert floor.stacks() == {1: 1800, 2: 400, 3: 800}
    floor.do(do.MarkAbsence(P3, absent=True))
    assert refused(floor, floor.hand({1: 0}, {1: 14})) == "fantasyland-blinded"
    floor.points({})
    assert floor.stacks() == {1: 2400, 2: 100, 3: 500}
    floor.do(do.MarkAbsence(P1, absent=True))
    floor.points({})
    assert floor.stacks() == {1: 2400, 2: 100, 3: 500}
    floor.do(do.MarkAbsence(P1, absent=False))
    floor.points({1: 0})
    assert floor.stacks() == {1: 2800, 3: 200}
    assert refused(floor, do.MarkAbsence(P2, absent=True)) == "player-not-seated"


def test_the_night_between_two_days() -> None:
    floor = Director()
    floor.begin(2)
    floor.wait(15)
    floor.do(do.Bag())
    assert refused(floor, do.Bag()) == "not-running"
    assert refused(floor, floor.hand({1: 1, 2: -1})) == "not-running"
    assert refused(floor, do.StartClock()) == "not-running"
    assert refused(floor, do.DeclareFantasyland(T1, {P1: 14})) == "not-running"
    floor.wait(600)
    floor.do(do.JumpTo(2))
    floor.do(do.Resume())
    assert refused(floor, do.Resume()) == "not-bagged"
    assert floor.table().price == 300
    floor.do(do.Finish())
    assert refused(floor, do.StartClock()) == "finished"


def test_prizes_follow_the_places_and_a_deal_replaces_those_still_played_for() -> None:
    floor = Director(Level(Chips(100)), stack=1000)
    shares = Percentages((BasisPoints(5000), BasisPoints(3000), BasisPoints(2000)))
    floor.begin(4)
    assert prizes(floor.state) == ()
    assert refused(floor, do.SetPrizes(Fees(Money(-1)), shares)) == "amount-negative"
    assert refused(floor, do.SetPrizes(Fees(Money(1)), shares, unit=Money(0))) == "unit-invalid"
    assert refused(floor, do.SetPrizes(Fees(Money(10**13)), shares)) == "amount-too-large"
    floor.do(do.SetPrizes(Fees(Money(100)), shares))
    assert prizes(floor.state) == (200, 120, 80)
    one, two = floor.sitting(1)
    floor.points({one: 10, two: -10}, table=1)
    floor.do(do.PlanMoves())
    left = [player.id for player in floor.state.alive]
    first, second, third = sorted(left, key=lambda player: -floor.player(player).stack)
    by_player = {one.player: one for one in standings(floor.state)}
    assert (by_player[PlayerId(two)].place, by_player[PlayerId(two)].prize) == (4, 0)
    assert by_player[first].prize is None
    assert prizes_left(floor.state) == (200, 120, 80)
    deal = {first: Money(160), second: Money(110), third: Money(100)}
    assert refused(floor, do.MakeDeal({**deal, PlayerId(two): Money(0)}, Money(30))) == "player-not-seated"
    assert refused(floor, do.MakeDeal({first: Money(370)}, Money(30))) == "player-missing"
    assert refused(floor, do.MakeDeal({**deal, first: Money(-1)}, Money(30))) == "amount-negative"
    assert refused(floor, do.MakeDeal(deal)) == "deal-sum"
    made = floor.do(do.MakeDeal(deal, Money(30)))
    assert isinstance(made, Action)
    names = [floor.player(player).name for player in (first, second, third)]
    assert made.words == f"A deal was made: {names[0]} 160, {names[1]} 110, {names[2]} 100, 30 for the winner."
    assert refused(floor, do.MakeDeal(deal, Money(30))) == "deal-made"
    assert refused(floor, do.SetPrizes(Fees(Money(1)), shares)) == "deal-made"
    assert {one.player: one.prize for one in standings(floor.state)}[third] == 100
    floor.do(do.Finish())
    told = {one.player: one.prize for one in standings(floor.state)}
    assert told == {first: 190, second: 110, third: 100, PlayerId(two): 0}


def test_prizes_that_do_not_fit_yet_are_left_open() -> None:
    floor = Director(stack=1000)
    floor.register(2)
    floor.do(do.SetPrizes(Fees(Money(100)), FixedAmounts((Money(500),))))
    assert refused(floor, do.MakeDeal({P1: Money(1)})) == "not-running"
    floor.do(do.DrawSeats(1, ("a",)))
    assert [one.prize for one in standings(floor.state)] == [None, None]
    assert refused(floor, do.MakeDeal({P1: Money(100), P2: Money(100)})) == "prizes-not-the-pool"


def test_more_prizes_than_players_go_to_the_first() -> None:
    """Three entries of two players: the third prize has nobody to take it."""
    floor = Director(Level(Chips(100)), stack=1000, late_until=1, reentries=1)
    floor.begin(2)
    thirds = Percentages((BasisPoints(4000), BasisPoints(3000), BasisPoints(3000)))
    floor.do(do.SetPrizes(Fees(Money(100)), thirds))
    floor.points({1: 10, 2: -10})
    floor.do(do.SeatPlayer(P2, ""))
    assert prizes(floor.state) == (210, 90)


def test_who_has_the_button_next_in_words() -> None:
    floor = Director()
    floor.begin(2)
    assert button_words(floor.state, floor.table()) == floor.player(floor.sitting()[1]).name
    nobody = changed(floor.table(), seats=(None, None, None))
    assert button_words(floor.state, nobody) == ""
