"""The bots that an option names."""

from __future__ import annotations

from ofc.bots import get_bot
from ofc.bots.registry import BotEntry, BotError
from ofc.errors import Fault, OfcError


def load_bots(names: str) -> list[BotEntry]:
    """Return the bots of `heuristic,random`, in order; `BotError` names every one that there is not."""
    found: list[BotEntry] = []
    faults: list[Fault] = []
    for name in names.split(","):
        try:
            found.append(get_bot(name.strip()))
        except OfcError as error:
            faults.extend(error.faults)
    if faults:
        raise BotError(*faults)
    return found


def bots_faults(names: str) -> tuple[Fault, ...]:
    """Return a fault for every bot that there is not."""
    try:
        load_bots(names)
    except BotError as error:
        return error.faults
    return ()
