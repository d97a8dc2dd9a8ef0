"""The HTTP answers of docs/event-protocol.md: opening, joining, moving house, suggesting, finding a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ofc.service import tournaments as tournaments_module
from ofc.web import event_api
from ofc.web.event_exports import FILES
from tests.web_api.conftest import MakeClient
from tests.web_api.event_pages import OPENING, STRUCTURE, address, begin, code_of, open_event, page
from tests.web_api.helpers import codes, other_client


def test_an_event_is_opened_listed_and_its_key_told_to_directors(client: TestClient) -> None:
    answer = client.post("/api/events", json=OPENING)
    assert (answer.status_code, answer.json().keys()) == (201, {"event", "key"})
    event, key = answer.json()["event"], answer.json()["key"]
    assert client.get(address(event, "key")).json() == {"key": key}
    with page(client, event) as director:
        begin(director)
    (listed,) = client.get("/api/events").json()["events"]
    assert listed.keys() == {"event", "name", "stage", "players", "opened_at"}
    assert (listed["event"], listed["name"], listed["stage"], listed["players"]) == (event, "Cup", "running", 7)
    assert other_client(client).get("/api/events").json() == {"events": []}


def test_what_may_be_left_out_has_its_default(client: TestClient) -> None:
    wishes = {name: OPENING[name] for name in ("name", "rules")}
    structure = {"starting_stack": 100, "steps": [{"kind": "level", "price": 1, "minutes": 5}]}
    event = client.post("/api/events", json={**wishes, "structure": structure}).json()["event"]
    with page(client, event) as director:
        assert director.view["you"]["name"] == "Director"
        assert (director.view["event"]["seats"], director.view["event"]["absent_points"]) == (3, 3)


def test_rules_of_ones_own_are_played(client: TestClient) -> None:
    event = open_event(client, rules={"id": "ours", "base": "tournament", "scoop": 2})
    with page(client, event) as director:
        assert director.view["event"]["rules"]["id"] == "ours"


def test_a_key_makes_directors_and_a_wrong_one_does_not(client: TestClient) -> None:
    event, other = open_event(client), other_client(client)
    key = client.get(address(event, "key")).json()["key"]
    for wrong in ({"key": "wrong", "name": "Ola"}, {"key": key[:-1], "name": "Ola"}):
        refused = other.post(address(event, "directors"), json=wrong)
        assert (refused.status_code, codes(refused.json())) == (403, ["key-wrong"])
    assert other.post(address("nothing", "directors"), json={"key": key, "name": "Ola"}).status_code == 404
    assert other.post(address(event, "directors"), json={"key": key, "name": "Ola"}).json() == {"event": event}
    with page(other, event) as director:
        assert director.view["you"]["name"] == "Ola"
        director.do("register", players=[{"name": "Ada"}])
        assert director.view["log"][0]["by"] == "Ola"
    assert [item["event"] for item in other.get("/api/events").json()["events"]] == [event]


PATHS = ["key", "export", *FILES, "other.csv"]


@pytest.mark.parametrize("path", PATHS)
def test_what_is_for_directors_is_for_nobody_else(client: TestClient, path: str) -> None:
    event = open_event(client)
    refused = other_client(client).get(address(event, path))
    assert (refused.status_code, codes(refused.json())) == (403, ["not-director"])
    unknown = client.get(address("nothing", path))
    assert (unknown.status_code, codes(unknown.json())) == (404, ["event-unknown"])


def test_a_foreign_page_posts_nothing(client: TestClient) -> None:
    event = open_event(client)
    headers = {"origin": "http://evil.example"}
    for path in ("", "/import", "/suggest", f"/{event}/directors", f"/{event}/deal"):
        refused = client.post(f"/api/events{path}", json={}, headers=headers)
        assert (refused.status_code, codes(refused.json())) == (403, ["origin-foreign"])
    assert len(client.get("/api/events").json()["events"]) == 1


def test_a_whole_event_moves_to_another_machine_and_goes_on_there(
    make_client: MakeClient, client: TestClient, tmp_path: Path
) -> None:
    event = open_event(client, name="Bergen Open / 2026")
    with page(client, event) as director:
        begin(director)
        director.do("enter-points", **director.points(1, 6, -2, -4))
        director.do("undo", action=director.seq)
        director.do("enter-points", **director.points(1, 6, -2, -4, fantasyland={}))
        director.do("bag")
        known = director.view
    exported = client.get(address(event, "export"))
    assert exported.headers["content-disposition"].endswith("Bergen%20Open%20%2F%202026.ofc-event.jsonl")
    assert len(exported.text.splitlines()) == known["seq"]
    with make_client(journal=tmp_path / "elsewhere.sqlite") as elsewhere:
        answer = elsewhere.post("/api/events/import", content=exported.content)
        assert answer.status_code == 201
        moved, key = answer.json()["event"], answer.json()["key"]
        assert key != client.get(address(event, "key")).json()["key"]
        assert (answer.json()["codes"], answer.json()["words"]) == ({}, None)
        with page(elsewhere, moved) as director:
            for part in ("players", "tables", "log", "news", "moves", "seq"):
                assert director.view[part] == known[part]
            assert director.view["you"]["name"] == "Kari"
            director.do("resume")
            director.do("enter-points", **director.points(1, 6, -2, -4))
            there = director.view
        again = elsewhere.get(address(moved, "export")).content
        assert again.startswith(exported.content)
    with page(client, event) as director:  # the copy's deeds are not the original's until it comes back
        assert director.seq == known["seq"]
        back = client.post("/api/events/import", content=again)
        assert (back.status_code, back.json()["event"]) == (200, event)
        director.receive("patch")
        for part in ("players", "tables", "seq"):
            assert director.view[part] == there[part]


def test_a_copy_of_a_running_event_has_codes_of_its_own_and_a_clock_that_stands(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director:
        begin(director)
        printed = {number: table["code"] for number, table in director.view["tables"].items()}
    exported = client.get(address(event, "export")).content
    mark = json.loads(exported.splitlines()[-1])
    assert (mark["type"], mark["seq"]) == ("Exported", director.seq)
    other = other_client(client)
    answer = other.post("/api/events/import", content=exported).json()
    assert answer["codes"].keys() == printed.keys()
    assert "have new codes" in answer["words"]
    with page(other, answer["event"]) as there:
        assert {number: table["code"] for number, table in there.view["tables"].items()} == answer["codes"]
        assert not there.view["clock"]["running"]
        assert there.view["log"][0]["words"] == answer["words"]
    for codes_by, wanted in ((printed, event), (answer["codes"], answer["event"])):
        for number, code in codes_by.items():
            assert client.get(f"/api/table-codes/{code}").json() == {"event": wanted, "table": int(number)}


def test_an_import_that_is_none_is_refused_with_its_line(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    event = open_event(client)
    content = client.get(address(event, "export")).content
    forged = json.loads(content) | {"by": "x" * 200}
    for body, line in ((b"", None), (b"hello\n", 1), (content + b"{}\n", 2), (content + content, None), (b"\xff\n", 1)):
        refused = client.post("/api/events/import", content=body)
        assert refused.status_code == 400
        (fault,) = refused.json()["errors"]
        assert fault["code"].startswith("log-")
        assert line is None or fault["message"].startswith(f"line {line}: ")
    assert len(client.get("/api/events").json()["events"]) == 1
    long = client.post("/api/events/import", content=json.dumps(forged).encode()).json()["event"]
    nameless = client.post("/api/events/import", content=json.dumps(forged | {"by": "\n"}).encode()).json()["event"]
    for moved, name in ((long, "x" * 60), (nameless, "Director")):
        with page(client, moved) as director:
            assert director.view["you"]["name"] == name
    monkeypatch.setattr(event_api, "MOST_LOG_BYTES", 100)
    refused = client.post("/api/events/import", content=content)
    assert (refused.status_code, codes(refused.json())) == (413, ["body-too-large"])


def test_a_structure_is_suggested_with_its_reasons(client: TestClient) -> None:
    wishes = {"players": 27, "minutes": 240, "starting_stack": 5000, "level_minutes": 20, "break_after": 4,
              "break_minutes": 10, "hand_minutes": 6}  # fmt: skip
    found = client.post("/api/events/suggest", json=wishes).json()
    assert found.keys() == {
        "structure", "expected_minutes", "early_minutes", "late_minutes", "players_left", "levels", "reasoning",
    }  # fmt: skip
    assert found["early_minutes"] <= found["expected_minutes"] <= found["late_minutes"]
    assert found["players_left"][0].keys() == {"minute", "early", "middle", "late"}
    assert found["levels"][0].keys() == {"number", "price", "starts", "players", "average"}
    assert all(isinstance(reason, str) and reason for reason in found["reasoning"])
    event = open_event(client, structure=found["structure"])  # what is suggested can be played as it is
    with page(client, event) as director:
        assert director.view["event"]["structure"] == found["structure"]


def test_templates_are_listed_and_can_be_played_as_they_are(client: TestClient) -> None:
    structures = client.get("/api/structures").json()["structures"]
    assert len({item["id"] for item in structures}) == len(structures) > 2
    for item in structures:
        assert item.keys() == {"id", "title", "summary", "structure"}
        open_event(client, structure=item["structure"])
    payouts = client.get("/api/payouts").json()["payouts"]
    assert {item["id"] for item in payouts} >= {"club", "card-room", "winner"}
    assert all(item.keys() == {"id", "title", "origin"} for item in payouts)


def test_a_tables_code_is_found_whatever_its_case(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director:
        begin(director)
        code = code_of(director, 2)
    for spelt in (code, code.lower()):
        assert other_client(client).get(f"/api/table-codes/{spelt}").json() == {"event": event, "table": 2}
    refused = client.get("/api/table-codes/AAAAAA")
    assert (refused.status_code, codes(refused.json())) == (404, ["code-unknown"])


def test_a_deal_is_suggested_and_nothing_done(client: TestClient) -> None:
    event = open_event(client)
    with page(client, event) as director:
        begin(director, 3)
        director.do("prizes", fee=100, percents=[60, 40])
        seq = director.seq
        shares: dict[str, Any] = {}
        for method in ("icm", "chip-chop", "even"):
            answer = client.post(address(event, "deal"), json={"method": method, "unit": 5, "held_back": 30})
            shares = answer.json()["shares"]
            assert answer.json()["held_back"] == 30
            assert shares.keys() == director.view["players"].keys()
            assert sum(shares.values()) == 270
        assert director.fresh()["seq"] == seq
        director.do("deal", shares=shares, held_back=30)
        prizes = {number: player["prize"] for number, player in director.view["players"].items()}
        assert prizes == shares
    refused = client.post(address(event, "deal"), json={"method": "dice", "unit": 0})
    assert codes(refused.json()) == ["method-unknown", "number-invalid"]


def test_opening_says_every_fault_at_once(client: TestClient) -> None:
    wrong = {
        "name": " ", "rules": "bridge", "seats": 9, "absent_points": -1, "director": 5, "extra": 1,
        "structure": {**STRUCTURE, "starting_stack": 0, "steps": [{"kind": "level", "minutes": 5}, 7]},
    }  # fmt: skip
    refused = client.post("/api/events", json=wrong)
    assert refused.status_code == 400
    assert {fault["field"] for fault in refused.json()["errors"]} == {
        "name", "rules", "seats", "absent_points", "director", "extra", "structure.starting_stack",
        "structure.steps[0].price", "structure.steps[1]",
    }  # fmt: skip
    impossible = {**STRUCTURE, "steps": [{"kind": "break", "minutes": 5}]}
    refused = client.post("/api/events", json={**OPENING, "structure": impossible, "seats": 4})
    assert {fault["code"] for fault in refused.json()["errors"]} == {"structure-impossible", "seats-count"}
    assert client.get("/api/events").json() == {"events": []}


def test_the_calculator_works_by_the_rules_of_an_event_with_its_own(client: TestClient) -> None:
    """Its page has the fields that the calculator takes; a built-in rule set needs none."""
    own = {"id": "thursday", "base": "tournament", "scoop": 6, "bottom_royalties": {"flush": 40}}
    players = [
        {"name": "A", "top": "Ks Qh 9d", "middle": "As Ad 8d 8c 5h", "bottom": "Kc Jc 9c 5c 2c"},
        {"name": "B", "top": "7s 6h 4d", "middle": "2s 2d 3h 4h 6d", "bottom": "7h 7d 3s 3d 8s"},
    ]
    for rules, points in ((own, 3 + 6 + 40), ("tournament", 3 + 3 + 4)):
        with page(client, open_event(client, rules=rules), "viewer") as screen:
            told = screen.view["event"]["rules"]
            assert (told["own"] is None) == (rules == "tournament")
            named = told["own"] or f"{told['id']}@{told['version']}"
        answer = client.post("/api/calculator", json={"rules": named, "players": players}).json()
        assert answer["rules"] == f"{told['id']}@{told['version']}"
        assert [player["points"] for player in answer["result"]["players"]] == [points, -points]


def test_a_visitor_opens_so_many_events_a_day(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournaments_module, "MOST_OPENED_A_DAY", 2)
    first = open_event(client)
    key = client.get(address(first, "key")).json()["key"]
    other = other_client(client)
    other.post(address(first, "directors"), json={"key": key, "name": "Ola"})
    # One that somebody else opened does not count.
    files = [other.get(address(open_event(other, name=name), "export")).content for name in ("One", "Two")]
    assert client.post("/api/events/import", content=files[0]).status_code == 201
    for refused in (
        client.post("/api/events", json=OPENING),
        client.post("/api/events/import", content=files[1]),
        other.post("/api/events", json=OPENING),
    ):
        assert (refused.status_code, codes(refused.json())) == (429, ["too-many-events"])
    assert len(client.get("/api/events").json()["events"]) == 2


def test_a_structure_that_was_typed_is_forecast(client: TestClient) -> None:
    answer = client.post("/api/events/forecast", json={"players": 7, "hand_minutes": 5, "structure": STRUCTURE})
    assert answer.status_code == 200
    told = answer.json()
    assert [step["price"] for step in told["structure"]["steps"]] == [10, None, 20, 40]
    assert told["early_minutes"] <= told["expected_minutes"] <= told["late_minutes"]
    assert told["players_left"][0]["middle"] == 7
    assert told["reasoning"][0].startswith("7 players at 3 tables, 1,000 chips each, 5 minutes a hand")
    wrong = {"players": 1, "hand_minutes": 0, "structure": {**STRUCTURE, "steps": [{"kind": "break", "minutes": 5}]}}
    refused = client.post("/api/events/forecast", json=wrong)
    told_all = ["number-invalid"] * 2 + ["structure-impossible"] * 3
    assert (refused.status_code, codes(refused.json())) == (400, told_all)
    impossible = client.post("/api/events/forecast", json={**wrong, "players": 7, "hand_minutes": 5})
    assert (impossible.status_code, set(codes(impossible.json()))) == (400, {"structure-impossible"})
