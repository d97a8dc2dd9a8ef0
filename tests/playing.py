"""How a program plays that has only what docs/protocol.md gives it: views as JSON, and no rules engine."""

from __future__ import annotations

import random
from typing import Any

SIZES = {"top": 3, "middle": 5, "bottom": 5}


def random_placements(view: dict[str, Any], generator: random.Random) -> list[dict[str, str]]:
    """Return any legal placement of the cards in the view."""
    board = view["seats"][view["you"]]["board"]
    free = [row for row, size in SIZES.items() for _ in range(size - len(board[row]))]
    cards = generator.sample(view["cards"], view["to_place"])
    rows = generator.sample(free, view["to_place"])
    return [{"card": card, "row": row} for card, row in zip(cards, rows, strict=True)]


def next_message(view: dict[str, Any], seq: int, command_id: str, generator: random.Random) -> dict[str, Any] | None:
    """Return what one who plays on would send on this view; None while others act, or once the match is over."""
    command = {"id": command_id, "seq": seq}
    if view["phase"] == "showdown":
        return {"type": "next", **command}
    if view["you"] in view["turn"]:
        return {"type": "place", **command, "placements": random_placements(view, generator)}
    return None
