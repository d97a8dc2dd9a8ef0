from __future__ import annotations

import json
from typing import Any

import pytest

from ofc.calculator import (
    NumberText,
    ScoredHand,
    Shape,
    answer,
    read_hand,
    read_json,
    read_text,
    score_hand,
    score_input,
)
from ofc.calculator.plain import MAX_CHIPS, Several, shown
from ofc.calculator.strict_json import is_one_value, scan_json
from ofc.calculator.text import plain_text
from ofc.errors import Fault, RulesError, ScoringError
from ofc.rulesets import BUILT_IN, get_rules, rules_from_toml

ANNA = {"name": "Anna", "top": "9c 8d 2s", "middle": "Ac Ad 7s 6s 3d", "bottom": "Ah Jh 8h 6h 3h"}
BO = {"name": "Bo", "top": "Qc Qd 4s", "middle": "Ks Kd 9s 5d 2c", "bottom": "Tc 9d 8c 7d 6c"}


def hand(**changes: object) -> dict[str, Any]:
    return {"rules": "pineapple", "players": [dict(ANNA), dict(BO)], **changes}


def faults_of(item: object, **options: Any) -> tuple[Fault, ...]:
    with pytest.raises(ScoringError) as caught:
        read_hand(item, **options)
    return caught.value.faults


def text_faults(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    with pytest.raises(ScoringError) as caught:
        read_text("rules: pineapple\n" + text)
    return [(fault.code, fault.player, fault.row, fault.text) for fault in caught.value.faults]


# ------------------------------------------------------------------------------------------------ the answer


def test_the_answer_is_as_documented() -> None:
    assert answer(score_hand(read_hand(hand()))) == {
        "rules": "pineapple@2026-09-22",
        "players": [
            {
                "name": "Anna",
                "fouled": False,
                "hands": {"top": "Nine high", "middle": "Pair of aces", "bottom": "Flush, ace high"},
                "royalties": {"top": 0, "middle": 0, "bottom": 4, "total": 4},
                "points": -4,
                "fantasyland_next": 0,
            },
            {
                "name": "Bo",
                "fouled": False,
                "hands": {
                    "top": "Pair of queens",
                    "middle": "Pair of kings",
                    "bottom": "Straight to the ten",
                },
                "royalties": {"top": 7, "middle": 0, "bottom": 2, "total": 9},
                "points": 4,
                "fantasyland_next": 14,
            },
        ],
        "pairs": [
            {
                "a": "Bo",
                "b": "Anna",
                "rows": {"top": 1, "middle": -1, "bottom": -1},
                "scoop": 0,
                "royalties": 5,
                "points": 4,
                "chips": None,
                "capped_by": None,
            }
        ],
    }


def test_money_adds_chips_and_stacks() -> None:
    item = hand(price=100, button=0, players=[{**ANNA, "stack": 1000}, {**BO, "stack": 300}])
    plain = answer(score_hand(read_hand(item)))
    assert [(player["chips"], player["stack"]) for player in plain["players"]] == [(-300, 700), (300, 600)]
    (pair,) = plain["pairs"]
    assert (pair["a"], pair["chips"], pair["capped_by"]) == ("Anna", -300, "winner")


def test_a_fouled_hand_is_still_said_in_words() -> None:
    fouled = {**ANNA, "top": "As Ts Td", "middle": "Ac 4d 7s 6s 3d"}
    plain = answer(score_hand(read_hand(hand(players=[fouled, BO]))))
    assert plain["players"][0]["hands"]["top"] == "Pair of tens"
    assert plain["players"][0]["royalties"] == {"top": 0, "middle": 0, "bottom": 0, "total": 0}
    (pair,) = plain["pairs"]
    assert (pair["rows"], pair["scoop"]) == ({"top": 1, "middle": 1, "bottom": 1}, 3)
    assert pair["points"] == 6 + 9


# ------------------------------------------------------------------------------------------- which rules hold


def test_without_rules_ultimate_holds() -> None:
    (fault,) = faults_of({"players": [ANNA, BO]})
    assert fault.message == "ultimate is played by 3, not 2"


@pytest.mark.parametrize(
    ("named", "default", "dealt_on", "version"),
    [
        ("pineapple", "ultimate", None, "pineapple@2026-09-22"),
        ("pineapple", "ultimate", "2026-09-21", "pineapple@2013-01-01"),
        ("pineapple@2013-01-01", "ultimate", "2026-10-01", "pineapple@2013-01-01"),
        (None, "pineapple", "2026-09-21", "pineapple@2013-01-01"),
        (None, get_rules("pineapple"), "2026-09-21", "pineapple@2026-09-22"),
        ("casual", get_rules("pineapple"), None, "casual@2026-09-22"),
    ],
)
def test_rules_and_date(named: str | None, default: Any, dealt_on: str | None, version: str) -> None:
    item = hand(rules=named, dealt_on=dealt_on)
    assert read_hand(item, rules=default).rules.name == version


def test_own_rules_may_be_named_by_a_hand() -> None:
    own = rules_from_toml('id = "house"\nbase = "casual"')
    for named in (None, "house", "house@1"):
        assert read_hand(hand(rules=named), rules=own).rules is own
    (fault,) = faults_of(hand(rules="house"))
    assert (fault.code, fault.text) == ("rules-unknown", "house")


# ------------------------------------------------------------------------------------------------ plain values


def test_optional_fields_may_be_null() -> None:
    nothing = dict.fromkeys(["dealt_on", "button", "price"])
    item = hand(**nothing, players=[{**ANNA, "stack": None, "fantasyland": None}, BO])
    read = read_hand(item)
    assert (read.button, read.money, read.fantasyland) == (1, None, (0, 0))


@pytest.mark.parametrize(
    ("item", "code", "text"),
    [
        (None, "hand-invalid", "null"),
        ([1, "x"], "hand-invalid", '[1, "x"]'),
        (NumberText("1e5"), "hand-invalid", "1e5"),
        (hand(players=None), "players-missing", None),
        (hand(players={"a": 1}), "players-invalid", '{"a": 1}'),
        (hand(odd=1), "field-unknown", "odd"),
        (hand(rules=3), "rules-invalid", "3"),
        (hand(rules="chess"), "rules-unknown", "chess"),
        (hand(dealt_on="yesterday"), "dealt-on-invalid", "yesterday"),
        (hand(dealt_on="2026-02-30"), "dealt-on-invalid", "2026-02-30"),
        (hand(dealt_on="20261001"), "dealt-on-invalid", "20261001"),
        (hand(dealt_on=20261001), "dealt-on-invalid", "20261001"),
        (hand(button="Bo"), "button-invalid", "Bo"),
        (hand(button=True), "button-invalid", "true"),
        (hand(button=NumberText("1.0")), "button-invalid", "1.0"),
        (hand(button=2), "button-unknown", "2"),
        (hand(button=-1), "button-unknown", "-1"),
    ],
)
def test_a_fault_of_the_hand(item: object, code: str, text: str | None) -> None:
    (fault,) = faults_of(item)
    assert (fault.code, fault.player, fault.row, fault.text) == (code, None, None, text)


@pytest.mark.parametrize(
    ("changes", "code", "row", "text"),
    [
        ({"odd": 1}, "field-unknown", None, "odd"),
        ({"top": None}, "row-missing", "top", None),
        ({"top": ["Qc", "Qd", "4s"]}, "row-invalid", "top", '["Qc", "Qd", "4s"]'),
        ({"top": "Qc Qd"}, "row-count", "top", "Qc Qd"),
        ({"top": ""}, "row-count", "top", ""),
        ({"top": "Qc Qd 4s 4d"}, "row-count", "top", "Qc Qd 4s 4d"),
        ({"top": "Qc Qd Zz"}, "card-unknown", "top", "Zz"),
        ({"top": "QcQdZz"}, "card-unknown", "top", "QcQdZz"),
        ({"top": "Qc Qd Qd"}, "card-twice", "top", "Qd"),
        ({"bottom": "Ah 9d 8c 7d 6c"}, "card-twice", "bottom", "Ah"),
        ({"fantasyland": 13}, "fantasyland-count", None, "13"),
        ({"fantasyland": -14}, "fantasyland-count", None, "-14"),
        ({"fantasyland": True}, "fantasyland-invalid", None, "true"),
        ({"fantasyland": "14"}, "fantasyland-invalid", None, "14"),
    ],
)
def test_a_fault_of_a_player(changes: dict[str, Any], code: str, row: str | None, text: str | None) -> None:
    (fault,) = faults_of(hand(players=[ANNA, {**BO, **changes}]))
    assert (fault.code, fault.player, fault.row, fault.text) == (code, "Bo", row, text)
    assert fault.message.startswith("Bo")


def test_a_player_that_is_no_object() -> None:
    (fault,) = faults_of(hand(players=[ANNA, BO, 3]))
    assert (fault.code, fault.player, fault.text) == ("player-invalid", "Player 3", "3")


@pytest.mark.parametrize(
    ("name", "code", "text"),
    [
        (None, "name-missing", None),
        ("", "name-invalid", ""),
        ("  ", "name-invalid", "  "),
        (7, "name-invalid", "7"),
        ("a\x1b[31mb", "name-invalid", "a\x1b[31mb"),
        ("\ud800", "name-invalid", "\ud800"),
    ],
)
def test_a_name_that_is_none(name: object, code: str, text: str | None) -> None:
    (fault,) = faults_of(hand(players=[ANNA, {**BO, "name": name}]))
    assert (fault.code, fault.player, fault.text) == (code, "Player 2", text)
    assert fault.message.startswith("Player 2: ")


def test_names_differ() -> None:
    (fault,) = faults_of(hand(players=[ANNA, {**BO, "name": "Anna"}]))
    assert (fault.code, fault.player, fault.text) == ("name-twice", "Anna", "Anna")


@pytest.mark.parametrize(
    ("price", "stacks", "expected"),
    [
        (None, (10, 10), [("price-missing", None, None)]),
        (None, (10, None), [("price-missing", None, None), ("stack-missing", "Bo", None)]),
        (5, (None, None), [("stack-missing", "Anna", None), ("stack-missing", "Bo", None)]),
        (0, (1, 1), [("price-invalid", None, "0")]),
        (True, (1, 1), [("price-invalid", None, "true")]),
        ("5", (1, 1), [("price-invalid", None, "5")]),
        (MAX_CHIPS + 1, (1, 1), [("price-invalid", None, str(MAX_CHIPS + 1))]),
        (1, (-1, False), [("stack-invalid", "Anna", "-1"), ("stack-invalid", "Bo", "false")]),
        (1, (NumberText("1.5"), 10**17), [("stack-invalid", "Anna", "1.5"), ("stack-invalid", "Bo", str(10**17))]),
    ],
)
def test_price_and_stacks(price: object, stacks: tuple[object, object], expected: list[Any]) -> None:
    players = [{**ANNA, "stack": stacks[0]}, {**BO, "stack": stacks[1]}]
    faults = faults_of(hand(price=price, players=players))
    assert [(fault.code, fault.player, fault.text) for fault in faults] == expected


def test_every_fault_at_once() -> None:
    item = {
        "rules": "pineapple",
        "dealt_on": "soon",
        "button": 9,
        "price": 0,
        "extra": {},
        "players": [
            {"name": "Anna", "top": "9c Zz", "middle": "Ac Ac 7s 6s 3d", "bottom": 5, "stack": 1, "hat": "red"},
            {"name": "Anna", "top": "9c 8d 2s", "middle": "Kd", "fantasyland": 99},
            "Cy",
            {"name": None},
        ],
    }
    assert [(fault.code, fault.player, fault.row, fault.text) for fault in faults_of(item)] == [
        ("field-unknown", None, None, "extra"),
        ("dealt-on-invalid", None, None, "soon"),
        ("players-too-many", None, None, "4"),
        ("player-invalid", "Player 3", None, "Cy"),
        ("field-unknown", "Anna", None, "hat"),
        ("card-unknown", "Anna", "top", "Zz"),
        ("row-count", "Anna", "top", "9c Zz"),
        ("row-invalid", "Anna", "bottom", "5"),
        ("row-count", "Anna", "middle", "Kd"),
        ("row-missing", "Anna", "bottom", None),
        ("name-missing", "Player 4", None, None),
        ("row-missing", "Player 4", "top", None),
        ("row-missing", "Player 4", "middle", None),
        ("row-missing", "Player 4", "bottom", None),
        ("name-twice", "Anna", None, "Anna"),
        ("card-twice", "Anna", "middle", "Ac"),
        ("card-twice", "Anna", "top", "9c"),
        ("fantasyland-count", "Anna", None, "99"),
        ("button-unknown", None, None, "9"),
        ("price-invalid", None, None, "0"),
        ("stack-missing", "Anna", None, None),
        ("stack-missing", "Player 4", None, None),
    ]


def test_unknown_rules_do_not_hide_other_faults() -> None:
    faults = faults_of(hand(rules="chess", players=[{**ANNA, "fantasyland": 99, "top": "x"}, BO]))
    assert [fault.code for fault in faults] == ["rules-unknown", "card-unknown", "row-count", "fantasyland-count"]
    assert faults[-1].message == "Anna: no rule set deals 99 cards in Fantasyland"


def test_where_rules_are_unknown_what_any_rule_set_allows_is_no_fault() -> None:
    four = [{**ANNA, "name": name, "fantasyland": 17} for name in "ABCD"]
    assert {fault.code for fault in faults_of(hand(rules="chess", players=four))} == {"rules-unknown", "card-twice"}


def test_no_rules_of_ones_own_allow_what_none_that_are_built_in_do() -> None:
    """Else what they allow would be told as a fault where the rules are unknown."""
    for own in ("min_seats = 1", "max_seats = 5", "fantasyland_trips = 12", "fantasyland_trips = 18"):
        with pytest.raises(RulesError):
            rules_from_toml(f'id = "house"\nbase = "classic"\n{own}')
    allowed = {(seats, count) for rules in BUILT_IN for seats in rules.seats for count in rules.fantasyland_counts}
    assert {seats for seats, _ in allowed} == {2, 3, 4}
    assert {count for _, count in allowed} == {13, 14, 15, 16, 17}


def test_a_long_text_is_cut_where_it_is_shown() -> None:
    (fault,) = faults_of(hand(players=[ANNA, {**BO, "top": "x" * 5_000}]))
    assert (fault.code, fault.message) == ("card-unknown", "Bo, top: this is not a card")
    assert len(fault.text or "") < 300
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert shown(deep) == "…"
    assert shown({"a": NumberText("1.50")}) == '{"a": "1.50"}'


# --------------------------------------------------------------------------------------------------------- JSON


def test_json_is_read_with_numbers_as_they_were_written() -> None:
    assert read_json('{"a": [1, -2, 1.50, 1e400, 12345678901234567890]}') == {
        "a": [1, -2, NumberText("1.50"), NumberText("1e400"), NumberText("12345678901234567890")]
    }
    assert str(NumberText("1.50")) == "1.50"
    value, faults = scan_json("[1.50, 12345678901234567890]", fractions=True)
    assert (value, faults) == ([1.5, NumberText("12345678901234567890")], [])


@pytest.mark.parametrize(
    ("text", "code", "message", "excerpt"),
    [
        ('{"a": 1,\n "b" 2}', "json-malformed", "line 2, column 6", "2}"),
        ('{"a": 1', "json-malformed", "line 1, column 8", None),
        ('{"a": 1} x', "json-malformed", "line 1, column 10", "x"),
        ('{"a": NaN}', "json-number", "NaN", "NaN"),
        ('{"a": -Infinity}', "json-number", "-Infinity", "-Infinity"),
        ('{"a": 1, "a": 2}', "json-key-twice", "“a” is there twice", "a"),
        ("[" * 100_000, "json-too-deep", "too deep", None),
    ],
)
def test_json_that_is_none(text: str, code: str, message: str, excerpt: str | None) -> None:
    with pytest.raises(ScoringError, match=message) as caught:
        read_json(text)
    (fault,) = caught.value.faults
    assert (fault.code, fault.text) == (code, excerpt)


def test_every_key_that_is_there_twice_is_told() -> None:
    with pytest.raises(ScoringError) as caught:
        read_json('{"a": 1, "a": 2, "b": 1, "b": {"c": NaN, "c": -Infinity, "c": 1}}')
    assert [(fault.code, fault.field, fault.text) for fault in caught.value.faults] == [
        ("json-key-twice", "b.c", "c"),
        ("json-key-twice", "a", "a"),
        ("json-key-twice", "b", "b"),
        ("json-number", None, "NaN"),
        ("json-number", None, "-Infinity"),
    ]


@pytest.mark.parametrize(
    ("text", "field", "where"),
    [
        ('{"money": {"stack": 1, "stack": 2}}', "money.stack", "in money"),
        ('{"a": {}, "b": [1, {}, [{"x": 1, "x": {}}]]}', "b[2][0].x", "in b[2][0]"),
        ('[{}, {"a": {"b": 1, "b": 2}}]', "[1].a.b", "in [1].a"),
        ('{"players[0]": {"": {"top": 1, "top": 2}}}', '"players[0]"."".top', 'in "players[0]".""'),
        ('{"": 1, "": 2}', '""', "in one object"),
        ('{"a": ' * 200 + '{"x": 1, "x": 2}' + "}" * 200, "a." * 100 + "…", "in " + "a." * 100 + "…"),
    ],
)
def test_a_key_twice_is_told_with_its_path(text: str, field: str, where: str) -> None:
    _, (fault,) = scan_json(text)
    assert (fault.field, fault.message.partition(" twice ")[2]) == (field, where)


def test_a_key_twice_in_what_a_later_value_replaces_has_no_path() -> None:
    _, (inner, outer) = scan_json('{"players": [{"top": 1, "top": 2}], "players": [{"top": 3}]}')
    assert (inner.field, inner.text) == (None, "top")
    assert inner.message == "“top” is there twice in an object that a later value replaces"
    assert (outer.field, outer.message) == ("players", "“players” is there twice in one object")


def test_a_key_twice_of_a_player_in_a_batch_is_told_with_the_path_in_its_hand() -> None:
    text = json.dumps(hand()).replace('"name": "Bo"', '"name": "Bob", "name": "Bo"')
    for batch in (f"[{GOOD}, {text}]", f"{GOOD}\n{text}"):
        first, faults = score_input(batch).outcomes
        assert isinstance(first, ScoredHand)
        assert faults == (
            Fault("json-key-twice", "Bo: “name” is there twice in players[1]", "players[1].name", "Bo", None, "name"),
        )


def test_a_card_that_is_there_very_often_is_told_with_some_of_its_places() -> None:
    faults = faults_of(hand(players=[{**ANNA, "name": f"P{seat}"} for seat in range(30)]))
    message = next(fault.message for fault in faults if fault.code == "card-twice")
    assert message.startswith("P1, top: 9c is there already, in P0, top, and in P2, top,")
    assert message.endswith("and in P11, top, and in 18 more places")
    (again,) = [fault for fault in faults_of(hand(players=[ANNA, {**BO, "top": "Qc " * 3}])) if fault.text == "Qc"]
    assert again.message == "Bo, top: Qc is there already, in Bo, top, and in Bo, top"


def test_a_key_twice_and_what_is_no_number_are_told_with_all_the_rest() -> None:
    text = json.dumps(hand(button=9, price=0, odd=1)).replace('"price": 0', '"price": NaN, "price": NaN')
    (faults,) = score_input(text).outcomes
    assert isinstance(faults, tuple)
    assert [(fault.code, fault.text) for fault in faults] == [
        ("json-key-twice", "price"),
        ("field-unknown", "odd"),
        ("button-unknown", "9"),
        ("price-invalid", "NaN"),
        ("stack-missing", None),
        ("stack-missing", None),
    ]


def test_one_value_is_told_from_less_and_more() -> None:
    assert is_one_value('{"a": 1}')
    assert is_one_value('{"a": 1, "a": NaN}')
    assert is_one_value("[" * 100_000)
    assert not is_one_value('{"a": 1')
    assert not is_one_value('{"a": 1} {}')


# ------------------------------------------------------------------------------------------------------- batches


def _codes(text: str) -> list[str]:
    return ["scored" if isinstance(outcome, ScoredHand) else outcome[0].code for outcome in score_input(text).outcomes]


GOOD = json.dumps(hand())


@pytest.mark.parametrize(
    ("text", "shape", "codes"),
    [
        (GOOD, Shape.HAND, ["scored"]),
        ("\ufeff  \n" + GOOD, Shape.HAND, ["scored"]),
        (json.dumps(hand(), indent=2), Shape.HAND, ["scored"]),
        ("[]", Shape.ARRAY, []),
        (f"[{GOOD}, 5, {GOOD}]", Shape.ARRAY, ["scored", "hand-invalid", "scored"]),
        (f"{GOOD}\n\n{GOOD}\r\n", Shape.LINES, ["scored", "scored"]),
        (f"{GOOD}\n{{\n{GOOD}", Shape.LINES, ["scored", "json-malformed", "scored"]),
        (f'{{"rules" 1}}\n{GOOD}', Shape.LINES, ["json-malformed", "scored"]),
        (f'{GOOD}\n[1]\n{{"a": NaN}}', Shape.LINES, ["scored", "hand-invalid", "field-unknown"]),
        (f'[{GOOD}, {{"a": 1, "a": 2}} \n,\t{GOOD} ]', Shape.ARRAY, ["scored", "json-key-twice", "scored"]),
        ('[ {"a": 1, "a": 2} ]', Shape.ARRAY, ["json-key-twice"]),
        ('{"a": 1\n "b": 2}', Shape.HAND, ["json-malformed"]),
        ("{", Shape.HAND, ["json-malformed"]),
        (f"[{GOOD},", Shape.HAND, ["json-malformed"]),
        (f"[{GOOD}]\n[{GOOD}]", Shape.HAND, ["json-malformed"]),
        ("", Shape.HAND, ["input-empty"]),
        ("\ufeff \n\t", Shape.HAND, ["input-empty"]),
        ("hello", Shape.HAND, ["players-too-few"]),
    ],
)
def test_the_shape_of_an_input(text: str, shape: Shape, codes: list[str]) -> None:
    assert score_input(text).shape is shape
    assert _codes(text) == codes


def test_an_array_of_one_object_each_line_is_an_array() -> None:
    assert score_input(f"[\n{GOOD},\n{GOOD}\n]").shape is Shape.ARRAY


def test_a_line_that_is_no_json_is_told_with_its_line() -> None:
    (_, faults) = score_input(f'{GOOD}\n{{"a" 1}}').outcomes
    assert isinstance(faults, tuple)
    assert "line 2, column 6" in faults[0].message


# ------------------------------------------------------------------------------------------------ text for people

ONE_LINE = "Anna: 9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h\nBo: Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c"
PLAYERS = [ANNA, BO]


@pytest.mark.parametrize(
    "text",
    [
        ONE_LINE,
        ONE_LINE.replace("/", "|").upper().replace("ANNA", "Anna").replace("BO", "Bo"),
        ONE_LINE.replace(": ", ":\n").replace(" / ", "\n"),
        ONE_LINE.replace(" / ", " /\n").replace("Bo", "\n\nBo"),
        ONE_LINE.replace(" / ", "\n/ "),
        ONE_LINE.replace(" / ", " "),
        ONE_LINE.replace(": ", " ():\n\n"),
        ONE_LINE.replace("Tc", "10♣"),
        ONE_LINE.replace(":", " -"),
        ONE_LINE.replace(":", " –").replace(" / ", "\n"),
        ONE_LINE.replace(": ", "- "),
        ONE_LINE.replace(": ", " —"),
        ONE_LINE.replace(": ", " -\n\n"),
        ONE_LINE.replace(":", " -").replace("/", "–"),
        ONE_LINE.replace("\nBo: ", "\n\n---\n=====\nBo:\n\n"),
        ONE_LINE.replace(":", " () -"),
        ONE_LINE.replace(":", " (fantasyland: 0 cards) --"),
        "Anna -\nbottom - Ah Jh 8h 6h 3h\ntop – 9c 8d 2s\nAc Ad 7s 6s 3d\n" + ONE_LINE.splitlines()[1],
        "Anna:\nbottom: Ah,Jh,8h,6h,3h\ntop: 9c8d2s\nAcAd7s6s3d\nBo:\nTop: Qc;Qd;4s\nKs Kd 9s 5d 2c\nTc 9d 8c 7d 6c",
    ],
)
def test_text_is_read_forgivingly(text: str) -> None:
    assert read_text("Rules : Pineapple\n" + text) == read_hand(hand())


@pytest.mark.parametrize("name", ["Anna-Lena", "Anna - Lena", "A–B", "Number 7 - the lucky one", "10th man"])
def test_a_name_may_have_dashes(name: str) -> None:
    for end in (" -", " –", ":"):
        assert read_text("rules: pineapple\n" + ONE_LINE.replace("Anna:", name + end)).names == (name, "Bo")


@pytest.mark.parametrize("apart", ["\n", "\n\n"])
def test_names_may_be_left_out(apart: str) -> None:
    boards = ONE_LINE.replace("Anna: ", "").replace("Bo: ", "").split("\n")
    for text in (apart.join(boards), apart.join(board.replace(" / ", "\n") for board in boards)):
        read = read_text("rules: pineapple\n" + text)
        assert (read.names, read.boards) == (("Player 1", "Player 2"), read_hand(hand()).boards)


HELD = {
    15: ["15 cards in Fantasyland", "15 cards", "15-card fantasyland", "FL 15"],
    16: ["fantasyland: 16 cards"],
    17: ["17-card FL"],
    14: ["14 CARDS IN FL", "fl=14"],
    0: ["0 cards"],
}


@pytest.mark.parametrize(("details", "held"), [(text, held) for held, texts in HELD.items() for text in texts])
def test_cards_in_fantasyland(details: str, held: int) -> None:
    text = ONE_LINE.replace("Bo:", f"Bo ({details}):")
    assert read_text("rules: pineapple\n" + text).fantasyland == (0, held)


def test_money_and_the_button() -> None:
    text = ONE_LINE.replace("Anna:", "Anna (stack 1,234,567, 15 cards):")
    text = text.replace("Bo:", "Bo (2000 chips; button)\n")
    read = read_text(f"rules: pineapple\nprice: 1'000\ndate: 2026-09-01\n{text}")
    assert read.money is not None
    assert (read.money.price, read.money.stacks, read.button) == (1_000, (1_234_567, 2_000), 1)
    assert (read.fantasyland, read.rules.version) == ((15, 0), "2013-01-01")
    for line in ("button: ANNA", "dealer : anna"):
        assert read_text(f"rules: pineapple\n{line}\n{ONE_LINE}").button == 0
    assert read_text("rules: pineapple\n" + ONE_LINE.replace("Anna:", "Anna (the dealer):")).button == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("button: Cy\n" + ONE_LINE, [("button-unknown", None, None, "Cy")]),
        (
            "button: Anna\n" + ONE_LINE.replace("Bo:", "Bo (button):"),
            [("button-twice", None, None, "Bo, Anna")],
        ),
        (ONE_LINE.replace(":", " (14 cards, 15 cards):"), [("detail-twice", "Anna", None, "15 cards")]),
        ("price: 5\n" + ONE_LINE.replace(":", " (stack 1, stack -5):"), [("detail-twice", "Anna", None, "stack -5")]),
        ("price: 5\nprice: 6\n" + ONE_LINE.replace(":", " (stack 1):"), [("header-twice", None, None, "6")]),
        (ONE_LINE.replace("Bo:", "Bo (happy):"), [("detail-unknown", "Bo", None, "happy")]),
        (ONE_LINE + " / 2h", [("rows-count", "Bo", None, "Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c / 2h")]),
        (ONE_LINE + "\n\nCy:\ntop: Qh Qs 5c\ntop: Qh Qs 5d", [("row-twice", "Cy", "top", "Qh Qs 5d")]),
        ("price: 1.5\n" + ONE_LINE.replace(":", " (stack ten):"), [("price-invalid", None, None, "1.5")]),
        ("price: " + "9" * 30 + "\n" + ONE_LINE, [("price-invalid", None, None, "9" * 30)]),
        (ONE_LINE.replace("4s", "4x").replace(":", " -"), [("card-unknown", "Bo", "top", "4x")]),
        (ONE_LINE.replace("Qd 4s /", "Qd 4s =").replace(":", " -"), [("card-unknown", "Bo", "top", "=")]),
        (
            ONE_LINE.replace("Bo:", "As -"),
            [("rows-count", "Player 2", None, "As / Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c")],
        ),
        (
            ONE_LINE.replace(" /", "") + " and more",
            [("card-unknown", "Bo", None, "and"), ("card-unknown", "Bo", None, "more")],
        ),
        (ONE_LINE.replace("Bo:", "(happy):"), [("detail-unknown", "Player 2", None, "happy")]),
        ("top: Qh Qs 5c\ntop: Qh Qs 5d\n" + ONE_LINE, [("row-twice", "Player 1", "top", "Qh Qs 5d")]),
        (ONE_LINE.replace("4s", "4x"), [("card-unknown", "Bo", "top", "4x")]),
        (ONE_LINE.replace("Bo:", "Bo (14:"), [("card-unknown", "Player 2", "top", "Bo")]),
    ],
)
def test_faults_of_a_text(text: str, expected: list[Any]) -> None:
    assert text_faults(text)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "rules: pinapple\nrules: zzz\nrules: ZZZ\n" + ONE_LINE,
            [
                ("header-twice", None, None, "zzz"),
                ("header-twice", None, None, "ZZZ"),
                ("rules-unknown", None, None, "pinapple"),
                ("rules-unknown", None, None, "zzz"),
            ],
        ),
        (
            "date: soon\ndealt on: 2026-02-30\n" + ONE_LINE,
            [
                ("header-twice", None, None, "2026-02-30"),
                ("dealt-on-invalid", None, None, "soon"),
                ("dealt-on-invalid", None, None, "2026-02-30"),
            ],
        ),
        (
            "price: ten\nprice: 0\n" + ONE_LINE.replace(":", " (stack 1):"),
            [
                ("header-twice", None, None, "0"),
                ("price-invalid", None, None, "ten"),
                ("price-invalid", None, None, "0"),
            ],
        ),
        (
            "button: Cy\ndealer: Di\nbutton: Cy\nbutton: Bo\n" + ONE_LINE.replace("Anna:", "Anna (button):"),
            [
                ("header-twice", None, None, "Di"),
                ("header-twice", None, None, "Cy"),
                ("header-twice", None, None, "Bo"),
                ("button-unknown", None, None, "Cy"),
                ("button-unknown", None, None, "Di"),
                ("button-twice", None, None, "Anna, Bo"),
            ],
        ),
        (
            "price: 5\n"
            + ONE_LINE.replace("Anna:", "Anna (stack x, stack y, 99 cards, 12 cards):").replace("Bo:", "Bo (stack 1):"),
            [
                ("detail-twice", "Anna", None, "stack y"),
                ("detail-twice", "Anna", None, "12 cards"),
                ("fantasyland-count", "Anna", None, "99"),
                ("fantasyland-count", "Anna", None, "12"),
                ("stack-invalid", "Anna", None, "x"),
                ("stack-invalid", "Anna", None, "y"),
            ],
        ),
        (
            ONE_LINE + "\n\nCy:\ntop: Qh Xx\ntop: Qh Qs 5c\n2d 3c 4c 7c 8s / Th Ts Jc Jd Js",
            [
                ("row-twice", "Cy", "top", "Qh Qs 5c"),
                ("card-unknown", "Cy", "top", "Xx"),
                ("row-count", "Cy", "top", "Qh Xx"),
            ],
        ),
        (
            ONE_LINE.replace("\nBo:", " / Zz 9c / Kd\nBo:"),
            [
                ("rows-count", "Anna", None, "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h / Zz 9c / Kd"),
                ("card-unknown", "Anna", None, "Zz"),
                ("card-twice", "Anna", None, "9c"),
                ("card-twice", "Bo", "middle", "Kd"),
            ],
        ),
    ],
)
def test_whatever_a_text_has_more_than_once_is_judged_each_time(text: str, expected: list[Any]) -> None:
    with pytest.raises(ScoringError) as caught:
        read_text(text, rules="pineapple")
    assert [(fault.code, fault.player, fault.row, fault.text) for fault in caught.value.faults] == expected


def test_cards_beyond_the_third_row_are_told_with_their_place() -> None:
    with pytest.raises(ScoringError) as caught:
        read_text("rules: pineapple\n" + ONE_LINE.replace("\nBo:", " / Zz 9c / Kd\nBo:"))
    assert [(fault.field, fault.message) for fault in caught.value.faults[1:]] == [
        ("players[0]", "Anna: “Zz” is not a card"),
        ("players[0]", "Anna: 9c is there already, in Anna, top"),
        ("players[1].middle", "Bo, middle: Kd is there already, in Anna, beyond the third row"),
    ]


def test_the_last_of_several_values_counts() -> None:
    plain, faults = plain_text("rules: zzz\nrules: Pineapple\nAnna (stack 5, stack 6, stack 5): / 9c")
    assert [fault.code for fault in faults] == ["header-twice", "detail-twice", "detail-twice"]
    assert plain["rules"] == Several(("zzz", "pineapple"))
    assert plain["players"] == [{"name": "Anna", "stack": Several((6, 5)), "top": "9c"}]
    four = faults_of({**plain, "players": [ANNA, BO, BO, BO]})
    assert (four[0].text, four[1].message) == ("zzz", "pineapple is played by 2 or 3, not 4")


def test_rows_beyond_the_third_are_no_field_of_json() -> None:
    (fault,) = faults_of(hand(players=[ANNA, {**BO, "rows": ["2c"]}]))
    assert (fault.code, fault.text) == ("field-unknown", "rows")


@pytest.mark.parametrize("name", ["Button", "dealer", "Price"])
def test_a_player_may_be_called_as_a_header_is(name: str) -> None:
    read = read_text("rules: pineapple\n" + ONE_LINE.replace("Anna:", f"{name}:") + f"\nbutton: {name}")
    assert (read.names, read.button) == ((name, "Bo"), 0)


def test_text_takes_rules_and_faults_of_plain_values() -> None:
    assert read_text(ONE_LINE, rules="casual").rules.id == "casual"
    assert text_faults("Anna: 9c 8d 2s / Ac Ad 7s 6s 3d") == [
        ("players-too-few", None, None, "1"),
        ("row-missing", "Anna", "bottom", None),
    ]
