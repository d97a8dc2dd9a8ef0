"""What an unconfirmed arrangement is worth, in words and numbers: the page asks, so that it needs no rules.

Built only from what the seat may see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ofc.board import ROWS, Board, Placement, Row
from ofc.cards import Card, Rank
from ofc.errors import Fault
from ofc.evaluation import Category, category_of, describe_cards, evaluate, leading_rank
from ofc.hand import Hand, Told, left_over, placement_faults
from ofc.prospects import is_foul_certain, out_of_order_rows, saving_words
from ofc.rules import RuleSet
from ofc.scoring import Points, Seat, fantasyland_entry, fantasyland_next, row_royalty

AT_RISK_FREE = 2
"""A row below the one above it is called at risk once it has this many free places or fewer."""


class RowStatus(StrEnum):
    """How a row stands to the row above it."""

    FINE = "fine"
    AT_RISK = "at-risk"
    """Below the row above it as the cards lie now; can still be saved."""
    FOUL = "foul"
    """Certain to foul, whatever comes."""


@dataclass(frozen=True, slots=True)
class RowNow:
    """What a row holds now, in words, and its royalty as far as it is made."""

    hand: str
    royalty: Points


@dataclass(frozen=True, slots=True)
class RowOutlook:
    """A row with the arrangement in it. `note` says what would save it, or why it fouls."""

    hand: str
    royalty: Points
    status: RowStatus
    note: str | None


@dataclass(frozen=True, slots=True)
class RowPreview:
    """A row as the chosen cards would make it. `fits` is False where there are too few free places."""

    hand: str
    royalty: Points
    fits: bool
    fouls: bool
    message: str | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """The worth of an arrangement: see docs/protocol.md for each field."""

    rows: Mapping[Row, RowOutlook]
    chosen: Mapping[Row, RowPreview] | None
    left: int
    complete: bool
    discards: tuple[Card, ...]
    fouled: bool
    fantasyland: int
    message: str | None
    errors: tuple[Fault, ...]


def row_now(row: Row, cards: Sequence[Card], rules: RuleSet) -> RowNow:
    """Say what a row holds now. The royalty counts what the cards make already, whatever follows.

    >>> from ofc.cards import parse_cards
    >>> from ofc.rulesets import get_rules
    >>> row_now(Row.TOP, parse_cards("Qs Qd"), get_rules("ultimate"))
    RowNow(hand='Pair of queens', royalty=7)
    """
    words = describe_cards(cards, row.size)
    return RowNow(words[:1].upper() + words[1:], _royalty_now(row, cards, rules))


def outlook_for(hand: Hand, seat: Seat, placements: Sequence[Placement] = (), chosen: Sequence[Card] = ()) -> Outlook:
    """Return what `placements`, not yet confirmed, would make of the seat's board.

    `chosen` are further cards in the player's fingers: each row is shown as it would be with them. An arrangement
    with faults is left out, its faults told in `errors`.
    """
    holding = hand.holding(seat)
    errors = placement_faults(hand, seat, placements, partial=True) if placements else []
    arranged = () if errors else tuple(placements)
    errors += chosen_faults(hand, seat, placements, chosen)
    board = holding.board.with_placed(arranged)
    dealt = left_over(holding.dealt, arranged)
    left = hand.to_place(seat) - len(arranged)
    # What can still come onto the board: the rest of these cards while some must be placed, what is over then being
    # discarded; and cards not seen yet, while streets follow.
    reachable = set(dealt) if left else set()
    if not hand.fantasyland(seat) and holding.street < len(hand.rules.streets):
        reachable |= hand.unseen_by(seat)
    rows = _row_outlooks(board, reachable, hand.rules)
    fouled = any(row.status is RowStatus.FOUL for row in rows.values())
    cards_next = 0 if fouled else _fantasyland_now(board, hand, seat)
    return Outlook(
        rows=rows,
        chosen=_previews(board, tuple(chosen), reachable, hand, seat) if chosen else None,
        left=left,
        complete=left == 0 and bool(holding.dealt),
        discards=dealt if left == 0 else (),
        fouled=fouled,
        fantasyland=cards_next,
        message=_message(board, rows, cards_next, held=hand.fantasyland(seat)),
        errors=tuple(errors),
    )


def chosen_faults(hand: Hand, seat: Seat, placements: Sequence[Told], chosen: Sequence[Card | None]) -> list[Fault]:
    """Return what keeps these cards from being in the fingers beside an arrangement; a None could not be read."""
    faults: list[Fault] = []
    placed = {card for card, _ in placements}
    for number, card in enumerate(chosen):
        field = f"chosen[{number}]"
        if card is not None and card not in hand.holding(seat).dealt:
            faults.append(Fault("card-not-yours", f"{card} is not among your cards", field=field, text=str(card)))
        if card is not None and (card in placed or card in chosen[:number]):
            faults.append(Fault("card-twice", f"{card} is placed or chosen already", field=field, text=str(card)))
    return faults


def _royalty_now(row: Row, cards: Sequence[Card], rules: RuleSet) -> Points:
    if len(cards) == row.size:
        return row_royalty(row, evaluate(cards), rules)
    ranks = [card.rank for card in cards]
    paired = max((rank for rank in ranks if ranks.count(rank) >= 2), default=None)
    if paired is None:
        return Points(0)
    if row is Row.TOP:
        return Points(rules.top_pair_royalties[paired - 2])
    royalties = rules.middle_royalties if row is Row.MIDDLE else rules.bottom_royalties
    most = max(ranks.count(rank) for rank in ranks)
    made = {4: Category.QUADS, 3: Category.TRIPS}.get(most, Category.PAIR)
    if made is Category.PAIR and len(set(ranks)) == len(ranks) - 2:
        made = Category.TWO_PAIR
    return Points(royalties[made])


def _row_outlooks(board: Board, unseen: set[Card], rules: RuleSet) -> dict[Row, RowOutlook]:
    strict = rules.strict_order
    below = out_of_order_rows(board)
    certain = is_foul_certain(board, unseen, strict=strict)
    blamed: list[Row] = []
    if certain:
        pairs = ((Row.TOP, Row.MIDDLE), (Row.MIDDLE, Row.BOTTOM))
        blamed = [pair[1] for pair in pairs if is_foul_certain(board, unseen, strict=strict, rows=pair)] or [Row.BOTTOM]
    found: dict[Row, RowOutlook] = {}
    upper: Row | None = None
    for row in ROWS:
        now = row_now(row, board.row(row), rules)
        status, note = RowStatus.FINE, None
        if row in blamed and upper is not None:
            status = RowStatus.FOUL
            full = not board.free(row) and not board.free(upper)
            equal = full and board.strength(row) == board.strength(upper)
            note = (
                f"Foul: {'equal to' if equal else 'below'} the {upper}" if full else f"Foul: cannot reach the {upper}"
            )
        elif row in below and upper is not None and board.free(row) <= AT_RISK_FREE and not certain:
            status = RowStatus.AT_RISK
            note = saving_words(board.row(upper), upper.size, board.row(row), unseen)
        found[row] = RowOutlook(now.hand, now.royalty, status, note)
        upper = row
    return found


def _previews(board: Board, chosen: Sequence[Card], unseen: set[Card], hand: Hand, seat: Seat) -> dict[Row, RowPreview]:
    previews: dict[Row, RowPreview] = {}
    for row in ROWS:
        if (
            not set(chosen) <= set(hand.holding(seat).dealt)
            or set(chosen) & set(board.cards)
            or len(set(chosen)) != len(chosen)
            or len(chosen) > board.free(row)
        ):
            previews[row] = RowPreview("", Points(0), fits=False, fouls=False, message=None)
            continue
        after = board.with_placed(Placement(card, row) for card in chosen)
        words = describe_cards(after.row(row), row.size)
        fouls = is_foul_certain(after, unseen - set(chosen), strict=hand.rules.strict_order)
        message = f"{words} here would foul" if fouls else None
        previews[row] = RowPreview(
            words, _royalty_now(row, after.row(row), hand.rules), fits=True, fouls=fouls, message=message
        )
    return previews


def _fantasyland_now(board: Board, hand: Hand, seat: Seat) -> int:
    """Return the cards in Fantasyland next hand as the rows lie now, 0 for none."""
    held = hand.fantasyland(seat)
    if board.is_complete:
        return fantasyland_next(board.strengths(), hand.rules, held=held)
    if held:
        return 0
    if not board.free(Row.TOP):
        return fantasyland_entry(board.strength(Row.TOP), hand.rules)
    ranks = [card.rank for card in board.top]
    return max((hand.rules.fantasyland_pairs[rank - 2] for rank in ranks if ranks.count(rank) == 2), default=0)


def _message(board: Board, rows: Mapping[Row, RowOutlook], cards_next: int, *, held: int) -> str | None:
    for upper, row in ((Row.TOP, Row.MIDDLE), (Row.MIDDLE, Row.BOTTOM)):
        if rows[row].status is RowStatus.FOUL:
            if board.free(row) or board.free(upper):
                return f"This hand fouls: the {row} can no longer reach the {upper} ({rows[upper].hand.lower()})."
            verb = "equals" if board.strength(row) == board.strength(upper) else "beats"
            above, below = rows[upper].hand.lower(), rows[row].hand.lower()
            return f"This hand fouls: the {upper} ({above}) {verb} the {row} ({below})."
    if not cards_next:
        return None
    if held:
        return f"No foul: you stay in Fantasyland with {cards_next} cards"
    certain = "" if board.is_complete else " and no foul"
    return f"{_top_words(board)} on top{certain}: Fantasyland with {cards_next} cards"


def _top_words(board: Board) -> str:
    ranks = [card.rank for card in board.top]
    paired = max(rank for rank in ranks if ranks.count(rank) >= 2)
    plural = Rank(paired).plural
    if len(board.top) == 3 and category_of(board.strength(Row.TOP)) is Category.TRIPS:
        return f"Three {Rank(leading_rank(board.strength(Row.TOP))).plural}"
    return plural.capitalize()
