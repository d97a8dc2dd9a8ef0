"""Every message of docs/protocol.md, on a table's WebSocket."""

from __future__ import annotations

import json
import random
from typing import Any
from unittest.mock import Mock

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from ofc.service import LiveTable
from tests.playing import random_placements
from tests.web_api.conftest import MakeClient
from tests.web_api.helpers import (
    HELLO,
    ask,
    codes,
    greeted,
    open_table,
    other_client,
    play,
    present,
    receive,
    until_turn,
)

GENERATOR = random.Random(5)


def place(message: dict[str, Any], command_id: str = "p") -> dict[str, Any]:
    """Return a legal move on this view."""
    placements = random_placements(message["view"], GENERATOR)
    return {"type": "place", "id": command_id, "seq": message["seq"], "placements": placements}


def closing(socket: WebSocketTestSession) -> tuple[int, str]:
    """Return the code and the reason with which the socket is closed; messages before are passed over."""
    try:
        while True:
            socket.receive_json()
    except WebSocketDisconnect as closed:
        return closed.code, closed.reason


def test_hello_is_answered_with_a_complete_view(client: TestClient) -> None:
    table = open_table(client, rules="ultimate", bots=["random", "random"])
    with greeted(client, table) as socket:
        message = socket.receive_json()
    assert message.keys() == {"type", "seq", "view"}
    assert message["view"].keys() == {
        "table", "rules", "seeded", "you", "phase", "hand", "hands", "street", "streets", "turn", "button", "unit",
        "price", "price_next", "seats", "cards", "to_place", "outlook", "log", "result", "match",
    }  # fmt: skip
    assert message["view"]["table"] == table
    assert message["view"]["you"] == 0


def test_a_move_is_stored_told_and_answered(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        message = until_turn(socket)
        move = place(message)
        done = ask(socket, move)
        assert (done["type"], done["id"]) == ("done", "p")
        assert done["seq"] > message["seq"]
        view = present(socket)["view"]
        mine = [entry for entry in view["log"] if entry["seat"] == 0]
        assert mine[0]["placements"] == move["placements"]


def test_the_same_command_again_is_answered_again_and_done_once_also_after_a_restart(make_client: MakeClient) -> None:
    with make_client() as client:
        table = open_table(client)
        with greeted(client, table) as socket:
            move = place(until_turn(socket), command_id=" my Nº 1\t")
            done = ask(socket, move)
            socket.send_json(move)
            assert (
                receive(socket, "done", "refused") == done == {"type": "done", "id": " my Nº 1\t", "seq": done["seq"]}
            )
        with greeted(client, table) as socket:
            assert ask(socket, move) == done
        cookies = dict(client.cookies)
    with make_client() as client:
        client.cookies.update(cookies)
        with greeted(client, table) as socket:
            assert ask(socket, move) == done
            view = present(socket)["view"]
            assert [entry["seat"] for entry in view["log"]].count(0) == 1


def test_a_stale_command_is_refused_and_followed_by_the_present_view(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        message = until_turn(socket)
        socket.send_json({**place(message), "seq": message["seq"] - 1})
        refused = socket.receive_json()
        assert (refused["type"], refused["id"], codes(refused)) == ("refused", "p", ["stale"])
        assert refused["seq"] == message["seq"]
        assert socket.receive_json() == message
        socket.send_json(place(message))  # the refused id was not used up
        assert receive(socket, "done", "refused")["type"] == "done"


def test_both_sockets_of_a_visitor_see_the_same(client: TestClient) -> None:
    table = open_table(client)
    with greeted(client, table) as first, greeted(client, table) as second:
        message = until_turn(first)
        assert until_turn(second)["view"] == message["view"]
        assert ask(second, place(message))["type"] == "done"
        assert present(first) == present(second)


def test_a_spectator_sees_no_secret_and_cannot_act(client: TestClient) -> None:
    table = open_table(client)
    with greeted(client, table) as socket, greeted(other_client(client), table) as watching:
        message = until_turn(socket)
        view = receive(watching, "view")
        while view["seq"] < message["seq"]:
            view = receive(watching, "view")
        assert (view["view"]["you"], view["view"]["cards"], view["view"]["outlook"]) == (None, [], None)
        for kind in ("place", "next", "end", "rematch"):
            command = {**place(message), "type": kind}
            if kind != "place":
                del command["placements"]
            assert codes(ask(watching, command)) == ["not-your-table"]
        assert codes(ask(watching, {"type": "arrange", "id": "q", "placements": []})) == ["no-hand"]
        assert ask(socket, place(message))["type"] == "done"


def test_arrange_is_answered_with_an_outlook_and_changes_nothing(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        message = until_turn(socket)
        view = message["view"]
        first, second, *_ = view["cards"]
        question = {"type": "arrange", "id": "q", "placements": [{"card": first, "row": "top"}], "chosen": [second]}
        answer = ask(socket, question)
        assert (answer["type"], answer["id"]) == ("outlook", "q")
        outlook = answer["outlook"]
        assert outlook.keys() == {
            "rows", "chosen", "left", "complete", "discards", "fouled", "fantasyland", "message", "errors",
        }  # fmt: skip
        assert (outlook["left"], outlook["complete"]) == (view["to_place"] - 1, False)
        assert outlook["chosen"]["middle"]["fits"] is True
        assert ask(socket, {"type": "arrange", "id": "r", "placements": []})["outlook"] == view["outlook"]
        socket.send_json(HELLO)
        assert receive(socket, "view") == message


def test_a_faulty_arrangement_is_answered_with_its_faults(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        view = until_turn(socket)["view"]
        mine, other = (
            view["cards"][0],
            next(card for card in ("2c", "3c", "4c", "5c", "6c", "7c") if card not in view["cards"]),
        )
        placements = [{"card": card, "row": "top"} for card in (mine, mine, other, other)]
        outlook = ask(socket, {"type": "arrange", "id": "q", "placements": placements, "chosen": [mine, mine]})[
            "outlook"
        ]
        assert {fault["code"] for fault in outlook["errors"]} == {"card-twice", "card-not-yours", "row-overfull"}
        assert all(not preview["fits"] for preview in outlook["chosen"].values())


def test_arrange_between_hands_is_refused(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        play(socket, random.Random(2))
        assert codes(ask(socket, {"type": "arrange", "id": "q", "placements": []})) == ["no-hand"]


def test_ping_is_answered_by_pong(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        assert ask(socket, {"type": "ping", "id": "x"}) == {"type": "pong", "id": "x"}


def test_hello_again_is_answered_with_the_view_again(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        message = until_turn(socket)
        socket.send_json(HELLO)
        assert socket.receive_json() == message


def test_a_whole_match_then_a_rematch_then_its_end(client: TestClient) -> None:
    with greeted(client, open_table(client, hands=2)) as socket:
        last = play(socket, random.Random(3))
        assert last["view"]["match"]["reason"] == "hands"
        assert codes(ask(socket, {"type": "next", "id": "n", "seq": last["seq"]})) == ["match-over"]
        assert ask(socket, {"type": "rematch", "id": "r", "seq": last["seq"]})["type"] == "done"
        message = present(socket)
        assert message["view"]["hand"] == 1
        assert [seat["standing"] for seat in message["view"]["seats"]] == [0, 0]
        assert codes(ask(socket, {"type": "rematch", "id": "s", "seq": message["seq"]})) == ["match-running"]
        assert ask(socket, {"type": "end", "id": "e", "seq": message["seq"]})["type"] == "done"
        message = present(socket)
        assert (message["view"]["phase"], message["view"]["result"]) == ("over", None)
        assert message["view"]["match"] == {"places": [1, 1], "hands": 0, "reason": "ended"}
        assert codes(ask(socket, {"type": "end", "id": "f", "seq": message["seq"]})) == ["match-over"]


@pytest.mark.parametrize("rules", ["ultimate", "tournament", "casual", "casual-progressive", "progressive", "classic"])
def test_every_rule_set_is_played_to_the_end(client: TestClient, rules: str) -> None:
    bots = ["random"] * (3 if rules == "classic" else 2)
    with greeted(client, open_table(client, rules=rules, bots=bots, hands=2)) as socket:
        match = play(socket, random.Random(4))["view"]["match"]
    assert match["hands"] >= 2
    assert len(match["places"]) == len(bots) + 1


def test_an_illegal_move_is_refused_with_every_fault_and_changes_nothing(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        message = until_turn(socket)
        cards = message["view"]["cards"]
        wrong = {**place(message), "placements": [{"card": card, "row": "top"} for card in cards[:4]]}
        refused = ask(socket, wrong)
        assert {(fault["code"], fault["row"]) for fault in refused["errors"]} == {
            ("row-overfull", "top"),
            ("placements-count", None),
        }
        assert codes(ask(socket, {**place(message), "discards": ["2c", "3c"]})) == ["discards-mismatch"]
        socket.send_json(HELLO)
        assert receive(socket, "view") == message
        assert ask(socket, {**place(message), "discards": []})["type"] == "done"


def test_what_cannot_be_read_and_what_is_against_the_rules_are_told_together(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        message = until_turn(socket)
        first, second, *_ = message["view"]["cards"]
        foreign = next(card for card in ("2c", "3c", "4c", "5c", "6c", "7c") if card not in message["view"]["cards"])
        rows = {"card": foreign, "row": "up"}, {"card": "Zz", "row": "top"}, {"card": first, "row": "top"}
        twice = {"card": first, "row": "top"}, {"card": second, "row": "top"}
        move = {
            "type": "place", "id": "p", "seq": message["seq"],
            "placements": [*rows, *twice, 7], "discards": [second, foreign, "X"],
        }  # fmt: skip
        refused = ask(socket, move)
        assert (refused["type"], refused["id"], refused["seq"]) == ("refused", "p", message["seq"])
        told = {(fault["code"], fault["field"], fault["row"], fault["text"]) for fault in refused["errors"]}
        assert told == {
            ("row-unknown", "placements[0].row", None, "up"),
            ("card-unknown", "placements[1].card", "top", "Zz"),
            ("placement-invalid", "placements[5]", None, "7"),
            ("card-unknown", "discards[2]", None, "X"),
            ("card-not-yours", "placements[0].card", None, foreign),
            ("card-twice", "placements[2].card", "top", first),
            ("card-twice", "placements[3].card", "top", first),
            ("row-overfull", "placements", "top", "4"),
            ("placements-count", "placements", None, "6"),
            ("discards-mismatch", "discards", None, f"{second} {foreign}"),
        }
        question = {"type": "arrange", "id": "q", "placements": [*rows], "chosen": ["Y", first, first, foreign]}
        refused = ask(socket, question)
        assert {(fault["code"], fault["field"], fault["text"]) for fault in refused["errors"]} == {
            ("row-unknown", "placements[0].row", "up"),
            ("card-unknown", "placements[1].card", "Zz"),
            ("card-unknown", "chosen[0]", "Y"),
            ("card-not-yours", "placements[0].card", foreign),
            ("card-twice", "chosen[1]", first),
            ("card-twice", "chosen[2]", first),
            ("card-not-yours", "chosen[3]", foreign),
            ("card-twice", "chosen[3]", foreign),
        }
        unread = {**move, "placements": "Kh", "discards": None}
        assert codes(ask(socket, unread)) == ["list-needed"]
        timeless = {**move, "seq": "now", "placements": [*rows], "discards": ["X"]}
        assert {"number-invalid", "card-not-yours", "placements-count", "discards-mismatch"} < set(
            codes(ask(socket, timeless))
        )
        old = {**timeless, "seq": message["seq"] - 1}
        assert sorted(codes(ask(socket, old))) == ["card-unknown", "card-unknown", "row-unknown", "stale"]
        assert socket.receive_json()["type"] == "view"
        early = {"type": "next", "id": "n", "seq": message["seq"], "now": True}
        assert sorted(codes(ask(socket, early))) == ["field-unknown", "hand-running"]
        socket.send_json({"type": "hello", "version": 2, "x": 1})
        assert sorted(codes(receive(socket, "refused"))) == ["field-unknown", "version"]
        assert ask(socket, place(message))["type"] == "done"


def test_what_cannot_be_read_is_told_with_why_it_is_not_ones_to_do(client: TestClient) -> None:
    table = open_table(client)
    faulty = {"placements": [{"card": "Zz", "row": "top"}]}
    with greeted(client, table) as socket, greeted(other_client(client), table) as watching:
        seq = until_turn(socket)["seq"]
        asked = ask(watching, {"type": "place", "id": "p", "seq": seq, **faulty})
        assert sorted(codes(asked)) == ["card-unknown", "not-your-table"]
        asked = ask(watching, {"type": "arrange", "id": "a", **faulty})
        assert sorted(codes(asked)) == ["card-unknown", "no-hand"]


def test_chosen_cards_that_one_does_not_hold_are_told_and_the_arrangement_stays(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        view = until_turn(socket)["view"]
        first, second, *_ = view["cards"]
        foreign = next(card for card in ("2c", "3c", "4c", "5c", "6c", "7c") if card not in view["cards"])
        placements = [{"card": first, "row": "bottom"}]
        question = {"type": "arrange", "id": "q", "placements": placements, "chosen": [second, first, foreign]}
        outlook = ask(socket, question)["outlook"]
        assert [(fault["code"], fault["field"]) for fault in outlook["errors"]] == [
            ("card-twice", "chosen[1]"),
            ("card-not-yours", "chosen[2]"),
        ]
        assert outlook["left"] == view["to_place"] - 1


def test_what_cannot_be_stored_is_refused_and_may_be_sent_again(client: TestClient) -> None:
    app: Any = client.app
    with greeted(client, open_table(client)) as socket:
        message = until_turn(socket)
        move = place(message)
        writer = app.state.rooms.journal._writer
        writer.execute("PRAGMA query_only = ON")
        refused = ask(socket, move)
        assert (refused["id"], codes(refused), refused["seq"]) == ("p", ["journal"], message["seq"])
        writer.execute("PRAGMA query_only = OFF")
        assert ask(socket, move)["type"] == "done"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://testserver.evil.example", "https://x"])
def test_another_sites_page_gets_no_socket(client: TestClient, origin: str) -> None:
    path = f"/api/tables/{open_table(client)}/socket"
    with (
        pytest.raises(WebSocketDenialResponse) as denied,
        client.websocket_connect(path, headers={"origin": origin}),
    ):
        pass
    assert (denied.value.status_code, codes(denied.value.json())) == (403, ["origin-foreign"])
    with client.websocket_connect(path, headers={"origin": "http://testserver"}) as socket:
        socket.send_json(HELLO)
        assert socket.receive_json()["type"] == "view"


def test_an_unknown_table_has_no_socket(client: TestClient) -> None:
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect("/api/tables/nothing/socket"):
        pass
    assert (denied.value.status_code, codes(denied.value.json())) == (404, ["table-unknown"])


@pytest.mark.parametrize("path", ["/", "/api/nothing", "/app.js", "/table/x"])
def test_elsewhere_there_is_no_socket(client: TestClient, path: str) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(path):
        pass


def test_a_table_that_cannot_be_read_refuses_the_handshake(make_client: MakeClient) -> None:
    with make_client() as client:
        table = open_table(client)
        app: Any = client.app
        app.state.rooms.journal._writer.execute("UPDATE events SET type = 'Unheard' WHERE stream = ?", (table,))
    with (
        make_client() as client,
        pytest.raises(WebSocketDenialResponse) as denied,
        client.websocket_connect(f"/api/tables/{table}/socket"),
    ):
        pass
    assert (denied.value.status_code, codes(denied.value.json())) == (503, ["journal"])


def test_a_socket_that_never_says_hello_is_closed(make_client: MakeClient) -> None:
    with make_client(hello_s=0.01) as client:
        table = open_table(client)
        with client.websocket_connect(f"/api/tables/{table}/socket") as socket:
            assert closing(socket) == (1008, "no hello")


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "ping", "id": "x"}, "hello-first"),
        ({"type": "end", "id": "x", "seq": 6}, "hello-first"),
        ({"type": "end", "id": "x", "seq": -6}, "number-invalid"),
        ({"type": "hello", "version": 2}, "version"),
        ({"type": "hello", "version": 0}, "version"),
        ({"type": "hello"}, "number-invalid"),
        ({"type": "hello", "version": "1"}, "number-invalid"),
        ({}, "type-unknown"),
        ([], "json-not-object"),
    ],
)
def test_another_first_message_is_refused_and_the_socket_closed(client: TestClient, first: Any, code: str) -> None:
    """The answer says what was wrong, and so does the reason for closing, for whoever looks only at that."""
    table = open_table(client)
    with client.websocket_connect(f"/api/tables/{table}/socket") as socket:
        socket.send_json(first)
        refused = socket.receive_json()
        own_id = first.get("id") if isinstance(first, dict) else None
        assert (refused["type"], refused["id"], codes(refused)[0]) == ("refused", own_id, code)
        assert closing(socket) == (1008, f"hello refused: {code}")


@pytest.mark.parametrize("when", ["before hello", "after hello"])
def test_a_message_over_64_kib_closes_the_socket(client: TestClient, when: str) -> None:
    table = open_table(client)
    with client.websocket_connect(f"/api/tables/{table}/socket") as socket:
        if when == "after hello":
            socket.send_json(HELLO)
        socket.send_text("é" * 32_769)
        assert closing(socket) == (1009, "message too large")


def test_a_message_of_64_kib_is_read(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        ping = json.dumps({"type": "ping", "id": "x"})
        socket.send_text(ping + " " * (65_536 - len(ping)))
        assert receive(socket, "pong", "refused")["type"] == "pong"


def test_bytes_are_read_as_text_is(client: TestClient) -> None:
    with greeted(client, open_table(client)) as socket:
        socket.send_bytes(b'{"type": "ping", "id": "x"}')
        assert receive(socket, "pong") == {"type": "pong", "id": "x"}
        socket.send_bytes(b'{"type": "ping", "id": "\xff"}')
        assert codes(receive(socket, "refused")) == ["text-encoding"]


def test_a_lost_connection_loses_nothing(client: TestClient) -> None:
    table = open_table(client, hands=1)
    generator = random.Random(6)
    for number in range(100):
        with greeted(client, table) as socket:
            message = until_turn(socket)
            if message["view"]["phase"] == "over":
                break
            command = {**place(message), "id": str(number)}
            if message["view"]["phase"] == "showdown":
                command = {"type": "next", "id": str(number), "seq": message["seq"]}
            socket.send_json(command)
            if generator.random() < 0.5:
                receive(socket, "done", "refused")
    else:
        pytest.fail("the match did not end")
    assert client.get(f"/api/tables/{table}").json()["phase"] == "over"


def test_what_breaks_in_here_is_refused_and_not_a_reason_to_close(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A page sends again what was not answered: a socket closed for it would be opened and closed for ever."""
    with greeted(client, open_table(client)) as socket:
        with monkeypatch.context() as broken:
            broken.setattr(LiveTable, "submit", Mock(side_effect=RuntimeError("a bug")))
            socket.send_json({"type": "end", "id": "mine", "seq": 1})
            refused = receive(socket, "refused")
        assert (refused["id"], codes(refused)) == ("mine", ["internal"])
        assert "a bug" in caplog.text
        socket.send_json({"type": "ping", "id": "2"})
        assert receive(socket, "pong")["id"] == "2"
