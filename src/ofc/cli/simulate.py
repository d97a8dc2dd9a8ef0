"""`ofc simulate`: bots play whole matches against each other, and their records are compared."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import click

from ofc.bots import BOTS, Bot
from ofc.cli.bots import bots_faults, load_bots
from ofc.cli.inputs import SEEDS, rules_option
from ofc.cli.output import open_console, write_json
from ofc.cli.parsing import CheckedCommand
from ofc.errors import Fault
from ofc.rules import RuleSet
from ofc.simulation import (
    DEFAULT_MATCH_HANDS,
    BotRecord,
    MatchPlayed,
    count_matches,
    simulate,
    simulation_faults,
    summarise,
)

_BOT_IDS: Final = ", ".join(entry.id for entry in BOTS)
_RARELY: Final = 100_000
"""Objects made between two collections of garbage."""


def _check(read: Mapping[str, Any]) -> Iterator[Fault]:
    yield from bots_faults(read["names"])
    count = len(read["names"].split(","))
    yield from simulation_faults(count, read.get("rules"), hands=read.get("hands"), match_hands=read.get("match_hands"))


@click.command(cls=CheckedCommand, check=_check)
@click.option(
    "--bots",
    "names",
    metavar="ID,ID,…",
    default="heuristic,heuristic,random",
    show_default=True,
    help=f"Who plays, as many as the rules take: {_BOT_IDS}.",
)
@rules_option()
@click.option("--hands", default=1000, show_default=True, type=int, help="Play at least so many hands.")
@click.option("--seed", default=1, show_default=True, type=SEEDS, help="The same seed gives the same result.")
@click.option(
    "--match",
    "match_hands",
    default=DEFAULT_MATCH_HANDS,
    show_default=True,
    type=int,
    help="Hands in a match; it goes on while Fantasyland is pending.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
def command(*, names: str, rules: RuleSet, hands: int, seed: int, match_hands: int, as_json: bool) -> None:
    """Let bots play whole matches against each other.

    Fantasyland is carried over and the button moves as at any table; each match takes the next seating in rotation.
    Matches are played to their end, so somewhat more hands are played than asked. docs/bots.md says what is counted.
    """
    bots = load_bots(names)
    ids = [entry.id for entry in bots]
    matches, seconds = _play([entry.bot for entry in bots], rules, hands=hands, seed=seed, match_hands=match_hands)
    played = sum(match.hands for match in matches)
    records = summarise(matches)
    speed = played / seconds
    if as_json:
        write_json(
            {
                "rules": rules.name,
                "hands": played,
                "seed": seed,
                "hands_per_second": round(speed, 1),
                "bots": [_plain(name, record) for name, record in zip(ids, records, strict=True)],
            }
        )
    else:
        _print(ids, records, f"{rules.title} ({rules.name}), {played:,} hands in {len(matches):,} matches, seed {seed}")
        click.echo(f"{speed:,.1f} hands a second")


def _play(
    bots: list[Bot], rules: RuleSet, *, hands: int, seed: int, match_hands: int
) -> tuple[list[MatchPlayed], float]:
    """Return the matches, and the seconds that they took."""
    matches = simulate(bots, rules, hands=hands, seed=seed, match_hands=match_hands)
    played = []
    began = time.perf_counter()
    collecting = gc.get_threshold()
    gc.set_threshold(_RARELY)  # play makes hardly any cycles: looking for them often costs a tenth of the time
    try:
        with _progress(count_matches(hands, match_hands)) as advance:
            for match in matches:
                played.append(match)
                advance()
    finally:
        gc.set_threshold(*collecting)
    return played, time.perf_counter() - began


@contextmanager
def _progress(matches: int) -> Iterator[Callable[[], None]]:
    """Show a bar of matches on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("matches", total=matches)
        yield lambda: progress.advance(task)


def _plain(bot_id: str, record: BotRecord) -> dict[str, object]:
    return {
        "bot": bot_id,
        "hands": record.hands,
        "points_per_hand": round(record.points, 4),
        "points_stderr": None if record.points_error is None else round(record.points_error, 4),
        "foul_percent": _percent(record.fouled),
        "fantasyland_entry_percent": _percent(record.entered),
        "fantasyland_stay_percent": _percent(record.stayed),
        "royalties_per_hand": round(record.royalties, 4),
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 3)


def _print(ids: list[str], records: tuple[BotRecord, ...], title: str) -> None:
    from rich.table import Table  # noqa: PLC0415 - a third of the time it takes to start

    table = Table(title=title, title_justify="left")
    table.add_column("bot")
    for column in ("hands", "points a hand", "± error", "fouls", "enters", "stays", "royalties a hand"):
        table.add_column(column, justify="right")
    for bot_id, record in zip(ids, records, strict=True):
        table.add_row(
            bot_id,
            f"{record.hands:,}",
            f"{record.points:+.2f}".replace("-", "−"),
            "–" if record.points_error is None else f"{record.points_error:.2f}",
            *(_share(share) for share in (record.fouled, record.entered, record.stayed)),
            f"{record.royalties:.2f}",
        )
    open_console().print(table)


def _share(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
