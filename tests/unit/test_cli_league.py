"""`ofc tournament league`: its table, JSON and CSV, and every fault of its inputs at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ofc.cli import main


def run(*options: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["tournament", "league", *options], input=stdin)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The logs of two finished tournaments of the same four players."""
    folder = tmp_path_factory.mktemp("league")
    files = [folder / "one.jsonl", folder / "two.jsonl"]
    for seed, file in enumerate(files, start=1):
        options = ["--players", "4", "--scripted", "--seed", str(seed), "--log", str(file)]
        assert CliRunner().invoke(main, ["tournament", "simulate", *options]).exit_code == 0
    return files


def places(log: Path) -> dict[str, int]:
    """Who finished where, as `simulate` tells it."""
    seed = {"one": "1", "two": "2"}[log.stem]
    result = CliRunner().invoke(
        main, ["tournament", "simulate", "--players", "4", "--scripted", "--seed", seed, "--json"]
    )
    return {one["player"]: one["place"] for one in json.loads(result.stdout)["standings"]}


def test_json_adds_the_events_up(logs: list[Path]) -> None:
    result = run(*map(str, logs), "--json")
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    assert list(told) == ["formula", "best", "least_played", "events", "standings"]
    assert (told["formula"], told["best"], told["least_played"]) == ("linear:1,1", None, 0)
    assert told["events"] == [{"name": "Simulation", "players": 4, "buy_in": 100}] * 2
    one, two = map(places, logs)
    assert {row["player"]: row["points"] for row in told["standings"]} == {
        player: 5 - one[player] + 5 - two[player] for player in one
    }
    points = [row["points"] for row in told["standings"]]
    assert points == sorted(points, reverse=True)
    assert told["standings"][0].keys() == {
        "place", "player", "points", "played", "counted", "finishes", "highest", "ranked", "results",
    }  # fmt: skip


def test_people_get_a_table(logs: list[Path]) -> None:
    result = run(*map(str, logs), "--best", "1", "--formula", "places:10,6/1", "--least-played", "2")
    assert result.exit_code == 0, result.output
    assert "2 events; by place 10, 6; all others 1; the best result counts; who played 2 events" in result.stdout
    assert "1 of 2" in result.stdout
    assert "(1)" in result.stdout
    assert "2 Simulation" in result.stdout


def test_who_played_too_little_has_a_place_in_parentheses(logs: list[Path]) -> None:
    assert "(1)" in run(str(logs[0]), "--least-played", "2").stdout


def test_csv_is_for_spreadsheets_and_a_log_may_come_from_standard_input(logs: list[Path]) -> None:
    result = run("-", str(logs[1]), "--csv", stdin=logs[0].read_bytes())
    assert result.exit_code == 0, result.output
    header, *lines = result.stdout.splitlines()
    assert header.endswith("place,player,points,events,counted,best,finishes,Simulation,Simulation")
    assert len(lines) == 4


def test_standings_are_written_to_be_printed(logs: list[Path], tmp_path: Path) -> None:
    for count, names in ((2, []), (15, ["--name", "Winter"])):
        pdf = tmp_path / f"{count}.pdf"
        copies = [tmp_path / f"{n}.jsonl" for n in range(count)]
        for n, copy in enumerate(copies):  # an event counts once: each is another's
            copy.write_text(logs[n % 2].read_text("utf-8").replace('"by":"simulation"', f'"by":"{n}"', 1), "utf-8")
        result = run(*map(str, copies), "--pdf", str(pdf), *names, "--csv")
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("\ufeffplace,player")
        assert pdf.read_bytes().startswith(b"%PDF")
    refused = run(str(logs[0]), "--pdf", str(tmp_path / "no" / "where.pdf"), "--json")
    assert (refused.exit_code, json.loads(refused.stdout)["errors"][0]["code"]) == (2, "file-unwritable")


def test_every_fault_is_told_at_once(logs: list[Path], tmp_path: Path) -> None:
    entries = logs[0].read_text("utf-8").splitlines()
    unfinished, wrong, cut = (tmp_path / name for name in ("unfinished", "wrong", "cut"))
    unfinished.write_text("\n".join(entries[:5]), "utf-8")
    wrong.write_text("\n".join(entries).replace('"price":', '"price":1', 1), "utf-8")
    cut.write_text("\n".join(entries)[:3000], "utf-8")
    files = [logs[0], logs[0], unfinished, wrong, cut, tmp_path / "nothing"]
    options = [*map(str, files), "-", "--formula", "golden", "--best", "0", "--least-played", "-1", "--csv"]
    result = run(*options)
    assert (result.exit_code, result.stdout) == (2, "")
    for words in (
        "no formula “golden”; there are linear, inverse",
        "1 result or more counts (“0”)",
        "0 events or more (“-1”)",
        f"the same event as {logs[0]}",
        f"{unfinished}: the tournament is not finished",
        f"{wrong}: ",
        f"{cut}: line ",
        f"there is no file {tmp_path / 'nothing'}",
        "standard input: there is no entry in it",
    ):
        assert words in result.stderr
    as_json = run(*options, "--json")
    codes = [fault["code"] for fault in json.loads(as_json.stdout)["errors"]]
    assert as_json.exit_code == 2
    assert {"formula-unknown", "formats-two", "event-twice", "event-unfinished", "file-missing", "log-empty"} <= {
        *codes
    }


def test_a_league_needs_a_log() -> None:
    assert run().exit_code == 2
