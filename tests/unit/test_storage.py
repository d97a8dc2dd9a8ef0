"""The SQLite journal: what is acknowledged is there, and of two writers only one wins."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ofc.clock import Millis
from ofc.events import Player, PlayerSeated, TableOpened
from ofc.rulesets import get_rules
from ofc.scoring import Seat
from ofc.storage import Appended, ConflictError, Journal, JournalError, StoredEvent, StoredTable

OPENED = TableOpened(get_rules("ultimate"), 3, 24, None, None, Seat(0), seeded=False, at=Millis(1))
SEATED = PlayerSeated(Seat(0), Player("You"), Millis(2))


def stored_table(table: str, visitor: str = "v", *, at: int = 1, seed: int | None = None) -> StoredTable:
    return StoredTable(table, visitor, Seat(0), seed, Millis(at))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ofc.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    journal = Journal(path)
    yield journal
    journal.close()


def test_appended_events_are_read_in_order_also_by_another_journal(journal: Journal, path: Path) -> None:
    async def write() -> None:
        assert await journal.append("t", 0, [OPENED]) == Appended(1, repeated=False)
        assert await journal.append("t", 1, [SEATED, SEATED]) == Appended(3, repeated=False)

    asyncio.run(write())
    expected = [StoredEvent(1, OPENED), StoredEvent(2, SEATED), StoredEvent(3, SEATED)]
    assert journal.read("t") == expected
    assert journal.read("nothing") == []
    other = Journal(path)
    assert other.read("t") == expected
    other.close()


@pytest.mark.parametrize("expected_seq", [0, 2])
def test_an_append_behind_another_number_is_a_conflict_and_stores_nothing(journal: Journal, expected_seq: int) -> None:
    async def write() -> None:
        await journal.append("t", 0, [OPENED])
        with pytest.raises(ConflictError, match="t ends at 1"):
            await journal.append("t", expected_seq, [SEATED], opened=stored_table("t"))

    asyncio.run(write())
    assert len(journal.read("t")) == 1
    assert journal.table("t") is None


def test_of_many_writers_at_once_one_wins(journal: Journal, path: Path) -> None:
    other = Journal(path)

    async def write() -> list[Appended | BaseException]:
        await journal.append("t", 0, [OPENED])
        appends = [writer.append("t", 1, [SEATED]) for writer in (journal, other) * 20]
        return await asyncio.gather(*appends, return_exceptions=True)

    outcomes = asyncio.run(write())
    other.close()
    assert [outcome for outcome in outcomes if isinstance(outcome, Appended)] == [Appended(2, repeated=False)]
    assert all(isinstance(outcome, ConflictError) for outcome in outcomes if not isinstance(outcome, Appended))
    assert len(journal.read("t")) == 2


def test_a_command_sent_again_is_stored_once_and_answered_with_its_number(journal: Journal, path: Path) -> None:
    async def write() -> None:
        await journal.append("t", 0, [OPENED], sender="v", command="a")
        assert await journal.append("t", 1, [SEATED], sender="v", command="b") == Appended(2, repeated=False)
        # Whatever it is based on, and from wherever it comes.
        assert await journal.append("t", 1, [SEATED], sender="v", command="b") == Appended(2, repeated=True)
        assert await journal.append("t", 9, [SEATED], sender="v", command="a") == Appended(1, repeated=True)
        # Another sender's command of this name is another command.
        assert await journal.append("t", 2, [SEATED], sender="w", command="b") == Appended(3, repeated=False)

    asyncio.run(write())
    journal.close()
    again = Journal(path)
    assert again.command_seq("t", "v", "b") == 2
    assert again.command_seq("t", "v", "c") is None
    assert again.command_seq("u", "v", "b") is None
    again.close()


def test_tables_are_found_by_id_and_by_visitor_newest_first(journal: Journal) -> None:
    async def write() -> None:
        for number, (table, visitor) in enumerate([("a", "v"), ("b", "w"), ("c", "v"), ("d", "v")]):
            await journal.append(
                table, 0, [OPENED], opened=stored_table(table, visitor, at=number, seed=number or None)
            )

    asyncio.run(write())
    assert journal.table("b") == stored_table("b", "w", at=1, seed=1)
    assert journal.table("nothing") is None
    assert [stored.id for stored in journal.tables_of("v", limit=9)] == ["d", "c", "a"]
    assert [stored.id for stored in journal.tables_of("v", limit=2)] == ["d", "c"]
    assert journal.tables_of("x", limit=9) == []
    assert journal.tables_opened("v", since=Millis(2)) == 2


def test_a_full_disk_stores_nothing_and_later_the_journal_goes_on(journal: Journal) -> None:
    async def write() -> None:
        await journal.append("t", 0, [OPENED])
        (pages,) = journal._writer.execute("PRAGMA page_count").fetchone()
        journal._writer.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError, match="full"):
            await journal.append("t", 1, [SEATED] * 5000, sender="v", command="a")
        assert len(journal.read("t")) == 1
        assert journal.command_seq("t", "v", "a") is None
        journal._writer.execute("PRAGMA max_page_count = 1000000")
        assert (await journal.append("t", 1, [SEATED] * 5000, sender="v", command="a")).seq == 5001

    asyncio.run(write())


def test_an_append_that_cannot_be_written_down_is_answered_and_the_next_one_is_stored(journal: Journal) -> None:
    async def write() -> None:
        with pytest.raises(JournalError):
            await journal.append("t", 0, [OPENED], sender="\ud800", command="a")  # no UTF-8
        with pytest.raises(JournalError):
            await journal.append("t", 0, [OPENED], opened=stored_table("t", seed=2**70))  # no SQLite integer
        assert (await journal.append("t", 0, [OPENED])).seq == 1

    asyncio.run(write())


def test_an_append_whose_asker_is_gone_is_stored_all_the_same(journal: Journal, path: Path) -> None:
    """Neither a cancelled wait nor a closed event loop stops the writer."""
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")

    async def cancelled() -> None:
        waiting = asyncio.create_task(journal.append("t", 0, [OPENED]))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    async def left() -> None:
        asyncio.ensure_future(journal.append("u", 0, [OPENED]))  # noqa: RUF006 - nobody is to wait for it
        await asyncio.sleep(0)

    asyncio.run(cancelled())
    asyncio.run(left())
    blocker.execute("ROLLBACK")
    blocker.close()
    assert asyncio.run(journal.append("v", 0, [OPENED])).seq == 1
    assert len(journal.read("t")) == len(journal.read("u")) == 1


def test_a_cancelled_asker_is_not_told(journal: Journal) -> None:
    """The answer comes while the loop still runs, and finds that nobody waits."""

    async def write() -> None:
        waiting = asyncio.create_task(journal.append("t", 0, [OPENED]))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        await journal.append("u", 0, [OPENED])  # answered after it

    asyncio.run(write())
    assert len(journal.read("t")) == 1


def test_what_was_asked_for_before_closing_is_stored(path: Path) -> None:
    async def write() -> list[Appended]:
        journal = Journal(path)
        appends = [asyncio.create_task(journal.append(f"t{n}", 0, [OPENED])) for n in range(500)]
        await asyncio.sleep(0)
        await asyncio.to_thread(journal.close)
        return await asyncio.gather(*appends)

    assert len(asyncio.run(write())) == 500
    journal = Journal(path)
    assert all(journal.read(f"t{n}") for n in range(500))
    journal.close()


def test_a_closed_journal_refuses(journal: Journal) -> None:
    journal.close()
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        asyncio.run(journal.append("t", 0, [OPENED]))
    with pytest.raises(JournalError, match="cannot be read"):
        journal.read("t")


@pytest.mark.parametrize(
    "row",
    [("t", 1, "NoSuchEvent", b"{}"), ("t", 1, "PlayerSeated", b"{"), ("t", 1, "TableOpened", b'{"rules": "none"}')],
)
def test_a_stream_that_cannot_be_read_is_a_journal_error(journal: Journal, row: tuple[object, ...]) -> None:
    journal._writer.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
    with pytest.raises(JournalError, match="t holds what this program cannot read"):
        journal.read("t")


def test_what_is_no_journal_cannot_be_opened(path: Path) -> None:
    path.write_bytes(b"this is not a database, and long enough to be sure of it" * 100)
    with pytest.raises(JournalError, match="not a database"):
        Journal(path)
    with pytest.raises(JournalError, match="cannot open"):
        Journal(path.parent)


def test_many_may_open_a_new_journal_at_once(path: Path) -> None:
    opened: list[Journal] = []
    threads = [threading.Thread(target=lambda: opened.append(Journal(path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 8
    for journal in opened:
        journal.close()


def test_appends_are_on_the_disk_before_they_are_acknowledged(journal: Journal) -> None:
    assert journal._writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert journal._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
