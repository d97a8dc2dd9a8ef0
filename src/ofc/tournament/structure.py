"""A tournament's levels: how long each lasts, what a point costs in it, and the breaks between."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from ofc.errors import Fault
from ofc.scoring import Chips

MINUTE_MS: Final = 60_000
MAX_STEPS: Final = 200
MAX_MINUTES: Final = 10_000
MAX_HANDS: Final = 10_000
MAX_CHIPS: Final = 1_000_000_000
"""The largest stack to begin with, and the highest price."""
MAX_REENTRIES: Final = 100


@dataclass(frozen=True, slots=True)
class Level:
    """Play at `price` chips a point, for so many minutes or so many hands at each table: one of the two.

    The last level needs neither.
    """

    price: Chips
    minutes: int | None = None
    hands: int | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """No new hand is dealt for so many minutes."""

    minutes: int


Step = Level | Break


@dataclass(frozen=True, slots=True)
class Structure:
    """Levels and breaks in order; the last level goes on for ever.

    `late_until` is the number of the last level in which one may still enter, 0 for none; `reentries` how often a
    player who is out may enter again until then.
    """

    starting_stack: Chips
    steps: tuple[Step, ...]
    late_until: int = 0
    reentries: int = 0

    def level_number(self, step: int) -> int:
        """Return the number, from 1, of the level at or before this step; 0 before the first level."""
        return sum(isinstance(item, Level) for item in self.steps[: step + 1])

    def level_at_or_after(self, step: int) -> Level:
        """Return the level at this step, or the next one after a break; the last level if none follows."""
        following = [item for item in self.steps[step:] if isinstance(item, Level)]
        return following[0] if following else self.last_level

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels without the breaks."""
        return tuple(item for item in self.steps if isinstance(item, Level))

    @property
    def last_level(self) -> Level:
        """The level that goes on for ever."""
        return self.levels[-1]


def structure_faults(structure: Structure) -> list[Fault]:
    """Return everything that is impossible about a structure, an empty list if nothing is."""
    faults: list[Fault] = []

    def fault(field: str, message: str, value: object) -> None:
        told = f"{field}: {message}, not {value:,}" if isinstance(value, int) else f"{field}: {message}"
        faults.append(Fault("structure-impossible", told, field=field, text=str(value)))

    if not 1 <= structure.starting_stack <= MAX_CHIPS:
        fault("starting_stack", f"1 to {MAX_CHIPS:,} chips", structure.starting_stack)
    if not structure.levels:
        fault("steps", "at least one level", len(structure.steps))
    if len(structure.steps) > MAX_STEPS:
        fault("steps", f"at most {MAX_STEPS}", len(structure.steps))
    for number, step in enumerate(structure.steps):
        place = f"steps[{number}]"
        if isinstance(step, Break):
            if not 1 <= step.minutes <= MAX_MINUTES:
                fault(f"{place}.minutes", f"a break lasts 1 to {MAX_MINUTES:,} minutes", step.minutes)
            continue
        if not 1 <= step.price <= MAX_CHIPS:
            fault(f"{place}.price", f"a level has a price of 1 to {MAX_CHIPS:,} chips a point", step.price)
        is_endless = number == len(structure.steps) - 1 and step.minutes is None and step.hands is None
        if (step.minutes is None) == (step.hands is None) and not is_endless:
            both = step.minutes is not None
            told = f"{step.minutes} minutes, {step.hands} hands" if both else "neither"
            fault(place, "a level lasts minutes or hands, one of the two", told)
        for name, length, most in (("minutes", step.minutes, MAX_MINUTES), ("hands", step.hands, MAX_HANDS)):
            if length is not None and not 1 <= length <= most:
                fault(f"{place}.{name}", f"1 to {most:,}", length)
    if structure.steps and isinstance(structure.steps[-1], Break):
        fault("steps", "the last step is a level", "break")
    if not 0 <= structure.late_until <= len(structure.levels):
        fault("late_until", "the number of a level, or 0", structure.late_until)
    if not 0 <= structure.reentries <= MAX_REENTRIES:
        fault("reentries", f"0 to {MAX_REENTRIES}", structure.reentries)
    return faults


def faults_besides(structure: Structure, unread: Collection[str]) -> list[Fault]:
    """Return what is impossible about a structure in whose form some fields were wrong; anything stands for those.

    Of what was wrong, and of what follows from it, nothing is said again.
    """

    def is_said(field: str) -> bool:
        return any(_within(one, field) or _within(field, one) for one in unread) or (
            field == "late_until" and "steps" in unread
        )

    return [fault for fault in structure_faults(structure) if not is_said(fault.field or "")]


def _within(field: str, whole: str) -> bool:
    return field == whole or field.startswith((f"{whole}.", f"{whole}["))
