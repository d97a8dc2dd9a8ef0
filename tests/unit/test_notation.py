"""Hand histories: made, written, read, checked, told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ofc
from ofc.clock import Millis
from ofc.errors import Fault, NotationError
from ofc.events import Player
from ofc.notation import (
    HandRecord,
    check_record,
    format_hand_text,
    format_record,
    parse_record,
    parse_records,
    record_of,
    replay_record,
    seen_by,
)
from ofc.notation.json_lines import shown
from ofc.rulesets import rules_from_toml
from ofc.scoring import Chips, Points, Seat
from ofc.table import Leave, Sit
from ofc.view import view_for
from tests.strategies import own_rules
from tests.tables import FOULED, KINGS, PLAIN_A, PLAIN_B, PLAIN_C, QUEENS, Game

DOCS = Path(__file__).parents[2] / "docs" / "hand-history.md"


def played(**options: Any) -> Game:
    game = Game("pineapple", **{"seats": 2, "money": (500, 10), **options})
    game.play_boards({0: PLAIN_C, 1: PLAIN_A})
    return game


RECORD = record_of(played().table, table_id="k7m2qx")
PLAIN: dict[str, Any] = json.loads(format_record(RECORD))


def changed(change: Callable[[dict[str, Any]], object], plain: dict[str, Any] = PLAIN) -> str:
    copy = json.loads(json.dumps(plain))
    change(copy)
    return json.dumps(copy)


def parse_faults(line: str | bytes) -> list[Fault]:
    with pytest.raises(NotationError) as caught:
        parse_record(line)
    return list(caught.value.faults)


def faults_of(
    change: Callable[[dict[str, Any]], object], plain: dict[str, Any] = PLAIN
) -> list[tuple[str, str | None]]:
    """The code and field of each fault in a record that was changed, whether of form or of meaning."""
    line = changed(change, plain)
    try:
        record = parse_record(line)
    except NotationError as error:
        return [(fault.code, fault.field) for fault in error.faults]
    with pytest.raises(NotationError) as caught:
        replay_record(record)
    assert not format_hand_text(record).startswith("Traceback")
    return [(fault.code, fault.field) for fault in caught.value.faults]


# ----------------------------------------------------------------------------------------------- there and back


def test_a_record_reads_back_and_replays_to_the_same_events() -> None:
    game = played()
    line = format_record(record_of(game.table))
    assert "\n" not in line
    frames = replay_record(parse_record(line))
    assert [event for frame in frames for event in frame.events] == game.hand_events
    assert frames[0].action is None
    assert [frame.action for frame in frames[1:]] == list(parse_record(line).actions)


def test_a_match_that_ends_with_the_hand_is_not_the_hands() -> None:
    game = played(hands=1)
    assert game.table.match_end
    last = replay_record(record_of(game.table))[-1].table
    assert last.settled == game.settled
    assert last.match_end is None


def test_stacks_are_those_before_the_hand() -> None:
    assert [entry.stack for entry in RECORD.seats] == [500, 500]
    assert [player.stack for player in RECORD.result.players] == [520, 480]


def test_only_a_hand_that_was_shown_down_has_a_record() -> None:
    game = Game("pineapple", seats=2)
    for _ in range(2):
        with pytest.raises(NotationError, match="shown down"):
            record_of(game.table)
        if game.table.hand is None:
            game.deal(1)


def test_a_record_needs_who_played_the_hand() -> None:
    game = Game("pineapple", seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: PLAIN_C})
    game.do(Leave(Seat(1), game.now))
    with pytest.raises(NotationError, match="has left") as caught:
        record_of(game.table)
    assert caught.value.faults[0].field == "seats[1]"
    game.do(Sit(Seat(1), Player("Eva"), game.now))
    with pytest.raises(NotationError, match="has left"):
        record_of(game.table)


@given(own_rules())
def test_rules_of_ones_own_are_told_whole(rules: ofc.RuleSet) -> None:
    record = replace(RECORD, rules=rules)
    assert parse_record(format_record(record)) == record


def test_rules_without_their_version_are_refused() -> None:
    """R-FL-6: what one stays with depends on the version, and the newest is not that of every hand."""
    text = format_record(RECORD).replace(f'"{RECORD.rules.name}"', f'"{RECORD.rules.id}"')
    with pytest.raises(NotationError) as error:
        parse_record(text)
    assert [(fault.code, fault.text) for fault in error.value.faults] == [("rules-unversioned", RECORD.rules.id)]


def test_a_hand_under_rules_of_ones_own_replays() -> None:
    rules = rules_from_toml('id = "own"\nbase = "pineapple"\nscoop = 5\n')
    game = Game(rules, seats=2)
    game.play_boards({0: QUEENS, 1: PLAIN_A})
    record = parse_record(format_record(record_of(game.table)))
    assert record.rules == rules
    assert replay_record(record)[-1].table.settled == game.settled


@given(st.integers(0, 2**50), st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20))
def test_any_moment_and_name_read_back(at: int, name: str) -> None:
    seats = (replace(RECORD.seats[0], name=name), RECORD.seats[1])
    record = replace(RECORD, started_at=Millis(at), seats=seats)
    assert parse_record(format_record(record).encode()) == record
    assert name in format_hand_text(record)


def test_unknown_fields_are_passed_over_and_optional_ones_may_be_missing() -> None:
    def change(plain: dict[str, Any]) -> None:
        plain["weather"] = {"rain": [1, 2]}
        plain["seats"][0]["shoes"] = None
        for key in ("table", "hand", "undealt"):
            del plain[key]
        for action in plain["actions"]:
            del action["forced"]
            if not action["discarded"]:
                del action["discarded"]
        for entry in plain["seats"]:
            del entry["bot"], entry["fantasyland"]

    record = parse_record(changed(change))
    assert record == replace(RECORD, table=None, number=None, undealt=None)
    assert replay_record(record)[-1].table.settled is not None


def test_a_file_is_read_line_by_line() -> None:
    line = format_record(RECORD)
    data = f"\ufeff{line}\n\n  \r\n{{}}\r\n{line}"
    read = list(parse_records(data))
    assert [number for number, _ in read] == [1, 4, 5]
    assert isinstance(read[1][1], NotationError)
    assert next(parse_records(data.encode())) == (1, RECORD)
    assert list(parse_records("")) == []


def test_a_hand_laid_out_over_lines_is_read_and_does_not_hide_the_next() -> None:
    laid_out = json.dumps(PLAIN, indent=2)
    broken = laid_out.replace('"button"', "button", 1)
    line = format_record(RECORD)
    read = list(parse_records(f"{laid_out}\r\n{broken}\n{line}\n{{\n"))
    count = len(laid_out.splitlines())
    assert [number for number, _ in read] == [1, count + 1, 2 * count + 1, 2 * count + 2]
    assert read[0][1] == read[2][1] == RECORD
    wrong = broken.splitlines().index("  button" + broken.split("  button")[1].splitlines()[0]) + 1
    assert f"at its line {wrong}, column 3" in str(read[1][1])
    assert isinstance(read[3][1], NotationError)


# ------------------------------------------------------------------------------------------------ partial records


@pytest.mark.parametrize(("rules", "are_shown"), [("pineapple", True), ("tournament", False)])
def test_a_partial_record_leaves_out_what_the_viewer_may_not_see(rules: str, are_shown: bool) -> None:
    game = Game(rules, seats=2)
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.play_boards({0: PLAIN_A, 1: KINGS})
    whole = record_of(game.table)
    partial = parse_record(format_record(seen_by(whole, Seat(0))))
    assert (partial.partial, partial.viewer, partial.undealt) == (True, 0, None)
    for told, action in zip(partial.actions, whole.actions, strict=True):
        if action.seat == 0:
            assert told == action
        else:
            assert told.dealt == (None,) * len(action.dealt)
            assert told.discards == (action.discards if are_shown else (None,) * len(action.discards))
            assert told.placements == action.placements
    last = replay_record(partial)[-1].table
    assert last.settled is not None
    assert last.settled.settlement == game.settled.settlement
    assert [seat.board for seat in view_for(last, Seat(0)).seats] == [
        seat.board for seat in view_for(game.table, Seat(0)).seats
    ]


PARTIAL: dict[str, Any] = json.loads(format_record(seen_by(RECORD, None)))


def test_a_partial_record_is_checked_as_far_as_it_goes() -> None:
    def twice(plain: dict[str, Any]) -> None:
        plain["actions"][2]["placed"][0]["card"] = plain["actions"][0]["placed"][0]["card"]

    assert faults_of(twice, PARTIAL) == [("card-twice", "actions[2].placed[0]")]
    assert faults_of(lambda p: p["actions"][2]["discarded"].append(None), PARTIAL) == [
        ("discards-mismatch", "actions[2].discarded")
    ]
    assert faults_of(lambda p: p["result"]["players"][0].update(points=9), PARTIAL) == [
        ("result-wrong", "result.players[0].points")
    ]


def test_a_partial_record_may_know_some_of_the_cards() -> None:
    def change(plain: dict[str, Any]) -> None:
        action, whole = plain["actions"][2], PLAIN["actions"][2]
        action["dealt"][0] = whole["dealt"][0]
        action["dealt"][2] = whole["dealt"][2]
        action["discarded"] = [None]

    frames = replay_record(parse_record(changed(change, PARTIAL)))
    placed = frames[3].events[0]
    assert isinstance(placed, ofc.events.CardsPlaced)
    assert [str(card) for card in placed.discards] == PLAIN["actions"][2]["discarded"]

    def unaccounted(plain: dict[str, Any]) -> None:
        action, whole = plain["actions"][2], PLAIN["actions"][2]
        action["dealt"] = [whole["discarded"][0], None, None]
        action["discarded"] = ["Ac"]

    assert faults_of(unaccounted, PARTIAL) == [("discards-mismatch", "actions[2].discarded")]


# ------------------------------------------------------------------------------------------------- faults of form


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\xff\xfe{}", "text-encoding"),
        ("   ", "line-empty"),
        ("{", "json-malformed"),
        ("{} {}", "json-malformed"),
        ('{"format": "ofc-hand", "version": NaN}', "version-unknown"),
        ('{"format": "ofc-hand", "version": ' + "9" * 5_000 + "}", "version-unknown"),
        ("[" * 200_000, "json-too-deep"),
        ("[]", "format-unknown"),
        ('"ofc-hand"', "format-unknown"),
        ("{}", "format-unknown"),
        ('{"format": "pgn"}', "format-unknown"),
        ('{"format": "ofc-hand"}', "version-unknown"),
        ('{"format": "ofc-hand", "version": 2}', "version-unknown"),
        ('{"format": "ofc-hand", "version": true}', "version-unknown"),
    ],
)
def test_what_is_no_hand_of_this_format_is_told_alone(line: str | bytes, code: str) -> None:
    assert [fault.code for fault in parse_faults(line)] == [code]


def test_all_that_is_missing_is_told() -> None:
    faults = parse_faults('{"format": "ofc-hand", "version": 1}')
    assert {(fault.code, fault.field) for fault in faults} == {
        ("rules-unknown", "rules"),
        *(("field-missing", field) for field in ("seats", "actions", "button", "started_at", "result")),
    }


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        (lambda p: p.update(rules="ultimat"), "rules-unknown", "rules"),
        (lambda p: p.update(rules={"base": "ultimate", "id": "own", "scop": 1}), "rules-field-unknown", "rules.scop"),
        (lambda p: p.update(partial=1), "type-wrong", "partial"),
        (lambda p: p.update(viewer=-1), "value-impossible", "viewer"),
        (lambda p: p.update(table=""), "type-wrong", "table"),
        (lambda p: p.update(hand=0), "value-impossible", "hand"),
        (lambda p: p.update(started_at=1.5), "type-wrong", "started_at"),
        (lambda p: p.update(button=True), "type-wrong", "button"),
        (lambda p: p.update(price=0), "value-impossible", "price"),
        (lambda p: p.update(seats={}), "type-wrong", "seats"),
        (lambda p: p["seats"].__setitem__(0, "Anna"), "type-wrong", "seats[0]"),
        (lambda p: p["seats"][0].update(name="a\nb"), "type-wrong", "seats[0].name"),
        (lambda p: p["seats"][0].update(bot=7), "type-wrong", "seats[0].bot"),
        (lambda p: p["seats"][0].update(stack=0), "value-impossible", "seats[0].stack"),
        (lambda p: p["actions"][0].pop("dealt"), "field-missing", "actions[0].dealt"),
        (lambda p: p["actions"][0].update(forced="no"), "type-wrong", "actions[0].forced"),
        (lambda p: p["actions"][0]["dealt"].__setitem__(1, "1x"), "card-unknown", "actions[0].dealt[1]"),
        (lambda p: p["actions"][0]["dealt"].__setitem__(1, None), "card-hidden", "actions[0].dealt[1]"),
        (lambda p: p["actions"][0]["dealt"].__setitem__(1, 7), "type-wrong", "actions[0].dealt[1]"),
        (lambda p: p["actions"][0]["placed"][0].update(row="Top"), "row-unknown", "actions[0].placed[0].row"),
        (lambda p: p["actions"][0]["placed"][0].pop("card"), "field-missing", "actions[0].placed[0].card"),
        (lambda p: p["actions"][0]["placed"].__setitem__(0, [1]), "type-wrong", "actions[0].placed[0]"),
        (lambda p: p["undealt"].__setitem__(0, None), "card-hidden", "undealt[0]"),
        (lambda p: p.update(result=[]), "type-wrong", "result"),
        (lambda p: p["result"]["players"][1].pop("fouled"), "field-missing", "result.players[1].fouled"),
        (lambda p: p["result"]["players"][1].update(royalties=7), "type-wrong", "result.players[1].royalties"),
        (lambda p: p["result"]["pairs"][0].update(capped_by="bank"), "type-wrong", "result.pairs[0].capped_by"),
        (lambda p: p["result"]["pairs"][0]["rows"].pop("top"), "field-missing", "result.pairs[0].rows.top"),
    ],
)
def test_a_fault_of_form_is_told_with_its_field(
    change: Callable[[dict[str, Any]], object], code: str, field: str
) -> None:
    assert faults_of(change) == [(code, field)]


def test_a_key_twice_and_what_is_no_number_are_told_with_all_the_rest() -> None:
    line = changed(lambda p: p["actions"][0]["dealt"].__setitem__(0, "ZZ"))
    line = line.replace('"button": 0', '"button": 0, "button": NaN', 1)
    line = line.replace('"at"', '"seat": 0, "at"', 1).replace('"scoop"', '"scoop": 1, "scoop"')
    told = [(fault.code, fault.field, fault.text) for fault in parse_faults(line)]
    assert told == [
        ("json-key-twice", "actions[0].seat", "seat"),
        ("json-key-twice", "result.pairs[0].scoop", "scoop"),
        ("json-key-twice", "button", "button"),
        ("type-wrong", "button", "NaN"),
        ("card-unknown", "actions[0].dealt[0]", "ZZ"),
    ]
    assert [fault.code for fault in parse_faults('{"format": 1, "format": 2}')] == ["json-key-twice", "format-unknown"]
    rules = changed(lambda p: p.update(rules={"base": "ultimate", "id": "own", "scoop": 7})).replace("7", "NaN", 1)
    assert [(fault.field, fault.text) for fault in parse_faults(rules)] == [("rules.scoop", "NaN")]


def test_a_fault_of_form_names_the_player() -> None:
    (fault,) = parse_faults(changed(lambda p: p["actions"][0]["placed"][0].update(card="Zz")))
    assert (fault.player, fault.text, fault.message) == ("Bo", "Zz", "“Zz” is not a card")


@pytest.mark.parametrize(
    ("value", "text"), [({"a": 1}, "{…}"), ({}, "{}"), ([1], "[…]"), ([], "[]"), (None, "null"), ("a\n b", "a b")]
)
def test_faults_repeat_values_briefly(value: object, text: str) -> None:
    assert shown(value) == text
    assert len(shown("x" * 1_000)) == 80


# ---------------------------------------------------------------------------------------------- faults of meaning


def swap_actions(plain: dict[str, Any], a: int, b: int) -> None:
    actions = plain["actions"]
    actions[a], actions[b] = actions[b], actions[a]


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (lambda p: p["seats"].pop(), ["players-too-few", "seat-not-dealt-in"]),
        (lambda p: p.update(seats=p["seats"][::-1]), ["seats-order"]),
        (lambda p: p["seats"][1].update(seat=3), ["seat-unknown", "seat-not-dealt-in"]),
        (lambda p: p["seats"][1].update(name="ANNA"), ["name-taken"]),
        (lambda p: p["seats"][1].update(name="B" * 21), ["name-length"]),
        (lambda p: p["seats"][1].update(fantasyland=13), ["fantasyland-count"]),
        (lambda p: p["seats"][1].update(stack=None), ["money-incomplete"]),
        (lambda p: p.update(price=None), ["money-incomplete"]),
        (lambda p: p.update(button=2), ["button-unknown"]),
        (
            lambda p: p["actions"].append({**p["actions"][0], "seat": 2}),
            ["seat-not-dealt-in", "card-twice", "deck-count"],
        ),
        (lambda p: p["undealt"].pop(), ["deck-count"]),
        (lambda p: p["undealt"].__setitem__(0, p["actions"][0]["dealt"][0]), ["card-twice"]),
        (lambda p: p["actions"][2].update(street=9), ["street-unknown", "street-missing"]),
        (lambda p: p["actions"][2].update(street=1), ["street-twice", "street-missing"]),
        (lambda p: p["actions"].pop(), ["deck-count", "street-missing"]),
        (lambda p: p.update(undealt=None, actions=p["actions"][:-1]), ["street-missing"]),
        (lambda p: p["actions"][0]["placed"][0].update(card=p["undealt"][0]), ["card-not-dealt", "discards-mismatch"]),
        (
            lambda p: p["actions"][0]["placed"][0].update(card=p["actions"][0]["placed"][1]["card"]),
            ["card-placed-twice", "discards-mismatch"],
        ),
        (lambda p: [placed.update(row="top") for placed in p["actions"][0]["placed"]], ["row-overfull"]),
        (lambda p: p["actions"][2]["placed"].pop(), ["placements-count", "discards-mismatch"]),
        (lambda p: p["actions"][2]["discarded"].pop(), ["discards-mismatch"]),
        (lambda p: swap_actions(p, 0, 1), ["play-order"]),
        (lambda p: swap_actions(p, 0, 2), ["play-order"]),
        (lambda p: p.update(button=1), ["play-order", "result-wrong"]),
        (lambda p: p["result"].update(button_next=0), ["result-wrong"]),
        (lambda p: p["result"]["pairs"].clear(), ["result-wrong"]),
        (lambda p: p["result"]["players"][0].update(points=1, fouled=True), ["result-wrong", "result-wrong"]),
        (lambda p: p["result"]["pairs"][0].update(chips=21), ["result-wrong"]),
        (lambda p: p["result"]["pairs"][0].update(capped_by="winner"), ["result-wrong"]),
        (lambda p: p["seats"][0].update(stack=501), ["result-wrong"]),
    ],
)
def test_what_cannot_have_been_played_is_told(change: Callable[[dict[str, Any]], object], faults: list[str]) -> None:
    assert list(dict.fromkeys(code for code, _ in faults_of(change))) == list(dict.fromkeys(faults))


def test_a_deal_of_the_wrong_number_is_told() -> None:
    def change(plain: dict[str, Any]) -> None:
        plain["actions"][2]["dealt"].append(plain["undealt"].pop())

    assert [code for code, _ in faults_of(change)] == ["deal-count", "discards-mismatch"]


def test_faults_in_several_places_are_told_together_with_their_players() -> None:
    def change(plain: dict[str, Any]) -> None:
        plain["actions"][0]["placed"][0]["card"] = plain["undealt"][0]
        plain["actions"][3]["discarded"] = []
        swap_actions(plain, 6, 7)

    faults = check_record(parse_record(changed(change))).faults
    assert [(fault.code, fault.field, fault.player) for fault in faults] == [
        ("discards-mismatch", "actions[3].discarded", "Anna"),
        ("card-not-dealt", "actions[0].placed[0].card", "Bo"),
        ("discards-mismatch", "actions[0].discarded", "Bo"),
        ("play-order", "actions[6].seat", "Anna"),
    ]


def test_a_wrong_result_says_what_is_right_and_the_hand_still_has_its_steps() -> None:
    replay = check_record(parse_record(changed(lambda p: p["result"]["players"][1].update(points=5))))
    (fault,) = replay.faults
    assert (fault.field, fault.player, fault.text) == ("result.players[1].points", "Bo", "5")
    assert fault.message == "recorded as 5, the rules give -2"
    assert len(replay.frames) == 11
    (pair,) = check_record(parse_record(changed(lambda p: p["result"]["pairs"][0].update(scoop=3)))).faults
    assert pair.player == "Anna and Bo"


def test_in_ultimate_fantasyland_must_have_set_first() -> None:
    game = Game("pineapple", seats=2)
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    plain = json.loads(format_record(record_of(game.table)))

    def change(plain: dict[str, Any]) -> None:
        plain["actions"].append(plain["actions"].pop(0))

    assert faults_of(change, plain) == [("play-order", "actions[0].seat")]
    assert "while it is the turn of Bo" in str(check_record(parse_record(changed(change, plain))).faults[0].message)


# ------------------------------------------------------------------------------------------------------ for people


def test_a_hand_is_told_street_by_street() -> None:
    text = format_hand_text(RECORD)
    assert text.isascii()
    assert text.splitlines()[:2] == [
        "pineapple@2026-09-22, table k7m2qx, hand 1, 10 chips a point, 2026-09-21 14:13:34 UTC",
        "Seats: 0 Anna (button, 500 chips), 1 Bo (500 chips)",
    ]
    assert "Street 5" in text
    assert "Anna against Bo: rows 2 won, 1 tied (+2), royalties +0: +2 points, +20 chips" in text


def test_points_fouls_bots_fantasyland_and_scoops_are_told() -> None:
    game = Game("pineapple", seats=3)
    game.play_boards({0: PLAIN_A, 1: FOULED, 2: PLAIN_B})
    record = record_of(game.table)
    text = format_hand_text(replace(record, seats=(replace(record.seats[0], bot="random"), *record.seats[1:])))
    assert "0 Anna (bot random, button)" in text
    assert "fouled, -12 points" in text
    assert "rows 3 won (+3), scoop +3, royalties +0: +6 points" in text
    game.play_boards({0: PLAIN_A, 1: QUEENS, 2: PLAIN_B})
    assert "Fantasyland with 14 cards next" in format_hand_text(record_of(game.table))
    game.play_boards({0: PLAIN_A, 1: QUEENS, 2: PLAIN_B})
    told = format_hand_text(seen_by(record_of(game.table), Seat(0)))
    assert "Fantasyland\n  Bo    dealt ?? ??" in told
    assert "as Anna may see it" in told
    assert "as a spectator may see it" in format_hand_text(seen_by(record_of(game.table), None))


def test_even_a_senseless_record_is_told() -> None:
    action = replace(RECORD.actions[0], seat=Seat(7), placements=(), dealt=(), discards=(), forced=True)
    result = replace(RECORD.result, players=(replace(RECORD.result.players[0], seat=Seat(9), stack=Chips(0)),))
    record: HandRecord = replace(
        RECORD, seats=(), actions=(action,), result=result, table=None, number=None, started_at=Millis(10**17)
    )
    text = format_hand_text(record)
    assert "places nothing (placed for the player: time was up)" in text
    assert "100000000000000000 ms after 1970" in text
    assert "out of chips" in text
    one_point = replace(RECORD.result.pairs[0], points=Points(1), chips=Chips(-1), capped_by=None)
    assert "+1 point, -1 chip" in format_hand_text(replace(RECORD, result=replace(RECORD.result, pairs=(one_point,))))


# ---------------------------------------------------------------------------------------------------- the document


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)


def test_the_documents_example_is_right() -> None:
    (example,) = blocks("json")
    record = parse_record(" ".join(example.splitlines()))
    assert replay_record(record)[-1].table.settled is not None
    assert format_record(record) == json.dumps(json.loads(example), separators=(",", ":"))
    (text,) = blocks("text")
    assert format_hand_text(record) == text.rstrip("\n")
    assert [entry.fantasyland for entry in record.seats] == [14, 0]


def test_the_document_names_every_field_and_fault() -> None:
    text = DOCS.read_text("utf-8")
    (example,) = blocks("json")
    for key in json.loads(example):
        assert f"`{key}" in text
    source = "".join(path.read_text("utf-8") for path in Path(ofc.notation.__file__).parent.glob("*.py"))
    codes = set(re.findall(r'(?:Fault|_fault)\(\s*"([a-z-]+)"', source)) - {"hand-unfinished", "player-gone"}
    assert len(codes) > 20
    assert [code for code in sorted(codes) if f"`{code}`" not in text] == []
