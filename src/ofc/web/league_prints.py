"""A league's standings as PDF, for the server's pages and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

import msgspec
import typst

from ofc.tournament.league_formulas import points_text
from ofc.tournament.league_table import Row, cells

MOST_COLUMNS: Final = 14
"""With more events than this a page has no column for each of them: the CSV has."""
_NARROW_COLUMNS: Final = 4
"""So many fit on a page that stands upright."""
_TEMPLATE: Final = (files("ofc.web") / "print" / "league.typ").read_bytes()


def league_pdf(name: str, words: str, rows: Sequence[Row], events: Sequence[str]) -> bytes:
    """Return the standings to be printed; `words` say how results count, `events` are the events' names in order."""
    columns = len(events) if len(events) <= MOST_COLUMNS else 0
    content = {
        "name": name,
        "words": words,
        "is_wide": columns > _NARROW_COLUMNS,
        "events": events,
        "numbers": list(range(1, columns + 1)),
        "rows": [_row(row, columns, len(events)) for row in rows],
    }
    pdf: bytes = typst.compile(_TEMPLATE, sys_inputs={"league": msgspec.json.encode(content).decode()})
    return pdf


def _row(row: Row, columns: int, events: int) -> dict[str, object]:
    return {
        "place": place_text(row),
        "player": row.player,
        "points": points_text(row.points),
        "counted": f"{row.counted} of {row.played}",
        "places": " ".join(map(str, row.finishes)),
        "cells": cells(row, events)[:columns],
    }


def place_text(row: Row) -> str:
    """Return a place as it is shown: in parentheses for who is not ranked, nothing for who has none yet."""
    if row.place is None:
        return ""
    return str(row.place) if row.ranked else f"({row.place})"
