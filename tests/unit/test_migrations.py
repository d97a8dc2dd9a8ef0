"""The journal's shape, brought from any older version to the newest, once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ofc.storage import Journal, JournalError
from ofc.storage.migrations import STEPS, migrate


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "ofc.sqlite", isolation_level=None)) as database:
        yield database


def shape(database: sqlite3.Connection) -> list[tuple[str]]:
    return database.execute("SELECT sql FROM sqlite_schema ORDER BY name").fetchall()


def version(database: sqlite3.Connection) -> int:
    (number,) = database.execute("PRAGMA user_version").fetchone()
    return int(number)


def test_an_empty_database_gets_every_step(database: sqlite3.Connection) -> None:
    migrate(database)
    assert version(database) == len(STEPS)
    names = {row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    assert names == {"events", "commands", "tables", "tournaments", "directors", "leagues"}
    assert not database.in_transaction


def test_nothing_is_done_twice(database: sqlite3.Connection) -> None:
    migrate(database)
    before = shape(database)
    database.execute("INSERT INTO commands VALUES ('t', 'v', 'a', 1)")
    migrate(database)
    assert shape(database) == before
    assert database.execute("SELECT count(*) FROM commands").fetchone() == (1,)


def test_a_step_that_fails_leaves_the_database_as_it_was(
    database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(database)
    before = shape(database)

    def add(database: sqlite3.Connection) -> None:
        database.execute("CREATE TABLE more (id TEXT)")

    def fail(database: sqlite3.Connection) -> None:
        database.execute("CREATE TABLE more (id TEXT)")

    monkeypatch.setattr("ofc.storage.migrations.STEPS", (*STEPS, add, fail))
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        migrate(database)
    assert shape(database) == before
    assert version(database) == len(STEPS)
    monkeypatch.setattr("ofc.storage.migrations.STEPS", (*STEPS, add))
    migrate(database)
    assert version(database) == len(STEPS) + 1
    assert len(shape(database)) == len(before) + 1


def test_a_journal_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ofc.sqlite"
    Journal(path).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    with pytest.raises(JournalError, match="newer than this program"):
        Journal(path)
    with closing(sqlite3.connect(path)) as database:
        assert version(database) == len(STEPS) + 1
