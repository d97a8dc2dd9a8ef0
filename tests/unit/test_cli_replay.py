"""`ofc replay` on sound histories: what people and programs are shown."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from ofc.cli import main

HANDS = Path(__file__).parents[1] / "hands"


def test_a_hand_is_shown_street_by_street_and_found_right() -> None:
    result = CliRunner().invoke(main, ["replay", str(HANDS / "forced.jsonl"), "--hand", "1"])
    assert result.exit_code == 0
    assert "Street 1\n" in result.stdout
    assert "placed for the player: time was up" in result.stdout
    assert "Checked: the hand is legal, and its result is right." in result.stdout
    assert result.stdout.endswith("1 hand checked, none faulty.\n")


def test_a_file_is_checked_without_showing_it() -> None:
    result = CliRunner().invoke(main, ["replay", "--check", str(HANDS / "rule-sets.jsonl")])
    assert (result.exit_code, result.stdout) == (0, "9 hands checked, none faulty.\n")


def test_programs_get_each_step() -> None:
    data = (HANDS / "fantasyland.jsonl").read_bytes()
    result = CliRunner().invoke(main, ["replay", "--json", "--hand", "2"], input=data)
    (hand,) = json.loads(result.stdout)["hands"]
    assert (hand["line"], hand["legal"], hand["right"], hand["errors"]) == (2, True, True, [])
    assert hand["steps"][0]["street"] == 0
    assert len(hand["steps"][0]["dealt"]) == 14
    assert hand["steps"][0]["player"] == "Bo"
    assert hand["steps"][-1]["board"].count("/") == 2
    checked = CliRunner().invoke(main, ["replay", "--json", "--check"], input=data)
    assert all("steps" not in hand for hand in json.loads(checked.stdout)["hands"])
