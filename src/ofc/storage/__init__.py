"""Journals: streams of events that are never rewritten, and what is acknowledged is never lost."""

from ofc.storage.journal import (
    Appended,
    ConflictError,
    Journal,
    JournalError,
    StoredDirector,
    StoredEvent,
    StoredRow,
    StoredTable,
    StoredTournament,
)

__all__ = [
    "Appended",
    "ConflictError",
    "Journal",
    "JournalError",
    "StoredDirector",
    "StoredEvent",
    "StoredRow",
    "StoredTable",
    "StoredTournament",
]
