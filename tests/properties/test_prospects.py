"""Whether a foul is certain, against a slow twin that tries every card in every place."""

from __future__ import annotations

from itertools import combinations

from hypothesis import assume, example, given
from hypothesis import strategies as st

from ofc.board import ROWS, Board, Placement
from ofc.cards import Card, parse_cards
from ofc.prospects import is_foul_certain, out_of_order_rows
from tests.strategies import complete_boards


def can_be_saved(board: Board, unseen: list[Card], *, strict: bool) -> bool:
    """The twin: whether some way to fill the free places does not foul."""

    def fill(number: int, left: list[Card], filled: Board) -> bool:
        if number == len(ROWS):
            return not filled.is_fouled(strict=strict)
        row = ROWS[number]
        return any(
            fill(
                number + 1,
                [card for card in left if card not in cards],
                filled.with_placed(Placement(card, row) for card in cards),
            )
            for cards in combinations(left, filled.free(row))
        )

    return fill(0, unseen, board)


@st.composite
def nearly_full(draw: st.DrawFn) -> tuple[Board, list[Card]]:
    """A board with up to four free places, and few cards that may still come, many of one rank or suit."""
    full = draw(complete_boards)
    gone = draw(st.lists(st.sampled_from(full.cards), min_size=1, max_size=4, unique=True))
    board = Board(*(tuple(card for card in full.row(row) if card not in gone) for row in ROWS))
    others = [card for card in map(Card, range(52)) if card not in board.cards]
    near = [card for card in others if any(card.rank == other.rank or card.suit == other.suit for other in gone)]
    unseen = draw(st.lists(st.sampled_from(near or others), min_size=len(gone), max_size=7, unique=True))
    return board, sorted({*unseen, *draw(st.sampled_from([gone, []]))})


@given(nearly_full(), st.booleans())
@example((Board.parse("Ac Ad As / 2h 5h 7h 9h / Kc Kd Qc Qd"), list(parse_cards("Kh Ks"))), False)
@example((Board.parse("Qc Jc / Js 9s 8s / 6s 4c 3d 2c"), list(parse_cards("Jh Td 3h 3s 9h Qs"))), True)
def test_a_foul_is_certain_just_when_nothing_saves_the_board(case: tuple[Board, list[Card]], strict: bool) -> None:
    board, unseen = case
    assume(len(unseen) >= 13 - board.placed)
    assert is_foul_certain(board, set(unseen), strict=strict) != can_be_saved(board, unseen, strict=strict)


@given(complete_boards)
def test_a_full_board_fouls_just_when_rows_are_out_of_order(board: Board) -> None:
    assert bool(out_of_order_rows(board)) == board.is_fouled(strict=False)
    assert is_foul_certain(board, set(), strict=False) == board.is_fouled(strict=False)
