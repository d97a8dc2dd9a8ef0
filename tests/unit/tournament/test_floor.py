"""What follows of itself on the floor, plans that have to wait, and the corners of settling and standings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from ofc.errors import IllegalCommandError
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Points, Seat
from ofc.tournament import commands as do
from ofc.tournament.commands import Redo, Undo
from ofc.tournament.events import Action, HandSettled, PlayerId, TableNumber
from ofc.tournament.history import Log
from ofc.tournament.pacing import is_round_over
from ofc.tournament.prizes import Fees, FixedAmounts, Money, PlaceWeights
from ofc.tournament.seating import free_seats, next_seat, propose_moves
from ofc.tournament.settling import button_after
from ofc.tournament.standings import _out_rank
from ofc.tournament.structure import Break, Level, Structure
from tests.directors import Director, at, levels
from tests.unit.tournament.test_deciding import refused

T1 = TableNumber(1)


def floor_of(players: int, *, late_until: int = 0) -> Director:
    floor = Director(Level(Chips(100)), stack=1000, late_until=late_until)
    floor.begin(players)
    return floor


def test_a_table_kept_free_for_somebody_is_not_closed_and_a_plan_waits_for_its_seat() -> None:
    floor = floor_of(4)
    one, two = floor.sitting(1), floor.sitting(2)
    floor.do(do.PlanMove(PlayerId(two[0]), at(1, 2), "asked"))
    for player in one:
        floor.do(do.RemovePlayer(PlayerId(player), "left"))
    assert floor.table(1).open
    floor.points({two[0]: 0, two[1]: 0}, table=2)
    assert floor.player(two[0]).at == at(1, 2)
    assert floor.table(1).button == 2


def test_nobody_earns_fantasyland_without_an_opponent() -> None:
    floor = floor_of(4)
    first, second = floor.sitting(1)
    floor.do(do.MarkAbsence(PlayerId(second), absent=True))
    floor.do(do.CorrectStack(PlayerId(second), Chips(100), "miscounted"))
    floor.points({first: 0}, table=1)
    assert [player.id for player in floor.state.at_table(T1)] == [first]
    assert refused(floor, do.DeclareFantasyland(T1, {PlayerId(first): 14})) == "fantasyland-blinded"


def test_a_seat_that_was_taken_meanwhile_keeps_its_plan_waiting() -> None:
    floor = floor_of(7)
    sizes = {number: floor.sitting(number) for number in (1, 2, 3)}
    small = [number for number, here in sizes.items() if len(here) == 2]
    mover = sizes[small[0]][0]
    leaver = floor.do(do.MoveNow(PlayerId(sizes[small[1]][0]), at(small[0], 2), "asked"))
    floor.do(do.PlanMove(PlayerId(mover), at(small[1], 0), "asked"))
    floor.do(Undo(leaver.seq))  # the seat is taken again
    floor.points(dict.fromkeys(sizes[small[0]], 0), table=small[0])
    assert floor.player(mover).at == at(small[0], 0)
    assert floor.player(mover).move is not None


def test_a_move_planned_to_a_table_that_is_gone_is_not_made() -> None:
    floor = floor_of(2, late_until=1)
    floor.register(2)
    floor.do(do.SeatPlayer(PlayerId(3), ""))
    opened = floor.do(do.SeatPlayer(PlayerId(4), "new"))
    mover = floor.sitting(1)[0]
    floor.do(do.PlanMove(PlayerId(mover), at(2, 1), "asked"))
    floor.do(Undo(opened.seq))
    floor.points(dict.fromkeys(floor.sitting(1), 0))
    assert floor.player(mover).at is not None
    assert floor.player(mover).at == at(1, 0)
    assert propose_moves(floor.state) == ()


def test_breaking_waits_for_seats_that_are_still_to_be_left() -> None:
    floor = floor_of(7)
    small = [number for number in (1, 2, 3) if len(floor.sitting(number)) == 2]
    full = next(number for number in (1, 2, 3) if number not in small)
    leaving = floor.sitting(full)[0]
    floor.do(do.PlanMove(PlayerId(leaving), at(small[0], 2), "asked"))
    winner, loser = floor.sitting(small[1])
    floor.points({winner: 10, loser: -10}, table=small[1])
    assert propose_moves(floor.state) == ()  # the seat of the one who leaves is not free yet


def test_balancing_waits_for_seats_that_are_still_to_be_left() -> None:
    floor = floor_of(9)
    winner, *losers = floor.sitting(3)
    floor.points({winner: 20, losers[0]: -10, losers[1]: -10}, table=3)
    free = [seat for seat in range(3) if floor.table(3).seats[seat] is None]
    for player, seat in zip(floor.sitting(2), free, strict=False):
        floor.do(do.PlanMove(PlayerId(player), at(3, seat), "asked"))
    assert propose_moves(floor.state) == ()  # table 2 will have one, table 1 has three, and no seat is free yet


def test_a_hand_needs_two_and_the_button_falls_to_who_is_left() -> None:
    floor = floor_of(4)
    winner, loser = floor.sitting(1)
    floor.points({winner: 10, loser: -10}, table=1)
    assert refused(floor, floor.hand({winner: 0}, table=1)) == "opponent-missing"
    table = floor.table(1)
    gone = {PlayerId(winner)}
    assert button_after(floor.state, table, earned=False, gone=gone) == table.button
    empty = changed(table, seats=(None, None, None))
    assert next_seat(empty, Seat(1)) == 1
    assert free_seats(table, [at(2, 0)]) == [seat for seat in range(3) if table.seats[seat] is None]


def test_only_those_who_are_out_have_an_out_rank() -> None:
    floor = floor_of(2)
    with pytest.raises(ValueError, match="not out"):
        _out_rank(floor.player(1))
    assert not is_round_over(floor.state)


def test_what_an_entry_touches_is_known_before_and_after() -> None:
    floor = floor_of(2)
    entry = floor.points({1: 0, 2: 0})
    expected = {("players", 1), ("players", 2), ("tables", 1)}
    assert {key for key in floor.log.touched_by(entry) if key[0] == "tables"} == {("tables", 1)}
    assert floor.log.touched_by(entry) <= expected
    undo = floor.do(Undo(entry.seq))
    assert floor.log.touched_by(undo) == floor.log.touched_by(entry)
    assert floor.log.touched_by(floor.log.entries[0]) == frozenset()
    assert isinstance(entry, Action)
    assert floor.log.touched_by(replace(entry, seq=floor.state.seq + 1)) == floor.log.touched_by(entry)


def test_a_refused_entry_leaves_the_log_as_it_was() -> None:
    floor = floor_of(2)
    entry = floor.points({1: 0, 2: 0})
    before = (floor.state, len(floor.log.entries))
    with pytest.raises(IllegalCommandError):
        floor.log.append(entry)
    assert (floor.state, len(floor.log.entries)) == before
    replayed = Log.replay(floor.log.entries)
    assert (replayed.state, replayed.changes) == (floor.state, floor.log.changes)


def test_levels_are_counted_without_breaks() -> None:
    structure = Structure(Chips(1), (Level(Chips(1), minutes=1), Break(1), Level(Chips(2))))
    assert [structure.level_number(step) for step in range(3)] == [1, 1, 2]
    assert structure.last_level == structure.level_at_or_after(1) == structure.levels[1]
    assert structure.level_at_or_after(3) == structure.last_level


def test_four_at_a_table_pay_in_one_order_whoever_is_named_first() -> None:
    """Classic is played by four: with totals alone, losers pay winners in the order of the seats."""
    results = []
    for reverse in (False, True):
        floor = Director(Level(Chips(1)), rules=get_rules("classic"), seats=4)
        floor.begin(4)
        points = dict(zip(floor.sitting(), (5, -3, 2, -4), strict=True))
        entry = floor.points({player: points[player] for player in sorted(points, reverse=reverse)})
        assert isinstance(entry, Action)
        hand = entry.events[0]
        assert isinstance(hand, HandSettled)
        results.append(hand)
    assert results[0] == results[1]


def agreed(players: int = 4) -> tuple[Director, int, int]:
    """An event with prizes set and a deal made; the numbers of those two entries."""
    floor = Director(late_until=3, reentries=1)
    floor.begin(players)
    set_at = floor.do(do.SetPrizes(Fees(Money(100)), PlaceWeights(2))).seq
    left = [player.id for player in floor.state.alive]
    made_at = floor.do(do.MakeDeal({left[0]: Money(100 * players)} | dict.fromkeys(left[1:], Money(0)))).seq
    return floor, set_at, made_at


def test_nothing_that_a_deal_was_made_about_is_taken_back_under_it() -> None:
    floor, set_at, made_at = agreed()
    assert refused(floor, Undo(set_at)) == "played-on"
    floor.do(Undo(made_at))
    floor.do(Undo(set_at))
    assert refused(floor, Redo(made_at)) == "played-on"  # there are no prizes to share
    floor.do(Redo(set_at))
    floor.do(Redo(made_at))
    floor.do(do.Register((do.NewPlayer("Late"),)))
    assert refused(floor, do.SeatPlayer(PlayerId(5), "late")) == "deal-made"
    floor.do(Undo(made_at))
    floor.do(do.SeatPlayer(PlayerId(5), "late"))
    assert refused(floor, Redo(made_at)) == "played-on"  # it is not between all who play


def test_a_deal_is_not_done_again_about_prizes_that_are_none() -> None:
    floor, set_at, made_at = agreed()
    floor.do(Undo(made_at))
    floor.do(do.SetPrizes(Fees(Money(100)), FixedAmounts((Money(1),))))
    assert refused(floor, Redo(made_at)) == "played-on"
    assert set_at < made_at


def test_who_was_out_before_a_deal_does_not_come_back_under_it() -> None:
    floor = Director(stack=1000)
    floor.begin(4)
    floor.do(do.SetPrizes(Fees(Money(100)), PlaceWeights(2)))
    one, two = floor.sitting(1)
    out = floor.points({one: 10, two: -10}).seq
    left = [player.id for player in floor.state.alive]
    floor.do(do.MakeDeal({left[0]: Money(400)} | dict.fromkeys(left[1:], Money(0))))
    assert refused(floor, Undo(out)) == "played-on"


def test_a_clock_does_not_run_in_a_night_that_is_brought_back() -> None:
    floor = Director()
    floor.begin(4)
    floor.do(do.Bag())
    resumed = floor.do(do.Resume()).seq
    started = floor.do(do.StartClock()).seq
    assert refused(floor, Undo(resumed)) == "clock-runs"
    floor.do(Undo(started))
    floor.do(Undo(resumed))
    assert refused(floor, Redo(started)) == "clock-runs"
    floor.do(do.Resume())
    floor.do(Redo(started))


def test_levels_that_tables_play_at_are_not_taken_away() -> None:
    floor = Director(*levels(100, 200))
    floor.begin(2)
    one, two = floor.sitting()
    longer = floor.do(do.ChangeSettings("Cup", replace(floor.state.structure, steps=levels(100, 200, 300)), Points(3)))
    floor.do(do.JumpTo(2))
    floor.points({one: 1, two: -1})
    floor.do(do.JumpTo(0))
    shorter = do.ChangeSettings("Cup", replace(floor.state.structure, steps=levels(100, 200)), Points(3))
    assert refused(floor, shorter) == "structure-impossible"
    assert refused(floor, Undo(longer.seq)) == "played-on"
    floor.points({one: 1, two: -1})
    floor.do(shorter)


def test_a_longer_structure_is_not_taken_back_once_it_is_played() -> None:
    """The clock passes levels by itself: nothing but the tables' prices tells that one was played."""
    floor = Director(*levels(100, 200))
    floor.begin(2)
    one, two = floor.sitting()
    longer = floor.do(do.ChangeSettings("Cup", replace(floor.state.structure, steps=levels(100, 200, 300)), Points(3)))
    floor.wait(45)
    floor.points({one: 1, two: -1})
    assert floor.table().price == 300
    assert refused(floor, Undo(longer.seq)) == "played-on"
