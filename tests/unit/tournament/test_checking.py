"""What `check_log` finds in a log that was tampered with, or that no director can have made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ofc.board import Board
from ofc.clock import Millis
from ofc.rulesets import get_rules
from ofc.scoring import CappedBy, Chips, Points, Seat
from ofc.tournament import commands as do
from ofc.tournament.checking import Review, check_log, review_log
from ofc.tournament.events import (
    AbsenceMarked,
    Action,
    ButtonSet,
    ClockSet,
    DealMade,
    FantasylandDeclared,
    FantasylandEnded,
    HandSettled,
    LogEntry,
    Moved,
    MovePlanned,
    Opened,
    Payment,
    PlayerChanged,
    PlayerId,
    PlayerRemoved,
    PrizesSet,
    Registered,
    Seated,
    SeatsDrawn,
    SeatsRedrawn,
    SettingsChanged,
    StackCorrected,
    Stage,
    StageReached,
    TableClosed,
    TableNumber,
    TablePriced,
    TableSet,
    TournamentEvent,
    Undone,
    Withdrawn,
)
from ofc.tournament.prizes import Fees, Money, TemplatePayouts
from ofc.tournament.structure import Break, Level, Structure
from tests.directors import Director, at, levels
from tests.unit.tournament.test_log import ANNA, T1, T2, whole_event

STRUCTURE = Structure(Chips(5), levels(1))


def tampered(entries: list[LogEntry], kind: type, change: Callable[[Any], TournamentEvent]) -> list[LogEntry]:
    """The log with the first event of a kind changed."""
    found = list(entries)
    for place, entry in enumerate(found):
        if not isinstance(entry, Action):
            continue
        for number, event in enumerate(entry.events):
            if isinstance(event, kind):
                events = (*entry.events[:number], change(event), *entry.events[number + 1 :])
                found[place] = replace(entry, events=events)
                return found
    raise AssertionError(f"no {kind.__name__} in the log")


@pytest.mark.parametrize(
    ("kind", "change", "code"),
    [
        (Opened, lambda event: replace(event, seats=7), "seats-count"),
        (HandSettled, lambda event: replace(event, hand=9), "hand-ahead"),
        (HandSettled, lambda event: replace(event, price=Chips(5)), "hand-wrong"),
        (HandSettled, lambda event: replace(event, payments=()), "hand-wrong"),
        (HandSettled, lambda event: replace(event, stacks=dict.fromkeys(event.stacks, Chips(5))), "hand-wrong"),
        (HandSettled, lambda event: replace(event, stacks={**event.stacks, min(event.stacks): Chips(5)}), "hand-wrong"),
        (HandSettled, lambda event: replace(event, points={PlayerId(99): Points(0)}), "hand-wrong"),
        (HandSettled, lambda event: replace(event, table=TableNumber(9)), "table-unknown"),
        (Registered, lambda event: replace(event, name=" "), "name-length"),
        (Seated, lambda event: replace(event, stack=Chips(5)), "draw-wrong"),
        (Seated, lambda event: replace(event, player=PlayerId(99)), "draw-wrong"),
        (SeatsDrawn, lambda event: replace(event, seed=8), "draw-wrong"),
        (StackCorrected, lambda event: replace(event, stack=Chips(0)), "stack-invalid"),
        (FantasylandDeclared, lambda event: replace(event, cards={PlayerId(9): 14}), "player-not-here"),
        (FantasylandDeclared, lambda event: FantasylandEnded(event.table, Seat(0), Chips(100), 0), "no-fantasyland"),
        (FantasylandDeclared, lambda event: FantasylandEnded(TableNumber(9), Seat(0), Chips(1), 0), "table-unknown"),
        (
            SettingsChanged,
            lambda event: replace(event, structure=Structure(Chips(0), levels(1))),
            "structure-impossible",
        ),
        (PrizesSet, lambda event: replace(event, fees=Fees(Money(-1))), "amount-negative"),
        (PrizesSet, lambda event: replace(event, payouts=TemplatePayouts("none")), "payouts-unknown"),
        (TableSet, lambda event: replace(event, code="b"), "codes-missing"),
        (TableSet, lambda event: replace(event, button=Seat(2)), "draw-wrong"),
        (ClockSet, lambda event: replace(event, step=99), "entry-wrong"),
        (StackCorrected, lambda _: TablePriced(T1, Chips(1), 0), "entry-wrong"),
        (StackCorrected, lambda _: TableClosed(T1), "entry-wrong"),
        (SeatsRedrawn, lambda event: replace(event, seats=(PlayerId(5), None, None)), "draw-wrong"),
        (SeatsRedrawn, lambda event: replace(event, seed=4), "draw-wrong"),
        (StackCorrected, lambda _: Registered(PlayerId(1), "New", "", False), "entry-wrong"),
        (StackCorrected, lambda _: Opened("x", None, None, 3, Points(3)), "entry-wrong"),  # type: ignore[arg-type]
        (Seated, lambda event: replace(event, to=at(1, 7)), "draw-wrong"),
        (Moved, lambda event: replace(event, to=at(1, 0)), "seat-taken"),
        (MovePlanned, lambda event: replace(event, to=at(1, 99)), "entry-wrong"),
        (Withdrawn, lambda event: replace(event, player=PlayerId(6)), "player-unknown"),
        (PlayerChanged, lambda event: replace(event, name="B"), "name-taken"),
        (AbsenceMarked, lambda event: replace(event, player=PlayerId(5)), "player-not-seated"),
        (DealMade, lambda event: replace(event, held_back=Money(7)), "deal-sum"),
        (Moved, lambda event: replace(event, player=PlayerId(5)), "player-not-seated"),
        (PlayerRemoved, lambda event: replace(event, player=PlayerId(5)), "player-not-seated"),
    ],
)
def test_what_was_tampered_with_is_found(kind: type, change: Callable[[Any], TournamentEvent], code: str) -> None:
    faults = check_log(tampered(whole_event().log.entries, kind, change))
    assert code in {fault.code for fault in faults}
    assert all(fault.message.startswith("entry ") for fault in faults)
    assert not any(mark in fault.message for fault in faults for mark in "{}=<>'")  # nothing of Python


def test_chips_from_nowhere_and_moves_out_of_fantasyland_are_found() -> None:
    floor = Director(Level(Chips(100)))
    floor.begin(4)
    first, second = floor.sitting(1)
    floor.points({first: 1, second: -1}, {first: 14}, table=1)
    entries = floor.log.entries
    seq = len(entries) + 1

    def then(*events: TournamentEvent) -> list[LogEntry]:
        return [*entries, Action(seq, floor.told.at, "x", "", events)]

    for event in (Moved(PlayerId(first), at(2, 2)), PlayerRemoved(PlayerId(first), "x")):
        assert [fault.code for fault in check_log(then(event))] == ["table-in-fantasyland"]
    redrawn = SeatsRedrawn(TableNumber(2), 1, floor.table(2).seats[::-1], Seat(1))
    assert [fault.code for fault in check_log(then(redrawn))] == ["table-not-last"]
    assert [fault.code for fault in check_log(then())] == ["entry-wrong"]
    assert [fault.code for fault in check_log([*entries, Undone(seq, floor.told.at, "x", 99)])] == ["undo-unknown"]
    assert [fault.code for fault in check_log([*entries, Undone(seq + 1, floor.told.at, "x", 2)])] == ["log-gap"]
    assert [fault.code for fault in check_log(entries[1:])] == ["log-start"]
    assert [fault.code for fault in check_log([])] == ["log-empty"]
    hand = next(e for entry in entries if isinstance(entry, Action) for e in entry.events if isinstance(e, HandSettled))
    richer = replace(hand, hand=2, fantasyland={}, stacks={PlayerId(first): Chips(99_000), PlayerId(second): Chips(1)})
    faults = check_log(then(richer))
    assert {"hand-wrong", "chips-lost"} <= {fault.code for fault in faults}
    assert all("entry 8, table 1, hand 2: " in fault.message for fault in faults)
    button = Action(seq, floor.told.at, "x", "Table 1: the button is at seat 2.", (ButtonSet(T1, Seat(1)),))
    assert check_log([*entries, button]) == ()


def last_changed(floor: Director, **fields: Any) -> list[LogEntry]:
    """The log with fields of its last entry changed."""
    return [*floor.log.entries[:-1], replace(floor.log.entries[-1], **fields)]


def told(entries: list[LogEntry]) -> list[str]:
    return [fault.message for fault in check_log(entries)]


def test_a_wrong_hand_is_told_in_words_and_once() -> None:
    """One hand that is wrong makes no later one wrong: each is judged by what those before it should have been."""
    floor = Director(*levels(100, 200), stack=1000)
    floor.register(1)
    floor.do(do.Withdraw(PlayerId(1)))
    floor.begin(2)
    one, two = floor.sitting()
    first, second = (floor.player(number).name for number in (one, two))
    seq = floor.points({one: -9, two: 9}).seq
    floor.points({one: 4, two: -4})
    floor.points({one: 4, two: -4})

    def wrong(**fields: Any) -> list[str]:
        return told(tampered(floor.log.entries, HandSettled, lambda hand: replace(hand, **fields)))

    place = f"entry {seq}, table 1, hand 1"
    paid = f"{first} pays {second} 900 for 9 points"
    assert wrong(payments=()) == [f"{place}: payments: nobody pays in the log, {paid} by the rules"]
    forged = (Payment(PlayerId(one), PlayerId(two), Points(9), Chips(900), CappedBy.LOSER),)
    assert wrong(payments=forged) == [
        f"{place}: payments: {paid}, all that the loser has in the log, {paid} by the rules"
    ]
    gone = ((PlayerId(two), Chips(5)),)
    assert wrong(out=gone) == [f"{place}: out: {second} with 5 in the log, nobody by the rules"]
    assert wrong(button_next=Seat(0)) == [f"{place}: button next: seat 1 in the log, seat 2 by the rules"]
    assert wrong(boards={PlayerId(one): Board.parse(ANNA)}) == [
        f"{place}: boards of {first}: 9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h in the log, nothing by the rules"
    ]


def test_of_many_payments_those_are_told_that_differ() -> None:
    floor = Director()
    floor.begin(3)
    one, two, three = floor.sitting()
    first, second, third = (floor.player(number).name for number in (one, two, three))
    floor.points({one: 5, two: -4, three: -1})
    hand = floor.log.entries[-1].events[0]  # type: ignore[union-attr]  # an action
    assert isinstance(hand, HandSettled)
    assert len(hand.payments) == 2
    small = next(paid for paid in hand.payments if paid.points == 1)
    wrong = tuple(replace(paid, chips=Chips(7)) if paid is small else paid for paid in hand.payments)
    (message,) = told(tampered(floor.log.entries, HandSettled, lambda hand: replace(hand, payments=wrong)))
    pays = f"{third} pays {first}"
    assert message.endswith(f"payments: {pays} 7 for 1 point in the log, {pays} 100 for 1 point by the rules")
    turned = hand.payments[::-1]
    (message,) = told(tampered(floor.log.entries, HandSettled, lambda hand: replace(hand, payments=turned)))
    assert message.count(second) == 2


def test_other_words_than_this_versions_are_remarked_on_and_no_fault() -> None:
    floor = Director()
    floor.begin(3)
    one, two, three = floor.sitting()
    floor.points({one: 3, two: -3, three: 0}, {one: 14})
    entry = floor.log.entries[-1]
    assert isinstance(entry, Action)
    assert entry.words.endswith(f"at 100 a point. Fantasyland next: {floor.player(one).name} 14 cards.")
    assert review_log(floor.log.entries) == Review((), ())
    quiet = review_log(last_changed(floor, words="All quiet."))
    assert quiet.faults == ()
    assert [remark.message for remark in quiet.remarks] == [
        f"entry {entry.seq}, table 1, hand 1: its words are “All quiet.”; this version says “{entry.words}”"
    ]
    opened = floor.log.entries[0]
    assert isinstance(opened, Action)
    first = review_log([replace(opened, words="x")])
    assert (first.faults, [remark.text for remark in first.remarks]) == ((), ["x"])


def test_moments_do_not_go_backwards() -> None:
    floor = Director()
    floor.wait(10)
    floor.begin(3)
    assert told(last_changed(floor, at=Millis(1)))[0].endswith("it was done before the entry before it")
    for at_once in (-1, 253_402_300_800_000):
        (fault, *_) = check_log([replace(Director().log.entries[0], at=Millis(at_once))])
        assert (fault.code, fault.field, fault.text) == ("log-time", "at", str(at_once))
    assert "9999" in told(last_changed(floor, at=Millis(10**30)))[0]


def test_what_follows_of_itself_is_checked() -> None:
    """Moves, closed tables, prices and levels are in no command: they follow, each as the core has it."""
    floor = Director(Level(Chips(100), minutes=20), Break(5), Level(Chips(200)), stack=1000)
    floor.begin(4)
    one, two = floor.sitting(1)
    floor.do(do.PlanMove(PlayerId(one), at(2, 2), "asked"))
    floor.points({one: 2, two: -2}, table=1)
    action = floor.log.entries[-1]
    assert isinstance(action, Action)
    settled, moved, *others = action.events
    assert isinstance(moved, Moved)
    place, name = f"entry {action.seq}, table 1, hand 1", floor.player(one).name
    assert told(last_changed(floor, events=(settled, *others))) == [
        f"{place}: Moved ({name}; to table 2, seat 3): that follows from it, and is missing"
    ]
    other = replace(moved, to=at(2, 1))
    assert told(last_changed(floor, events=(settled, other, *others))) == [
        f"{place}: Moved, to: table 2, seat 2 in the log, table 2, seat 3 by the rules"
    ]
    priced = TablePriced(T2, Chips(5), 0)
    assert told(last_changed(floor, events=(*action.events, priced))) == [
        f"{place}: TablePriced (table 2; price 5; step 0): that does not follow from it"
    ]
    assert told(last_changed(floor, events=(settled, moved, moved, *others))) == [
        f"{place}: events are there twice, or in another order than they follow: "
        + ", ".join(type(event).__name__ for event in (settled, moved, moved, *others))
    ]


def test_every_deed_of_a_clock_is_known_again() -> None:
    floor = Director(*levels(100, 200, 300))
    floor.do(do.JumpTo(1))
    floor.begin(3)
    for command in (
        do.AdjustClock(90_000), do.AdjustClock(-45_678), do.AdjustClock(-86_400_000), do.JumpTo(2), do.JumpTo(0),
        do.PauseClock(), do.JumpTo(1), do.AdjustClock(-1_234_567), do.JumpTo(1), do.StartClock(), do.TakeOver({}),
        do.TakeOver({T1: "new"}), do.StartClock(), do.TakeOver({T1: "newer"}),
    ):  # fmt: skip
        floor.do(command)
        assert check_log(floor.log.entries) == ()
        floor.wait(1)
    assert told(last_changed(floor, words="The clock was paused."))
    clock = floor.state.clock
    for changed in (replace(clock, left_ms=5), replace(clock, left_ms=None), replace(clock, running=True)):
        action = floor.log.entries[-1]
        assert isinstance(action, Action)
        assert told(last_changed(floor, events=(changed, *action.events[1:])))


def test_a_single_move_and_a_late_entrant_are_known_again() -> None:
    floor = Director(*levels(100, 200), late_until=2, reentries=1)
    floor.begin(6)
    one, two, _ = floor.sitting(1)
    floor.register(3)
    for player in (7, 8, 9):
        floor.do(do.SeatPlayer(PlayerId(player), "new"))
    floor.do(do.CorrectStack(PlayerId(7), Chips(5), "miscounted"))
    moved = floor.player(one)
    floor.do(do.RemovePlayer(PlayerId(two), "left"))
    floor.do(do.PlanMove(PlayerId(9), at(1, floor.table(1).seats.index(None)), "asked"))
    floor.do(do.CancelMove(PlayerId(9)))
    assert floor.player(one) == moved
    floor.do(do.SetButton(T1, floor.table(1).seats.index(PlayerId(one))))  # type: ignore[arg-type]  # a seat's place
    assert check_log(floor.log.entries) == ()


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ((StageReached(Stage.SETUP),), "StageReached: nobody can do that"),
        ((TableSet(TableNumber(3), "x", Seat(0)),), "TableSet: nobody can do that"),
        ((TableClosed(T1), TablePriced(T1, Chips(1), 0)), "TableClosed, TablePriced: nobody can do that"),
        (
            (AbsenceMarked(PlayerId(1), True), StageReached(Stage.BAGGED), PlayerChanged(PlayerId(1), "A", "", False)),
            "StageReached (stage “bagged”): that does not follow",
        ),
        (
            (AbsenceMarked(PlayerId(1), True), SettingsChanged("Cup", STRUCTURE, Points(3))),
            "SettingsChanged (name “Cup”; structure …; absent points 3): that does not follow",
        ),
        (
            (AbsenceMarked(PlayerId(1), True), SeatsRedrawn(T1, 1, (PlayerId(1), None), Seat(1))),
            "SeatsRedrawn (table 1; seed 1; seats A, empty; button seat 2): that does not follow",
        ),
        (
            (AbsenceMarked(PlayerId(1), True), Opened("Cup", get_rules("tournament"), STRUCTURE, 3, Points(3))),
            "Opened (name “Cup”; rules …; structure …; seats 3; absent points 3): that does not follow",
        ),
        (
            (AbsenceMarked(PlayerId(1), True), DealMade({PlayerId(1): Money(5)}, Money(0))),
            "DealMade (shares A 5; held back 0): that does not follow",
        ),
        (
            (AbsenceMarked(PlayerId(1), True), AbsenceMarked(PlayerId(9), False)),
            "AbsenceMarked (player 9; absent no): that does not follow",
        ),
    ],
)
def test_what_nobody_can_do_is_told_in_words(events: tuple[TournamentEvent, ...], words: str) -> None:
    floor = Director()
    floor.begin(3)
    entries = [*floor.log.entries, Action(floor.state.seq + 1, floor.told.at, "x", "A is away.", events)]
    assert any(words in message for message in told(entries)), told(entries)
