"""`ofc serve`: the server, for players in the browser and for programs."""

from __future__ import annotations

import ipaddress
import logging
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ofc.cli.parsing import CheckedCommand
from ofc.errors import Fault, OfcError

if TYPE_CHECKING:
    from ofc.storage import FolderLock, Journal


class ServeError(OfcError):
    """The server cannot be started as asked."""


def default_data_folder() -> Path:
    """Return where journals are kept unless told otherwise: the user's own data folder. `ServeError` without one."""
    base = Path(os.environ.get("XDG_DATA_HOME", ""))
    if not base.is_absolute():  # such a one is no folder of the user's, says who made the variable up
        try:
            base = Path.home() / ".local" / "share"
        except RuntimeError as error:
            message = "you have no home folder to keep data in; name one with --data DIR"
            raise ServeError(Fault("data-unusable", message, field="--data")) from error
    return base / "ofc"


class _Folder(click.Path):
    """A folder that may be missing; an empty text names none, though Python takes it for the current one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("an empty text names no folder; the current one is “.”", param, ctx)
        return super().convert(value, param, ctx)


@click.command(cls=CheckedCommand, name="serve")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for the whole network."
)
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port to listen on; 0: any free one."
)
@click.option(
    "--data",
    type=_Folder(path_type=Path, file_okay=False),
    help="Folder for the journal; made if missing.  [default: ofc in your data folder]",
)
@click.option(
    "--bot-pause-ms",
    default=600,
    show_default=True,
    type=click.IntRange(0, 10_000),
    help="How long a bot seems to think before it places, in milliseconds.",
)
def command(host: str, port: int, data: Path | None, bot_pause_ms: int) -> None:
    """Serve tables to play at in the browser, until stopped with Ctrl+C.

    What was played is kept in the data folder and goes on where it stopped. One server at a time may use a folder.
    """
    import uvicorn  # noqa: PLC0415  # only serving needs a web server; other commands start without it

    from ofc.service import TableRooms  # noqa: PLC0415
    from ofc.web import create_app  # noqa: PLC0415
    from ofc.web.addresses import reachable_url  # noqa: PLC0415
    from ofc.web.reading import MOST_MESSAGE_BYTES  # noqa: PLC0415

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("uvicorn.error").addFilter(_without_noise)
    folder = data or default_data_folder()
    listener, lock, journal = _open(host, port, folder)
    shown_host = f"[{host}]" if ":" in host else host
    port = listener.getsockname()[1]
    everywhere = ipaddress.ip_address(listener.getsockname()[0]).is_unspecified
    url = f"http://{'127.0.0.1' if everywhere else shown_host}:{port}/"
    others = f" and, for others on this network, at {reachable_url(url)}" if everywhere else ""
    click.echo(f"ofc is at {url}{others}  (data in {folder}; stop with Ctrl+C)", err=True)
    config = uvicorn.Config(
        create_app(lambda: TableRooms(journal, bot_pause_ms=bot_pause_ms)),
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    with lock:
        uvicorn.Server(config).run(sockets=[listener])


def _open(host: str, port: int, folder: Path) -> tuple[socket.socket, FolderLock, Journal]:
    """Return all that a server needs. `ServeError` holds the faults of the address and of the data folder."""
    try:
        listener = _listen(host, port)
    except ServeError as error:
        in_use = _in_use(folder) if folder.is_dir() else ()  # no folder is made for a server that does not start
        raise ServeError(*error.faults, *in_use) from error
    try:
        return listener, *_open_data(folder)
    except ServeError:
        listener.close()
        raise


def _open_data(folder: Path) -> tuple[FolderLock, Journal]:
    from ofc.storage import Journal, JournalError  # noqa: PLC0415  # as above

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = _lock(folder)
        try:
            return lock, Journal(folder / "ofc.sqlite")
        except JournalError:
            lock.close()
            raise
    except (OSError, JournalError) as error:
        raise ServeError(
            Fault("data-unusable", f"the data folder cannot be used: {error}", field="--data", text=str(folder))
        ) from error


def _lock(folder: Path) -> FolderLock:
    from ofc.storage import FolderLock, LockedError  # noqa: PLC0415  # as above

    try:
        return FolderLock(folder)
    except LockedError as error:
        message = (
            f"another ofc server is using the data folder {folder}; stop it, or give this one a folder of its own with"
            " --data DIR"
        )
        raise ServeError(Fault("data-in-use", message, field="--data", text=str(folder))) from error


def _in_use(folder: Path) -> tuple[Fault, ...]:
    try:
        with suppress(OSError):  # whoever frees the port will be told
            _lock(folder).close()
    except ServeError as error:
        return error.faults
    return ()


def _without_noise(record: logging.LogRecord) -> bool:
    """Leave out of the log what is no fault of the server's: tracebacks for bad text, and refused handshakes."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    # uvicorn says so after every handshake that was answered with an error, as it should be.
    return record.msg != "ASGI callable returned without completing handshake."


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that a port in use is said before anything else is done."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, number)
    except (OSError, UnicodeError) as error:
        raise ServeError(
            Fault("host-unknown", f"cannot listen on “{host}”: {error}", field="--host", text=host)
        ) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        message = f"cannot listen on {host} port {port}: {error.strerror or error}"
        raise ServeError(Fault("port-unusable", message, field="--port", text=str(port))) from error
    return listener
