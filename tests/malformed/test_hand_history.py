"""Malformed hand histories through `ofc replay`: clear faults, several together, exit 2, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from ofc.cli import main
from ofc.notation import format_record, record_of, seen_by
from ofc.scoring import Seat
from tests.tables import PLAIN_A, PLAIN_B, PLAIN_C, QUEENS, Game

_GAME = Game("pineapple", seats=2, money=(500, 10))
_GAME.play_boards({0: PLAIN_C, 1: PLAIN_A})
RECORD = record_of(_GAME.table, table_id="k7m2qx")
LINE = format_record(RECORD)
_GAME.play_boards({0: PLAIN_A, 1: QUEENS})
_GAME.play_boards({0: PLAIN_A, 1: QUEENS})
FANTASYLAND = format_record(record_of(_GAME.table))
PARTIAL = format_record(seen_by(RECORD, Seat(0)))


def run(data: str | bytes, *options: str) -> Result:
    return CliRunner().invoke(main, ["replay", *options], input=data)


def errors_of(data: str | bytes) -> list[dict[str, Any]]:
    """Replay it as people and as programs do; return what the programs are told."""
    told, plain = run(data), run(data, "--json")
    for result in (told, plain):
        assert result.exit_code == 2
        assert "Traceback" not in result.output + result.stderr
        assert result.exception is None or isinstance(result.exception, SystemExit)
    answer = json.loads(plain.stdout)
    hands = answer.get("hands", [answer])
    errors = [error for hand in hands for error in hand["errors"]]
    assert errors
    for error in errors:
        assert error["code"] in told.stderr
        assert error["message"]
    return errors


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    plain = json.loads(LINE)
    change(plain)
    return json.dumps(plain)


def first(plain: dict[str, Any]) -> dict[str, Any]:
    action: dict[str, Any] = plain["actions"][0]
    return action


FORMLESS: dict[str, tuple[str | bytes, str]] = {
    "nothing": (b"", "hands-missing"),
    "empty lines": (b"\n\n  \n", "hands-missing"),
    "not UTF-8": (b'{"format": "\xff"}', "text-encoding"),
    "UTF-16": (LINE.encode("utf-16"), "text-encoding"),
    "zero bytes": (b"\0" * 100, "json-malformed"),
    "words": ("PokerStars Hand #1", "json-malformed"),
    "half a line": (LINE[: len(LINE) // 2], "json-malformed"),
    "two hands on a line": (LINE + LINE, "json-malformed"),
    "half a hand over lines": (json.dumps(json.loads(LINE), indent=1)[:500], "json-malformed"),
    "an array of hands": (f"[{LINE}]", "format-unknown"),
    "another format": ('{"format": "pgn", "version": 1}', "format-unknown"),
    "another version": (changed(lambda p: p.update(version=2)), "version-unknown"),
    "a version in words": (changed(lambda p: p.update(version="1")), "version-unknown"),
    "a field twice": (LINE[:-1] + ',"button":0}', "json-key-twice"),
    "not a number": (LINE.replace('"button":0', '"button":NaN'), "type-wrong"),
    "a number beyond all": (LINE.replace('"button":0', '"button":' + "9" * 5_000), "type-wrong"),
    "nested too deep": ("[" * 300_000, "json-too-deep"),
    "a huge line": ('{"format": "' + "x" * 3_000_000 + '"}', "format-unknown"),
    "half a surrogate": (LINE.replace('"Anna"', r'"\ud800"'), "type-wrong"),
    "colours in a name": (LINE.replace('"Anna"', r'"\u001b[31mAnna"'), "type-wrong"),
    "unknown rules": (changed(lambda p: p.update(rules="omaha")), "rules-unknown"),
    "an unknown version of the rules": (changed(lambda p: p.update(rules="ultimate@1999-01-01")), "rules-unknown"),
    "impossible rules of one's own": (
        changed(lambda p: p.update(rules={"base": "ultimate", "id": "own", "scoop": -1})),
        "rules-field-impossible",
    ),
    "no seats": (changed(lambda p: p.update(seats=[])), "players-too-few"),
    "a seat far away": (changed(lambda p: p["seats"][1].update(seat=10**17)), "seat-unknown"),
    "no result": (changed(lambda p: p.pop("result")), "field-missing"),
    "an unknown card": (changed(lambda p: first(p)["dealt"].__setitem__(0, "1h")), "card-unknown"),
    "a hidden card": (changed(lambda p: first(p)["dealt"].__setitem__(0, None)), "card-hidden"),
    "a card dealt twice": (
        changed(lambda p: first(p)["dealt"].__setitem__(0, p["actions"][1]["dealt"][0])),
        "card-twice",
    ),
    "a card from nowhere": (changed(lambda p: first(p)["placed"][0].update(card="As")), "card-not-dealt"),
    "an unknown row": (changed(lambda p: first(p)["placed"][0].update(row="front")), "row-unknown"),
    "too many in a row": (
        changed(lambda p: [placed.update(row="top") for placed in first(p)["placed"]]),
        "row-overfull",
    ),
    "too few placed": (changed(lambda p: p["actions"][2]["placed"].pop()), "placements-count"),
    "nothing discarded": (changed(lambda p: p["actions"][2].pop("discarded")), "discards-mismatch"),
    "out of turn": (changed(lambda p: p["actions"].insert(0, p["actions"].pop(1))), "play-order"),
    "a street left out": (changed(lambda p: p["actions"].pop(5)), "street-missing"),
    "an unfinished hand": (changed(lambda p: p.update(actions=[])), "street-missing"),
    "a hand longer than it is": (changed(lambda p: p["actions"].append(p["actions"][-1])), "street-twice"),
    "wrong points": (changed(lambda p: p["result"]["players"][0].update(points=99)), "result-wrong"),
    "chips from nowhere": (changed(lambda p: p["result"]["players"][1].update(stack=999)), "result-wrong"),
    "a wrong button": (changed(lambda p: p["result"].update(button_next=0)), "result-wrong"),
    "a pair too many": (
        changed(lambda p: p["result"]["pairs"].append(p["result"]["pairs"][0])),
        "result-wrong",
    ),
    "wrong points in a partial hand": (PARTIAL.replace('"points":2', '"points":3'), "result-wrong"),
}


@pytest.mark.parametrize("name", FORMLESS)
def test_a_malformed_history_is_refused_in_so_many_words(name: str) -> None:
    data, code = FORMLESS[name]
    assert code in {error["code"] for error in errors_of(data)}


def test_faults_in_several_places_and_hands_are_told_together() -> None:
    def form(plain: dict[str, Any]) -> None:
        plain["seats"][0]["name"] = 7
        first(plain)["dealt"][1] = "ZZ"
        plain["actions"][3]["at"] = "noon"

    def meaning(plain: dict[str, Any]) -> None:
        first(plain)["placed"][0]["card"] = "As"
        plain["actions"][3]["discarded"] = []

    lines = [changed(form), LINE, changed(meaning), "{", changed(lambda p: p["result"]["pairs"][0].update(points=7))]
    data = "\n".join(lines)
    answer = json.loads(run(data, "--json").stdout)
    told = {(hand["line"], error["field"], error["player"]) for hand in answer["hands"] for error in hand["errors"]}
    assert told == {
        (1, "seats[0].name", None),
        (1, "actions[0].dealt[1]", "Bo"),
        (1, "actions[3].at", None),
        (3, "actions[0].placed[0].card", "Bo"),
        (3, "actions[0].discarded", "Bo"),
        (3, "actions[3].discarded", "Anna"),
        (4, None, None),
        (5, "result.pairs[0].points", "Anna and Bo"),
    }
    assert [(hand["legal"], hand["right"]) for hand in answer["hands"]] == [
        (False, False),
        (True, True),
        (False, False),
        (False, False),
        (True, False),
    ]
    result = run(data)
    assert "error: hand 3: line 3, Anna, actions[3].discarded: " in result.stderr
    assert "5 hands checked, 4 faulty." in result.stdout


def _crowd(plain: dict[str, Any]) -> None:
    for placed in plain["actions"][7]["placed"]:
        placed["row"] = "bottom"


def _stranger(plain: dict[str, Any]) -> None:
    plain["actions"].append({**plain["actions"][9], "seat": 1, "dealt": [], "placed": [], "discarded": []})
    plain["actions"][10]["seat"] = 5


UNREADABLE: dict[str, tuple[Callable[[dict[str, Any]], object], tuple[str, str, str | None]]] = {
    "a table": (lambda p: p.update(table=5), ("type-wrong", "table", None)),
    "a bot": (lambda p: p["seats"][1].update(bot=5), ("type-wrong", "seats[1].bot", "Bo")),
    "a card dealt": (
        lambda p: p["actions"][0]["dealt"].__setitem__(0, "ZZ"),
        ("card-unknown", "actions[0].dealt[0]", "Bo"),
    ),
    "a row": (
        lambda p: p["actions"][2]["placed"][0].update(row="front"),
        ("row-unknown", "actions[2].placed[0].row", "Bo"),
    ),
    "a card placed": (
        lambda p: p["actions"][6]["placed"][1].update(card=3),
        ("type-wrong", "actions[6].placed[1].card", "Bo"),
    ),
    "a placement": (
        lambda p: p["actions"][1]["placed"].__setitem__(0, 3),
        ("type-wrong", "actions[1].placed[0]", "Anna"),
    ),
    "cards dealt": (lambda p: p["actions"][9].update(dealt="Kh"), ("type-wrong", "actions[9].dealt", "Anna")),
    "cards placed": (lambda p: p["actions"][8].pop("placed"), ("field-missing", "actions[8].placed", "Bo")),
    "a moment": (lambda p: p["actions"][5].update(at="noon"), ("type-wrong", "actions[5].at", "Anna")),
    "a card undealt": (lambda p: p["undealt"].__setitem__(1, "1x"), ("card-unknown", "undealt[1]", None)),
    "a foul": (
        lambda p: p["result"]["players"][1].update(fouled="no"),
        ("type-wrong", "result.players[1].fouled", "Bo"),
    ),
    "a number of a pair": (
        lambda p: p["result"]["pairs"][0].update(chips=0.5),
        ("type-wrong", "result.pairs[0].chips", "Anna and Bo"),
    ),
}
UNREADABLE_WHO: dict[str, tuple[Callable[[dict[str, Any]], object], tuple[str, str, str | None]]] = {
    "the rules": (lambda p: p.update(rules="omaha"), ("rules-unknown", "rules", None)),
    "the price": (lambda p: p.update(price="x"), ("type-wrong", "price", None)),
    "a stack": (lambda p: p["seats"][0].update(stack="x"), ("type-wrong", "seats[0].stack", "Anna")),
    "the button": (lambda p: p.update(button="Bo"), ("type-wrong", "button", None)),
    "a name": (lambda p: p["seats"][0].update(name=7), ("type-wrong", "seats[0].name", None)),
    "a seat": (lambda p: p["seats"][1].update(seat="one"), ("type-wrong", "seats[1].seat", "Bo")),
    "seats": (lambda p: p.update(seats="two"), ("type-wrong", "seats", None)),
    "a Fantasyland": (
        lambda p: p["seats"][1].update(fantasyland="all"),
        ("type-wrong", "seats[1].fantasyland", "Bo"),
    ),
    "an action's seat": (lambda p: p["actions"][4].update(seat="Bo"), ("type-wrong", "actions[4].seat", None)),
    "an action's street": (lambda p: p["actions"][4].update(street="3"), ("type-wrong", "actions[4].street", "Bo")),
    "an action": (lambda p: p["actions"].__setitem__(4, 4), ("type-wrong", "actions[4]", None)),
    "actions": (lambda p: p.update(actions=4), ("type-wrong", "actions", None)),
    "undealt": (lambda p: p.update(undealt=4), ("type-wrong", "undealt", None)),
    "partial": (lambda p: p.update(partial="yes"), ("type-wrong", "partial", None)),
    "a result": (lambda p: p.update(result=None), ("type-wrong", "result", None)),
}
ILLEGAL: dict[str, tuple[Callable[[dict[str, Any]], object], tuple[str, str, str | None]]] = {
    "a name": (lambda p: p["seats"][1].update(name="B" * 21), ("name-length", "seats[1].name", "B" * 21)),
    "a card twice": (
        lambda p: p["undealt"].__setitem__(2, p["actions"][3]["dealt"][0]),
        ("card-twice", "undealt[2]", None),
    ),
    "a card from nowhere": (
        lambda p: p["actions"][3]["placed"][0].update(card=p["undealt"][0]),
        ("card-not-dealt", "actions[3].placed[0].card", "Anna"),
    ),
    "no discard": (lambda p: p["actions"][4].update(discarded=[]), ("discards-mismatch", "actions[4].discarded", "Bo")),
    "the button": (lambda p: p.update(button=7), ("button-unknown", "button", None)),
    "the price": (lambda p: p.update(price=None), ("money-incomplete", "seats[0].stack", "Anna")),
    "rows": (_crowd, ("row-overfull", "actions[7].placed", "Anna")),
    "a stranger": (_stranger, ("seat-not-dealt-in", "actions[10].seat", None)),
    "the points": (
        lambda p: p["result"]["players"][0].update(points=99),
        ("result-wrong", "result.players[0].points", "Anna"),
    ),
}
_NO_BOARDS = {"a row", "a card placed", "a placement", "cards placed", "a card from nowhere", "rows"}


def _told(plain: dict[str, Any]) -> set[tuple[str, str, str | None]]:
    return {(error["code"], error["field"], error["player"]) for error in errors_of(json.dumps(plain))}


@pytest.mark.parametrize("name", [*UNREADABLE, *UNREADABLE_WHO])
def test_what_cannot_be_read_is_told_and_nothing_that_only_follows_from_it(name: str) -> None:
    plain = json.loads(LINE)
    change, fault = (UNREADABLE | UNREADABLE_WHO)[name]
    change(plain)
    assert _told(plain) == {fault}


@given(st.sets(st.sampled_from(sorted(UNREADABLE))), st.sets(st.sampled_from(sorted(ILLEGAL)), min_size=1))
@settings(deadline=None)
def test_what_cannot_be_read_hides_nothing_that_is_illegal_or_wrong(unread: set[str], illegal: set[str]) -> None:
    plain = json.loads(LINE)
    expected = set()
    for change, fault in [UNREADABLE[name] for name in sorted(unread)] + [ILLEGAL[name] for name in sorted(illegal)]:
        change(plain)
        expected.add(fault)
    if (unread | illegal) & _NO_BOARDS:  # there are not both boards then that would tell the right points
        expected.discard(ILLEGAL["the points"][1])
    long = "B" * 21 if "a name" in illegal else "Bo"
    assert _told(plain) >= {(code, field, player and player.replace("Bo", long)) for code, field, player in expected}


def test_one_players_broken_board_hides_nothing_of_the_others_results() -> None:
    game = Game("pineapple", seats=3, money=(500, 10))
    game.play_boards({0: PLAIN_A, 1: QUEENS, 2: PLAIN_B})
    plain = json.loads(format_record(record_of(game.table)))
    last = plain["actions"][-1]
    broken = last["seat"]
    first_whole, second_whole = (seat for seat in range(3) if seat != broken)
    for seat in range(3):
        plain["result"]["players"][seat]["fantasyland_next"] = 16
        plain["result"]["players"][seat]["royalties"]["middle"] += 5
    for pair in plain["result"]["pairs"]:
        pair.update(scoop=7, chips=-1)
    last["placed"][0] = {"card": "Zz", "row": "middle"}
    errors = errors_of(json.dumps(plain))
    names = [seat["name"] for seat in plain["seats"]]
    of_results = {(error["field"], error["player"]) for error in errors if error["code"] == "result-wrong"}
    (between,) = (
        number
        for number, pair in enumerate(plain["result"]["pairs"])
        if {pair["a"], pair["b"]} == {first_whole, second_whole}
    )
    pair = plain["result"]["pairs"][between]
    assert of_results == {
        *((f"result.players[{seat}].fantasyland_next", names[seat]) for seat in (first_whole, second_whole)),
        *((f"result.players[{seat}].royalties.middle", names[seat]) for seat in (first_whole, second_whole)),
        (f"result.pairs[{between}].scoop", f"{names[pair['a']]} and {names[pair['b']]}"),
    }
    unknown = [(error["player"], error["row"], error["text"]) for error in errors if error["code"] == "card-unknown"]
    assert unknown == [(names[broken], "middle", "Zz")]


def test_a_hand_that_was_read_in_part_is_still_named() -> None:
    plain = json.loads(LINE)
    plain["actions"][0]["at"] = "noon"
    (hand,) = json.loads(run(json.dumps(plain), "--json").stdout)["hands"]
    assert (hand["table"], hand["hand"], hand["rules"]) == ("k7m2qx", 1, "pineapple@2026-09-22")
    plain.update(table=5, rules="omaha")
    (hand,) = json.loads(run(json.dumps(plain), "--json").stdout)["hands"]
    assert (hand["table"], hand["hand"], hand["rules"]) == (None, 1, None)


def test_the_cards_of_an_action_of_nobody_knows_whom_are_judged() -> None:
    plain = json.loads(LINE)
    plain["actions"][4].update(seat="Bo", discarded=[])
    assert _told(plain) == {
        ("type-wrong", "actions[4].seat", None),
        ("discards-mismatch", "actions[4].discarded", None),
    }


def test_names_that_clash_a_wrong_order_and_wrong_points_are_told_together() -> None:
    plain = json.loads(LINE)
    plain["seats"][1]["name"] = "ANNA"
    plain["actions"][0], plain["actions"][1] = plain["actions"][1], plain["actions"][0]
    plain["result"]["pairs"][0]["scoop"] = 3
    assert _told(plain) == {
        ("name-taken", "seats[1].name", "ANNA"),
        ("play-order", "actions[0].seat", "Anna"),
        ("result-wrong", "result.pairs[0].scoop", "Anna and ANNA"),
    }


def test_a_seat_told_twice_and_one_in_a_fantasyland_that_there_is_not_are_judged_by_their_actions() -> None:
    plain = json.loads(FANTASYLAND)
    plain["seats"][1]["fantasyland"] = 3
    plain["actions"][0]["placed"].pop()
    assert _told(plain) == {
        ("fantasyland-count", "seats[1].fantasyland", "Bo"),
        ("placements-count", "actions[0].placed", "Bo"),
        ("discards-mismatch", "actions[0].discarded", "Bo"),
    }
    plain = json.loads(LINE)
    plain["seats"][1]["seat"] = 0
    plain["actions"] = [action for action in plain["actions"] if action["seat"] == 0]
    plain["actions"][0]["placed"][0]["row"] = "top"
    told = _told(plain)
    assert ("seats-order", "seats", None) in told
    assert not any(code.startswith("street-") for code, _, _ in told)


def test_very_many_faults_are_counted_and_not_all_told() -> None:
    data = changed(lambda p: p.update(undealt=["ZZ"] * 100_000))
    assert "and 99951 more" in run(data).stderr
    (hand,) = json.loads(run(data, "--json").stdout)["hands"]
    assert Counter(error["code"] for error in hand["errors"]) == {"card-unknown": 100_000, "deck-count": 1}


@pytest.mark.parametrize("path", ["", "no-such-file.jsonl", "folder", "null\0byte"])
def test_files_that_cannot_be_read_are_told(path: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    result = CliRunner().invoke(main, ["replay", f"{tmp_path}/{path}" if path else ""])
    assert result.exit_code == 2
    assert "error: " in result.stderr
    assert "Traceback" not in result.stderr


def test_a_hand_that_the_file_does_not_have_is_told() -> None:
    result = run(LINE, "--hand", "2")
    assert (result.exit_code, "no hand number 2" in result.stderr) == (2, True)
    assert run(LINE, "--hand", "0").exit_code == 2


def test_the_command_itself_ends_with_2_in_a_plain_locale(tmp_path: Path) -> None:
    """As a process, piped, where the locale knows no signs but ASCII."""
    path = tmp_path / "hands.jsonl"
    path.write_text(LINE.replace("Anna", "Ånnä").replace('"points":2', '"points":5', 1) + "\n", "utf-8")
    environment = {**os.environ, "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "ofc", "replay", str(path)],
        env=environment,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert b"result-wrong" in done.stderr
    assert b"Traceback" not in done.stderr
    assert "Ånnä" in done.stdout.decode("utf-8")
    assert b"Street 5" in done.stdout
