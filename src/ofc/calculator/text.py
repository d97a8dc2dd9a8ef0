"""A finished hand as people type it (docs/score.md, "Text for people").

The text is turned into the plain values that `read_hand` checks, so both forms have the same faults.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import Final

from ofc.board import ROWS, Row
from ofc.calculator.hands import FinishedHand
from ofc.calculator.plain import Several, numbered, read_hand, shown
from ofc.cards import has_card, scan_cards
from ofc.errors import Fault
from ofc.rules import RuleSet

_HEADER: Final = re.compile(r"\s*(rules|dealt[ _-]on|date|button|dealer|price)\s*:(.*)", re.IGNORECASE)
_ROW: Final = re.compile(r"\s*(top|middle|bottom)\s*(?::|[-–—]+\s)(.*)", re.IGNORECASE)
# Possessive, and with looks behind: a text of blanks or dashes alone is to be read in no more time than another.
_PLAYER: Final = re.compile(r"\s*+(?P<name>[^:(]*+)(?:\((?P<details>[^)]*+)\))?+\s*+(?::(?P<cards>.*))?")
_DASH: Final = re.compile(r"(?<=\s)[-–—]++|(?<![-–—\s])[-–—]++(?=\s)")
"""A dash that stands apart, on one side at least: those inside a name do not."""
_IN_PARENTHESES: Final = re.compile(r"\([^)]*+\)?")
_CARDS_HELD: Final = re.compile(
    r"(?P<before>\d+)[ -]*cards?(?:[ -]in)?(?:[ -](?:fantasyland|fl))?"
    r"|(?P<first>\d+)[ -]card[ -](?:fantasyland|fl)"
    r"|(?:fantasyland|fl)[ :=]*(?P<after>\d+)(?:[ -]*cards?)?",
    re.IGNORECASE,
)
_STACK: Final = re.compile(r"stack[ :=]*(?P<chips>.+)|(?P<of>\S+)[ -]chips", re.IGNORECASE)
_BUTTON: Final = re.compile(r"(?:on )?(?:the )?(?:button|dealer)", re.IGNORECASE)
_ROWS_APART: Final = re.compile(r"[/|]|(?<=\s)[-–—]+(?=\s)")
_RULED_LINE: Final = re.compile(r"[\s=_*~–—-]*")
"""A line that only sets players apart: blank, or ruled."""
_DETAILS_APART: Final = re.compile(r"[,;](?!\d{3}(?!\d))")
_NUMBER: Final = re.compile(r"\d{1,3}(?:[,'_]\d{3})+|\d+", re.ASCII)
_ALL_AT_ONCE: Final = 13


@dataclass(slots=True)
class _Player:
    label: str
    """The name, or what a player without one is called."""
    is_button: bool = False
    rows: list[str] = field(default_factory=list)
    named_rows: dict[Row, list[str]] = field(default_factory=dict)
    """What was said to be each row; more than one text is one too many."""
    details: dict[str, list[object]] = field(default_factory=dict)

    @property
    def has_cards(self) -> bool:
        return bool(self.rows or self.named_rows)

    @property
    def is_full(self) -> bool:
        return len(self.rows) + len(self.named_rows) >= len(ROWS)


def read_text(text: str, *, rules: RuleSet | str = "ultimate") -> FinishedHand:
    """Read one hand as people type it; `rules` as in `read_hand`. `ScoringError` holds every fault.

    >>> hand = read_text(\"\"\"
    ... rules: pineapple
    ... price: 100
    ... Anna (15 cards in Fantasyland, stack 2,000): 9c 8d 2s / ac ad 7s 6s 3d / ah jh 8h 6h 3h
    ...
    ... Bo (stack 1500):
    ... Q♣ Q♦ 4♠
    ... Ks, Kd, 9s, 5d, 2c
    ... 10c 9d 8c 7d 6c
    ... \"\"\")
    >>> hand.names, hand.fantasyland, hand.money.stacks
    (('Anna', 'Bo'), (15, 0), (2000, 1500))
    """
    plain, faults = plain_text(text)
    return read_hand(plain, rules=rules, faults=faults)


def plain_text(text: str) -> tuple[dict[str, object], list[Fault]]:
    """Return a hand as people type it in the plain values that `read_hand` checks, and what was not understood.

    Whatever is missing is left out, so that an unfinished hand can be told too.

    >>> plain_text("Bo: Qc Qd / Ks Kd")
    ({'players': [{'name': 'Bo', 'top': 'Qc Qd', 'middle': 'Ks Kd'}]}, [])
    """
    reader = _TextReader()
    for line in text.splitlines():
        reader.read_line(line)
    return reader.plain(), reader.faults


class _TextReader:
    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.headers: dict[str, list[str]] = {}
        self.players: list[_Player] = []
        self.is_open = False
        """Whether the last player may get more rows."""

    def read_line(self, line: str) -> None:
        if _RULED_LINE.fullmatch(line):
            # A blank line ends a player, but not between a name and the cards.
            self.is_open = self.is_open and not self.players[-1].has_cards
        elif (header := _HEADER.fullmatch(line)) and not _is_row(header[2]):
            self._read_header(header[1].lower(), header[2].strip())
        elif row := _ROW.fullmatch(line):
            self._read_named_row(Row(row[1].lower()), row[2].strip())
        elif player := _player_in(line):
            self._read_player(player["name"].strip(), player["details"] or "")
            self._read_rows(player["cards"] or "")
        else:
            self._read_rows(line)

    def _read_header(self, key: str, value: str) -> None:
        key = {"date": "dealt_on", "dealer": "button"}.get(key, re.sub("[ -]", "_", key))
        if key in self.headers:
            self._fault("header-twice", f"“{key}:” is there twice", value)
        self.headers.setdefault(key, []).append(value)

    def _read_player(self, name: str, details: str) -> None:
        player = _Player(name or numbered(len(self.players)))
        self.players.append(player)
        self.is_open = True
        for detail in filter(None, map(str.strip, _DETAILS_APART.split(details))):
            if held := _CARDS_HELD.fullmatch(detail):
                self._note(player, "fantasyland", held["before"] or held["first"] or held["after"], detail)
            elif stack := _STACK.fullmatch(detail):
                self._note(player, "stack", stack["chips"] or stack["of"], detail)
            elif _BUTTON.fullmatch(detail):
                player.is_button = True
            else:
                text = shown(detail)
                message = (
                    f"{player.label}: “{text}” says neither how many cards in Fantasyland (“15 cards”), nor a stack"
                    " (“stack 2,000”), nor the button"
                )
                self.faults.append(Fault("detail-unknown", message, player=player.label, text=text))

    def _note(self, player: _Player, field: str, digits: str, detail: str) -> None:
        if field in player.details:
            message = f"{player.label}: “{shown(detail)}” comes after another {field}"
            self.faults.append(Fault("detail-twice", message, player=player.label, text=shown(detail)))
        player.details.setdefault(field, []).append(_number(digits))

    def _read_named_row(self, row: Row, cards: str) -> None:
        player = self._current()
        if row in player.named_rows:
            message = f"{player.label}, {row}: the row is there twice"
            self.faults.append(Fault("row-twice", message, player=player.label, row=row, text=shown(cards)))
        player.named_rows.setdefault(row, []).append(cards)

    def _read_rows(self, line: str) -> None:
        pieces = [piece.strip() for piece in _ROWS_APART.split(line.strip().strip("/|"))]
        if pieces != [""]:
            self._current().rows.extend(pieces)

    def _current(self) -> _Player:
        if not self.is_open or self.players[-1].is_full:
            self.players.append(_Player(numbered(len(self.players))))
            self.is_open = True
        return self.players[-1]

    def plain(self) -> dict[str, object]:
        """Return what was read in the values that `read_hand` takes."""
        players = [self._plain_player(player) for player in self.players]
        plain: dict[str, object] = {"players": players}
        if rules := self.headers.get("rules"):
            plain["rules"] = Several.of(map(str.lower, rules))
        if dates := self.headers.get("dealt_on"):
            plain["dealt_on"] = Several.of(dates)
        if prices := self.headers.get("price"):
            plain["price"] = Several.of(map(_number, prices))
        button = self._button([str(player["name"]) for player in players])
        if button is not None:
            plain["button"] = button
        return plain

    def _plain_player(self, player: _Player) -> dict[str, object]:
        rows, name = player.rows, player.label
        plain: dict[str, object] = {"name": name}
        found, unknown = scan_cards(rows[0]) if len(rows) == 1 and not player.named_rows else ((), [])
        if len(found) == _ALL_AT_ONCE:
            cards = [str(card) for card in found]
            rows = [" ".join(cards[:3]), " ".join(cards[3:8]), " ".join(cards[8:])]
            for fault in unknown:
                piece = shown(fault.text)
                self.faults.append(replace(fault, message=f"{name}: “{piece}” is not a card", player=name, text=piece))
        free = [row for row in ROWS if row not in player.named_rows]
        if len(rows) > len(free):
            message = f"{name}: a board has three rows, here are {len(player.named_rows) + len(rows)}"
            self.faults.append(Fault("rows-count", message, player=name, text=shown(" / ".join(player.rows))))
            plain["rows"] = Several(tuple(rows[len(free) :]))
        plain.update({key: Several.of(values) for key, values in player.details.items()})
        plain.update({str(row): Several.of(texts) for row, texts in player.named_rows.items()})
        plain.update({str(row): cards for row, cards in zip(free, rows, strict=False)})
        return plain

    def _button(self, names: list[str]) -> object:
        named = [seat for seat, player in enumerate(self.players) if player.is_button]
        found: list[int] = []
        for text in dict.fromkeys(self.headers.get("button", [])):
            found = [seat for seat, name in enumerate(names) if name.casefold() == text.casefold()]
            if not found:
                self._fault("button-unknown", f"no player is called “{shown(text)}”", text)
        named += found[:1]
        if len(set(named)) > 1:
            self._fault("button-twice", "there is one button", ", ".join(names[seat] for seat in named))
        return named[0] if named else None

    def _fault(self, code: str, message: str, text: str) -> None:
        self.faults.append(Fault(code, message, text=shown(text)))


def _player_in(line: str) -> re.Match[str] | None:
    """Return name, details and cards of a line that begins a player: what comes before a colon, parentheses or a dash.

    A dash ends a name only where no card is before it, and a card or nothing at all comes after it.
    """
    outside = _IN_PARENTHESES.sub(lambda found: "x" * len(found[0]), line)
    dashes = [*_DASH.finditer(outside)] if ":" not in outside else []
    # From left to right more and more cards are before a dash, and fewer and fewer after it.
    no_card_before = bisect_right(dashes, 0, key=lambda dash: int(_has_card(line[: dash.start()])))
    card_after = bisect_right(dashes, 0, key=lambda dash: int(not _has_card(line[dash.end() :])))
    fitting = dashes[: min(no_card_before, card_after)]
    if dashes and no_card_before == len(dashes) and not line[dashes[-1].end() :].strip():
        fitting = dashes
    if fitting and (name := line[: fitting[-1].start()]).strip():
        return _PLAYER.fullmatch(f"{name}:{line[fitting[-1].end() :]}")
    return _PLAYER.fullmatch(line) if ":" in line or "(" in line else None


def _is_row(text: str) -> bool:
    """Whether cards enough for a row are told before anything else: somebody may be called as a header is."""
    pieces = [piece for piece in re.split(r"[\s,;/|]+", text.strip(), maxsplit=3) if piece]
    return len(pieces) >= 3 and all(has_card(piece) for piece in pieces[:3])


def _has_card(text: str) -> bool:
    return has_card(re.sub(r"[/|]", " ", _DASH.sub(" ", text)))


def _number(text: str) -> object:
    """Return a whole number written with or without marks between thousands; the text itself if it is none."""
    if _NUMBER.fullmatch(text) and len(text) <= 20:
        return int(re.sub("[,'_]", "", text))
    return text
