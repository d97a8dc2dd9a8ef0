"""A hand told to people, in plain ASCII but for the players' names; this text is not read back."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence

from ofc.board import ROWS, Row
from ofc.cards import Card
from ofc.clock import Millis
from ofc.notation.records import Action, HandRecord, PairRecord, PlayerRecord, SeatRecord

_HIDDEN = "??"


def format_hand_text(record: HandRecord) -> str:
    """Tell a hand street by street with its boards growing, then the result as it is recorded.

    Works for any record, a faulty one too.
    """
    return "\n".join(_lines(record))


def _lines(record: HandRecord) -> Iterator[str]:
    yield _title(record)
    yield "Seats: " + ", ".join(_seat_words(record, entry) for entry in record.seats)
    width = max((len(entry.name) for entry in record.seats), default=0)
    boards: dict[int, dict[Row, list[Card]]] = {}
    heading = None
    for action in record.actions:
        if action.street != heading:
            heading = action.street
            yield ""
            yield f"Street {heading}" if heading else "Fantasyland"
        board = boards.setdefault(action.seat, {row: [] for row in ROWS})
        for card, row in action.placements:
            board[row].append(card)
        yield from _action_lines(action, board, record.name_of(action.seat).ljust(width))
    yield ""
    yield "Showdown"
    for player in record.result.players:
        yield f"  {record.name_of(player.seat).ljust(width)}  {_board_words(boards.get(player.seat, {}))}"
        yield f"  {' ' * width}  {_player_words(player)}"
    for pair in record.result.pairs:
        yield f"  {record.name_of(pair.a)} against {record.name_of(pair.b)}: {_pair_words(pair)}"
    yield f"  Next button: {record.name_of(record.result.button_next)}"


def _title(record: HandRecord) -> str:
    parts = [record.rules.name]
    if record.table is not None:
        parts.append(f"table {record.table}")
    if record.number is not None:
        parts.append(f"hand {record.number}")
    if record.price is not None:
        parts.append(f"{record.price} chips a point")
    if record.partial:
        seen = "a spectator" if record.viewer is None else record.name_of(record.viewer)
        parts.append(f"as {seen} may see it")
    return ", ".join([*parts, _moment(record.started_at)])


def _moment(at: Millis) -> str:
    try:
        return (dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=at)).strftime("%Y-%m-%d %H:%M:%S UTC")  # noqa: DTZ001 - all is UTC
    except OverflowError:
        return f"{at} ms after 1970"


def _seat_words(record: HandRecord, entry: SeatRecord) -> str:
    notes = []
    if entry.bot is not None:
        notes.append(f"bot {entry.bot}")
    if entry.seat == record.button:
        notes.append("button")
    if entry.fantasyland:
        notes.append(f"Fantasyland with {entry.fantasyland} cards")
    if entry.stack is not None:
        notes.append(f"{entry.stack} chips")
    return f"{entry.seat} {entry.name}" + (f" ({', '.join(notes)})" if notes else "")


def _action_lines(action: Action, board: dict[Row, list[Card]], name: str) -> Iterator[str]:
    rows = [
        f"{row} {_cards(cards)}"
        for row in ROWS
        if (cards := [placement.card for placement in action.placements if placement.row is row])
    ]
    told = f"dealt {_cards(action.dealt)}: {', '.join(rows) or 'places nothing'}"
    if action.discards:
        told += f"; discards {_cards(action.discards)}"
    if action.forced:
        told += " (placed for the player: time was up)"
    yield f"  {name}  {told}"
    yield f"  {' ' * len(name)}  {_board_words(board)}"


def _board_words(board: dict[Row, list[Card]]) -> str:
    return " / ".join(_cards(board.get(row, ())) or "-" for row in ROWS)


def _cards(cards: Sequence[Card | None]) -> str:
    return " ".join(_HIDDEN if card is None else str(card) for card in cards)


def _player_words(player: PlayerRecord) -> str:
    royalties = player.royalties
    parts = ["fouled" if player.fouled else f"royalties {royalties.top}+{royalties.middle}+{royalties.bottom}"]
    parts.append(_signed(player.points, "point"))
    if player.stack is not None:
        parts.append(f"{player.stack} chips now" if player.stack else "out of chips")
    if player.fantasyland_next:
        parts.append(f"Fantasyland with {player.fantasyland_next} cards next")
    return ", ".join(parts)


def _pair_words(pair: PairRecord) -> str:
    won = Counter("won" if pair.rows.row(row) > 0 else "lost" if pair.rows.row(row) < 0 else "tied" for row in ROWS)
    rows = ", ".join(f"{won[how]} {how}" for how in ("won", "lost", "tied") if won[how])
    words = f"rows {rows} ({pair.rows.total:+})"
    words += f", scoop {pair.scoop:+}" if pair.scoop else ""
    words += f", royalties {pair.royalties:+}: {_signed(pair.points, 'point')}"
    if pair.chips is not None:
        words += f", {_signed(pair.chips, 'chip')}"
    if pair.capped_by is not None:
        words += f" (capped by the {pair.capped_by}'s stack)"
    return words


def _signed(number: int, unit: str) -> str:
    return f"{number:+} {unit}{'' if abs(number) == 1 else 's'}"
