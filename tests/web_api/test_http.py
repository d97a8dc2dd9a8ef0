"""Every HTTP answer of docs/protocol.md."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from ofc.bots import BOTS
from ofc.notation import check_record, parse_record
from ofc.rulesets import BUILT_IN
from ofc.service import rooms as rooms_module
from ofc.web.headers import HEADERS
from ofc.web.protocol import encode
from tests.web_api.conftest import MakeClient
from tests.web_api.helpers import codes, greeted, open_table, other_client, play, receive

SUMMARY_FIELDS = {
    "table", "rules", "seats", "hands", "hand", "phase", "your_turn", "standing", "unit", "you", "started_at",
}  # fmt: skip
HAND_FIELDS = {"hand", "match", "number", "at", "seats", "points", "chips", "fouled", "fantasyland", "you"}


def test_health(client: TestClient) -> None:
    answer = client.get("/api/health")
    assert answer.json().keys() == {"status", "version"}
    assert answer.json()["status"] == "ok"


def test_each_rule_set_is_listed_once_in_its_newest_version(client: TestClient) -> None:
    listed = client.get("/api/rules").json()["rules"]
    assert sorted(rules["id"] for rules in listed) == sorted({rules.id for rules in BUILT_IN})
    assert {rules["version"] for rules in listed} == {"2026-09-22"}
    assert all(rules.keys() == {"id", "version", "title", "summary", "seats"} for rules in listed)
    assert next(rules["seats"] for rules in listed if rules["id"] == "ultimate") == [3]


def test_bots_are_listed_weakest_first(client: TestClient) -> None:
    listed = client.get("/api/bots").json()["bots"]
    assert [bot["id"] for bot in listed] == [entry.id for entry in BOTS]
    assert all(bot.keys() == {"id", "title", "summary"} for bot in listed)


def test_the_first_answer_sets_a_secret_cookie_and_later_ones_none(client: TestClient) -> None:
    first = client.get("/api/health")
    cookie = first.headers["set-cookie"]
    assert cookie.startswith("ofc_visitor=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "set-cookie" not in client.get("/api/health").headers
    assert other_client(client).get("/api/health").headers["set-cookie"] != cookie


@pytest.mark.parametrize("value", ["short", "no spaces in here, ever", "x" * 65, "ü" * 30, ""])
def test_a_cookie_that_is_no_secret_of_ours_is_replaced(client: TestClient, value: str) -> None:
    answer = client.get("/api/health", headers={b"cookie": f"ofc_visitor={value}".encode()})
    assert "set-cookie" in answer.headers


def test_strange_cookies_of_other_servers_on_this_host_do_not_make_one_a_stranger(client: TestClient) -> None:
    table = open_table(client)
    secret = client.cookies["ofc_visitor"]
    headers = {"cookie": f'a b="{{1,2}}; [x]=y; ofc_visitor={secret}; other'}
    answer = other_client(client).get("/api/tables", headers=headers)
    assert [entry["table"] for entry in answer.json()["tables"]] == [table]
    assert "set-cookie" not in answer.headers


def test_a_table_is_opened_shown_and_listed(client: TestClient) -> None:
    table = open_table(client, name=" Zoë ", rules="ultimate", bots=["random", "random"], hands=12)
    summary = client.get(f"/api/tables/{table}").json()
    assert summary.keys() == SUMMARY_FIELDS
    assert summary["rules"] == {"id": "ultimate", "version": "2026-09-22", "title": "Ultimate"}
    assert summary["seats"] == ["Zoë", "Ada", "Bo"]
    assert (summary["hands"], summary["hand"], summary["phase"]) == (12, 1, "placing")
    assert (summary["standing"], summary["unit"], summary["you"]) == ([0, 0, 0], "points", 0)
    newer = open_table(client)
    assert [entry["table"] for entry in client.get("/api/tables").json()["tables"]] == [newer, table]
    assert other_client(client).get("/api/tables").json() == {"tables": []}


def test_what_is_left_out_has_a_default(client: TestClient) -> None:
    answer = client.post("/api/tables", json={"rules": "ultimate", "bots": ["random", "random"]})
    summary = client.get(f"/api/tables/{answer.json()['table']}").json()
    assert (summary["hands"], summary["seats"][0], summary["unit"]) == (24, "You", "points")


def test_a_chips_table_counts_chips(client: TestClient) -> None:
    table = open_table(client, money={"stack": 2000, "price": 10})
    summary = client.get(f"/api/tables/{table}").json()
    assert (summary["unit"], summary["standing"]) == ("chips", [2000, 2000])


def test_a_stranger_watches(client: TestClient) -> None:
    table = open_table(client)
    summary = other_client(client).get(f"/api/tables/{table}").json()
    assert summary["you"] is None
    assert summary["your_turn"] is False


def test_whose_turn_it_is_is_told(client: TestClient) -> None:
    table = open_table(client)
    with greeted(client, table) as socket:
        while (message := receive(socket, "view"))["view"]["turn"] != [0]:
            pass
        assert client.get(f"/api/tables/{table}").json()["your_turn"] is True
        socket.send_json({"type": "end", "id": "e", "seq": message["seq"]})
        receive(socket, "done")
    summary = client.get(f"/api/tables/{table}").json()
    assert (summary["phase"], summary["your_turn"]) == ("over", False)


def test_every_fault_of_a_request_is_told_at_once(client: TestClient) -> None:
    wrong = {"rules": "bridge", "name": "", "bots": ["random", "hal", 7], "hands": 0, "money": {"stack": 0, "pot": 1},
             "seed": -1, "speed": 9}  # fmt: skip
    answer = client.post("/api/tables", json=wrong)
    assert answer.status_code == 400
    assert all(
        fault.keys() == {"code", "message", "field", "player", "row", "text"} for fault in answer.json()["errors"]
    )
    assert {(fault["code"], fault["field"], fault["text"]) for fault in answer.json()["errors"]} == {
        ("rules-unknown", "rules", "bridge"),
        ("text-length", "name", ""),
        ("bot-unknown", "bots[1]", "hal"),
        ("bot-unknown", "bots[2]", "7"),
        ("number-invalid", "hands", "0"),
        ("number-invalid", "money.stack", "0"),
        ("number-invalid", "money.price", "null"),
        ("field-unknown", "money.pot", "1"),
        ("number-invalid", "seed", "-1"),
        ("field-unknown", "speed", "9"),
    }
    assert client.get("/api/tables").json() == {"tables": []}


def test_the_seats_must_suit_the_rules(client: TestClient) -> None:
    answer = client.post("/api/tables", json={"rules": "ultimate", "bots": ["random"]})
    assert answer.status_code == 400
    assert codes(answer.json()) == ["seats-count"]


def test_a_body_over_64_kib_is_refused(client: TestClient) -> None:
    answer = client.post("/api/tables", content=b" " * 65_537)
    assert answer.status_code == 413
    assert codes(answer.json()) == ["body-too-large"]
    assert client.post("/api/tables", content=b" " * 65_536).status_code == 400


def test_another_sites_page_opens_no_table(client: TestClient) -> None:
    body = {"rules": "pineapple", "bots": ["random"]}
    for origin in ("http://evil.example", "null", "http://testserver.evil.example"):
        answer = client.post("/api/tables", json=body, headers={"origin": origin})
        assert (answer.status_code, codes(answer.json())) == (403, ["origin-foreign"])
    assert client.post("/api/tables", json=body, headers={"origin": "http://testserver"}).status_code == 201


def test_too_many_tables_a_day_are_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms_module, "MOST_TABLES_A_DAY", 1)
    open_table(client)
    answer = client.post("/api/tables", json={"rules": "pineapple", "bots": ["random"]})
    assert (answer.status_code, codes(answer.json())) == (429, ["too-many-tables"])


def test_finished_hands_are_listed_newest_first_and_shown_frame_by_frame(client: TestClient) -> None:
    table = open_table(client, hands=3)
    with greeted(client, table) as socket:
        last = play(socket, random.Random(1))["view"]
    hands = client.get(f"/api/tables/{table}/hands").json()["hands"]
    assert all(hand.keys() == HAND_FIELDS for hand in hands)
    count = len(hands)
    assert count >= 3
    assert [hand["hand"] for hand in hands] == [hand["number"] for hand in hands] == list(range(count, 0, -1))
    assert [sum(points) for points in zip(*(hand["points"] for hand in hands), strict=True)] == [
        seat["standing"] for seat in last["seats"]
    ]
    shown = client.get(f"/api/tables/{table}/hands/{count}").json()
    assert (shown["hand"], shown["match"]) == (count, 1)
    assert [len(frame["log"]) for frame in shown["frames"]] == list(range(len(shown["frames"])))
    final = shown["frames"][-1]
    assert final["phase"] == "showdown"
    assert [player["points"] for player in final["result"]["players"]] == hands[0]["points"]
    assert final["seats"][0]["board"] == last["seats"][0]["board"]


def test_lists_of_a_hand_are_by_those_dealt_in(client: TestClient) -> None:
    table = open_table(
        client, rules="tournament", bots=["random"] * 2, hands=1000, money={"stack": 200, "price": 10}, seed=3
    )
    with greeted(client, table) as socket:
        last = play(socket, random.Random(8))["view"]
    assert last["match"]["reason"] == "chips"
    assert sorted(last["match"]["places"]) == [1, 2, 3]
    hands = client.get(f"/api/tables/{table}/hands").json()["hands"]
    assert {len(hand["seats"]) for hand in hands} == {2, 3}
    for hand in hands:
        assert {len(hand[name]) for name in ("points", "chips", "fouled", "fantasyland")} == {len(hand["seats"])}
        assert sum(hand["chips"]) == 0
    out = [seat for seat in last["seats"] if seat["state"] == "out"]
    assert len(out) == 2
    assert all(seat["standing"] == 0 for seat in out)


def test_a_hands_history_is_one_line_that_can_be_checked(client: TestClient) -> None:
    table = open_table(client, rules="tournament", bots=["random"])
    with greeted(client, table) as socket:
        play(socket, random.Random(1))
    answer = client.get(f"/api/tables/{table}/hands/1/history")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert answer.text.count("\n") == 1
    record = parse_record(answer.text)
    assert (record.table, record.number, record.partial, record.viewer) == (table, 1, True, 0)
    check_record(record)
    watched = parse_record(other_client(client).get(f"/api/tables/{table}/hands/1/history").text)
    assert watched.viewer is None
    assert all(card is None for action in watched.actions for card in action.discards)


@pytest.mark.parametrize("end", ["", "/hands", "/hands/1", "/hands/1/history"])
def test_an_unknown_table_is_not_found(client: TestClient, end: str) -> None:
    answer = client.get(f"/api/tables/nothing{end}")
    assert answer.status_code == 404
    (fault,) = answer.json()["errors"]
    assert (fault["code"], fault["field"], fault["text"]) == ("table-unknown", "table", "nothing")


@pytest.mark.parametrize("hand", [0, 1, 10**30])
@pytest.mark.parametrize("end", ["", "/history"])
def test_an_unknown_hand_is_not_found(client: TestClient, hand: int, end: str) -> None:
    table = open_table(client)
    answer = client.get(f"/api/tables/{table}/hands/{hand}{end}")
    assert (answer.status_code, codes(answer.json())) == (404, ["hand-unknown"])
    assert client.get(f"/api/tables/{table}/hands").json() == {"hands": []}


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/api/nothing", "/api/", "/api/tables/x/hands/one", "/api/tables/x/y/z"])
def test_an_unknown_path_of_the_api_is_not_found_as_json(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, codes(answer.json())) == (404, ["path-unknown"])


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/api/tables"), ("POST", "/api/health"), ("DELETE", "/api/tables/x")]
)
def test_a_wrong_method_is_refused_as_json(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert (answer.status_code, codes(answer.json())) == (405, ["method-not-allowed"])
    assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize(
    "path", ["/", "/table/abc", "/table/abc/hands/3", "/app.js", "/nothing", "/api/health", "/api/x"]
)
def test_every_answer_has_the_security_headers(client: TestClient, path: str) -> None:
    answer = client.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value


def test_the_page_is_served_at_every_address_of_it(client: TestClient) -> None:
    for path in ("/", "/table/abc", "/table/abc/hands/3"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "<title>ofc</title>" in answer.text
    assert client.get("/app.js").text == "1"


@pytest.mark.parametrize("path", ["/nothing", "/table", "/table/a/b", "/%ff", "/table/a/hands/one", "/assets/none.js"])
def test_a_browser_gets_the_page_at_a_wrong_address_too(client: TestClient, path: str) -> None:
    browser = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    answer = client.get(path, headers=browser)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (404, "text/html")
    assert "<title>ofc</title>" in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    assert client.head(path, headers=browser).status_code == 404
    assert client.post(path, headers=browser).headers["content-type"].startswith("text/plain")
    assert client.get(f"/api{path}", headers=browser).json()["errors"]


@pytest.mark.parametrize(
    ("path", "accept", "expected"),
    [
        ("/nothing", "*/*", "text/html"),
        ("/nothing", None, "text/html"),
        ("/nothing", "", "text/html"),
        ("/nothing", "text/plain, TEXT/* ;q=0.5", "text/html"),
        ("/nothing", "image/avif,image/webp", "text/plain"),
        ("/nothing", "application/json", "application/json"),
        ("/api", "text/html", "application/json"),
        ("/nothing", "application/json, text/plain, */*", "application/json"),
        ("/assets/none.js", "*/*", "text/plain"),
        ("/assets/none.js", None, "text/plain"),
        ("/none.png", "image/png,*/*;q=0.8", "text/plain"),
    ],
)
def test_a_wrong_address_is_answered_with_what_is_accepted(
    client: TestClient, path: str, accept: str | None, expected: str
) -> None:
    request = client.build_request("GET", path)
    del request.headers["accept"]
    if accept is not None:
        request.headers["accept"] = accept
    answer = client.send(request)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (404, expected)
    if expected == "application/json":
        (fault,) = answer.json()["errors"]
        assert (fault["code"], fault["text"]) == ("path-unknown", path)


@pytest.mark.parametrize("path", ["/", "/nothing", "/api/nothing", "/api/tables/x", "/api/tables/x/y/socket"])
def test_a_socket_where_there_is_none_is_refused_with_an_error(client: TestClient, path: str) -> None:
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(path):
        pass
    assert denied.value.status_code == 404
    assert codes(denied.value.json()) == ["path-unknown"]


def test_no_file_outside_the_page_is_served(client: TestClient, journal_path: Path) -> None:
    assert journal_path.is_file()
    for path in ("/../ofc.sqlite", "/%2e%2e/ofc.sqlite", "/..%2fofc.sqlite", "//etc/passwd"):
        assert client.get(path).status_code in (404, 405)


@pytest.mark.parametrize("missing", ["index.html", "the whole folder"])
def test_without_a_built_page_the_api_works_and_the_page_says_what_to_do(
    make_client: MakeClient, tmp_path: Path, missing: str
) -> None:
    folder = tmp_path / "empty"
    if missing == "index.html":
        folder.mkdir()
    with make_client(static=folder) as client:
        answer = client.get("/")
        assert answer.status_code == 503
        assert answer.headers["content-type"].startswith("text/plain")
        assert "./run serve" in answer.text
        assert client.get("/favicon.svg").status_code == 404
        lost = client.get("/nothing", headers={"accept": "text/html"})
        assert (lost.status_code, lost.text) == (404, "Not Found\n")
        assert client.get("/api/health").status_code == 200


def test_what_is_one_visitors_is_not_cached(client: TestClient) -> None:
    table = open_table(client)
    for path in ("/api/tables", f"/api/tables/{table}", f"/api/tables/{table}/hands"):
        assert client.get(path).headers["cache-control"] == "no-store"


def test_what_cannot_be_stored_is_said_and_not_done(client: TestClient) -> None:
    app: Any = client.app
    writer = app.state.rooms.journal._writer
    writer.execute("PRAGMA query_only = ON")
    answer = client.post("/api/tables", json={"rules": "pineapple", "bots": ["random"]})
    assert (answer.status_code, codes(answer.json())) == (503, ["journal"])
    writer.execute("PRAGMA query_only = OFF")
    assert client.get("/api/tables").json() == {"tables": []}
    open_table(client)


def test_a_stream_that_cannot_be_read_ends_neither_the_server_nor_other_tables(make_client: MakeClient) -> None:
    with make_client() as client:
        table, fine = open_table(client), open_table(client)
        cookies = dict(client.cookies)
        app: Any = client.app
        app.state.rooms.journal._writer.execute(
            "UPDATE events SET type = 'Unheard' WHERE stream = ? AND seq = 2", (table,)
        )
    with make_client() as client:
        client.cookies.update(cookies)
        answer = client.get(f"/api/tables/{table}")
        assert (answer.status_code, codes(answer.json())) == (503, ["journal"])
        assert client.get(f"/api/tables/{fine}").status_code == 200


def test_a_bug_is_answered_without_its_traceback(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ofc.web.api.rooms_of", lambda _request: 1 / 0)
    quiet = TestClient(client.app, raise_server_exceptions=False)
    quiet.portal = client.portal
    answer = quiet.get("/api/tables")
    assert (answer.status_code, codes(answer.json())) == (500, ["internal"])
    assert "ZeroDivision" not in json.dumps(answer.json())


def test_what_has_no_json_is_a_bug_and_not_sent() -> None:
    with pytest.raises(TypeError, match="no JSON for object"):
        encode({"secret": object()})
