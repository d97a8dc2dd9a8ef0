"""The web application: pages, HTTP and WebSocket over the live tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from ofc.calculator.plain import shown
from ofc.errors import Fault, OfcError
from ofc.service import TableRooms, TooManyTablesError
from ofc.service.leagues import Leagues
from ofc.service.live_tournament import NotAllowedError
from ofc.service.tournaments import TooManyTournamentsError, Tournaments
from ofc.storage import JournalError
from ofc.web import api, event_api, league_api
from ofc.web.calculator_api import calculate, read_typed
from ofc.web.connection import BROKEN, HELLO_S, NOT_STORED, refuse_handshake
from ofc.web.event_socket import event_socket
from ofc.web.headers import SecurityHeadersMiddleware
from ofc.web.socket import table_socket
from ofc.web.visitors import VisitorMiddleware

_LOG: Final = logging.getLogger(__name__)
_FRESH: Final = {"cache-control": "no-cache"}
_NO_PAGE: Final = (
    "The page has not been built. In a checkout, ./run serve builds it; by hand: npm ci && npm run build in ui/.\n"
)


def static_folder() -> Path:
    """Return the folder of the built page; it may not exist."""
    return Path(str(files("ofc.web") / "static"))


def create_app(
    open_rooms: Callable[[], TableRooms], *, static: Path | None = None, hello_s: float = HELLO_S
) -> Starlette:
    """Return the application. `open_rooms` opens its tables when it starts; they are closed when it ends.

    `static` is the folder of the built page, `hello_s` how long a socket may wait before it says hello.
    """
    folder = static_folder() if static is None else static

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        rooms = app.state.rooms = open_rooms()
        tournaments = app.state.tournaments = Tournaments(rooms.journal, now=rooms.now)
        app.state.leagues = Leagues(tournaments)
        try:
            yield
        finally:
            await tournaments.close()
            await rooms.close()

    index = folder / "index.html"

    async def page(_request: Request) -> Response:
        if not index.is_file():
            return PlainTextResponse(_NO_PAGE, 503)
        return FileResponse(index, headers=_FRESH)

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101  # what it handles
        is_lost = error.status_code == HTTPStatus.NOT_FOUND and request.method in ("GET", "HEAD")
        if is_lost and _answers_with(request) == "page" and index.is_file():
            return FileResponse(index, HTTPStatus.NOT_FOUND, headers=_FRESH)  # it says so in its own look
        return _http_error(request, error)

    app = Starlette(
        lifespan=lifespan,
        routes=[
            Mount(
                "/api",
                routes=[
                    Route("/health", api.health),
                    Route("/rules", api.list_rules),
                    Route("/bots", api.list_bots),
                    Route("/tables", api.tables, methods=["GET", "POST"]),
                    Route("/tables/{table}", api.show_table),
                    Route("/tables/{table}/hands", api.list_hands),
                    Route("/tables/{table}/hands/{hand:int}", api.show_hand),
                    Route("/tables/{table}/hands/{hand:int}/history", api.show_history),
                    WebSocketRoute("/tables/{table}/socket", table_socket),
                    Route("/calculator", calculate, methods=["POST"]),
                    Route("/calculator/text", read_typed, methods=["POST"]),
                    Route("/events", event_api.events, methods=["GET", "POST"]),
                    Route("/events/import", event_api.take_in, methods=["POST"]),
                    Route("/events/suggest", event_api.suggest_structure, methods=["POST"]),
                    Route("/events/forecast", event_api.forecast_structure, methods=["POST"]),
                    Route("/events/{event}/directors", event_api.join, methods=["POST"]),
                    Route("/events/{event}/key", event_api.show_key),
                    Route("/events/{event}/export", event_api.export),
                    WebSocketRoute("/events/{event}/socket", event_socket),
                    Route("/events/{event}/deal", event_api.suggest_deal, methods=["POST"]),
                    Route("/events/{event}/{file}", event_api.print_file),
                    Route("/leagues", league_api.leagues, methods=["GET", "POST"]),
                    Route("/leagues/{league}", league_api.league, methods=["GET", "POST"]),
                    Route("/leagues/{league}/directors", league_api.join, methods=["POST"]),
                    Route("/leagues/{league}/key", league_api.show_key),
                    Route("/leagues/{league}/standings.csv", league_api.standings_csv),
                    Route("/leagues/{league}/standings.pdf", league_api.standings_pdf),
                    Route("/formulas", league_api.list_formulas),
                    Route("/payouts", event_api.list_payouts),
                    Route("/structures", event_api.list_structures),
                    Route("/table-codes/{code}", event_api.find_code),
                    WebSocketRoute("/{path:path}", _no_socket),
                ],
            ),
            WebSocketRoute("/{path:path}", _no_socket),
            Route("/", page),
            Route("/table/{table}", page),
            Route("/table/{table}/hands/{hand:int}", page),
            Route("/calculator", page),
            Route("/events", page),
            Route("/event/{event}", page),
            Route("/event/{event}/{part}", page),
            Route("/t/{code}", page),
            Route("/l/{league}", page),
            *([Route("/{path:path}", StaticFiles(directory=folder))] if folder.is_dir() else []),
        ],
        middleware=[Middleware(SecurityHeadersMiddleware), Middleware(VisitorMiddleware)],
        exception_handlers={
            OfcError: _refused,
            JournalError: _not_stored,
            HTTPException: http_error,
            Exception: _broken,
        },
    )
    app.state.hello_s = hello_s
    # One at a time: they are asked for while somebody types, and keep a processor busy.
    app.state.forecasts = asyncio.Semaphore(1)
    return app


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, OfcError)  # noqa: S101  # what it handles
    match error:
        case api.NotFoundError():
            status = 404
        case api.ForeignSiteError() | NotAllowedError():
            status = 403
        case api.TooLargeError():
            status = 413
        case TooManyTablesError() | TooManyTournamentsError():
            status = 429
        case _:
            status = 400
    return api.errors_response(error.faults, status)


async def _not_stored(_request: Request, error: Exception) -> Response:
    _LOG.error("%s", error)
    return api.errors_response((NOT_STORED,), 503)


def _answers_with(request: Request) -> Literal["json", "page", "text"]:
    """Say what an error is written as: JSON for programs, the page for people, a line for what is part of a page."""
    path = request.url.path
    wanted = {
        part.partition(";")[0].strip().lower() for line in request.headers.getlist("accept") for part in line.split(",")
    }
    if path == "/api" or path.startswith("/api/"):
        return "json"
    if "text/html" in wanted:
        return "page"
    if "application/json" in wanted:
        return "json"
    # Who takes anything, as curl does, gets the page too, but where it is a file that is missing: the browser asks
    # for scripts and pictures in the same way.
    takes_pages = not wanted - {""} or wanted & {"*/*", "text/*"}
    return "page" if takes_pages and "." not in path.rpartition("/")[2] else "text"


def _http_error(request: Request, error: HTTPException) -> Response:
    if _answers_with(request) == "json":
        path = shown(request.url.path)
        known = {
            404: Fault("path-unknown", "there is nothing at this address", text=path),
            405: Fault("method-not-allowed", f"this address does not take {request.method}", text=path),
        }
        fault = known.get(error.status_code, Fault("http", error.detail, text=path))
        response = api.errors_response((fault,), error.status_code)
    else:
        response = PlainTextResponse(f"{error.detail}\n", error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _no_socket(websocket: WebSocket) -> None:
    """Refuse a handshake at an address that has no socket."""
    fault = Fault("path-unknown", "there is nothing at this address", text=shown(websocket.url.path))
    await refuse_handshake(websocket, 404, fault)


async def _broken(_request: Request, _error: Exception) -> Response:
    # Starlette raises it again, and so it comes into the log.
    return api.errors_response((BROKEN,), 500)
