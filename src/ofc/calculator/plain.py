"""A finished hand from plain values such as JSON gives; every fault at once, with its player, row and text."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeGuard

from ofc.board import ROWS, Board, Row, repeated_cards
from ofc.calculator.hands import FinishedHand, Money
from ofc.cards import Card, scan_cards
from ofc.errors import Fault, RulesError, ScoringError
from ofc.rules import RuleSet
from ofc.rulesets import BUILT_IN, get_rules
from ofc.scoring import Chips, Seat, fantasyland_faults, players_faults

MAX_CHIPS: Final = 2**53 - 1
"""The largest stack and the highest price: the largest whole number that every reader of JSON keeps exactly."""

_HAND_FIELDS: Final = ("rules", "dealt_on", "button", "price", "players")
_PLAYER_FIELDS: Final = ("name", *map(str, ROWS), "fantasyland", "stack")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_OF_PLAYER: Final = re.compile(r"players\[(?P<seat>\d+)\](?:\.(?P<row>top|middle|bottom)(?=[.\[]|$))?")
_LONGEST_SHOWN: Final = 200
_MOST_PLACES: Final = 10
"""In how many more places than two a card that is there again is said to be."""


@dataclass(frozen=True, slots=True)
class NumberText:
    """A number that is not whole, or too long to be meant, as the input wrote it."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Several:
    """What a text has more than once: each value is judged, and the last counts.

    As `rows` of a player: the rows beyond the third.
    """

    values: tuple[object, ...]

    @staticmethod
    def of(values: Iterable[object]) -> object:
        """Return the values that differ, or the only one."""
        differing = tuple(dict.fromkeys(reversed([*values])))[::-1]
        return differing[0] if len(differing) == 1 else Several(differing)


def read_hand(item: object, *, rules: RuleSet | str = "ultimate", faults: Iterable[Fault] = ()) -> FinishedHand:
    """Check one hand in plain values (docs/score.md) and return it.

    `rules` holds where the hand names none: a rule set, or the id of a built-in one, whose version then follows
    the hand's `dealt_on` (R-FL-6). `ScoringError` holds every fault, after the `faults` found before. Where the rules
    are unknown, what no rule set allows is a fault too.
    """
    reader = _HandReader(list(faults))
    parts = reader.read(item, rules)
    if parts is None or reader.faults or parts.rules is None:
        raise ScoringError(*reader.faults)
    return FinishedHand(
        rules=parts.rules,
        names=tuple(rows.label for rows in parts.rows),
        boards=tuple(rows.board for rows in parts.rows),
        fantasyland=parts.fantasyland,
        button=parts.button,
        money=parts.money,
    )


def read_boards(
    item: object, *, rules: RuleSet | str | None, faults: Iterable[Fault] = (), unfinished: bool
) -> list[tuple[str, Board]]:
    """Check a hand as `read_hand` does; return each player's name and board.

    With `unfinished`, rows may lack cards and money may be incomplete. Without `rules` players are not counted, and
    Fantasyland holds what any rules deal.
    """
    reader = _HandReader(list(faults), is_unfinished=unfinished)
    parts = reader.read(item, rules)
    if parts is None or reader.faults:
        raise ScoringError(*reader.faults)
    return [(rows.label, rows.board) for rows in parts.rows]


def read_rules(item: Mapping[str, object], faults: list[Fault], *, default: RuleSet | str) -> RuleSet | None:
    """Return what a hand is played by, from its `rules` and `dealt_on`; `faults` gets what is wrong with them."""
    reader = _HandReader(faults)
    return reader._rules(item.get("rules"), default, reader._date(item.get("dealt_on")))  # noqa: SLF001 - its own


def numbered(seat: int) -> str:
    """Return what a player without a name is called: `Player 2` in the second seat."""
    return f"Player {seat + 1}"


def shown(value: object) -> str:
    """Return a value's text as the input might have had it, cut where it is long."""
    match value:
        case str():
            text = value
        case NumberText():
            text = value.text
        case _:
            try:
                text = json.dumps(value, ensure_ascii=False, default=shown)
            except (RecursionError, ValueError):
                text = "…"
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def _place(rows: _Rows, row: Row | None) -> str:
    return f"{rows.label}, {row or 'beyond the third row'}"


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_chips(value: object, *, least: int) -> TypeGuard[int]:
    return _is_whole(value) and least <= value <= MAX_CHIPS


def _wrong_by_all(told: list[list[Fault]], message: str) -> list[Fault]:
    """Return what each of the possible rule sets says of a value, unless one allows it; of several, with `message`."""
    if not all(told):
        return []
    return [fault if len(told) == 1 else replace(fault, message=message) for faults in told[:1] for fault in faults]


@dataclass(slots=True)
class _Rows:
    """One player's cards so far: those that could be read, row by row; with None those beyond the rows.

    `label` says who it is where there is no `name`: `Player 2`, as in a text without names.
    """

    seat: int
    name: str | None
    label: str
    cards: dict[Row | None, tuple[Card, ...]] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        return Board(*(self.cards[row] for row in ROWS))


@dataclass(frozen=True, slots=True)
class _Parts:
    """What could be read of a hand, by seat."""

    rules: RuleSet | None
    rows: list[_Rows]
    fantasyland: tuple[int, ...]
    button: Seat
    money: Money | None


@dataclass(slots=True)
class _HandReader:
    """Goes through one hand and notes everything that is wrong with it.

    In an unfinished hand rows may lack cards, and money may be incomplete.
    """

    faults: list[Fault]
    is_unfinished: bool = False

    def read(self, item: object, default: RuleSet | str | None) -> _Parts | None:
        """Return what could be read; None where there are no players to look at."""
        if not isinstance(item, dict):
            self._fault("hand-invalid", "a hand is an object with players", text=shown(item))
            return None
        self._unknown_fields(item, _HAND_FIELDS)
        rules = self._rules(item.get("rules"), default, self._date(item.get("dealt_on")))
        # Where the rules are unknown: those built in have every number of players and cards that one's own may have.
        possible = BUILT_IN if rules is None else (rules,)
        seats, players = self._players(item.get("players"), possible if default is not None else ())
        boards = [self._rows(seat, player) for seat, player in players.items()]
        self._keys_twice(boards)
        self._names(boards)
        self._card_twice(boards)
        fantasyland = [
            self._fantasyland(player.get("fantasyland"), rows, possible)
            for player, rows in zip(players.values(), boards, strict=True)
        ]
        button = self._button(item.get("button"), seats)
        money = self._money(item.get("price"), list(players.values()), boards)
        return _Parts(rules, boards, tuple(fantasyland), button, money)

    def _fault(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        rows: _Rows | None = None,
        row: Row | None = None,
        text: str | None = None,
    ) -> None:
        place = ", ".join(filter(None, [rows.label if rows else None, row]))
        path = [f"players[{rows.seat}]" if rows else None, field or row]
        self.faults.append(
            Fault(
                code,
                f"{place}: {message}" if place else message,
                field=".".join(filter(None, path)) or None,
                player=rows.label if rows else None,
                row=row,
                text=text,
            )
        )

    def _unknown_fields(self, values: Mapping[str, object], known: tuple[str, ...], rows: _Rows | None = None) -> None:
        for key in values:
            if key not in known and not isinstance(values[key], Several):
                message = f"no field “{shown(key)}”; there are {', '.join(known)}"
                self._fault("field-unknown", message, field=shown(key), rows=rows, text=shown(key))

    def _date(self, value: object) -> dt.date | None:
        if isinstance(value, Several):
            return [self._date(one) for one in value.values][-1]
        if value is None:
            return None
        if isinstance(value, str) and _DATE.fullmatch(value):
            try:
                return dt.date.fromisoformat(value)
            except ValueError:
                pass
        message = f"dealt_on is a date such as 2026-10-01, not {shown(value)}"
        self._fault("dealt-on-invalid", message, field="dealt_on", text=shown(value))
        return None

    def _rules(self, value: object, default: RuleSet | str | None, dealt_on: dt.date | None) -> RuleSet | None:
        if isinstance(value, Several):
            return [self._rules(one, default, dealt_on) for one in value.values][-1]
        if value is None:
            value = default
        if value is None or isinstance(value, RuleSet):
            return value
        if not isinstance(value, str):
            self._fault("rules-invalid", "rules is the name of a rule set", field="rules", text=shown(value))
            return None
        if isinstance(default, RuleSet) and default not in BUILT_IN and value in (default.id, default.name):
            return default
        try:
            return get_rules(value, dealt_on=dealt_on)
        except RulesError as error:
            self.faults.extend(error.faults)
            return None

    def _players(self, value: object, possible: tuple[RuleSet, ...]) -> tuple[int, dict[int, Mapping[str, object]]]:
        """Return the number of seats, and by seat the players that are objects."""
        if value is None:
            self._fault("players-missing", "there are no players", field="players")
            return 0, {}
        if not isinstance(value, list):
            message = "players is a list with one object for each seat"
            self._fault("players-invalid", message, field="players", text=shown(value))
            return 0, {}
        told = [players_faults(len(value), rules) for rules in possible]
        self.faults += _wrong_by_all(told, f"no rule set is played by {len(value)}")
        players: dict[int, Mapping[str, object]] = {}
        for seat, player in enumerate(value):
            if isinstance(player, dict):
                players[seat] = player
            else:
                message = "a player is an object with name, top, middle and bottom"
                self._fault("player-invalid", message, rows=_Rows(seat, None, numbered(seat)), text=shown(player))
        return len(value), players

    def _rows(self, seat: int, player: Mapping[str, object]) -> _Rows:
        name = player.get("name")
        rows = _Rows(seat, None, numbered(seat))
        if name is None:
            self._fault("name-missing", "a name is missing", field="name", rows=rows)
        elif not isinstance(name, str) or not name.strip() or not name.isprintable():
            self._fault("name-invalid", "a name is a text that can be read", field="name", rows=rows, text=shown(name))
        else:
            rows = _Rows(seat, name, name)
        self._unknown_fields(player, _PLAYER_FIELDS, rows)
        for row in ROWS:
            rows.cards[row] = self._row(player.get(row), rows, row)
        if "rows" in player:
            self._rows_beyond(player["rows"], rows)
        return rows

    def _rows_beyond(self, value: object, rows: _Rows) -> None:
        texts = value.values if isinstance(value, Several) else ()  # else it is no field, and told as such
        cards, unknown = scan_cards(" ".join(map(str, texts)))
        self._cards_unknown(unknown, rows, None)
        rows.cards[None] = cards

    def _row(self, value: object, rows: _Rows, row: Row) -> tuple[Card, ...]:
        if value is None:
            if not self.is_unfinished:
                self._fault("row-missing", "the row is missing", rows=rows, row=row)
            return ()
        if not isinstance(value, str):
            if isinstance(value, Several):
                return [self._row(one, rows, row) for one in value.values][-1]
            message = "a row is a text such as “Ah Kd 2c”"
            self._fault("row-invalid", message, rows=rows, row=row, text=shown(value))
            return ()
        cards, unknown = scan_cards(value)
        if unknown:
            self._cards_unknown(unknown, rows, row)
        # A piece that runs several cards together says nothing sure about their number.
        count = len(cards) + len(unknown)
        is_wrong = count > row.size if self.is_unfinished else count != row.size
        if is_wrong and not any(len(fault.text or "") > 4 for fault in unknown):
            message = f"the {row} takes {row.size} cards, here are {count}"
            self._fault("row-count", message, rows=rows, row=row, text=shown(value))
        return cards

    def _cards_unknown(self, faults: list[Fault], rows: _Rows, row: Row | None) -> None:
        for fault in faults:
            message = fault.message if len(fault.message) <= _LONGEST_SHOWN else "this is not a card"
            self._fault(fault.code, message, rows=rows, row=row, text=shown(fault.text))

    def _keys_twice(self, boards: list[_Rows]) -> None:
        """Say whose the keys are that were found twice before anybody's name was known."""
        if all(fault.code != "json-key-twice" for fault in self.faults):
            return
        by_seat = {rows.seat: rows for rows in boards}
        for number, fault in enumerate(self.faults):
            found = _OF_PLAYER.match(fault.field or "") if fault.code == "json-key-twice" else None
            if found is None:
                continue
            seat, row = int(found["seat"]), Row(found["row"]) if found["row"] else None
            label = by_seat[seat].label if seat in by_seat else numbered(seat)
            place = ", ".join(filter(None, [label, row]))
            self.faults[number] = replace(fault, message=f"{place}: {fault.message}", player=label, row=row)

    def _names(self, boards: list[_Rows]) -> None:
        seen: set[str] = set()
        for rows in boards:
            if rows.name is None:
                continue
            if rows.name.strip() in seen:
                self._fault("name-twice", "another player has this name too", field="name", rows=rows, text=rows.name)
            seen.add(rows.name.strip())

    def _card_twice(self, boards: list[_Rows]) -> None:
        dealt = [((rows, row), cards) for rows in boards for row, cards in rows.cards.items()]
        if len({card for _, cards in dealt for card in cards}) == sum(len(cards) for _, cards in dealt):
            return
        for card, ((before, place), (rows, row), *others) in repeated_cards(dealt).items():
            also = list(dict.fromkeys(f", and in {_place(*other)}" for other in others))
            more = f", and in {len(also) - _MOST_PLACES} more places" if len(also) > _MOST_PLACES else ""
            again = "".join(also[:_MOST_PLACES]) + more
            message = f"{card} is there already, in {_place(before, place)}{again}"
            self._fault("card-twice", message, rows=rows, row=row, text=str(card))

    def _fantasyland(self, value: object, rows: _Rows, possible: tuple[RuleSet, ...]) -> int:
        if value is None:
            return 0
        if not _is_whole(value):
            if isinstance(value, Several):
                return [self._fantasyland(one, rows, possible) for one in value.values][-1]
            message = "fantasyland is the number of cards held in Fantasyland, 0 for a regular hand"
            self._fault("fantasyland-invalid", message, field="fantasyland", rows=rows, text=shown(value))
            return 0
        told = [fantasyland_faults(value, rules) for rules in possible]
        for fault in _wrong_by_all(told, f"no rule set deals {value} cards in Fantasyland"):
            message = f"{rows.label}: {fault.message}"
            field = f"players[{rows.seat}].{fault.field}"
            self.faults.append(replace(fault, message=message, player=rows.label, field=field))
        return value

    def _button(self, value: object, players: int) -> Seat:
        if value is None:
            return Seat(players - 1)
        if not _is_whole(value):
            message = "button is the place of a player in the list, from 0"
            self._fault("button-invalid", message, field="button", text=shown(value))
            return Seat(0)
        if players and not 0 <= value < players:
            message = f"button is the place of a player in the list, 0 to {players - 1}, not {value}"
            self._fault("button-unknown", message, field="button", text=shown(value))
        return Seat(value)

    def _money(self, price: object, players: list[Mapping[str, object]], boards: list[_Rows]) -> Money | None:
        stacks = [player.get("stack") for player in players]
        if price is None and all(stack is None for stack in stacks):
            return None
        self._price(price)
        for stack, rows in zip(stacks, boards, strict=True):
            self._stack(stack, rows)
        return Money(
            Chips(price if _is_whole(price) else 0),
            tuple(Chips(stack) for stack in stacks if _is_whole(stack)),
        )

    def _price(self, value: object) -> None:
        if isinstance(value, Several):
            for one in value.values:
                self._price(one)
        elif value is None:
            if not self.is_unfinished:
                self._fault("price-missing", "where there are stacks there is a price too", field="price")
        elif not _is_chips(value, least=1):
            message = f"price is a whole number of chips a point, 1 to {MAX_CHIPS}, not {shown(value)}"
            self._fault("price-invalid", message, field="price", text=shown(value))

    def _stack(self, value: object, rows: _Rows) -> None:
        if isinstance(value, Several):
            for one in value.values:
                self._stack(one, rows)
        elif value is None:
            if not self.is_unfinished:
                self._fault("stack-missing", "where there is money every player has a stack", field="stack", rows=rows)
        elif not _is_chips(value, least=0):
            message = f"stack is a whole number of chips, 0 to {MAX_CHIPS}, not {shown(value)}"
            self._fault("stack-invalid", message, field="stack", rows=rows, text=shown(value))
