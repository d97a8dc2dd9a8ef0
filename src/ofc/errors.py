"""What can be wrong, said so that a person can put it right.

Every refusal in ofc is an `OfcError` that carries one or more `Fault`s: a stable code for programs, a
sentence for people, and the place and text of what is wrong. Several faults of one input are reported
together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with an input.

    `code` is stable, lower case and hyphenated; `field` is a path such as `players[1].stack`; `player` is a
    name as the input gave it; `row` is `top`, `middle` or `bottom`; `text` is the offending text itself.
    """

    code: str
    message: str
    field: str | None = None
    player: str | None = None
    row: str | None = None
    text: str | None = None


def any_of(choices: Iterable[object], *, last: str = "or") -> str:
    """Say a choice in words, or with `and` before the last what belongs together; nothing where there is none.

    >>> any_of([14, 15, 16]), any_of([3])
    ('14, 15 or 16', '3')
    """
    *others, final = [*map(str, choices)] or [""]
    return f"{', '.join(others)} {last} {final}" if others else final


def counted(number: int, one: str, many: str | None = None) -> str:
    """Say how many there are; `many` is what is not made with an s.

    >>> counted(1, "fault"), counted(2_000, "fault"), counted(0, "entry", "entries")
    ('1 fault', '2,000 faults', '0 entries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


class OfcError(ValueError):
    """Something was refused; nothing was changed. `faults` holds at least one `Fault`, in input order."""

    def __init__(self, *faults: Fault) -> None:
        if not faults:
            raise TypeError("an OfcError needs at least one Fault")
        super().__init__(*faults)
        self.faults = faults

    @property
    def code(self) -> str:
        """The first fault's stable code."""
        return self.faults[0].code

    def __str__(self) -> str:
        return "; ".join(fault.message for fault in self.faults)


class CardError(OfcError):
    """A text is not a card, or a card is there twice."""


class BoardError(OfcError):
    """Cards do not make a board: a row too full, too empty, or written unclearly."""


class RulesError(OfcError):
    """A rule set does not exist, or its fields are unknown or impossible."""


class ScoringError(OfcError):
    """Boards, Fantasyland counts or stacks that cannot be settled together."""


class IllegalCommandError(OfcError):
    """A command that the state of a hand or table does not allow; the state is unchanged."""


class NotationError(OfcError):
    """A hand history that cannot be read, is not legal, or does not have the result it says."""
