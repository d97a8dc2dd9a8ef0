"""Malformed inputs of `ofc score` and malformed rule files: every fault told, exit 2, never a traceback."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ofc.cli import main

A = {"name": "A", "top": "9c 8d 2s", "middle": "Ac Ad 7s 6s 3d", "bottom": "Ah Jh 8h 6h 3h"}
B = {"name": "B", "top": "Qc Qd 4s", "middle": "Ks Kd 9s 5d 2c", "bottom": "Tc 9d 8c 7d 6c"}
C = {"name": "C", "top": "Th 5h 3c", "middle": "Jc Jd 8s 4c 2d", "bottom": "Qs Qh 7h 5s 4d"}


def hand(*players: object, **fields: object) -> dict[str, object]:
    return {"rules": "pineapple", "players": list(players) or [A, B], **fields}


def b(**fields: object) -> dict[str, object]:
    return hand(A, {**B, **fields})


def without(player: dict[str, str], key: str) -> dict[str, str]:
    return {name: value for name, value in player.items() if name != key}


Told = list[tuple[str, str | None, str | None, str | None]]
"""Of each fault: code, player, row, text."""

VALUES: dict[str, tuple[object, Told]] = {
    "a number": ([7], [("hand-invalid", None, None, "7")]),
    "null": ([None], [("hand-invalid", None, None, "null")]),
    "a list in a batch": ([[]], [("hand-invalid", None, None, "[]")]),
    "an empty object": ({}, [("players-missing", None, None, None)]),
    "players a text": (hand() | {"players": "A, B"}, [("players-invalid", None, None, "A, B")]),
    "players an object": (hand() | {"players": {"A": 1}}, [("players-invalid", None, None, '{"A": 1}')]),
    "no players": (hand() | {"players": []}, [("players-too-few", None, None, "0")]),
    "one player": (hand(A), [("players-too-few", None, None, "1")]),
    "too many for the rules": (
        hand(A, B, C, {**C, "name": "D"}, rules="pineapple"),
        [("players-too-many", None, None, "4"), *[("card-twice", "D", r, t) for r, t in (
            [("top", card) for card in ("Th", "5h", "3c")]
            + [("middle", card) for card in ("Jc", "Jd", "8s", "4c", "2d")]
            + [("bottom", card) for card in ("Qs", "Qh", "7h", "5s", "4d")]
        )]],
    ),
    "two at a table for three": (hand(rules="ultimate"), [("players-too-few", None, None, "2")]),
    "a player who is a text": (hand(A, "B"), [("player-invalid", "Player 2", None, "B")]),
    "a player who is null": (hand(A, None), [("player-invalid", "Player 2", None, "null")]),
    "unknown field": (hand(colour="red"), [("field-unknown", None, None, "colour")]),
    "unknown field of a player": (b(Top="x"), [("field-unknown", "B", None, "Top")]),
    "an empty key": ({**hand(), "": 1}, [("field-unknown", None, None, "")]),
    "unknown rules": (hand(rules="omaha"), [("rules-unknown", None, None, "omaha")]),
    "no rule set at all": (
        hand({**A, "fantasyland": 99}, {**B, "fantasyland": 17}, C, *[{**C, "name": n} for n in "DE"], rules="omaha"),
        [("rules-unknown", None, None, "omaha"), ("players-too-many", None, None, "5"),
         *[("card-twice", "D", row, card) for row in ("top", "middle", "bottom") for card in C[row].split()],
         ("fantasyland-count", "A", None, "99")],
    ),
    "one player by rules that there are not": (
        hand(A, rules=3), [("rules-invalid", None, None, "3"), ("players-too-few", None, None, "1")],
    ),
    "rules in capitals": (hand(rules="Pineapple"), [("rules-unknown", None, None, "Pineapple")]),
    "unknown version": (hand(rules="pineapple@2020-01-01"), [("rules-unknown", None, None, "pineapple@2020-01-01")]),
    "rules a list": (hand(rules=["pineapple"]), [("rules-invalid", None, None, '["pineapple"]')]),
    "a date in words": (hand(dealt_on="today"), [("dealt-on-invalid", None, None, "today")]),
    "no such day": (hand(dealt_on="2026-13-01"), [("dealt-on-invalid", None, None, "2026-13-01")]),
    "a date and time": (hand(dealt_on="2026-10-01T12:00"), [("dealt-on-invalid", None, None, "2026-10-01T12:00")]),
    "a date as a number": (hand(dealt_on=2026), [("dealt-on-invalid", None, None, "2026")]),
    "button beyond the table": (hand(button=2), [("button-unknown", None, None, "2")]),
    "button below zero": (hand(button=-1), [("button-unknown", None, None, "-1")]),
    "button by name": (hand(button="A"), [("button-invalid", None, None, "A")]),
    "button true": (hand(button=True), [("button-invalid", None, None, "true")]),
    "button a fraction": (hand(button=0.5), [("button-invalid", None, None, "0.5")]),
    "button huge": (hand(button=10**30), [("button-invalid", None, None, "1" + "0" * 30)]),
    "price alone": (hand(price=5), [("stack-missing", "A", None, None), ("stack-missing", "B", None, None)]),
    "a stack alone": (b(stack=5), [("price-missing", None, None, None), ("stack-missing", "A", None, None)]),
    "price zero": (
        hand({**A, "stack": 1}, {**B, "stack": 1}, price=0), [("price-invalid", None, None, "0")],
    ),
    "price a text, stacks below zero, a fraction": (
        hand({**A, "stack": -1}, {**B, "stack": 1.5}, price="5"),
        [("price-invalid", None, None, "5"), ("stack-invalid", "A", None, "-1"), ("stack-invalid", "B", None, "1.5")],
    ),
    "stacks true and huge": (
        hand({**A, "stack": True}, {**B, "stack": 2**53}, price=1),
        [("stack-invalid", "A", None, "true"), ("stack-invalid", "B", None, str(2**53))],
    ),
    "cards that the rules do not deal": (b(fantasyland=13), [("fantasyland-count", "B", None, "13")]),
    "fantasyland below zero": (b(fantasyland=-14), [("fantasyland-count", "B", None, "-14")]),
    "fantasyland true": (b(fantasyland=True), [("fantasyland-invalid", "B", None, "true")]),
    "fantasyland a text": (b(fantasyland="14"), [("fantasyland-invalid", "B", None, "14")]),
    "no name": (hand(A, without(B, "name")), [("name-missing", "Player 2", None, None)]),
    "a blank name": (b(name=" "), [("name-invalid", "Player 2", None, " ")]),
    "a name of a number": (b(name=2), [("name-invalid", "Player 2", None, "2")]),
    "a name that moves the cursor": (b(name="\x1b[2J"), [("name-invalid", "Player 2", None, "\x1b[2J")]),
    "a nameless player with faults": (
        hand({**A, "name": None, "top": "9c 8x 2s", "stack": -1, "hat": 1}, B, price=1),
        [
            ("name-missing", "Player 1", None, None),
            ("field-unknown", "Player 1", None, "hat"),
            ("card-unknown", "Player 1", "top", "8x"),
            ("stack-invalid", "Player 1", None, "-1"),
            ("stack-missing", "B", None, None),
        ],
    ),
    "one name twice": (b(name="A"), [("name-twice", "A", None, "A")]),
    "a row missing": (hand(A, without(B, "middle")), [("row-missing", "B", "middle", None)]),
    "a row that is a list": (b(top=["Qc", "Qd", "4s"]), [("row-invalid", "B", "top", '["Qc", "Qd", "4s"]')]),
    "a row that is a number": (b(bottom=5), [("row-invalid", "B", "bottom", "5")]),
    "an empty row": (b(top=""), [("row-count", "B", "top", "")]),
    "too few in a row": (b(bottom="Tc 9d 8c 7d"), [("row-count", "B", "bottom", "Tc 9d 8c 7d")]),
    "too many in a row": (b(top="Qc Qd 4s 4d"), [("row-count", "B", "top", "Qc Qd 4s 4d")]),
    "a card that is none": (b(top="Qc Qd 1s"), [("card-unknown", "B", "top", "1s")]),
    "a card with words": (b(top="Qc Qd four-of-spades"), [("card-unknown", "B", "top", "four-of-spades")]),
    "an unknown suit": (b(middle="Ks Kd 9s 5x 2c"), [("card-unknown", "B", "middle", "5x")]),
    "a joker": (b(middle="Ks Kd 9s 5d JK"), [("card-unknown", "B", "middle", "JK")]),
    "a card twice in a row": (b(top="Qc Qc 4s"), [("card-twice", "B", "top", "Qc")]),
    "a card twice on a board": (b(top="Qc Qd Ks"), [("card-twice", "B", "middle", "Ks")]),
    "a card on two boards": (b(middle="Ks Kd 9s 5d 2s"), [("card-twice", "B", "middle", "2s")]),
    "a card twice in two spellings": (b(bottom="10c 9d 8c 7d A♥"), [("card-twice", "B", "bottom", "Ah")]),
    "several at once": (
        hand({**A, "top": "9c 8x"}, {**B, "middle": "Ac Kd 9s 5d 2c", "stack": 5}, rules="ultimate", odd=1),
        [
            ("field-unknown", None, None, "odd"),
            ("players-too-few", None, None, "2"),
            ("card-unknown", "A", "top", "8x"),
            ("row-count", "A", "top", "9c 8x"),
            ("card-twice", "B", "middle", "Ac"),
            ("price-missing", None, None, None),
            ("stack-missing", "A", None, None),
        ],
    ),
}  # fmt: skip

TEXTS: dict[str, tuple[bytes, Told]] = {
    "nothing": (b"", [("input-empty", None, None, None)]),
    "blanks": (b" \n\t\r\n", [("input-empty", None, None, None)]),
    "a mark of byte order alone": (b"\xef\xbb\xbf", [("input-empty", None, None, None)]),
    "not UTF-8": (b'{"rules": "\xff"}', [("file-not-text", None, None, "'\\xff\"}'")]),
    "UTF-16": ('{"rules": 1}'.encode("utf-16"), [("file-not-text", None, None, "'\\xff\\xfe{\\x00'")]),
    "a brace": (b"{", [("json-malformed", None, None, None)]),
    "a comma too many": (b'{"rules": "pineapple",}', [("json-malformed", None, None, None)]),
    "JSON cut off": (json.dumps(hand()).encode()[:-9], [("json-malformed", None, None, None)]),
    "two objects in a line": (b"{} {}", [("json-malformed", None, None, None)]),
    "an array cut off": (b"[{}", [("json-malformed", None, None, None)]),
    "single quotes": (b"{'rules': 'pineapple'}", [("json-malformed", None, None, None)]),
    "NaN": (
        b'{"price": NaN}', [("players-missing", None, None, None), ("price-invalid", None, None, "NaN")],
    ),
    "Infinity": (
        b'{"button": -Infinity}', [("players-missing", None, None, None), ("button-invalid", None, None, "-Infinity")],
    ),
    "a key twice": (
        b'{"price": null, "price": 2}',
        [("json-key-twice", None, None, "price"), ("players-missing", None, None, None)],
    ),
    "a key of a player twice": (
        b'{"players": [{"name": "A", "top": 1, "top": "9c 8d 2s"}], "rules": "pineapple"}',
        [("json-key-twice", "A", "top", "top"), ("players-too-few", None, None, "1"),
         ("row-missing", "A", "middle", None), ("row-missing", "A", "bottom", None)],
    ),
    "keys of nameless players, and inside what is no row and no player": (
        (b'{"rules": "pineapple", "players": [{"stack": 1, "stack": null, "top": "9c 8d 2s", "middle":'
         b' {"a": 1, "a": 2}, "bottom": "Ah Jh 8h 6h 3h"}, [{"topmost": 1, "topmost": 2}]]}'),
        [("json-key-twice", "Player 1", "middle", "a"), ("json-key-twice", "Player 1", None, "stack"),
         ("json-key-twice", "Player 2", None, "topmost"), ("player-invalid", "Player 2", None, '[{"topmost": 2}]'),
         ("name-missing", "Player 1", None, None), ("row-invalid", "Player 1", "middle", '{"a": 2}')],
    ),
    "nested too deep": (b'{"players": ' + b"[" * 100_000, [("json-too-deep", None, None, None)]),
    "nested deep in a batch": (b"[" * 3_000 + b"]" * 3_000, [("json-too-deep", None, None, None)]),
    "a number without end": (
        b'{"players": [], "rules": "pineapple", "button": ' + b"9" * 10_000 + b"}",
        [("players-too-few", None, None, "0"), ("button-invalid", None, None, "9" * 200 + "\u2026")],
    ),
    "half a character": (
        b'{"rules": "\\ud800", "players": []}',
        [("rules-unknown", None, None, "?"), ("players-too-few", None, None, "0")],
    ),
    "a control character in a text": (b'{"rules": "a\x01b"}', [("json-malformed", None, None, None)]),
}  # fmt: skip


def score(data: bytes, *options: str) -> Result:
    result = CliRunner().invoke(main, ["score", *options], input=data)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)  # and not what a traceback would tell
    return result


def told(answer: Any) -> Told:
    assert list(answer) == ["errors"]
    for error in answer["errors"]:
        assert list(error) == ["code", "message", "player", "row", "text"]
        assert error["message"]
    return [(error["code"], error["player"], error["row"], error["text"]) for error in answer["errors"]]


def test_there_are_at_least_65() -> None:
    assert len(VALUES) + len(TEXTS) >= 65


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    item, expected = VALUES[name]
    result = score(json.dumps(item).encode(), "--json")
    answer = json.loads(result.stdout)
    assert told(answer[0] if isinstance(item, list) else answer) == expected
    assert not result.stderr


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    data, expected = TEXTS[name]
    result = score(data, "--json")
    faults = told(json.loads(result.stdout))
    if expected[0][0] == "json-malformed":
        # Where exactly JSON is wrong differs between versions of Python; that it is said does not.
        ((code, *_, text),) = faults
        assert code == "json-malformed"
        assert text is None or text.encode() in data
        assert re.search(r"line \d+, column \d+", result.stdout)
    else:
        assert faults == expected


@pytest.mark.parametrize("name", [*VALUES, *TEXTS])
def test_people_are_told_on_standard_error(name: str) -> None:
    data = TEXTS[name][0] if name in TEXTS else json.dumps(VALUES[name][0]).encode()
    expected = TEXTS[name][1] if name in TEXTS else VALUES[name][1]
    result = score(data)
    assert not result.stdout
    lines = result.stderr.splitlines()
    assert len(lines) == len(expected)
    for line, (code, player, row, _) in zip(lines, expected, strict=True):
        assert line.startswith("error: ")
        assert line.endswith(f"[{code}]")
        assert line.isprintable()
        assert (player or "") in line
        assert (row or "") in line


def test_a_bad_hand_of_a_batch_leaves_the_others() -> None:
    good = hand()
    for data, read in (
        (json.dumps([good, b(top="x"), good]), json.loads),
        ("\n".join(map(json.dumps, [good, b(top="x"), good])), lambda out: [json.loads(x) for x in out.splitlines()]),
    ):
        first, bad, last = read(score(data.encode(), "--json").stdout)
        assert first == last
        assert first["players"][1]["points"] == 4
        assert told(bad) == [("card-unknown", "B", "top", "x"), ("row-count", "B", "top", "x")]


def test_a_bad_hand_of_a_batch_is_told_to_people_by_its_number() -> None:
    result = score(json.dumps([hand(), b(top="Qc Qd Zz")]).encode())
    assert "Hand 1" in result.stdout
    assert result.stderr == "error: hand 2: B, top: “Zz” is not a card [card-unknown]\n"


# ----------------------------------------------------------------------------------------------- files and calls


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["score", "--rules", "omaha", "nowhere.json", "more", "words"],
            [("rules-unknown", "omaha"), ("file-missing", "nowhere.json"), ("usage", "more words")],
        ),
        (["score", "--hue", "red", "--rules", "omaha", "-x"],
         [("usage", "--hue"), ("usage", "-x"), ("rules-unknown", "omaha")]),
        (
            ["simulate", "--bots", "a,random", "--hands", "0", "--match", "0", "--seed", "x", "--rules", "omaha"],
            [("usage", "x"), ("rules-unknown", "omaha"), ("bot-unknown", "a"), ("hands-count", "0"),
             ("match-hands", "0")],
        ),
        (["simulate", "--hands", "many", "--bots", "random,random", "--match", "1001", "--seed"],
         [("usage", "--seed"), ("usage", "many"), ("players-too-few", "2"), ("match-hands", "1001")]),
        (
            ["play", "--stack", "0", "--hands", "0", "--name", " " * 21, "--bots", "x,random", "--rules", "pineapple"],
            [("bot-unknown", "x"), ("hands-count", "0"), ("money-incomplete", None), ("stack-invalid", "0"),
             ("name-length", " " * 21), ("name-unreadable", " " * 21)],
        ),
        (["play", "--bots", "x,random", "--rules", "omaha", "--price", "ten"],
         [("rules-unknown", "omaha"), ("usage", "ten"), ("bot-unknown", "x")]),
        (["play", "--bots", "random,random,random"], [("seats-count", "4")]),
        (["play", "--name", "", "--seed", "-1", "--hands", "1e3", "--price", ""],
         [("usage", "-1"), ("usage", "1e3"), ("usage", ""), ("name-length", "")]),
        (["rules", "diff", "omaha", "nowhere.toml"], [("rules-unknown", "omaha"), ("file-missing", "nowhere.toml")]),
        (["serve", "--port", "99999", "--bot-pause-ms", "x"], [("usage", "99999"), ("usage", "x")]),
        (
            ["tournament", "simulate", "--players", "1", "--structure", "no.toml", "--rules", "x", "--bots", "q"],
            [("file-missing", "no.toml"), ("rules-unknown", "x"), ("players-count", "1"), ("bot-unknown", "q")],
        ),
        (["tournament", "simulate", "--players", "x", "--scripted", "--bots", "q"], [("usage", "x")]),
        (["replay", "--hand", "0", "--foo"], [("usage", "--foo"), ("usage", "0")]),
    ],
)  # fmt: skip
def test_every_fault_of_a_call_is_told(arguments: list[str], expected: list[tuple[str, str | None]]) -> None:
    people = CliRunner().invoke(main, arguments, input="")
    assert people.exit_code == 2
    assert not people.stdout
    lines = [line for line in people.stderr.splitlines() if line.startswith("error: ")]
    assert [re.findall(r"\[([a-z-]+)\]$", line) for line in lines] == [[code] for code, _ in expected]
    assert people.stderr.startswith("Usage: ") == any(code == "usage" for code, _ in expected)
    place = 1 + (arguments[0] in ("rules", "tournament"))
    as_json = CliRunner().invoke(main, [*arguments[:place], "--json", *arguments[place:]], input="")
    if arguments[0] in ("play", "serve"):
        return  # for people alone
    assert as_json.exit_code == 2
    assert [(code, text) for code, _, _, text in told(json.loads(as_json.stdout))] == expected


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["score", "nowhere.json"], "file-missing", "nowhere.json"),
        (["score", "."], "file-unreadable", "."),
        (["score", "--rules", "nowhere.toml"], "file-missing", "nowhere.toml"),
        (["score", "--rules", "omaha"], "rules-unknown", "omaha"),
        (["score", "--rules", ""], "rules-unknown", ""),
        (["score", ""], "file-missing", ""),
        (["simulate", "--seed", "-1"], "usage", "-1"),
        (["simulate", "--seed", str(2**53)], "usage", str(2**53)),
        (["simulate", "--hands", "nan"], "usage", "nan"),
        (["simulate", "--hands", "1" + "0" * 300], "hands-count", "1" + "0" * 300),
        (["simulate", "--hands", "9" * 5_000], "usage", "9" * 5_000),
        (["score", "--rules", "x" * 5_000], "rules-unknown", "x" * 5_000),
        (["score", "-", "two"], "usage", "two"),
        (["score", "--colour"], "usage", "--colour"),
        (["score", "--colour", "red"], "usage", "--colour"),
        (["score", "--rules"], "usage", "--rules"),
        (["rules", "show", "omaha"], "rules-unknown", "omaha"),
        (["rules", "show"], "usage", None),
        (["rules", "diff", "ultimate", "nowhere.toml"], "file-missing", "nowhere.toml"),
        (["rules", "explain"], "usage", None),
        (["scores"], "usage", None),
    ],
)
def test_calls(arguments: list[str], code: str, text: str | None) -> None:
    first, *rest = arguments
    people, programs = (CliRunner().invoke(main, [first, *option, *rest], input="") for option in ([], ["--json"]))
    for result in (people, programs):
        assert result.exit_code == 2
        assert isinstance(result.exception, SystemExit)
    assert people.stderr
    assert not people.stdout
    (fault,) = told(json.loads(programs.stdout))
    assert fault == (code, None, None, text)


# ---------------------------------------------------------------------------------------------------- rule files

HEAD = 'id = "own"\nbase = "casual"\n'
RULES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    # of each fault: code, and what its message says
    "nothing": ("", [("rules-base-missing", "base"), ("rules-id-invalid", "id")]),
    "not TOML": ("id = own", [("toml-unreadable", "line 1")]),
    "a key twice": ('id = "a"\nid = "b"', [("toml-unreadable", "not TOML")]),
    "JSON": ('{"id": "own"}', [("toml-unreadable", "line 1")]),
    "too deep": ("id = " + "[" * 50_000, [("toml-unreadable", "too deep")]),
    "too long": (HEAD + "scoop = " + "9" * 5_000, [("toml-unreadable", "too long")]),
    "unknown base": ('id = "own"\nbase = "poker"', [("rules-unknown", "poker")]),
    "base of one's own": ('id = "own"\nbase = "own"', [("rules-unknown", "own")]),
    "a built-in id": ('id = "casual"\nbase = "casual"', [("rules-id-invalid", "not a built-in one")]),
    "an id with blanks": ('id = "my rules"\nbase = "casual"', [("rules-id-invalid", "lower case")]),
    "a field misspelt": (HEAD + "scop = 3", [("rules-field-unknown", "did you mean scoop?")]),
    "a field without a name": (HEAD + '"" = 3', [("rules-field-unknown", "no field “”")]),
    "a field of nothing": (HEAD + "[jokers]\nred = 1", [("rules-field-unknown", "no field jokers")]),
    "scoop a text": (HEAD + 'scoop = "3"', [("rules-field-invalid", "scoop: a whole number")]),
    "scoop a fraction": (HEAD + "scoop = 3.5", [("rules-field-invalid", "scoop: a whole number")]),
    "scoop not a number": (HEAD + "scoop = nan", [("rules-field-invalid", "scoop: a whole number")]),
    "scoop below zero": (HEAD + "scoop = -1", [("rules-field-impossible", "scoop: points are 0 to")]),
    "scoop huge": (HEAD + "scoop = 0x" + "f" * 9_000, [("rules-field-impossible", "scoop: points are 0 to")]),
    "a switch that is a number": (HEAD + "strict_order = 1", [("rules-field-invalid", "true or false")]),
    "a table that is a number": (HEAD + "top_pair_royalties = 3", [("rules-field-invalid", "a table such as")]),
    "a rank that is none": (HEAD + "[top_pair_royalties]\n10 = 5", [("rules-field-invalid", "“10” is not one of")]),
    "a hand type that is none": (HEAD + "[middle_royalties]\nboat = 5", [("rules-field-invalid", "“boat”")]),
    "points that are a text": (HEAD + '[bottom_royalties]\nflush = "4"', [("rules-field-invalid", "flush takes")]),
    "points below zero": (HEAD + "[bottom_royalties]\nflush = -4", [("rules-field-impossible", "bottom_royalties")]),
    "a Fantasyland of 12": (HEAD + "fantasyland_trips = 12", [("rules-field-impossible", "13 to 17")]),
    "a Fantasyland of 18": (HEAD + "[fantasyland_pairs]\nA = 18", [("rules-field-impossible", "13 to 17")]),
    "streets that do not fill": (HEAD + "streets = [[5, 5], [3, 2]]", [("rules-field-impossible", "place 13 cards")]),
    "streets without sense": (HEAD + "streets = [5, 3, 3]", [("rules-field-invalid", "a list of [dealt, placed]")]),
    "placing more than dealt": (HEAD + "streets = [[5, 13]]", [("rules-field-impossible", "no more than it deals")]),
    "five seats": (HEAD + "max_seats = 5", [("rules-field-impossible", "more than the deck's 52")]),
    "a seat": (HEAD + "min_seats = 1", [("rules-field-impossible", "min_seats: at least 2")]),
    "fewest over most": (HEAD + "min_seats = 4", [("rules-field-impossible", "no more than max_seats")]),
    "a flush on top": (HEAD + 'stay_top = "flush"', [("rules-field-impossible", "stay_top: the top holds")]),
    "a stay that is none": (HEAD + 'stay_bottom = "never"', [("rules-field-invalid", "“none” or one of")]),
    "a choice that is none": (HEAD + 'button = "sometimes"', [("rules-field-invalid", "button: one of")]),
    "a choice that is a list": (HEAD + "stay_cards = [1]", [("rules-field-invalid", "stay_cards: one of")]),
    "a title in lines": (HEAD + 'title = "a\\nb"', [("rules-field-invalid", "title: a text in one line")]),
    "a version with blanks": (HEAD + 'version = "1 2"', [("rules-field-invalid", "version: letters")]),
    "several at once": (
        'base = "casual"\nscop = 1\nmin_seats = "two"\nscoop = -2\n[fantasyland_pairs]\nQ = 99\n',
        [
            ("rules-id-invalid", "id is"),
            ("rules-field-unknown", "scop;"),
            ("rules-field-invalid", "min_seats"),
            ("rules-field-impossible", "scoop"),
            ("rules-field-impossible", "fantasyland_pairs"),
        ],
    ),
}


def test_there_are_at_least_35_rule_files() -> None:
    assert len(RULES) >= 35


@pytest.mark.parametrize("name", RULES)
def test_rule_files(name: str, tmp_path: Path) -> None:
    text, expected = RULES[name]
    path = tmp_path / "own.toml"
    path.write_text(text, "utf-8")
    for call in (["rules", "show", str(path)], ["score", "--rules", str(path)], ["rules", "diff", "casual", str(path)]):
        result = CliRunner().invoke(main, [*call, "--json"], input=json.dumps(hand()))
        assert result.exit_code == 2
        assert isinstance(result.exception, SystemExit)
        errors = json.loads(result.stdout)["errors"]
        assert [error["code"] for error in errors] == [code for code, _ in expected]
        for error, (_, words) in zip(errors, expected, strict=True):
            assert words in error["message"]
    people = CliRunner().invoke(main, ["rules", "show", str(path)])
    assert (people.exit_code, people.stdout) == (2, "")
    assert len(people.stderr.splitlines()) == len(expected)


def test_a_rule_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(b'id = "\xff"')
    result = CliRunner().invoke(main, ["rules", "show", str(path), "--json"])
    assert (result.exit_code, told(json.loads(result.stdout))[0][0]) == (2, "file-not-text")
