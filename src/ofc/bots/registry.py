"""Every bot by its id, weakest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ofc.bots.bot import Bot
from ofc.bots.heuristic import HeuristicBot
from ofc.bots.random_bot import RandomBot
from ofc.errors import Fault, OfcError


class BotError(OfcError):
    """There is no such bot."""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot as it is offered: `id` for programs, `title` and `summary` for people."""

    id: str
    title: str
    summary: str
    bot: Bot


BOTS: Final[tuple[BotEntry, ...]] = (
    BotEntry("random", "Easy", "Places at random; fouls most hands", RandomBot()),
    BotEntry("heuristic", "Steady", "Weighs what every row may become; sets Fantasyland exactly", HeuristicBot()),
)
"""The bots there are, weakest first."""


def get_bot(bot_id: str) -> BotEntry:
    """Return the bot of this id; `BotError` (`bot-unknown`) says which there are.

    >>> get_bot("random").title
    'Easy'
    """
    for entry in BOTS:
        if entry.id == bot_id:
            return entry
    known = ", ".join(entry.id for entry in BOTS)
    raise BotError(Fault("bot-unknown", f"no bot “{bot_id}”; there are {known}", field="bots", text=bot_id))
