"""Malformed requests and messages to a real server: clear errors, all faults at once, and the server stays up."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx2 as httpx
import pytest

from tests.servers import DEADLINE_S, Server, open_table

GOOD: dict[str, Any] = {"rules": "pineapple", "bots": ["random"]}
GOOD_TEXT = json.dumps(GOOD).encode()
PLACE: dict[str, Any] = {"type": "place", "id": "p", "seq": 6, "placements": []}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), bot_pause_ms=10_000) as server:
        yield server
        with server.visitor() as visitor:
            assert visitor.get("/api/health").status_code == 200
    assert "Traceback" not in server.log


@pytest.fixture(scope="module")
def visitor(server: Server) -> Iterator[httpx.Client]:
    with server.visitor() as visitor:
        yield visitor


@pytest.fixture(scope="module")
def table(visitor: httpx.Client) -> str:
    return open_table(visitor, seed=5)  # the button is at seat 0: a bot, which thinks for long, places first


def faults_in(errors: list[dict[str, Any]]) -> set[tuple[Any, ...]]:
    """Return code, field, row and text of each fault, all of which have a message and no traceback."""
    for fault in errors:
        assert fault.keys() == {"code", "message", "field", "player", "row", "text"}
        assert fault["message"]
        assert "Traceback" not in json.dumps(fault)
    return {(fault["code"], fault["field"], fault["row"], fault["text"]) for fault in errors}


BODIES: dict[str, tuple[Any, set[tuple[Any, ...]]]] = {
    "nothing": (b"", {("json-malformed", None, None, None)}),
    "words": (b"open a table", {("json-malformed", None, None, "open a table")}),
    "half an object": (b'{"rules": "pine', {("json-malformed", None, None, '"pine')}),
    "two objects": (b"{}{}", {("json-malformed", None, None, "{}")}),
    "not UTF-8": (b'{"rules": "\xff"}', {("text-encoding", None, None, None)}),
    "half a surrogate": (rb'{"rules": "\ud800"}', {("json-malformed", None, None, r"\ud800")}),
    "half a surrogate after a whole one": (
        rb'{"name": "\\ud83d\ud83d\ude00\uDE00"}', {("json-malformed", None, None, r"\uDE00")}),
    "too deep": (b"[" * 30_000, {("json-too-deep", None, None, None)}),
    "not a number": (GOOD_TEXT[:-1] + b', "hands": NaN, "seed": -1}',
        {("number-invalid", "hands", None, "NaN"), ("number-invalid", "seed", None, "-1")}),
    "a number beyond all": (GOOD_TEXT[:-1] + b', "hands": ' + b"9" * 5000 + b"}",
        {("number-invalid", "hands", None, "9" * 200 + "…")}),
    "a key twice": (b'{"rules": "casual", "rules": "classic", "bots": ["X"]}',
        {("json-key-twice", "rules", None, "rules"), ("bot-unknown", "bots[0]", None, "X")}),
    "a key twice deep inside": (GOOD_TEXT[:-1] + b', "money": {"stack": 5, "price": 1, "stack": 6, "price": 2}}',
        {("json-key-twice", "money.stack", None, "stack"), ("json-key-twice", "money.price", None, "price")}),
    "a list": (b"[]", {("json-not-object", None, None, "[]")}),
    "null": (b"null", {("json-not-object", None, None, "null")}),
    "empty": ({}, {("text-needed", "rules", None, "null"), ("list-needed", "bots", None, "null")}),
    "too many bots, of a kind that there is not": (GOOD | {"bots": ["random"] * 51 + ["X"] * 9}, {
        ("list-too-long", "bots", None, None), ("bot-unknown", "bots[51]", None, "X")}),
    "unknown rules": (GOOD | {"rules": "bridge"}, {("rules-unknown", "rules", None, "bridge")}),
    "rules as a number": (GOOD | {"rules": 3}, {("text-needed", "rules", None, "3")}),
    "bots as a text": (GOOD | {"bots": "random"}, {("list-needed", "bots", None, "random")}),
    "no bots": (GOOD | {"bots": []}, {("seats-count", "bots", None, "0")}),
    "too many bots": (GOOD | {"bots": ["random"] * 9}, {("seats-count", "bots", None, "9")}),
    "far too many bots": (GOOD | {"bots": ["random"] * 53}, {("list-too-long", "bots", None, None)}),
    "bots of no kind": (
        GOOD | {"bots": [None, {}]},
        {("bot-unknown", "bots[0]", None, "null"), ("bot-unknown", "bots[1]", None, "{}")},
    ),
    "a long name": (GOOD | {"name": "x" * 21}, {("text-length", "name", None, "x" * 21)}),
    "a name as a number": (GOOD | {"name": 7}, {("text-needed", "name", None, "7")}),
    "a name of blanks": (GOOD | {"name": "  "}, {("text-length", "name", None, "  ")}),
    "a name that turns the text round": (GOOD | {"name": "a\u202eb"}, {("text-length", "name", None, "a\u202eb")}),
    "a name in lines": (GOOD | {"name": "a\nb"}, {("text-length", "name", None, "a\nb")}),
    "hands as a truth": (GOOD | {"hands": True}, {("number-invalid", "hands", None, "true")}),
    "half a hand": (GOOD | {"hands": 1.5}, {("number-invalid", "hands", None, "1.5")}),
    "too many hands": (GOOD | {"hands": 1001}, {("number-invalid", "hands", None, "1001")}),
    "money as a number": (GOOD | {"money": 5}, {("money-invalid", "money", None, "5")}),
    "money with too much in it": (
        GOOD | {"money": {"stack": "9", "price": 0, "pot": 1}},
        {
            ("number-invalid", "money.stack", None, "9"),
            ("number-invalid", "money.price", None, "0"),
            ("field-unknown", "money.pot", None, "1"),
        },
    ),
    "a seed beyond exact numbers": (GOOD | {"seed": 2**53}, {("number-invalid", "seed", None, str(2**53))}),
    "a field of one's own": (GOOD | {"admin": True}, {("field-unknown", "admin", None, "true")}),
}  # fmt: skip


@pytest.mark.parametrize("case", BODIES)
def test_a_malformed_body_is_refused(visitor: httpx.Client, case: str) -> None:
    body, expected = BODIES[case]
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = visitor.post("/api/tables", content=content)
    assert answer.status_code == 400
    assert faults_in(answer.json()["errors"]) == expected


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "there is nothing here"),
        (b"\xff", "not text in UTF-8: byte 1 is 0xff"),
        (b'{"rules" "pineapple"}', "a colon is missing, at line 1, column 10"),
        (
            b'{"rules": "pineapple"\n "bots": []}',
            "a comma, or the end of a list or object, is missing, at line 2, column 2",
        ),
        (b"{'rules': 1}", "a name in double quotes is missing, at line 1, column 2"),
        (b'{"rules": "pine', "the text that begins here has no closing quote, at line 1, column 11"),
        (b'{"rules": pine}', "a value is missing or not one that JSON has, at line 1, column 11"),
        (b"{}\n{}", "there is more after the end of the value, at line 2, column 1"),
        (rb'{"rules": "\x"}', "a backslash in a text means nothing here, at line 1, column 12"),
        (rb'{"rules": "\u12"}', "is not followed by four hexadecimal digits, at line 1, column"),
        (b'{"rules": "a\tb"}', "a text has a line break, tab or control character in it, at line 1, column 13"),
    ],
)
def test_what_is_no_json_is_said_in_plain_words(visitor: httpx.Client, body: bytes, words: str) -> None:
    (fault,) = visitor.post("/api/tables", content=body).json()["errors"]
    assert words in fault["message"]


MESSAGES: dict[str, tuple[Any, str | None, set[tuple[Any, ...]]]] = {
    "nothing": ("", None, {("json-malformed", None, None, None)}),
    "words": ("next please", None, {("json-malformed", None, None, "next please")}),
    "bytes that are no text": (b"\xff\xfe", None, {("text-encoding", None, None, None)}),
    "too deep": ("[" * 60_000, None, {("json-too-deep", None, None, None)}),
    "too deep inside": ('{"id":"p","x":' + "[" * 60_000, None, {("json-too-deep", None, None, None)}),
    "a key twice": ('{"type":"next","id":"p","seq":7,"seq":6}', "p", {("json-key-twice", "seq", None, "seq")}),
    "a list": ("[1]", None, {("json-not-object", None, None, "[1]")}),
    "empty": ({}, None, {("type-unknown", "type", None, "null")}),
    "a type of one's own": ({"type": "peek", "id": "x", "seat": 1}, "x", {("type-unknown", "type", None, "peek")}),
    "a type that is a list": ({"type": ["end"], "id": "x"}, "x", {("type-unknown", "type", None, '["end"]')}),
    "no id": ({"type": "ping"}, None, {("id-invalid", "id", None, "null")}),
    "an empty id": ({"type": "ping", "id": ""}, "", {("id-invalid", "id", None, "")}),
    "a number as id": ({"type": "ping", "id": 7}, None, {("id-invalid", "id", None, "7")}),
    "a long id": ({"type": "ping", "id": "x" * 65}, None, {("id-invalid", "id", None, "x" * 65)}),
    "no seq": ({"type": "next", "id": "p"}, "p", {("number-invalid", "seq", None, "null")}),
    "a seq below nothing": ({"type": "next", "id": "p", "seq": -1}, "p", {("number-invalid", "seq", None, "-1")}),
    "a text as seq": ({"type": "end", "id": "p", "seq": "6"}, "p", {("number-invalid", "seq", None, "6")}),
    "a rematch with wishes": ({"type": "rematch", "id": "p", "seq": 6, "deck": []}, "p",
        {("field-unknown", "deck", None, "[]")}),
    "a move without cards": ({"type": "place", "id": "p", "seq": 6}, "p",
        {("list-needed", "placements", None, "null")}),
    "placements of no kind": (PLACE | {"placements": [1, "Kh", None]}, "p",
        {("placement-invalid", f"placements[{n}]", None, text) for n, text in enumerate(("1", "Kh", "null"))}),
    "cards and rows there are not": (
        PLACE | {"placements": [{"card": "Zz", "row": "top"}, {"card": "Kh", "row": "up"}, {"row": "middle"}]}, "p",
        {("card-unknown", "placements[0].card", "top", "Zz"), ("row-unknown", "placements[1].row", None, "up"),
         ("card-unknown", "placements[2].card", "middle", "null")}),
    "a placement with more in it": (PLACE | {"placements": [{"card": "Kh", "row": "top", "up": 1}]}, "p",
        {("field-unknown", "placements[0].up", None, "1")}),
    "more placements than a deck": (PLACE | {"placements": [{"card": "Kh", "row": "top"}] * 53}, "p",
        {("list-too-long", "placements", None, None)}),
    "discards of no kind": (PLACE | {"discards": ["Kh", 5, "1h"]}, "p",
        {("card-unknown", "discards[1]", None, "5"), ("card-unknown", "discards[2]", None, "1h")}),
    "discards as a text": (PLACE | {"discards": "Kh"}, "p", {("list-needed", "discards", None, "Kh")}),
    "chosen cards there are not": ({"type": "arrange", "id": "q", "placements": [], "chosen": ["X"]}, "q",
        {("card-unknown", "chosen[0]", None, "X")}),
    "another's card": (PLACE | {"seq": 10**9}, "p", {("stale", "seq", None, str(10**9))}),
}  # fmt: skip


_NOT_NOW = {"not-your-turn", "hand-running", "match-running"}
"""What is told of these messages besides: well formed they would be refused too."""


@pytest.mark.parametrize("case", MESSAGES)
def test_a_malformed_message_is_refused(server: Server, visitor: httpx.Client, table: str, case: str) -> None:
    message, message_id, expected = MESSAGES[case]
    with server.socket(visitor, table) as connection:
        connection.receive_type("view")
        connection.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))
        refused = connection.receive_type("refused")
        assert refused["id"] == message_id
        assert {fault for fault in faults_in(refused["errors"]) if fault[0] not in _NOT_NOW} == expected
        connection.send({"type": "ping", "id": "still there"})
        assert connection.receive_type("pong")["id"] == "still there"


@pytest.mark.parametrize("fields", [5_000, 8_000])
def test_an_answer_is_never_much_larger_than_the_question(
    server: Server, visitor: httpx.Client, table: str, fields: int
) -> None:
    message = json.dumps(
        {"type": "ping", "id": "x"} | {f"f{number}": 1 for number in range(fields)}, separators=(",", ":")
    )[:65_000]
    message = message[: message.rindex(",")] + "}"
    with server.socket(visitor, table) as connection:
        connection.receive_type("view")
        connection.connection.send(message)
        errors = connection.receive_type("refused")["errors"]
    assert len(errors) == 100
    answer = visitor.post("/api/tables", content=message)
    assert len(answer.json()["errors"]) == 100
    assert len(answer.content) < len(message)


RAW = {
    "no HTTP": b"HELLO\r\n\r\n",
    "no request line": b"\r\n\r\n\r\n\r\n",
    "no such version": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "a header without a name": b"GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
    "two lengths": b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length that is none": b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: two\r\n\r\n{}",
    "a chunk that is none": b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "a huge header": b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 200_000 + b"\r\n\r\n",
    "a handshake without its key": b"GET /api/tables/x/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
    "a handshake of another version": b"GET /api/tables/x/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 7\r\n\r\n",
    "a path that is none": b"GET /api/tables/%ff%fe/hands HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
}  # fmt: skip


@pytest.mark.parametrize("case", RAW)
def test_what_is_no_request_is_answered_with_an_error(server: Server, visitor: httpx.Client, case: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port), DEADLINE_S) as raw:
        answer = bytearray()
        with suppress(OSError):  # it may hang up on what it does not read to the end
            raw.sendall(RAW[case])
            raw.shutdown(socket.SHUT_WR)
            while part := raw.recv(65_536):
                answer += part
    assert not answer or answer.split(b" ", 2)[1].startswith(b"4"), answer
    assert b"Traceback" not in answer
    assert visitor.get("/api/health").status_code == 200


def test_a_body_cut_short_opens_no_table(server: Server, visitor: httpx.Client) -> None:
    before = visitor.get("/api/tables").json()
    secret = visitor.cookies["ofc_visitor"]
    with socket.create_connection(("127.0.0.1", server.port), DEADLINE_S) as raw:
        head = f"POST /api/tables HTTP/1.1\r\nHost: x\r\nCookie: ofc_visitor={secret}\r\nContent-Length: 1000\r\n\r\n"
        raw.sendall(head.encode() + json.dumps(GOOD).encode())
    assert visitor.get("/api/tables").json() == before


def test_a_body_over_64_kib_is_refused(visitor: httpx.Client) -> None:
    answer = visitor.post("/api/tables", content=b" " * 1_000_000)
    assert answer.status_code == 413
    assert faults_in(answer.json()["errors"]) == {("body-too-large", None, None, None)}
