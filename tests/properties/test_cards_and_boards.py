"""Texts and values are inverse; the evaluator agrees with its slow twin; suits mean nothing."""

from hypothesis import given
from hypothesis import strategies as st

from ofc.board import ROWS, Board, Placement
from ofc.cards import DECK, Card, Suit, format_cards, parse_cards
from ofc.evaluation import category_of, describe, describe_cards, evaluate
from ofc.rules import category_name
from tests import strategies, twins

_suit_orders = st.permutations(list(Suit))


def with_suits(cards: tuple[Card, ...], suits: list[Suit]) -> tuple[Card, ...]:
    return tuple(Card.of(card.rank, suits[card.suit]) for card in cards)


@given(strategies.cards)
def test_card_text_is_read_back(card: Card) -> None:
    assert Card.parse(str(card)) is Card.parse(str(card).upper())
    assert Card.parse(str(card)) == card


@given(st.lists(strategies.cards, max_size=17), st.sampled_from([" ", ",", ", ", "", "\t", " ; "]))
def test_cards_are_read_back_however_they_are_set_apart(cards: list[Card], apart: str) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert parse_cards(apart.join(map(str, cards))) == tuple(cards)


@given(strategies.complete_boards | strategies.partial_boards())
def test_board_text_is_read_back(board: Board) -> None:
    assert Board.parse(str(board)) == board


@given(strategies.partial_boards(), st.data())
def test_placing_adds_to_the_rows_and_moves_nothing(board: Board, data: st.DataObject) -> None:
    free = [row for row in ROWS if board.free(row)]
    unused = [card for card in DECK if card not in board.cards]
    if not free:
        assert board.is_complete
        return
    placement = Placement(data.draw(st.sampled_from(unused)), data.draw(st.sampled_from(free)))
    after = board.with_placed([placement])
    assert after.placed == board.placed + 1
    for row in ROWS:
        assert after.row(row)[: len(board.row(row))] == board.row(row)


@given(strategies.card_lists(5), strategies.card_lists(5))
def test_two_rows_of_five_compare_as_in_the_slow_twin(a: list[Card], b: list[Card]) -> None:
    assert _sign(evaluate(a), evaluate(b)) == twins.compare(a, b)
    assert category_name(category_of(evaluate(a))) == twins.hand_name(a)


@given(strategies.card_lists(3), strategies.complete_boards)
def test_a_row_of_three_compares_with_any_row_as_in_the_slow_twin(three: list[Card], board: Board) -> None:
    for row in ROWS:
        assert _sign(evaluate(three), board.strength(row)) == twins.compare(three, board.row(row))
    for one, other in ((board.middle, board.bottom), (board.top, board.bottom)):
        assert _sign(evaluate(one), evaluate(other)) == twins.compare(one, other)


@given(strategies.complete_boards, _suit_orders)
def test_other_suits_leave_every_strength(board: Board, suits: list[Suit]) -> None:
    other = Board(*(with_suits(board.row(row), suits) for row in ROWS))
    assert other.strengths() == board.strengths()


@given(strategies.partial_boards())
def test_a_row_is_described_at_every_length(board: Board) -> None:
    for row in ROWS:
        words = describe_cards(board.row(row), row.size)
        assert bool(words) == bool(board.row(row))
        if not board.free(row):
            assert words == describe(board.strength(row))


def _sign(a: int, b: int) -> int:
    return (a > b) - (a < b)
