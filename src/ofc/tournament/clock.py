"""The tournament's clock: a deadline and a structure, from which every screen makes the same time (R-CHIP-5)."""

from __future__ import annotations

from dataclasses import dataclass

from ofc.clock import Millis
from ofc.scoring import Chips
from ofc.tournament.events import ClockSet
from ofc.tournament.structure import MINUTE_MS, Break, Level, Structure


@dataclass(frozen=True, slots=True)
class Position:
    """Where the clock stands: a step of the structure, and the time left in it, None where it has no end."""

    step: int
    left_ms: int | None


def step_length_ms(structure: Structure, step: int) -> int | None:
    """Return how long a step lasts, None for the last level and for levels counted in hands."""
    item = structure.steps[step]
    if step == len(structure.steps) - 1 or item.minutes is None:
        return None
    return item.minutes * MINUTE_MS


def position(clock: ClockSet, structure: Structure, now: Millis) -> Position:
    """Return where the clock stands at `now`: steps whose time is over have passed by themselves."""
    step = min(clock.step, len(structure.steps) - 1)
    if not clock.running or clock.ends_at is None:
        return Position(step, clock.left_ms)
    ends_at: int = clock.ends_at
    while now >= ends_at and step < len(structure.steps) - 1:
        step += 1
        length = step_length_ms(structure, step)
        if length is None:
            return Position(step, None)
        ends_at += length
    return Position(step, max(0, ends_at - now))


def clock_at(step: int, left_ms: int | None, *, running: bool, now: Millis) -> ClockSet:
    """Return a clock set at `now` to stand at `step` with `left_ms` to go."""
    ends_at = Millis(now + left_ms) if running and left_ms is not None else None
    return ClockSet(step, running, left_ms, ends_at)


def price_at(structure: Structure, step: int) -> Chips:
    """Return the price of a hand begun at this step: a hand begun in a break is played after it."""
    return structure.level_at_or_after(step).price


def level_step(structure: Structure, step: int) -> int:
    """Return the step of the level that a hand begun at this step is played at: after a break, the next one."""
    following = (n for n in range(step, len(structure.steps)) if isinstance(structure.steps[n], Level))
    return next(following, len(structure.steps) - 1)


def last_break(structure: Structure, after: int, before: int) -> int | None:
    """Return the last step between two others that is a break, None if none is."""
    breaks = (n for n in range(before - 1, after, -1) if isinstance(structure.steps[n], Break))
    return next(breaks, None)


def is_break(structure: Structure, step: int) -> bool:
    """Whether the step is a break."""
    return isinstance(structure.steps[step], Break)
