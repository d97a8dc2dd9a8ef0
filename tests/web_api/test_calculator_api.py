"""`POST /api/calculator`: the same answer as `ofc score --json`, and what unfinished boards come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from ofc.cli import main
from tests.web_api.helpers import codes

_LINES = (Path(__file__).parents[1] / "cases" / "scoring.jsonl").read_text("utf-8").splitlines()
_ALL = [json.loads(line) for line in _LINES]
CASES = [*_ALL[:150], *[case for case in _ALL[150:] if case["chips"]][:60]]
ANNA = {"name": "Anna", "top": "9c 8d 2s", "middle": "Ac Ad 7s 6s 3d", "bottom": "Ah Jh 8h 6h 3h"}
BO = {"name": "Bo", "top": "Qc Qd 4s", "middle": "Ks Kd 9s 5d 2c", "bottom": "Tc 9d 8c 7d 6c"}
HAND: dict[str, Any] = {"rules": "tournament", "players": [ANNA, BO]}


def hand_of(case: dict[str, Any]) -> dict[str, Any]:
    upgrade = case["rules"] == "ultimate-upgrade"
    hand: dict[str, Any] = {
        "rules": "ultimate" if upgrade else case["rules"],
        "players": [
            {"name": f"seat {seat}", "top": top, "middle": middle, "bottom": bottom, "fantasyland": held}
            for seat, ((top, middle, bottom), held) in enumerate(zip(case["boards"], case["fantasyland"], strict=True))
        ],
    }
    if upgrade:
        hand["dealt_on"] = "2026-09-21"
    if case["chips"]:
        hand |= {"button": case["chips"]["button"], "price": case["chips"]["price"]}
        for player, stack in zip(hand["players"], case["chips"]["stacks"], strict=True):
            player["stack"] = stack
    return hand


def calculate(client: TestClient, **fields: Any) -> dict[str, Any]:
    answer = client.post("/api/calculator", json={**HAND, **fields})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(client: TestClient, body: object) -> list[dict[str, Any]]:
    answer = client.post("/api/calculator", json=body)
    assert answer.status_code == 400, answer.text
    errors: list[dict[str, Any]] = answer.json()["errors"]
    return errors


def test_the_answer_is_that_of_ofc_score(client: TestClient) -> None:
    hands = [hand_of(case) for case in CASES]
    run = CliRunner().invoke(main, ["score", "--json"], input="".join(json.dumps(hand) + "\n" for hand in hands))
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(hands) > 200
    for hand, expected in zip(hands, answers, strict=True):
        asked = {name: value for name, value in hand.items() if name != "dealt_on"} | {"rules": expected["rules"]}
        found = client.post("/api/calculator", json=asked).json()
        assert found["result"] == expected
        assert found["missing"] == []
        assert [player["fouled"] for player in found["players"]] == [one["fouled"] for one in expected["players"]]
        for words, pair in zip(found["words"], expected["pairs"], strict=True):
            assert sum(line["points"] for line in words["lines"] if not line["part"].endswith("all")) == pair["points"]
            assert (words["a"], words["b"]) == (pair["a"], pair["b"])
            assert all(line["why"] for line in words["lines"])


def test_a_finished_hand_says_who_pays_whom_and_who_goes_where(client: TestClient) -> None:
    players = [{**ANNA, "stack": 100}, {**BO, "stack": 250}]
    found = calculate(client, price=60, button=1, players=players)
    assert found["rules"].startswith("tournament@")
    (bo,) = found["next"]
    assert bo["player"] == "Bo"
    assert "14" in bo["words"]
    assert sum(player["stack"] for player in found["result"]["players"]) == 350
    assert found["words"][0]["payment"]


def test_nulls_are_as_if_they_were_not_there(client: TestClient) -> None:
    players = [{**ANNA, "stack": None, "fantasyland": None}, {**BO, "stack": None}]
    assert calculate(client, price=None, button=None, players=players) == calculate(client)


@pytest.mark.parametrize("empty", ["", None])
def test_unfinished_boards_say_what_is_missing(client: TestClient, empty: str | None) -> None:
    chloe = {"name": "Chloé", "top": "Qs Qh", "middle": empty, "bottom": "3s 4h 5s 6d"}
    found = calculate(client, players=[chloe, BO, {"name": "Dag"}])
    assert found["result"] is None
    assert (found["words"], found["next"]) == ([], [])
    assert found["missing"][:3] == [
        "Chloé: 1 card on top",
        "Chloé: 5 cards in the middle",
        "Chloé: 1 card at the bottom",
    ]
    rows = found["players"][0]["rows"]
    assert (rows["top"]["royalty"], rows["top"]["missing"]) == (7, 1)
    assert "queens" in rows["top"]["hand"].lower()
    assert rows["middle"]["missing"] == 5
    assert found["players"][0]["fouled"] is False
    assert {"Qs", "3s", "Tc"} <= set(found["used"])
    assert len(found["used"]) == 6 + 13


def test_one_alone_is_looked_at_while_the_others_are_not_there(client: TestClient) -> None:
    found = calculate(client, rules="classic", players=[ANNA, {"name": "Bo"}])
    assert found["result"] is None
    assert found["players"][0]["rows"]["bottom"]["missing"] == 0


def test_a_foul_is_said_before_the_others_are_done(client: TestClient) -> None:
    fouled = {"name": "Anna", "top": "Ac Ad As", "middle": "2c 3d 4s 5h 7c", "bottom": "Kc Kd 4h 5s 9d"}
    anna = calculate(client, players=[fouled, {"name": "Bo"}])["players"][0]
    assert anna["fouled"] is True
    assert anna["foul_words"]


def test_rules_of_ones_own_and_of_a_version(client: TestClient) -> None:
    own = calculate(client, rules={"base": "tournament", "id": "ours", "scoop": 0})
    assert own["result"]["rules"].startswith("ours")
    assert calculate(client, rules=calculate(client)["rules"])["rules"] == calculate(client)["rules"]


def test_every_fault_is_told_with_its_field_and_text(client: TestClient) -> None:
    errors = refused(
        client,
        {
            "rules": "bridge", "extra": 1,
            "players": [
                {"name": " ", "top": "Zz", "middle": 5, "bottom": "2c 3c 4c 5c 6c 7c", "hat": "red"},
                7,
                {"name": "Bo", "top": "2c"},
                {"name": "Di", "top": "2c"},
            ],
        },
    )  # fmt: skip
    assert {(fault["code"], fault["field"]) for fault in errors} >= {
        ("rules-unknown", "rules"),
        ("name-invalid", "players[0].name"),
        ("card-unknown", "players[0].top"),
        ("row-invalid", "players[0].middle"),
        ("row-count", "players[0].bottom"),
        ("field-unknown", "players[0].hat"),
        ("player-invalid", "players[1]"),
        ("card-twice", "players[2].top"),
        ("field-unknown", "extra"),
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"players": []}, ["players-too-few"]),
        ({"players": [{"name": f"P{n}"} for n in range(5)]}, ["players-too-many"]),
        ({"players": [{"name": f"P{n}"} for n in range(5)], "rules": "x"}, ["rules-unknown", "players-count"]),
        ({"players": [{**ANNA, "fantasyland": 12}, BO], "rules": "x"}, ["rules-unknown", "fantasyland-count"]),
        ({"players": "Anna"}, ["players-invalid"]),
        ({"players": None}, ["players-missing"]),
        ({"players": [ANNA], "rules": "ultimate"}, ["players-too-few"]),
        ({"rules": None}, ["rules-unknown"]),
        ({"rules": {"base": "tournament", "id": "x", "hats": 2}}, ["rules-field-unknown"]),
        ({"dealt_on": "2026-09-21"}, ["field-unknown"]),
        ({"players": [ANNA, {**BO, "name": "Anna"}]}, ["name-twice"]),
        ({"button": 7}, ["button-unknown"]),
        ({"price": 10}, ["stack-missing", "stack-missing"]),
        ({"players": [{**ANNA, "stack": 5}, {**BO, "stack": -5}]}, ["price-missing", "stack-invalid"]),
        ({"players": [{**ANNA, "fantasyland": 12}, BO]}, ["fantasyland-count"]),
        (
            {"players": [{**ANNA, "top": "9c", "fantasyland": 12}, {**BO, "name": "Anna", "stack": -1}], "button": 2},
            ["name-twice", "fantasyland-count", "button-unknown", "stack-invalid"],
        ),
        (
            {"players": [{**ANNA, "fantasyland": 12}, {**BO, "name": "Anna", "top": "Qc Qd 9c"}], "price": 5, "hue": 1},
            ["field-unknown", "name-twice", "card-twice", "fantasyland-count", "stack-missing", "stack-missing"],
        ),
    ],
)
def test_what_cannot_be_is_refused(client: TestClient, change: dict[str, Any], expected: list[str]) -> None:
    assert codes({"errors": refused(client, {**HAND, **change})}) == expected


def test_a_card_that_lies_in_many_places_is_told_once_with_all_of_them(client: TestClient) -> None:
    players = [{**ANNA, "name": f"P{number}"} for number in range(5)]
    errors = refused(client, {**HAND, "players": players})
    assert codes({"errors": errors}) == ["players-too-many", *["card-twice"] * 13]
    nine = errors[1]
    assert (nine["player"], nine["row"], nine["field"], nine["text"]) == ("P1", "top", "players[1].top", "9c")
    assert nine["message"] == "P1, top: 9c is there already, in P0, top, and in P2, top, and in P3, top, and in P4, top"


def test_money_may_be_incomplete_while_cards_are(client: TestClient) -> None:
    assert calculate(client, price=10, players=[ANNA, {**BO, "top": "Qc"}])["result"] is None
    assert calculate(client, players=[{**ANNA, "stack": 5}, {"name": "Bo"}])["missing"]


def test_of_very_many_faults_the_first_hundred_are_told(client: TestClient) -> None:
    players = [{"name": f"P{number}", "hat": 1} for number in range(200)]
    assert len(refused(client, {**HAND, "players": players})) == 100


def test_no_json_and_too_much_of_it(client: TestClient) -> None:
    assert codes(client.post("/api/calculator", content=b"top: Ac").json()) == ["json-malformed"]
    large = client.post("/api/calculator", content=b" " * 70_000)
    assert (large.status_code, codes(large.json())) == (413, ["body-too-large"])


TYPED = """
rules: tournament
price: 60
button: Bo
Anna (stack 1,200, 15 cards in Fantasyland): 9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h
Bo – q♣ q♦ / ks, kd
"""


def read_text(client: TestClient, text: object) -> Any:
    return client.post("/api/calculator/text", json={"text": text})


def test_typed_boards_are_read_finished_or_not(client: TestClient) -> None:
    anna, bo = (answer := read_text(client, TYPED).json()).pop("players")
    assert answer == {"rules": "tournament@2026-09-22", "price": 60, "button": 1}
    assert (anna["name"], anna["stack"], anna["fantasyland"], len(anna["rows"]["bottom"])) == ("Anna", 1200, 15, 5)
    assert bo == {
        "name": "Bo",
        "rows": {"top": ["Qc", "Qd"], "middle": ["Ks", "Kd"], "bottom": []},
        "fantasyland": 0,
        "stack": None,
    }


def test_typed_boards_without_names_or_settings_leave_the_pages_own(client: TestClient) -> None:
    answer = read_text(client, "9c 8d 2s / Ac Ad\n\nKs Kd Kh").json()
    assert (answer["rules"], answer["price"], answer["button"]) == (None, None, None)
    assert [player["name"] for player in answer["players"]] == [None, None]


def test_everything_wrong_with_typed_boards_is_told(client: TestClient) -> None:
    text = "rules: chess\ndate: 1\nprice: -5\nAnna (late): 9c Xx\nBo (stack many): Ac Qd 4s 5s\nCy: 2c 2c"
    response = read_text(client, text)
    assert response.status_code == 400
    expected = (
        "card-twice card-unknown dealt-on-invalid detail-unknown price-invalid row-count rules-unknown stack-invalid"
    )
    assert sorted({fault["code"] for fault in response.json()["errors"]}) == expected.split()
    for nothing in (5, None, "", "\n\n"):
        assert read_text(client, nothing).status_code == 400
