"""The points calculator for a page, unfinished boards included, and the reading of hands that people type.

docs/event-protocol.md describes both.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ofc.board import ROWS, Board, Row
from ofc.calculator import FinishedHand, answer, read_hand, score_hand
from ofc.calculator.explaining import say_foul, say_next, say_pair, say_payments
from ofc.calculator.plain import numbered, read_boards, shown
from ofc.calculator.plain import read_rules as read_rules_of
from ofc.calculator.text import plain_text
from ofc.cards import scan_cards
from ofc.errors import Fault
from ofc.outlook import row_now
from ofc.rules import RuleSet
from ofc.scoring import Points
from ofc.web import api
from ofc.web.event_commands import read_rules
from ofc.web.reading import Reader, read_object

_PLACES: Final = {Row.TOP: "on top", Row.MIDDLE: "in the middle", Row.BOTTOM: "at the bottom"}
_MOST_PLAYERS: Final = 4
_ANY_RULES: Final = "ultimate"


@dataclass(frozen=True, slots=True)
class RowOnPage:
    """What a row holds now, its royalty so far, and how many cards it lacks."""

    hand: str
    royalty: Points
    missing: int


async def calculate(request: Request) -> Response:
    """Say what boards come to, finished or not."""
    return api.json_response(look(read_object(await api.body_of(request))))


def look(reader: Reader) -> dict[str, object]:
    """Return what the boards hold now, and the result once they are complete; `OfcError` holds every fault."""
    rules = read_rules(reader, "rules")
    hand = {field: reader.take(field) for field in ("button", "price", "players")}
    reader.check_fields()
    unfinished = _lacks_cards(hand["players"])
    faults = reader.faults + _count_faults(hand["players"], rules)
    players = read_boards(hand, rules=rules, faults=faults, unfinished=unfinished)
    assert rules is not None  # noqa: S101  # else it would have been a fault
    missing = [
        f"{name}: {board.free(row)} {'card' if board.free(row) == 1 else 'cards'} {_PLACES[row]}"
        for name, board in players
        for row in ROWS
        if board.free(row)
    ]
    return {
        "rules": rules.name,
        "players": [_player(name, board, rules) for name, board in players],
        "missing": missing,
        "used": [card for _, board in players for card in board.cards],
        **({"result": None, "words": [], "next": []} if missing else _result(read_hand(hand, rules=rules))),
    }


async def read_typed(request: Request) -> Response:
    """Put a hand as people type it into the page's own terms, finished or not."""
    reader = read_object(await api.body_of(request))
    text = reader.take("text")
    if not isinstance(text, str):
        reader.fault("text-needed", "text is a hand as people type it", "text", shown(text))
    reader.finish()
    return api.json_response(await asyncio.to_thread(boards_in, str(text)))  # a strange one may take its time


def boards_in(text: str) -> dict[str, object]:
    """Return a typed hand for the page; `ScoringError` holds every fault. What the text leaves out is None."""
    plain, faults = plain_text(text)
    names_rules = bool({"rules", "dealt_on"} & plain.keys())
    rules = read_rules_of(plain, faults, default=_ANY_RULES) if names_rules else None
    hand = {key: value for key, value in plain.items() if key not in ("rules", "dealt_on")}
    players = hand["players"]
    assert isinstance(players, list)  # noqa: S101  # as `plain_text` makes it
    boards = read_boards(hand, rules=rules, faults=faults + _count_faults(players, rules), unfinished=True)
    return {
        "rules": rules.name if rules is not None else None,
        "price": hand.get("price"),
        "button": hand.get("button"),
        "players": [
            {
                "name": None if name == numbered(number) else name,
                "rows": {row: board.row(row) for row in ROWS},
                "fantasyland": player.get("fantasyland", 0),
                "stack": player.get("stack"),
            }
            for number, ((name, board), player) in enumerate(zip(boards, players, strict=True))
        ],
    }


def _count_faults(players: object, rules: RuleSet | None) -> list[Fault]:
    """Return a fault where there are more or fewer players than any rules take; with rules, those say it."""
    if rules is not None or not isinstance(players, list) or 1 <= len(players) <= _MOST_PLAYERS:
        return []
    return [Fault("players-count", f"1 to {_MOST_PLAYERS} players", field="players", text=str(len(players)))]


def _lacks_cards(players: object) -> bool:
    """Whether any row has fewer cards than it takes, as far as it can be read."""
    texts = [(row, player.get(row)) for player in _objects(players) for row in ROWS]
    return any(not isinstance(text, str) or len(scan_cards(text)[0]) < row.size for row, text in texts)


def _objects(values: object) -> list[dict[str, object]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _player(name: str, board: Board, rules: RuleSet) -> dict[str, object]:
    rows: dict[Row, RowOnPage] = {}
    for row in ROWS:
        now = row_now(row, board.row(row), rules)
        rows[row] = RowOnPage(now.hand, now.royalty, board.free(row))
    foul = say_foul(board, strict=rules.strict_order) if board.is_complete else ""
    return {"name": name, "rows": rows, "fouled": bool(foul), "foul_words": foul}


def _result(hand: FinishedHand) -> dict[str, object]:
    scored = score_hand(hand)
    payments = say_payments(scored)
    words: list[dict[str, object]] = []
    for number, pair in enumerate(scored.settlement.pairs):
        lines = [{"part": part, "why": why, "points": points} for part, why, points in say_pair(scored, pair)]
        a, b = hand.names[pair.a], hand.names[pair.b]
        words.append({"a": a, "b": b, "lines": lines, "payment": payments[number] if payments else None})
    following = [score.fantasyland_next for score in scored.settlement.players]
    return {"result": answer(scored), "words": words, "next": _next_hands(hand, following)}


def _next_hands(hand: FinishedHand, following: list[int]) -> list[dict[str, str]]:
    told = []
    for name, board, held, cards in zip(hand.names, hand.boards, hand.fantasyland, following, strict=True):
        said = say_next(board, hand.rules, held=held, following=cards)
        if said:
            told.append({"player": name, "words": f"{name} {said}"})
    return told
