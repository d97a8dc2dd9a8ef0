"""Every command of docs/event-protocol.md, done through a director's page; and the rules page's Bo and Anna."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ofc.board import Board
from ofc.scoring import Chips, Points, Seat
from ofc.service import TableRooms
from ofc.service.live_tournament import AnyCommand
from ofc.storage import Journal
from ofc.tournament import commands as do
from ofc.tournament.events import PlayerId, SeatAt, TableNumber
from ofc.tournament.prizes import BasisPoints, Fees, FixedAmounts, Money, Percentages, PlaceWeights, TemplatePayouts
from ofc.tournament.settling import EnterBoards, EnterPoints
from ofc.tournament.structure import Break, Level, Structure
from ofc.web import create_app
from ofc.web.event_commands import _READERS, read_command
from ofc.web.reading import Reader
from tests.events import FakeClock
from tests.web_api.event_pages import STRUCTURE, Page, begin, code_of, open_event, page
from tests.web_api.helpers import other_client

T1, P4, P9, SEAT = TableNumber(1), PlayerId(4), PlayerId(9), SeatAt(TableNumber(1), Seat(2))
FEES = Fees(Money(20))
SHARES = Percentages((BasisPoints(5000), BasisPoints(3025), BasisPoints(1975)))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def timed(_no_hanging: None, journal_path: Path, built_page: Path, clock: FakeClock) -> Iterator[TestClient]:
    """A server whose moment the test sets."""
    app = create_app(lambda: TableRooms(Journal(journal_path), now=clock), static=built_page)
    with TestClient(app) as client:
        yield client


@pytest.fixture
def event(timed: TestClient) -> str:
    return open_event(timed)


class Director(Page):
    """A director's page that looks at everything anew after each command."""

    def do(self, command: str, /, **fields: Any) -> dict[str, Any]:
        answer = super().do(command, **fields)
        self.fresh()
        return answer


@pytest.fixture
def director(timed: TestClient, event: str) -> Iterator[Director]:
    with timed.websocket_connect(f"/api/events/{event}/socket") as socket:
        yield Director(socket, {"as": "director"})


def player(director: Page, number: int) -> dict[str, Any]:
    found: dict[str, Any] = director.view["players"][str(number)]
    return found


def table(director: Page, number: int) -> dict[str, Any]:
    found: dict[str, Any] = director.view["tables"][str(number)]
    return found


def test_players_come_onto_the_list_and_off_it(director: Director) -> None:
    director.do("register", players=[{"name": "Ada", "club": "", "paid": True}, {"name": "Bo", "club": None}])
    director.do("import-csv", text="name,club,paid\nCleo,Bergen,yes\nDag,,\n")
    assert [(one["name"], one["club"], one["paid"]) for one in director.view["players"].values()] == [
        ("Ada", "", True), ("Bo", "", False), ("Cleo", "Bergen", True), ("Dag", "", False),
    ]  # fmt: skip
    director.do("change-player", player=2, name="Bo N.", club="Oslo", paid=True)
    assert (player(director, 2)["name"], player(director, 2)["club"]) == ("Bo N.", "Oslo")
    director.do("withdraw", player=4)
    assert player(director, 4)["withdrawn"] is True
    director.do("draw")
    assert director.view["event"]["entries"] == 3
    assert director.view["event"]["stage"] == "running"
    director.do("register", players=[{"name": "Late"}])
    director.do("seat", player=5)
    assert player(director, 5)["table"] is not None
    director.do("remove", player=1, reason="went home")
    assert player(director, 1)["out"]["place"] == 4
    assert player(director, 1)["place"] == 4


def test_a_draw_that_is_taken_back_leaves_nobody_a_seat_or_a_place(director: Director) -> None:
    begin(director, 4, clock=False)
    action = director.seq
    director.do("undo", action=action)
    assert {(one["table"], one["place"]) for one in director.view["players"].values()} == {(None, None)}
    assert director.view["tables"] == {}
    director.do("redo", action=action)
    assert {one["place"] for one in director.view["players"].values()} == {1}


def test_a_long_list_of_players_is_taken_in_at_once(director: Director) -> None:
    director.do("register", players=[{"name": f"Player {number}"} for number in range(300)])
    assert len(director.view["players"]) == 300


def test_a_long_structure_is_taken(director: Director) -> None:
    steps = [{"kind": "level", "price": price, "minutes": 20, "hands": None} for price in range(10, 130)]
    director.do("settings", structure={**STRUCTURE, "steps": steps}, absent_points=2, name="Long")
    assert (director.view["event"]["levels"], director.view["event"]["name"]) == (120, "Long")
    assert director.view["clock"]["price_next"] == 11


def test_the_clock(director: Director, clock: FakeClock) -> None:
    begin(director, 3, clock=False)
    director.do("start-clock")
    assert director.view["clock"]["ends_at"] == clock.now + 1_200_000
    director.do("adjust", change_ms=60_000)
    assert director.view["clock"]["ends_at"] == clock.now + 1_260_000
    clock.now += 1000
    director.do("pause-clock")
    shown = director.view["clock"]
    assert (shown["running"], shown["left_ms"], shown["ends_at"], shown["next_break_at"]) == (
        False, 1_259_000, None, None,
    )  # fmt: skip
    director.do("jump", step=1)
    assert director.view["clock"]["is_break"] is True
    assert director.view["event"]["entry_open"] is True  # a break after the last level of late entry
    director.do("jump", step=3)
    assert director.view["clock"]["price_next"] is None
    assert director.view["event"]["entry_open"] is False


def test_moves(director: Director) -> None:
    begin(director, 7)
    first, second, third = table(director, 1)["seats"]
    director.do("plan-move", player=first, to={"table": 2, "seat": 2}, reason="too warm")
    assert director.view["moves"] == [
        {"player": first, "to": {"table": 2, "seat": 2}, "reason": "too warm", "waits_for": None}
    ]
    director.do("cancel-move", player=first)
    assert director.view["moves"] == []
    director.do("move-now", player=second, to={"table": 2, "seat": 2}, reason="too warm")
    assert player(director, second)["table"] == 2
    assert director.view["news"][0]["kind"] == "move"
    director.do("remove", player=third, reason="went home")
    assert director.view["proposed"]
    director.do("plan-moves")  # one who sits alone goes at once
    assert director.view["proposed"] == []
    assert [number for number, one in director.view["tables"].items() if len(set(one["seats"])) < 2] == []


def test_a_table_in_fantasyland(director: Director) -> None:
    begin(director, 6)
    first = table(director, 1)["seats"][0]
    director.do("fantasyland", table=1, cards={str(first): 15})
    assert (player(director, first)["declared"], table(director, 1)["held"]) == (15, True)
    assert director.view["news"][0]["words"].endswith("in Fantasyland at table 1")
    assert table(director, 1)["can_end"] is True
    director.do("bag")
    assert table(director, 1)["can_end"] is False
    director.do("resume")
    director.do("fantasyland-done", table=1)
    assert (table(director, 1)["held"], table(director, 1)["can_end"]) == (False, False)
    director.do("enter-points", **director.points(1, 0, 0, 0, fantasyland={str(first): 14}))
    assert player(director, first)["fantasyland"] == 14
    assert (table(director, 1)["held"], table(director, 1)["can_end"]) == (True, False)
    assert [fault["code"] for fault in director.refuse("fantasyland-done", table=1)] == ["fantasyland-hand-missing"]


def test_hands_by_points_and_by_boards_undone_and_redone(director: Director) -> None:
    begin(director, 2)
    first, second = (one for one in table(director, 1)["seats"] if one is not None)
    done = director.do("enter-points", **director.points(1, 5, -5))
    assert (player(director, first)["stack"], player(director, second)["stack"]) == (1050, 950)
    assert (player(director, first)["place"], player(director, second)["place"]) == (1, 2)
    boards = {
        str(first): {"top": "Qc Qd 4s", "middle": "Ks Kd 9s 5d 2c", "bottom": "Tc 9d 8c 7d 6c"},
        str(second): {"top": "9c 8d 2s", "middle": "Ac Ad 7s 6s 3d", "bottom": "Ah Jh 8h 6h 3h"},
    }
    director.do("enter-boards", table=1, hand=2, boards=boards)
    last = table(director, 1)["last_hand"]
    assert (last["source"], last["fantasyland"]) == ("boards", {str(first): 14})
    assert director.refuse("undo", action=done["action"])[0]["code"] == "played-on"
    undone = director.do("undo", action=table(director, 1)["undo"])
    assert undone["words"].startswith("Undone: Table 1, hand 2")
    assert table(director, 1)["last_hand"]["hand"] == 1
    director.do("redo", action=undone["action"])
    assert table(director, 1)["last_hand"] == last


def test_absence_corrections_and_the_button(director: Director) -> None:
    begin(director, 3)
    first, second, _ = table(director, 1)["seats"]
    director.do("absent", player=first, absent=True)
    assert player(director, first)["absent"] is True
    director.do("stack", player=second, stack=120, reason="miscounted")
    assert (player(director, second)["stack"], player(director, second)["points"]) == (120, 12)
    assert table(director, 1)["short"] == [second]
    other = (table(director, 1)["button"] + 1) % 3
    director.do("button", table=1, button=other)
    assert table(director, 1)["button"] == other
    director.do("redraw")
    assert sorted(table(director, 1)["seats"]) == [1, 2, 3]


def test_hand_for_hand_night_prizes_a_deal_and_the_end(director: Director) -> None:
    begin(director, 6)
    director.do("hand-for-hand", on=True)
    assert director.view["event"]["hand_for_hand"] is True
    director.do("hand-for-hand", on=False)
    director.do("bag")
    assert director.view["event"]["stage"] == "bagged"
    director.do("resume")
    ways: list[tuple[dict[str, Any], list[int]]] = [
        ({"fee": 90, "template": "winner"}, [540]),
        ({"fee": 90, "percents": [50.5, 49.5]}, [275, 265]),
        ({"fee": 100, "house_fee": 10, "added": 0, "guaranteed": 0, "amounts": [500, 100]}, [500, 100]),
        ({"fee": 20, "guaranteed": 600, "places": 2}, [400, 200]),
    ]
    for how, places in ways:
        offered = director.preview("prizes", **how, unit=5, remainder_to=1)["prizes"]
        assert (offered["pool"], offered["places"]) == (sum(places), places)
        director.do("prizes", **how, unit=5, remainder_to=1)
        assert director.view["event"]["prizes"] == offered
        director.do("prizes", **{name: value for name, value in offered["terms"].items() if value is not None})
        assert director.view["event"]["prizes"] == offered
    director.do("prizes", fee=100, amounts=[500])
    wrong = director.view["event"]["prizes"]
    assert (wrong["pool"], wrong["places"], wrong["problem"]) == (600, [], "the prizes sum to 500, the pool is 600")
    director.do("prizes", fee=100, percents=[60, 40])
    shares = {str(number): 100 for number in range(1, 7)}
    director.do("deal", shares=shares)
    assert {one["prize"] for one in director.view["players"].values()} == {100}
    assert director.view["event"]["deal"] == {"shares": shares, "held_back": 0}
    director.do("undo", action=director.seq)
    assert director.view["event"]["deal"] is None
    director.do("deal", shares=shares)
    director.do("finish")
    assert director.view["event"]["stage"] == "finished"
    assert director.refuse("start-clock")[0]["code"] == "finished"


def test_one_who_enters_again_is_out_no_more(director: Director) -> None:
    begin(director, 2)
    first, second = (one for one in table(director, 1)["seats"] if one is not None)
    hand = director.points(1, 100, -100)
    preview = director.preview("enter-points", **hand)
    assert preview["hand"]["out"] == [{"player": second, "place": 2}]
    director.do("enter-points", **hand)
    assert director.view["news"][0]["words"] == f"2. {player(director, second)['name']}"
    assert player(director, second)["out"] == {"place": 2, "shared": 1, "table": 1, "hand": 1}
    director.do("seat", player=second)
    assert player(director, second)["out"] is None
    assert player(director, second)["entries"] == 2
    assert player(director, first)["place"] == 1
    assert [item["words"] for item in director.view["news"] if item["kind"] == "out"] == [
        player(director, second)["name"]
    ]


def test_a_preview_says_what_would_be_and_every_fault(director: Director) -> None:
    begin(director, 3)
    seq = director.seq
    answer = director.preview("enter-points", **director.points(1, 3, -1, -1, fantasyland={"99": 14}))
    assert answer["hand"] is None
    assert {fault["code"] for fault in answer["faults"]} == {"points-sum", "player-not-here"}
    assert director.preview("pause-clock")["words"] == "The clock was paused."
    assert director.preview("undo", action=director.seq)["words"].startswith("Undone: ")
    assert director.fresh()["seq"] == seq


def test_bo_and_anna(timed: TestClient, clock: FakeClock) -> None:
    """The rules page's example, through the page of a table: 100, 100, 100, then 200 and the button moves."""
    steps = [{"kind": "level", "price": price, "minutes": 20} for price in (100, 200, 300)]
    event = open_event(timed, structure={**STRUCTURE, "starting_stack": 10_000, "steps": steps})
    with page(timed, event) as director:
        director.do("register", players=[{"name": name} for name in ("Bo", "Anna", "Cleo")])
        director.do("draw")
        director.do("start-clock")
        with page(other_client(timed), event, "table", code=code_of(director, 1)) as phone:
            button = table(phone, 1)["button"]

            def play(**fantasyland: int) -> int:
                """Play a hand, in which these earn Fantasyland, and return the price that it was played at."""
                numbers = {one["name"]: number for number, one in phone.view["players"].items()}
                cards = {numbers[name]: count for name, count in fantasyland.items()}
                phone.do("enter-points", **phone.points(1, 2, -1, -1, fantasyland=cards))
                return int(table(phone, 1)["last_hand"]["price"])

            # Bo gets QQ on top; the level changes while the hand is scored.
            clock.now += 20 * 60_000 + 1
            prices = [play(Bo=14)]
            assert phone.view["clock"]["price"] == 200
            assert (table(phone, 1)["held"], table(phone, 1)["price"], table(phone, 1)["price_clock"]) == (
                True,
                100,
                200,
            )
            assert table(phone, 1)["button"] == button
            # In the Fantasyland hand Anna gets KK on top.
            prices.append(play(Anna=15))
            assert table(phone, 1)["button"] == button
            # Nobody gets Fantasyland in that one.
            assert phone.preview("enter-points", **phone.points(1, 2, -1, -1))["hand"]["held_next"] is False
            prices.append(play())
            assert (table(phone, 1)["held"], table(phone, 1)["price"]) == (False, 200)
            assert table(phone, 1)["button"] == (button + 1) % 3
            prices.append(play())
            assert prices == [100, 100, 100, 200]
            phone.fresh()


STEPS = (Level(Chips(10), minutes=20), Break(10), Level(Chips(20), minutes=20), Level(Chips(40), minutes=20))
EXAMPLES: list[tuple[dict[str, Any], AnyCommand]] = [
    ({"do": "enter-points", "table": 1, "hand": 2, "points": {"4": -1, "9": 1}, "fantasyland": {"9": 14}},
     EnterPoints(T1, 2, {P4: Points(-1), P9: Points(1)}, {P9: 14})),
    ({"do": "enter-points", "table": 1, "hand": 2, "points": {}}, EnterPoints(T1, 2, {}, {})),
    ({"do": "enter-boards", "table": 1, "hand": 2, "boards": {"4": {"top": "Qc Qd 4s", "middle": "Ks Kd 9s 5d 2c",
      "bottom": "Tc 9d 8c 7d 6c"}}},
     EnterBoards(T1, 2, {P4: Board.parse("Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c")})),
    ({"do": "fantasyland", "table": 1, "cards": {"4": 0}}, do.DeclareFantasyland(T1, {P4: 0})),
    ({"do": "fantasyland-done", "table": 1}, do.EndFantasyland(T1)),
    ({"do": "absent", "player": 4, "absent": False}, do.MarkAbsence(P4, False)),
    ({"do": "undo", "action": 7}, do.Undo(7)),
    ({"do": "redo", "action": 7}, do.Redo(7)),
    ({"do": "settings", "name": "Cup", "structure": STRUCTURE, "absent_points": 0},
     do.ChangeSettings("Cup", Structure(Chips(1000), STEPS, 1, 1), Points(0))),
    ({"do": "register", "players": [{"name": " Ada ", "club": "", "paid": True}, {"name": "Bo"}]},
     do.Register((do.NewPlayer("Ada", "", True), do.NewPlayer("Bo")))),
    ({"do": "import-csv", "text": "name\nAda"}, do.Register((do.NewPlayer("Ada"),))),
    ({"do": "change-player", "player": 4, "name": "Ada", "club": "Oslo", "paid": False},
     do.ChangePlayer(P4, "Ada", "Oslo", False)),
    ({"do": "withdraw", "player": 4}, do.Withdraw(P4)),
    ({"do": "draw"}, do.DrawSeats(0, ())),
    ({"do": "seat", "player": 4}, do.SeatPlayer(P4, "")),
    ({"do": "start-clock"}, do.StartClock()),
    ({"do": "pause-clock"}, do.PauseClock()),
    ({"do": "jump", "step": 3}, do.JumpTo(3)),
    ({"do": "adjust", "change_ms": -60_000}, do.AdjustClock(-60_000)),
    ({"do": "plan-move", "player": 4, "to": {"table": 1, "seat": 2}, "reason": "warm"}, do.PlanMove(P4, SEAT, "warm")),
    ({"do": "plan-moves"}, do.PlanMoves()),
    ({"do": "cancel-move", "player": 4}, do.CancelMove(P4)),
    ({"do": "move-now", "player": 4, "to": {"table": 1, "seat": 2}}, do.MoveNow(P4, SEAT, "")),
    ({"do": "remove", "player": 4, "reason": "ill"}, do.RemovePlayer(P4, "ill")),
    ({"do": "redraw"}, do.RedrawSeats(0)),
    ({"do": "hand-for-hand", "on": True}, do.PlayHandForHand(True)),
    ({"do": "prizes", "fee": 20, "house_fee": 2, "added": 5, "guaranteed": 50, "unit": 10, "remainder_to": 2,
      "percents": [50, 30.25, 19.75]},
     do.SetPrizes(Fees(Money(20), Money(2), Money(5), Money(50)), SHARES, Money(10), 2)),
    ({"do": "prizes", "fee": 20, "amounts": [9, 1]}, do.SetPrizes(FEES, FixedAmounts((Money(9), Money(1))))),
    ({"do": "prizes", "fee": 20, "template": "club"}, do.SetPrizes(FEES, TemplatePayouts("club"))),
    ({"do": "prizes", "fee": 20, "places": 6}, do.SetPrizes(FEES, PlaceWeights(6))),
    ({"do": "deal", "shares": {"4": 400}, "held_back": 5}, do.MakeDeal({P4: Money(400)}, Money(5))),
    ({"do": "stack", "player": 4, "stack": 77, "reason": "lost"}, do.CorrectStack(P4, Chips(77), "lost")),
    ({"do": "button", "table": 1, "button": 2}, do.SetButton(T1, Seat(2))),
    ({"do": "bag"}, do.Bag()),
    ({"do": "resume"}, do.Resume()),
    ({"do": "finish"}, do.Finish()),
]  # fmt: skip


def test_there_is_an_example_of_every_command() -> None:
    assert {plain["do"] for plain, _ in EXAMPLES} == set(_READERS)


@pytest.mark.parametrize(("plain", "command"), EXAMPLES, ids=[plain["do"] for plain, _ in EXAMPLES])
def test_every_command_is_read(plain: dict[str, Any], command: AnyCommand) -> None:
    reader = Reader({})
    assert read_command(plain, reader) == command
    assert reader.faults == []


def test_a_hand_that_was_kept_says_its_price(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director:
        begin(director, 3)
        wrong = director.points(1, 1, -1, 0, price=20)
        assert [fault["code"] for fault in director.refuse("enter-points", **wrong)] == ["price-not-in-force"]
        assert director.preview("enter-points", **wrong)["faults"][0]["text"] == "20"
        faults = director.refuse("enter-points", **director.points(1, 1, -1, 0, price=0))
        assert [(fault["code"], fault["field"]) for fault in faults] == [("number-invalid", "command.price")]
        director.do("jump", step=2)
        director.do("enter-points", **director.points(1, 1, -1, 0, price=10))
        assert director.view["tables"]["1"]["last_hand"]["price"] == 10


def test_points_that_leave_open_who_won_from_whom_are_settled_by_pairs(client: TestClient) -> None:
    event = open_event(client, structure={**STRUCTURE, "starting_stack": 100})
    with page(client, event) as director:
        begin(director, 3)
        seats, button = table(director, 1)["seats"], table(director, 1)["button"]
        a, b, c = seats[button:] + seats[:button]  # who is drawn for the button decides which caps bind
        hand = {**director.points(1, 0, 0, 0), "points": {str(a): 0, str(b): 15, str(c): -15}}
        assert director.preview("enter-points", **hand)["hand"]["approximate"] is True
        pairs = [(a, b, 1), (c, a, 1), (b, c, 16)]
        told = [{"winner": winner, "loser": loser, "points": points} for winner, loser, points in pairs]
        shown = director.preview("enter-points", **hand, pairs=told)["hand"]
        assert (shown["approximate"], shown["source"], len(shown["payments"])) == (False, "pairs", 3)
        for wrong, code in (([5], "pair-invalid"), ([{"winner": a}], "number-invalid"), (told[:1], "pairs-sum")):
            assert code in {fault["code"] for fault in director.refuse("enter-points", **{**hand, "pairs": wrong})}
        director.do("enter-points", **hand, pairs=told)
        assert table(director, 1)["last_hand"]["after"] == shown["after"]
