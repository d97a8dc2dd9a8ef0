"""The HTTP answers of docs/event-protocol.md that are about leagues."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ofc.calculator.plain import shown
from ofc.errors import Fault
from ofc.service.leagues import Leagues, LiveLeague
from ofc.service.live_tournament import Actor, NotAllowedError
from ofc.storage import StoredDirector
from ofc.tournament.commands import Redo, Undo
from ofc.tournament.league_formulas import FORMULAS, rule_words
from ofc.tournament.league_log import EventListed, LeagueCommand, LeagueLog, LeagueSet, LeagueSettings, ListEvent
from ofc.tournament.league_table import write_league
from ofc.web import api
from ofc.web.event_api import posted, tournaments_of
from ofc.web.event_commands import LONGEST_NAME
from ofc.web.event_exports import file_response
from ofc.web.league_prints import league_pdf
from ofc.web.protocol import encode
from ofc.web.reading import Reader, read_choice

LOG_LINES: Final = 100
_LONGEST_FORMULA: Final = 2000
_MOST_COUNTED: Final = 1000


async def leagues(request: Request) -> Response:
    """List the leagues that the visitor directs; `POST` opens one."""
    served = _leagues_of(request)
    if request.method == "POST":
        reader = await posted(request)
        settings = _settings(reader)
        director = reader.text("director", longest=LONGEST_NAME, default="Director")
        reader.finish()
        stored = await served.open(api.visitor_of(request), director, settings)
        return api.json_response({"league": stored.id, "key": stored.key}, 201)
    found = await served.leagues_of(api.visitor_of(request))
    listed = [
        {"league": one.stored.id, "name": one.log.settings.name, "events": one.log.events, "seq": one.log.seq}
        for one in found
    ]
    return api.json_response({"leagues": listed})


async def league(request: Request) -> Response:
    """Show a league to anyone, its log to its directors; `POST` does a director's command."""
    if request.method == "POST":
        return await _do(request)
    live, director = await _league(request)
    await _leagues_of(request).count(live)
    body = encode(_view(live) | {"director": director and director.name, "log": _log(live.log) if director else []})
    # Asked for every few seconds by every page that shows it.
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {"cache-control": "private, no-cache", "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, "application/json")


async def _do(request: Request) -> Response:
    reader = await posted(request)
    command_id, seq = reader.id(), reader.whole("seq", least=0)
    command = _command(reader)
    reader.finish()
    assert command is not None  # noqa: S101  # finish would have raised
    live, director = await _directed(request)
    actor = Actor(director.visitor, director.name)
    done = await _leagues_of(request).submit(live, actor, command_id, seq, command)
    return api.json_response({"seq": done.seq, "words": done.words})


async def join(request: Request) -> Response:
    """Make the visitor a director, by the key."""
    reader = await posted(request)
    key = reader.text("key", longest=100)
    name = reader.text("name", longest=LONGEST_NAME)
    reader.finish()
    live, _ = await _league(request)
    await _leagues_of(request).join(live, api.visitor_of(request), key=key, name=name)
    return api.json_response({"league": live.stored.id})


async def show_key(request: Request) -> Response:
    """Tell a director the key."""
    live, _ = await _directed(request)
    return api.json_response({"key": live.stored.key})


async def standings_csv(request: Request) -> Response:
    """Give the standings as CSV to anyone."""
    live, _ = await _league(request)
    await _leagues_of(request).count(live)
    content = write_league(live.table, [one.result.name for one in live.events]).encode()
    return file_response(content, f"{live.log.settings.name} standings.csv", "text/csv; charset=utf-8")


async def standings_pdf(request: Request) -> Response:
    """Give the standings to be printed to anyone."""
    live, _ = await _league(request)
    await _leagues_of(request).count(live)
    name, words = live.log.settings.name, rule_words(live.log.settings.league)
    events = [one.result.name for one in live.events]
    content = await asyncio.to_thread(league_pdf, name, f"{words[0].upper()}{words[1:]}.", live.table, events)
    return file_response(content, f"{name} standings.pdf", "application/pdf")


async def list_formulas(_request: Request) -> Response:
    """List the formulas."""
    listed = [
        {"id": name, "title": kind.title, "takes": kind.takes, "numbers": kind.numbers}
        for name, kind in FORMULAS.items()
    ]
    return api.json_response({"formulas": listed})


def _view(live: LiveLeague) -> dict[str, object]:
    settings = live.log.settings
    return {
        "league": live.stored.id,
        "seq": live.log.seq,
        "name": settings.name,
        "formula": settings.formula,
        "best": settings.best,
        "least_played": settings.least_played,
        "words": rule_words(settings.league),
        "events": [
            {
                "event": one.id,
                "name": one.result.name,
                "stage": one.stage,
                "players": len(one.result.finishes),
                "opened_at": one.opened_at,
            }
            for one in live.events
        ],
        "standings": live.table,
    }


def _log(log: LeagueLog) -> list[dict[str, object]]:
    """Return the last entries, newest first, as a director's log of an event has them."""
    return [
        {
            "seq": entry.seq,
            "at": entry.at,
            "by": entry.by,
            "words": log.words(entry),
            "table": None,
            "undone": entry.seq in log.undone,
            "can_undo": log.can_undo(entry.seq),
            "can_redo": log.can_redo(entry.seq),
            "undoes": None if isinstance(entry, LeagueSet | EventListed) else entry.action,
        }
        for entry in reversed(log.entries[-LOG_LINES:])
    ]


def _command(reader: Reader) -> LeagueCommand | None:
    value = reader.take("command")
    if not isinstance(value, dict):
        reader.fault("command-invalid", "a command is an object with do", "command", shown(value))
        return None
    inner = reader.within(value, "command")
    name = inner.take("do")
    if not isinstance(name, str) or name not in _READERS:
        read_choice(inner, "do", _READERS, name, code="command-unknown")
        return None
    command = _READERS[name](inner)
    inner.check_fields()
    return command


def _settings(reader: Reader) -> LeagueSettings:
    return LeagueSettings(
        reader.text("name", longest=LONGEST_NAME),
        reader.text("formula", longest=_LONGEST_FORMULA, default="linear"),
        reader.optional_whole("best", least=1, most=_MOST_COUNTED),
        reader.whole("least_played", least=0, most=_MOST_COUNTED, default=0),
    )


def _listing(reader: Reader, *, belongs: bool) -> ListEvent:
    return ListEvent(reader.text("event", longest=LONGEST_NAME), "", belongs)


def _action(reader: Reader) -> int:
    return reader.whole("action", least=1)


_READERS: Final[Mapping[str, Callable[[Reader], LeagueCommand]]] = {
    "settings": _settings,
    "add-event": lambda r: _listing(r, belongs=True),
    "remove-event": lambda r: _listing(r, belongs=False),
    "undo": lambda r: Undo(_action(r)),
    "redo": lambda r: Redo(_action(r)),
}


def _leagues_of(request: Request) -> Leagues:
    served: Leagues = request.app.state.leagues
    return served


async def _league(request: Request) -> tuple[LiveLeague, StoredDirector | None]:
    code: str = request.path_params["league"]
    live = await _leagues_of(request).get(code)
    if live is None:
        raise api.NotFoundError(Fault("league-unknown", "there is no such league", field="league", text=shown(code)))
    return live, tournaments_of(request).director(live.stored.id, api.visitor_of(request))


async def _directed(request: Request) -> tuple[LiveLeague, StoredDirector]:
    live, director = await _league(request)
    if director is None:
        raise NotAllowedError(Fault("not-director", "only a director of this league may do this"))
    return live, director
