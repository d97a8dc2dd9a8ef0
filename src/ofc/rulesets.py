"""The built-in rule sets, and one's own as a base and the fields that differ."""

from __future__ import annotations

import datetime as dt
import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from enum import StrEnum
from typing import Any, Final

from ofc.errors import Fault, RulesError
from ofc.evaluation import Category
from ofc.rules import (
    ENTRY_NAMES,
    RULE_FIELDS,
    ButtonRule,
    FantasylandTurn,
    LoneFantasyland,
    RuleSet,
    SettlementOrder,
    StayCards,
    Street,
    category_name,
    category_points,
    impossible_values,
    rank_points,
)
from ofc.toml_files import TomlError, cut, read_toml, toml_text

RULING_DATE: Final = dt.date(2026, 9, 22)
"""From this day staying keeps the count of cards (R-FL-6)."""

_ULTIMATE = RuleSet(
    id="ultimate",
    version="2026-09-22",
    title="Ultimate",
    summary="3 seats, Fantasyland with 14 to 17 cards",
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

    `RulesError` holds every fault with its field, and as its text the value as TOML writes it, or a field's name
    that there is not.
    """
    try:
        return _OwnRules(toml_text).read(read_toml(text))
    except TomlError as error:
        raise RulesError(*error.faults) from error


def rules_from_fields(table: Mapping[str, object]) -> RuleSet:
    """Make a rule set from `base`, `id` and the fields that differ, in plain values such as JSON has.

    Tables of points override only the ranks or hand types they name. `RulesError` holds every fault, in the order
    of the table.
    """
    return _OwnRules(_json_text).read(table)


class _OwnRules:
    """Reads one table of fields and notes everything that is wrong with it."""

    def __init__(self, text_of: Callable[[object], str]) -> None:
        """Show values in faults as `text_of` writes them."""
        self._text_of = text_of
        self._faults: list[Fault] = []

    def read(self, table: Mapping[str, object]) -> RuleSet:
        base, own = self._read_base(table.get("base")), self._read_id(table.get("id"))
        # Without a base nothing is known of the fields that the table does not name: they contradict nothing.
        values: dict[str, Any] = {} if base is None else {name: getattr(base, name) for name in RULE_FIELDS}
        values.update(id=own, version="1", title=own, summary="" if base is None else f"{base.title}, changed")
        written = {
            path: value
            for key, field in table.items()
            if key not in ("base", "id")
            for path, value in self._read_field(key, field, values)
        }
        for path, message in impossible_values(values, blamable=written):
            self._fault("rules-field-impossible", f"{path}: {message}", path, written.get(path))
        if self._faults:
            places = {key: place for place, key in enumerate(table)}
            self._faults.sort(key=lambda fault: places.get((fault.field or "").partition(".")[0], -1))
            raise RulesError(*self._faults)
        return RuleSet(**values)

    def _fault(self, code: str, message: str, field: str, value: object) -> None:
        self._faults.append(Fault(code, message, field=field, text=None if value is None else self._text_of(value)))

    def _read_base(self, base: object) -> RuleSet | None:
        if not isinstance(base, str):
            self._fault("rules-base-missing", "base names the rule set that this one starts from", "base", base)
            return None
        try:
            return get_rules(base)
        except RulesError as error:
            self._fault(error.code, error.faults[0].message, "base", base)
            return None

    def _read_id(self, own: object) -> str:
        if isinstance(own, str) and _ID.fullmatch(own) and all(own != rules.id for rules in BUILT_IN):
            return own
        message = "id is a name of its own in lower case, digits and hyphens, not a built-in one"
        self._fault("rules-id-invalid", message, "id", own)
        return "unnamed"

    def _read_field(self, key: str, value: object, values: dict[str, Any]) -> Iterator[tuple[str, object]]:
        """Put a field among the values where it can be read; yield every path that was written, with its value."""
        if key not in RULE_FIELDS:
            near = difflib.get_close_matches(key, RULE_FIELDS, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            name = cut(key) if key.strip() else f"“{key}”"
            self._faults.append(Fault("rules-field-unknown", f"no field {name}{hint}", field=key, text=cut(key)))
            return
        if key in ENTRY_NAMES and isinstance(value, dict):
            values[key], entries = self._read_points(key, value, values.get(key))
            yield from entries
            return
        yield key, value
        try:
            values[key] = _read_value(key, value)
        except _UnreadableError as error:
            values.pop(key, None)  # no word about what the base has in its place
            self._fault("rules-field-invalid", f"{key}: {error}", key, value)

    def _read_points(
        self, key: str, table: Mapping[str, object], base: tuple[int, ...] | None
    ) -> tuple[tuple[int | None, ...], list[tuple[str, object]]]:
        names = ENTRY_NAMES[key]
        points: list[int | None] = list(base or [None] * len(names))
        entries: list[tuple[str, object]] = []
        for name, number in table.items():
            path = f"{key}.{name}"
            if name not in names:
                self._fault("rules-field-invalid", f"{key}: “{name}” is not one of {', '.join(names)}", path, number)
            elif not isinstance(number, int) or isinstance(number, bool):
                self._fault("rules-field-invalid", f"{key}: {name} takes a whole number", path, number)
                points[names.index(name)] = None
            else:
                points[names.index(name)] = number
                entries.append((path, number))
        return tuple(points), entries


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
        Fault("rules-unknown", "rules are a name or a table of fields", field="rules", text=_json_text(stored))
    )


def plain_field(rules: RuleSet, key: str) -> object:
    """Return a field's value as TOML and JSON have it."""
    value = getattr(rules, key)
    if key in ENTRY_NAMES:
        return dict(zip(ENTRY_NAMES[key], value, strict=True))
    if key == "streets":
        return [list(street) for street in value]
    if key in _STAY_FIELDS:
        return "none" if value is None else category_name(value)
    return str(value) if isinstance(value, StrEnum) else value


def differing_fields(a: RuleSet, b: RuleSet) -> tuple[str, ...]:
    """Return the names of the fields in which two rule sets differ, in order."""
    first, second = asdict(a), asdict(b)
    return tuple(key for key in RULE_FIELDS if first[key] != second[key])


_CATEGORIES: Final = {category_name(category): category for category in Category}
_STAY_FIELDS: Final = ("stay_top", "stay_middle", "stay_bottom")


class _UnreadableError(Exception):
    """A field's value does not have the form that the field takes."""


def _json_text(value: object) -> str:
    """Write a value as JSON has it, a text without its quotes, cut where it is long."""
    if not isinstance(value, dict | list | int | float | None):
        return cut(str(value))  # a text, or a number that Python would write otherwise
    try:
        return cut(json.dumps(value, ensure_ascii=False, default=str))
    except (RecursionError, ValueError):  # nested too deep, or a number of thousands of digits
        return "…"


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _read_value(key: str, value: object) -> object:
    like = getattr(_ULTIMATE, key)
    if key in ENTRY_NAMES:
        raise _UnreadableError(f"a table such as {{ {ENTRY_NAMES[key][-1]} = 1 }}")
    if key == "streets":
        return _read_streets(value)
    if key in _STAY_FIELDS:
        return _read_category(value)
    if isinstance(like, StrEnum):
        choices = {str(choice): choice for choice in type(like)}
        if not isinstance(value, str) or value not in choices:
            raise _UnreadableError(f"one of {', '.join(choices)}")
        return choices[value]
    return _read_single(key, value, like)


def _read_streets(value: object) -> tuple[Street, ...]:
    if not isinstance(value, list) or not all(
        isinstance(street, list) and len(street) == 2 and all(map(_is_int, street)) for street in value
    ):
        raise _UnreadableError("a list of [dealt, placed], street by street")
    return tuple(Street(*street) for street in value)


def _read_category(value: object) -> Category | None:
    if value == "none":
        return None
    if not isinstance(value, str) or value not in _CATEGORIES:
        raise _UnreadableError(f"“none” or one of {', '.join(_CATEGORIES)}")
    return _CATEGORIES[value]


def _read_single(key: str, value: object, like: object) -> object:
    if isinstance(like, bool):
        if not isinstance(value, bool):
            raise _UnreadableError("true or false")
    elif isinstance(like, int):
        if not _is_int(value):
            raise _UnreadableError("a whole number")
    elif not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise _UnreadableError("a text in one line")
    elif key == "version" and not _VERSION.fullmatch(value):
        raise _UnreadableError("letters, digits, dots and hyphens")
    return value
