"""A line of hand history read into a `HandRecord`: strict about meaning, forgiving about unknown extra fields.

Here the form is checked: JSON, version, types, ranges, cards, seats. Whether the hand is legal and its result right
is for `ofc.notation.replaying` to say.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ofc.board import Placement, Row
from ofc.cards import Card
from ofc.clock import Millis
from ofc.errors import CardError, Fault, NotationError, RulesError
from ofc.notation.json_lines import read_line, shown
from ofc.notation.records import Action, HandRecord, PairRecord, PlayerRecord, ResultRecord, SeatRecord
from ofc.notation.unread import Unread, with_owner
from ofc.notation.writing import FORMAT, VERSION
from ofc.rules import RuleSet
from ofc.rulesets import rules_of
from ofc.scoring import CappedBy, Chips, Points, RowPoints, Seat

_ABSENT: Final = object()
_UNREAD: Final = Card(0)
"""Stands in for a card that could not be read."""
_Object = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Reading:
    """A line as far as it could be read: in the fields that `faults` name, the record holds what stands in."""

    record: HandRecord
    faults: tuple[Fault, ...]

    @property
    def unread(self) -> Unread:
        """The fields that could not be read."""
        return Unread(fault.field for fault in self.faults if fault.field is not None)


def parse_record(line: str | bytes) -> HandRecord:
    """Read one line: the inverse of `format_record`. `NotationError` holds every fault of form, with its field.

    What is not JSON, or not of this format and version, is told alone.
    """
    reading = read_record(line)
    if reading.faults:
        raise NotationError(*reading.faults)
    return reading.record


def read_record(line: str | bytes) -> Reading:
    """Read one line as far as that goes. `NotationError` if it is not JSON, or not of this format and version."""
    plain, doubled = read_line(line)
    if not isinstance(plain, dict):
        raise NotationError(*doubled, Fault("format-unknown", "a hand history is a JSON object", text=shown(plain)))
    if fault := _format_fault(plain):
        raise NotationError(*doubled, fault)
    reader = _Reader()
    record = reader.record(plain)
    unread = Unread(fault.field for fault in reader.faults if fault.field is not None)
    return Reading(record, (*doubled, *(with_owner(fault, record, unread) for fault in reader.faults)))


def parse_records(data: str | bytes) -> Iterator[tuple[int, HandRecord | NotationError]]:
    """Read a file of hands, one a line: yield each line's number, from 1, and its record or what is wrong with it.

    Empty lines are passed over, and so is a byte order mark.
    """
    for number, line in lines_of(data):
        try:
            yield number, parse_record(line)
        except NotationError as error:
            yield number, error


def lines_of(data: str | bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each hand's text and the number of its line, from 1; empty lines and a byte order mark are passed over.

    A hand may also be laid out over lines: an opening brace alone, indented lines, a closing brace alone.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    lines = raw.removeprefix(codecs.BOM_UTF8).split(b"\n")
    at = 0
    while at < len(lines):
        end = at + 1
        if lines[at].rstrip() == b"{":
            while end < len(lines) and lines[end][:1].isspace():
                end += 1
            end += end < len(lines) and lines[end].rstrip() == b"}"
        text = b"\n".join(lines[at:end])
        if text.strip():
            yield at + 1, text
        at = end


def _format_fault(plain: _Object) -> Fault | None:
    name, version = plain.get("format"), plain.get("version")
    if name != FORMAT:
        text = None if name is None else shown(name)
        return Fault("format-unknown", f"format is not “{FORMAT}”", field="format", text=text)
    if version != VERSION or isinstance(version, bool):
        message = f"version {shown(version)} of the format is not known; this is version {VERSION}"
        return Fault("version-unknown", message, field="version", text=shown(version))
    return None


class _Reader:
    """Collects every fault on the way; what could not be read is stood in for, so that reading goes on."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self._hides = False
        self._unread: set[str] = set()

    def record(self, plain: _Object) -> HandRecord:
        rules = self._rules(plain.get("rules"))
        partial = self._flag(plain, "partial", "", default=False)
        self._hides = plain.get("partial", False) is not False  # where that cannot be read, hidden cards are no faults
        seats = tuple(self._seat(entry, f"seats[{n}]") for n, entry in enumerate(self._list(plain, "seats", "")))
        actions = self._list(plain, "actions", "")
        undealt = plain.get("undealt")
        return HandRecord(
            rules=rules,
            seats=seats,
            button=Seat(self._whole(plain, "button", "")),
            price=self._chips(plain, "price", "", least=1),
            started_at=Millis(self._whole(plain, "started_at", "")),
            actions=tuple(self._action(entry, f"actions[{n}]") for n, entry in enumerate(actions)),
            undealt=None if undealt is None else self._known(plain, "undealt", ""),
            result=self._result(self._object(plain.get("result", _ABSENT), "result")),
            table=self._text(plain, "table", "", optional=True) or None,
            number=None if plain.get("hand") is None else self._whole(plain, "hand", "", least=1),
            partial=partial,
            viewer=None if plain.get("viewer") is None else Seat(self._whole(plain, "viewer", "")),
        )

    # -------------------------------------------------------------------------------------- parts of a hand

    def _rules(self, value: object) -> RuleSet:
        try:
            found = rules_of(value)
        except RulesError as error:
            for fault in error.faults:
                field = "rules" if fault.field in (None, "rules") else f"rules.{fault.field}"
                self.faults.append(replace(fault, field=field, text=fault.text and shown(fault.text)))
            return rules_of("ultimate")
        if isinstance(value, str) and value != found.name:
            message = f"rules are named with their version, such as {found.name}"
            self.faults.append(Fault("rules-unversioned", message, field="rules", text=shown(value)))
        return found

    def _seat(self, value: object, field: str) -> SeatRecord:
        plain = self._object(value, field)
        return SeatRecord(
            seat=Seat(self._whole(plain, "seat", field)),
            name=self._text(plain, "name", field),
            bot=self._text(plain, "bot", field, optional=True) or None,
            fantasyland=self._whole(plain, "fantasyland", field, default=0),
            stack=self._chips(plain, "stack", field, least=1),
        )

    def _action(self, value: object, field: str) -> Action:
        plain = self._object(value, field)
        placed = self._list(plain, "placed", field)
        return Action(
            seat=Seat(self._whole(plain, "seat", field)),
            street=self._whole(plain, "street", field),
            dealt=self._cards(plain, "dealt", field),
            placements=tuple(self._placement(entry, f"{field}.placed[{n}]") for n, entry in enumerate(placed)),
            discards=self._cards(plain, "discarded", field, default=()),
            forced=self._flag(plain, "forced", field, default=False),
            at=Millis(self._whole(plain, "at", field)),
        )

    def _placement(self, value: object, field: str) -> Placement:
        plain = self._object(value, field)
        card = self._card(plain.get("card", _ABSENT), f"{field}.card")
        name = plain.get("row", _ABSENT)
        for row in Row:
            if name == row:
                return Placement(card, row)
        self._fault("row-unknown", "a row is top, middle or bottom", f"{field}.row", name)
        return Placement(card, Row.TOP)

    def _result(self, plain: _Object) -> ResultRecord:
        players = self._list(plain, "players", "result")
        pairs = self._list(plain, "pairs", "result")
        return ResultRecord(
            players=tuple(self._player(entry, f"result.players[{n}]") for n, entry in enumerate(players)),
            pairs=tuple(self._pair(entry, f"result.pairs[{n}]") for n, entry in enumerate(pairs)),
            button_next=Seat(self._whole(plain, "button_next", "result")),
        )

    def _player(self, value: object, field: str) -> PlayerRecord:
        plain = self._object(value, field)
        return PlayerRecord(
            seat=Seat(self._whole(plain, "seat", field)),
            fouled=self._flag(plain, "fouled", field),
            royalties=self._rows(plain, "royalties", field),
            points=self._points(plain, "points", field),
            stack=self._chips(plain, "stack", field, least=0),
            fantasyland_next=self._whole(plain, "fantasyland_next", field),
        )

    def _pair(self, value: object, field: str) -> PairRecord:
        plain = self._object(value, field)
        capped_by = None
        name = plain.get("capped_by")
        if name is not None:
            capped_by = next((cap for cap in CappedBy if cap == name), None)
            if capped_by is None:
                self._fault("type-wrong", "capped_by is winner, loser or null", f"{field}.capped_by", name)
        return PairRecord(
            a=Seat(self._whole(plain, "a", field)),
            b=Seat(self._whole(plain, "b", field)),
            rows=self._rows(plain, "rows", field),
            scoop=self._points(plain, "scoop", field),
            royalties=self._points(plain, "royalties", field),
            points=self._points(plain, "points", field),
            chips=None if plain.get("chips") is None else Chips(self._whole(plain, "chips", field, least=None)),
            capped_by=capped_by,
        )

    def _rows(self, plain: _Object, key: str, field: str) -> RowPoints:
        place = _path(field, key)
        rows = self._object(plain.get(key, _ABSENT), place)
        return RowPoints(*(self._points(rows, str(row), place) for row in Row))

    # ------------------------------------------------------------------------------------------------ values

    def _fault(self, code: str, message: str, field: str, value: object) -> None:
        if any(field[: dot.start()] in self._unread for dot in re.finditer(r"\.", field)):
            return  # nothing missing in what is no object is a fault of its own
        if value is _ABSENT:
            self.faults.append(Fault("field-missing", f"{field} is missing", field=field))
        else:
            self.faults.append(Fault(code, message, field=field, text=shown(value)))

    def _object(self, value: object, field: str) -> _Object:
        if isinstance(value, dict):
            return value
        self._fault("type-wrong", f"{field} is not an object", field, value)
        self._unread.add(field)
        return {}

    def _list(self, plain: _Object, key: str, field: str) -> list[object]:
        value = plain.get(key, _ABSENT)
        if isinstance(value, list):
            return value
        self._fault("type-wrong", f"{_path(field, key)} is not a list", _path(field, key), value)
        return []

    def _whole(self, plain: _Object, key: str, field: str, *, least: int | None = 0, default: int | None = None) -> int:
        value = plain.get(key, _ABSENT)
        if value is _ABSENT and default is not None:
            return default
        if isinstance(value, int) and not isinstance(value, bool):
            if least is None or value >= least:
                return value
            message = f"{_path(field, key)} is {least} or more, not {value}"
            self._fault("value-impossible", message, _path(field, key), value)
        else:
            self._fault("type-wrong", f"{_path(field, key)} is not a whole number", _path(field, key), value)
        return least or 0

    def _points(self, plain: _Object, key: str, field: str) -> Points:
        return Points(self._whole(plain, key, field, least=None))

    def _chips(self, plain: _Object, key: str, field: str, *, least: int) -> Chips | None:
        return None if plain.get(key) is None else Chips(self._whole(plain, key, field, least=least))

    def _flag(self, plain: _Object, key: str, field: str, *, default: bool | None = None) -> bool:
        value = plain.get(key, _ABSENT)
        if isinstance(value, bool):
            return value
        if value is not _ABSENT or default is None:
            self._fault("type-wrong", f"{_path(field, key)} is not true or false", _path(field, key), value)
        return bool(default)

    def _text(self, plain: _Object, key: str, field: str, *, optional: bool = False) -> str:
        value = plain.get(key, _ABSENT)
        if optional and (value is None or value is _ABSENT):
            return ""
        if isinstance(value, str) and value.strip() and value.isprintable():
            return value
        self._fault("type-wrong", f"{_path(field, key)} is not a text in one line", _path(field, key), value)
        return ""

    def _cards(
        self, plain: _Object, key: str, field: str, *, default: tuple[Card | None, ...] | None = None
    ) -> tuple[Card | None, ...]:
        if default is not None and key not in plain:
            return default
        place = _path(field, key)
        cards: list[Card | None] = []
        for n, value in enumerate(self._list(plain, key, field)):
            if value is None and self._hides:
                cards.append(None)
            else:
                cards.append(self._card(value, f"{place}[{n}]"))
        return tuple(cards)

    def _known(self, plain: _Object, key: str, field: str) -> tuple[Card, ...]:
        place = _path(field, key)
        return tuple(self._card(value, f"{place}[{n}]") for n, value in enumerate(self._list(plain, key, field)))

    def _card(self, value: object, field: str) -> Card:
        if isinstance(value, str):
            try:
                return Card.parse(value)
            except CardError:
                message = f"“{shown(value)}” is not a card"
                self._fault("card-unknown", message, field, value)
        elif value is None:
            self._fault("card-hidden", "only a partial record leaves cards out", field, value)
        else:
            self._fault("type-wrong", f"{field} is not a card's text", field, value)
        return _UNREAD


def _path(field: str, key: str) -> str:
    return f"{field}.{key}" if field else key
