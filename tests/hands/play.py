"""Plays the golden hands from fixed seeds: `python -m tests.hands.play NAME` writes one file (SOURCE.md)."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from ofc.notation import HandRecord, format_record, record_of
from ofc.rulesets import BUILT_IN
from tests.tables import PLAIN_A, PLAIN_B, QUEENS, TRIPS, Game, any_placements

HERE = Path(__file__).parent


def rule_sets() -> Iterator[HandRecord]:
    for seed, rules in enumerate(BUILT_IN):
        game = Game(rules)
        game.deal(seed)
        game.play_out(random.Random(seed))
        yield record_of(game.table, table_id=f"golden-{rules.id}")


def fantasyland() -> Iterator[HandRecord]:
    for rules in ("ultimate", "tournament", "casual-progressive", "classic"):
        game = Game(rules, seats=3)
        game.play_boards({0: PLAIN_A, 1: QUEENS, 2: PLAIN_B})
        yield record_of(game.table, table_id=f"golden-{rules}")
        game.play_boards({0: PLAIN_A, 1: TRIPS, 2: PLAIN_B})
        yield record_of(game.table, table_id=f"golden-{rules}")


def capped_chips() -> Iterator[HandRecord]:
    game = Game("tournament", seats=3, money=(150, 10))
    generator = random.Random(3)
    while game.table.match_end is None:
        game.deal(generator.randrange(1_000_000))
        game.play_out(generator)
        yield record_of(game.table, table_id="golden-chips")


def forced() -> Iterator[HandRecord]:
    game = Game("pineapple", seats=2)
    generator = random.Random(4)
    for _ in range(2):
        game.deal(generator.randrange(1_000_000))
        while game.table.is_playing:
            game.expire(game.hand.to_act[0])
        yield record_of(game.table, table_id="golden-forced")
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.deal(generator.randrange(1_000_000))
    while game.table.is_playing:
        seat = game.hand.to_act[0]
        game.expire(seat, house=any_placements(game.hand, seat, generator))
    yield record_of(game.table, table_id="golden-forced")


RECIPES: dict[str, Callable[[], Iterator[HandRecord]]] = {
    "rule-sets": rule_sets,
    "fantasyland": fantasyland,
    "capped-chips": capped_chips,
    "forced": forced,
}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        lines = [format_record(record) + "\n" for record in RECIPES[name]()]
        (HERE / f"{name}.jsonl").write_text("".join(lines), "utf-8")
