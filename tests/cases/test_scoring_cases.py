"""Every hand of scoring.jsonl comes out of `ofc score --json` as it should (SOURCE.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ofc.cli import main

CASES = [json.loads(line) for line in (Path(__file__).parent / "scoring.jsonl").read_text("utf-8").splitlines()]
WITH_CHIPS = [place for place, case in enumerate(CASES) if case["chips"]]
LEFT_FIRST = 'base = "tournament"\nid = "left-first"\nsettlement_order = "left-first"\n'


def _hand(case: dict[str, Any], *, rules: str | None = None) -> dict[str, Any]:
    name = rules or case["rules"]
    hand: dict[str, Any] = {
        "rules": name,
        "players": [
            {"name": f"seat {seat}", "top": top, "middle": middle, "bottom": bottom, "fantasyland": held}
            for seat, ((top, middle, bottom), held) in enumerate(zip(case["boards"], case["fantasyland"], strict=True))
        ],
    }
    if name == "ultimate-upgrade":
        hand |= {"rules": "ultimate", "dealt_on": "2026-09-21"}
    if case["chips"]:
        hand |= {"button": case["chips"]["button"], "price": case["chips"]["price"]}
        for player, stack in zip(hand["players"], case["chips"]["stacks"], strict=True):
            player["stack"] = stack
    return hand


def _score(hands: list[dict[str, Any]], *options: str) -> list[dict[str, Any]]:
    lines = "".join(json.dumps(hand) + "\n" for hand in hands)
    result = CliRunner().invoke(main, ["score", "--json", *options], input=lines)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="session")
def answers() -> list[dict[str, Any]]:
    return _score([_hand(case) for case in CASES])


@pytest.fixture(scope="session")
def left_first_answers(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, Any]]:
    path = tmp_path_factory.mktemp("rules") / "left-first.toml"
    path.write_text(LEFT_FIRST)
    hands = [_hand(CASES[place], rules="left-first") for place in WITH_CHIPS]
    return dict(zip(WITH_CHIPS, _score(hands, "--rules", str(path)), strict=True))


def test_there_are_2000_cases() -> None:
    assert len(CASES) == 2_000
    assert len(WITH_CHIPS) > 100


@pytest.mark.parametrize("place", range(len(CASES)))
def test_case(place: int, answers: list[dict[str, Any]]) -> None:
    case, answer = CASES[place], answers[place]
    players = answer["players"]
    assert [player["points"] for player in players] == case["points"]
    assert [player["fouled"] for player in players] == case["fouled"]
    rows = [[player["royalties"][row] for row in ("top", "middle", "bottom")] for player in players]
    assert rows == case["royalties"]
    assert [player["fantasyland_next"] for player in players] == case["fantasyland_next"]
    assert _pairs(answer) == {(pair["a"], pair["b"]): pair["points"] for pair in case["pairs"]}
    assert answer["rules"].startswith(case["rules"].removesuffix("-upgrade") + "@")
    if case["chips"]:
        _assert_chips(answer, case, "button-first")


@pytest.mark.parametrize("place", WITH_CHIPS)
def test_case_paid_left_first(place: int, left_first_answers: dict[int, dict[str, Any]]) -> None:
    _assert_chips(left_first_answers[place], CASES[place], "left-first")


def _pairs(answer: dict[str, Any]) -> dict[tuple[int, int], int]:
    points = {}
    for pair in answer["pairs"]:
        a, b = _seat(pair["a"]), _seat(pair["b"])
        points[min(a, b), max(a, b)] = pair["points"] if a < b else -pair["points"]
    return points


def _assert_chips(answer: dict[str, Any], case: dict[str, Any], order: str) -> None:
    transfers = [[_seat(pair["a"]), _seat(pair["b"]), pair["chips"], pair["capped_by"]] for pair in answer["pairs"]]
    assert transfers == case["chips"][order]["transfers"]
    assert [player["stack"] for player in answer["players"]] == case["chips"][order]["stacks"]
    assert [player["stack"] - player["chips"] for player in answer["players"]] == case["chips"]["stacks"]


def _seat(name: str) -> int:
    return int(name.removeprefix("seat "))
