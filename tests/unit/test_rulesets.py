import datetime as dt

import pytest

from ofc.errors import RulesError
from ofc.evaluation import Category
from ofc.rules import RULE_FIELDS, FantasylandTurn, SettlementOrder, Street
from ofc.rulesets import (
    BUILT_IN,
    differing_fields,
    get_rules,
    plain_field,
    rules_from_fields,
    rules_from_toml,
    rules_of,
    rules_to_fields,
)

OWN = """
id = "house"
base = "casual"
title = "House rules"
scoop = 5
strict_order = false
settlement_order = "left-first"
fantasyland_turn = "before-others"
stay_middle = "none"
stay_bottom = "straight-flush"
streets = [[5, 5], [4, 4], [4, 4]]
min_seats = 2

[top_pair_royalties]
A = 10
"""


def test_the_rule_sets_of_the_rules_are_there() -> None:
    ids = "ultimate pineapple tournament casual casual-progressive progressive classic".split()  # noqa: SIM905
    assert list(dict.fromkeys(rules.id for rules in BUILT_IN)) == ids


def test_own_rules_change_only_what_they_name() -> None:
    own, base = rules_from_toml(OWN), get_rules("casual")
    assert (own.name, own.title, own.summary) == ("house@1", "House rules", "Casual, changed")
    assert own.streets == (Street(5, 5), Street(4, 4), Street(4, 4))
    assert (own.stay_middle, own.stay_bottom) == (None, Category.STRAIGHT_FLUSH)
    assert own.settlement_order is SettlementOrder.LEFT_FIRST
    assert own.fantasyland_turn is FantasylandTurn.BEFORE_OTHERS
    assert own.top_pair_royalties == (*base.top_pair_royalties[:-1], 10)
    assert own.middle_royalties == base.middle_royalties


def test_own_rules_start_from_a_version_too() -> None:
    assert rules_from_toml('id = "old"\nbase = "ultimate@2013-01-01"').stay_cards == "larger"


def test_stored_rules_are_read_back() -> None:
    own = rules_from_toml(OWN)
    assert rules_of(rules_to_fields(own)) == own
    for rules in BUILT_IN:
        assert rules_to_fields(rules) == rules.name
        assert rules_of(rules.name) is rules


def test_what_is_neither_a_name_nor_a_table_is_no_rule_set() -> None:
    with pytest.raises(RulesError) as caught:
        rules_of(7)
    assert caught.value.code == "rules-unknown"


@pytest.mark.parametrize("name", ["", "poker", "ultimate@2026-09-21", "Ultimate", "ultimate@"])
def test_an_unknown_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(RulesError, match="casual-progressive") as caught:
        get_rules(name)
    assert caught.value.faults[0].text == name
    assert ("ultimate@2013-01-01" in str(caught.value)) == ("@" in name)


def test_a_date_chooses_the_version() -> None:
    before, on = dt.date(2026, 9, 21), dt.date(2026, 9, 22)
    assert get_rules("ultimate", dealt_on=before).version == "2013-01-01"
    assert get_rules("ultimate", dealt_on=on).version == "2026-09-22"
    assert get_rules("ultimate").version == "2026-09-22"
    assert get_rules("ultimate", dealt_on=dt.date(1999, 1, 1)).version == "2013-01-01"
    assert get_rules("casual", dealt_on=dt.date(1999, 1, 1)).version == "2026-09-22"


def test_fields_are_told_in_plain_values() -> None:
    rules = get_rules("tournament")
    assert plain_field(rules, "stay_top") == "none"
    assert plain_field(rules, "button") == "after-hand-earning-none"
    assert plain_field(rules, "streets") == [[5, 5], [3, 2], [3, 2], [3, 2], [3, 2]]
    pairs = plain_field(rules, "fantasyland_pairs")
    assert isinstance(pairs, dict)
    assert (pairs["Q"], pairs["2"]) == (14, 0)
    assert set(RULE_FIELDS) == {key for key in RULE_FIELDS if plain_field(rules, key) is not None}


def test_differing_fields_are_named_in_order() -> None:
    a, b = get_rules("ultimate"), get_rules("ultimate@2013-01-01")
    assert differing_fields(a, b) == ("version", "stay_cards")
    assert differing_fields(a, a) == ()


def test_every_fault_of_a_file_is_told() -> None:
    with pytest.raises(RulesError) as caught:
        rules_from_fields(
            {
                "base": "nothing",
                "id": "ultimate",
                "scop": 3,
                "min_seats": "two",
                "max_seats": 9,
                "fantasyland_pairs": {"X": 14, "Q": "many", "K": 15},
                "stay_top": "flush",
            }
        )
    assert [(fault.code, fault.field) for fault in caught.value.faults] == [
        ("rules-unknown", "base"),
        ("rules-id-invalid", "id"),
        ("rules-field-unknown", "scop"),
        ("rules-field-invalid", "min_seats"),
        ("rules-field-impossible", "max_seats"),
        ("rules-field-invalid", "fantasyland_pairs.X"),
        ("rules-field-invalid", "fantasyland_pairs.Q"),
        ("rules-field-impossible", "stay_top"),
    ]
    assert "did you mean scoop" in caught.value.faults[2].message
    assert "“X” is not one of" in caught.value.faults[5].message
    assert "Q takes a whole number" in caught.value.faults[6].message


def told(text: str) -> list[tuple[str | None, str | None]]:
    with pytest.raises(RulesError) as caught:
        rules_from_toml(text)
    return [(fault.field, fault.text) for fault in caught.value.faults]


def test_without_a_base_only_what_the_file_says_is_judged() -> None:
    start = 'id = "own"\nbase = "poker"\n'
    unknown = ("base", '"poker"')
    assert told(start + "max_seats = 2\nstay_cards = 'fourteen'") == [unknown]
    assert told(start + "scoop = -1\n[fantasyland_pairs]\nA = 99") == [
        unknown,
        ("scoop", "-1"),
        ("fantasyland_pairs.A", "99"),
    ]
    assert told(start + "max_seats = 4\n[fantasyland_pairs]\nA = 17") == [unknown, ("max_seats", "4")]
    assert told('id = "own"\nmin_seats = 3\nmax_seats = 2') == [("base", None), ("min_seats", "3")]


def test_of_values_at_odds_one_of_the_file_s_own_is_named() -> None:
    start = 'id = "own"\nbase = "classic"\n'
    assert told(start + "min_seats = 5") == [("min_seats", "5")]
    assert told('id = "own"\nbase = "ultimate"\nmax_seats = 2') == [("max_seats", "2")]
    assert told(start + 'fantasyland_trips = 17\nstay_cards = "fourteen"\n[fantasyland_pairs]\nA = 14\nK = 13') == [
        ("fantasyland_trips", "17"),
        ("stay_cards", '"fourteen"'),
        ("fantasyland_pairs.A", "14"),
    ]
    assert told(start + "fantasyland_trips = 17\nmax_seats = 4\nstreets = [[5, 5]]") == [
        ("max_seats", "4"),
        ("streets", "[[5, 5]]"),
    ]


def test_a_value_that_cannot_be_read_hides_no_other_of_its_table() -> None:
    table = '[middle_royalties]\nflush = "8"\nboat = 1\nquads = -1\nstraight = true'
    assert told(f'id = "own"\nbase = "casual"\n{table}') == [
        ("middle_royalties.flush", '"8"'),
        ("middle_royalties.boat", "1"),
        ("middle_royalties.straight", "true"),
        ("middle_royalties.quads", "-1"),
    ]


@pytest.mark.parametrize(
    "value",
    ["true", "3.5", '"three"', '["a", false]', '{ a = 1, "b c" = [] }', "{}", "nan", "2026-10-01", '"\\"\\\\ö"'],
)
def test_the_text_of_a_fault_is_what_the_file_says(value: str) -> None:
    assert told(f'id = "own"\nbase = "casual"\nscoop = {value}\n') == [("scoop", value)]


def test_a_long_text_is_cut() -> None:
    ((_, text),) = told(f'id = "own"\nbase = "casual"\nscoop = 0x{"f" * 9_000}')
    assert text == f"0x{'f' * 198}…"


def test_of_plain_values_the_text_is_as_json_has_it() -> None:
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(RulesError) as caught:
        rules_from_fields({"id": "own", "base": "x", "scoop": True, "title": {"a": [None]}, "button": deep})
    assert [fault.text for fault in caught.value.faults] == ["x", "true", '{"a": [null]}', "…"]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("base", None, "base names the rule set"),
        ("id", "Not An Id", "lower case"),
        pytest.param("id", 10**5_000, "lower case", id="id-huge"),
        ("version", "one two", "letters, digits, dots and hyphens"),
        ("version", 1, "a text"),
        ("title", " ", "a text"),
        ("title", "two\nlines", "one line"),
        ("scoop", 3.5, "a whole number"),
        ("scoop", True, "a whole number"),
        ("reveals_discards", 1, "true or false"),
        ("streets", [[5, 5], [3]], "a list of"),
        ("streets", "five", "a list of"),
        ("stay_top", 3, "“none” or one of"),
        ("stay_middle", "flash", "“none” or one of"),
        ("stay_cards", "more", "one of same, larger, fourteen"),
        ("stay_cards", ["same"], "one of same, larger, fourteen"),
        ("top_pair_royalties", 3, "a table such as { A = 1 }"),
        ("middle_royalties", [1], "a table such as { royal-flush = 1 }"),
        pytest.param("bottom_royalties", {"flush": 10**5_000}, "points are 0 to 1000", id="points-huge"),
        ("entirely_different", {}, "no field entirely_different"),
    ],
)
def test_one_field_that_is_wrong(field: str, value: object, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_from_fields({"id": "own", "base": "casual", field: value})
    (fault,) = caught.value.faults
    assert (fault.field or "").partition(".")[0] == field
    assert words in fault.message


@pytest.mark.parametrize(
    "text",
    ["id = ", "id = " + "[" * 9_999, "scoop = " + "9" * 9_999, 'id = "a"\nid = "b"'],
    ids=["no value", "too deep", "too long", "twice"],
)
def test_what_is_not_toml_is_refused(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_from_toml(text)
    assert [fault.code for fault in caught.value.faults] == ["toml-unreadable"]


def test_the_line_that_is_not_toml_is_told() -> None:
    assert told('id = "own"\n  base = casual # mine\n') == [(None, "base = casual # mine")]
