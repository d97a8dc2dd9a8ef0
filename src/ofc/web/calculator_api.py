"""The points calculator for a page, unfinished boards included, and the reading of hands that people type.

docs/event-protocol.md describes both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ofc.board import ROWS, Board, Row
from ofc.calculator import FinishedHand, answer, read_hand, score_hand
from ofc.calculator.explaining import say_foul, say_next, say_pair, say_payments
from ofc.calculator.plain import MAX_CHIPS, numbered, shown
from ofc.calculator.plain import read_rules as read_rules_of
from ofc.calculator.text import plain_text
from ofc.cards import Card
from ofc.errors import BoardError, any_of
from ofc.outlook import row_now
from ofc.rules import RuleSet
from ofc.scoring import Points
from ofc.web import api
from ofc.web.event_commands import read_rules
from ofc.web.reading import Reader, parse_object

_PLACES: Final = {Row.TOP: "on top", Row.MIDDLE: "in the middle", Row.BOTTOM: "at the bottom"}
_MOST_PLAYERS: Final = 4
_ANY_RULES: Final = "ultimate"
_LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class RowOnPage:
    """What a row holds now, its royalty so far, and how many cards it lacks."""

    hand: str
    royalty: Points
    missing: int


async def calculate(request: Request) -> Response:
    """Say what boards come to, finished or not."""
    return api.json_response(look(parse_object(await api.body_of(request))))


def look(item: dict[str, object]) -> dict[str, object]:
    """Return what the boards hold now, and the result once they are complete; `RequestError` holds every fault."""
    reader = Reader(item)
    rules = read_rules(reader, "rules")
    for field in ("button", "price"):
        reader.take(field)
    players = _read_players(reader, rules)
    reader.finish()
    assert rules is not None  # noqa: S101  # finish would have raised
    used = [card for _, board in players for card in board.cards]
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
        "used": used,
        **({"result": None, "words": [], "next": []} if missing else _result(item, rules)),
    }


async def read_boards(request: Request) -> Response:
    """Put a hand as people type it into the page's own terms, finished or not."""
    reader = Reader(parse_object(await api.body_of(request)))
    text = reader.take("text")
    if not isinstance(text, str):
        reader.fault("text-needed", "text is a hand as people type it", "text", shown(text))
    reader.finish()
    return api.json_response(boards_in(str(text)))


def boards_in(text: str) -> dict[str, object]:
    """Return a typed hand for the page; `RequestError` holds every fault. What the text leaves out is None."""
    plain, faults = plain_text(text)
    rules = read_rules_of(plain, faults, default=_ANY_RULES) if {"rules", "dealt_on"} & plain.keys() else None
    reader = Reader(plain, faults=faults)
    for field in ("rules", "dealt_on"):
        reader.take(field)
    price = reader.optional_whole("price", least=1, most=MAX_CHIPS)
    button = reader.take("button")
    players = _read_players(reader, rules)
    held = [
        (inner.whole("fantasyland", least=0, default=0), inner.optional_whole("stack", least=0, most=MAX_CHIPS))
        for number, value in enumerate(reader.values("players"))
        if isinstance(value, dict)
        for inner in [reader.within(value, f"players[{number}]")]
    ]
    reader.finish()
    return {
        "rules": rules.name if rules is not None else None,
        "price": price,
        "button": button,
        "players": [
            {
                "name": None if name == numbered(number) else name,
                "rows": {row: board.row(row) for row in ROWS},
                "fantasyland": cards,
                "stack": stack,
            }
            for number, ((name, board), (cards, stack)) in enumerate(zip(players, held, strict=True))
        ],
    }


def _read_players(reader: Reader, rules: RuleSet | None) -> list[tuple[str, Board]]:
    values = reader.values("players")
    if not 1 <= len(values) <= _MOST_PLAYERS:
        reader.fault("players-count", f"1 to {_MOST_PLAYERS} players", "players", str(len(values)))
    elif rules is not None and len(values) not in rules.seats:
        allowed = any_of(rules.seats)
        reader.fault(
            "players-count", f"{rules.id} is played by {allowed}, not {len(values)}", "players", str(len(values))
        )
    found: list[tuple[str, Board]] = []
    seen: dict[Card, str] = {}
    for number, value in enumerate(values):
        field = f"players[{number}]"
        if not isinstance(value, dict):
            reader.fault("player-invalid", "a player is an object with name and rows", field, shown(value))
            continue
        inner = reader.within(value, field)
        name = inner.text("name", longest=_LONGEST_NAME)
        inner.take("fantasyland")
        inner.take("stack")
        board = _read_board(inner, name)
        inner.check_fields()
        for row in ROWS:
            for card in board.row(row):
                if card in seen:
                    inner.fault("card-twice", f"{card} is with {seen[card]} already", str(row), str(card), row=row)
                seen.setdefault(card, name)
        found.append((name, board))
    return found


def _read_board(reader: Reader, name: str) -> Board:
    texts: dict[Row, str] = {}
    for row in ROWS:
        value = reader.take(row)
        if value is not None and not isinstance(value, str):
            reader.fault("text-needed", f"{row} is cards as text", row, shown(value), row=row)
        texts[row] = value if isinstance(value, str) else ""
    try:
        return Board.from_rows(texts)
    except BoardError as error:
        for fault in error.faults:
            reader.fault(fault.code, f"{name}: {fault.message}", fault.row or "", fault.text or "", row=fault.row)
        return Board()


def _player(name: str, board: Board, rules: RuleSet) -> dict[str, object]:
    rows: dict[Row, RowOnPage] = {}
    for row in ROWS:
        now = row_now(row, board.row(row), rules)
        rows[row] = RowOnPage(now.hand, now.royalty, board.free(row))
    foul = say_foul(board, strict=rules.strict_order) if board.is_complete else ""
    return {"name": name, "rows": rows, "fouled": bool(foul), "foul_words": foul}


def _result(item: Mapping[str, object], rules: RuleSet) -> dict[str, object]:
    hand = read_hand(_without_nulls({key: value for key, value in item.items() if key != "rules"}), rules=rules)
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


def _without_nulls(item: Mapping[str, object]) -> dict[str, object]:
    """Leave out what the page has not filled in: a stack that is null is no stack."""
    return {key: _filled(value) for key, value in item.items() if value is not None}


def _filled(value: object) -> object:
    if isinstance(value, list):
        return [_without_nulls(one) if isinstance(one, dict) else one for one in value]
    return value
