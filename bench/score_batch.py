"""Time `ofc score --json` on 20,000 hands in one call, against its limit of 10 s.

    python bench/score_batch.py [HANDS]

Hands are drawn with a fixed seed, three players each, half of them with chips. Prints the seconds the whole command
took, start included, and what part of the limit that is.
"""

import json
import random
import resource
import subprocess
import sys
import time

from ofc.cards import format_cards, shuffled_deck

LIMIT_SECONDS = 10
HANDS = 20_000


def hands(count: int) -> list[dict[str, object]]:
    generator = random.Random(1)
    return [_hand(generator, has_chips=number % 2 == 1) for number in range(count)]


def _hand(generator: random.Random, *, has_chips: bool) -> dict[str, object]:
    deck = shuffled_deck(generator)
    players: list[dict[str, object]] = []
    for seat in range(3):
        cards = sorted(deck[13 * seat : 13 * seat + 13])
        players.append(
            {
                "name": f"Player {seat}",
                "top": format_cards(cards[:3]),
                "middle": format_cards(cards[3:8]),
                "bottom": format_cards(cards[8:]),
                **({"stack": generator.randrange(5_000)} if has_chips else {}),
            }
        )
    return {"rules": "tournament", "players": players, **({"price": 100} if has_chips else {})}


def _processor_seconds() -> float:
    """What the commands run so far have computed; on a busy machine far less than what they took."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else HANDS
    for shape, text in (
        ("array", json.dumps(hands(count))),
        ("lines", "\n".join(map(json.dumps, hands(count)))),
    ):
        started, used = time.perf_counter(), _processor_seconds()
        result = subprocess.run(  # our own command
            [sys.executable, "-m", "ofc", "score", "--json"], input=text.encode(), capture_output=True, check=True
        )
        seconds, processor = time.perf_counter() - started, _processor_seconds() - used
        answered = result.stdout.count(b'"pairs"')
        ratio = seconds / (LIMIT_SECONDS * count / HANDS)
        print(
            f"{shape}: {answered:,} hands in {seconds:.2f} s, {ratio:.2f} of the limit "
            f"({processor:.2f} s of them on the processor)"
        )


if __name__ == "__main__":
    main()
