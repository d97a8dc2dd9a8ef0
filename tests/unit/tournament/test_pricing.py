"""Hands entered late, at the price that they were played at, and the steps that the clock came to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ofc.errors import IllegalCommandError
from ofc.scoring import Chips, Points
from ofc.tournament.checking import check_log
from ofc.tournament.commands import (
    AdjustClock,
    ChangeSettings,
    DeclareFantasyland,
    JumpTo,
    PauseClock,
    StartClock,
    Undo,
)
from ofc.tournament.events import Action, HandSettled, LogEntry, TableNumber
from ofc.tournament.log import read_log, write_log
from ofc.tournament.pricing import steps_reached
from ofc.tournament.structure import Break, Level, Structure
from tests.directors import Director, levels

T1 = TableNumber(1)


def settled(entry: LogEntry) -> HandSettled:
    assert isinstance(entry, Action)
    hand = entry.events[0]
    assert isinstance(hand, HandSettled)
    return hand


def late(director: Director, price: int, won: int = 1, cards: int = 0) -> HandSettled:
    """Enter table 1's hand as a phone does that kept it: the first player wins from the second, at this price."""
    first, second = director.sitting()
    command = director.hand({first: won, second: -won}, {first: cards} if cards else None)
    return settled(director.do(replace(command, price=Chips(price))))


def refused(director: Director, price: int) -> str:
    before = director.state
    with pytest.raises(IllegalCommandError) as error:
        late(director, price)
    assert error.value.code == "price-not-in-force"
    assert (error.value.faults[0].field, error.value.faults[0].text) == ("price", str(price))
    assert director.state is before
    return str(error.value)


def begun(*steps: Level | Break) -> Director:
    director = Director(*(steps or levels(100, 200, 300)))
    director.begin(2)
    return director


def check(director: Director) -> None:
    """The log is right, and can be written and read."""
    entries = read_log(write_log(director.log.entries))
    assert list(entries) == director.log.entries
    assert check_log(entries) == ()


def test_hands_kept_over_a_level_change_are_paid_at_the_price_they_were_played_at() -> None:
    director = begun()
    director.points({1: 0, 2: 0})
    director.wait(25)  # the connection is gone; three hands are played, two of them in the first level
    paid = [late(director, price).payments[0].chips for price in (100, 100, 200)]
    assert paid == [100, 100, 200]
    assert director.table().price == 200
    director.wait(20)
    director.points({1: 1, 2: -1})
    assert director.table().price == 300
    check(director)


def test_a_price_that_was_not_in_force_is_refused_with_both_named() -> None:
    director = begun()
    director.points({1: 0, 2: 0})
    assert refused(director, 200) == "hand 2 of table 1 began at 100 a point, not at 200"
    director.wait(25)
    assert late(director, 100).late
    assert refused(director, 300) == "hand 3 of table 1 began at 200 or 100 a point, not at 300"
    late(director, 200)
    assert "at 200 a point, not at 100" in refused(director, 100)  # what came after 200 was not played before it
    check(director)


def test_a_hand_that_began_after_one_entered_at_once_has_one_price() -> None:
    director = begun()
    director.wait(19)
    director.points({1: 0, 2: 0})
    director.wait(5)
    assert "at 100 a point, not at 200" in refused(director, 200)
    director.points({1: 0, 2: 0})
    assert "at 200 a point, not at 100" in refused(director, 100)


def test_a_break_lies_between_hands() -> None:
    director = begun(Level(Chips(100), 20), Break(10), Level(Chips(200), 20), Break(10), Level(Chips(300), 20))
    director.points({1: 0, 2: 0})
    director.wait(95)  # both breaks are over
    assert refused(director, 500) == "hand 2 of table 1 began at 300, 100 or 200 a point, not at 500"
    assert late(director, 100).step == 0
    assert late(director, 200).step == 2
    assert late(director, 300).step == 4
    check(director)


def test_a_level_jumped_over_was_never_in_force() -> None:
    director = begun()
    director.points({1: 0, 2: 0})
    director.wait(5)
    director.do(PauseClock())
    director.do(AdjustClock(60_000))
    director.do(StartClock())
    director.do(JumpTo(2))
    director.wait(1)
    late(director, 100)
    assert "at 300 or 100 a point, not at 200" in refused(director, 200)
    check(director)


def test_a_jump_that_was_taken_back_counts_for_nothing() -> None:
    director = begun()
    director.points({1: 0, 2: 0})
    director.do(Undo(director.do(JumpTo(2)).seq))
    director.wait(25)
    late(director, 100)
    assert "at 200 or 100 a point, not at 300" in refused(director, 300)
    assert [(one.step, one.seq) for one in steps_reached(director.log, director.told.at)] == [(0, 1), (1, 4)]


def test_a_chain_keeps_its_price_however_late_it_is_entered() -> None:
    """R-CHIP-5."""
    director = begun()
    first, _ = director.sitting()
    director.wait(19)
    director.points({1: 0, 2: 0})
    director.do(DeclareFantasyland(T1, {director.player(first).id: 14}))
    director.wait(30)
    assert "at 100 a point, not at 200" in refused(director, 200)
    late(director, 100, cards=14)
    assert "at 100 a point, not at 300" in refused(director, 300)
    assert late(director, 100).price_next == 300
    check(director)


def test_the_first_hand_is_played_at_the_first_price() -> None:
    director = begun()
    director.wait(25)
    assert "at 100 a point, not at 200" in refused(director, 200)
    assert late(director, 100).payments[0].points == Points(1)


def test_a_late_hand_of_a_number_that_was_entered_is_told_so() -> None:
    director = begun()
    command = replace(director.hand({1: 0, 2: 0}), price=Chips(700))
    director.points({1: 0, 2: 0})
    with pytest.raises(IllegalCommandError) as error:
        director.do(command)
    assert error.value.code == "hand-entered"


def test_a_log_that_says_late_of_a_price_never_in_force_is_wrong() -> None:
    director = begun()
    director.points({1: 0, 2: 0})
    director.wait(25)
    late(director, 100)
    last = director.log.entries[-1]
    assert isinstance(last, Action)
    forged = replace(last, events=(replace(settled(last), price=Chips(1)), *last.events[1:]))
    assert [fault.code for fault in check_log([*director.log.entries[:-1], forged])] == ["price-not-in-force"]
    on_time = replace(last, events=(replace(settled(last), late=False), *last.events[1:]))
    assert check_log([*director.log.entries[:-1], on_time]) == ()  # at the price that the table played at anyway


def test_a_log_from_before_late_hands_is_read() -> None:
    director = begun()
    director.points({1: 1, 2: -1})
    text = write_log(director.log.entries)
    assert b',"late":false' in text
    assert list(read_log(text.replace(b',"late":false', b""))) == director.log.entries


def test_the_clock_comes_to_steps_by_itself_and_by_hand() -> None:
    director = begun(Level(Chips(100), 20), Break(10), Level(Chips(200), 20), Level(Chips(300)))
    start = director.now
    director.wait(35)
    jump = director.do(JumpTo(0))
    director.wait(25)
    found = steps_reached(director.log, director.told.at)
    assert [(one.step, (one.at - start) // 60_000) for one in found] == [(0, 0), (1, 20), (2, 30), (0, 35), (1, 55)]
    assert [one.seq for one in found][-2:] == [jump.seq, jump.seq]
    assert steps_reached(director.log, director.told.at, after=jump.seq) == found[-1:]


def restructured(director: Director, *prices: int) -> LogEntry:
    """Change the levels' prices."""
    structure = replace(director.state.structure, steps=levels(*prices))
    return director.do(ChangeSettings("Cup", structure, Points(3)))


def test_a_level_s_old_price_counts_for_hands_played_before_it_was_changed() -> None:
    """The phone does not know of the change: it has played two hands at 100, and sends them when both are at 150."""
    director = begun()
    director.points({1: 0, 2: 0})
    director.wait(5)
    restructured(director, 150, 200, 300)
    director.wait(1)
    assert [late(director, price).payments[0].chips for price in (100, 100, 100)] == [100, 100, 100]
    late(director, 150)
    assert "at 150 a point, not at 100" in refused(director, 100)
    director.wait(20)
    assert "at 150 a point, not at 300" in refused(director, 300)
    late(director, 150)
    late(director, 200)
    check(director)


def test_a_level_that_was_changed_twice_has_had_three_prices() -> None:
    director = begun()
    director.points({1: 0, 2: 0})
    for first in (150, 180):
        director.wait(2)
        restructured(director, first, 200)
    taken_back = restructured(director, 999, 200)
    director.do(Undo(taken_back.seq))
    reached = steps_reached(director.log, director.told.at)
    assert [one.begun for one in reached] == [(100, 0), (150, 0), (180, 0)]
    late(director, 100)
    assert "not at 999" in refused(director, 999)
    for price in (100, 150, 150, 180):
        late(director, price)
    assert "at 180 a point, not at 150" in refused(director, 150)
    check(director)


def test_prices_before_the_draw_were_never_played_at() -> None:
    director = Director(*levels(100, 200))
    restructured(director, 50, 200)
    director.begin(2)
    director.points({1: 0, 2: 0})
    assert [one.begun for one in steps_reached(director.log, director.told.at)] == [(50, 0)]
    assert steps_reached(director.log, director.told.at, after=1) == []
    assert "at 50 a point, not at 100" in refused(director, 100)
    late(director, 50)
    check(director)


def test_levels_that_were_played_are_told_of_though_the_structure_has_them_no_more() -> None:
    director = begun(*levels(100, 200, 300, 400))
    director.points({1: 0, 2: 0})
    director.do(JumpTo(3))
    director.wait(1)
    director.points({1: 0, 2: 0})
    director.do(JumpTo(0))
    director.points({1: 0, 2: 0})
    director.do(ChangeSettings("Cup", Structure(director.state.structure.starting_stack, levels(100)), Points(3)))
    director.wait(1)
    found = steps_reached(director.log, director.told.at)
    assert [(one.step, one.begun[0], one.structure.level_number(one.step)) for one in found] == [
        (0, 100, 1), (3, 400, 4), (0, 100, 1),
    ]  # fmt: skip
    assert late(director, 100).price_next == 100
    check(director)
