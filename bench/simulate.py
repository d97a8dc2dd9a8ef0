"""Time bulk play of three heuristic bots on one core, against its limit of 40 hands a second.

python bench/simulate.py [HANDS]
"""

import sys
import time

from ofc.bots import get_bot
from ofc.rulesets import get_rules
from ofc.simulation import simulate, summarise

LIMIT = 40
HANDS = 480


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else HANDS
    began, used = time.perf_counter(), time.process_time()
    matches = list(simulate([get_bot("heuristic").bot] * 3, get_rules("ultimate"), hands=count, seed=1))
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    hands = sum(match.hands for match in matches)
    records = summarise(matches)
    print(
        f"{hands} hands: {hands / seconds:.0f} a second, {hands / seconds / LIMIT:.2f} of the limit "
        f"({hands / processor:.0f} a second of processor time)"
    )
    fouled = sum(record.fouled for record in records) / 3
    royalties = sum(record.royalties for record in records) / 3
    print(f"fouls {100 * fouled:.1f} %, royalties {royalties:.2f} a hand")


if __name__ == "__main__":
    main()
