"""A record played again through the state machine that played it first: is it legal, and is its result right?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Final

from ofc import table as tables
from ofc.board import BOARD_SIZE, ROWS, Placement
from ofc.cards import DECK, Card
from ofc.dealing import FANTASYLAND_STREET, Deal, deal_order
from ofc.errors import Fault, NotationError
from ofc.events import CardsPlaced, HandSettled, Player, TableEvent, TableOpened
from ofc.hand import Place
from ofc.notation.checking import are_seats_known, legality_faults
from ofc.notation.json_lines import shown
from ofc.notation.reading import Reading, lines_of, read_record
from ofc.notation.records import Action, HandRecord, result_of, unknown_cards
from ofc.notation.unread import Unread, acts_of
from ofc.notation.writing import plain_result
from ofc.scoring import Seat
from ofc.table import MATCH_HANDS, DealHand, SeatState, Table

_OF_BOARDS: Final = frozenset(("card-not-dealt", "card-placed-twice"))
"""Faults that leave it open which cards lay on a board."""
_OF_CHIPS: Final = frozenset(("stack", "chips", "capped_by"))
"""Parts of a result for which every pair before must be known."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of a replay: the action (none: the first cards are dealt), its events, and the table after them.

    In the table of a partial record other cards stand in for those that the record leaves out: show it only through
    `ofc.view`, to the record's viewer.
    """

    action: Action | None
    events: tuple[TableEvent, ...]
    table: Table


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of replaying a record: no `frames` if the hand is not legal, no `faults` if nothing is wrong."""

    frames: tuple[Frame, ...]
    faults: tuple[Fault, ...]


def replay_record(record: HandRecord) -> tuple[Frame, ...]:
    """Return the hand step by step, from the deal to the showdown.

    `NotationError` holds every fault: what is not legal, or else where the recorded result is not what the rules
    give.
    """
    replay = check_record(record)
    if replay.faults:
        raise NotationError(*replay.faults)
    return replay.frames


def check_record(record: HandRecord) -> Replay:
    """Replay a record as far as that goes, with every fault found; a legal hand with a wrong result has frames.

    Of a hand that is not legal the result is compared with what its boards give, if they are complete.
    """
    return _check(record, Unread())


def check_records(data: str | bytes) -> Iterator[tuple[int, Reading | None, Replay]]:
    """Read and replay a file of hands, one a line: yield each line's number, what was read, and what came of it.

    Nothing was read of what is no hand at all. There are no frames where something could not be read; what is wrong
    with the rest is among the replay's faults, after those of the reading.
    """
    for number, line in lines_of(data):
        try:
            reading = read_record(line)
        except NotationError as error:
            yield number, None, Replay((), error.faults)
            continue
        replay = _check(reading.record, reading.unread)
        yield number, reading, Replay(replay.frames, (*reading.faults, *replay.faults))


def _check(record: HandRecord, unread: Unread) -> Replay:
    faults = legality_faults(record, unread)
    if not faults and not unread:
        frames = _frames(record)
        return Replay(frames, tuple(_result_faults(record, frames[-1].table)))
    if are_seats_known(record, unread, faults):
        faults += _scored_faults(record, unread, faults)
    return Replay((), tuple(faults))


def _scored_faults(record: HandRecord, unread: Unread, faults: list[Fault]) -> Iterator[Fault]:
    """Yield what is wrong in the result of a hand that is not legal, as far as complete boards tell it.

    Other boards are stood in for. Of a player with a complete board royalties and Fantasyland are known, of a pair of
    them its points; of chips, and of what follows from the button, only where all is plain.
    """
    boards = _boards(record, unread, faults)
    fields = ("button", "price", *(f"seats[{n}].stack" for n in range(len(record.seats))))
    codes = ("button-unknown", "money-incomplete")
    is_plain = not any(fault.code in codes for fault in faults) and not any(map(unread.covers, fields))
    if not is_plain:
        seats = tuple(replace(entry, stack=None) for entry in record.seats)
        record = replace(record, button=seats[0].seat, price=None, seats=seats)
    whole = {entry.seat for entry in record.seats if entry.seat in boards}
    are_whole = len(whole) == len(record.seats)
    last = _table_after(record, _stood_in_for(boards, record))
    for fault in _result_faults(record, last):
        field = fault.field or ""
        part = field.rpartition(".")[2]
        place = re.match(r"result\.(players|pairs)\[(\d+)\]", field)
        if unread.covers(field):
            continue
        if place is None or part in _OF_CHIPS:
            is_known = is_plain and are_whole
        elif place[1] == "players":
            owner = record.seats[int(place[2])].seat
            is_known = owner in whole and (part != "points" or are_whole)
        else:
            assert last.settled is not None  # noqa: S101 - the boards were played out
            pair, entries = last.settled.settlement.pairs[int(place[2])], record.seats
            is_known = is_plain and {entries[pair.a].seat, entries[pair.b].seat} <= whole
        if is_known:
            yield fault


def _boards(record: HandRecord, unread: Unread, faults: list[Fault]) -> dict[Seat, list[Placement]]:
    """Return what each seat places in the whole hand, of those whose board is complete and plain."""
    doubtful = {fault.field.partition(".")[0] for fault in faults if fault.field and fault.code in _OF_BOARDS}
    boards: dict[Seat, list[Placement]] = {entry.seat: [] for entry in record.seats}
    for act in acts_of(record, unread):
        for card, row in act.placed:
            if act.seat in boards and card is not None and row is not None and act.field not in doubtful:
                boards[act.seat].append(Placement(card, row))
    times = Counter(card for placements in boards.values() for card, _ in placements)
    return {
        seat: board for seat, board in boards.items() if _is_complete(board) and all(times[c] == 1 for c, _ in board)
    }


def _is_complete(board: list[Placement]) -> bool:
    rows = Counter(placement.row for placement in board)
    return all(rows[row] == row.size for row in ROWS)


def _stood_in_for(boards: dict[Seat, list[Placement]], record: HandRecord) -> dict[Seat, list[Placement]]:
    """Return a board for every seat: other cards make those that are not known."""
    known = {card for board in boards.values() for card, _ in board}
    spare = (card for card in DECK if card not in known)
    rows = [row for row in ROWS for _ in range(row.size)]
    return {
        entry.seat: boards.get(entry.seat) or [Placement(next(spare), row) for row in rows] for entry in record.seats
    }


def _table_after(record: HandRecord, boards: dict[Seat, list[Placement]]) -> Table:
    """Return a table at whose showdown these boards lie: each street takes the next of a board's cards."""
    table = _table_before(record)
    spare = iter(sorted(set(DECK) - {card for placements in boards.values() for card, _ in placements}))
    left = {seat: iter(placements) for seat, placements in boards.items()}
    deck: list[Card] = []
    for deal in _deals(record):
        is_whole = deal.street == FANTASYLAND_STREET
        count = BOARD_SIZE if is_whole else record.rules.streets[deal.street - 1].placed
        deck += [placement.card for placement in islice(left[deal.seat], count)]
        deck += islice(spare, deal.count - count)
    at = record.started_at
    table = _next_frame(table, None, tables.decide(table, DealHand((*deck, *spare), at))).table
    left = {seat: iter(placements) for seat, placements in boards.items()}
    while table.settled is None and table.hand is not None:
        seat = table.hand.to_act[0]
        placements = tuple(islice(left[seat], table.hand.to_place(seat)))
        table = _next_frame(table, None, tables.decide(table, Place(seat, placements, None, at))).table
    return table


def _frames(record: HandRecord) -> tuple[Frame, ...]:
    """Return the steps of a legal hand."""
    actions = _with_every_card(record)
    table = _table_before(record)
    deal = DealHand(_deck(record, actions), record.started_at)
    frames = [_next_frame(table, None, tables.decide(table, deal))]
    for told, action in zip(record.actions, actions, strict=True):
        table = frames[-1].table
        placed, *more = tables.decide(table, Place(action.seat, action.placements, _known(action.discards), action.at))
        assert isinstance(placed, CardsPlaced)  # noqa: S101 - what placing leads to first
        frames.append(_next_frame(table, told, (replace(placed, forced=action.forced), *more)))
    return tuple(frames)


def _next_frame(table: Table, action: Action | None, events: tuple[TableEvent, ...]) -> Frame:
    done: list[TableEvent] = []
    for event in events:
        table = tables.apply(table, event)
        done.append(event)
        if isinstance(event, HandSettled):
            break  # whether that ended a match is not this hand's
    return Frame(action, tuple(done), table)


def _table_before(record: HandRecord) -> Table:
    """Return a table that is about to deal this hand."""
    number = record.number or 1
    states = [SeatState()] * (max(entry.seat for entry in record.seats) + 1)
    for entry in record.seats:
        states[entry.seat] = SeatState(
            player=Player(entry.name, entry.bot),
            stack=entry.stack,
            owed=entry.fantasyland,
            history=(entry.stack or 0,),
        )
    opened = TableOpened(
        rules=record.rules,
        seats=len(states),
        hands=max(number, MATCH_HANDS[-1]),
        stack=record.seats[0].stack,
        price=record.price,
        button=record.button,
        seeded=False,
        at=record.started_at,
    )
    return Table(opened, tuple(states), record.button, record.price, hands_played=number - 1)


def _with_every_card(record: HandRecord) -> list[Action]:
    """Return the actions with other cards standing in for those that the record leaves out."""
    spare = iter(unknown_cards(record))
    whole: list[Action] = []
    for action in record.actions:
        placed = [placement.card for placement in action.placements]
        gone = {*placed, *action.discards}
        fill = chain([card for card in action.dealt if card is not None and card not in gone], spare)
        discards = tuple(next(fill) if card is None else card for card in action.discards)
        hidden = iter([card for card in (*placed, *discards) if card not in action.dealt])
        dealt = tuple(next(hidden) if card is None else card for card in action.dealt)
        whole.append(replace(action, dealt=dealt, discards=discards))
    return whole


def _deck(record: HandRecord, actions: list[Action]) -> tuple[Card, ...]:
    """Return the deck that deals these cards (R-DEAL-4); where the rest is not known, it comes in fixed order."""
    dealt = {(action.seat, action.street): _known(action.dealt) for action in actions}
    deck = [card for deal in _deals(record) for card in dealt[deal.seat, deal.street]]
    rest = record.undealt
    if rest is None:
        rest = tuple(card for card in DECK if card not in set(deck))
    return (*deck, *rest)


def _deals(record: HandRecord) -> tuple[Deal, ...]:
    seats = [entry.seat for entry in record.seats]
    held = [entry.fantasyland for entry in record.seats]
    return deal_order(seats, record.button, held, record.rules.streets)


def _known(cards: tuple[Card | None, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)


def _result_faults(record: HandRecord, last: Table) -> Iterator[Fault]:
    """Yield a fault for each number of the recorded result that is not what the rules give."""
    hand, settled = last.hand, last.settled
    assert hand is not None  # noqa: S101 - a legal hand is dealt
    assert settled is not None  # noqa: S101 - and played out
    right = plain_result(result_of(hand, settled))
    for field, told, given in _differences("result", plain_result(record.result), right):
        message = f"recorded as {shown(told)}, the rules give {shown(given)}"
        yield Fault("result-wrong", message, field=field, player=_whose(record, right, field), text=shown(told))


def _differences(field: str, told: object, given: object) -> Iterator[tuple[str, object, object]]:
    """Yield the path of each value that differs, as told and as it should be."""
    if isinstance(told, dict) and isinstance(given, dict):
        for key, value in given.items():
            yield from _differences(f"{field}.{key}", told[key], value)
    elif isinstance(told, list) and isinstance(given, list) and len(told) == len(given):
        for n, (one, other) in enumerate(zip(told, given, strict=True)):
            yield from _differences(f"{field}[{n}]", one, other)
    elif isinstance(told, list) and isinstance(given, list):
        yield f"{field}.length", len(told), len(given)
    elif told != given:
        yield field, told, given


def _whose(record: HandRecord, right: dict[str, Any], field: str) -> str | None:
    """Return the player, or the two of a pair, whose number this is."""
    place = re.match(r"result\.(players|pairs)\[(\d+)\]", field)
    if place is None:
        return None
    entry = right[place[1]][int(place[2])]
    seats = [entry[key] for key in ("seat", "a", "b") if key in entry]
    return " and ".join(record.name_of(Seat(seat)) for seat in seats)
