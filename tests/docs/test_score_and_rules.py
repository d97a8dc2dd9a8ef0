"""The examples of docs/score.md and docs/rules.md work, and the pages leave nothing out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from ofc.board import ROWS
from ofc.calculator import Answer
from ofc.calculator.hands import PairAnswer, PlayerAnswer
from ofc.cli import main
from ofc.evaluation import Category
from ofc.rules import RULE_FIELDS, category_name
from ofc.rulesets import BUILT_IN, get_rules, rules_from_toml

ROOT = Path(__file__).parents[2]
SCORE = (ROOT / "docs/score.md").read_text("utf-8")
RULES = (ROOT / "docs/rules.md").read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def score(text: str) -> Answer:
    result = CliRunner().invoke(main, ["score", "--json"], input=text)
    assert result.exit_code == 0, result.stdout
    answer: Answer = json.loads(result.stdout)
    return answer


@pytest.mark.parametrize("place", range(3))
def test_each_text_is_the_same_hand(place: int) -> None:
    texts = blocks(SCORE, "text")
    assert len(texts) == 3
    assert [player["points"] for player in score(texts[place])["players"]] == [-4, 4]


def test_the_text_with_money_is_read_to_the_last_word() -> None:
    answer = score(blocks(SCORE, "text")[2])
    assert answer["rules"] == "tournament@2026-09-22"
    assert [(player["chips"], player["stack"]) for player in answer["players"]] == [(-300, 1_700), (300, 600)]
    assert answer["pairs"][0]["a"] == "Bo"


def test_the_json_example_is_the_ultimate_pages() -> None:
    (text,) = blocks(SCORE, "json")
    answer = score(text)
    assert [player["points"] for player in answer["players"]] == [7, 17, -24]


def test_every_key_of_the_answer_is_documented() -> None:
    for key in (*Answer.__annotations__, *PlayerAnswer.__annotations__, *PairAnswer.__annotations__):
        assert re.search(rf"`\.?{key}(\[\])?[`.]", SCORE), key


def test_every_field_of_a_rule_set_is_documented_with_its_rule() -> None:
    for name, field in RULE_FIELDS.items():
        (line,) = [line for line in RULES.splitlines() if line.startswith("| ") and f"`{name}`" in line.split("|")[1]]
        assert field.metadata["rule"] in line or field.metadata["rule"] == "-", name


def test_every_built_in_rule_set_and_hand_type_is_documented() -> None:
    for rules in BUILT_IN:
        assert f"| `{rules.id}` |" in RULES
        assert f"@{rules.version}" in RULES
    for category in Category:
        assert f"`{category_name(category)}`" in RULES


def test_the_example_of_a_rule_set_loads() -> None:
    (text,) = blocks(RULES, "toml")
    rules, base = rules_from_toml(text), get_rules("casual")
    assert (rules.name, rules.title, rules.scoop) == ("thursday@1", "Thursday night", 6)
    assert rules.top_trips_royalties == (*base.top_trips_royalties[:-2], 25, 30)
    assert rules.middle_royalties[Category.FULL_HOUSE] == 10
    assert all(f"`.{row}`" in SCORE or f".{row}`" in SCORE for row in ROWS)
