"""A hand history as one line of JSON: the same record gives the same bytes, everywhere."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ofc.board import ROWS
from ofc.cards import Card
from ofc.notation.records import Action, HandRecord, PairRecord, PlayerRecord, ResultRecord, SeatRecord
from ofc.rulesets import rules_to_fields
from ofc.scoring import RowPoints

FORMAT: Final = "ofc-hand"
"""What every line names itself."""
VERSION: Final = 1
"""The version of the format that is written, and the only one there is to read."""


def format_record(record: HandRecord) -> str:
    """Write a record as one line of JSON, without the line's end: the inverse of `parse_record`."""
    return msgspec.json.encode(plain_record(record)).decode()


def plain_record(record: HandRecord) -> dict[str, Any]:
    """Return a record in JSON's plain values, the fields in the documented order."""
    plain: dict[str, Any] = {"format": FORMAT, "version": VERSION, "rules": rules_to_fields(record.rules)}
    if record.partial:
        plain |= {"partial": True, "viewer": record.viewer}
    plain |= {
        "table": record.table,
        "hand": record.number,
        "started_at": record.started_at,
        "button": record.button,
        "price": record.price,
        "seats": [_plain_seat(entry) for entry in record.seats],
        "actions": [_plain_action(action) for action in record.actions],
        "undealt": None if record.undealt is None else _plain_cards(record.undealt),
        "result": plain_result(record.result),
    }
    return plain


def plain_result(result: ResultRecord) -> dict[str, Any]:
    """Return a result in JSON's plain values."""
    return {
        "players": [_plain_player(player) for player in result.players],
        "pairs": [_plain_pair(pair) for pair in result.pairs],
        "button_next": result.button_next,
    }


def _plain_seat(entry: SeatRecord) -> dict[str, Any]:
    return {
        "seat": entry.seat,
        "name": entry.name,
        "bot": entry.bot,
        "fantasyland": entry.fantasyland,
        "stack": entry.stack,
    }


def _plain_action(action: Action) -> dict[str, Any]:
    return {
        "seat": action.seat,
        "street": action.street,
        "at": action.at,
        "dealt": _plain_cards(action.dealt),
        "placed": [{"card": str(card), "row": str(row)} for card, row in action.placements],
        "discarded": _plain_cards(action.discards),
        "forced": action.forced,
    }


def _plain_cards(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _plain_player(player: PlayerRecord) -> dict[str, Any]:
    return {
        "seat": player.seat,
        "fouled": player.fouled,
        "royalties": _plain_rows(player.royalties),
        "points": player.points,
        "stack": player.stack,
        "fantasyland_next": player.fantasyland_next,
    }


def _plain_pair(pair: PairRecord) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "rows": _plain_rows(pair.rows),
        "scoop": pair.scoop,
        "royalties": pair.royalties,
        "points": pair.points,
        "chips": pair.chips,
        "capped_by": None if pair.capped_by is None else str(pair.capped_by),
    }


def _plain_rows(points: RowPoints) -> dict[str, int]:
    return {str(row): points.row(row) for row in ROWS}
