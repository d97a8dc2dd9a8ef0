"""Points formulas as people write them: `linear`, `linear:2,5`, `places:10,6,4/1`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ofc.errors import Fault
from ofc.tournament.leagues import (
    Formula,
    Hundredths,
    InversePoints,
    League,
    LeagueError,
    LinearPoints,
    NeauPoints,
    RootPoints,
    TablePoints,
    formula_faults,
)

MOST_PLACES: Final = 200
_NUMBER: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,2}))?")


@dataclass(frozen=True, slots=True)
class FormulaKind:
    """A formula that can be chosen. `takes` says what its numbers mean, `numbers` are those it has unless told."""

    title: str
    takes: str
    numbers: str


FORMULAS: Final[Mapping[str, FormulaKind]] = {
    "linear": FormulaKind("For every player beaten", "points for every player beaten, points for coming", "1,1"),
    "inverse": FormulaKind("The winner’s points divided by the place", "points of the winner", "100"),
    "root": FormulaKind("10 × √(players ÷ place)", "", ""),
    "root-buy-in": FormulaKind("10 × √(players ÷ place), more for a higher buy-in", "", ""),
    "neau": FormulaKind("Dr. Neau’s: by players and buy-in, re-entries count against", "", ""),
    "places": FormulaKind(
        "Points of one’s own by place", "points of each place from the first, after / those of all others", "10,6,4,2/1"
    ),
}
"""Every formula by its name, in the order of being offered."""


def parse_formula(text: str) -> Formula:
    """Read a formula's name, and its numbers after a colon; `LeagueError` if there is none such.

    Points have at most two digits after the point.

    >>> parse_formula("places:10,6.5/1")
    TablePoints(points=(1000, 650), others=100)
    """
    name, colon, given = (part.strip() for part in text.partition(":"))
    kind = FORMULAS.get(name)
    if kind is None:
        message = f"no formula “{name}”; there are {', '.join(FORMULAS)}"
        raise LeagueError(Fault("formula-unknown", message, field="formula", text=text))
    main, slash, rest = (given if colon else kind.numbers).partition("/")
    numbers = [_hundredths(one) for one in main.split(",")] if main or slash else []
    others = _hundredths(rest) if slash else Hundredths(0)
    formula = _made(name, [one for one in numbers if one is not None], others)
    if formula is None or None in numbers or (slash and name != "places"):
        message = (
            f"{name} takes {kind.takes}, as in {name}:{kind.numbers}" if kind.takes else f"{name} takes no numbers"
        )
        raise LeagueError(Fault("formula-numbers", message, field="formula", text=text))
    faults = formula_faults(formula)
    if faults:
        raise LeagueError(*faults)
    return formula


def _made(name: str, numbers: list[Hundredths], others: Hundredths | None) -> Formula | None:
    """Return the formula of so many numbers, None if it takes others."""
    match name, numbers:
        case "linear", [step, least]:
            return LinearPoints(step, least)
        case "inverse", [first]:
            return InversePoints(first)
        case "root", []:
            return RootPoints()
        case "root-buy-in", []:
            return RootPoints(is_by_buy_in=True)
        case "neau", []:
            return NeauPoints()
        case "places", [_, *_] if len(numbers) <= MOST_PLACES and others is not None:
            return TablePoints(tuple(numbers), others)
        case _:
            return None


def format_formula(formula: Formula) -> str:
    """Return the text that `parse_formula` reads.

    >>> format_formula(LinearPoints())
    'linear:1,1'
    """
    match formula:
        case LinearPoints(step, least):
            return f"linear:{_text(step)},{_text(least)}"
        case InversePoints(first):
            return f"inverse:{_text(first)}"
        case RootPoints(is_by_buy_in):
            return "root-buy-in" if is_by_buy_in else "root"
        case NeauPoints():
            return "neau"
        case _:
            return f"places:{','.join(map(_text, formula.points))}/{_text(formula.others)}"


def formula_words(formula: Formula) -> str:
    """Say a formula to players."""
    match formula:
        case LinearPoints(step, least):
            return f"{_text(step)} for every player beaten and {_text(least)} for coming"
        case InversePoints(first):
            return f"{_text(first)} divided by the place"
        case TablePoints(points, others):
            return f"by place {', '.join(map(_text, points))}; all others {_text(others)}"
        case RootPoints(is_by_buy_in=False):
            return "10 × √(players ÷ place)"
        case RootPoints():
            return "10 × √(players ÷ place) × (1 + log₁₀(buy-in + 0.25))"
        case _:
            return "√(players × buy-in² ÷ what one paid) ÷ (place + 1)"


def rule_words(league: League) -> str:
    """Say to players how results count.

    >>> rule_words(League(LinearPoints(), best=3, least_played=2))
    '1 for every player beaten and 1 for coming; the best 3 results count; who played 2 events is ranked first'
    """
    words = formula_words(league.formula)
    if league.best is not None:
        words += f"; the best {league.best} results count" if league.best > 1 else "; the best result counts"
    if league.least_played > 1:
        words += f"; who played {league.least_played} events is ranked first"
    return words


def points_text(points: float) -> str:
    """Return points with the digits they have, two at most.

    >>> points_text(12.0), points_text(33.33), points_text(2.5)
    ('12', '33.33', '2.5')
    """
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _hundredths(text: str) -> Hundredths | None:
    found = _NUMBER.fullmatch(text.strip())
    return Hundredths(int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))) if found else None


def _text(points: Hundredths) -> str:
    return points_text(points / 100)
