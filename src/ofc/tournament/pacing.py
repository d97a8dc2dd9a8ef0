"""When a table's next hand waits for other tables: hand-for-hand, and levels counted in hands."""

from __future__ import annotations

from ofc.clock import Millis
from ofc.scoring import Chips
from ofc.tournament.clock import price_at
from ofc.tournament.events import Stage, TableNumber
from ofc.tournament.state import TableState, Tournament
from ofc.tournament.structure import Level


def waits_for(state: Tournament, table: TableState, now: Millis) -> tuple[TableNumber, ...]:
    """Return the tables, by number, that have to finish before this one plays on; none if it may.

    In hand-for-hand every table plays one hand, and the hands of a Fantasyland after it, then waits until all have.
    At a level counted in hands a table that has played them waits likewise, though not for tables in Fantasyland,
    which play on at their own price (R-CHIP-5).
    """
    if state.hand_for_hand is not None and _is_round_done(state, table):
        return _behind_in_round(state)
    hands = _hands_of_level(state, now)
    if hands is None or state.is_frozen(table.number) or not _is_level_done(state, table, now, hands):
        return ()
    return _behind_in_level(state, now, hands)


def has_played(state: Tournament, table: TableState, now: Millis) -> bool:
    """Whether a table has played its hand of the round, or the hands of its level, and has begun no other."""
    hands = _hands_of_level(state, now)
    return _is_round_done(state, table) or (hands is not None and _is_level_done(state, table, now, hands))


def price_ahead(state: Tournament, table: TableState, now: Millis) -> Chips:
    """Return the price of the hand that a table plays, or of its next one where none is under way (R-CHIP-5).

    None is under way overnight, at a table of one, and at a table that has played its hand or level and waits.
    """
    price, _ = state.price(table, now)
    if state.is_frozen(table.number):
        return price
    hands = _hands_of_level(state, now)
    if hands is not None and _is_level_done(state, table, now, hands):
        return price_at(state.structure, state.position(now).step + 1)
    is_alone = len(table.seats) - table.seats.count(None) < 2
    is_idle = state.settings.stage is Stage.BAGGED or is_alone or _is_round_done(state, table)
    return state.price_on_clock(now)[0] if is_idle else price


def behind(state: Tournament, now: Millis) -> tuple[TableNumber, ...]:
    """Return the tables, by number, that hold up those that are done: all of them at the start of a round or level.

    In hand-for-hand every other table waits for them, else every other table that is not in Fantasyland.
    """
    if state.hand_for_hand is not None:
        return _behind_in_round(state)
    hands = _hands_of_level(state, now)
    return () if hands is None else _behind_in_level(state, now, hands)


def _behind_in_round(state: Tournament) -> tuple[TableNumber, ...]:
    return tuple(sorted(table.number for table in state.playing_tables() if not _is_round_done(state, table)))


def _behind_in_level(state: Tournament, now: Millis, hands: int) -> tuple[TableNumber, ...]:
    playing = (table for table in state.playing_tables() if not _is_level_done(state, table, now, hands))
    return tuple(sorted(table.number for table in playing if not state.is_frozen(table.number)))


def is_round_over(state: Tournament) -> bool:
    """Whether hand-for-hand is played and every table has finished its hand."""
    if state.hand_for_hand is None:
        return False
    playing = list(state.playing_tables())
    return bool(playing) and all(_is_round_done(state, table) for table in playing)


def is_level_over(state: Tournament, now: Millis) -> bool:
    """Whether the level is counted in hands, and every table that is not in Fantasyland has played them."""
    hands = _hands_of_level(state, now)
    if hands is None:
        return False
    counting = [table for table in state.playing_tables() if not state.is_frozen(table.number)]
    return bool(counting) and all(_is_level_done(state, table, now, hands) for table in counting)


def _is_round_done(state: Tournament, table: TableState) -> bool:
    return state.hand_for_hand is not None and table.round >= state.hand_for_hand.round


def _hands_of_level(state: Tournament, now: Millis) -> int | None:
    """Return how many hands the level in force lasts, None where it is not counted in hands or is the last."""
    step = state.position(now).step
    item = state.structure.steps[step]
    return item.hands if isinstance(item, Level) and step < len(state.structure.steps) - 1 else None


def _is_level_done(state: Tournament, table: TableState, now: Millis, hands: int) -> bool:
    return table.step == state.position(now).step and table.hands_in_step >= hands
