"""A player's three rows, full or still growing (R-ROW-1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from ofc.cards import Card, format_cards, scan_cards
from ofc.errors import BoardError, Fault
from ofc.evaluation import Strength, evaluate, evaluate_five, evaluate_three


class Row(StrEnum):
    """A row of a board; rows list from the top."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"

    @property
    def size(self) -> int:
        """How many cards the row takes: 3, 5 or 5."""
        return 3 if self is Row.TOP else 5


_Place = TypeVar("_Place")
ROWS: Final = (Row.TOP, Row.MIDDLE, Row.BOTTOM)
BOARD_SIZE: Final = 13


class Placement(NamedTuple):
    """One card put into one row."""

    card: Card
    row: Row


@dataclass(frozen=True, slots=True)
class Board:
    """Three rows of cards in the order they were placed. Never more in a row than it takes, no card twice.

    >>> board = Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
    >>> board.is_complete, board.is_fouled(strict=False)
    (True, False)
    >>> str(board.with_placed([])) == str(board)
    True
    """

    top: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()
    bottom: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        rows = [(row, self.row(row)) for row in ROWS]
        faults = [_overfull(row, len(cards), format_cards(cards)) for row, cards in rows if len(cards) > row.size]
        if len({*self.top, *self.middle, *self.bottom}) != self.placed:
            faults += _twice(rows)
        if faults:
            raise BoardError(*faults)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read rows from the top, apart by `/` or lines: `9c 8d 2s / Ac … / Ah …`; a row may be empty or `-`.

        `BoardError` holds every fault: not three rows, unknown cards, rows too full, a card twice.
        """
        pieces = [piece.strip() for piece in re.split(r"[/|\n]", text.strip())]
        if len(pieces) == len(ROWS):
            return cls.from_rows(dict(zip(ROWS, pieces, strict=True)))
        found = [((), []) if piece == "-" else scan_cards(piece) for piece in pieces]
        message = f"a board is three rows apart by “/”, here are {len(pieces)}"
        raise BoardError(
            Fault("rows-count", message, text=text.strip()),
            *(fault for _, faults in found for fault in faults),
            *_twice((None, cards) for cards, _ in found),
        )

    @classmethod
    def from_rows(cls, rows: Mapping[Row, str]) -> Board:
        """Read the text of each row; `BoardError` holds every fault with its row."""
        cards, faults = scan_rows(rows)
        if faults:
            raise BoardError(*faults)
        return cls(cards[Row.TOP], cards[Row.MIDDLE], cards[Row.BOTTOM])

    def row(self, row: Row) -> tuple[Card, ...]:
        """Return one row's cards in the order they were placed."""
        if row is Row.TOP:
            return self.top
        return self.middle if row is Row.MIDDLE else self.bottom

    def free(self, row: Row) -> int:
        """Return how many more cards the row takes."""
        return row.size - len(self.row(row))

    @property
    def cards(self) -> tuple[Card, ...]:
        """All placed cards, from the top."""
        return self.top + self.middle + self.bottom

    @property
    def placed(self) -> int:
        """How many cards are placed, 0 to 13."""
        return len(self.top) + len(self.middle) + len(self.bottom)

    @property
    def is_complete(self) -> bool:
        """Whether all 13 places are taken."""
        return self.placed == BOARD_SIZE

    def with_placed(self, placements: Iterable[Placement]) -> Board:
        """Return the board with more cards (R-DEAL-3).

        `BoardError` if a row is too full or a card is there already.
        """
        added: dict[Row, list[Card]] = {Row.TOP: [], Row.MIDDLE: [], Row.BOTTOM: []}
        for card, row in placements:
            added[row].append(card)
        return Board(
            self.top + tuple(added[Row.TOP]),
            self.middle + tuple(added[Row.MIDDLE]),
            self.bottom + tuple(added[Row.BOTTOM]),
        )

    def strength(self, row: Row) -> Strength:
        """Return the strength of a full row; `BoardError` if it is not full."""
        if self.free(row):
            raise BoardError(
                Fault("row-incomplete", f"the {row} is not full", row=row, text=format_cards(self.row(row)))
            )
        return evaluate(self.row(row))

    def strengths(self) -> tuple[Strength, Strength, Strength]:
        """Return the strengths of top, middle and bottom of a complete board; `BoardError` if it is not."""
        if not self.is_complete:
            self.strength(next(row for row in ROWS if self.free(row)))  # which refuses
        return evaluate_three(self.top), evaluate_five(self.middle), evaluate_five(self.bottom)

    def is_fouled(self, *, strict: bool) -> bool:
        """Whether a complete board is fouled (R-FOUL-1); with `strict` equal rows foul too."""
        top, middle, bottom = self.strengths()
        return not is_ordered(top, middle, bottom, strict=strict)

    def __str__(self) -> str:
        return " / ".join(format_cards(self.row(row)) or "-" for row in ROWS)


EMPTY_BOARD: Final = Board()


def scan_rows(rows: Mapping[Row, str]) -> tuple[dict[Row, tuple[Card, ...]], list[Fault]]:
    """Read as `Board.from_rows` does; return the cards that could be read, and every fault with its row.

    For whoever reports the faults of several boards at once.
    """
    found: dict[Row, tuple[Card, ...]] = {}
    faults: list[Fault] = []
    for row in ROWS:
        text = rows.get(row, "").strip()
        found[row], unknown = ((), []) if text == "-" else scan_cards(text)
        faults += [replace(fault, message=f"{row}: {fault.message}", row=row) for fault in unknown]
        count = len(found[row]) + len(unknown)  # a piece that is no card stands for one at least
        if count > row.size:
            faults.append(_overfull(row, count, text))
    return found, faults + _twice(found.items())


def _overfull(row: Row, count: int, text: str) -> Fault:
    return Fault("row-overfull", f"the {row} takes {row.size} cards, not {count}", row=row, text=text)


def _twice(rows: Iterable[tuple[Row | None, Iterable[Card]]]) -> list[Fault]:
    return [
        Fault(
            "card-twice",
            f"{card} is there {'twice' if len(places) == 2 else f'{len(places)} times'}",
            row=places[1],
            text=str(card),
        )
        for card, places in repeated_cards(rows).items()
    ]


def repeated_cards(rows: Iterable[tuple[_Place, Iterable[Card]]]) -> dict[Card, list[_Place]]:
    """Return each card that lies in several places, or several times in one, with all of them, in order.

    >>> from ofc.cards import parse_cards
    >>> repeated_cards([("A", parse_cards("Ah Kd")), ("B", parse_cards("2c Ah")), ("C", parse_cards("Ah"))])
    {Card.parse('Ah'): ['A', 'B', 'C']}
    """
    first: dict[Card, _Place] = {}
    repeated: dict[Card, list[_Place]] = {}
    for place, cards in rows:
        for card in cards:
            if card in first:
                repeated.setdefault(card, [first[card]]).append(place)
            else:
                first[card] = place
    return repeated


def is_ordered(top: Strength, middle: Strength, bottom: Strength, *, strict: bool) -> bool:
    """Whether three rows' strengths stand in the order that R-FOUL-1 asks for."""
    return bottom > middle > top if strict else bottom >= middle >= top
