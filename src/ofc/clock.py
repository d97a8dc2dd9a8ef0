"""Time as a value: the pure floors never read a clock, they are told (design.md, decision 8).

A clock is a deadline: the moment it ends, never ticks. Nobody is fouled for being slow (R-TIME-1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

Millis = NewType("Millis", int)
"""A moment: milliseconds since 1970-01-01 00:00 UTC."""


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """How long a seat may think, in milliseconds: for a street, and for a whole Fantasyland."""

    street_ms: int
    fantasyland_ms: int

    def deadline(self, dealt_at: Millis, *, fantasyland: bool) -> Millis:
        """Return the moment at which the time of a seat dealt to at `dealt_at` ends.

        >>> ThinkingTime(street_ms=25_000, fantasyland_ms=90_000).deadline(Millis(1_000), fantasyland=False)
        26000
        """
        return Millis(dealt_at + (self.fantasyland_ms if fantasyland else self.street_ms))
