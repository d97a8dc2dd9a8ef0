"""What `ofc play` shows: boards with coloured suits, the player's cards, what an arrangement would be worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from ofc.board import ROWS, Board
from ofc.calculator import FinishedHand, Money, score_hand
from ofc.cards import Card, Suit
from ofc.cli.output import signed
from ofc.cli.score_text import print_hand
from ofc.outlook import Outlook, RowStatus
from ofc.scoring import Chips, Seat
from ofc.table import Table
from ofc.view import SeatView, View

_SIGNS: Final = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_STYLES: Final = {Suit.CLUBS: "green", Suit.DIAMONDS: "blue", Suit.HEARTS: "red", Suit.SPADES: "bold"}
_EMPTY: Final = "·"
HELP: Final = """\
  Qd top, Ac mid     put cards into rows; also: t Qd m Ac, or by number: 1t 2m
                     top, mid, bot or t, m, b; a card already placed on this turn moves
  undo, clear        take back the last card, or all of this turn
  Enter, ok          confirm, once enough cards are placed; what is left over is discarded
  sort rank, suit    put your cards in order
  show               show the table again
  quit               leave the match"""


def cards_text(cards: Sequence[Card], *, places: int = 0) -> Text:
    """Return cards with their suits' signs and colours, filled up with dots to so many places."""
    pieces = [Text(f"{card.rank.letter}{_SIGNS[card.suit]}", style=_STYLES[card.suit]) for card in cards]
    pieces += [Text(f"{_EMPTY} ", style="dim")] * (places - len(cards))
    return Text(" ").join(pieces)


def print_table(console: Console, view: View) -> None:
    """Show where the hand stands, and every board in sight but the viewer's own."""
    console.print()
    street = f"street {view.street} of {view.streets}" if view.street else "Fantasyland"
    price = f", {view.price:,} a point" if view.price is not None else ""
    head = f"Hand {view.hand} of {view.hands}, {street}{price}"
    standing = ", ".join(f"{seat.name} {_standing(seat, view.unit)}" for seat in view.seats)
    console.print(Text(head, style="bold"), Text(f"  {standing}", style="dim"))
    for seat in view.seats:
        if seat.seat != view.you:
            _print_opponent(console, view, seat)


def _standing(seat: SeatView, unit: str) -> str:
    return signed(seat.standing) if unit == "points" else f"{seat.standing:,}"


def _print_opponent(console: Console, view: View, seat: SeatView) -> None:
    marks = [
        *(["button"] if seat.seat == view.button else []),
        *([f"{seat.fantasyland} cards in Fantasyland"] if seat.fantasyland else []),
        *(["out"] if seat.state == "out" else []),
    ]
    console.print(f"{seat.name} ({', '.join(marks)})" if marks else seat.name)
    if seat.board is None or seat.rows is None:
        console.print("  set, face down" if seat.placed else "  setting", style="dim")
        return
    for row in ROWS:
        line = Text(f"  {row:<7}") + cards_text(seat.board.row(row), places=row.size)
        words = seat.rows[row].hand
        console.print(line + Text(f"   {words}", style="dim") if words else line)


def print_own(console: Console, view: View, board: Board, outlook: Outlook, cards: Sequence[Card]) -> None:
    """Show the player's board as arranged so far, what it is worth, and the cards by number."""
    own = next(seat for seat in view.seats if seat.seat == view.you)
    marks = [
        *(["button"] if own.seat == view.button else []),
        *([f"{own.fantasyland} cards in Fantasyland"] if own.fantasyland else []),
    ]
    console.print(Text(f"{own.name} ({', '.join(marks)})" if marks else own.name, style="bold"))
    for row in ROWS:
        line = Text(f"  {row:<7}") + cards_text(board.row(row), places=row.size)
        now = outlook.rows[row]
        if now.hand:
            line.append(f"   {now.hand}")
        if now.royalty:
            line.append(f", royalty {now.royalty}")
        if now.note is not None:
            line.append(f"   {now.note}", style="bold red" if now.status is RowStatus.FOUL else "yellow")
        console.print(line)
    if outlook.message is not None:
        console.print(f"  {outlook.message}", style="bold red" if outlook.fouled else "bold green")
    line = Text("Your cards:")
    placed = set(board.cards)
    for number, card in enumerate(cards, start=1):
        if card not in placed:
            line.append(f"  {number} ", style="dim").append_text(cards_text([card]))
    console.print(line)
    if outlook.left:
        console.print(f"Place {outlook.left} more." if len(placed & set(cards)) else f"Place {outlook.left}.")
    else:
        over = cards_text(outlook.discards)
        console.print(Text("Enter to confirm") + (Text(", discarding ") + over if outlook.discards else Text("")) + ".")


def print_showdown(console: Console, before: Table, after: Table) -> None:
    """Explain the hand just settled pair by pair, as the calculator does. `before`: the table as it was dealt."""
    hand = after.hand
    assert hand is not None  # noqa: S101 - a hand was settled
    names = []
    for seat in hand.seats:
        player = after.seat(seat).player
        names.append(player.name if player is not None else f"Seat {seat + 1}")
    money = None
    if hand.started.price is not None:
        stacks = tuple(before.seat(seat).stack or Chips(0) for seat in hand.seats)
        money = Money(hand.started.price, stacks)
    finished = FinishedHand(
        rules=hand.rules,
        names=tuple(names),
        boards=tuple(holding.board for holding in hand.holdings),
        fantasyland=hand.started.fantasyland,
        button=Seat(hand.seats.index(hand.button)),
        money=money,
    )
    console.print()
    print_hand(console, score_hand(finished))
