"""Structures and payouts as plain tables and lists, as TOML files and the log have them, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from ofc.errors import Fault, OfcError
from ofc.scoring import Chips
from ofc.toml_files import TomlError, read_toml, toml_text
from ofc.tournament.prizes import FixedAmounts, Payouts, Percentages, PlaceWeights, TemplatePayouts
from ofc.tournament.structure import Break, Level, Step, Structure, faults_besides

_FIELDS: Final = ("starting_stack", "steps", "late_until", "reentries")
_STEP_FIELDS: Final = ("price", "minutes", "hands", "break")
_PAYOUTS: Final[dict[str, type[Payouts]]] = {
    "percentages": Percentages,
    "amounts": FixedAmounts,
    "weights": PlaceWeights,
    "template": TemplatePayouts,
}


_MOST: Final = 10**18
"""What no number here comes near; one of thousands of digits cannot even be written."""
_ANY_STEP: Final = Level(Chips(1), minutes=1)
"""Stands for a step that cannot be read, while the others are judged."""
_STEP: Final = re.compile(r"steps\[(\d+)\]")


class PlainError(OfcError):
    """Tables and lists that do not make a structure or payouts."""


def structure_to_plain(structure: Structure) -> dict[str, object]:
    """Return a structure as plain values; the inverse of `structure_of`."""
    steps: list[dict[str, int]] = []
    for step in structure.steps:
        if isinstance(step, Break):
            steps.append({"break": step.minutes})
        else:
            given = {"price": step.price, "minutes": step.minutes, "hands": step.hands}
            steps.append({name: number for name, number in given.items() if number is not None})
    return {
        "starting_stack": structure.starting_stack,
        "steps": steps,
        "late_until": structure.late_until,
        "reentries": structure.reentries,
    }


def structure_of(plain: object) -> Structure:
    """Read what `structure_to_plain` wrote, or a person did; `PlainError` holds every fault.

    `starting_stack` and `steps` are needed. A step has `price` and `minutes` or `hands`, or `break` alone, in minutes.
    """
    if not isinstance(plain, Mapping):
        raise PlainError(_fault("structure", "a structure is a table of fields", plain))
    faults = [_fault(str(key), f"no field {key}", plain[key]) for key in plain if key not in _FIELDS]
    numbers: dict[str, int] = {"starting_stack": 1}
    for name in ("starting_stack", "late_until", "reentries"):
        value = plain.get(name, None if name == "starting_stack" else 0)
        if _is_int(value):
            numbers[name] = value
        else:
            faults.append(_fault(name, f"{name}: a whole number", value))
    steps: list[Step] = []
    given = plain.get("steps")
    if isinstance(given, list):
        for number, step in enumerate(given):
            _read_step(f"steps[{number}]", step, steps, faults)
    else:
        faults.append(_fault("steps", "steps: a list of levels and breaks", given))
    structure = Structure(
        Chips(numbers["starting_stack"]), tuple(steps), numbers.get("late_until", 0), numbers.get("reentries", 0)
    )
    unread = [fault.field for fault in faults if fault.field is not None]
    faults += [_as_written(fault, steps) for fault in faults_besides(structure, unread)]
    if faults:
        order = [*map(str, plain), *_FIELDS]
        raise PlainError(*sorted(faults, key=lambda fault: _place(fault.field or "", order)))
    return structure


def _as_written(fault: Fault, steps: Sequence[Step]) -> Fault:
    """Return a fault of a break's minutes with the field that they have here."""
    field = fault.field or ""
    number = _STEP.match(field)
    if number is None or not field.endswith(".minutes") or not isinstance(steps[int(number[1])], Break):
        return fault
    renamed = field.removesuffix("minutes") + "break"
    return replace(fault, field=renamed, message=fault.message.replace(field, renamed))


def _place(field: str, order: Sequence[str]) -> tuple[int, int]:
    """Return where a field stands in the file: which of the fields in order, and which step."""
    number = _STEP.match(field)
    name = "steps" if number else field
    return order.index(name), int(number[1]) if number else -1


def structure_from_toml(text: str) -> Structure:
    """Read a structure from TOML, in the fields of `structure_of`; `PlainError` holds every fault."""
    try:
        return structure_of(read_toml(text))
    except TomlError as error:
        raise PlainError(*error.faults) from error


def payouts_to_plain(payouts: Payouts) -> dict[str, object]:
    """Return payouts as a table of their one kind; the inverse of `payouts_of`."""
    kind = next(name for name, one in _PAYOUTS.items() if isinstance(payouts, one))
    return {kind: msgspec.to_builtins(payouts)}


def payouts_of(plain: object) -> Payouts:
    """Read what `payouts_to_plain` wrote; `PlainError` if it is of no kind of payouts."""
    if isinstance(plain, dict) and len(plain) == 1:
        ((kind, fields),) = plain.items()
        if kind in _PAYOUTS:
            try:
                return msgspec.convert(fields, _PAYOUTS[kind])
            except msgspec.ValidationError as error:
                raise PlainError(_fault(f"payouts.{kind}", str(error), fields)) from error
    raise PlainError(_fault("payouts", f"payouts are one of {', '.join(_PAYOUTS)}", plain))


def _read_step(place: str, given: object, steps: list[Step], faults: list[Fault]) -> None:
    if not isinstance(given, Mapping):
        faults.append(_fault(place, f"{place}: a level or a break", given))
        steps.append(_ANY_STEP)
        return
    wrong = [str(key) for key in given if key not in _STEP_FIELDS]
    faults += [_fault(f"{place}.{key}", f"{place}: no field {key}", given[key]) for key in wrong]
    faults += [
        _fault(f"{place}.{key}", f"{place}.{key}: a whole number", value)
        for key, value in given.items()
        if key not in wrong and not _is_int(value)
    ]
    numbers: dict[str, Any] = {str(key): value for key, value in given.items() if key not in wrong and _is_int(value)}
    if "break" in given:
        if len(given) > 1:
            faults.append(_fault(place, f"{place}: a break has no price and no other length", dict(given)))
        steps.append(Break(numbers.get("break", 1)))
    elif "price" not in given:
        faults.append(_fault(f"{place}.price", f"{place}: a level with no price", dict(given)))
        steps.append(Level(_ANY_STEP.price, numbers.get("minutes"), numbers.get("hands")))
    else:
        steps.append(Level(numbers.get("price", Chips(1)), numbers.get("minutes"), numbers.get("hands")))


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST


def _fault(field: str, message: str, value: object) -> Fault:
    return Fault("structure-invalid", message, field=field, text=None if value is None else toml_text(value))
