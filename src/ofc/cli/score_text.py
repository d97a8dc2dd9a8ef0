"""A scored hand explained to people: every row, royalty, point and chip with its reason."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ofc.board import ROWS, Row
from ofc.calculator import Money, ScoredHand
from ofc.calculator.explaining import say_foul, say_next, say_pair, say_payments
from ofc.calculator.hands import words
from ofc.cards import Card, Suit
from ofc.cli.output import signed
from ofc.scoring import Seat

_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_STYLES = {Suit.CLUBS: "green", Suit.DIAMONDS: "blue", Suit.HEARTS: "red", Suit.SPADES: ""}


def print_hand(console: Console, scored: ScoredHand, *, number: int | None = None) -> None:
    """Print a scored hand as three tables: the boards, the pairs in settlement order, the totals.

    `number` is the hand's place in a batch, from 1.
    """
    hand = scored.hand
    if number is not None:
        console.print(f"Hand {number}", style="bold")
    head = f"{hand.rules.title} ({hand.rules.name}), button: {hand.names[hand.button]}"
    if hand.money is not None:
        head += f", {hand.money.price:,} a point"
    console.print(head)
    console.print(_boards(scored))
    console.print(_pairs(scored))
    console.print(_totals(scored))


def _boards(scored: ScoredHand) -> Table:
    hand = scored.hand
    table = _table("player", "row", "cards", "hand", "royalty")
    for name, board, score in zip(hand.names, hand.boards, scored.settlement.players, strict=True):
        table.add_section()
        for row in ROWS:
            royalty = score.royalties.row(row)
            table.add_row(
                name if row is Row.TOP else "",
                row,
                _cards(board.row(row)),
                words(board.strength(row)),
                signed(royalty) if royalty else "",
            )
        if score.fouled:
            table.add_row("", "fouled", "", say_foul(board, strict=hand.rules.strict_order), "")
    return table


def _pairs(scored: ScoredHand) -> Table:
    table = _table("pair", "", "why", "points")
    payments = say_payments(scored)
    for place, pair in enumerate(scored.settlement.pairs):
        table.add_section()
        a, b = scored.hand.names[pair.a], scored.hand.names[pair.b]
        heading = f"{a} against {b}"
        for part, why, points in say_pair(scored, pair):
            table.add_row(heading, part, why, signed(points))
            heading = ""
        if payments:
            table.add_row("", "chips", payments[place], "")
    return table


def _totals(scored: ScoredHand) -> Table:
    hand = scored.hand
    columns = ["player", "points", *(["chips", "stack"] if hand.money else []), "next hand"]
    table = _table(*columns)
    for seat, (name, board, score) in enumerate(zip(hand.names, hand.boards, scored.settlement.players, strict=True)):
        following = say_next(board, hand.rules, held=hand.fantasyland[seat], following=score.fantasyland_next)
        table.add_row(name, signed(score.points), *_money(scored, hand.money, Seat(seat)), following)
    return table


def _money(scored: ScoredHand, money: Money | None, seat: Seat) -> list[str]:
    if money is None or scored.chips is None:
        return []
    stack = scored.chips.stacks[seat]
    return [signed(stack - money.stacks[seat]), f"{stack:,}"]


def _cards(cards: tuple[Card, ...]) -> Text:
    text = Text()
    for card in cards:
        text.append(f"{' ' if text else ''}{card.rank.letter}{_SIGNS[card.suit]}", style=_STYLES[card.suit])
    return text


def _table(*columns: str) -> Table:
    table = Table()
    for column in columns:
        is_number = column in ("points", "royalty", "chips", "stack")
        table.add_column(column, justify="right" if is_number else "left", overflow="fold")
    return table
