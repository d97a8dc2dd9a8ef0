"""Time the exact setting of Fantasyland against trying every setting, on the same hands in the same run.

    python bench/fantasyland.py [HANDS]

The rival knows the worth of every row beforehand and only adds three numbers a setting. Seconds are of the processor.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations

from ofc.board import Row
from ofc.cards import DECK, Card
from ofc.evaluation import evaluate
from ofc.rules import RuleSet
from ofc.rulesets import get_rules
from ofc.scoring import Points, row_royalty
from ofc.solver import set_fantasyland

HANDS = 100
RIVAL_HANDS = 3


def try_every_setting(cards: Sequence[Card], rules: RuleSet) -> int:
    """Return the most royalties of 13 cards."""
    places = range(len(cards))
    fives = {choice: evaluate([cards[n] for n in choice]) for choice in combinations(places, 5)}
    tops = {choice: evaluate([cards[n] for n in choice]) for choice in combinations(places, 3)}
    below = {choice: row_royalty(Row.BOTTOM, strength, rules) for choice, strength in fives.items()}
    inside = {choice: row_royalty(Row.MIDDLE, strength, rules) for choice, strength in fives.items()}
    above = {choice: row_royalty(Row.TOP, strength, rules) for choice, strength in tops.items()}
    best = -1
    for bottom, strength in fives.items():
        rest = [n for n in places if n not in bottom]
        for middle in combinations(rest, 5):
            if fives[middle] <= strength:
                for top in combinations([n for n in rest if n not in middle], 3):
                    if tops[top] <= fives[middle]:
                        best = max(best, below[bottom] + inside[middle] + above[top])
    return best


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else HANDS
    rules = get_rules("ultimate")
    generator = random.Random(1)
    set_fantasyland(DECK[:17], rules, stay_bonus=Points(10))  # makes the tables
    rival_hands = [generator.sample(DECK, 13) for _ in range(RIVAL_HANDS)]
    rival = sum(_milliseconds(lambda hand=hand: try_every_setting(hand, rules)) for hand in rival_hands) / RIVAL_HANDS
    ours = sum(_milliseconds(lambda hand=hand: set_fantasyland(hand, rules)) for hand in rival_hands) / RIVAL_HANDS
    print(f"13 cards: every setting {rival:.0f} ms a hand, exact {ours:.1f} ms: {rival / ours:.0f} times as fast")
    for cards in (13, 14, 15, 16, 17):
        set_fantasyland(DECK[:cards], rules, stay_bonus=Points(10))
        times = sorted(
            _milliseconds(lambda: set_fantasyland(generator.sample(DECK, cards), rules, stay_bonus=Points(10)))  # noqa: B023
            for _ in range(count)
        )
        mean = sum(times) / count
        print(f"{cards} cards: median {times[count // 2]:.1f} ms, mean {mean:.1f} ms, slowest {times[-1]:.1f} ms")


if __name__ == "__main__":
    main()
