"""The built-in rule sets, and one's own as a base and the fields that differ."""

from __future__ import annotations

import datetime as dt
import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, replace
from enum import StrEnum
from typing import Any, Final

from ofc.cards import RANK_LETTERS
from ofc.errors import Fault, RulesError
from ofc.evaluation import Category
from ofc.rules import (
    RULE_FIELDS,
    ButtonRule,
    FantasylandTurn,
    LoneFantasyland,
    RuleSet,
    SettlementOrder,
    StayCards,
    Street,
    category_points,
    field_text,
    rank_points,
)

RULING_DATE: Final = dt.date(2026, 9, 22)
"""From this day staying keeps the count of cards (R-FL-6)."""

_ULTIMATE = RuleSet(
    id="ultimate",
    version="2026-09-22",
    title="Ultimate",
    summary="3 seats, Fantasyland with 14 to 17 cards, the count kept on staying",
    min_seats=3,
    max_seats=3,
    streets=(Street(5, 5), Street(3, 2), Street(3, 2), Street(3, 2), Street(3, 2)),
    reveals_discards=True,
    strict_order=False,
    scoop=3,
    top_pair_royalties=rank_points(_6=1, _7=2, _8=3, _9=4, T=5, J=6, Q=7, K=8, A=9),
    top_trips_royalties=(10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22),
    middle_royalties=category_points(
        trips=2, straight=4, flush=8, full_house=12, quads=20, straight_flush=30, royal_flush=50
    ),
    bottom_royalties=category_points(straight=2, flush=4, full_house=6, quads=10, straight_flush=15, royal_flush=25),
    fantasyland_pairs=rank_points(Q=14, K=15, A=16),
    fantasyland_trips=17,
    fantasyland_turn=FantasylandTurn.BEFORE_OTHERS,
    stay_top=Category.TRIPS,
    stay_middle=None,
    stay_bottom=Category.QUADS,
    stay_cards=StayCards.SAME,
    button=ButtonRule.AFTER_REGULAR_HAND,
    settlement_order=SettlementOrder.BUTTON_FIRST,
    lone_fantasyland=LoneFantasyland.LAPSES,
)
_PINEAPPLE = replace(_ULTIMATE, id="pineapple", title="Pineapple", summary="Ultimate at 2 or 3 seats", min_seats=2)
_TOURNAMENT = replace(
    _ULTIMATE,
    id="tournament",
    title="Tournament",
    summary="2 or 3 seats, no staying in Fantasyland; price and button held while it lasts",
    min_seats=2,
    reveals_discards=False,
    fantasyland_turn=FantasylandTurn.ALONGSIDE,
    stay_top=None,
    stay_bottom=None,
    button=ButtonRule.AFTER_HAND_EARNING_NONE,
)
_CASUAL = replace(
    _ULTIMATE,
    id="casual",
    title="Casual",
    summary="2 or 3 seats, 13-card Fantasyland, equal rows foul, 20 for any trips on top",
    min_seats=2,
    reveals_discards=False,
    strict_order=True,
    top_trips_royalties=(20,) * 13,
    middle_royalties=category_points(straight=4, flush=8, full_house=12, quads=20, straight_flush=30, royal_flush=50),
    fantasyland_pairs=rank_points(Q=13, K=13, A=13),
    fantasyland_trips=13,
    fantasyland_turn=FantasylandTurn.ALONGSIDE,
    stay_middle=Category.FULL_HOUSE,
    button=ButtonRule.AFTER_HAND_EARNING_NONE,
)
_CASUAL_PROGRESSIVE = replace(
    _CASUAL,
    id="casual-progressive",
    title="Casual progressive",
    summary="Casual with 13, 15, 16 or 17 cards in Fantasyland",
    fantasyland_pairs=rank_points(Q=13, K=15, A=16),
    fantasyland_trips=17,
)
_PROGRESSIVE = replace(
    _ULTIMATE,
    id="progressive",
    title="Progressive",
    summary="2 or 3 seats, entry with 14 to 17 cards, staying always with 14",
    min_seats=2,
    stay_cards=StayCards.FOURTEEN,
)
_CLASSIC = replace(
    _ULTIMATE,
    id="classic",
    title="Classic",
    summary="2 to 4 seats, 5 cards and then one a street, 13-card Fantasyland",
    min_seats=2,
    max_seats=4,
    streets=(Street(5, 5), *[Street(1, 1)] * 8),
    fantasyland_pairs=rank_points(Q=13, K=13, A=13),
    fantasyland_trips=13,
    stay_middle=Category.FULL_HOUSE,
)

BUILT_IN: Final[tuple[RuleSet, ...]] = (
    _ULTIMATE,
    replace(_ULTIMATE, version="2013-01-01", stay_cards=StayCards.LARGER),
    _PINEAPPLE,
    replace(_PINEAPPLE, version="2013-01-01", stay_cards=StayCards.LARGER),
    _TOURNAMENT,
    _CASUAL,
    _CASUAL_PROGRESSIVE,
    _PROGRESSIVE,
    _CLASSIC,
)
"""Every built-in rule set; of each id the newest version first."""


def get_rules(name: str, *, dealt_on: dt.date | None = None) -> RuleSet:
    """Return a built-in rule set by id (`ultimate`) or by id and version (`ultimate@2013-01-01`).

    An id alone means the version in force on `dealt_on` (R-FL-6), without a date the newest.
    `RulesError` (`rules-unknown`) says which there are.

    >>> get_rules("ultimate", dealt_on=dt.date(2020, 5, 1)).name
    'ultimate@2013-01-01'
    """
    if "@" in name:
        for rules in BUILT_IN:
            if rules.name == name:
                return rules
    versions = [rules for rules in BUILT_IN if rules.id == name]
    if not versions:
        known = sorted(
            {rules.id for rules in BUILT_IN} | ({rules.name for rules in BUILT_IN} if "@" in name else set())
        )
        raise RulesError(
            Fault(
                "rules-unknown",
                f"no rule set “{name}”; there are {', '.join(known)}",
                field="rules",
                text=name,
            )
        )
    if dealt_on is None:
        return versions[0]
    in_force = [rules for rules in versions if dt.date.fromisoformat(rules.version) <= dealt_on]
    return in_force[0] if in_force else versions[-1]


_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_VERSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")


def rules_from_toml(text: str) -> RuleSet:
    """Read one's own rule set: TOML with `id`, `base` and the fields that differ (docs/rules.md).

    `RulesError` holds every fault with its field.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(Fault("toml-unreadable", f"not TOML: {error}")) from error
    except (RecursionError, ValueError) as error:  # tables too deep, or a number of thousands of digits
        raise RulesError(Fault("toml-unreadable", "not TOML that makes sense: too deep, or too long")) from error
    return rules_from_fields(table)


def rules_from_fields(table: Mapping[str, object]) -> RuleSet:
    """Make a rule set from `base`, `id` and the fields that differ, in TOML's plain values.

    Tables of points override only the ranks or hand types they name. `RulesError` holds every fault.
    """
    base, own, faults = _read_names(table.get("base"), table.get("id"))
    changes: dict[str, Any] = {"version": "1", "title": own, "summary": f"{base.title}, changed", "id": own}
    for key, value in table.items():
        if key in ("base", "id"):
            continue
        if key not in RULE_FIELDS:
            near = difflib.get_close_matches(key, RULE_FIELDS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            message = f"no field {key}{hint}"
            faults.append(Fault("rules-field-unknown", message, field=key, text=_shown(value)))
            continue
        try:
            changes[key] = _read_field(key, value, getattr(base, key))
        except _UnreadableError as error:
            faults.append(Fault("rules-field-invalid", f"{key}: {error}", field=key, text=_shown(value)))
    try:
        rules = replace(base, **changes)
    except RulesError as error:
        # In place of a field that could not be read the base's value was tried: no word about that one.
        unreadable = {fault.field for fault in faults}
        told = (fault for fault in error.faults if fault.field not in unreadable)
        raise RulesError(*faults, *told) from error
    if faults:
        raise RulesError(*faults)
    return rules


def _read_names(base: object, own: object) -> tuple[RuleSet, str, list[Fault]]:
    """Return the rule set to start from, the own id, and what is wrong with them (then: stand-ins)."""
    faults: list[Fault] = []
    start, name = _ULTIMATE, "unnamed"
    if isinstance(base, str):
        try:
            start = get_rules(base)
        except RulesError as error:
            faults.extend(replace(fault, field="base") for fault in error.faults)
    else:
        message = "base names the rule set that this one starts from"
        faults.append(Fault("rules-base-missing", message, field="base", text=_shown(base)))
    if isinstance(own, str) and _ID.fullmatch(own) and all(own != rules.id for rules in BUILT_IN):
        name = own
    else:
        message = "id is a name of its own in lower case, digits and hyphens, not a built-in one"
        faults.append(Fault("rules-id-invalid", message, field="id", text=_shown(own)))
    return start, name, faults


def rules_to_fields(rules: RuleSet) -> str | dict[str, object]:
    """Return what names a rule set for ever: a built-in one's name, else every field in plain values.

    The inverse of `rules_of`.
    """
    if rules in BUILT_IN:
        return rules.name
    plain: dict[str, object] = {"base": BUILT_IN[0].name}
    for key in RULE_FIELDS:
        plain[key] = plain_field(rules, key)
    return plain


def rules_of(stored: object) -> RuleSet:
    """Read what `rules_to_fields` wrote; `RulesError` if it is neither a name nor a table."""
    if isinstance(stored, str):
        return get_rules(stored)
    if isinstance(stored, dict):
        return rules_from_fields(stored)
    raise RulesError(
        Fault("rules-unknown", "rules are a name or a table of fields", field="rules", text=_shown(stored))
    )


def plain_field(rules: RuleSet, key: str) -> object:
    """Return a field's value as TOML and JSON have it."""
    value = getattr(rules, key)
    if key in _POINTS_FIELDS:
        return dict(zip(_POINTS_FIELDS[key], value, strict=True))
    if key == "streets":
        return [list(street) for street in value]
    if key in _STAY_FIELDS:
        return "none" if value is None else category_name(value)
    return str(value) if isinstance(value, StrEnum) else value


def differing_fields(a: RuleSet, b: RuleSet) -> tuple[str, ...]:
    """Return the names of the fields in which two rule sets differ, in order."""
    first, second = asdict(a), asdict(b)
    return tuple(key for key in RULE_FIELDS if first[key] != second[key])


def category_name(category: Category) -> str:
    """Return a hand type's name as rule files write it: `full-house`."""
    return category.name.lower().replace("_", "-")


_CATEGORY_NAMES: Final = {category_name(category): category for category in Category}


_RANK_PLACES: Final = {letter: place for place, letter in enumerate(RANK_LETTERS)}
_POINTS_FIELDS: Final[Mapping[str, Mapping[str, int]]] = {
    "top_pair_royalties": _RANK_PLACES,
    "top_trips_royalties": _RANK_PLACES,
    "middle_royalties": _CATEGORY_NAMES,
    "bottom_royalties": _CATEGORY_NAMES,
    "fantasyland_pairs": _RANK_PLACES,
}
"""Of each field that is a table of numbers, the names in it and their places."""
_STAY_FIELDS: Final = ("stay_top", "stay_middle", "stay_bottom")


class _UnreadableError(Exception):
    """A field's value does not have the form that the field takes."""


def _shown(value: object) -> str | None:
    return None if value is None else field_text(value)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _read_field(key: str, value: object, base: Any) -> object:
    if key in _POINTS_FIELDS:
        return _read_points(value, _POINTS_FIELDS[key], base)
    if key == "streets":
        return _read_streets(value)
    if key in _STAY_FIELDS:
        return _read_category(value)
    if isinstance(base, StrEnum):
        choices = {str(choice): choice for choice in type(base)}
        if not isinstance(value, str) or value not in choices:
            raise _UnreadableError(f"one of {', '.join(choices)}")
        return choices[value]
    return _read_single(key, value, base)


def _read_points(value: object, names: Mapping[str, int], base: tuple[int, ...]) -> tuple[int, ...]:
    if not isinstance(value, dict):
        raise _UnreadableError(f"a table such as {{ {list(names)[-1]} = 1 }}")
    points = list(base)
    wrong = []
    for name, number in value.items():
        if name not in names:
            wrong.append(f"“{name}” is not one of {', '.join(names)}")
        elif not _is_int(number):
            wrong.append(f"{name} takes a whole number, not {_shown(number)}")
        else:
            points[names[name]] = number
    if wrong:
        raise _UnreadableError("; ".join(wrong))
    return tuple(points)


def _read_streets(value: object) -> tuple[Street, ...]:
    if not isinstance(value, list) or not all(
        isinstance(street, list) and len(street) == 2 and all(map(_is_int, street)) for street in value
    ):
        raise _UnreadableError("a list of [dealt, placed], street by street")
    return tuple(Street(*street) for street in value)


def _read_category(value: object) -> Category | None:
    if value == "none":
        return None
    if not isinstance(value, str) or value not in _CATEGORY_NAMES:
        raise _UnreadableError(f"“none” or one of {', '.join(_CATEGORY_NAMES)}")
    return _CATEGORY_NAMES[value]


def _read_single(key: str, value: object, base: object) -> object:
    if isinstance(base, bool):
        if not isinstance(value, bool):
            raise _UnreadableError("true or false")
    elif isinstance(base, int):
        if not _is_int(value):
            raise _UnreadableError("a whole number")
    elif not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise _UnreadableError("a text in one line")
    elif key == "version" and not _VERSION.fullmatch(value):
        raise _UnreadableError("letters, digits, dots and hyphens")
    return value
