"""The database's shape, one named step after the other; all that are missing, in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Final


def create_journal(database: sqlite3.Connection) -> None:
    """Events by stream and number, the commands that made them, and who opened which table."""
    database.execute(
        "CREATE TABLE events (stream TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, body BLOB NOT NULL,"
        " PRIMARY KEY (stream, seq)) WITHOUT ROWID"
    )
    database.execute(
        "CREATE TABLE commands (stream TEXT NOT NULL, sender TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL,"
        " PRIMARY KEY (stream, sender, id)) WITHOUT ROWID"
    )
    database.execute(
        "CREATE TABLE tables (id TEXT PRIMARY KEY, visitor TEXT NOT NULL, seat INTEGER NOT NULL, seed INTEGER,"
        " opened_at INTEGER NOT NULL) WITHOUT ROWID"
    )
    database.execute("CREATE INDEX tables_by_visitor ON tables (visitor, opened_at)")


def create_tournaments(database: sqlite3.Connection) -> None:
    """Tournaments, and who directs them; their logs are streams of `events`."""
    database.execute(
        "CREATE TABLE tournaments (id TEXT PRIMARY KEY, key TEXT NOT NULL, opened_at INTEGER NOT NULL) WITHOUT ROWID"
    )
    database.execute(
        "CREATE TABLE directors (tournament TEXT NOT NULL, visitor TEXT NOT NULL, name TEXT NOT NULL,"
        " since INTEGER NOT NULL, PRIMARY KEY (tournament, visitor)) WITHOUT ROWID"
    )
    database.execute("CREATE INDEX directors_by_visitor ON directors (visitor)")


def create_leagues(database: sqlite3.Connection) -> None:
    """Leagues; their logs are streams of `events`, and who directs them is among the `directors`."""
    database.execute(
        "CREATE TABLE leagues (id TEXT PRIMARY KEY, key TEXT NOT NULL, opened_at INTEGER NOT NULL) WITHOUT ROWID"
    )


STEPS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (create_journal, create_tournaments, create_leagues)


def migrate(database: sqlite3.Connection) -> None:
    """Bring the database to the newest shape; `ValueError` if it is newer than this program.

    Two programs may do it at once: whoever comes second finds it done.
    """
    database.execute("BEGIN IMMEDIATE")
    with database:
        (done,) = database.execute("PRAGMA user_version").fetchone()
        if done > len(STEPS):
            raise ValueError(f"the database is of version {done}, newer than this program's {len(STEPS)}")
        for step in STEPS[done:]:
            step(database)
        database.execute(f"PRAGMA user_version = {len(STEPS)}")
