"""The HTTP answers of docs/protocol.md."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ofc.bots import BOTS
from ofc.calculator.plain import shown
from ofc.errors import Fault, RulesError, any_of
from ofc.notation import format_record, record_of, seen_by
from ofc.rules import RuleSet
from ofc.rulesets import BUILT_IN, get_rules
from ofc.scoring import Chips, Seat
from ofc.service import LiveTable, OpenRequest, PastHand, TableRooms
from ofc.table import MATCH_HANDS, NAME_LENGTHS
from ofc.view import Phase, View, view_for
from ofc.web.headers import is_same_site
from ofc.web.protocol import encode, view_fields
from ofc.web.reading import MAX_BYTES, MOST_FAULTS, Reader, RequestError, read_choice, read_object

DEFAULT_HANDS: Final = 24


def json_response(value: object, status: int = 200) -> Response:
    """Answer with JSON, never to be cached: views are one visitor's."""
    return Response(encode(value), status, {"cache-control": "no-store"}, "application/json")


def errors_response(faults: tuple[Fault, ...], status: int) -> Response:
    """Answer with every fault, as far as there are not too many."""
    return json_response({"errors": faults[:MOST_FAULTS]}, status)


def rooms_of(request: Request) -> TableRooms:
    """Return the tables that this app serves."""
    rooms: TableRooms = request.app.state.rooms
    return rooms


def visitor_of(request: Request) -> str:
    """Return who asks."""
    visitor: str = request.scope["state"]["visitor"]
    return visitor


async def health(_request: Request) -> Response:
    """Say that the server is there."""
    return json_response({"status": "ok", "version": version("ofc")})


async def list_rules(_request: Request) -> Response:
    """List the newest version of each rule set."""
    newest = [rules for rules in BUILT_IN if rules == get_rules(rules.id)]
    listed = [
        {
            "id": rules.id,
            "version": rules.version,
            "title": rules.title,
            "summary": rules.summary,
            "seats": list(rules.seats),
        }
        for rules in newest
    ]
    return json_response({"rules": listed})


async def list_bots(_request: Request) -> Response:
    """List the bots, weakest first."""
    listed = [{"id": entry.id, "title": entry.title, "summary": entry.summary} for entry in BOTS]
    return json_response({"bots": listed})


async def tables(request: Request) -> Response:
    """List the visitor's tables, newest first; `POST` starts a table and its first hand."""
    return await (_open_table(request) if request.method == "POST" else _list_tables(request))


async def _open_table(request: Request) -> Response:
    if not is_same_site(request):
        raise ForeignSiteError(Fault("origin-foreign", "this page came from another site", field="origin"))
    table = await rooms_of(request).open(visitor_of(request), read_open_request(await body_of(request)))
    return json_response({"table": table}, 201)


async def _list_tables(request: Request) -> Response:
    visitor = visitor_of(request)
    found = await rooms_of(request).tables_of(visitor)
    return json_response({"tables": [_summary(live, visitor) for live in found]})


async def show_table(request: Request) -> Response:
    """Tell of one table."""
    live = await _table(request)
    return json_response(_summary(live, visitor_of(request)))


async def list_hands(request: Request) -> Response:
    """List a table's finished hands, newest first."""
    live = await _table(request)
    seat = live.seat_of(visitor_of(request))
    hands = await rooms_of(request).past_hands(live.stored.id)
    return json_response({"hands": [_hand_summary(past, seat) for past in reversed(hands)]})


async def show_hand(request: Request) -> Response:
    """Show a finished hand as the visitor may see it."""
    live, past, seat = await _past_hand(request)

    def answer() -> Response:
        frames = [view_fields(live.stored.id, state, seat) for state in past.states]
        return json_response({"hand": past.hand, "match": past.match, "frames": frames})

    return await asyncio.to_thread(answer)  # many outlooks: the other tables go on meanwhile


async def show_history(request: Request) -> Response:
    """Write a finished hand as one line of hand history, without what the visitor may not see."""
    live, past, seat = await _past_hand(request)
    record = seen_by(record_of(past.shown, table_id=live.stored.id), seat)
    return Response(f"{format_record(record)}\n", 200, {"cache-control": "no-store"}, "application/x-ndjson")


def read_open_request(body: bytes) -> OpenRequest:
    """Read the body of `POST /api/tables`; `RequestError` holds every fault."""
    reader = read_object(body)
    rules = _read_rules(reader)
    name = reader.text("name", longest=NAME_LENGTHS[-1], default="You")
    listed = reader.values("bots")
    bots = tuple(
        read_choice(reader, f"bots[{number}]", [entry.id for entry in BOTS], value, code="bot-unknown")
        for number, value in enumerate(listed)
    )
    if reader.take("bots") == listed and rules is not None and len(bots) + 1 not in rules.seats:
        allowed = any_of(rules.seats)
        reader.fault("seats-count", f"{rules.id} is played by {allowed}, not {len(bots) + 1}", "bots", str(len(bots)))
    hands = reader.whole("hands", least=MATCH_HANDS[0], most=MATCH_HANDS[-1], default=DEFAULT_HANDS)
    stack, price = _read_money(reader)
    seed = reader.optional_whole("seed", least=0)
    reader.finish()
    assert rules is not None  # noqa: S101  # finish would have raised
    return OpenRequest(rules, name, bots, hands, stack, price, seed)


def _read_rules(reader: Reader) -> RuleSet | None:
    value = reader.take("rules")
    if not isinstance(value, str):
        reader.fault("text-needed", "rules is the id of a rule set", "rules", shown(value))
        return None
    try:
        return get_rules(value)
    except RulesError as error:
        reader.faults.extend(error.faults)
        return None


def _read_money(reader: Reader) -> tuple[Chips | None, Chips | None]:
    value = reader.take("money")
    if value is None:
        return None, None
    if not isinstance(value, dict):
        reader.fault("money-invalid", "money is null, or an object with stack and price", "money", shown(value))
        return None, None
    money = Reader(value, prefix="money.", faults=reader.faults)
    stack, price = money.whole("stack", least=1, most=10**12), money.whole("price", least=1, most=10**9)
    money.check_fields()
    return Chips(stack), Chips(price)


async def body_of(request: Request, *, most: int = MAX_BYTES) -> bytes:
    """Return a request's whole body; `TooLargeError` over `most` bytes, `RequestError` if it ended early."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise TooLargeError(Fault("body-too-large", f"a request's body is at most {most} bytes"))
    except ClientDisconnect as error:
        raise RequestError(Fault("body-incomplete", "the request ended before its body did")) from error
    return bytes(body)


class TooLargeError(RequestError):
    """A request's body is too large (413)."""


class ForeignSiteError(RequestError):
    """The page that asks came from another site (403)."""


class NotFoundError(RequestError):
    """There is no such table or hand (404)."""


async def _table(request: Request) -> LiveTable:
    table_id: str = request.path_params["table"]
    live = await rooms_of(request).get(table_id)
    if live is None:
        raise NotFoundError(Fault("table-unknown", "there is no such table", field="table", text=shown(table_id)))
    return live


async def _past_hand(request: Request) -> tuple[LiveTable, PastHand, Seat | None]:
    live = await _table(request)
    number: int = request.path_params["hand"]
    hands = await rooms_of(request).past_hands(live.stored.id)
    if not 1 <= number <= len(hands):
        message = f"this table has {len(hands)} finished hands"
        raise NotFoundError(Fault("hand-unknown", message, field="hand", text=str(number)))
    return live, hands[number - 1], live.seat_of(visitor_of(request))


def _summary(live: LiveTable, visitor: str) -> dict[str, object]:
    seat = live.seat_of(visitor)
    view = view_for(live.table, seat)
    return {
        "table": live.stored.id,
        "rules": view.rules,
        "seats": [state.name for state in view.seats],
        "hands": view.hands,
        "hand": view.hand,
        "phase": view.phase,
        "your_turn": seat in view.turn or (seat is not None and view.phase is Phase.SHOWDOWN),
        "standing": [state.standing for state in view.seats],
        "unit": view.unit,
        "you": seat,
        "started_at": live.stored.opened_at,
    }


def _hand_summary(past: PastHand, seat: Seat | None) -> dict[str, object]:
    view: View = view_for(past.shown, seat)
    hand, settled = past.shown.hand, past.shown.settled
    assert hand is not None and settled is not None and view.result is not None  # noqa: S101, PT018  # it is settled
    players = view.result.players
    return {
        "hand": past.hand,
        "match": past.match,
        "number": view.hand,
        "at": settled.at,
        "seats": [player.seat for player in players],
        "points": [player.points for player in players],
        "chips": None if not settled.stacks else [player.chips for player in players],
        "fouled": [player.fouled for player in players],
        "fantasyland": list(hand.started.fantasyland),
        "you": seat,
    }
