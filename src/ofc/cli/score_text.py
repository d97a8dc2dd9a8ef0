"""A scored hand explained to people: every row, royalty, point and chip with its reason."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ofc.board import ROWS, Board, Row
from ofc.calculator import Money, ScoredHand
from ofc.calculator.hands import words
from ofc.cards import Card, Suit
from ofc.cli.output import signed
from ofc.evaluation import category_of, describe
from ofc.rules import RuleSet
from ofc.scoring import CappedBy, Chips, PairScore, Seat, Transfer

_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_STYLES = {Suit.CLUBS: "green", Suit.DIAMONDS: "blue", Suit.HEARTS: "red", Suit.SPADES: ""}
_PLACES = {Row.TOP: "on top", Row.MIDDLE: "in the middle", Row.BOTTOM: "at the bottom"}


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


def say_foul(board: Board, *, strict: bool) -> str:
    """Say why a complete board is fouled (R-FOUL-1); empty text if it is not.

    >>> say_foul(Board.parse("Kh Kd 9c / Qs Qc Ad Jh 9s / 2c 2d 2h 3c 4c"), strict=False)
    'the top (pair of kings) is stronger than the middle (pair of queens)'
    """
    reasons = []
    for upper, lower in ((Row.TOP, Row.MIDDLE), (Row.MIDDLE, Row.BOTTOM)):
        above, below = board.strength(upper), board.strength(lower)
        if above > below:
            on_kickers = ", by its kickers" if describe(above) == describe(below) else ""
            reasons.append(
                f"the {upper} ({describe(above)}) is stronger than the {lower} ({describe(below)}){on_kickers}"
            )
        elif strict and above == below:
            reasons.append(f"the {upper} and the {lower} are equally strong ({describe(above)}), a foul in these rules")
    return "; ".join(reasons)


def say_next(board: Board, rules: RuleSet, *, held: int, following: int) -> str:
    """Say who enters, stays in or leaves Fantasyland, and why; empty text for none of these.

    `held` is the number of cards held in Fantasyland in this hand, `following` in the next; 0: a regular hand.
    """
    if not following:
        return "leaves Fantasyland" if held else ""
    if not held:
        return f"enters Fantasyland with {following} cards: {describe(board.strength(Row.TOP))} on top"
    needed = {Row.TOP: rules.stay_top, Row.MIDDLE: rules.stay_middle, Row.BOTTOM: rules.stay_bottom}
    reasons = [
        f"{describe(board.strength(row))} {_PLACES[row]}"
        for row, least in needed.items()
        if least is not None and category_of(board.strength(row)) >= least
    ]
    return f"stays in Fantasyland with {following} cards: {' and '.join(reasons)}"


def say_transfer(names: tuple[str, ...], transfer: Transfer, *, before: tuple[int, int], price: int) -> str:
    """Say who pays whom in chips, and what cut it (R-CHIP-2). `before`: the stacks of `a` and `b` just before."""
    if not transfer.points:
        return "nothing to pay"
    winner, loser = names[transfer.a], names[transfer.b]
    winner_had, loser_had = before
    if transfer.points < 0:
        winner, loser, winner_had, loser_had = loser, winner, loser_had, winner_had
    points = abs(transfer.points)
    due, paid = points * price, abs(transfer.chips)
    reckoning = f"{points:,} × {price:,} = {due:,}"
    if transfer.capped_by is None:
        return f"{loser} pays {winner} {reckoning}"
    if transfer.capped_by is CappedBy.LOSER:
        return f"{loser} owes {winner} {reckoning}, has {loser_had:,} and pays {paid:,}"
    return (
        f"{loser} owes {winner} {reckoning}; {winner} can win no more than the {winner_had:,} {winner} has, "
        f"so {loser} pays {paid:,}"
    )


def say_row(names: tuple[str, str], boards: tuple[Board, Board], row: Row, won: int) -> str:
    """Say who won a row of two hands that are not fouled, and with what; `won` is 1, 0 or -1 for the first."""
    first, second = (describe(board.strength(row)) for board in boards)
    if won == 0:
        return f"a tie: {first} against {second}"
    winner, loser = names if won > 0 else names[::-1]
    stronger, weaker = (first, second) if won > 0 else (second, first)
    on_kickers = ", on kickers" if stronger == weaker else ""
    return f"{winner}’s {stronger} beats {loser}’s {weaker}{on_kickers}"


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
    stacks = list(scored.hand.money.stacks) if scored.hand.money else []
    for place, pair in enumerate(scored.settlement.pairs):
        table.add_section()
        a, b = scored.hand.names[pair.a], scored.hand.names[pair.b]
        heading = f"{a} against {b}"
        for part, why, points in _reasons(scored, pair):
            table.add_row(heading, part, why, signed(points))
            heading = ""
        if scored.hand.money is not None and scored.chips is not None:
            transfer = scored.chips.transfers[place]
            before = (stacks[pair.a], stacks[pair.b])
            table.add_row(
                "",
                "chips",
                say_transfer(scored.hand.names, transfer, before=before, price=scored.hand.money.price),
                "",
            )
            stacks[pair.a] = Chips(stacks[pair.a] + transfer.chips)
            stacks[pair.b] = Chips(stacks[pair.b] - transfer.chips)
    return table


def _reasons(scored: ScoredHand, pair: PairScore) -> Iterator[tuple[str, str, int]]:
    hand, players = scored.hand, scored.settlement.players
    names = hand.names[pair.a], hand.names[pair.b]
    boards = hand.boards[pair.a], hand.boards[pair.b]
    fouled = [name for name, seat in zip(names, (pair.a, pair.b), strict=True) if players[seat].fouled]
    if len(fouled) == 2:
        yield "all", "both are fouled: nothing is counted", 0
        return
    for row in ROWS:
        won = pair.rows.row(row)
        yield row, f"{fouled[0]} is fouled" if fouled else say_row(names, boards, row, won), won
    if pair.scoop:
        yield "scoop", f"{names[pair.scoop < 0]} wins all three rows", pair.scoop
    earned = [players[seat].royalties.total for seat in (pair.a, pair.b)]
    if any(earned):
        yield "royalties", f"{names[0]} {earned[0]}, {names[1]} {earned[1]}", pair.royalties
    won = pair.points
    why = f"{names[won < 0]} wins {abs(won)} from {names[won > 0]}" if won else "even"
    yield "in all", why, won


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
