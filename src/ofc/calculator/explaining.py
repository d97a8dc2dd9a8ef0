"""Why a scored hand came out as it did, in words: each row, foul, royalty, payment and Fantasyland with its reason."""

from __future__ import annotations

from collections.abc import Iterator

from ofc.board import ROWS, Board, Row
from ofc.calculator.hands import ScoredHand
from ofc.evaluation import category_of, describe
from ofc.rules import RuleSet
from ofc.scoring import CappedBy, Chips, PairScore, Transfer

_PLACES = {Row.TOP: "on top", Row.MIDDLE: "in the middle", Row.BOTTOM: "at the bottom"}


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


def say_pair(scored: ScoredHand, pair: PairScore) -> Iterator[tuple[str, str, int]]:
    """Say part by part what a pair comes to: the part, why, and its points seen from `a`, the sum last."""
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


def say_payments(scored: ScoredHand) -> tuple[str, ...]:
    """Say each pair's payment in settlement order; nothing where there are no stacks."""
    if scored.hand.money is None or scored.chips is None:
        return ()
    stacks = list(scored.hand.money.stacks)
    told: list[str] = []
    for transfer in scored.chips.transfers:
        before = (stacks[transfer.a], stacks[transfer.b])
        told.append(say_transfer(scored.hand.names, transfer, before=before, price=scored.hand.money.price))
        stacks[transfer.a] = Chips(stacks[transfer.a] + transfer.chips)
        stacks[transfer.b] = Chips(stacks[transfer.b] - transfer.chips)
    return tuple(told)
