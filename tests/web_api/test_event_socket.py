"""An event's WebSocket: hello, state and patches, who may see and do what, and what a page of a table is for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from ofc.service import TableRooms
from ofc.service.live_tournament import LiveTournament
from ofc.storage import Journal, JournalError
from ofc.web import create_app
from tests.events import FakeClock
from tests.web_api.conftest import MakeClient
from tests.web_api.event_pages import STRUCTURE, address, begin, code_of, open_event, page
from tests.web_api.helpers import codes, other_client

TABLE_STATE = {
    "type", "seq", "now", "you", "event", "clock", "players", "tables", "moves", "proposed", "news", "log",
}  # fmt: skip


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def timed(_no_hanging: None, journal_path: Path, built_page: Path, clock: FakeClock) -> Iterator[TestClient]:
    """A server whose moment the test sets."""
    app = create_app(lambda: TableRooms(Journal(journal_path), now=clock), static=built_page)
    with TestClient(app) as client:
        yield client


def test_state_has_every_part_that_the_protocol_names(client: TestClient) -> None:
    event = open_event(client)
    with client.websocket_connect(address(event, "socket")) as socket:
        socket.send_json({"type": "hello", "version": 1, "as": "director"})
        state = socket.receive_json()
    assert state.keys() == TABLE_STATE
    assert state["you"] == {"as": "director", "name": "Kari", "table": None}
    assert state["event"]["structure"]["steps"][1] == {
        "kind": "break", "number": None, "price": None, "minutes": 10, "hands": None,
    }  # fmt: skip
    assert state["event"]["rules"]["fantasyland"] == {"queens": 14, "kings": 15, "aces": 16, "trips": 17}
    assert state["clock"] == {
        "running": False, "step": 0, "level": 1, "is_break": False, "price": 10, "price_next": 20,
        "left_ms": 1_200_000, "ends_at": None, "next_break_at": None, "next_break_ms": 1_200_000,
    }  # fmt: skip
    assert [line["words"] for line in state["log"]] == ["Cup was set up."]


@pytest.mark.parametrize(
    ("hello", "expected"),
    [
        ({}, {("page-unknown", "as"), ("number-invalid", "version"), ("version", "version")}),
        ({"version": 2, "as": "viewer"}, {("version", "version")}),
        ({"version": 1, "as": "table"}, {("code-unknown", "code")}),
        ({"version": 1, "as": "table", "code": "K7M2QX"}, {("code-unknown", "code")}),
        ({"version": 1, "as": "table", "code": 5}, {("text-needed", "code")}),
        ({"version": 1, "as": "viewer", "admin": True}, {("field-unknown", "admin")}),
    ],
)
def test_a_wrong_hello_is_refused_and_the_socket_closed(
    client: TestClient, hello: dict[str, object], expected: set[tuple[str, str]]
) -> None:
    with client.websocket_connect(address(open_event(client), "socket")) as socket:
        socket.send_json({"type": "hello", **hello})
        refused = socket.receive_json()
        assert (refused["type"], refused["id"]) == ("refused", None)
        assert {(fault["code"], fault["field"]) for fault in refused["errors"]} == expected
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert (closed.value.code, closed.value.reason) == (1008, f"hello refused: {refused['errors'][0]['code']}")


def test_another_message_first_or_none_at_all_closes_the_socket(make_client: MakeClient) -> None:
    with make_client(hello_s=0.02) as client:
        event = open_event(client)
        with client.websocket_connect(address(event, "socket")) as socket:
            socket.send_json({"type": "ping", "id": "x"})
            refused = socket.receive_json()
            assert (refused["id"], codes(refused)) == ("x", ["hello-first"])
        with (
            client.websocket_connect(address(event, "socket")) as socket,
            pytest.raises(WebSocketDisconnect) as closed,
        ):
            socket.receive_json()
        assert (closed.value.code, closed.value.reason) == (1008, "no hello")


def test_an_unknown_event_and_a_foreign_page_are_refused_at_the_door(client: TestClient) -> None:
    event = open_event(client)
    for path, headers, status, code in (
        (address("nothing", "socket"), {}, 404, "event-unknown"),
        (address(event, "socket"), {"origin": "http://evil.example"}, 403, "origin-foreign"),
    ):
        with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(path, headers=headers):
            pass
        assert denied.value.status_code == status
        assert codes(denied.value.json()) == [code]


def test_only_directors_are_directors(client: TestClient) -> None:
    event = open_event(client)
    with other_client(client).websocket_connect(address(event, "socket")) as socket:
        socket.send_json({"type": "hello", "version": 1, "as": "director"})
        assert codes(socket.receive_json()) == ["not-director"]


def test_where_the_journal_cannot_be_read_a_page_is_told_so(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = open_event(client)
    rooms: TableRooms = client.app.state.rooms  # type: ignore[attr-defined]  # a Starlette app

    def refuse(*_: object) -> None:
        raise JournalError("the disk is gone")

    with page(client, event) as director, client.websocket_connect(address(event, "socket")) as socket:
        monkeypatch.setattr(rooms.journal, "director", refuse)
        socket.send_json({"type": "hello", "version": 1, "as": "director"})
        assert codes(socket.receive_json()) == ["journal"]
        monkeypatch.setattr(rooms.journal, "command_seq", refuse)
        assert [fault["code"] for fault in director.refuse("register", players=[{"name": "A"}])] == ["journal"]
        monkeypatch.setattr(rooms.journal, "tournament", refuse)
        with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(address("other", "socket")):
            pass
        assert denied.value.status_code == 503
        monkeypatch.undo()
        director.do("register", players=[{"name": "A"}])


def test_codes_payments_and_the_log_are_for_directors_only(client: TestClient) -> None:
    event = open_event(client)
    stranger = other_client(client)
    with page(client, event) as director, page(stranger, event, "viewer") as viewer:
        begin(director)
        secrets = [table["code"] for table in director.view["tables"].values()]
        assert all(player["paid"] for player in director.view["players"].values())
        with page(stranger, event, "table", code=code_of(director, 1)) as table:
            director.do("change-player", player=1, name="Ada", club="Bergen", paid=False)
            director.do("enter-points", **director.points(2, 3, -3))
            director.do("stack", player=1, stack=77, reason="a secret reason")
            director.do("enter-points", **director.points(1, 3, -3, 0))
            for one in (viewer, table):
                one.catch_up(director.seq)
                one.fresh()
                text = "".join(one.texts)
                assert "paid" not in text
                assert "secret reason" not in text
                assert not [code for code in secrets if code in text]
            assert viewer.view["log"] == []
            (line,) = table.view["log"]
            assert line["seq"] == table.view["tables"]["1"]["undo"]
            assert line["table"] == 1
            for one, kind in ((viewer, "viewer"), (table, "table")):
                assert one.ask({"type": "log", "id": kind, "before": 100}) == {"type": "log", "id": kind, "log": []}
            assert len(director.ask({"type": "log", "id": "all", "before": 6})["log"]) == 5
            assert table.view["you"] == {"as": "table", "name": "Table 1", "table": 1}


def test_who_only_looks_does_nothing(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director, page(other_client(client), event, "viewer") as viewer:
        begin(director)
        viewer.catch_up(director.seq)
        assert viewer.refuse("finish")[0]["code"] == "not-yours"
        answer = viewer.preview("enter-points", **director.points(2, 3, -3))
        assert (answer["type"], codes(answer)) == ("refused", ["not-yours"])
        assert viewer.fresh()["event"]["stage"] == "running"


def test_a_tables_page_enters_and_takes_back_its_hands_and_no_others(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director:
        begin(director, 6)
        with page(other_client(client), event, "table", code=code_of(director, 1).lower()) as table:
            hand = table.points(1, 5, -2, -3)
            preview = table.preview("enter-points", **hand)
            done = table.do("enter-points", **hand)
            director.catch_up(table.seq)
            assert preview["hand"] == director.view["tables"]["1"]["last_hand"]
            assert preview["words"] == done["words"] == director.view["log"][0]["words"]
            assert director.view["log"][0]["by"] == "Table 1"
            assert table.refuse("enter-points", **hand)[0]["code"] == "hand-entered"
            assert table.refuse("enter-points", **table.points(2, 5, -2, -3))[0]["code"] == "not-yours"
            assert table.preview("enter-points", **table.points(2, 1, -1, 0))["faults"][0]["code"] == "not-yours"
            assert table.refuse("pause-clock")[0]["code"] == "not-yours"
            table.do("undo", action=done["action"])
            assert table.view["tables"]["1"]["hand"] == 1
            assert table.view["log"] == []
            table.do("redo", action=done["action"])
            table.do("absent", player=table.view["tables"]["1"]["seats"][0], absent=True)
            table.do("fantasyland", table=1, cards={str(table.view["tables"]["1"]["seats"][1]): 14})
            assert table.view["tables"]["1"]["held"] is True
            table.do("fantasyland-done", table=1)
            assert table.refuse("undo", action=done["action"])[0]["code"] == "played-on"
            table.fresh()


def test_two_phones_that_enter_one_hand_and_two_directors_at_one_table(client: TestClient) -> None:
    event = open_event(client)
    key = client.get(address(event, "key")).json()["key"]
    ola = other_client(client)
    assert ola.post(address(event, "directors"), json={"key": key, "name": "Ola"}).status_code == 200
    with page(client, event) as kari, page(ola, event) as second:
        begin(kari, 6)
        second.catch_up(kari.seq)
        code, seq = code_of(kari, 1), kari.seq
        with (
            page(other_client(client), event, "table", code=code) as one,
            page(other_client(client), event, "table", code=code) as two,
        ):
            command = {"do": "enter-points", **one.points(1, 4, -4, 0)}
            assert one.send(command, seq=seq)["type"] == "done"
            assert codes(two.send(command, seq=seq)) == ["hand-entered"]
        first = {"do": "adjust", "change_ms": 60_000}
        assert kari.send(first, seq=seq)["type"] == "done"
        late = second.send(first, seq=seq)
        assert codes(late) == ["stale"]
        assert late["errors"][0]["message"].startswith("Kari was first: The clock was moved")
        assert second.send({"do": "enter-points", **second.points(2, 1, -1, 0)}, seq=seq)["type"] == "done"
        left = kari.catch_up(second.seq)["clock"]["left_ms"]
        assert left <= 21 * 60_000


def test_the_same_command_sent_again_is_done_once_also_after_a_restart(make_client: MakeClient) -> None:
    command = {"do": "register", "players": [{"name": "Ada"}]}
    with make_client() as client:
        event = open_event(client)
        with page(client, event) as director:
            first = director.send(command, seq=1, own_id="x")
            assert director.send(command, seq=1, own_id="x") == first
            director.catch_up(first["seq"])
        cookies = dict(client.cookies)
    with make_client() as client:
        client.cookies.update(cookies)
        with page(client, event) as director:
            assert director.send(command, seq=1, own_id="x") == first
            assert [player["name"] for player in director.view["players"].values()] == ["Ada"]


def test_the_clocks_next_step_is_a_patch_without_a_new_seq(timed: TestClient, clock: FakeClock) -> None:
    event = open_event(timed)
    with page(timed, event) as director, page(other_client(timed), event, "viewer") as screen:
        begin(director)
        screen.catch_up(director.seq)
        assert screen.view["clock"]["next_break_at"] == clock.now + 1_200_000
        clock.now += 20 * 60_000 - 20
        director.do("enter-points", **director.points(2, 1, -1))  # the clock is looked at again
        screen.catch_up(director.seq)
        assert screen.view["clock"]["left_ms"] == 20
        clock.now += 20
        for one in (director, screen):
            seq = one.seq
            patch = one.receive("patch")
            assert (patch["seq"], patch["now"]) == (seq, clock.now)
            assert patch["clock"]["is_break"] is True
            assert patch["clock"]["price_next"] == 40
            assert patch["news"][0] == {"seq": 4, "at": clock.now, "kind": "level", "words": "Break, 10 min"}
            one.fresh()


def test_ping_hello_again_and_faulty_messages(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director:
        pong = director.ask({"type": "ping", "id": "x"})
        assert pong.keys() == {"type", "id", "now"}
        assert abs(pong["now"] - director.view["now"]) < 600_000
        director.fresh()
        assert codes(director.ask({"type": "sing", "id": "y"})) == ["type-unknown"]
        assert codes(director.ask({"type": "ping", "id": "z", "loud": True})) == ["field-unknown"]


def test_what_the_page_knew_before_is_enough_for_a_new_structure(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director:
        begin(director, 3)
        steps = [*STRUCTURE["steps"], {"kind": "level", "price": 80, "minutes": None, "hands": None}]
        director.do("settings", name="Great Cup", structure={**STRUCTURE, "steps": steps}, absent_points=1)
        assert director.view["event"]["levels"] == 4
        sent = json.dumps(director.view["event"]["structure"])
        director.do("settings", name="Cup", structure=json.loads(sent), absent_points=1)


def csv_of(players: int, club: str) -> str:
    return "name,club,paid\n" + "".join(f"Player {number},{club},yes\n" for number in range(players))


def test_five_thousand_players_are_imported_at_once(client: TestClient) -> None:
    text = csv_of(5_000, "Æ" * 60)
    assert len(text) > 300_000
    event = open_event(client)
    with page(client, event) as director:
        director.do("import-csv", text=text + "\n" * 1_000_000)
        assert len(director.view["players"]) == 5_000
        assert director.view["players"]["5000"]["name"] == "Player 4999"


def test_a_message_too_large_for_a_page_is_refused_by_its_id_and_the_socket_stays(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director, page(client, event, "viewer") as screen:
        begin(director, 3)
        with page(client, event, "table", code=code_of(director, 1)) as table:
            for one in (screen, table):
                answer = one.send({"do": "import-csv", "text": "x" * 65_536})
                assert codes(answer) == ["message-too-large"]
                assert "65,536 bytes" in answer["errors"][0]["message"]
                assert one.ask({"type": "ping", "id": "still there"})["type"] == "pong"
        director.fresh()
        director.socket.send_text("x" * (4 * 1024 * 1024 + 1))
        with pytest.raises(WebSocketDisconnect) as closed:
            director.receive("refused")
        assert closed.value.code == 1009


def test_what_breaks_in_here_is_refused_and_not_a_reason_to_close(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A page sends again what was not answered: a socket closed for it would be opened and closed for ever."""
    event = open_event(client)
    with page(client, event) as director:
        with monkeypatch.context() as broken:
            broken.setattr(LiveTournament, "submit", Mock(side_effect=RuntimeError("a bug")))
            assert [fault["code"] for fault in director.refuse("draw")] == ["internal"]
        assert "a bug" in caplog.text
        director.do("register", players=[{"name": "Anna"}])


def test_levels_that_come_by_themselves_and_by_hand_are_news(timed: TestClient, clock: FakeClock) -> None:
    event = open_event(timed)
    with page(timed, event) as director:
        begin(director, 3)
        assert [item["kind"] for item in director.view["news"]] == []
        clock.now += 31 * 60_000
        director.do("jump", step=3)
        director.do("undo", action=director.do("jump", step=0)["action"])
        told = [(item["words"], item["kind"]) for item in director.view["news"]]
        assert told == [
            ("Level 3: 40 a point", "level"), ("Level 2: 20 a point", "level"), ("Break, 10 min", "level"),
        ]  # fmt: skip
