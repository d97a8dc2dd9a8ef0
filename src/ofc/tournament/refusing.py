"""How commands are refused, and what several of them ask of names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NoReturn

from ofc.errors import Fault, IllegalCommandError
from ofc.tournament.events import TournamentEvent

MAX_NAME: Final = 60
MAX_REASON: Final = 200
MAX_SEED: Final = 2**53
_CODE: Final = re.compile(r"[A-Za-z0-9-]{1,20}")

Decided = tuple[Sequence[TournamentEvent], str]
"""What a command leads to, without what follows of itself, and in words for the audit log."""


def refuse(code: str, message: str, *, field: str | None = None, text: object = None) -> NoReturn:
    """Refuse a command for one reason."""
    raise IllegalCommandError(Fault(code, message, field=field, text=None if text is None else str(text)))


def refuse_if(faults: Collection[Fault]) -> None:
    """Refuse a command for every fault there is."""
    if faults:
        raise IllegalCommandError(*faults)


def name_faults(name: str, *, field: str = "name") -> list[Fault]:
    """Return a fault for a name that is empty, too long or not of one line."""
    if 1 <= len(name.strip()) <= MAX_NAME and name.strip().isprintable():
        return []
    return [Fault("name-length", f"a name has 1 to {MAX_NAME} characters, in one line", field=field, text=name)]


def club_faults(club: str, *, field: str = "club") -> list[Fault]:
    """Return a fault for a club's name that is too long or not of one line; it may be empty."""
    if len(club.strip()) <= MAX_NAME and club.strip().isprintable():
        return []
    message = f"a club's name has at most {MAX_NAME} characters, in one line"
    return [Fault("club-length", message, field=field, text=club)]


def read_reason(reason: str, what: str) -> str:
    """Return a reason without spaces around it; refuse an empty or endless one."""
    told = reason.strip()
    if not told or len(told) > MAX_REASON or not told.isprintable():
        refuse("reason-missing", f"say in one line why {what}", field="reason", text=reason)
    return told


def is_code(code: str) -> bool:
    """Whether a table's page can have this code: it is in an address, and typed by people."""
    return _CODE.fullmatch(code) is not None


def check_seed(seed: int) -> None:
    """Refuse a seed that JSON could not hold."""
    if abs(seed) > MAX_SEED:
        refuse("seed-invalid", f"a seed is at most {MAX_SEED:,}", field="seed", text=seed)
