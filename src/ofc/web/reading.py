"""Reading what a browser or program sends: every fault found, each with its field and text, before anything is done."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from ofc.board import Row
from ofc.calculator.plain import shown
from ofc.calculator.strict_json import scan_json
from ofc.cards import Card
from ofc.errors import CardError, Fault, OfcError, ScoringError
from ofc.hand import Told

MAX_BYTES: Final = 65_536
"""The largest message or request body that is read."""
MOST_MESSAGE_BYTES: Final = 4 * 1024 * 1024
"""The largest message that is read of a director's page: a list of all players is one."""
LARGEST: Final = 2**53 - 1
"""The largest whole number: every reader of JSON keeps it exactly."""
MOST_ITEMS: Final = 52
"""The longest list that is read unless told: little here counts more than a deck."""
MOST_FAULTS: Final = 100
"""How many faults are told at most, so that an answer is never much larger than what was asked."""
LONGEST_ID: Final = 64
_HALVES: Final = re.compile(r"\\\\|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(?P<half>\\u[dD][89a-fA-F]\w\w)")
"""Of escapes in a JSON text: backslashes, characters of two halves, and halves alone, which nothing can write."""


class RequestError(OfcError):
    """A message or request that cannot be understood."""


def read_object(text: str | bytes) -> Reader:
    """Read one JSON object as strictly as `ofc score` does; keys that are there twice are among the reader's faults.

    `RequestError` if it is none: `text-encoding`, `json-malformed`, `json-too-deep`, `json-not-object`.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode("utf-8-sig")
        if not decoded.strip():
            raise RequestError(Fault("json-malformed", "there is nothing here; an object in braces is needed"))
        value, faults = scan_json(decoded, fractions=True)
    except UnicodeDecodeError as error:
        message = f"this is not text in UTF-8: byte {error.start + 1} is 0x{error.object[error.start]:02x}"
        raise RequestError(Fault("text-encoding", message)) from error
    except ScoringError as error:
        raise RequestError(*error.faults) from error
    half = next((found["half"] for found in _HALVES.finditer(decoded) if found["half"]), None)
    if half is not None:
        raise RequestError(
            Fault("json-malformed", f"{half} is half a character, and the other half is missing", text=half)
        )
    if not isinstance(value, dict):
        raise RequestError(Fault("json-not-object", "an object in braces is needed", text=shown(value)))
    return Reader(value, faults=faults)


class Reader:
    """Takes fields out of an object and notes what is wrong; `finish` raises every fault at once."""

    def __init__(self, values: Mapping[str, object], *, prefix: str = "", faults: list[Fault] | None = None) -> None:
        """Read `values`; `prefix` stands before the names of fields, and `faults` collects."""
        self._values = values
        self._prefix = prefix
        self._known: set[str] = set()
        self.faults = [] if faults is None else faults

    def fault(self, code: str, message: str, field: str, text: str | None = None, *, row: str | None = None) -> None:
        """Note that a field is wrong."""
        self.faults.append(Fault(code, message, field=self._prefix + field, row=row, text=text))

    def take(self, field: str) -> object:
        """Return a field's value as it was sent, None if it is missing."""
        self._known.add(field)
        return self._values.get(field)

    def text(self, field: str, *, longest: int, default: str | None = None) -> str:
        """Return a text of 1 to `longest` characters without control characters, stripped."""
        value = self.take(field)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            self.fault("text-needed", f"{field} is a text", field, shown(value))
            return ""
        cleaned = value.strip()
        if not 1 <= len(cleaned) <= longest or not cleaned.isprintable():
            self.fault("text-length", f"{field} is 1 to {longest} printable characters", field, shown(value))
        return cleaned

    def id(self) -> str:
        """Return the sender's own `id`, to be given back as it is."""
        value = self.take("id")
        if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_ID:
            self.fault("id-invalid", f"id is a text of 1 to {LONGEST_ID} characters", "id", shown(value))
            return ""
        return value

    def whole(self, field: str, *, least: int, most: int = LARGEST, default: int | None = None) -> int:
        """Return a whole number from `least` to `most`."""
        value = self.take(field)
        if value is None and default is not None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            limits = f"from {least} to {most}" if most != LARGEST else f"of {least} or more"
            self.fault("number-invalid", f"{field} is a whole number {limits}", field, shown(value))
            return least
        return value

    def optional_whole(self, field: str, *, least: int, most: int = LARGEST) -> int | None:
        """Return a whole number, None if it is missing."""
        return None if self.take(field) is None else self.whole(field, least=least, most=most)

    def values(self, field: str, *, default: list[object] | None = None, most: int = MOST_ITEMS) -> list[object]:
        """Return a list of at most so many items."""
        value = self.take(field)
        if value is None and default is not None:
            return default
        if not isinstance(value, list):
            self.fault("list-needed", f"{field} is a list", field, shown(value))
            return []
        if len(value) > most:
            self.fault("list-too-long", f"{field} has at most {most} items, not {len(value)}", field)
        return value[:most]

    def cards(self, field: str, *, default: list[object] | None = None) -> tuple[Card | None, ...]:
        """Return a list of cards, each named where it is none; None stands for that."""
        return tuple(self._card(f"{field}[{n}]", value) for n, value in enumerate(self.values(field, default=default)))

    def placements(self, field: str) -> tuple[Told, ...]:
        """Return a list of `{"card", "row"}`, each fault named with its row; None stands for a part that is none."""
        return tuple(self._placement(f"{field}[{n}]", value) for n, value in enumerate(self.values(field)))

    def within(self, values: Mapping[str, object], field: str) -> Reader:
        """Return a reader of an object inside this one, which notes its faults here."""
        return Reader(values, prefix=f"{self._prefix}{field}.", faults=self.faults)

    def finish(self) -> None:
        """Raise `RequestError` with every fault there is, fields that nobody asked for included."""
        self.check_fields()
        if self.faults:
            raise RequestError(*self.faults[:MOST_FAULTS])

    def check_fields(self) -> None:
        """Note every field that nobody asked for."""
        for field, value in self._values.items():
            if field not in self._known:
                self.unknown(field, self._known, value)

    def unknown(self, field: str, known: Collection[str], value: object, *, within: str = "") -> None:
        """Note a field that there is not, among those that there are."""
        message = f"no field “{shown(field)}”; there are {', '.join(sorted(known))}"
        self.fault("field-unknown", message, within + shown(field), shown(value))

    def _placement(self, place: str, value: object) -> Told:
        if not isinstance(value, dict):
            self.fault("placement-invalid", "a placement is an object with card and row", place, shown(value))
            return None, None
        row_text = value.get("row")
        row = Row(row_text) if isinstance(row_text, str) and row_text in {str(row) for row in Row} else None
        if row is None:
            self.fault("row-unknown", "row is top, middle or bottom", f"{place}.row", shown(row_text))
        for key in value:
            if key not in ("card", "row"):
                self.unknown(key, ("card", "row"), value[key], within=f"{place}.")
        return self._card(f"{place}.card", value.get("card"), row=row), row

    def _card(self, field: str, value: object, *, row: Row | None = None) -> Card | None:
        try:
            return Card.parse(value if isinstance(value, str) else shown(value))
        except CardError as error:
            self.fault(error.code, str(error), field, shown(value), row=row)
            return None


def read_type(reader: Reader, types: Collection[str]) -> str:
    """Return a message's `type`; `RequestError` if it is none of `types`.

    What else the message should hold follows from its type: of an unknown one there is no more to say.
    """
    value = reader.take("type")
    if isinstance(value, str) and value in types:
        return value
    reader.fault("type-unknown", f"type is one of {', '.join(types)}", "type", shown(value))
    raise RequestError(*reader.faults[:MOST_FAULTS])


def read_choice(reader: Reader, field: str, choices: Collection[str], value: object, *, code: str) -> str:
    """Return one of `choices`; otherwise note the fault and return the first of them."""
    if isinstance(value, str) and value in choices:
        return value
    reader.fault(code, f"{field} is one of {', '.join(choices)}", field, shown(value))
    return next(iter(choices))
