"""Work that outlives whoever asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_T = TypeVar("_T")


class Tasks:
    """Running tasks, held so that none is lost, and waited for at the end."""

    def __init__(self) -> None:
        """Begin with none."""
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Run work whether or not whoever asked for it still waits."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def finish(self) -> None:
        """Wait for all that runs."""
        await asyncio.gather(*self._running, return_exceptions=True)
