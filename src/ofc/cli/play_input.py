"""What a player types at `ofc play`: placements in several forms, and short commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ofc.board import Placement, Row
from ofc.cards import Card
from ofc.errors import CardError, Fault, OfcError


class TypingError(OfcError):
    """A line that says neither placements nor a command."""


class Word(StrEnum):
    """A command."""

    UNDO = "undo"
    CLEAR = "clear"
    CONFIRM = "ok"
    BY_RANK = "sort rank"
    BY_SUIT = "sort suit"
    SHOW = "show"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Arrange:
    """Cards put into rows, not yet confirmed."""

    placements: tuple[Placement, ...]


_WORDS: Final = {
    "": Word.CONFIRM, "ok": Word.CONFIRM, "yes": Word.CONFIRM, "y": Word.CONFIRM, "confirm": Word.CONFIRM,
    "undo": Word.UNDO, "u": Word.UNDO, "back": Word.UNDO,
    "clear": Word.CLEAR, "c": Word.CLEAR,
    "sort": Word.BY_RANK, "sort rank": Word.BY_RANK, "rank": Word.BY_RANK,
    "sort suit": Word.BY_SUIT, "suit": Word.BY_SUIT,
    "show": Word.SHOW, "boards": Word.SHOW,
    "help": Word.HELP, "h": Word.HELP, "?": Word.HELP,
    "quit": Word.QUIT, "q": Word.QUIT, "exit": Word.QUIT,
}  # fmt: skip
_ROWS: Final = {
    "t": Row.TOP, "top": Row.TOP,
    "m": Row.MIDDLE, "mid": Row.MIDDLE, "middle": Row.MIDDLE,
    "b": Row.BOTTOM, "bot": Row.BOTTOM, "bottom": Row.BOTTOM,
}  # fmt: skip
_APART: Final = re.compile(r"[\s,;:>=/-]+")
_FILLERS: Final = ("to", "on", "in", "the", "at", "and")


def read_line(line: str, cards: Sequence[Card]) -> Word | Arrange:
    """Read a line typed by one who holds `cards`; a number means the card in that place, from 1.

    A row may stand before its cards or after them, the same throughout a line. `TypingError` says what was not
    understood.

    >>> from ofc.cards import parse_cards
    >>> held = parse_cards("Qd Ac 7d")
    >>> read_line("Qd top, Ac mid", held) == read_line("t Qd m Ac", held) == read_line("1t 2m", held)
    True
    """
    text = line.strip().casefold()
    command = _WORDS.get(" ".join(text.split()))
    if command is not None:
        return command
    tokens = [token for token in _APART.split(_numbers_apart(text)) if token and token not in _FILLERS]
    placements: list[Placement] = []
    waiting: list[Card] = []
    is_row_first = bool(tokens) and tokens[0] in _ROWS
    row: Row | None = None
    for token in tokens:
        if token in _ROWS:
            row = _ROWS[token]
            placements += [Placement(card, row) for card in waiting]
            waiting = []
        elif is_row_first and row is not None:
            placements.append(Placement(_card(token, cards), row))
        else:
            waiting.append(_card(token, cards))
    if waiting:
        named = " ".join(map(str, waiting))
        raise TypingError(Fault("row-missing", f"which row for {named}? Say top, mid or bot", text=line.strip()))
    if not placements:
        raise TypingError(
            Fault("not-understood", "not understood; type help to see what can be typed", text=line.strip())
        )
    return Arrange(tuple(placements))


def _numbers_apart(text: str) -> str:
    """Part a number, or a card, from the row that follows it at once: `1t`, `qdtop`."""
    return re.sub(
        r"(?<![^\s,;])(\d{1,2}|(?:10|[2-9tjqka])[cdhs♣♦♥♠])(t|top|m|mid|middle|b|bot|bottom)(?![^\s,;])", r"\1 \2", text
    )


def _card(token: str, cards: Sequence[Card]) -> Card:
    if token.isdecimal():
        if 1 <= int(token) <= len(cards):
            return cards[int(token) - 1]
        raise TypingError(Fault("card-number", f"there is no card number {token}, only 1 to {len(cards)}", text=token))
    try:
        card = Card.parse(token)
    except CardError as error:
        message = f"“{token}” is neither a card nor a row; type help to see what can be typed"
        raise TypingError(Fault("not-understood", message, text=token)) from error
    if card not in cards:
        raise TypingError(Fault("card-not-yours", f"{card} is not among your cards", text=token))
    return card
