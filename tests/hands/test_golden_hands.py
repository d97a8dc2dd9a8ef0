"""Hands that were played once stay what they were (SOURCE.md)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ofc.notation import (
    HandRecord,
    format_hand_text,
    format_record,
    parse_record,
    parse_records,
    replay_record,
    seen_by,
)
from ofc.rulesets import BUILT_IN
from ofc.scoring import CappedBy, Seat
from ofc.view import view_for
from tests.hands.play import RECIPES

HERE = Path(__file__).parent


def golden(name: str) -> list[HandRecord]:
    read = [record for _, record in parse_records((HERE / f"{name}.jsonl").read_bytes())]
    return [record for record in read if isinstance(record, HandRecord)]


def lines() -> Iterator[str]:
    for name in RECIPES:
        yield from (HERE / f"{name}.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize("line", [pytest.param(line, id=f"hand-{n}") for n, line in enumerate(lines(), start=1)])
def test_a_golden_hand_replays_and_reads_back(line: str) -> None:
    record = parse_record(line)
    assert format_record(record) == line
    frames = replay_record(record)
    assert len(frames) == len(record.actions) + 1
    for viewer in (None, *(entry.seat for entry in record.seats)):
        partial = parse_record(format_record(seen_by(record, viewer)))
        last = replay_record(partial)[-1].table
        assert view_for(last, viewer).result == view_for(frames[-1].table, viewer).result
        assert format_hand_text(partial).isascii()


def test_every_rule_set_has_a_hand() -> None:
    assert {record.rules.name for record in golden("rule-sets")} == {rules.name for rules in BUILT_IN}


def test_some_are_in_fantasyland() -> None:
    held = [entry.fantasyland for record in golden("fantasyland") for entry in record.seats]
    assert {13, 14} <= set(held)
    assert [record.button for record in golden("fantasyland")][:4] == [0, 1, 0, 0]


def test_some_pay_less_than_they_lost() -> None:
    records = golden("capped-chips")
    assert {pair.capped_by for record in records for pair in record.result.pairs} == {None, *CappedBy}
    assert min(player.stack or 0 for player in records[-1].result.players) == 0


def test_some_were_placed_for_the_player() -> None:
    forced = [action for record in golden("forced") for action in record.actions if action.forced]
    assert {0, 1, 5} <= {action.street for action in forced}
    assert Seat(0) in {action.seat for action in forced}
