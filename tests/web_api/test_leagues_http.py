"""Leagues over HTTP: opened, joined, events added, standings shown to anyone, and what is refused."""

from __future__ import annotations

import csv
import io
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from ofc.storage import Journal
from tests.web_api.conftest import MakeClient
from tests.web_api.event_pages import address, begin, open_event, page
from tests.web_api.helpers import codes, other_client
from tests.web_api.test_event_prints import pages, text

OPENING: dict[str, Any] = {"name": "Spring league", "director": "Kari"}


def open_league(client: TestClient, **wishes: Any) -> tuple[str, str]:
    answer = client.post("/api/leagues", json=OPENING | wishes)
    assert answer.status_code == 201, answer.text
    assert answer.json().keys() == {"league", "key"}
    return answer.json()["league"], answer.json()["key"]


def view_of(client: TestClient, league: str) -> dict[str, Any]:
    answer = client.get(f"/api/leagues/{league}")
    assert answer.status_code == 200, answer.text
    view: dict[str, Any] = answer.json()
    return view


def send(client: TestClient, league: str, command: Any, **fields: Any) -> httpx.Response:
    seq = client.get(f"/api/leagues/{league}").json().get("seq", 0)
    body = {"id": f"c{seq}", "seq": seq, "command": command} | fields
    return client.post(f"/api/leagues/{league}", json=body)


def do(client: TestClient, league: str, what: str, /, **fields: Any) -> dict[str, Any]:
    answer = send(client, league, {"do": what, **fields})
    assert answer.status_code == 200, answer.text
    assert answer.json().keys() == {"seq", "words"}
    return view_of(client, league)


def refuse(client: TestClient, league: str, command: Any, status: int = 400, **fields: Any) -> list[str]:
    before = view_of(client, league)
    answer = send(client, league, command, **fields)
    assert answer.status_code == status, answer.text
    assert view_of(client, league) == before
    return codes(answer.json())


def play(client: TestClient, *, finish: bool = True, **wishes: Any) -> str:
    """Open an event of three; at the end Player 1's stack is the largest, then Player 2's."""
    event = open_event(client, **wishes)
    with page(client, event) as director:
        begin(director, 3)
        seats = director.view["tables"]["1"]["seats"]
        points = {str(player): {1: 5, 2: 0, 3: -5}[player] for player in seats if player is not None}
        director.do("enter-points", table=1, hand=1, points=points, fantasyland={})
        if finish:
            director.do("finish")
    return event


@pytest.fixture
def league(client: TestClient) -> str:
    return open_league(client)[0]


def test_a_league_is_opened_listed_and_shown_to_anyone(client: TestClient) -> None:
    league, key = open_league(client, formula="places:10,6/1", best=2, least_played=1)
    assert client.get("/api/leagues").json() == {
        "leagues": [{"league": league, "name": "Spring league", "events": [], "seq": 1}]
    }
    stranger = other_client(client)
    assert stranger.get("/api/leagues").json() == {"leagues": []}
    view = view_of(stranger, league.lower())
    assert view == {
        "league": league,
        "seq": 1,
        "name": "Spring league",
        "formula": "places:10,6/1",
        "best": 2,
        "least_played": 1,
        "words": "by place 10, 6; all others 1; the best 2 results count",
        "events": [],
        "standings": [],
        "director": None,
        "log": [],
    }
    assert key not in str(view_of(client, league))
    assert view_of(client, league)["director"] == "Kari"


def test_finished_events_count_and_running_ones_are_shown(client: TestClient, league: str) -> None:
    finished, running, empty = play(client), play(client, finish=False, name="Late"), open_event(client, name="Next")
    for event in (running, empty, finished):
        do(client, league, "add-event", event=event)
    view = view_of(other_client(client), league)
    told = {one["event"]: (one["name"], one["stage"], one["players"]) for one in view["events"]}
    assert told == {
        finished: ("Cup", "finished", 3),
        running: ("Late", "running", 3),
        empty: ("Next", "setup", 0),
    }
    over, now = (
        next(n for n, one in enumerate(view["events"]) if one["event"] == event) for event in (finished, running)
    )
    first, *others = view["standings"]
    assert (first["place"], first["player"], first["points"], first["finishes"]) == (1, "Player 1", 3, [1])
    assert sorted(first["results"], key=lambda one: not one["counts"]) == [
        {"event": over, "place": 1, "points": 3, "counts": True},
        {"event": now, "place": 1, "points": 3, "counts": False},
    ]
    assert [one["player"] for one in others] == ["Player 2", "Player 3"]
    with page(client, running) as director:
        director.send({"do": "finish"}, own_id="end")
    assert view_of(client, league)["standings"][0]["points"] == 6


def test_an_unchanged_league_is_not_sent_again(client: TestClient, league: str) -> None:
    event = play(client, finish=False)
    do(client, league, "add-event", event=event)
    first = client.get(f"/api/leagues/{league}")
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    again = client.get(f"/api/leagues/{league}", headers={"if-none-match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert other_client(client).get(f"/api/leagues/{league}", headers={"if-none-match": tag}).status_code == 200
    with page(client, event) as director:
        director.send({"do": "finish"}, own_id="end")
    assert client.get(f"/api/leagues/{league}", headers={"if-none-match": tag}).status_code == 200


def test_anyone_gets_the_standings_as_a_table(client: TestClient, league: str) -> None:
    do(client, league, "add-event", event=play(client, name="=Cup"))
    answer = other_client(client).get(f"/api/leagues/{league}/standings.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    header, first, *_ = csv.reader(io.StringIO(answer.text.removeprefix("\ufeff")))
    assert (header[-1], first) == ("'=Cup", ["1", "Player 1", "3", "1", "1", "1", "1", "3"])


def test_anyone_gets_the_standings_to_be_printed(client: TestClient, league: str) -> None:
    do(client, league, "add-event", event=play(client, name="#strong[Cup]"))
    do(client, league, "add-event", event=play(client, name="Now", finish=False))
    answer = other_client(client).get(f"/api/leagues/{league}/standings.pdf")
    assert answer.headers["content-type"] == "application/pdf"
    assert "standings.pdf" in answer.headers["content-disposition"]
    said = " ".join(text(answer.content).split())
    for words in ("Spring league", "1 for every player beaten", "Player 1", "#strong[Cup]", "2 Now", "(3)"):
        assert words in said


def test_standings_without_an_event_are_printed_too(client: TestClient, league: str) -> None:
    assert pages(client.get(f"/api/leagues/{league}/standings.pdf").content) == 1


def test_a_key_makes_directors_and_a_wrong_one_does_not(client: TestClient) -> None:
    league, key = open_league(client)
    other = other_client(client)
    for path in ("key", ""):
        refused = other.get(f"/api/leagues/{league}/key") if path else send(other, league, {"do": "undo", "action": 1})
        assert (refused.status_code, codes(refused.json())) == (403, ["not-director"])
    wrong = other.post(f"/api/leagues/{league}/directors", json={"key": key[:-1], "name": "Ola"})
    assert (wrong.status_code, codes(wrong.json())) == (403, ["key-wrong"])
    assert client.get(f"/api/leagues/{league}/key").json() == {"key": key}
    joined = other.post(f"/api/leagues/{league}/directors", json={"key": key, "name": "Ola"})
    assert joined.json() == {"league": league}
    view = do(other, league, "settings", name="Autumn league", formula="root", best=None, least_played=0)
    assert (view["name"], view["log"][0]["by"], view["director"]) == ("Autumn league", "Ola", "Ola")


def test_an_event_is_added_by_its_own_director_alone(client: TestClient) -> None:
    league, key = open_league(client)
    other = other_client(client)
    event = open_event(other)
    assert refuse(client, league, {"do": "add-event", "event": event}, 403) == ["not-director"]
    other.post(f"/api/leagues/{league}/directors", json={"key": key, "name": "Ola"})
    assert [one["event"] for one in do(other, league, "add-event", event=event)["events"]] == [event]
    assert do(client, league, "remove-event", event=event)["events"] == []


def test_everything_is_undone_redone_and_logged(client: TestClient, league: str) -> None:
    event = play(client)
    do(client, league, "add-event", event=event)
    view = do(client, league, "undo", action=2)
    assert (view["events"], view["standings"]) == ([], [])
    assert [(one["seq"], one["words"], one["can_undo"], one["can_redo"], one["undoes"]) for one in view["log"]] == [
        (3, "Undone: Cup was added.", False, False, 2),
        (2, "Cup was added.", False, True, None),
        (1, "Spring league: 1 for every player beaten and 1 for coming.", False, False, None),
    ]
    assert len(do(client, league, "redo", action=2)["events"]) == 1


def test_a_command_is_done_once_and_a_late_one_told(client: TestClient, league: str) -> None:
    event = open_event(client)
    body = {"id": "mine", "seq": 1, "command": {"do": "add-event", "event": event}}
    first, again = (client.post(f"/api/leagues/{league}", json=body) for _ in range(2))
    assert first.json() == again.json() == {"seq": 2, "words": "Cup was added."}
    assert refuse(client, league, {"do": "remove-event", "event": event}, seq=1) == ["stale"]
    settings = {"do": "settings", "name": "Later", "formula": "root"}
    assert refuse(client, league, settings, seq=3) == ["stale"]  # a number that the league has not come to
    assert send(client, league, settings, seq=1).status_code == 200  # nobody touched the settings since


def test_two_processes_never_both_win(client: TestClient, league: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process is first between reading the log and appending to it."""
    event = open_event(client)
    append = Journal.append_rows

    async def late(journal: Journal, stream: str, expected_seq: int, *args: Any, **options: Any) -> Any:
        return await append(journal, stream, expected_seq - 1, *args, **options)

    monkeypatch.setattr(Journal, "append_rows", late)
    assert refuse(client, league, {"do": "add-event", "event": event}) == ["stale"]


def test_after_a_restart_all_is_there(make_client: MakeClient) -> None:
    with make_client() as client:
        league, _ = open_league(client)
        do(client, league, "add-event", event=play(client))
        before, cookies = view_of(client, league), client.cookies
    with make_client() as client:
        client.cookies = cookies
        assert view_of(client, league) == before


def test_many_leagues_are_kept_on_the_disk(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ofc.service.leagues.MOST_KEPT", 1)
    first, second = open_league(client)[0], open_league(client, name="Other")[0]
    assert [view_of(client, one)["name"] for one in (first, second, first)] == [
        "Spring league",
        "Other",
        "Spring league",
    ]
    assert len(client.get("/api/leagues").json()["leagues"]) == 1


def test_leagues_are_opened_up_to_a_number_a_day(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ofc.service.leagues.MOST_OPENED_A_DAY", 1)
    open_league(client)
    refused = client.post("/api/leagues", json=OPENING)
    assert (refused.status_code, codes(refused.json())) == (429, ["too-many-leagues"])
    open_league(other_client(client))


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({"name": ""}, ["text-length"]),
        ({"name": "x" * 61, "director": 3}, ["text-length", "text-needed"]),
        ({"formula": "golden", "best": 2}, ["formula-unknown"]),
        ({"formula": "places:1,2"}, ["formula-impossible"]),
        ({"formula": "linear:1e9,1"}, ["formula-numbers"]),
        ({"formula": 7, "best": 0, "least_played": -1}, ["text-needed", "number-invalid", "number-invalid"]),
        ({"best": 1.5, "secret": 1}, ["number-invalid", "field-unknown"]),
    ],
)
def test_malformed_openings_are_refused(client: TestClient, change: dict[str, Any], faults: list[str]) -> None:
    answer = client.post("/api/leagues", json=OPENING | change)
    assert (answer.status_code, codes(answer.json())) == (400, faults)
    assert client.get("/api/leagues").json() == {"leagues": []}


@pytest.mark.parametrize(
    ("command", "faults"),
    [
        (None, ["command-invalid"]),
        ([], ["command-invalid"]),
        ({}, ["command-unknown"]),
        ({"do": "finish"}, ["command-unknown"]),
        ({"do": ["undo"]}, ["command-unknown"]),
        ({"do": "add-event"}, ["text-needed"]),
        ({"do": "add-event", "event": "nothing"}, ["event-unknown"]),
        ({"do": "remove-event", "event": "a\nb"}, ["text-length"]),
        ({"do": "undo", "action": 0}, ["number-invalid"]),
        ({"do": "undo", "action": 1}, ["undo-unknown"]),
        ({"do": "redo", "action": 9, "by": "me"}, ["field-unknown"]),
        ({"do": "redo", "action": 9}, ["redo-unknown"]),
        ({"do": "settings", "name": "\u0000", "formula": "neau:1"}, ["text-length"]),
        ({"do": "settings", "name": "A", "formula": "neau:1"}, ["formula-numbers"]),
    ],
)
def test_malformed_commands_are_refused(client: TestClient, league: str, command: Any, faults: list[str]) -> None:
    assert refuse(client, league, command) == faults


def test_malformed_envelopes_are_refused(client: TestClient, league: str) -> None:
    undo = {"do": "undo", "action": 1}
    assert refuse(client, league, undo, id="", seq=-1) == ["id-invalid", "number-invalid"]
    assert refuse(client, league, undo, id=5, extra=True) == ["id-invalid", "field-unknown"]
    for body in (b"", b"{", b"[]", b'{"id": "\xff"}'):
        assert client.post(f"/api/leagues/{league}", content=body).status_code == 400
    assert client.post(f"/api/leagues/{league}", content=b"x" * 70_000).status_code == 413
    assert client.delete(f"/api/leagues/{league}").status_code == 405


@pytest.mark.parametrize("path", ["", "/key", "/standings.csv", "/standings.pdf", "/directors"])
def test_an_unknown_league_is_not_found(client: TestClient, path: str) -> None:
    for code in ("NOTHING", "%00", "%ff", "a" * 500):
        asked = f"/api/leagues/{code}{path}"
        answer = client.post(asked, json={"key": "k", "name": "n"}) if path == "/directors" else client.get(asked)
        assert (answer.status_code, codes(answer.json())) == (404, ["league-unknown"])


def test_a_foreign_page_posts_nothing(client: TestClient, league: str) -> None:
    for path in ("", f"/{league}", f"/{league}/directors"):
        refused = client.post(f"/api/leagues{path}", json={}, headers={"origin": "http://evil.example"})
        assert (refused.status_code, codes(refused.json())) == (403, ["origin-foreign"])


def test_formulas_are_listed_and_the_page_is_served(client: TestClient, league: str) -> None:
    listed = client.get("/api/formulas").json()["formulas"]
    assert [one["id"] for one in listed] == ["linear", "inverse", "root", "root-buy-in", "neau", "places"]
    assert listed[0].keys() == {"id", "title", "takes", "numbers"}
    assert client.get(f"/l/{league}").status_code == 200


@pytest.mark.parametrize(
    "damage",
    ["UPDATE events SET body = '{' WHERE stream LIKE 'league/%'", "DELETE FROM tournaments"],
)
def test_a_journal_that_cannot_be_read_is_said_so(make_client: MakeClient, journal_path: Path, damage: str) -> None:
    with make_client() as client:
        league, _ = open_league(client)
        do(client, league, "add-event", event=open_event(client))
    with closing(sqlite3.connect(journal_path)) as database:
        database.execute(damage)
        database.commit()
    with make_client() as client:
        answer = client.get(f"/api/leagues/{league}")
        assert (answer.status_code, codes(answer.json())) == (503, ["journal"])


def test_the_address_of_an_event_is_told_no_more_than_its_players_page_tells(client: TestClient, league: str) -> None:
    """Keys and tables' codes never leave."""
    event = play(client)
    do(client, league, "add-event", event=event)
    text = other_client(client).get(f"/api/leagues/{league}").text
    with page(client, event) as director:
        secrets = {table["code"] for table in director.view["tables"].values()}
    secrets |= {client.get(address(event, "key")).json()["key"], client.get(f"/api/leagues/{league}/key").json()["key"]}
    assert not [secret for secret in secrets if secret in text]
