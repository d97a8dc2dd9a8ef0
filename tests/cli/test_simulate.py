"""`ofc simulate`: its JSON, its table, and what it refuses."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ofc.cli import main, simulate


def run(*options: str) -> Result:
    return CliRunner().invoke(main, ["simulate", *options])


def report(*options: str) -> dict[str, Any]:
    result = run("--json", *options)
    assert result.exit_code == 0, result.output
    plain: dict[str, Any] = json.loads(result.stdout)
    return plain


def test_json_has_the_record_of_every_bot_in_the_order_asked() -> None:
    plain = report("--bots", "random, heuristic,random", "--hands", "8", "--match", "4", "--seed", "5")
    assert list(plain) == ["rules", "hands", "seed", "hands_per_second", "bots"]
    assert plain["rules"].startswith("ultimate@")
    assert (plain["seed"], plain["hands"] >= 8, plain["hands_per_second"] > 0) == (5, True, True)
    assert [bot["bot"] for bot in plain["bots"]] == ["random", "heuristic", "random"]
    for bot in plain["bots"]:
        assert list(bot) == [
            "bot",
            "hands",
            "points_per_hand",
            "points_stderr",
            "foul_percent",
            "fantasyland_entry_percent",
            "fantasyland_stay_percent",
            "royalties_per_hand",
        ]
        assert bot["hands"] == plain["hands"]
        assert 0 <= bot["foul_percent"] <= 100
    assert sum(bot["points_per_hand"] for bot in plain["bots"]) == pytest.approx(0, abs=1e-3)


def test_what_was_not_counted_is_null() -> None:
    plain = report("--bots", "random,random,random", "--hands", "1", "--match", "1")
    assert plain["bots"][0]["points_stderr"] is None
    assert plain["bots"][0]["fantasyland_stay_percent"] is None


def test_the_same_seed_gives_the_same_result() -> None:
    first, second = (report("--hands", "4", "--match", "2", "--seed", "9") for _ in range(2))
    assert first["bots"] == second["bots"]


def test_people_get_a_table() -> None:
    result = run("--bots", "random,random", "--rules", "casual", "--hands", "4", "--match", "2")
    assert result.exit_code == 0
    assert "Casual (casual@" in result.output
    assert "royalties a hand" in result.output
    assert "hands a second" in result.output


def test_rules_of_ones_own_are_played(tmp_path: Any) -> None:
    path = tmp_path / "own.toml"
    path.write_text('base = "pineapple"\nid = "own"\nscoop = 6\n', "utf-8")
    assert report("--rules", str(path), "--bots", "random,random", "--hands", "2", "--match", "2")["rules"] == "own@1"


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        (["--bots", "random,nobody,noone"], ["no bot “nobody”", "no bot “noone”"]),
        (["--bots", "random,random"], ["ultimate is played by 3, not 2"]),
        (["--hands", "0"], ["play 1 to 1000000000 hands, not 0"]),
        (["--hands", "many"], ["'many' is not a valid integer"]),
        (["--match", "0"], ["a match is 1 to 1000 hands, not 0"]),
        (["--rules", "poker"], ["no rule set “poker”"]),
    ],
)
def test_what_cannot_be_simulated_is_refused(options: list[str], messages: list[str]) -> None:
    result = run(*options)
    assert result.exit_code == 2
    assert all(message in result.stderr for message in messages)
    as_json = run("--json", *options)
    assert as_json.exit_code == 2
    assert len(json.loads(as_json.stdout)["errors"]) == len(messages)


def test_on_a_terminal_a_bar_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with simulate._progress(2) as advance:
        advance()
    assert "matches" in terminal.getvalue()
    assert "1/2" in terminal.getvalue()
