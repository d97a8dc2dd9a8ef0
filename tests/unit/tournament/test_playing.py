"""Whole tournaments played by themselves, and the commands that play and check them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ofc.bots import get_bot
from ofc.cli import main
from ofc.rulesets import get_rules
from ofc.scoring import Chips
from ofc.tournament.checking import check_log
from ofc.tournament.playing import BotHands, HandPlayer, Playing, PlayingError, ScriptedHands, default_structure
from ofc.tournament.structure import Break, Level, Structure, structure_faults

SHORT = Structure(Chips(500), (Level(Chips(20), minutes=15), Break(5), Level(Chips(50), hands=2), Level(Chips(100))))


def play(players: int, by: HandPlayer, *, seed: int = 1, rules: str = "tournament") -> Playing:
    playing = Playing(players, SHORT, get_rules(rules), seed=seed, by=by)
    while playing.play_hand():
        pass
    return playing


@pytest.mark.parametrize("rules", ["tournament", "pineapple", "classic"])
def test_a_scripted_tournament_has_a_winner_and_all_chips(rules: str) -> None:
    playing = play(40, ScriptedHands(), rules=rules)
    result = playing.result()
    assert result.chips_total == 40 * 500 == result.standings[0].stack
    assert [one.stack for one in result.standings[1:]] == [0] * 39
    assert sorted(result.out_in_hand) == sorted(one.player for one in result.standings[1:])
    assert result.levels_played == 3
    assert sum(one.prize or 0 for one in result.standings) == 40 * 100
    assert result.fantasyland_chains > 0
    assert check_log(playing.log.entries) == ()
    assert not playing.play_hand()


def test_bots_play_hands_by_the_cards() -> None:
    playing = play(5, BotHands((get_bot("random").bot, get_bot("heuristic").bot)), seed=2)
    assert playing.result().chips_total == 2500
    assert check_log(playing.log.entries) == ()


def test_the_same_seed_gives_the_same_tournament() -> None:
    one, two, other = (play(12, ScriptedHands(), seed=seed) for seed in (1, 1, 2))
    assert one.log.entries == two.log.entries != other.log.entries


def test_what_cannot_be_played_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlayingError, match="2 to 2000"):
        Playing(1, SHORT, get_rules("tournament"), seed=1, by=ScriptedHands())
    monkeypatch.setattr("ofc.tournament.playing.MAX_HANDS", 3)
    playing = Playing(20, SHORT, get_rules("tournament"), seed=1, by=ScriptedHands())
    assert [playing.play_hand() for _ in range(3)] == [True] * 3
    with pytest.raises(PlayingError, match="no winner"):
        playing.play_hand()


def test_the_built_in_structure_is_possible() -> None:
    assert structure_faults(default_structure()) == []


def run(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["tournament", *args])
    return result.exit_code, result.stdout, result.stderr


def test_simulate_and_check(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    code, out, _ = run("simulate", "--players", "9", "--scripted", "--json", "--log", str(log))
    told = json.loads(out)
    assert code == 0
    assert list(told) == [
        "players", "rules", "seed", "hands", "levels_played", "chips_total", "standings", "moves",
        "fantasyland_chains", "longest_chain_hands",
    ]  # fmt: skip
    assert list(told["standings"][0]) == ["place", "player", "stack", "out_in_hand", "prize"]
    assert sum(one["stack"] for one in told["standings"]) == told["chips_total"] == 9 * 5000
    code, out, _ = run("check", str(log))
    assert (code, out.endswith("right.\n")) == (0, True)
    code, out, _ = run("check", str(log), "--json")
    assert json.loads(out)["hands"] == told["hands"]
    lines = log.read_text("utf-8").splitlines()
    first, words = lines[0], json.loads(lines[0])["words"]
    lines[0] = first.replace(json.dumps(words, ensure_ascii=False), '"x"')
    log.write_text("\n".join(lines), "utf-8")
    code, out, _ = run("check", str(log))
    assert (code, f"  entry 1: its words are “x”; this version says “{words}”" in out) == (0, True)
    (remark,) = json.loads(run("check", str(log), "--json")[1])["remarks"]
    assert (remark["code"], remark["text"]) == ("words-other", "x")
    lines[0] = first
    lines[-2] = lines[-2].replace('"price":', '"price":1')
    log.write_text("\n".join(lines), "utf-8")
    code, out, err = run("check", str(log))
    assert code == 2
    assert f"entry {len(lines) - 1}, table" in err
    assert "price: 1" in err
    assert out.endswith(" checked: 1 fault.\n")
    assert json.loads(run("check", str(log), "--json")[1])["right"] is False


def test_many_faults_are_told_in_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ofc.cli.tournament.MOST_FAULTS", 1)
    log = tmp_path / "log.jsonl"
    run("simulate", "--players", "3", "--scripted", "--log", str(log))
    log.write_text(log.read_text("utf-8").replace('"price":', '"price":1'), "utf-8")
    code, _, err = run("check", str(log))
    assert code == 2
    assert "more" in err


def test_simulate_with_a_structure_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text("starting_stack = 100\nsteps = [{price = 10, minutes = 5}, {price = 20}]", "utf-8")
    code, out, _ = run("simulate", "--players", "4", "--structure", str(file), "--bots", "random", "--seed", "3")
    assert code == 0
    assert "400 chips" in out
    code, out, _ = run("simulate", "--players", "4", "--structure", "quick", "--scripted")
    assert code == 0


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["simulate", "--players", "1"], "players-count"),
        (["simulate", "--bots", "nobody"], "bot-unknown"),
        (["simulate", "--structure", "nothing.toml"], "file-missing"),
        (["simulate", "--players", "2", "--scripted", "--log", "/nowhere/log"], "file-unwritable"),
        (["simulate", "--players", "2", "--scripted", "--log", "\0"], "file-unwritable"),
        (["simulate", "--log", ""], "file-unwritable"),
        (["simulate", "--log", "."], "file-unwritable"),
        (["check", "nothing.jsonl"], "file-missing"),
    ],
)
def test_bad_calls_are_refused(args: list[str], code: str) -> None:
    status, out, _ = run(*args, "--json")
    assert status == 2
    assert json.loads(out)["errors"][0]["code"] == code


def test_a_bar_shows_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ofc.cli.tournament._is_terminal", lambda: True)
    code, _, _ = run("simulate", "--players", "4", "--scripted")
    assert code == 0
