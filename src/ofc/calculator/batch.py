"""Whatever form the input has: text for people, one JSON hand, a JSON array, or JSON lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ofc.calculator.hands import FinishedHand, ScoredHand, score_hand
from ofc.calculator.plain import read_hand
from ofc.calculator.strict_json import is_one_value, scan_array, scan_json
from ofc.calculator.text import read_text
from ofc.errors import Fault, ScoringError
from ofc.rules import RuleSet

Outcome = ScoredHand | tuple[Fault, ...]
"""A hand's result, or what is wrong with it."""


class Shape(Enum):
    """How the hands came, which is how their results are to be given back."""

    HAND = auto()
    """One hand, in JSON or as text for people."""
    ARRAY = auto()
    LINES = auto()


@dataclass(frozen=True, slots=True)
class Scored:
    """What became of each hand, in input order; of `Shape.HAND` there is one."""

    shape: Shape
    outcomes: tuple[Outcome, ...]


def score_input(text: str, *, rules: RuleSet | str = "ultimate") -> Scored:
    """Score every hand of an input; `rules` holds for those that name none, as in `read_hand`.

    What begins with `{` or `[` is JSON, anything else is text for people. A hand that is wrong leaves the others
    be. An input in which no hands can be told apart counts as one hand, and a wrong one.
    """
    text = text.removeprefix("\ufeff")
    beginning = text.lstrip()[:1]
    if not beginning:
        return Scored(Shape.HAND, ((Fault("input-empty", "there is nothing to score"),),))
    if beginning not in "{[":
        return Scored(Shape.HAND, (_score_text(text, rules),))
    try:
        item, faults = scan_json(text)
    except ScoringError as error:
        lines = _filled_lines(text)
        if beginning == "{" and _are_values(lines):
            return Scored(Shape.LINES, tuple(_score_line(line, place, rules) for place, line in lines))
        return Scored(Shape.HAND, (error.faults,))
    if isinstance(item, list):
        items = scan_array(text) if faults else [(one, faults) for one in item]
        return Scored(Shape.ARRAY, tuple(_score_item(one, rules, its) for one, its in items))
    return Scored(Shape.HAND, (_score_item(item, rules, faults),))


def _filled_lines(text: str) -> list[tuple[int, str]]:
    # Not splitlines: a text in JSON may hold the other characters at which that splits.
    return [(place, line) for place, line in enumerate(text.split("\n"), 1) if line.strip()]


def _are_values(lines: list[tuple[int, str]]) -> bool:
    """Whether at least one line that is not indented is an object by itself, which no part of one object is."""
    return len(lines) > 1 and any(line[0] == "{" and is_one_value(line) for _, line in lines)


def _score_text(text: str, rules: RuleSet | str) -> Outcome:
    try:
        return score_hand(read_text(text, rules=rules))
    except ScoringError as error:
        return error.faults


def _score_line(line: str, place: int, rules: RuleSet | str) -> Outcome:
    try:
        item, faults = scan_json(line, first_line=place)
    except ScoringError as error:
        return error.faults
    return _score_item(item, rules, faults)


def _score_item(item: object, rules: RuleSet | str, faults: list[Fault]) -> Outcome:
    try:
        hand: FinishedHand = read_hand(item, rules=rules, faults=faults)
        return score_hand(hand)
    except ScoringError as error:
        return error.faults
