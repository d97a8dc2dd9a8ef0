"""Time a tournament of 900 players with made-up results, and the opening of its log and of a three-day event's.

    python bench/tournament.py [PLAYERS]

Seconds are of the processor. The limits: 20 seconds for the tournament, one second to open the log of three days.
"""

import sys
import time

from ofc.rulesets import get_rules
from ofc.scoring import Chips
from ofc.service.tournaments import replay_rows
from ofc.storage import StoredRow
from ofc.tournament.checking import check_log
from ofc.tournament.log import encode_entry
from ofc.tournament.playing import Playing, ScriptedHands, default_structure
from ofc.tournament.structure import Level, Structure

PLAYERS = 900
THREE_DAYS = Structure(
    Chips(15_000),
    tuple(Level(Chips(price), minutes=90) for price in (100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000))
    + tuple(Level(Chips(1000 * price), minutes=90) for price in (4, 6, 8, 10, 15, 20, 30, 40)),
)
"""About thirty hours of play."""


def play(players: int, structure: Structure) -> Playing:
    playing = Playing(players, structure, get_rules("tournament"), seed=1, by=ScriptedHands())
    while playing.play_hand():
        pass
    return playing


def report(title: str, players: int, structure: Structure) -> None:
    began = time.process_time()
    playing = play(players, structure)
    played = time.process_time() - began
    rows = [StoredRow(entry.seq, *encode_entry(entry)) for entry in playing.log.entries]
    size = sum(len(row.body) for row in rows)
    began = time.process_time()
    log = replay_rows(rows)
    opened = time.process_time() - began
    began = time.process_time()
    faults = check_log(log.entries)
    checked = time.process_time() - began
    entries = len(log.entries)
    print(f"{title}, {players} players: {playing.result().hands:,} hands, {entries:,} entries, {size:,} bytes")
    print(f"  played in {played:.1f} s, {1000 * played / entries:.2f} ms an entry")
    print(f"  opened in {opened:.2f} s, {1_000_000 * opened / entries:.0f} µs an entry")
    print(f"  checked in {checked:.1f} s, {len(faults)} faults")


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else PLAYERS
    report("one evening (limit 20 s to play)", players, default_structure())
    report("three days (limit 1 s to open)", players, THREE_DAYS)


if __name__ == "__main__":
    main()
