"""Bots: players that decide from a view, as people do (design.md, decision 7)."""

from ofc.bots.bot import Bot, Situation, read_situation
from ofc.bots.fantasyland import house_setting
from ofc.bots.registry import BOTS, BotEntry, BotError, get_bot

__all__ = ["BOTS", "Bot", "BotEntry", "BotError", "Situation", "get_bot", "house_setting", "read_situation"]
