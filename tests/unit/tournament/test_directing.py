"""On the floor: moves, hand for hand, levels in hands, Fantasyland by hand, corrections; what follows of itself."""

import pytest

from ofc.errors import IllegalCommandError
from ofc.scoring import Chips, Seat
from ofc.tournament import commands as do
from ofc.tournament.checking import check_log
from ofc.tournament.commands import Command, Redo, Undo
from ofc.tournament.events import Action, PlayerId, Stage, TableNumber, TablePriced
from ofc.tournament.pacing import behind, waits_for
from ofc.tournament.seating import propose_moves, table_sizes
from ofc.tournament.standings import standings
from ofc.tournament.structure import Break, Level
from tests.directors import Director, at, levels
from tests.unit.tournament.test_deciding import refused

P1, P2 = PlayerId(1), PlayerId(2)
T1, T2 = TableNumber(1), TableNumber(2)


def floor_of(players: int, **options: int) -> Director:
    floor = Director(Level(Chips(100)), stack=1000, **options)  # type: ignore[arg-type]  # options are numbers here
    floor.begin(players)
    return floor


def test_four_players_of_a_table_of_three_and_one_are_two_and_two() -> None:
    """Case tn-042: 3 and 1 become 2 and 2, and not one table of four."""
    floor = floor_of(3, late_until=1)
    floor.register(1)
    floor.do(do.SeatPlayer(PlayerId(4), "late"))
    (move,) = propose_moves(floor.state)
    assert move.to == at(2, 1)
    assert move.player == floor.sitting(1)[1]  # first to act, left of the button
    assert move.reason == "table 1 has 3 players and table 2 1"
    floor.do(do.PlanMoves())
    assert len(floor.sitting(1)) == 3  # the hand is played first
    floor.points(dict.fromkeys(floor.sitting(1), 0), table=1)
    assert [len(floor.sitting(number)) for number in (1, 2)] == [2, 2]
    assert refused(floor, do.PlanMoves()) == "no-moves"


@pytest.mark.parametrize(
    ("players", "sizes"),
    [(0, ()), (2, (2,)), (4, (2, 2)), (7, (3, 2, 2)), (9, (3, 3, 3)), (10, (3, 3, 2, 2))],
)
def test_tables_are_as_few_and_as_even_as_can_be(players: int, sizes: tuple[int, ...]) -> None:
    """Tables differ by one player at most, and break when not needed; the TDA's Rule 11 of 2022 leaves that to us."""
    assert table_sizes(players, 3) == sizes


def test_a_table_breaks_into_free_seats_once_its_hand_is_over() -> None:
    floor = floor_of(7)
    two = next(number for number in (2, 3) if len(floor.sitting(number)) == 2)
    winner, loser = floor.sitting(two)
    floor.points({winner: 10, loser: -10}, table=two)
    moves = propose_moves(floor.state)
    assert [(move.player, move.to.table) for move in moves] == [(winner, 5 - two)]
    assert moves[0].reason == f"6 players fit on 2 tables, so table {two} breaks"
    floor.do(do.PlanMoves())  # nobody is left to play against: at once
    assert not floor.state.tables[TableNumber(two)].open
    assert [len(floor.state.at_table(table.number)) for table in floor.state.open_tables] == [3, 3]


def test_nobody_leaves_or_joins_a_table_in_fantasyland() -> None:
    floor = floor_of(4)
    here, there = floor.sitting(1), floor.sitting(2)
    floor.points({here[0]: 1, here[1]: -1}, {here[0]: 14}, table=1)
    for player, to in ((here[0], at(2, 2)), (there[0], at(1, 2))):
        assert refused(floor, do.MoveNow(PlayerId(player), to, "asked")) == "table-in-fantasyland"
    assert refused(floor, do.RemovePlayer(PlayerId(here[0]), "left")) == "table-in-fantasyland"
    floor.points({there[0]: 10, there[1]: -10}, table=2)
    (move,) = propose_moves(floor.state)
    assert move.waits_for == 1
    floor.do(do.PlanMoves())
    assert floor.player(there[0]).at == at(2, 0)
    floor.points({here[0]: 1, here[1]: -1}, table=1)
    assert floor.player(there[0]).at == at(1, 2)
    assert refused(floor, do.PlayHandForHand(on=True)) == "tables-too-few"


def test_moves_by_hand_and_their_refusals() -> None:
    floor = floor_of(5)
    short = next(number for number in (1, 2) if len(floor.sitting(number)) == 2)
    long = 3 - short
    mover, other, _ = floor.sitting(long)
    free = at(short, 2)
    assert refused(floor, do.PlanMove(PlayerId(mover), at(short, 0), "asked")) == "seat-taken"
    assert refused(floor, do.PlanMove(PlayerId(mover), at(long, 0), "asked")) == "same-table"
    assert refused(floor, do.PlanMove(PlayerId(mover), at(9, 0), "asked")) == "table-unknown"
    assert refused(floor, do.PlanMove(PlayerId(mover), free, " ")) == "reason-missing"
    assert refused(floor, do.CancelMove(PlayerId(mover))) == "no-move"
    floor.do(do.PlanMove(PlayerId(mover), free, "asked"))
    assert refused(floor, do.MoveNow(PlayerId(other), free, "asked")) == "seat-taken"
    floor.do(do.CancelMove(PlayerId(mover)))
    moved = floor.do(do.MoveNow(PlayerId(other), free, "asked"))
    assert floor.player(other).at == free
    floor.do(Undo(moved.seq))
    assert floor.player(other).at == at(long, 1)
    floor.do(do.RemovePlayer(PlayerId(other), "ill"))
    assert refused(floor, do.PlanMove(PlayerId(other), free, "asked")) == "player-not-seated"
    assert refused(floor, do.RemovePlayer(PlayerId(other), "ill")) == "player-not-seated"
    assert standings(floor.state)[-1].player == other


def test_overnight_moves_are_made_at_once() -> None:
    floor = floor_of(5)
    short = next(number for number in (1, 2) if len(floor.sitting(number)) == 2)
    mover = floor.sitting(3 - short)[0]
    floor.do(do.Bag())
    floor.do(do.PlanMove(PlayerId(mover), at(short, 2), "redraw"))
    assert floor.player(mover).at == at(short, 2)


def test_a_table_that_stood_still_plays_on_at_the_clocks_price() -> None:
    floor = Director(*levels(100, 200), stack=1000)
    floor.begin(4)
    winner, loser = floor.sitting(1)
    floor.points({winner: 10, loser: -10}, table=1)
    floor.wait(25)
    mover = floor.sitting(2)[0]
    entry = floor.do(do.MoveNow(PlayerId(mover), at(1, 2), "asked"))
    assert isinstance(entry, Action)
    assert TablePriced(T1, Chips(200), 1) in entry.events
    assert not floor.player(mover).is_new


def test_the_last_table_draws_its_seats_again() -> None:
    floor = floor_of(3)
    seated = set(floor.sitting())
    for seed in range(3):
        floor.do(do.RedrawSeats(seed))
        assert set(floor.sitting()) == seated
        assert floor.table().seats[floor.table().button] is not None
    floor.points({1: 1, 2: -1, 3: 0}, {1: 14})
    assert refused(floor, do.RedrawSeats(1)) == "table-in-fantasyland"
    assert refused(floor, do.RedrawSeats(2**60)) == "seed-invalid"


def test_before_the_first_hand_all_tables_draw_their_seats_again() -> None:
    floor = floor_of(7)
    before = [floor.sitting(number) for number in (1, 2, 3)]
    floor.do(do.RedrawSeats(5))
    after = [floor.sitting(number) for number in (1, 2, 3)]
    assert after != before
    assert sorted(player for sitting in after for player in sitting) == [1, 2, 3, 4, 5, 6, 7]
    assert [len(sitting) for sitting in after] == [3, 2, 2]
    assert check_log(floor.log.entries) == ()
    first, second = floor.sitting(2)
    floor.points({first: 1, second: -1}, table=2)
    assert refused(floor, do.RedrawSeats(1)) == "table-not-last"


def test_overnight_every_table_without_fantasyland_draws_its_seats_again() -> None:
    floor = floor_of(9)
    owing, *others = floor.sitting(2)
    floor.points({owing: 1, others[0]: -1, others[1]: 0}, {owing: 14}, table=2)
    for player in floor.sitting(3)[:2]:
        floor.do(do.RemovePlayer(PlayerId(player), "ill"))
    floor.do(do.Bag())
    free, stays = set(floor.sitting(1) + floor.sitting(3)), floor.table(2)
    drawn = floor.do(do.RedrawSeats(4))
    assert isinstance(drawn, Action)
    assert drawn.words == (
        "The seats of 4 players were drawn again (seed 4). Table 2 owes a Fantasyland hand and stays as it is."
    )
    assert floor.table(2) == stays
    assert set(floor.sitting(1) + floor.sitting(3)) == free
    assert [len(floor.sitting(number)) for number in (1, 2, 3)] == [2, 3, 2]
    assert check_log(floor.log.entries) == ()
    floor.do(do.Resume())
    assert floor.table(1).seats[floor.table(1).button] is not None
    assert refused(floor, do.RedrawSeats(5)) == "table-not-last"


def test_a_draw_overnight_closes_tables_that_are_not_needed_and_cancels_moves() -> None:
    floor = floor_of(7)
    owing, other = floor.sitting(2)
    floor.points({owing: 1, other: -1}, {owing: 14}, table=2)
    for table in (1, 3):
        floor.do(do.RemovePlayer(PlayerId(floor.sitting(table)[0]), "ill"))
    mover = PlayerId(floor.sitting(1)[0])
    floor.do(do.PlanMove(mover, at(2, 2), "asked"))
    floor.do(do.Bag())
    assert floor.player(mover).move is not None
    floor.do(do.RedrawSeats(4))
    assert floor.player(mover).move is None
    assert [table.number for table in floor.state.open_tables] == [1, 2]
    assert len(floor.sitting(1)) == 3
    floor.do(do.CorrectStack(mover, Chips(900), "counted at the bag"))
    for player in floor.sitting(1):
        floor.do(do.RemovePlayer(PlayerId(player), "gone home"))
    assert refused(floor, do.RedrawSeats(5)) == "table-in-fantasyland"


def test_hand_for_hand_waits_for_every_table_and_for_fantasyland_chains() -> None:
    floor = floor_of(4)
    one, two = floor.sitting(1), floor.sitting(2)
    assert refused(floor, do.PlayHandForHand(on=False)) == "hand-for-hand"
    floor.do(do.PlayHandForHand(on=True))
    assert refused(floor, do.PlayHandForHand(on=True)) == "hand-for-hand"
    assert behind(floor.state, floor.told.at) == (1, 2)
    floor.points({one[0]: 0, one[1]: 0}, table=1)
    assert waits_for(floor.state, floor.table(1), floor.told.at) == (2,)
    assert behind(floor.state, floor.told.at) == (2,)
    assert refused(floor, floor.hand({one[0]: 0, one[1]: 0}, table=1)) == "table-waits"
    floor.points({two[0]: 0, two[1]: 0}, {two[0]: 14}, table=2)
    assert waits_for(floor.state, floor.table(1), floor.told.at) == (2,)
    floor.points({two[0]: 0, two[1]: 0}, table=2)
    assert floor.state.hand_for_hand is not None
    assert floor.state.hand_for_hand.round == 2
    # Both lose all they have in one round: one hand, equal stacks, one place.
    floor.points({one[0]: 10, one[1]: -10}, table=1)
    floor.points({two[0]: 10, two[1]: -10}, table=2)
    assert [one.place for one in standings(floor.state)] == [1, 1, 3, 3]
    floor.do(do.PlanMoves())
    assert floor.state.hand_for_hand is None


@pytest.mark.parametrize("jumps", [True, False])
def test_a_round_of_hand_for_hand_is_played_at_one_price(jumps: bool) -> None:
    """R-CHIP-5: who waits has begun no hand; who is in Fantasyland keeps its price until the chain ends."""
    floor = Director(*levels(10, 20, 40), stack=1_000)
    floor.begin(6)
    one, two = floor.sitting(1), floor.sitting(2)
    floor.do(do.PlayHandForHand(on=True))
    floor.points(dict.fromkeys(one, 0), table=1)
    if jumps:
        floor.do(do.JumpTo(1))
    else:
        floor.wait(21)
    floor.points(dict.fromkeys(two, 0), table=2)
    assert [floor.table(number).price for number in (1, 2)] == [20, 20]
    floor.points(dict.fromkeys(one, 0), table=1)
    floor.points(dict.fromkeys(two, 0), {two[0]: 14}, table=2)
    floor.do(do.JumpTo(2))
    assert floor.table(2).price == 20
    floor.points(dict.fromkeys(two, 0), table=2)
    assert [floor.table(number).price for number in (1, 2)] == [40, 40]
    assert check_log(floor.log.entries) == ()


def test_a_table_that_waits_for_the_round_and_is_in_fantasyland_keeps_its_price() -> None:
    """R-CHIP-5"""
    floor = Director(*levels(10, 20), stack=1_000)
    floor.begin(6)
    one, two = floor.sitting(1), floor.sitting(2)
    floor.do(do.PlayHandForHand(on=True))
    floor.points(dict.fromkeys(one, 0), table=1)
    floor.do(do.DeclareFantasyland(TableNumber(1), {PlayerId(one[0]): 14}))
    floor.do(do.JumpTo(1))
    floor.points(dict.fromkeys(two, 0), table=2)
    assert [floor.table(number).price for number in (1, 2)] == [10, 20]


def test_the_draw_is_not_taken_back_while_the_clock_runs() -> None:
    floor = Director(*levels(10, 20), stack=1_000)
    floor.register(4)
    drawn = floor.do(do.DrawSeats(1, ("A", "B")))
    started = floor.do(do.StartClock())
    assert refused(floor, Undo(drawn.seq)) == "clock-runs"
    floor.do(Undo(started.seq))
    floor.do(Undo(drawn.seq))
    assert floor.state.settings.stage is Stage.SETUP


def test_hand_for_hand_is_ended_by_hand() -> None:
    floor = floor_of(4)
    floor.do(do.PlayHandForHand(on=True))
    floor.do(do.PlayHandForHand(on=False))
    assert floor.state.hand_for_hand is None
    assert behind(floor.state, floor.told.at) == ()


def test_levels_in_hands_wait_until_every_table_has_played_them() -> None:
    floor = Director(Level(Chips(100), hands=1), Break(5), Level(Chips(200), hands=1), Level(Chips(300)))
    floor.begin(4)
    one, two = floor.sitting(1), floor.sitting(2)
    floor.points({one[0]: 0, one[1]: 0}, table=1)
    assert refused(floor, floor.hand({one[0]: 0, one[1]: 0}, table=1)) == "table-waits"
    assert behind(floor.state, floor.told.at) == (2,)
    floor.points({two[0]: 0, two[1]: 0}, {two[0]: 14}, table=2)  # in Fantasyland: not waited for
    assert floor.state.position(floor.told.at).step == 1
    floor.wait(5)
    assert floor.table(1).price == 200
    assert floor.table(2).price == 100
    floor.points({two[0]: 0, two[1]: 0}, table=2)
    assert floor.state.position(floor.told.at).step == 2
    floor.points({two[0]: 0, two[1]: 0}, table=2)
    floor.points({one[0]: 0, one[1]: 0}, table=1)
    assert floor.state.position(floor.told.at).step == 3
    assert [floor.table(number).price for number in (1, 2)] == [300, 300]


def test_fantasyland_is_declared_and_ended_on_the_tables_page() -> None:
    floor = Director(*levels(100, 200))
    floor.begin(2)
    assert refused(floor, do.EndFantasyland(T1)) == "no-fantasyland"
    assert refused(floor, do.DeclareFantasyland(T1, {})) == "players-missing"
    assert refused(floor, do.DeclareFantasyland(T1, {P1: 18})) == "fantasyland-count"
    floor.do(do.DeclareFantasyland(T1, {P1: 14}))
    floor.do(do.DeclareFantasyland(T1, {P1: 0}))
    assert not floor.state.is_frozen(T1)
    floor.do(do.DeclareFantasyland(T1, {P1: 14}))
    floor.wait(25)
    assert floor.state.price(floor.table(), floor.told.at)[0] == 100
    floor.do(do.EndFantasyland(T1))
    assert (floor.table().price, floor.table().button) == (200, 1)
    floor.do(do.DeclareFantasyland(T1, {P1: 14, P2: 15}))
    floor.points({1: 1, 2: -1}, {2: 0})  # said otherwise with the result
    assert (floor.player(1).owed, floor.player(2).owed) == (14, 0)
    assert refused(floor, do.EndFantasyland(T1)) == "fantasyland-hand-missing"
    assert refused(floor, do.DeclareFantasyland(T1, {P1: 14})) == "fantasyland-stay"


def test_corrections_say_why() -> None:
    floor = floor_of(2)
    assert refused(floor, do.CorrectStack(P1, Chips(0), "why")) == "stack-invalid"
    assert refused(floor, do.CorrectStack(P1, Chips(5), " ")) == "reason-missing"
    floor.do(do.CorrectStack(P1, Chips(5), "miscounted"))
    assert floor.player(1).stack == 5
    assert refused(floor, do.SetButton(T1, Seat(2))) == "seat-empty"
    assert refused(floor, do.SetButton(T1, Seat(-1))) == "seat-empty"
    floor.do(do.SetButton(T1, Seat(1)))
    assert floor.table().button == 1
    floor.points({1: -1, 2: 1})
    assert refused(floor, do.CorrectStack(P1, Chips(5), "late")) == "player-not-seated"


def test_actions_are_undone_until_something_was_played_on_them() -> None:
    floor = floor_of(2)
    first = floor.points({1: 1, 2: -1})
    assert floor.log.can_undo(first.seq)
    second = floor.points({1: 1, 2: -1})
    assert not floor.log.can_undo(first.seq)
    assert refused(floor, Undo(first.seq)) == "played-on"
    assert refused(floor, Undo(99)) == "undo-unknown"
    assert refused(floor, Redo(second.seq)) == "redo-unknown"
    floor.do(Undo(second.seq))
    assert not floor.log.can_undo(second.seq)
    assert floor.log.can_redo(second.seq)
    assert refused(floor, Undo(second.seq)) == "undo-unknown"
    without = floor.log.without(first.seq)
    assert (without.state.tables[T1].hand, floor.log.state.tables[T1].hand) == (1, 2)
    assert without.can_redo(first.seq)
    assert not floor.log.can_redo(first.seq)
    floor.points({1: 2, 2: -2})
    assert not floor.log.can_redo(second.seq)
    assert refused(floor, Redo(second.seq)) == "played-on"
    end = floor.do(do.Finish())
    assert refused(floor, Undo(floor.log.state.seq - 1)) == "finished"
    assert refused(floor, Redo(second.seq)) == "played-on"
    floor.do(Undo(end.seq))
    taken = floor.do(do.CorrectStack(P1, Chips(77), "miscounted"))
    floor.do(Undo(taken.seq))
    floor.do(do.Finish())
    assert refused(floor, Redo(taken.seq)) == "finished"


def test_an_undo_never_leaves_two_of_one_name() -> None:
    floor = Director()
    floor.register(2)
    renamed = floor.do(do.ChangePlayer(P1, "Ann", "", paid=False))
    floor.do(do.Register((do.NewPlayer("A"),)))
    assert refused(floor, Undo(renamed.seq)) == "played-on"
    taken: list[Command] = [do.Register((do.NewPlayer("X"),)), do.Register((do.NewPlayer("Y"),))]
    first, _ = [floor.do(command) for command in taken]
    floor.do(Undo(first.seq))
    floor.do(do.Register((do.NewPlayer("X"),)))
    assert floor.player(6).name == "X"
    with pytest.raises(IllegalCommandError):
        floor.do(Redo(first.seq))
