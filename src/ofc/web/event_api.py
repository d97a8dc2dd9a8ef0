"""The HTTP answers of docs/event-protocol.md."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ofc.calculator.plain import shown
from ofc.errors import Fault
from ofc.scoring import Chips, Points
from ofc.service.live_tournament import LiveTournament, NotAllowedError
from ofc.service.tournaments import Tournaments
from ofc.storage import StoredDirector
from ofc.tournament.commands import Open
from ofc.tournament.deals import DealMethod, make_deal
from ofc.tournament.event_view import structure_view
from ofc.tournament.events import PlayerId
from ofc.tournament.log import Exported, read_export, write_log
from ofc.tournament.prizes import PAYOUT_TEMPLATES, Money
from ofc.tournament.standings import prizes_left
from ofc.tournament.suggesting import TEMPLATES, Suggestion, Wishes, explain, suggest
from ofc.web import api, event_exports
from ofc.web.addresses import reachable_url
from ofc.web.event_commands import LONGEST_NAME, note_impossible, read_rules, read_structure
from ofc.web.headers import is_same_site
from ofc.web.reading import Reader, RequestError, read_choice, read_object

MOST_LOG_BYTES: Final = 64 * 1024 * 1024
"""The largest exported event that is taken in."""
_LONGEST_ADDRESS: Final = 300


def tournaments_of(request: Request) -> Tournaments:
    """Return the tournaments that this app serves."""
    tournaments: Tournaments = request.app.state.tournaments
    return tournaments


async def events(request: Request) -> Response:
    """List the visitor's events; `POST` opens one."""
    return await (_open(request) if request.method == "POST" else _list(request))


async def _list(request: Request) -> Response:
    live = await tournaments_of(request).tournaments_of(api.visitor_of(request))
    listed = [
        {
            "event": one.stored.id,
            "name": one.state.settings.name,
            "stage": one.state.settings.stage,
            "players": sum(not player.withdrawn for player in one.state.players.values()),
            "opened_at": one.stored.opened_at,
        }
        for one in live
    ]
    return api.json_response({"events": listed})


async def _open(request: Request) -> Response:
    reader = await posted(request)
    command, director = read_open(reader)
    event, key = await tournaments_of(request).open(api.visitor_of(request), director, command)
    return api.json_response({"event": event, "key": key}, 201)


def read_open(reader: Reader) -> tuple[Open, str]:
    """Read the body of `POST /api/events`; `RequestError` holds every fault."""
    rules = read_rules(reader, "rules")
    structure = read_structure(reader, "structure")
    name = reader.text("name", longest=LONGEST_NAME)
    director = reader.text("director", longest=LONGEST_NAME, default="Director")
    seats = reader.whole("seats", least=2, most=4, default=3)
    absent = reader.whole("absent_points", least=0, most=1000, default=3)
    reader.check_fields()
    note_impossible(reader, "structure", structure)
    reader.finish()
    assert rules is not None  # noqa: S101  # finish would have raised
    return Open(name, rules, structure, seats, Points(absent)), director


async def join(request: Request) -> Response:
    """Make the visitor a director, by the key."""
    reader = await posted(request)
    key = reader.text("key", longest=100)
    name = reader.text("name", longest=LONGEST_NAME)
    reader.finish()
    live = await _event(request)
    await tournaments_of(request).join(live.stored.id, api.visitor_of(request), key=key, name=name)
    return api.json_response({"event": live.stored.id})


async def show_key(request: Request) -> Response:
    """Tell a director the key."""
    live, _ = await _directed(request)
    return api.json_response({"key": live.stored.key})


async def take_in(request: Request) -> Response:
    """Go on with an event that was exported elsewhere."""
    _check_site(request)
    body = await api.body_of(request, most=MOST_LOG_BYTES)
    file = await asyncio.to_thread(read_export, body)
    name = file.entries[0].by.strip()[:LONGEST_NAME]
    name = name if name and name.isprintable() else "Director"
    taken = await tournaments_of(request).take_in(api.visitor_of(request), name, file)
    told = {"event": taken.event, "key": taken.key, "codes": taken.codes, "words": taken.words}
    return api.json_response(told, 200 if taken.is_known else 201)


async def export(request: Request) -> Response:
    """Give the whole event as one file."""
    live, _ = await _directed(request)
    entries = tuple(live.log.entries)
    exported = Exported(entries[-1].seq, live.now()) if live.state.clock.running else None
    content = await asyncio.to_thread(lambda: write_log(entries, exported=exported))
    return event_exports.file_response(content, f"{live.state.settings.name}.ofc-event.jsonl", "application/x-ndjson")


async def print_file(request: Request) -> Response:
    """Give what is printed or exported, by its file name."""
    live, _ = await _directed(request)
    name: str = request.path_params["file"]
    if name not in event_exports.FILES:
        known = ", ".join(event_exports.FILES)
        raise api.NotFoundError(Fault("file-unknown", f"there are {known}", field="file", text=shown(name)))
    only = _only(request, live, event_exports.FILES[name].one)
    # A card is read by phones, and a director on the server's own machine calls it 127.0.0.1.
    base_url = reachable_url(str(request.base_url).rstrip("/"))
    if len(base_url) > _LONGEST_ADDRESS:
        raise RequestError(Fault("host-too-long", "this server's address is too long to print", field="host"))
    return await asyncio.to_thread(event_exports.make_file, name, live, base_url, only)


def _only(request: Request, live: LiveTournament, one: str | None) -> int | None:
    """Return the number of the one table or player that a file is wanted of, None for all of them."""
    for key, value in request.query_params.items():
        if key != one:
            message = f"this file can be had of one {one}" if one else "this file is of the whole event"
            raise RequestError(Fault("field-unknown", message, field=shown(key), text=shown(value)))
    text = request.query_params.get(one) if one else None
    if text is None:
        return None
    state = live.state
    tables = {str(table.number): int(table.number) for table in state.open_tables}
    known = tables if one == "table" else {str(player): int(player) for player in state.players}
    if text not in known:
        raise api.NotFoundError(Fault(f"{one}-unknown", f"there is no such {one}", field=one, text=shown(text)))
    if one == "player" and (player := state.players[PlayerId(known[text])]).at is None:
        raise RequestError(Fault("player-not-seated", f"{player.name} has no seat", field=one, text=text))
    return known[text]


async def suggest_structure(request: Request) -> Response:
    """Suggest a structure, and say how long it would take and why."""
    reader = await posted(request)
    wishes = Wishes(
        players=reader.whole("players", least=2, most=2000),
        starting_stack=Chips(reader.whole("starting_stack", least=1, most=10**9)),
        minutes=reader.whole("minutes", least=1, most=72 * 60),
        hand_minutes=reader.whole("hand_minutes", least=1, most=60, default=6),
        level_minutes=reader.whole("level_minutes", least=1, most=240, default=20),
        break_after=reader.whole("break_after", least=0, most=100, default=4),
        break_minutes=reader.whole("break_minutes", least=0, most=240, default=10),
    )
    reader.finish()
    return api.json_response(_suggestion(await asyncio.to_thread(suggest, wishes)))


async def forecast_structure(request: Request) -> Response:
    """Say how long a structure would take as it is, and why; the same answer as to a suggestion."""
    reader = await posted(request)
    structure = read_structure(reader, "structure")
    players = reader.whole("players", least=2, most=2000)
    hand_minutes = reader.whole("hand_minutes", least=1, most=60, default=6)
    note_impossible(reader, "structure", structure)
    reader.finish()
    async with request.app.state.forecasts:
        found = await asyncio.to_thread(explain, structure, players=players, hand_minutes=hand_minutes)
    return api.json_response(_suggestion(found))


def _suggestion(found: Suggestion) -> dict[str, object]:
    expected = found.forecast
    return {
        "structure": structure_view(found.structure),
        "expected_minutes": expected.minutes,
        "early_minutes": expected.low,
        "late_minutes": expected.high,
        "players_left": [
            {"minute": point.minute, "early": point.low, "middle": point.players, "late": point.high}
            for point in expected.curve
        ],
        "levels": expected.levels,
        "reasoning": found.reasons,
    }


async def list_structures(_request: Request) -> Response:
    """List the templates."""
    made = await asyncio.to_thread(
        lambda: [(template, template.structure(template.wishes.players)) for template in TEMPLATES]
    )
    listed = [
        {
            "id": template.id,
            "title": template.title,
            "summary": f"{template.wishes.players} players, {template.wishes.level_minutes} minutes a level",
            "structure": structure_view(structure),
        }
        for template, structure in made
    ]
    return api.json_response({"structures": listed})


async def list_payouts(_request: Request) -> Response:
    """List the payout templates."""
    listed = [{"id": one.id, "title": one.title, "origin": one.origin} for one in PAYOUT_TEMPLATES]
    return api.json_response({"payouts": listed})


async def suggest_deal(request: Request) -> Response:
    """Say what a deal between those who still play would give each; nothing is done."""
    live, _ = await _directed(request)
    reader = await posted(request)
    methods = [str(method) for method in DealMethod]
    method = DealMethod(read_choice(reader, "method", methods, reader.take("method"), code="method-unknown"))
    unit = Money(reader.whole("unit", least=1, most=10**9, default=1))
    held_back = Money(reader.whole("held_back", least=0, most=10**12, default=0))
    reader.finish()
    players = live.state.alive
    stacks = [player.stack for player in players]
    made = await asyncio.to_thread(
        make_deal, stacks, prizes_left(live.state), method=method, unit=unit, held_back=held_back
    )
    shares = {str(player.id): share for player, share in zip(players, made.shares, strict=True)}
    return api.json_response({"shares": shares, "held_back": made.held_back})


async def find_code(request: Request) -> Response:
    """Find the table that has a code."""
    code: str = request.path_params["code"]
    found = await tournaments_of(request).find_code(code)
    if found is None:
        raise api.NotFoundError(Fault("code-unknown", "no open table has this code", field="code", text=shown(code)))
    live, table = found
    return api.json_response({"event": live.stored.id, "table": table})


def _check_site(request: Request) -> None:
    if not is_same_site(request):
        raise api.ForeignSiteError(Fault("origin-foreign", "this page came from another site", field="origin"))


async def posted(request: Request) -> Reader:
    """Return a reader of what a page of this site sent; `RequestError` if it is no object, or a foreign page's."""
    _check_site(request)
    return read_object(await api.body_of(request))


async def _event(request: Request) -> LiveTournament:
    event: str = request.path_params["event"]
    live = await tournaments_of(request).get(event)
    if live is None:
        raise api.NotFoundError(Fault("event-unknown", "there is no such event", field="event", text=shown(event)))
    return live


async def _directed(request: Request) -> tuple[LiveTournament, StoredDirector]:
    live = await _event(request)
    director = tournaments_of(request).director(live.stored.id, api.visitor_of(request))
    if director is None:
        raise NotAllowedError(Fault("not-director", "only a director of this event may have this"))
    return live, director
