"""What a seat, or a spectator, may see (R-SEE-1, R-SEE-2): made from nothing, never by taking secrets away.

Changing a card that a viewer may not know does not change the view. docs/protocol.md says what each field means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ofc.board import ROWS, Board, Placement, Row
from ofc.cards import Card
from ofc.dealing import FANTASYLAND_STREET
from ofc.events import CardsPlaced, HandSettled
from ofc.hand import Hand
from ofc.outlook import RowNow, row_now
from ofc.prospects import out_of_order_rows
from ofc.rules import RuleSet
from ofc.scoring import CappedBy, Chips, Points, Seat
from ofc.table import SeatState, Table


class Phase(StrEnum):
    """What a table is doing."""

    PLACING = "placing"
    SHOWDOWN = "showdown"
    OVER = "over"


class SeatPhase(StrEnum):
    """What a seat is doing."""

    ACTING = "acting"
    WAITING = "waiting"
    SET = "set"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class RulesName:
    """Which rules are played."""

    id: str
    version: str
    title: str


@dataclass(frozen=True, slots=True)
class RowTotals:
    """Royalties by row, with their sum."""

    top: Points
    middle: Points
    bottom: Points
    total: Points


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One seat's result of a hand."""

    seat: Seat
    fouled: bool
    hands: Mapping[Row, str]
    royalties: RowTotals
    points: Points
    chips: Chips | None
    stack: Chips | None
    fantasyland_next: int


@dataclass(frozen=True, slots=True)
class PairResult:
    """One pair's result, every number seen from `a`, in settlement order."""

    a: Seat
    b: Seat
    rows: Mapping[Row, Points]
    scoop: Points
    royalties: Points
    points: Points
    chips: Chips | None
    capped_by: CappedBy | None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended: each seat's place from 1, ties sharing a place."""

    places: tuple[int, ...]
    hands: int
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """A hand's result."""

    players: tuple[PlayerResult, ...]
    pairs: tuple[PairResult, ...]
    button_next: Seat


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it. `board`, `rows` and `discards` are None where hidden."""

    seat: Seat
    name: str
    bot: str | None
    standing: int
    history: tuple[int, ...]
    fantasyland: int
    fantasyland_next: int
    state: SeatPhase
    away: bool
    board: Board | None
    rows: Mapping[Row, RowNow] | None
    placed: int
    discarded: int
    discards: tuple[Card, ...] | None
    out_of_order: bool


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One placement as the viewer may know it; `hidden`: set in Fantasyland, the cards not shown."""

    street: int
    seat: Seat
    placements: tuple[Placement, ...]
    hidden: bool
    forced: bool


@dataclass(frozen=True, slots=True)
class View:
    """A table as one viewer may see it."""

    rules: RulesName
    seeded: bool
    you: Seat | None
    phase: Phase
    hand: int
    hands: int
    street: int
    streets: int
    turn: tuple[Seat, ...]
    button: Seat
    unit: str
    price: Chips | None
    price_next: Chips | None
    seats: tuple[SeatView, ...]
    cards: tuple[Card, ...]
    to_place: int
    log: tuple[LogEntry, ...]
    result: Result | None
    match: MatchResult | None


def view_for(table: Table, viewer: Seat | None) -> View:
    """Return what `viewer`, a seat or None for a spectator, may see of the table now."""
    hand = table.hand
    rules = table.rules
    is_shown = table.settled is not None
    own = viewer if hand is not None and viewer is not None and _is_dealt_in(table, hand, viewer) else None
    holding = hand.holding(own) if hand is not None and own is not None else None
    phase = Phase.SHOWDOWN if is_shown else Phase.PLACING
    turn = hand.to_act if hand is not None and table.is_playing else ()
    return View(
        rules=RulesName(rules.id, rules.version, rules.title),
        seeded=table.opened.seeded,
        you=viewer,
        phase=phase if table.match_end is None else Phase.OVER,
        hand=hand.started.number if hand is not None else table.hands_played,
        hands=table.opened.hands,
        street=_street(hand),
        streets=len(rules.streets),
        turn=turn,
        button=hand.button if hand is not None else table.button,
        unit="points" if table.opened.stack is None else "chips",
        price=hand.started.price if hand is not None else table.price,
        price_next=table.price_next,
        seats=tuple(
            _seat_view(table, Seat(n), state, viewer, turn) for n, state in enumerate(table.seats) if state.player
        ),
        cards=holding.dealt if holding is not None else (),
        to_place=hand.to_place(own) if hand is not None and own is not None else 0,
        log=tuple(_log_entry(hand, entry, viewer, is_shown=is_shown) for entry in hand.log) if hand is not None else (),
        result=_result(table, hand, table.settled) if hand is not None and table.settled is not None else None,
        match=_match_result(table),
    )


def _is_dealt_in(table: Table, hand: Hand, seat: Seat) -> bool:
    """Whether the player who sits here now was dealt into the hand: a newcomer knows nothing of its cards."""
    return seat in hand.seats and not table.seat(seat).is_new


def _sees_board(hand: Hand, seat: Seat, viewer: Seat | None, *, is_shown: bool) -> bool:
    """Whether the viewer may see the seat's placed cards: a Fantasyland board only its owner, until the showdown."""
    return is_shown or seat == viewer or not hand.fantasyland(seat)


def _seat_view(table: Table, seat: Seat, state: SeatState, viewer: Seat | None, turn: tuple[Seat, ...]) -> SeatView:
    hand = table.hand
    is_shown = table.settled is not None
    assert state.player is not None  # noqa: S101  # only taken seats are shown
    dealt_in = hand is not None and _is_dealt_in(table, hand, seat)
    phase = SeatPhase.ACTING if seat in turn else SeatPhase.WAITING
    board: Board | None = Board()
    discards: tuple[Card, ...] = ()
    placed, shows_discards, fantasyland = 0, False, 0
    if hand is not None and dealt_in:
        holding = hand.holding(seat)
        fantasyland = hand.fantasyland(seat)
        placed = holding.board.placed
        discards = holding.discards
        shows_discards = seat == viewer or (is_shown and table.rules.reveals_discards)
        board = holding.board if _sees_board(hand, seat, viewer, is_shown=is_shown) else None
        if holding.board.is_complete:
            phase = SeatPhase.SET
    if state.is_out and not (dealt_in and table.settled is None):
        phase = SeatPhase.OUT
    return SeatView(
        seat=seat,
        name=state.player.name,
        bot=state.player.bot,
        standing=state.standing,
        history=state.history,
        fantasyland=fantasyland,
        fantasyland_next=state.owed if is_shown else 0,
        state=phase,
        away=state.away,
        board=board,
        rows=_rows_now(board, table.rules) if board is not None else None,
        placed=placed,
        discarded=len(discards),
        discards=discards if shows_discards else None,
        out_of_order=board is not None and _is_out_of_order(board),
    )


@lru_cache(maxsize=1024)
def _rows_now(board: Board, rules: RuleSet) -> Mapping[Row, RowNow]:
    """Return what the rows hold now. A board is looked at many times between two placements on it."""
    return {row: row_now(row, board.row(row), rules) for row in ROWS}


@lru_cache(maxsize=1024)
def _is_out_of_order(board: Board) -> bool:
    return bool(out_of_order_rows(board))


def _street(hand: Hand | None) -> int:
    """Return the regular street being played, 0 while only Fantasyland is being set."""
    if hand is None:
        return 0
    return max((deal.street for deal in hand.deals[: hand.deals_done]), default=FANTASYLAND_STREET)


def _log_entry(hand: Hand, entry: CardsPlaced, viewer: Seat | None, *, is_shown: bool) -> LogEntry:
    sees = _sees_board(hand, entry.seat, viewer, is_shown=is_shown)
    return LogEntry(entry.street, entry.seat, entry.placements if sees else (), not sees, entry.forced)


def _result(table: Table, hand: Hand, settled: HandSettled) -> Result:
    players = []
    for place, (seat, score) in enumerate(zip(hand.seats, settled.settlement.players, strict=True)):
        board = hand.holding(seat).board
        royalties = score.royalties
        paid = sum(t.chips if t.a == place else -t.chips for t in settled.transfers if place in (t.a, t.b))
        players.append(
            PlayerResult(
                seat=seat,
                fouled=score.fouled,
                hands={row: row_now(row, board.row(row), table.rules).hand for row in ROWS},
                royalties=RowTotals(royalties.top, royalties.middle, royalties.bottom, royalties.total),
                points=score.points,
                chips=Chips(paid) if settled.stacks else None,
                stack=settled.stacks[place] if settled.stacks else None,
                fantasyland_next=score.fantasyland_next,
            )
        )
    pairs = []
    for number, pair in enumerate(settled.settlement.pairs):
        transfer = settled.transfers[number] if settled.transfers else None
        pairs.append(
            PairResult(
                a=hand.seats[pair.a],
                b=hand.seats[pair.b],
                rows={row: pair.rows.row(row) for row in ROWS},
                scoop=pair.scoop,
                royalties=pair.royalties,
                points=pair.points,
                chips=transfer.chips if transfer else None,
                capped_by=transfer.capped_by if transfer else None,
            )
        )
    return Result(tuple(players), tuple(pairs), settled.button_next)


def _match_result(table: Table) -> MatchResult | None:
    if table.match_end is None:
        return None
    merits = [_merit(state) for state in table.seats if state.player is not None]
    places = tuple(1 + sum(other > merit for other in merits) for merit in merits)
    return MatchResult(places, table.hands_played, table.match_end)


def _merit(state: SeatState) -> tuple[int, ...]:
    """Return what places a player: the standing; of those out of chips who went later, then had more (R-CHIP-4)."""
    return (state.standing, state.out_after, *state.history[-2:-1]) if state.is_out else (state.standing,)
