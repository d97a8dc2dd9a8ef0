"""`ofc tournament`: whole tournaments played by bots, logs of tournaments checked, and leagues counted from them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from ofc.bots import BOTS
from ofc.cli.bots import bots_faults, load_bots
from ofc.cli.errors import InputError, plain_faults, print_faults
from ofc.cli.inputs import read_bytes, read_input, rules_option
from ofc.cli.output import open_console, write_json
from ofc.cli.parsing import CheckedCommand
from ofc.errors import Fault, OfcError, counted
from ofc.rules import RuleSet
from ofc.tournament.checking import check_log, review_log
from ofc.tournament.events import Action, HandSettled
from ofc.tournament.history import Log
from ofc.tournament.league_formulas import FORMULAS, format_formula, parse_formula, points_text, rule_words
from ofc.tournament.league_table import Row, cells, event_result, is_over, league_table, write_league
from ofc.tournament.leagues import League, LeagueError, LinearPoints, league_faults
from ofc.tournament.log import LogError, read_log, write_log
from ofc.tournament.plain import structure_from_toml
from ofc.tournament.playing import BotHands, HandPlayer, Playing, Result, ScriptedHands, count_faults, default_structure
from ofc.tournament.state import Tournament
from ofc.tournament.structure import Structure
from ofc.tournament.suggesting import TEMPLATES

MOST_FAULTS: Final = 50
"""How many faults of one log are told to people; JSON tells them all."""
_BOT_IDS: Final = ", ".join(entry.id for entry in BOTS)
_TEMPLATE_IDS: Final = ", ".join(template.id for template in TEMPLATES)


@click.group()
def command() -> None:
    """Play whole tournaments with bots, check tournaments' logs, and count leagues."""


def _check(read: Mapping[str, Any]) -> Iterator[Fault]:
    yield from count_faults(read["players"]) if "players" in read else ()
    yield from () if read["scripted"] else bots_faults(read["bots"])


def _structure_for(_ctx: click.Context, _param: click.Parameter, name: str | None) -> Callable[[int], Structure]:
    """Return what makes the structure for so many players: a template, or the one in a TOML file as it is."""
    template = next((one for one in TEMPLATES if one.id == name), None)
    if template is not None:
        return template.structure
    structure = default_structure() if name is None else structure_from_toml(read_input(name))
    return lambda _players: structure


def _log_file(_ctx: click.Context, _param: click.Parameter, path: str | None) -> str | None:
    """Say what keeps a file from being written before anything is played."""
    if path is not None:
        target = Path(path)
        if not path or target.is_dir():
            reason = "it is a directory" if path else "an empty text names no file"
        elif target.parent.is_dir():
            return path
        else:
            reason = f"there is no folder {target.parent}"
        raise InputError(Fault("file-unwritable", f"cannot write {path}: {reason}", text=path))
    return path


@command.command(cls=CheckedCommand, check=_check)
@click.option("--players", default=75, show_default=True, type=int, help="How many players enter.")
@click.option(
    "--structure",
    "structure_for",
    metavar="FILE.toml|ID",
    callback=_structure_for,
    help=f"The levels: a TOML file (docs/tournaments.md) or a template: {_TEMPLATE_IDS}. A built-in one by default.",
)
@rules_option("tournament")
@click.option("--seed", default=1, show_default=True, type=int, help="The same seed gives the same tournament.")
@click.option(
    "--bots", metavar="ID,ID,…", default="heuristic", show_default=True, help=f"Who plays, in turns: {_BOT_IDS}."
)
@click.option("--scripted", is_flag=True, help="Make the results up instead of playing cards: seconds, not minutes.")
@click.option(
    "--log", "log_file", metavar="FILE", callback=_log_file, help="Write every entry of the event log to FILE."
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
def simulate(
    *,
    players: int,
    structure_for: Callable[[int], Structure],
    rules: RuleSet,
    seed: int,
    bots: str,
    scripted: bool,
    log_file: str | None,
    as_json: bool,
) -> None:
    """Play a whole tournament, to the winner.

    Tables, clock, breaks, moves and eliminations are those of a live event. About ten hands a second with the
    heuristic bot; docs/tournaments.md says what is counted.
    """
    by: HandPlayer = ScriptedHands() if scripted else BotHands(tuple(entry.bot for entry in load_bots(bots)))
    playing = Playing(players, structure_for(players), rules, seed=seed, by=by)
    with _progress(players) as show:
        while playing.play_hand():
            show(players - playing.players_left)
    if log_file is not None:
        _write(log_file, write_log(playing.log.entries))
    result = playing.result()
    if as_json:
        write_json({"players": players, "rules": rules.name, "seed": seed, **_plain(result)})
    else:
        _print(result, f"{players} players, {rules.title} ({rules.name}), seed {seed}")


@command.command(cls=CheckedCommand)
@click.argument("file", metavar="LOG", default="-")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
@click.pass_context
def check(ctx: click.Context, file: str, *, as_json: bool) -> None:
    """Replay a tournament's log and verify it.

    LOG, or standard input, is a log as `ofc tournament simulate --log` or a director's export has it. Every hand is
    settled again from what was entered. The exit status is 2 if anything is wrong; other words than this version's are
    no fault.
    """
    entries = read_log(read_bytes(file))
    review = review_log(entries)
    faults = review.faults
    events = [event for entry in entries if isinstance(entry, Action) for event in entry.events]
    hands = sum(isinstance(event, HandSettled) for event in events)
    if as_json:
        write_json(
            {
                "entries": len(entries),
                "hands": hands,
                "right": not faults,
                **plain_faults(faults),
                "remarks": plain_faults(review.remarks)["errors"],
            }
        )
    else:
        told = faults[:MOST_FAULTS]
        more = len(faults) - len(told)
        print_faults((*told, Fault("faults-more", f"and {more} more")) if more else told, as_json=False)
        if review.remarks:
            click.echo(
                f"{counted(len(review.remarks), 'entry', 'entries')} in other words, which is no fault; the first:"
            )
            click.echo(f"  {review.remarks[0].message}")
        click.echo(
            f"{counted(len(entries), 'entry', 'entries')}, {counted(hands, 'hand')} checked: "
            f"{counted(len(faults), 'fault') if faults else 'right'}."
        )
    if faults:
        ctx.exit(2)


@command.command(cls=CheckedCommand)
@click.argument("files", metavar="LOG...", nargs=-1, required=True)
@click.option(
    "--formula",
    metavar="NAME[:NUMBERS]",
    default="linear",
    show_default=True,
    help=f"Points for places: {', '.join(FORMULAS)} (docs/tournaments.md).",
)
@click.option("--best", type=int, help="So many results of each player count, the best; all by default.")
@click.option(
    "--least-played", default=0, show_default=True, type=int, help="Who played fewer events comes after those who did."
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
@click.option("--csv", "as_csv", is_flag=True, help="Write CSV, for spreadsheets.")
@click.option("--pdf", "pdf_file", metavar="FILE", help="Write the standings to FILE too, to be printed.")
@click.option("--name", default="League", show_default=True, help="What the league is called in print.")
def league(
    *,
    files: tuple[str, ...],
    formula: str,
    best: int | None,
    least_played: int,
    as_json: bool,
    as_csv: bool,
    pdf_file: str | None,
    name: str,
) -> None:
    """Count a league: the standings of several tournaments.

    Each LOG is a finished tournament's, as `ofc tournament simulate --log` or a director's export has it; all are
    checked first. Players are known by name. The exit status is 2 if anything is wrong.
    """
    rule, faults = _read_league(formula, best, least_played)
    faults += [Fault("formats-two", "JSON or CSV, not both")] if as_json and as_csv else []
    states: list[Tournament] = []
    known: dict[bytes, str] = {}
    for file in files:
        try:
            states.append(_read_finished(file, known))
        except OfcError as error:
            faults += [replace(fault, message=_with_file(file, fault.message)) for fault in error.faults]
    if faults:
        raise LeagueError(*faults)
    events = [event_result(state) for state in states]
    rows = league_table(rule, events)
    if pdf_file is not None:
        from ofc.web.league_prints import league_pdf  # noqa: PLC0415 - what prints takes long to start

        words = rule_words(rule)
        _write(pdf_file, league_pdf(name, f"{words[0].upper()}{words[1:]}.", rows, [event.name for event in events]))
    if as_csv:
        click.echo(write_league(rows, [event.name for event in events]), nl=False)
    elif as_json:
        listed = [{"name": one.name, "players": len(one.finishes), "buy_in": one.buy_in} for one in events]
        told = {"formula": format_formula(rule.formula), "best": best, "least_played": least_played}
        write_json({**told, "events": listed, "standings": rows})
    else:
        _print_league(rows, [event.name for event in events], rule)


def _read_league(formula: str, best: int | None, least_played: int) -> tuple[League, list[Fault]]:
    """Return the rule, and what is wrong with it."""
    faults: list[Fault] = []
    rule = League(LinearPoints(), best, least_played)
    try:
        rule = replace(rule, formula=parse_formula(formula))
    except LeagueError as error:
        faults += error.faults
    return rule, faults + league_faults(rule)


def _read_finished(file: str, known: dict[bytes, str]) -> Tournament:
    """Return a tournament as it ended; `OfcError` holds every fault of its log. `known` are the logs read before."""
    data = read_bytes(file)
    entries = read_log(data)
    faults = check_log(entries)
    if faults:
        raise LogError(*faults)
    own = write_log(entries)
    if own in known:
        raise LogError(Fault("event-twice", f"the same event as {known[own]}", text=file))
    known[own] = file
    state = Log.replay(entries).state
    if not is_over(state):
        raise LogError(Fault("event-unfinished", "the tournament is not finished: its places are not final", text=file))
    return state


def _with_file(file: str, message: str) -> str:
    return message if file in message else f"{'standard input' if file == '-' else file}: {message}"


def _write(path: str, data: bytes) -> None:
    try:
        Path(path).write_bytes(data)
    except (OSError, ValueError) as error:  # ValueError: a path with a null in it
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(Fault("file-unwritable", f"cannot write {path}: {reason}", text=path)) from error


def _is_terminal() -> bool:
    return sys.stderr.isatty()


@contextmanager
def _progress(players: int) -> Iterator[Callable[[int], None]]:
    """Show a bar of players who are out on standard error, where that is a terminal."""
    if not _is_terminal():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("players out"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("players out", total=players - 1)
        yield lambda out: progress.update(task, completed=out)


def _plain(result: Result) -> dict[str, Any]:
    return {
        "hands": result.hands,
        "levels_played": result.levels_played,
        "chips_total": result.chips_total,
        "standings": [
            {
                "place": one.place,
                "player": one.name,
                "stack": one.stack,
                "out_in_hand": result.out_in_hand.get(one.player),
                "prize": one.prize or 0,
            }
            for one in result.standings
        ],
        "moves": result.moves,
        "fantasyland_chains": result.fantasyland_chains,
        "longest_chain_hands": result.longest_chain_hands,
    }


def _print(result: Result, title: str) -> None:
    from rich.table import Table  # noqa: PLC0415 - half of the time it takes to start

    table = Table(title=title, title_justify="left")
    table.add_column("place", justify="right")
    table.add_column("player")
    for name in ("chips", "out in hand", "prize"):
        table.add_column(name, justify="right")
    for one in result.standings:
        out_in = result.out_in_hand.get(one.player)
        prize = f"{one.prize:,}" if one.prize else ""
        table.add_row(str(one.place), one.name, f"{one.stack:,}", "" if out_in is None else f"{out_in:,}", prize)
    open_console().print(table)
    click.echo(
        f"{counted(result.hands, 'hand')}, level {result.levels_played} reached, {counted(result.moves, 'move')}, "
        f"{counted(result.fantasyland_chains, 'Fantasyland chain')}, "
        f"the longest of {counted(result.longest_chain_hands, 'hand')}. {counted(result.chips_total, 'chip')}."
    )


def _print_league(rows: Sequence[Row], events: Sequence[str], rule: League) -> None:
    from rich.table import Table  # noqa: PLC0415 - half of the time it takes to start

    table = Table(title=f"{counted(len(events), 'event')}; {rule_words(rule)}", title_justify="left")
    table.add_column("place", justify="right")
    table.add_column("player")
    for name in ("points", "counted", "best", "places"):
        table.add_column(name, justify="right")
    for number, name in enumerate(events, start=1):
        table.add_column(f"{number} {name}", justify="right")
    for row in rows:
        place = str(row.place) if row.ranked else f"({row.place})"
        best, *_ = row.finishes
        facts = (points_text(row.points), f"{row.counted} of {row.played}", str(best), " ".join(map(str, row.finishes)))
        table.add_row(place, row.player, *facts, *cells(row, len(events)))
    open_console().print(table)
    click.echo("Ties: more first places, then more second places …, then the most points in one event.")
