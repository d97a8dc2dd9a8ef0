"""How the events that a log has differ from those that follow by the rules, in words for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from ofc.board import ROWS, Board
from ofc.errors import Fault, counted
from ofc.tournament.events import HandSettled, Payment, PlayerId, SeatAt, TournamentEvent
from ofc.tournament.state import Tournament


def differences(
    state: Tournament, said: Sequence[TournamentEvent], right: Sequence[TournamentEvent]
) -> Iterator[Fault]:
    """Yield a fault for each thing that is otherwise in the log than by the rules."""
    extra = [event for event in said if event not in right]
    missing = [event for event in right if event not in said]
    for event in extra:
        twin = next((one for one in missing if type(one) is type(event)), None)
        if twin is None:
            yield Fault(
                "entry-wrong", f"{_whole(state, event)}: that does not follow from it", text=type(event).__name__
            )
            continue
        missing.remove(twin)
        yield from _field_differences(state, event, twin)
    for event in missing:
        yield Fault(
            "entry-wrong", f"{_whole(state, event)}: that follows from it, and is missing", text=type(event).__name__
        )
    if list(said) != list(right) and not extra and not missing:  # all there, but not so
        names = ", ".join(type(event).__name__ for event in said)
        yield Fault("entry-wrong", f"events are there twice, or in another order than they follow: {names}", text=names)


def _field_differences(state: Tournament, said: TournamentEvent, right: TournamentEvent) -> Iterator[Fault]:
    for item in fields(said):
        name = item.name
        own, true = getattr(said, name), getattr(right, name)
        if own == true:
            continue
        if isinstance(own, tuple) and isinstance(true, tuple) and name in ("payments", "out"):
            # Of many payments only those that differ, unless it is their order.
            shared = [one for one in own if one in true] if {*own} != {*true} else []
            own, true = (tuple(one for one in both if one not in shared) for both in (own, true))
        kind = "" if isinstance(said, HandSettled) else f"{type(said).__name__}, "
        place = f"{kind}{name.replace('_', ' ')}"
        if isinstance(own, Mapping) and isinstance(true, Mapping):
            for player in sorted({*own, *true}):
                if own.get(player) != true.get(player):
                    texts = _text(state, name, own.get(player)), _text(state, name, true.get(player))
                    who = state.name_of(player)
                    yield Fault("entry-wrong", f"{place} of {who}: {_otherwise(*texts)}", name, who, text=texts[0])
        else:
            texts = _text(state, name, own), _text(state, name, true)
            yield Fault("entry-wrong", f"{place}: {_otherwise(*texts)}", name, text=texts[0])


def _otherwise(said: str, right: str) -> str:
    return f"{said} in the log, {right} by the rules"


def _whole(state: Tournament, event: TournamentEvent) -> str:
    told = [
        f"{'' if item.name == 'player' else item.name.replace('_', ' ')} "
        f"{_text(state, item.name, getattr(event, item.name))}".strip()
        for item in fields(event)
    ]
    return f"{type(event).__name__} ({'; '.join(told)})"


def _text(state: Tournament, field: str, value: Any) -> str:
    """Say a field's value: nothing of Python, and players by name."""
    special = _SPECIAL.get(field)
    if special is not None and value is not None:
        return special(state, value)
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case str():  # words, and the names of a kind
            return f"“{value}”"
        case int():
            return f"{value:,}"
        case SeatAt(table, seat):
            return f"table {table}, seat {seat + 1}"
        case Board():
            return " / ".join(" ".join(map(str, value.row(row))) for row in ROWS)
        case Mapping():
            return (
                ", ".join(f"{state.name_of(key)} {_text(state, field, one)}" for key, one in value.items()) or "nobody"
            )
        case _:
            return "…"


def _payments(state: Tournament, payments: Sequence[Payment]) -> str:
    told = [
        f"{state.name_of(paid.loser)} pays {state.name_of(paid.winner)} {paid.chips:,} "
        f"for {counted(paid.points, 'point')}" + (f", all that the {paid.capped_by} has" if paid.capped_by else "")
        for paid in payments
    ]
    return "; ".join(told) or "nobody pays"


def _out(state: Tournament, gone: Sequence[tuple[PlayerId, int]]) -> str:
    return ", ".join(f"{state.name_of(player)} with {stack:,}" for player, stack in gone) or "nobody"


def _seats(state: Tournament, seats: Sequence[PlayerId | None] | int) -> str:
    if isinstance(seats, int):  # how many a table has
        return str(seats)
    return ", ".join("empty" if player is None else state.name_of(player) for player in seats)


def _seat(_state: Tournament, seat: int) -> str:
    return f"seat {seat + 1}"


_SPECIAL: Final[Mapping[str, Callable[[Tournament, Any], str]]] = {
    "player": Tournament.name_of,
    "payments": _payments,
    "out": _out,
    "seats": _seats,
    "button": _seat,
    "button_next": _seat,
}
"""Fields whose values are said in words of their own."""
