"""What is said of a line of a log that is JSON and no entry: the field, the text there, and what belongs there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ofc.tournament.log import LogError, read_log, write_log
from ofc.tournament.log_faults import field_fault
from tests.unit.tournament.test_log import whole_event

LINES = [json.loads(line) for line in write_log(whole_event().log.entries).splitlines()]


def line_of(kind: str) -> tuple[Any, int]:
    """A line that has an event of this kind, and the event's place in it."""
    for line in LINES:
        for number, event in enumerate(line.get("events", [])):
            if event["type"] == kind and (kind != "HandSettled" or event["boards"]):
                return json.loads(json.dumps(line)), number
    raise AssertionError(kind)


@pytest.mark.parametrize(
    ("kind", "change", "field", "text", "words"),
    [
        ("HandSettled", lambda e: e["points"].update(x=1), "points", '"x"', "its keys are numbers in quotes"),
        ("HandSettled", lambda e: e["points"].update({"9": "x"}), "points.9", '"x"', 'a whole number, not "x"'),
        ("HandSettled", lambda e: e.update(price=1.5), "price", "1.5", "a whole number, not 1.5"),
        ("HandSettled", lambda e: e.update(price=None), "price", "null", "a whole number, not null"),
        ("HandSettled", lambda e: e.update(source="dice"), "source", '"dice"', "not one that is known"),
        ("HandSettled", lambda e: e.update(out=[[1, 2, 3]]), "out[0]", "[1, 2, 3]", "a list of length 2, not"),
        ("HandSettled", lambda e: e.update(out=[[1, "2"]]), "out[0][1]", '"2"', 'a whole number, not "2"'),
        ("HandSettled", lambda e: e.update(payments=[1]), "payments[0]", "1", "an object, not 1"),
        ("ClockSet", lambda e: e.update(left_ms="1"), "left_ms", '"1"', 'a whole number or null, not "1"'),
        ("Registered", lambda e: e.update(paid=1), "paid", "1", "true or false, not 1"),
        ("Registered", lambda e: e.update(hat=True), "hat", "true", "no such field is known"),
        ("Seated", lambda e: e["to"].update(table="1"), "to.table", '"1"', 'a whole number, not "1"'),
    ],
)
def test_a_wrong_field_is_named_with_its_text(
    kind: str, change: Callable[[Any], None], field: str, text: str, words: str
) -> None:
    line, number = line_of(kind)
    change(line["events"][number])
    with pytest.raises(LogError) as error:
        read_log(json.dumps(line).encode())
    (fault,) = error.value.faults
    assert (fault.code, fault.field, fault.text) == ("log-field", f"events[{number}].{field}", text)
    assert fault.message.startswith(f"line 1: events[{number}].{field}: ")
    assert words in fault.message
    assert "`" not in fault.message


def test_a_card_that_is_none_is_shown() -> None:
    line, number = line_of("HandSettled")
    boards = line["events"][number]["boards"]
    player = max(boards)
    for card in ("9x", 9):
        boards[player]["top"][0] = card
        with pytest.raises(LogError, match="not a card") as error:
            read_log(json.dumps(line).encode())
        assert error.value.faults[0].text == json.dumps(card)
        assert (error.value.faults[0].field or "").endswith(".top[0]")


def test_what_a_decoder_to_come_may_say_is_told_too() -> None:
    assert field_fault("something else", [1]).message == "the line: something else"
    assert field_fault("Expected `int`, got `str` - at `key` in `$`", 5).text == "5"
    assert field_fault("Object contains unknown field `x`", 5).field == "x"
    assert field_fault("Expected `int`, got `str` - at `$.a.b`", {"a": "deeper"}).field == "a"
