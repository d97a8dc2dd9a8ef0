"""R-CHIP-5 where clock or levels change while no hand is under way: nobody plays at a price that was not in force."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ofc.errors import IllegalCommandError
from ofc.scoring import Chips, Points
from ofc.tournament import commands as do
from ofc.tournament.checking import check_log
from ofc.tournament.commands import Undo
from ofc.tournament.events import LogEntry, PlayerId, TableNumber
from ofc.tournament.log import read_log, write_log
from ofc.tournament.structure import Break, Level, Step
from tests.directors import Director, at

T1 = TableNumber(1)


def steps(*prices: int) -> tuple[Step, ...]:
    """The first level, a break, and the other levels, all of twenty minutes."""
    first, *others = (Level(Chips(price), minutes=20) for price in prices)
    return (first, Break(20), *others)


def floor_of(count: int, *own: Step) -> Director:
    floor = Director(*(own or steps(100, 200, 300)))
    floor.begin(count)
    return floor


def play(floor: Director, *tables: int) -> None:
    """A hand in which nobody wins."""
    for table in tables:
        floor.points(dict.fromkeys(floor.sitting(table), 0), table=table)


def in_break(*played: int) -> Director:
    """Two tables in the break, in which these ended a hand."""
    floor = floor_of(4)
    floor.do(do.JumpTo(1))
    play(floor, *played)
    return floor


def change(floor: Director, *own: Step) -> LogEntry:
    return floor.do(do.ChangeSettings("Cup", replace(floor.state.structure, steps=own), Points(3)))


def prices(floor: Director) -> list[int]:
    """What the tables play at, in order; the log is right, and can be written and read."""
    entries = read_log(write_log(floor.log.entries))
    assert list(entries) == floor.log.entries
    assert check_log(entries) == ()
    return [floor.state.price(table, floor.told.at)[0] for table in floor.state.open_tables]


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_level_changed_in_the_break_before_it_r_chip_5(by_hand: bool) -> None:
    floor = in_break(1)
    assert prices(floor) == [200, 100]
    change(floor, *steps(100, 250, 300))
    assert prices(floor) == [250, 100]
    if by_hand:
        floor.do(do.JumpTo(2))
    else:
        floor.wait(25)
    assert prices(floor) == [250, 250]
    play(floor, 1, 2)
    assert prices(floor) == [250, 250]


@pytest.mark.parametrize(("step", "expected"), [(3, [300, 300]), (2, [200, 200]), (0, [100, 100])])
def test_a_jump_out_of_the_break_r_chip_5(step: int, expected: list[int]) -> None:
    floor = in_break(1)
    floor.do(do.JumpTo(step))
    assert prices(floor) == expected
    hand = floor.log.entries[-1]
    floor.do(Undo(hand.seq))
    assert prices(floor) == [200, 100]


def test_a_level_put_after_the_break_in_place_of_a_break_r_chip_5() -> None:
    """The step that a table was to play at may become a break: it has begun no hand."""
    floor = in_break(1)
    change(floor, Level(Chips(100), 20), Break(20), Break(5), Level(Chips(150), 20), Level(Chips(200)))
    assert prices(floor) == [150, 100]
    floor.wait(26)
    assert prices(floor) == [150, 150]


def test_a_hand_of_a_level_that_would_be_gone_is_not_between_hands_r_chip_5() -> None:
    floor = floor_of(4)
    floor.do(do.JumpTo(3))
    play(floor, 1)
    floor.do(do.JumpTo(1))
    with pytest.raises(IllegalCommandError) as error:
        change(floor, *steps(100, 200))
    assert error.value.faults[0].message == "table 1 still plays at a level that would be gone"


def test_a_hand_under_way_keeps_its_price_through_a_jump_back_to_the_break_r_chip_5() -> None:
    floor = in_break(1, 2)
    floor.do(do.JumpTo(2))  # both tables begin a hand
    floor.do(do.JumpTo(1))  # too soon
    change(floor, *steps(100, 250, 300))
    assert prices(floor) == [200, 200]
    play(floor, 1)
    assert prices(floor) == [250, 200]
    floor.do(do.JumpTo(3))
    assert prices(floor) == [300, 200]
    play(floor, 2)
    assert prices(floor) == [300, 300]


def test_fantasyland_keeps_its_price_whatever_becomes_of_the_break_r_chip_5() -> None:
    floor = in_break()
    first, second = floor.sitting(1)
    floor.points({first: 0, second: 0}, {first: 14})
    change(floor, *steps(100, 250, 300))
    floor.do(do.JumpTo(3))
    assert prices(floor) == [100, 300]
    play(floor, 1)
    assert prices(floor) == [300, 300]


def test_fantasyland_done_in_the_break_r_chip_5() -> None:
    floor = in_break()
    floor.do(do.DeclareFantasyland(T1, {PlayerId(floor.sitting(1)[0]): 14}))
    floor.do(do.EndFantasyland(T1))
    floor.do(do.JumpTo(3))
    assert prices(floor) == [300, 300]


def test_a_table_that_plays_again_in_the_break_r_chip_5() -> None:
    """Its last opponent comes, and the price is that of the break's end; so it is after a night in the break."""
    floor = floor_of(5)
    long = next(number for number in (1, 2) if len(floor.sitting(number)) == 3)
    floor.do(do.RemovePlayer(PlayerId(floor.sitting(3 - long)[0]), "ill"))
    floor.do(do.JumpTo(1))
    floor.do(do.MoveNow(PlayerId(floor.sitting(long)[0]), at(3 - long, 2), "to play"))
    floor.do(do.Bag())
    floor.do(do.Resume())
    floor.do(do.StartClock())
    change(floor, *steps(100, 250, 300))
    assert prices(floor) == [250, 250]
    floor.do(do.JumpTo(3))
    assert prices(floor) == [300, 300]


def test_a_night_after_a_jump_back_to_the_break_r_chip_5() -> None:
    """No hand was played overnight, so that none is under way in the break, though its price was the same before."""
    floor = in_break(1, 2)
    floor.do(do.JumpTo(2))
    floor.do(do.JumpTo(1))
    floor.do(do.Bag())
    floor.do(do.Resume())
    change(floor, *steps(100, 250, 300))
    assert prices(floor) == [250, 250]


def test_a_change_is_not_taken_back_once_a_table_has_its_price_r_chip_5() -> None:
    floor = in_break()
    changed = change(floor, *steps(100, 250, 300))
    play(floor, 1)
    with pytest.raises(IllegalCommandError) as error:
        floor.do(Undo(changed.seq))
    assert (error.value.code, str(error.value)) == (
        "played-on",
        "table 1 has its price from this; set the clock or the levels instead",
    )
    floor.wait(25)  # it has begun the hand at it
    paused = floor.do(do.PauseClock())
    floor.do(Undo(paused.seq))
    change(floor, *steps(100, 270, 300))
    later = floor.do(do.PauseClock())
    floor.do(Undo(later.seq))
    assert prices(floor) == [250, 250]


def test_the_jump_to_a_break_is_not_taken_back_once_a_hand_ended_in_it_r_chip_5() -> None:
    floor = floor_of(4)
    jump = floor.do(do.JumpTo(1))
    play(floor, 1)
    with pytest.raises(IllegalCommandError) as error:
        floor.do(Undo(jump.seq))
    assert error.value.code == "played-on"
    floor.do(do.JumpTo(0))
    assert prices(floor) == [100, 100]


def test_a_price_of_a_break_s_level_that_was_skipped_or_changed_was_never_in_force_r_chip_5() -> None:
    floor = in_break(1)
    change(floor, *steps(100, 250, 300))
    floor.do(do.JumpTo(2))
    late = floor.hand(dict.fromkeys(floor.sitting(1), 0))
    with pytest.raises(IllegalCommandError) as error:
        floor.do(replace(late, price=Chips(200)))
    assert str(error.value) == "hand 2 of table 1 began at 250 a point, not at 200"
    floor.do(replace(late, price=Chips(250)))
    assert prices(floor) == [250, 250]


def test_a_table_that_waited_for_a_level_in_hands_begins_at_the_clock_s_price_r_chip_5() -> None:
    """The clock goes on by hand: who had played all hands of the level has begun no other."""
    floor = floor_of(4, Level(Chips(100), hands=1), Level(Chips(200), 20), Level(Chips(300)))
    play(floor, 1)
    floor.do(do.JumpTo(2))
    assert prices(floor) == [300, 100]


def test_a_table_that_waited_for_the_round_begins_at_the_clock_s_price_r_chip_5() -> None:
    """Hand for hand ends by hand: who had played the round has begun no other hand."""
    floor = floor_of(4, Level(Chips(100), 20), Level(Chips(200)))
    floor.do(do.PlayHandForHand(on=True))
    play(floor, 1)
    floor.wait(21)
    floor.do(do.PlayHandForHand(on=False))
    assert prices(floor) == [200, 100]


def test_a_price_changed_while_a_table_waits_for_the_level_s_last_hands_r_chip_5() -> None:
    """One more hand makes it play on, at the new price; the one that it has played counts."""
    levels = Level(Chips(200), 20), Level(Chips(300))
    floor = floor_of(4, Level(Chips(100), hands=1), *levels)
    play(floor, 1)
    change(floor, Level(Chips(150), hands=2), *levels)
    assert prices(floor) == [150, 100]
    play(floor, 1, 2, 2)
    assert prices(floor) == [200, 200]


def test_the_last_table_of_a_round_begins_at_the_clock_s_price_r_chip_5() -> None:
    """The last hand of the other table leaves one player, who is to move to this one."""
    floor = floor_of(4)
    winner, loser = floor.sitting(2)
    floor.do(do.PlanMove(PlayerId(winner), at(1, 2), "the last table"))
    floor.do(do.PlayHandForHand(on=True))
    play(floor, 1)
    floor.do(do.JumpTo(3))
    assert prices(floor) == [100, 100]
    floor.points({winner: 100, loser: -100}, table=2)
    assert floor.state.hand_for_hand is None
    assert prices(floor) == [300]
