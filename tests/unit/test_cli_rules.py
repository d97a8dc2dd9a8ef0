from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ofc.cli import main
from ofc.cli.rules import say_field, say_seats
from ofc.rules import RULE_FIELDS
from ofc.rulesets import BUILT_IN, get_rules, plain_field, rules_of


def rules(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["rules", *arguments])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("call", [[], ["list"]])
def test_the_list_names_every_built_in_rule_set(call: list[str]) -> None:
    told = rules(*call)
    for built_in in BUILT_IN:
        assert f"│ {built_in.id} " in told
        assert built_in.version in told
    as_json = json.loads(rules(*call, "--json"))
    assert [item["id"] for item in as_json] == list(dict.fromkeys(built_in.id for built_in in BUILT_IN))
    assert as_json[0] == {
        "id": "ultimate",
        "versions": ["2026-09-22", "2013-01-01"],
        "title": "Ultimate",
        "summary": get_rules("ultimate").summary,
        "seats": [3],
    }


@pytest.mark.parametrize("name", [built_in.name for built_in in BUILT_IN])
def test_show_prints_every_field_with_its_rule(name: str) -> None:
    told = rules("show", name)
    for field, item in RULE_FIELDS.items():
        (line,) = [line for line in told.splitlines() if line.startswith(f"│ {field} ")]
        assert f"│ {item.metadata['rule']} " in line
        assert item.metadata["words"] in line
    fields = json.loads(rules("show", name, "--json"))["fields"]
    stored = {item["field"]: item["value"] for item in fields}
    own = {"base": name, **stored, "id": "own"}
    assert {key: plain_field(rules_of(own), key) for key in RULE_FIELDS} == {**stored, "id": "own"}
    assert all(list(item) == ["field", "rule", "words", "value"] for item in fields)


def test_diff_prints_the_fields_that_differ() -> None:
    told = rules("diff", "ultimate", "ultimate@2013-01-01")
    assert "stay_cards" in told
    assert "scoop" not in told
    assert json.loads(rules("diff", "ultimate", "ultimate@2013-01-01", "--json")) == {
        "a": "ultimate@2026-09-22",
        "b": "ultimate@2013-01-01",
        "differences": [
            {
                "field": name,
                "rule": RULE_FIELDS[name].metadata["rule"],
                "words": RULE_FIELDS[name].metadata["words"],
                "a": plain_field(get_rules("ultimate"), name),
                "b": plain_field(get_rules("ultimate@2013-01-01"), name),
            }
            for name in ("version", "stay_cards")
        ],
    }


def test_rules_that_do_not_differ() -> None:
    assert rules("diff", "casual", "casual") == "casual@2026-09-22 and casual@2026-09-22 do not differ.\n"
    assert json.loads(rules("diff", "casual", "casual", "--json"))["differences"] == []


def test_own_rules_are_shown_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own"\nbase = "casual"\nscoop = 9')
    assert rules("show", str(path)).startswith("own (own@1)\n")
    differences = json.loads(rules("diff", "casual", str(path), "--json"))["differences"]
    assert [item["field"] for item in differences] == ["id", "version", "title", "summary", "scoop"]


def test_fields_are_said_in_words() -> None:
    casual = get_rules("casual")
    assert say_field(casual, "streets") == "deal 5, place 5; 4 times deal 3, place 2"
    assert say_field(casual, "top_trips_royalties") == "20 for each"
    assert say_field(casual, "fantasyland_pairs") == "Q 13, K 13, A 13"
    assert say_field(casual, "strict_order") == "yes"
    assert say_field(casual, "reveals_discards") == "no"
    assert say_field(casual, "scoop") == "3"
    nothing = rules_of({"base": "casual", "id": "own", "top_pair_royalties": dict.fromkeys("6789TJQKA", 0)})
    assert say_field(nothing, "top_pair_royalties") == "nothing"
    assert (say_seats(casual), say_seats(get_rules("ultimate"))) == ("2-3", "3")
