"""Any commands of docs/event-protocol.md, as a director's page might send them on what it sees."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

View = dict[str, Any]
Command = dict[str, Any]

STRUCTURE: dict[str, Any] = {
    "starting_stack": 1000,
    "steps": [
        {"kind": "level", "price": 10, "minutes": 20, "hands": None},
        {"kind": "break", "minutes": 5},
        {"kind": "level", "price": 20, "minutes": 20, "hands": None},
        {"kind": "level", "price": 40, "minutes": None, "hands": 2},
        {"kind": "level", "price": 80, "minutes": 20, "hands": None},
    ],
    "late_until": 2,
    "reentries": 1,
}


def merged(view: View, patch: View) -> View:
    """Put a patch on what a page knows, as the protocol has it."""
    known = {**view, **{name: value for name, value in patch.items() if name not in ("type", "players", "tables")}}
    for part in ("players", "tables"):
        known[part] = dict(view[part])
        for number, fields in patch.get(part, {}).items():
            if fields is None:
                del known[part][number]
            else:
                known[part][number] = known[part].get(number, {}) | fields
    playing = [player for player in known["players"].values() if player["table"] is not None]
    stacks = [player["stack"] for player in playing]
    for player in playing:
        place = 1 + sum(stack > player["stack"] for stack in stacks)
        known["players"][str(player["id"])] = player | {"place": place}
    return known


def next_hand(view: View, number: str, generator: random.Random) -> Command:
    """Return a result of the hand being played at a table."""
    table = view["tables"][number]
    here = [player for player in table["seats"] if player is not None and not view["players"][str(player)]["absent"]]
    points = [generator.randrange(-20, 21) for _ in here[1:]]
    points = [-sum(points), *points] if here else []
    cards = {str(player): 14 for player in here if generator.random() < 0.15}
    values = {str(player): number for player, number in zip(here, points, strict=True)}
    return {
        "do": "enter-points",
        "table": int(number),
        "hand": max(1, table["hand"] - (generator.random() < 0.05)),
        "points": values,
        "fantasyland": cards,
    }


def random_command(view: View, generator: random.Random) -> Command:
    """Return any command, mostly one that fits: hands most of all."""
    return generator.choice(_ALWAYS if view["event"]["stage"] == "setup" else _PLAYING)(view, generator)


def _player(view: View, generator: random.Random) -> int:
    return generator.choice([int(number) for number in view["players"]] or [1])


def _table(view: View, generator: random.Random) -> str:
    return str(generator.choice(sorted(view["tables"])))


def _seat(view: View, generator: random.Random) -> dict[str, int]:
    return {"table": generator.randrange(1, 1 + max(1, len(view["tables"]))), "seat": generator.randrange(3)}


def _logged(view: View, generator: random.Random, *, undone: bool) -> int:
    found = [int(line["seq"]) for line in view["log"][:6] if line["undone"] == undone]
    return generator.choice(found or [1])


def _hand(view: View, generator: random.Random) -> Command:
    return next_hand(view, _table(view, generator), generator) if view["tables"] else {"do": "finish"}


def _declare(view: View, generator: random.Random) -> Command:
    if not view["tables"]:
        return {"do": "start-clock"}
    number = _table(view, generator)
    seats = [player for player in view["tables"][number]["seats"] if player is not None]
    cards = {str(generator.choice(seats)): generator.choice((0, 14))} if seats else {}
    return {"do": "fantasyland", "table": int(number), "cards": cards}


def _register(view: View, generator: random.Random) -> Command:
    first = 1 + len(view["players"])
    names = [f"Player {number}" for number in range(first, first + generator.randrange(1, 6))]
    return {"do": "register", "players": [{"name": name, "paid": generator.random() < 0.5} for name in names]}


def _settings(view: View, generator: random.Random) -> Command:
    structure = view["event"]["structure"]
    steps = [*structure["steps"][:-1], {**structure["steps"][-1], "price": generator.randrange(80, 200)}]
    return {
        "do": "settings",
        "name": f"Cup {generator.randrange(9)}",
        "structure": {**structure, "steps": steps},
        "absent_points": generator.randrange(5),
    }


def _prizes(_view: View, generator: random.Random) -> Command:
    fees = {"fee": 20, "house_fee": 2, "added": 50, "guaranteed": 0, "unit": 5}
    ways: list[dict[str, object]] = [{"template": "club"}, {"percents": [60, 40]}, {"places": 2}, {"amounts": [7]}]
    return {"do": "prizes", **fees, **generator.choice(ways)}


Maker = Callable[[View, random.Random], Command]

_SETTING_UP: list[Maker] = [
    _register,
    _settings,
    _prizes,
    lambda v, g: {
        "do": "change-player",
        "player": _player(v, g),
        "name": f"Other {g.randrange(99)}",
        "club": "Bergen",
        "paid": g.random() < 0.5,
    },
    lambda v, g: {"do": "withdraw", "player": _player(v, g)},
    lambda v, g: {"do": "undo", "action": _logged(v, g, undone=False)},
    lambda v, g: {"do": "redo", "action": _logged(v, g, undone=True)},
]
_ALWAYS: list[Maker] = [*_SETTING_UP, *[_register] * 4, lambda v, g: {"do": "draw"}]
_PLAYING: list[Maker] = [
    *_SETTING_UP,
    *[_hand] * 24,
    *[_declare] * 3,
    lambda v, g: {"do": "fantasyland-done", "table": int(_table(v, g)) if v["tables"] else 1},
    *[lambda v, g: {"do": "absent", "player": _player(v, g), "absent": g.random() < 0.4}] * 2,
    lambda v, g: {"do": "seat", "player": _player(v, g)},
    *[lambda v, g: {"do": "start-clock"}] * 2,
    lambda v, g: {"do": "pause-clock"},
    lambda v, g: {"do": "jump", "step": g.randrange(6)},
    lambda v, g: {"do": "adjust", "change_ms": g.randrange(-600_000, 600_000)},
    *[lambda v, g: {"do": "plan-moves"}] * 3,
    lambda v, g: {"do": "plan-move", "player": _player(v, g), "to": _seat(v, g), "reason": "too warm there"},
    lambda v, g: {"do": "move-now", "player": _player(v, g), "to": _seat(v, g), "reason": "too warm there"},
    lambda v, g: {"do": "cancel-move", "player": _player(v, g)},
    lambda v, g: {"do": "stack", "player": _player(v, g), "stack": g.randrange(1, 900), "reason": "counted again"},
    lambda v, g: {"do": "button", "table": int(_table(v, g)) if v["tables"] else 1, "button": g.randrange(3)},
    lambda v, g: {"do": "hand-for-hand", "on": g.random() < 0.5},
    lambda v, g: {"do": "remove", "player": _player(v, g), "reason": "went home"},
    lambda v, g: {"do": "redraw"},
    lambda v, g: {"do": g.choice(("bag", "resume", "resume"))},
    lambda v, g: {"do": "finish"} if g.random() < 0.05 else _hand(v, g),
]
