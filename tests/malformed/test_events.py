"""Malformed and impossible requests about events to a real server: clear faults, all at once, nothing half-done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx2 as httpx
import pytest

from tests.event_servers import OPENING, EventSocket, event_socket, open_event
from tests.servers import Server

Faults = set[tuple[str, str | None, str | None]]
DO: dict[str, Any] = {"type": "do", "id": "x", "seq": 10**6}
POINTS: dict[str, Any] = {"do": "enter-points", "table": 1, "hand": 1, "points": {}, "fantasyland": {}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server
        with server.visitor() as visitor:
            assert visitor.get("/api/health").status_code == 200
    assert "Traceback" not in server.log


@pytest.fixture(scope="module")
def visitor(server: Server) -> Iterator[httpx.Client]:
    with server.visitor() as visitor:
        yield visitor


@pytest.fixture(scope="module")
def event(server: Server, visitor: httpx.Client) -> str:
    """Six players at two tables, the clock running; entry is closed."""
    event = open_event(visitor)
    with event_socket(server, visitor, event) as director:
        register = {"do": "register", "players": [{"name": name} for name in "ABCDEF"]}
        commands: list[dict[str, Any]] = [register, {"do": "draw"}, {"do": "start-clock"}]
        for number, command in enumerate(commands):
            assert director.do(f"begin {number}", command)["type"] == "done"
    return event


@pytest.fixture
def director(server: Server, visitor: httpx.Client, event: str) -> Iterator[EventSocket]:
    """A director's page; whatever the test sends, nothing has changed at its end."""
    with event_socket(server, visitor, event) as director:
        before = {name: director.view[name] for name in ("seq", "players", "tables", "event", "log")}
        yield director
        director.send({"type": "hello", "version": 1, "as": "director"})
        director.receive("state")
        assert {name: director.view[name] for name in before} == before
        director.send({"type": "ping", "id": "still there"})
        assert director.receive("pong")["id"] == "still there"


def faults_in(errors: list[dict[str, Any]]) -> Faults:
    for fault in errors:
        assert fault.keys() == {"code", "message", "field", "player", "row", "text"}
        assert fault["message"]
        assert "Traceback" not in json.dumps(fault)
    return {(fault["code"], fault["field"], fault["text"]) for fault in errors}


def ask(director: EventSocket, message: object) -> dict[str, Any]:
    director.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))
    return director.receive("refused", "done", "previewed", "log")


COMMANDS: dict[str, tuple[dict[str, Any], Faults]] = {
    "nothing": ({}, {("command-unknown", "command.do", "null")}),
    "a command of one's own": ({"do": "win", "player": 1}, {("command-unknown", "command.do", "win")}),
    "a command that is a list": ({"do": ["finish"]}, {("command-unknown", "command.do", '["finish"]')}),
    "a command with more in it": ({"do": "finish", "now": True}, {("field-unknown", "command.now", "true")}),
    "a hand of nobody": (
        {"do": "enter-points"},
        {("number-invalid", "command.table", "null"), ("number-invalid", "command.hand", "null")},
    ),
    "points that are none": (
        POINTS | {"points": {"1": "3", "2": 1.5, "Bo": 1, "3": True, "04": 0, "5": 10**9}},
        {("number-invalid", "command.points.1", "3"), ("number-invalid", "command.points.2", "1.5"),
         ("player-unknown", "command.points.Bo", "Bo"), ("number-invalid", "command.points.3", "true"),
         ("player-unknown", "command.points.04", "04"), ("number-invalid", "command.points.5", str(10**9))},
    ),
    "points as a list": (POINTS | {"points": [3, -3]}, {("object-needed", "command.points", "[3, -3]")}),
    "Fantasyland of too many cards": (
        POINTS | {"fantasyland": {"1": 53, "2": -1}},
        {("number-invalid", "command.fantasyland.1", "53"), ("number-invalid", "command.fantasyland.2", "-1")},
    ),
    "a player's number as long as a book": (
        POINTS | {"points": {"9" * 5000: 1}},
        {("player-unknown", f"command.points.{'9' * 200}…", "9" * 200 + "…")},
    ),
    "a table below the first": (POINTS | {"table": 0}, {("number-invalid", "command.table", "0")}),
    "a hand beyond exact numbers": (POINTS | {"hand": 2**53}, {("number-invalid", "command.hand", str(2**53))}),
    "boards of no kind": (
        {"do": "enter-boards", "table": 1, "hand": 1, "boards": {"1": "Ac", "x": {}, "2": {"top": 5}}},
        {("board-invalid", "command.boards.1", "Ac"), ("board-invalid", "command.boards.x", "{}"),
         ("text-needed", "command.boards.2.top", "5"), ("text-needed", "command.boards.2.middle", "null"),
         ("text-needed", "command.boards.2.bottom", "null")},
    ),
    "boards as a text": (
        {"do": "enter-boards", "table": 1, "hand": 1, "boards": "Ac"}, {("object-needed", "command.boards", "Ac")},
    ),
    "a board with a card twice": (
        {"do": "enter-boards", "table": 1, "hand": 1, "boards": {"1": {
            "top": "Ac Ac 2d", "middle": "3c 4c 5c 6c 8d", "bottom": "Zz 9c Tc Jc Qd"}}},
        {("card-twice", "command.boards.1.top", "Ac"), ("card-unknown", "command.boards.1.bottom", "Zz")},
    ),
    "a structure of no kind": (
        {"do": "settings", "name": "Cup", "structure": []}, {("structure-invalid", "command.structure", "[]")},
    ),
    "a structure that is wrong and impossible": (
        {"do": "settings", "name": "", "absent_points": "x", "structure": {
            "starting_stack": 1000, "late_until": 5, "reentries": -1,
            "steps": [{"kind": "level", "price": 1}, {"kind": "hat"}, {"kind": "break", "minutes": 5}]}},
        {("text-length", "command.name", ""), ("number-invalid", "command.absent_points", "x"),
         ("number-invalid", "command.structure.reentries", "-1"),
         ("step-kind", "command.structure.steps[1].kind", "hat"),
         ("structure-impossible", "command.structure.steps[0]", "neither"),
         ("structure-impossible", "command.structure.late_until", "5")},
    ),
    "levels without a price": (
        {"do": "settings", "name": "Cup", "structure": {"starting_stack": 5, "steps": [
            {"kind": "level", "minutes": 20}, {"kind": "pause"}, {"kind": "break", "minutes": 0}, "level"]}},
        {("number-invalid", "command.structure.steps[0].price", "null"),
         ("step-kind", "command.structure.steps[1].kind", "pause"),
         ("number-invalid", "command.structure.steps[2].minutes", "0"),
         ("step-invalid", "command.structure.steps[3]", "level")},
    ),
    "a structure of 201 steps": (
        {
            "do": "settings",
            "name": "Cup",
            "structure": {"starting_stack": 5, "steps": [{"kind": "level", "price": 1}] * 201},
        },
        {("list-too-long", "command.structure.steps", None)},
    ),
    "a name in two lines": (
        {"do": "settings", "name": "a\nb", "structure": OPENING["structure"]},
        {("text-length", "command.name", "a\nb")},
    ),
    "players of no kind": (
        {"do": "register", "players": [None, {}, {"name": "x" * 61, "paid": "yes", "club": 5, "age": 9}]},
        {("player-invalid", "command.players[0]", "null"), ("text-needed", "command.players[1].name", "null"),
         ("text-length", "command.players[2].name", "x" * 61), ("flag-invalid", "command.players[2].paid", "yes"),
         ("text-needed", "command.players[2].club", "5"), ("field-unknown", "command.players[2].age", "9")},
    ),
    "players as one": ({"do": "register", "players": {"name": "A"}},
        {("list-needed", "command.players", '{"name": "A"}')}),
    "a file that is no text": ({"do": "import-csv", "text": 5}, {("text-needed", "command.text", "5")}),
    "a player without a number": ({"do": "withdraw", "player": "A"}, {("number-invalid", "command.player", "A")}),
    "a seat that is none": (
        {"do": "move-now", "player": 1, "to": {"table": "x", "seat": 4, "row": 1}},
        {("number-invalid", "command.to.table", "x"), ("number-invalid", "command.to.seat", "4"),
         ("field-unknown", "command.to.row", "1")},
    ),
    "nowhere to move to": ({"do": "plan-move", "player": 1, "to": 5}, {("seat-invalid", "command.to", "5")}),
    "an absence of no kind": ({"do": "absent", "player": 1, "absent": "yes"},
        {("flag-invalid", "command.absent", "yes")}),
    "a minute too many": ({"do": "adjust", "change_ms": 10**12},
        {("number-invalid", "command.change_ms", str(10**12))}),
    "an action of no number": ({"do": "undo", "action": None}, {("number-invalid", "command.action", "null")}),
    "prizes two ways": ({"do": "prizes", "percents": [100], "places": 1},
        {("payouts-invalid", "command.percents", None)}),
    "prizes no way": ({"do": "prizes", "fee": -1},
        {("payouts-invalid", "command.percents", None), ("number-invalid", "command.fee", "-1")}),
    "shares that are none": (
        {"do": "prizes", "percents": [50, "x", -1, 101, True]},
        {("percent-invalid", f"command.percents[{n}]", text)
         for n, text in ((1, "x"), (2, "-1"), (3, "101"), (4, "true"))},
    ),
    "amounts that are none": (
        {"do": "prizes", "amounts": [5, None, -2]},
        {("number-invalid", "command.amounts.1", "null"), ("number-invalid", "command.amounts.2", "-2")},
    ),
    "amounts as a number": ({"do": "prizes", "amounts": 7}, {("list-needed", "command.amounts", "7")}),
    "a template of one's own": ({"do": "prizes", "template": "mine"},
        {("template-unknown", "command.template", "mine")}),
    "a deal of no kind": ({"do": "deal", "shares": {"1": -5}, "held_back": "x"},
        {("number-invalid", "command.shares.1", "-5"), ("number-invalid", "command.held_back", "x")}),
}  # fmt: skip


@pytest.mark.parametrize("case", COMMANDS)
def test_a_malformed_command_is_refused(director: EventSocket, case: str) -> None:
    command, expected = COMMANDS[case]
    answer = ask(director, DO | {"command": command})
    assert (answer["type"], answer["id"]) == ("refused", "x")
    assert faults_in(answer["errors"]) == expected
    previewed = ask(director, {"type": "preview", "id": "p", "command": command})
    assert (previewed["type"], previewed["id"]) == ("refused", "p")
    assert faults_in(previewed["errors"]) == expected


MESSAGES: dict[str, tuple[object, str | None, Faults]] = {
    "nothing": ("", None, {("json-malformed", None, None)}),
    "words": ("undo please", None, {("json-malformed", None, "undo please")}),
    "bytes that are no text": (b"\xff\xfe", None, {("text-encoding", None, None)}),
    "too deep": ("[" * 60_000, None, {("json-too-deep", None, None)}),
    "a key twice": ('{"type":"ping","id":"y","song":1,"song":2}', "y",
        {("json-key-twice", "song", "song"), ("field-unknown", "song", "2")}),
    "a type of one's own": ({"type": "sing", "id": "y", "song": 1}, "y", {("type-unknown", "type", "sing")}),
    "a list": ([1], None, {("json-not-object", None, "[1]")}),
    "no type": ({"id": "y"}, "y", {("type-unknown", "type", "null")}),
    "no id": ({"type": "ping"}, None, {("id-invalid", "id", "null")}),
    "a long id": ({"type": "ping", "id": "x" * 65}, None, {("id-invalid", "id", "x" * 65)}),
    "a text as seq": (DO | {"seq": "6", "command": {"do": "finish"}}, "x", {("number-invalid", "seq", "6")}),
    "a command as a text": (DO | {"command": "finish"}, "x", {("command-invalid", "command", "finish")}),
    "no command": (DO, "x", {("command-invalid", "command", "null")}),
    "an older log of no number": ({"type": "log", "id": "l", "before": "x"}, "l", {("number-invalid", "before", "x")}),
    "a preview with a seq": ({"type": "preview", "id": "p", "seq": 1, "command": {"do": "finish"}}, "p",
        {("field-unknown", "seq", "1")}),
}  # fmt: skip


@pytest.mark.parametrize("case", MESSAGES)
def test_a_malformed_message_is_refused(director: EventSocket, case: str) -> None:
    message, own_id, expected = MESSAGES[case]
    answer = ask(director, message)
    assert (answer["type"], answer["id"]) == ("refused", own_id)
    assert faults_in(answer["errors"]) == expected


def seats(director: EventSocket, table: int = 1) -> list[str]:
    return [str(player) for player in director.view["tables"][str(table)]["seats"]]


def _points(**fields: Any) -> Callable[[EventSocket], dict[str, Any]]:
    return lambda director: POINTS | {"points": dict(zip(seats(director), (3, -1, -2), strict=True))} | fields


def _boards(director: EventSocket) -> dict[str, Any]:
    one = {"top": "Ac Kc 2d", "middle": "3c 4c 5c 6c 8d", "bottom": "9c Tc Jc Qd Kd"}
    return {"do": "enter-boards", "table": 1, "hand": 1, "boards": dict.fromkeys(seats(director), one)}


IMPOSSIBLE: dict[str, tuple[Callable[[EventSocket], dict[str, Any]], set[str]]] = {
    "a hand for players of another table": (
        lambda d: POINTS | {"points": dict(zip(seats(d, 2), (3, -1, -2), strict=True))},
        {"player-not-here", "player-missing"}),
    "points that do not sum to zero, and more": (
        lambda d: POINTS | {"points": dict(zip(seats(d), (3, -1, -1), strict=True)), "fantasyland": {seats(d)[0]: 13}},
        {"points-sum", "fantasyland-count"}),
    "a hand to come": (_points(hand=2), {"hand-ahead"}),
    "a hand at no table": (_points(table=99), {"table-unknown"}),
    "one card on three boards": (_boards, {"card-twice"}),
    "an entry after the close": (lambda _: {"do": "register", "players": [{"name": "Late"}]}, {"entry-closed"}),
    "names that are taken": (
        lambda _: {"do": "register", "players": [{"name": "a"}, {"name": "B"}, {"name": "new"}, {"name": "NEW"}]},
        {"entry-closed", "name-taken"}),
    "an import with doubled names": (lambda _: {"do": "import-csv", "text": "name\nAda\nBo\nAda\n"}, {"name-twice"}),
    "an import that is none": (lambda _: {"do": "import-csv", "text": ""}, {"players-none"}),
    "a level that has been played": (
        lambda _: {"do": "settings", "name": "Cup", "structure": {"starting_stack": 1000, "steps": []}},
        {"structure-impossible"}),
    "a move to a seat that is taken": (
        lambda d: {"do": "move-now", "player": int(seats(d)[0]), "to": {"table": 2, "seat": 0}, "reason": "x"},
        {"seat-taken"}),
    "a move without a reason": (
        lambda d: {"do": "remove", "player": int(seats(d)[0])}, {"reason-missing"}),
    "a player there is not": (lambda _: {"do": "absent", "player": 99, "absent": True}, {"player-unknown"}),
    "an action that is none": (lambda _: {"do": "undo", "action": 99}, {"undo-unknown"}),
    "the draw again": (lambda _: {"do": "draw"}, {"drawn"}),
    "a step there is not": (lambda _: {"do": "jump", "step": 9}, {"step-unknown"}),
    "a deal without prizes": (lambda _: {"do": "deal", "shares": {"1": 5, "99": 5}},
        {"player-not-seated", "player-missing"}),
}  # fmt: skip


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_what_the_event_does_not_allow_is_refused(director: EventSocket, case: str) -> None:
    make, expected = IMPOSSIBLE[case]
    command = make(director)
    answer = ask(director, DO | {"command": command})
    assert answer["type"] == "refused"
    faults_in(answer["errors"])
    assert {fault["code"] for fault in answer["errors"]} == expected


def test_an_answer_is_never_much_larger_than_the_question(director: EventSocket) -> None:
    points = {str(number): 0 for number in range(100, 5_000)}
    answer = ask(director, DO | {"command": POINTS | {"points": points}})
    assert len(answer["errors"]) == 100
    previewed = ask(director, {"type": "preview", "id": "p", "command": POINTS | {"points": points}})
    assert len(previewed["faults"]) == 100
    answer = ask(director, DO | {"command": {"do": "finish", **{f"f{number}": 1 for number in range(3_000)}}})
    assert len(answer["errors"]) == 100


REQUESTS: dict[str, tuple[str, Any, Faults]] = {
    "no words": ("", b"", {("json-malformed", None, None)}),
    "an event of nothing": ("", {}, {
        ("rules-unknown", "rules", "null"), ("structure-invalid", "structure", "null"),
        ("text-needed", "name", "null")}),
    "a key twice": ("", b'{"name": "A", "name": "B"}', {
        ("json-key-twice", "name", "name"), ("rules-unknown", "rules", "null"),
        ("structure-invalid", "structure", "null")}),
    "rules of one's own with faults": (
        "", OPENING | {"rules": {"base": "casual", "id": "own", "scoop": 1.5, "top_pair_royalties": {"X": True}}},
        {("rules-field-invalid", "rules.scoop", "1.5"),
         ("rules-field-invalid", "rules.top_pair_royalties.X", "true")}),
    "rules of no kind": ("", OPENING | {"rules": 5}, {("rules-unknown", "rules", "5")}),
    "a key of no kind": ("/{event}/directors", {"key": 5},
        {("text-needed", "key", "5"), ("text-needed", "name", "null")}),
    "wishes beyond all": ("/suggest", {"players": 10**6, "minutes": 0, "starting_stack": "x"},
        {("number-invalid", "players", "1000000"), ("number-invalid", "minutes", "0"),
         ("number-invalid", "starting_stack", "x")}),
    "a deal by dice": ("/{event}/deal", {"method": "dice", "held_back": -1},
        {("method-unknown", "method", "dice"), ("number-invalid", "held_back", "-1")}),
}  # fmt: skip


@pytest.mark.parametrize("case", REQUESTS)
def test_a_malformed_request_is_refused(visitor: httpx.Client, event: str, case: str) -> None:
    path, body, expected = REQUESTS[case]
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = visitor.post(f"/api/events{path.format(event=event)}", content=content)
    assert answer.status_code == 400
    assert faults_in(answer.json()["errors"]) == expected


def test_an_import_of_anything_is_no_event(visitor: httpx.Client, event: str) -> None:
    log = visitor.get(f"/api/events/{event}/export").content
    lines = log.splitlines(keepends=True)
    for body in (b"", b"\x00" * 1000, b"[" * 60_000, log[:-40], b"".join(lines[1:]), b"".join([*lines, lines[-1]])):
        answer = visitor.post("/api/events/import", content=body)
        assert answer.status_code == 400
        faults_in(answer.json()["errors"])
    assert len(visitor.get("/api/events").json()["events"]) == 1


def test_methods_and_paths_that_are_none(visitor: httpx.Client, event: str) -> None:
    for method, path, status in (
        ("DELETE", f"/api/events/{event}/key", 405), ("GET", "/api/events/import", 404), ("PUT", "/api/events", 405),
        ("GET", f"/api/events/{event}/..%2fkey", 404), ("GET", f"/api/table-codes/{'x' * 3000}", 404),
        ("GET", "/api/table-codes/%00", 404), ("POST", "/api/calculator/x", 404),
    ):  # fmt: skip
        answer = visitor.request(method, path)
        assert answer.status_code in (status, 404, 405), (method, path)
        faults_in(answer.json()["errors"])
