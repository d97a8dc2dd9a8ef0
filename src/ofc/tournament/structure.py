"""A tournament's levels: how long each lasts, what a point costs in it, and the breaks between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ofc.errors import Fault
from ofc.scoring import Chips

MINUTE_MS: Final = 60_000
MAX_STEPS: Final = 200


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
        faults.append(Fault("structure-impossible", f"{field}: {message}", field=field, text=str(value)))

    if structure.starting_stack < 1:
        fault("starting_stack", "1 chip or more", structure.starting_stack)
    if not structure.levels:
        fault("steps", "at least one level", len(structure.steps))
    if len(structure.steps) > MAX_STEPS:
        fault("steps", f"at most {MAX_STEPS}", len(structure.steps))
    for number, step in enumerate(structure.steps):
        place = f"steps[{number}]"
        if isinstance(step, Break):
            if step.minutes < 1:
                fault(f"{place}.minutes", "a break lasts a minute or more", step.minutes)
            continue
        if step.price < 1:
            fault(f"{place}.price", "a level has a price of 1 chip a point or more", step.price)
        is_endless = number == len(structure.steps) - 1 and step.minutes is None and step.hands is None
        if (step.minutes is None) == (step.hands is None) and not is_endless:
            fault(place, "a level lasts minutes or hands, one of the two", f"{step.minutes}, {step.hands}")
        for name, length in (("minutes", step.minutes), ("hands", step.hands)):
            if length is not None and length < 1:
                fault(f"{place}.{name}", "1 or more", length)
    if structure.steps and isinstance(structure.steps[-1], Break):
        fault("steps", "the last step is a level", "break")
    if not 0 <= structure.late_until <= len(structure.levels):
        fault("late_until", "the number of a level, or 0", structure.late_until)
    if structure.reentries < 0:
        fault("reentries", "0 or more", structure.reentries)
    return faults
