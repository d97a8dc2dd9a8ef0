"""A tournament's log as JSON lines and back, and what is said of one that was tampered with."""

from __future__ import annotations

import json

import msgspec
import pytest

from ofc.errors import OfcError
from ofc.scoring import Chips, Points, Seat
from ofc.tournament import commands as do
from ofc.tournament import log as logs
from ofc.tournament.applying import Draft
from ofc.tournament.checking import check_log
from ofc.tournament.commands import Redo, Undo
from ofc.tournament.events import (
    Action,
    HandSettled,
    Moved,
    PlayerId,
    SeatAt,
    TableNumber,
    Undone,
)
from ofc.tournament.history import Log
from ofc.tournament.log import LogError, decode_entry, encode_entry, read_log, write_log
from ofc.tournament.plain import PlainError, payouts_of, structure_from_toml, structure_of, structure_to_plain
from ofc.tournament.prizes import Fees, FixedAmounts, Money, PlaceWeights
from ofc.tournament.structure import Break, Level, Structure
from tests.directors import Director, at, levels

T1, T2 = TableNumber(1), TableNumber(2)
ANNA = "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h"
BO = "Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c"


def whole_event() -> Director:
    """A log with every kind of entry, and nearly every kind of event."""
    floor = Director(*levels(100), Break(5), Level(Chips(200)), stack=1000, late_until=2, reentries=1)
    floor.register(5)
    floor.do(do.Withdraw(PlayerId(5)))
    floor.do(do.ChangePlayer(PlayerId(1), "Ann", "Club", paid=True))
    floor.do(do.SetPrizes(Fees(Money(100)), PlaceWeights(2)))
    floor.do(do.SetPrizes(Fees(Money(100)), FixedAmounts((Money(300), Money(100)), rest_to=1)))
    floor.do(do.DrawSeats(7, ("a", "b")))
    floor.do(do.StartClock())
    one, two = floor.sitting(1), floor.sitting(2)
    floor.do(do.DeclareFantasyland(T1, {PlayerId(one[0]): 14}))
    floor.do(do.EndFantasyland(T1))
    floor.boards({one[0]: ANNA, one[1]: BO})
    floor.points({one[0]: 0, one[1]: 0})
    floor.do(do.MarkAbsence(PlayerId(two[0]), absent=True))
    taken = floor.points({two[1]: 0}, table=2)
    floor.do(Undo(taken.seq))
    floor.do(Redo(taken.seq))
    floor.do(do.PlayHandForHand(on=True))
    floor.do(do.PlayHandForHand(on=False))
    floor.do(do.CorrectStack(PlayerId(two[1]), Chips(900), "miscounted"))
    floor.do(do.ChangeSettings("Cup 2", floor.state.structure, Points(2)))
    floor.do(do.MoveNow(PlayerId(two[0]), at(1, 2), "asked"))
    floor.points({one[0]: -20, one[1]: 20}, table=1)
    floor.do(do.PlanMoves())
    floor.do(do.RedrawSeats(3))
    floor.do(do.RemovePlayer(PlayerId(two[0]), "left"))
    left = [player.id for player in floor.state.alive]
    floor.do(do.MakeDeal(dict.fromkeys(left, Money(200)), Money(0)))
    floor.do(do.Bag())
    floor.do(do.Resume())
    floor.do(do.Finish())
    return floor


def test_a_log_is_written_and_read_back() -> None:
    entries = whole_event().log.entries
    data = write_log(entries)
    assert list(read_log(data)) == entries
    assert list(read_log(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n\n"))) == entries
    assert [decode_entry(*encode_entry(entry)) for entry in entries] == entries
    assert json.loads(data.splitlines()[0])["v"] == 1
    assert check_log(entries) == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "line 1: not JSON: a name in double quotes is missing, at column 2"),
        (b"\xff\xff", "line 1: not text in UTF-8: byte 1 is 0xff"),
        (rb'{"v":1,"type":"\ud800"}', "line 1: not JSON that makes sense"),
        (b"[1]", r"the line: an object, not \[1\]"),
        (b'{"v":2}', "reads logs of version 1, not 2"),
        (b'{"v":"1"}', "type: is missing"),
        (b'{"v":1,"v":1,"type":"Undone"}', "line 1: “v” is there twice"),
        (
            b'{"v":1,"type":"Exported","seq":0,"at":1}\n{"v":1,"type":"Exported","seq":0,"at":1}',
            "line 2: nothing follows",
        ),
        (b'{"v":1,"type":"Exported","seq":3,"at":1}', "written with 3 entries, and has 0"),
        (b'{"v":1,"type":"Nothing"}', 'type: "Nothing" is not one that is known'),
        (b'{"v":1,"type":["Action"]}', r'type: a text, not \["Action"\]'),
        (b'{"v":1,"type":"Undone","seq":1,"at":1,"by":"x"}', "action: is missing"),
        (b'{"v":1,"type":"Undone","seq":1,"at":1,"by":"x","action":1,"why":1}', "why: no such field is known"),
        (b'{"v":1,"type":"Undone","seq":"one","at":1,"by":"x","action":1}', 'seq: a whole number, not "one"'),
        (b'{"v":1,"type":"Action","seq":1,"at":1,"by":"x","words":"","events":1}', "events: a list, not 1"),
        (b'{"v":1,"type":"Action","seq":1,"at":1,"by":"x","words":"","events":[1]}', "events\\[0\\]: an object, not 1"),
        (
            b'{"v":1,"type":"Action","seq":1,"at":1,"by":"x","words":"","events":[{"type":"Lost"}]}',
            'events\\[0\\].type: "Lost" is not one that is known',
        ),
        (b"", "no entry"),
    ],
)
def test_what_is_not_a_log_is_refused_with_its_line(line: bytes, words: str) -> None:
    with pytest.raises(LogError, match=words):
        read_log(line + b"\n")


def test_an_entry_that_is_not_one_is_refused() -> None:
    for name, body in (("Undone", b"{"), ("Undone", b"[]"), ("Undone", b"1"), ("Lost", b"{}")):
        with pytest.raises(LogError):
            decode_entry(name, body)


def test_a_board_that_is_none_is_refused() -> None:
    data = write_log(whole_event().log.entries)
    with pytest.raises(LogError, match="line"):
        read_log(data.replace(b'"9c"', b'"8d"'))
    with pytest.raises(LogError, match="line"):
        read_log(data.replace(b'"9c"', b"9"))


def test_cards_alone_have_a_text() -> None:
    with pytest.raises(TypeError, match="no JSON"):
        msgspec.to_builtins(object(), enc_hook=logs._card_text)


def test_a_log_begins_with_a_tournament_and_has_no_gaps() -> None:
    with pytest.raises(OfcError, match="set up"):
        Log.replay([])
    with pytest.raises(OfcError, match="set up"):
        Log.replay([Undone(1, Director().told.at, "x", 1)])


def test_a_draft_refuses_what_cannot_follow() -> None:
    floor = Director()
    floor.begin(2)
    draft = Draft(floor.state, Action(99, floor.told.at, "x", "", ()))
    hand = HandSettled(
        T1, 1, Chips(1), 0, "points", {}, (), {PlayerId(1): Chips(0)}, {}, {},  # type: ignore[arg-type]  # text
        ((PlayerId(1), Chips(1)),), Seat(0), Chips(1), 0,
    )  # fmt: skip
    draft.apply(hand)
    for event in (hand, Moved(PlayerId(1), at(1, 2))):
        with pytest.raises(OfcError, match="no seat to leave"):
            draft.apply(event)
    with pytest.raises(OfcError, match="not free"):
        draft.apply(Moved(PlayerId(2), SeatAt(T1, Seat(9))))
    first = floor.log.entries[0]
    assert isinstance(first, Action)
    with pytest.raises(OfcError, match="set up once"):
        draft.apply(first.events[0])


def test_structures_in_toml() -> None:
    text = "starting_stack = 5\nreentries = 1\nsteps = [{price = 1, minutes = 5}, {break = 5}, {price = 2, hands = 3}]"
    structure = structure_from_toml(text)
    assert structure == Structure(
        Chips(5), (Level(Chips(1), minutes=5), Break(5), Level(Chips(2), hands=3)), reentries=1
    )
    assert structure_of(structure_to_plain(structure)) == structure


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("=", "not TOML"),
        ("x = " + "[" * 5000, "not TOML"),
        ("steps = []", "starting_stack: a whole number"),
        ("starting_stack = true\nsteps = []", "starting_stack: a whole number"),
        ("starting_stack = 5", "steps: a list"),
        ("starting_stack = 5\nsteps = [{minutes = 5}]", "a level with no price"),
        ("starting_stack = 5\nsteps = [5]", "a level or a break"),
        ("starting_stack = 5\nsteps = [{price = 'x'}]", "a whole number"),
        ("starting_stack = 5\nsteps = [{price = 5, ante = 5}]", "no field ante"),
        ("starting_stack = 5\nsteps = [{price = 5, break = 5}]", "a break has no price"),
        ("starting_stack = 5\nsteps = [{price = 0}]", "price"),
        ("starting_stack = 5\nsteps = [{price = 5}]\nante = 1", "no field ante"),
    ],
)
def test_impossible_structures_in_toml(text: str, words: str) -> None:
    with pytest.raises(OfcError, match=words):
        structure_from_toml(text)


def test_what_is_no_structure_and_no_payouts() -> None:
    with pytest.raises(OfcError, match="table of fields"):
        structure_of(5)
    nothing: list[object] = [5, {}]
    for plain in (*nothing, {"none": {}}, {"weights": {"places": "x"}}, {"weights": 1, "template": 2}):
        with pytest.raises(OfcError):
            payouts_of(plain)


def test_the_texts_of_a_structure_s_faults_are_as_the_file_has_them() -> None:
    steps = "[{ price = false }, { minutes = 5 }, { break = 1, price = 2 }]"
    text = f'starting_stack = "5"\nhat = {{ a = true }}\nsteps = {steps}'
    with pytest.raises(PlainError) as caught:
        structure_from_toml(text)
    assert [fault.text for fault in caught.value.faults] == [
        '"5"',
        "{ a = true }",
        "false",
        "{ minutes = 5 }",
        "{ break = 1, price = 2 }",
    ]


def test_what_is_impossible_is_told_with_what_is_not_of_the_right_form() -> None:
    """Both at once, in the order of the file, each with its field as the file has it and its text."""
    text = """
        hat = 1
        starting_stack = 0
        late_until = "x"
        reentries = 101
        steps = [{ price = 0, hands = "x" }, { break = 0 },
            { minutes = 5 }, { price = 1 }, 7, { break = 0xFFFFFFFFFFFFFFFF }]
    """
    with pytest.raises(PlainError) as caught:
        structure_from_toml(text)
    assert [(fault.field, fault.text) for fault in caught.value.faults] == [
        ("hat", "1"),
        ("starting_stack", "0"),
        ("late_until", '"x"'),
        ("reentries", "101"),
        ("steps[0].hands", '"x"'),
        ("steps[0].price", "0"),
        ("steps[1].break", "0"),
        ("steps[2].price", "{ minutes = 5 }"),
        ("steps[3]", "neither"),
        ("steps[4]", "7"),
        ("steps[5].break", "18446744073709551615"),
    ]
    with pytest.raises(PlainError) as caught:
        structure_from_toml("starting_stack = 5\nlate_until = 3\nsteps = 5")
    assert [fault.field for fault in caught.value.faults] == ["steps"]
    with pytest.raises(PlainError, match="a break lasts 1 to 10,000 minutes, not 0"):
        structure_from_toml("starting_stack = 5\nsteps = [{ break = 0 }, { price = 1 }]")
