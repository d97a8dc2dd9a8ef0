"""One server for a data folder: an advisory lock that the operating system lets go of when its process ends.

The journal's numbers keep two writers from both winning, but a second server would not hear of what the first one
stores, and its pages would be stale.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, Self

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK_NAME: Final = "ofc.lock"
"""The file in the data folder that is locked. It stays there: only the lock on it means anything."""


class LockedError(Exception):
    """Another process holds the folder."""


class FolderLock:
    """Holds a folder from when it is made until it is closed, or the process has ended in whatever way."""

    def __init__(self, folder: Path) -> None:
        """Take the lock; `LockedError` if another process has it, `OSError` if the folder cannot be locked."""
        self._file = (folder / LOCK_NAME).open("ab")
        try:
            _lock(self._file.fileno())
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the folder go; closing twice is harmless."""
        self._file.close()


def _lock(file: int) -> None:
    if sys.platform == "win32":
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise LockedError from error
    else:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LockedError from error
