"""Faults of several kinds planted in one good input are all told, each with its player, row and text, and no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc.board import ROWS, Row
from ofc.calculator import score_input
from ofc.cards import Card
from ofc.errors import RulesError
from ofc.rulesets import rules_from_toml

Told = tuple[str, str | None, str | None, str | None]
"""Of a fault: code, player, row, text."""


@dataclass
class Hand:
    """A good hand in plain values, and the faults planted in it so far.

    `free` are the rows in which nothing is planted yet.
    """

    seats: int
    headers: dict[str, Any]
    players: list[dict[str, Any]]
    free: list[tuple[int, Row]]
    spare: Card
    """A card that nobody has, unless the fourth plays too."""
    expected: list[Callable[[], Told]] = field(default_factory=list)
    """Called when all is planted, since a fault bears its player's name as it is then."""

    def row(self, seat: int, row: Row) -> list[str]:
        """Return the cards of a row."""
        return str(self.players[seat][row]).split()

    def tell(self, code: str, seat: int | None = None, row: Row | None = None, text: str | None = None) -> None:
        """Expect a fault."""
        self.expected.append(
            lambda: (code, None if seat is None else str(self.players[seat]["name"]), row and str(row), text)
        )


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    seats = draw(st.integers(2, 3))
    deck = draw(st.permutations(range(52)))
    players = []
    for seat in range(4):  # the fourth for who plants one too many
        cards = [str(Card(index)) for index in deck[13 * seat : 13 * seat + 13]]
        rows = {"top": cards[:3], "middle": cards[3:8], "bottom": cards[8:]}
        name = ["Anna", "Bo", "Cy", "Di"][seat]
        players.append({"name": name, **{row: " ".join(its) for row, its in rows.items()}, "stack": 100 * seat})
    free = [(seat, row) for seat in range(seats) for row in ROWS]
    return Hand(
        seats,
        {"rules": "pineapple", "dealt_on": "2026-10-01", "price": 10},
        players,
        draw(st.permutations(free)),
        Card(deck[39]),
    )


def unknown_card(hand: Hand) -> None:
    seat, row = hand.free.pop()
    hand.players[seat][row] = " ".join(["1x", *hand.row(seat, row)[1:]])
    hand.tell("card-unknown", seat, row, "1x")


def card_twice(hand: Hand) -> None:
    places = sorted([hand.free.pop(), hand.free.pop()], key=lambda place: (place[0], ROWS.index(place[1])))
    (seat, row), (other, its_row) = places
    card = hand.row(seat, row)[0]
    hand.players[other][its_row] = " ".join([card, *hand.row(other, its_row)[1:]])
    hand.tell("card-twice", other, its_row, card)


def too_few_cards(hand: Hand) -> None:
    seat, row = hand.free.pop()
    hand.players[seat][row] = " ".join(hand.row(seat, row)[1:])
    hand.tell("row-count", seat, row, hand.players[seat][row])


def too_many_cards(hand: Hand) -> None:
    seat, row = hand.free.pop()
    hand.players[seat][row] += f" {hand.spare}"
    hand.tell("row-count", seat, row, hand.players[seat][row])


def row_missing(hand: Hand) -> None:
    seat, row = hand.free.pop()
    del hand.players[seat][row]
    hand.tell("row-missing", seat, row)


def one_name_twice(hand: Hand) -> None:
    hand.players[1]["name"] = hand.players[0]["name"]
    hand.tell("name-twice", 1, None, str(hand.players[0]["name"]))


def too_many_players(hand: Hand) -> None:
    hand.seats = 4
    hand.tell("players-too-many", None, None, "4")


def no_such_fantasyland(hand: Hand) -> None:
    hand.players[0]["fantasyland"] = 5
    hand.tell("fantasyland-count", 0, None, "5")


def no_price(hand: Hand) -> None:
    del hand.headers["price"]
    hand.tell("price-missing")


def no_such_price(hand: Hand) -> None:
    hand.headers["price"] = "much"
    hand.tell("price-invalid", None, None, "much")


def no_stack(hand: Hand) -> None:
    del hand.players[0]["stack"]
    hand.tell("stack-missing", 0)


def no_such_stack(hand: Hand) -> None:
    hand.players[1]["stack"] = "many"
    hand.tell("stack-invalid", 1, None, "many")


def no_such_date(hand: Hand) -> None:
    hand.headers["dealt_on"] = "2026-02-30"
    hand.tell("dealt-on-invalid", None, None, "2026-02-30")


def no_such_rules(hand: Hand) -> None:
    hand.headers["rules"] = "omaha"
    hand.tell("rules-unknown", None, None, "omaha")


def no_such_button(hand: Hand) -> None:
    hand.headers["button"] = "9"
    hand.tell("button-unknown", None, None, "9")


def no_such_field(hand: Hand) -> None:
    hand.headers["odd"] = 1
    hand.tell("field-unknown", None, None, "odd")


def no_such_field_of_a_player(hand: Hand) -> None:
    hand.players[1]["hat"] = 1
    hand.tell("field-unknown", 1, None, "hat")


def a_key_twice(hand: Hand) -> None:
    hand.headers["again"] = "dealt_on"
    hand.tell("json-key-twice", None, None, "dealt_on")


def a_key_of_a_player_twice(hand: Hand) -> None:
    hand.players[0]["again"] = "name"
    hand.tell("json-key-twice", 0, None, "name")


def a_row_of_a_player_twice(hand: Hand) -> None:
    seat, row = hand.free.pop()
    hand.players[seat]["again"] = str(row)
    hand.tell("json-key-twice", seat, row, str(row))


def no_such_detail(hand: Hand) -> None:
    hand.players[1]["detail"] = "late"
    hand.tell("detail-unknown", 1, None, "late")


def a_header_twice(hand: Hand) -> None:
    hand.headers["date"] = "soon"
    hand.tell("header-twice", None, None, "soon")
    hand.tell("dealt-on-invalid", None, None, "soon")


def a_detail_twice(hand: Hand) -> None:
    hand.players[1]["detail"] = "stack 7x"
    hand.tell("detail-twice", 1, None, "stack 7x")
    hand.tell("stack-invalid", 1, None, "7x")


COMMON = [
    unknown_card, card_twice, too_few_cards, too_many_cards, row_missing, one_name_twice, too_many_players,
    no_such_fantasyland, no_price, no_such_price, no_stack, no_such_stack, no_such_date, no_such_rules, no_such_button,
]  # fmt: skip
KEYS_TWICE = [a_key_twice, a_key_of_a_player_twice, a_row_of_a_player_twice]
OF_JSON = [*COMMON, no_such_field, no_such_field_of_a_player, *KEYS_TWICE]
OF_TEXT = [*COMMON, no_such_detail, a_header_twice, a_detail_twice]
APART = [
    {no_price, no_such_price},
    {too_many_cards, too_many_players},
    {no_such_rules, too_many_players},
    {no_such_detail, a_detail_twice},
    {a_key_of_a_player_twice, a_row_of_a_player_twice},
]
"""Kinds that cannot be there together: one takes away what the other is about."""


def some_of(kinds: list[Callable[[Hand], None]]) -> st.SearchStrategy[list[Callable[[Hand], None]]]:
    together = st.lists(st.sampled_from(kinds), min_size=1, max_size=7, unique=True)
    return together.filter(lambda chosen: not any(apart <= set(chosen) for apart in APART))


def as_json(hand: Hand) -> str:
    headers = dict(hand.headers)
    if "button" in headers:
        headers["button"] = int(headers["button"])
    players = ", ".join(map(object_as_json, hand.players[: hand.seats]))
    return f'{object_as_json(headers)[:-1]}, "players": [{players}]}}'


def object_as_json(values: dict[str, Any]) -> str:
    """Write an object, with the key twice that `again` names."""
    values = dict(values)
    twice = values.pop("again", None)
    text = json.dumps(values)
    return text if twice is None else f'{text[:-1]}, "{twice}": {json.dumps(values[twice])}}}'


def as_text(hand: Hand) -> str:
    lines = [f"{key}: {value}" for key, value in hand.headers.items()]
    for player in hand.players[: hand.seats]:
        details = [f"stack {player['stack']}"] if "stack" in player else []
        details += [f"{player['fantasyland']} cards"] if "fantasyland" in player else []
        details += [player["detail"]] if "detail" in player else []
        lines += ["", f"{player['name']} ({', '.join(details)}):"]
        lines += [f"  {row}: {player[row]}" for row in ROWS if row in player]
    return "\n".join(lines)


@pytest.mark.parametrize(("kinds", "write"), [(OF_JSON, as_json), (OF_TEXT, as_text)], ids=["JSON", "text"])
@given(data=st.data())
def test_every_fault_planted_in_a_hand_is_told(
    kinds: list[Callable[[Hand], None]], write: Callable[[Hand], str], data: st.DataObject
) -> None:
    hand = data.draw(hands())
    for plant in data.draw(some_of(kinds)):
        if len(hand.free) > 1:
            plant(hand)
    (faults,) = score_input(write(hand)).outcomes
    assert isinstance(faults, tuple)
    told = [(fault.code, fault.player, fault.row, fault.text) for fault in faults]
    assert sorted(told, key=str) == sorted([expected() for expected in hand.expected], key=str)


@given(hands())
def test_without_planted_faults_the_hand_is_good(hand: Hand) -> None:
    for text in (as_json(hand), as_text(hand)):
        (outcome,) = score_input(text).outcomes
        assert not isinstance(outcome, tuple)


OF_RULES: dict[str, tuple[str, str, str]] = {
    # what a line of the file says: code, field, text
    'id = "Bad Id!"': ("rules-id-invalid", "id", '"Bad Id!"'),
    'base = "poker"': ("rules-unknown", "base", '"poker"'),
    "scop = 3": ("rules-field-unknown", "scop", "scop"),
    "strict_order = 1": ("rules-field-invalid", "strict_order", "1"),
    'button = "sometimes"': ("rules-field-invalid", "button", '"sometimes"'),
    'stay_top = "flush"': ("rules-field-impossible", "stay_top", '"flush"'),
    'stay_bottom = "never"': ("rules-field-invalid", "stay_bottom", '"never"'),
    "scoop = -1": ("rules-field-impossible", "scoop", "-1"),
    "fantasyland_trips = 12": ("rules-field-impossible", "fantasyland_trips", "12"),
    "min_seats = 5": ("rules-field-impossible", "min_seats", "5"),
    "max_seats = 1": ("rules-field-impossible", "max_seats", "1"),
    "streets = [[5, 5]]": ("rules-field-impossible", "streets", "[[5, 5]]"),
    'title = ""': ("rules-field-invalid", "title", '""'),
    'version = "1 2"': ("rules-field-invalid", "version", '"1 2"'),
    "top_pair_royalties = { 10 = 5 }": ("rules-field-invalid", "top_pair_royalties.10", "5"),
    "middle_royalties = { flush = true }": ("rules-field-invalid", "middle_royalties.flush", "true"),
    "bottom_royalties = { quads = -4 }": ("rules-field-impossible", "bottom_royalties.quads", "-4"),
    "fantasyland_pairs = { A = 18 }": ("rules-field-impossible", "fantasyland_pairs.A", "18"),
}


@given(st.lists(st.sampled_from(sorted(OF_RULES)), min_size=1, unique=True))
def test_every_fault_planted_in_a_rule_file_is_told_in_its_order(lines: list[str]) -> None:
    given_keys = [line.partition(" ")[0] for line in lines]
    good = [f'{key} = "{value}"' for key, value in (("id", "own"), ("base", "casual")) if key not in given_keys]
    with pytest.raises(RulesError) as refused:
        rules_from_toml("\n".join(good + lines))
    told = [(fault.code, fault.field, fault.text) for fault in refused.value.faults]
    assert told == [OF_RULES[line] for line in lines]
