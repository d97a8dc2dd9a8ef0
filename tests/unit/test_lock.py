"""The lock on a data folder: one holder, and nothing left to clean up."""

from pathlib import Path

import pytest

from ofc.storage import FolderLock, LockedError
from ofc.storage.lock import LOCK_NAME


def test_a_folder_has_one_holder_at_a_time(tmp_path: Path) -> None:
    with FolderLock(tmp_path) as lock:
        for _ in range(2):
            with pytest.raises(LockedError):
                FolderLock(tmp_path)
        lock.close()
        FolderLock(tmp_path).close()
    with FolderLock(tmp_path):
        pass


def test_the_file_of_one_who_has_ended_locks_nothing(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).write_text("4711")
    FolderLock(tmp_path).close()
    assert (tmp_path / LOCK_NAME).read_text() == "4711"


def test_a_folder_that_is_not_there_cannot_be_locked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FolderLock(tmp_path / "none")
