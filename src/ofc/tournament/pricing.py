"""Which steps the clock stood at and when, and so at which prices a hand can have begun (R-CHIP-5).

A hand that a table's phone kept while it had no connection is entered late, and so are those before it: what the table
would play at now says little about the price that it was played at. The log knows what was in force.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ofc.clock import Millis
from ofc.errors import any_of
from ofc.scoring import Chips
from ofc.tournament.clock import is_break, level_step, position, price_at, step_length_ms
from ofc.tournament.events import Action, ClockSet, HandSettled, TableNumber
from ofc.tournament.history import Log
from ofc.tournament.refusing import refuse
from ofc.tournament.state import TableState
from ofc.tournament.structure import Structure

CLOCK = ("clock", 0)
"""The clock among the parts that an entry changes."""
Begun = tuple[Chips, int]
"""A hand's price, and the step of the structure that it is from."""


@dataclass(frozen=True, slots=True)
class StepReached:
    """The clock came to a step of the structure, by itself or by entry `seq`, else the last that had set it."""

    seq: int
    at: Millis
    step: int


def steps_reached(log: Log, now: Millis, *, after: int = 0) -> list[StepReached]:
    """Return the steps that the clock came to up to `now`, oldest first, by what was not taken back.

    Only changes of the clock in entries after entry `after` are looked at, and what it passed by itself before them.
    """
    structure = log.state.structure  # steps that were played stay as they were
    found: list[StepReached] = []
    seq = max(1, after)
    if not after:
        found.append(StepReached(1, log.entries[0].at, 0))
    for entry in log.entries[after:]:
        change = None if entry.seq in log.undone else log.changes.get(entry.seq, {}).get(CLOCK)
        if change is None or not isinstance(change.before, ClockSet) or not isinstance(change.after, ClockSet):
            continue
        found += _passed(change.before, structure, entry.at, seq)
        if change.after.step != position(change.before, structure, entry.at).step:
            found.append(StepReached(entry.seq, entry.at, change.after.step))
        seq = entry.seq
    found += _passed(log.state.clock, structure, now, seq)
    return found


def _passed(clock: ClockSet, structure: Structure, until: Millis, seq: int) -> Iterator[StepReached]:
    """Tell which steps a clock came to by itself until a moment."""
    at: int | None = clock.ends_at
    for step in range(clock.step + 1, position(clock, structure, until).step + 1):
        assert at is not None  # noqa: S101  # it has passed the end of the step before
        yield StepReached(seq, Millis(at), step)
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
    structure = log.state.structure
    yield log.state.price(table, now)
    yield table.price, table.step
    last = _last_hand(log, table.number)
    if last is None or last[1].fantasyland:  # a chain keeps its price
        return
    entered_at, before = last
    reached = steps_reached(log, now)
    until = max(n for n, one in enumerate(reached) if one.at <= entered_at)
    for one in reversed(reached[: until + 1]):  # pragma: no branch - the first step ends it
        step = level_step(structure, one.step)
        yield price_at(structure, step), step
        if not before.late or step <= before.step:
            break
    for n in range(until, len(reached) - 1):
        if is_break(structure, reached[n].step):
            step = level_step(structure, reached[n + 1].step)
            yield price_at(structure, step), step


def _last_hand(log: Log, table: TableNumber) -> tuple[Millis, HandSettled] | None:
    """Return the table's last hand that counts, and when it was entered; None if there is none."""
    for entry in reversed(log.entries):
        if isinstance(entry, Action) and entry.seq not in log.undone:
            for event in entry.events:
                if isinstance(event, HandSettled) and event.table == table:
                    return entry.at, event
    return None
