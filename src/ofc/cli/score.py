"""`ofc score`: the points calculator."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ofc.calculator import Outcome, Scored, ScoredHand, Shape, answer, score_input
from ofc.cli.errors import plain_faults, print_faults
from ofc.cli.inputs import BUILT_IN_IDS, load_rules, read_input
from ofc.cli.output import open_console, write_json, write_json_lines
from ofc.cli.parsing import CheckedCommand
from ofc.rules import RuleSet


def _rules(_ctx: click.Context, _param: click.Parameter, text: str) -> RuleSet | str:
    # An id stays an id: which of its versions is meant follows from the day of each hand (R-FL-6).
    return text if text in BUILT_IN_IDS else load_rules(text)


def _text(_ctx: click.Context, _param: click.Parameter, path: str) -> str | None:
    # Standard input is read last, when nothing is wrong with the call.
    return None if path == "-" else read_input(path)


@click.command(cls=CheckedCommand)
@click.argument("text", metavar="[FILE]", default="-", callback=_text)
@click.option(
    "--rules",
    metavar="ID|FILE.toml",
    default="ultimate",
    show_default=True,
    callback=_rules,
    help="The rule set for hands that name none: an id (see `ofc rules`), or a TOML file of one's own.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")
@click.pass_context
def command(ctx: click.Context, text: str | None, rules: RuleSet | str, *, as_json: bool) -> None:
    """Count the points of finished hands, and explain each.

    FILE, or standard input, holds one hand as people write it, for instance

    \b
        rules: pineapple
        Anna: 9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h
        Bo: Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c

    or hands in JSON: an object, an array, or an object on each line. docs/score.md describes all of them. The
    exit status is 2 if anything was wrong with any hand.
    """  # noqa: D301 - a backspace, which keeps click from filling the lines after it
    with _without_collecting():
        scored = score_input(read_input("-") if text is None else text, rules=rules)
        if as_json:
            _write_json(scored)
        else:
            _write_text(scored)
    if not all(isinstance(outcome, ScoredHand) for outcome in scored.outcomes):
        ctx.exit(2)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Leave garbage uncollected: everything lives until the end anyway, and looking for some doubles the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _write_json(scored: Scored) -> None:
    answers = [_plain(outcome) for outcome in scored.outcomes]
    if scored.shape is Shape.LINES:
        write_json_lines(answers)
    else:
        write_json(answers if scored.shape is Shape.ARRAY else answers[0])


def _plain(outcome: Outcome) -> object:
    return answer(outcome) if isinstance(outcome, ScoredHand) else plain_faults(outcome)


def _write_text(scored: Scored) -> None:
    # rich takes half of the time that the command needs to start, and JSON needs none of it.
    from ofc.cli.score_text import print_hand  # noqa: PLC0415

    console = open_console()
    for number, outcome in enumerate(scored.outcomes, 1):
        hand = None if scored.shape is Shape.HAND else number
        if isinstance(outcome, ScoredHand):
            print_hand(console, outcome, number=hand)
        else:
            print_faults(outcome, as_json=False, hand=hand)
