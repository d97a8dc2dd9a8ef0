import pytest

from ofc.board import BOARD_SIZE, ROWS, Board, Placement, Row
from ofc.cards import Card, parse_cards
from ofc.errors import BoardError, Fault

FULL = "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h"


def _faults(text: str) -> tuple[Fault, ...]:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    return caught.value.faults


def test_a_board_is_read_from_the_top() -> None:
    board = Board.parse(FULL)
    assert [len(board.row(row)) for row in ROWS] == [3, 5, 5]
    assert (board.placed, board.is_complete, str(board)) == (BOARD_SIZE, True, FULL)
    assert board == Board.parse(FULL.replace(" / ", "\n")) == Board.parse(FULL.replace("/", "|"))
    assert board.cards == board.top + board.middle + board.bottom


def test_a_row_may_be_empty() -> None:
    board = Board.parse("- / Ac / ")
    assert (board.top, board.placed, str(board)) == ((), 1, "- / Ac / -")
    assert [board.free(row) for row in ROWS] == [3, 4, 5]
    assert str(Board()) == "- / - / -"


def test_a_board_has_three_rows() -> None:
    (fault,) = _faults("9c 8d / Ac")
    assert (fault.code, fault.text) == ("rows-count", "9c 8d / Ac")


def test_unknown_cards_of_all_rows_are_told() -> None:
    faults = _faults("9c Zz / Yy / Ac")
    assert [(fault.code, fault.row, fault.text) for fault in faults] == [
        ("card-unknown", "top", "Zz"),
        ("card-unknown", "middle", "Yy"),
    ]


def test_rows_too_full_and_cards_twice_are_told_together() -> None:
    faults = _faults("9c 8d 2s 2s / 9c / -")
    assert [(fault.code, fault.row, fault.text) for fault in faults] == [
        ("row-overfull", "top", "9c 8d 2s 2s"),
        ("card-twice", "top", "2s"),
        ("card-twice", "middle", "9c"),
    ]


def test_faults_of_every_kind_are_told_together() -> None:
    faults = _faults("9c 9c 2s / 1x / Zz Ah Ad As Ac 2s")
    assert [(fault.code, fault.row, fault.text) for fault in faults] == [
        ("card-unknown", "middle", "1x"),
        ("card-unknown", "bottom", "Zz"),
        ("row-overfull", "bottom", "Zz Ah Ad As Ac 2s"),
        ("card-twice", "top", "9c"),
        ("card-twice", "bottom", "2s"),
    ]


def test_a_card_that_is_there_several_times_is_told_once() -> None:
    (fault,) = _faults("9c 9c 8d / 9c / 9c")
    assert (fault.code, fault.row, fault.message) == ("card-twice", "top", "9c is there 4 times")


def test_what_is_not_three_rows_is_looked_through_all_the_same() -> None:
    faults = _faults("9c 9c / 1x / - / Ah")
    assert [(fault.code, fault.row, fault.text) for fault in faults] == [
        ("rows-count", None, "9c 9c / 1x / - / Ah"),
        ("card-unknown", None, "1x"),
        ("card-twice", None, "9c"),
    ]


def test_placing_returns_another_board() -> None:
    board = Board.parse("9c / - / Ah")
    after = board.with_placed([Placement(Card.parse("2d"), Row.TOP), Placement(Card.parse("Ac"), Row.MIDDLE)])
    assert (str(board), str(after)) == ("9c / - / Ah", "9c 2d / Ac / Ah")
    with pytest.raises(BoardError, match="twice"):
        after.with_placed([Placement(Card.parse("Ah"), Row.TOP)])
    with pytest.raises(BoardError, match="takes 3 cards"):
        after.with_placed([Placement(card, Row.TOP) for card in parse_cards("3c 4c")])


def test_a_row_that_is_not_full_has_no_strength() -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse("9c / - / -").strengths()
    assert (caught.value.code, caught.value.faults[0].row) == ("row-incomplete", "top")


def test_a_full_row_has_a_strength_though_others_are_not_full() -> None:
    board = Board.parse("9c 8d 2s / - / -")
    assert board.strength(Row.TOP) == Board.parse(FULL).strengths()[0]
    with pytest.raises(BoardError, match="middle"):
        board.strength(Row.MIDDLE)


def test_equal_rows_foul_only_where_the_order_is_strict() -> None:
    equal = Board.parse("2c 3d 4h / Ac Kd 9h 7c 5d / Ad Kc 9s 7h 5c")
    assert (equal.is_fouled(strict=False), equal.is_fouled(strict=True)) == (False, True)
    assert not Board.parse(FULL).is_fouled(strict=True)


def test_the_rows_of_a_mapping_that_are_missing_are_empty() -> None:
    assert str(Board.from_rows({Row.MIDDLE: "Ac 2c"})) == "- / Ac 2c / -"
