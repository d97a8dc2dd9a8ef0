"""Which steps the clock stood at and when, and so at which prices a hand can have begun (R-CHIP-5).

A hand that a table's phone kept while it had no connection is entered late, and so are those before it: what the table
would play at now says little about the price that it was played at. The log knows what was in force.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ofc.clock import Millis
from ofc.errors import any_of
from ofc.scoring import Chips
from ofc.tournament.applying import Change, Key
from ofc.tournament.clock import is_break, level_step, position, price_at, step_length_ms
from ofc.tournament.events import Action, ClockSet, HandSettled, Stage, TableNumber
from ofc.tournament.history import Log
from ofc.tournament.refusing import refuse
from ofc.tournament.state import Settings, TableState
from ofc.tournament.structure import Structure

CLOCK: Final[Key] = ("clock", 0)
SETTINGS: Final[Key] = ("settings", 0)
_CHANGING: Final = frozenset({CLOCK, SETTINGS})
"""The parts that say which price is in force."""
Begun = tuple[Chips, int]
"""A hand's price, and the step of the structure that it is from."""


@dataclass(frozen=True, slots=True)
class StepReached:
    """The clock came to a step of the structure, by itself or by entry `seq`, else the last that had set it.

    Or the price of the step that it stood at was changed by entry `seq`. `structure` is the one in force then.
    """

    seq: int
    at: Millis
    step: int
    structure: Structure

    @property
    def begun(self) -> Begun:
        """The price that a hand begun then has, and its step."""
        return price_at(self.structure, self.step), level_step(self.structure, self.step)


def steps_reached(log: Log, now: Millis, *, after: int = 0) -> list[StepReached]:
    """Return the steps that the clock came to up to `now`, oldest first, by what was not taken back.

    Only changes of the clock and of the structure in entries after entry `after` are looked at, and what the clock
    passed by itself before them.
    """
    counted = [
        (entry, log.changes[entry.seq])
        for entry in log.entries[after:]
        if entry.seq not in log.undone and not _CHANGING.isdisjoint(log.changes.get(entry.seq, ()))
    ]
    clock, structure = log.state.clock, log.state.structure
    for _, changes in reversed(counted):  # back to what there was before them
        clock, structure = _in_force(changes, clock, structure, is_before=True)
    found = [] if after else [StepReached(1, log.entries[0].at, 0, structure)]
    seq = max(1, after)
    for entry, changes in counted:
        clock_after, structure_after = _in_force(changes, clock, structure)
        if (clock_after, structure_after) == (clock, structure):
            continue
        found += _passed(clock, structure, entry.at, seq)
        here, there = position(clock, structure, entry.at).step, position(clock_after, structure_after, entry.at).step
        reached = StepReached(entry.seq, entry.at, there, structure_after)
        if there != here:
            found.append(reached)
        elif price_at(structure_after, there) != price_at(structure, here):
            settings = changes[SETTINGS].after
            if isinstance(settings, Settings) and settings.stage is not Stage.SETUP:
                found.append(reached)
            elif found:  # nothing is played before the draw: it had this price from the first
                found[-1] = replace(found[-1], structure=structure_after)
        clock, structure, seq = clock_after, structure_after, entry.seq
    found += _passed(clock, structure, now, seq)
    return found


def _in_force(
    changes: Mapping[Key, Change], clock: ClockSet, structure: Structure, *, is_before: bool = False
) -> tuple[ClockSet, Structure]:
    """Return the clock and the structure that an entry left, or found; those given where it changed none."""
    for change in changes.values():
        part = change.before if is_before else change.after
        if isinstance(part, ClockSet):
            clock = part
        elif isinstance(part, Settings):
            structure = part.structure
    return clock, structure


def _passed(clock: ClockSet, structure: Structure, until: Millis, seq: int) -> Iterator[StepReached]:
    """Tell which steps a clock came to by itself until a moment."""
    at: int | None = clock.ends_at
    for step in range(clock.step + 1, position(clock, structure, until).step + 1):
        assert at is not None  # noqa: S101  # it has passed the end of the step before
        yield StepReached(seq, Millis(at), step, structure)
        length = step_length_ms(structure, step)
        at = None if length is None else at + length


def begun_at(log: Log, table: TableState, hand: int, price: Chips, now: Millis) -> Begun:
    """Return the price and step at which the table's hand began, `price` being what its page says.

    `IllegalCommandError` (`price-not-in-force`) if that was not in force at the table when the hand began.
    """
    possible = list(dict.fromkeys(_possible(log, table, now)))
    begun = next((one for one in possible if one[0] == price), None)
    if begun is None:
        prices = any_of(f"{known:,}" for known in dict.fromkeys(known for known, _ in possible))
        message = f"hand {hand} of table {table.number} began at {prices} a point, not at {price:,}"
        refuse("price-not-in-force", message, field="price", text=price)
    return begun


def _possible(log: Log, table: TableState, now: Millis) -> Iterator[Begun]:
    """Tell at which prices the hand being played can have begun, the likeliest first.

    It began when the one before it was entered; if that was late, at some time since that one began. A hand does not
    last through a break.
    """
    yield log.state.price(table, now)
    yield table.price, table.step
    last = _last_hand(log, table.number)
    if last is None or last[1].fantasyland:  # a chain keeps its price
        return
    entered_at, before = last
    reached = steps_reached(log, now)
    until = max(n for n, one in enumerate(reached) if one.at <= entered_at)
    for one in reversed(reached[: until + 1]):  # pragma: no branch - the first step ends it
        if not is_break(one.structure, one.step):  # else its level may have been changed or skipped
            yield one.begun
        _, step = one.begun
        if not before.late or step < before.step or one.begun == (before.price, before.step):
            break
    for n in range(until, len(reached) - 1):
        following = reached[n + 1]
        if is_break(reached[n].structure, reached[n].step) and not is_break(following.structure, following.step):
            yield following.begun


def _last_hand(log: Log, table: TableNumber) -> tuple[Millis, HandSettled] | None:
    """Return the table's last hand that counts, and when it was entered; None if there is none."""
    for entry in reversed(log.entries):
        if isinstance(entry, Action) and entry.seq not in log.undone:
            for event in entry.events:
                if isinstance(event, HandSettled) and event.table == table:
                    return entry.at, event
    return None
