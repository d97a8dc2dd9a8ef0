"""The web application: pages, HTTP and WebSocket over the live tables."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from ofc.errors import Fault, OfcError
from ofc.service import TableRooms
from ofc.storage import JournalError
from ofc.web import api
from ofc.web.headers import SecurityHeadersMiddleware
from ofc.web.socket import table_socket
from ofc.web.visitors import VisitorMiddleware

_LOG: Final = logging.getLogger(__name__)
_NO_PAGE: Final = (
    "The page has not been built. In a checkout, ./run serve builds it; by hand: npm ci && npm run build in ui/.\n"
)


def static_folder() -> Path:
    """Return the folder of the built page; it may not exist."""
    return Path(str(files("ofc.web") / "static"))


def create_app(open_rooms: Callable[[], TableRooms], *, static: Path | None = None) -> Starlette:
    """Return the application. `open_rooms` opens its tables when it starts; they are closed when it ends."""
    folder = static_folder() if static is None else static

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.rooms = open_rooms()
        yield
        await app.state.rooms.close()

    async def page(_request: Request) -> Response:
        index = folder / "index.html"
        if not index.is_file():
            return PlainTextResponse(_NO_PAGE, 503)
        return FileResponse(index, headers={"cache-control": "no-cache"})

    return Starlette(
        lifespan=lifespan,
        routes=[
            Route("/api/health", api.health),
            Route("/api/rules", api.list_rules),
            Route("/api/bots", api.list_bots),
            Route("/api/tables", api.list_tables, methods=["GET"]),
            Route("/api/tables", api.open_table, methods=["POST"]),
            Route("/api/tables/{table}", api.show_table),
            Route("/api/tables/{table}/hands", api.list_hands),
            Route("/api/tables/{table}/hands/{hand:int}", api.show_hand),
            WebSocketRoute("/api/tables/{table}/socket", table_socket),
            Route("/", page),
            Route("/table/{table}", page),
            Route("/table/{table}/hands/{hand:int}", page),
            Mount("/", StaticFiles(directory=folder, check_dir=False)),
        ],
        middleware=[Middleware(SecurityHeadersMiddleware), Middleware(VisitorMiddleware)],
        exception_handlers={
            OfcError: _refused,
            JournalError: _not_stored,
            HTTPException: _http_error,
            Exception: _broken,
        },
    )


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, OfcError)  # noqa: S101  # what it handles
    match error:
        case api.NotFoundError():
            status = 404
        case api.TooLargeError():
            status = 413
        case _:
            status = 400
    return api.errors_response(error.faults, status)


async def _not_stored(_request: Request, error: Exception) -> Response:
    _LOG.error("the journal refused", exc_info=error)
    return api.errors_response((Fault("journal", "this could not be stored, and was not done; try again"),), 503)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # what it handles
    if request.url.path.startswith("/api/"):
        codes = {404: "path-unknown", 405: "method-not-allowed"}
        fault = Fault(codes.get(error.status_code, "http"), error.detail, text=request.url.path)
        response = api.errors_response((fault,), error.status_code)
    else:
        response = PlainTextResponse(f"{error.detail}\n", error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _broken(_request: Request, error: Exception) -> Response:
    _LOG.error("a request failed", exc_info=error)
    return api.errors_response((Fault("internal", "something is wrong here; it has been noted"),), 500)
