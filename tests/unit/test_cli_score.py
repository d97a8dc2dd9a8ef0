"""What `ofc score` tells people, sentence by sentence, and how it is called."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ofc.board import Board, Row
from ofc.calculator.explaining import say_foul, say_next, say_row, say_transfer
from ofc.cli import main
from ofc.rulesets import get_rules
from ofc.scoring import CappedBy, Chips, Points, Seat, Transfer

ANNA = "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h"
BO = "Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c"
FOULED = "Kh Kc Qh / Ts Td 9h 5h 2h / Js Jc 7h 5c 3s"
TEXT = f"rules: pineapple\nAnna: {ANNA}\nBo: {BO}\n"


def score(text: str, *options: str) -> str:
    result = CliRunner().invoke(main, ["score", *options], input=text)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_text_is_answered_with_tables_that_explain_every_point() -> None:
    told = score(TEXT)
    for line in (
        "Pineapple (pineapple@2026-09-22), button: Bo",
        "│ Anna   │ top    │ 9♣ 8♦ 2♠       │ Nine high           │         │",
        "│        │ bottom │ A♥ J♥ 8♥ 6♥ 3♥ │ Flush, ace high     │      +4 │",
        "│ Bo against Anna │ top       │ Bo’s pair of queens beats Anna’s nine high            │     +1 │",
        "│                 │ middle    │ Anna’s pair of aces beats Bo’s pair of kings          │     −1 │",
        "│                 │ bottom    │ Anna’s flush, ace high beats Bo’s straight to the ten │     −1 │",
        "│                 │ royalties │ Bo 9, Anna 4                                          │     +5 │",
        "│                 │ in all    │ Bo wins 4 from Anna                                   │     +4 │",
        "│ Anna   │     −4 │                                                         │",
        "│ Bo     │     +4 │ enters Fantasyland with 14 cards: pair of queens on top │",
    ):
        assert line in told.splitlines()
    assert "\x1b" not in told


def test_money_is_explained() -> None:
    text = TEXT.replace("Anna:", "Anna (stack 2,000):").replace("Bo:", "Bo (stack 300):") + "price: 100"
    told = score(text)
    assert "button: Bo, 100 a point" in told
    assert "Anna owes Bo 4 × 100 = 400; Bo can win no more than the 300 Bo has, so Anna pays 300" in told
    assert "│ Anna   │     −4 │  −300 │ 1,700 │" in told


def test_a_foul_is_explained() -> None:
    told = score(f"rules: ultimate\nAnna: {ANNA}\nBo: {BO}\nCy: {FOULED}")
    assert "the top (pair of kings) is stronger than the middle (pair of tens)" in told
    assert "Cy is fouled" in told
    assert "wins all three rows" in told


def test_two_fouls_are_explained() -> None:
    told = score(f"rules: pineapple\nAnna: {FOULED}\nBo: Ac Ad 4d / 8s 7c 6d 4s 2c / Th 9c 7d 6s 4c")
    assert "both are fouled: nothing is counted" in told
    assert "│ Anna   │      0 │" in told


def test_royalties_are_not_mentioned_where_there_are_none() -> None:
    told = score(
        "rules: pineapple\nAnna: 9c 8d 2s / 7s 7d 6s 4d 3d / Ah Ac Kh 6h 3h\n"
        "Bo: Th 5h 3c / Jc Jd 8s 4c 2d / Qs Qh 7h 5s 4h"
    )
    assert "Anna wins 1 from Bo" not in told
    assert "│ royalties │" not in told
    assert "│ in all │ Bo wins 1 from Anna" in told


def test_json_goes_with_text_and_tables_with_json() -> None:
    as_json = json.loads(score(TEXT, "--json"))
    assert [player["name"] for player in as_json["players"]] == ["Anna", "Bo"]
    rows = {name: dict(zip(("top", "middle", "bottom"), board.split(" / "), strict=True))
            for name, board in (("Anna", ANNA), ("Bo", BO))}  # fmt: skip
    item = {"rules": "pineapple", "players": [{"name": name, **row} for name, row in rows.items()]}
    assert score(json.dumps(item)) == score(TEXT)
    assert json.loads(score(json.dumps(item), "--json")) == as_json
    batch = score(json.dumps([item, item]))
    assert batch.startswith("Hand 1\n")
    assert "\nHand 2\n" in batch
    assert score(json.dumps([]), "--json") == "[]\n"
    assert len(score("\n".join([json.dumps(item)] * 3), "--json").splitlines()) == 3


def test_a_file_and_rules_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "hand.txt").write_text(TEXT.replace("rules: pineapple\n", ""))
    (tmp_path / "own.toml").write_text('id = "own"\nbase = "pineapple"\n[bottom_royalties]\nflush = 40')
    result = CliRunner().invoke(
        main, ["score", str(tmp_path / "hand.txt"), "--rules", str(tmp_path / "own.toml"), "--json"]
    )
    answer = json.loads(result.stdout)
    assert (answer["rules"], answer["players"][0]["points"]) == ("own@1", 32)
    assert json.loads(score(TEXT, "--json", "--rules", str(tmp_path / "own.toml")))["rules"] == "pineapple@2026-09-22"


def test_rules_by_option_follow_the_date_of_the_hand() -> None:
    text = "dealt on: 2026-09-21\n" + TEXT.replace("rules: pineapple\n", "")
    assert json.loads(score(text, "--json", "--rules", "pineapple"))["rules"] == "pineapple@2013-01-01"
    named = json.loads(score(text, "--json", "--rules", "pineapple@2026-09-22"))
    assert named["rules"] == "pineapple@2026-09-22"


@pytest.mark.parametrize("is_collecting", [True, False])
def test_collecting_garbage_goes_on_afterwards(is_collecting: bool) -> None:
    try:
        (gc.enable if is_collecting else gc.disable)()
        score(TEXT)
        assert gc.isenabled() is is_collecting
    finally:
        gc.enable()


# ------------------------------------------------------------------------------------------------------ sentences


@pytest.mark.parametrize(
    ("board", "strict", "words"),
    [
        (ANNA, True, ""),
        ("Kh Kd Ac / Ks Kc Qd Jh 9s / 2c 3c 4c 5c 6c", False,
         "the top (pair of kings) is stronger than the middle (pair of kings), by its kickers"),
        ("2c 3d 4h / Ac Kd 9h 7c 5d / Ad Kc 9s 7h 5c", False, ""),
        ("2c 3d 4h / Ac Kd 9h 7c 5d / Ad Kc 9s 7h 5c", True,
         "the middle and the bottom are equally strong (ace high), a foul in these rules"),
        ("Ah As Ac / 2c 2d 2h 3c 4c / 5c 5d 9h 8h 7h", False,
         ("the top (three aces) is stronger than the middle (three twos); "
          "the middle (three twos) is stronger than the bottom (pair of fives)")),
    ],
)  # fmt: skip
def test_say_foul(board: str, strict: bool, words: str) -> None:
    assert say_foul(Board.parse(board), strict=strict) == words


@pytest.mark.parametrize(
    ("board", "rules", "held", "following", "words"),
    [
        (ANNA, "ultimate", 0, 0, ""),
        (ANNA, "ultimate", 14, 0, "leaves Fantasyland"),
        (BO, "ultimate", 0, 14, "enters Fantasyland with 14 cards: pair of queens on top"),
        ("2c 2d 2h / 3s 3h 3d 5s 5h / 7s 7h 7d 7c 9s", "ultimate", 15, 15,
         "stays in Fantasyland with 15 cards: three twos on top and four sevens at the bottom"),
        ("4c 2d 2h / 3s 3h 3d 5s 5h / 7s 7h 7d 8c 8s", "casual", 13, 13,
         "stays in Fantasyland with 13 cards: full house, threes over fives in the middle"),
    ],
)  # fmt: skip
def test_say_next(board: str, rules: str, held: int, following: int, words: str) -> None:
    assert say_next(Board.parse(board), get_rules(rules), held=held, following=following) == words


@pytest.mark.parametrize(
    ("points", "chips", "capped_by", "before", "words"),
    [
        (0, 0, None, (5, 5), "nothing to pay"),
        (4, 400, None, (900, 900), "Bo pays Anna 4 × 100 = 400"),
        (-4, -400, None, (900, 900), "Anna pays Bo 4 × 100 = 400"),
        (4, 50, CappedBy.LOSER, (900, 50), "Bo owes Anna 4 × 100 = 400, has 50 and pays 50"),
        (-4, 0, CappedBy.LOSER, (0, 50), "Anna owes Bo 4 × 100 = 400, has 0 and pays 0"),
        (40, 1_050, CappedBy.WINNER, (1_050, 9_000),
         "Bo owes Anna 40 × 100 = 4,000; Anna can win no more than the 1,050 Anna has, so Bo pays 1,050"),
    ],
)  # fmt: skip
def test_say_transfer(points: int, chips: int, capped_by: CappedBy | None, before: tuple[int, int], words: str) -> None:
    transfer = Transfer(Seat(0), Seat(1), Points(points), Chips(chips), capped_by)
    assert say_transfer(("Anna", "Bo"), transfer, before=before, price=100) == words


def test_say_row() -> None:
    boards = (Board.parse("Kh Kd 9c / - / -"), Board.parse("Ks Kc 8c / - / -"))
    assert say_row(("Anna", "Bo"), boards, Row.TOP, 1) == "Anna’s pair of kings beats Bo’s pair of kings, on kickers"
    assert say_row(("Bo", "Anna"), boards[::-1], Row.TOP, -1) == (
        "Anna’s pair of kings beats Bo’s pair of kings, on kickers"
    )
    assert say_row(("Anna", "Bo"), boards, Row.TOP, 0) == "a tie: pair of kings against pair of kings"
