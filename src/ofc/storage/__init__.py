"""Journals: streams of events that are never rewritten, and what is acknowledged is never lost."""

from ofc.storage.journal import (
    Appended,
    ConflictError,
    Journal,
    JournalError,
    StoredDirector,
    StoredEvent,
    StoredLeague,
    StoredRow,
    StoredTable,
    StoredTournament,
)
from ofc.storage.lock import FolderLock, LockedError

__all__ = [
    "Appended",
    "ConflictError",
    "FolderLock",
    "Journal",
    "JournalError",
    "LockedError",
    "StoredDirector",
    "StoredEvent",
    "StoredLeague",
    "StoredRow",
    "StoredTable",
    "StoredTournament",
]
