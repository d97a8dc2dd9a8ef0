"""Rows that lie out of order, what may still save them, and what no card can."""

from __future__ import annotations

import pytest

from ofc.board import Board, Row
from ofc.cards import DECK, parse_cards
from ofc.prospects import is_above, is_foul_certain, out_of_order_rows, saving_words


@pytest.mark.parametrize(
    ("board", "rows"),
    [
        ("- / - / -", ()),
        ("Kh Kd / - / -", ()),
        ("Kh Kd / Qc / -", (Row.MIDDLE,)),
        ("Kh Kd / Kc Ks / -", ()),
        ("Kh / Ac Qs / -", ()),
        ("Kh Kd 2c / Kc Ks 3c 4d 5d / Ac", (Row.BOTTOM,)),
        ("- / 9s 8d 7h 6c 5c / Ac Ad", (Row.BOTTOM,)),
        ("- / 9s 8d 7h 6c 5c / Ac Ad As Ah", ()),
        ("- / Qs Qd / Kc Jh 9d 8s 7c", (Row.BOTTOM,)),
        ("- / Qs Jd / Kc Jh 9d 8s 7c", ()),
        ("- / Qs Qd 3c 3d / Qc Qh 9d 8s 7c", (Row.BOTTOM,)),
        ("- / Qs Qd Qc / Kc Kh 9d 9s 7c", (Row.BOTTOM,)),
        ("- / Qs Qd Qc Qh / Kc Kh 9d 9s 9c", (Row.BOTTOM,)),
        ("Ah Ad / 2c 2d 3c 4d 6s / Kc", (Row.MIDDLE, Row.BOTTOM)),
        ("Ah / Kc Kd 2s 2d 2c / Ac As Ad", (Row.BOTTOM,)),
    ],
)
def test_rows_out_of_order_as_they_lie(board: str, rows: tuple[Row, ...]) -> None:
    assert out_of_order_rows(Board.parse(board)) == rows


@pytest.mark.parametrize(
    ("upper", "lower", "words"),
    [
        ("Kh Kd", "Qh Th 9h 7h", "Needs a heart"),
        ("Kh Kd", "Qs Qh 9c 7d", "Needs a queen, a nine or a seven"),
        ("Kh Kd", "As Jh 9c 7d", "Needs an ace"),
        ("Kh Kd 2c", "8s 8d 3c 4d", "Needs an eight, a four or a three"),
        ("Kh Kd Ks", "Qs Jh 9c 2d", "Needs to beat three kings"),
        ("Kh Kd", "Qs Qh", "Needs to beat pair of kings"),
    ],
)
def test_what_would_save_a_row(upper: str, lower: str, words: str) -> None:
    held = parse_cards(upper) + parse_cards(lower)
    unseen = [card for card in DECK if card not in held]
    said = saving_words(parse_cards(upper), 3, parse_cards(lower), unseen)
    assert said.startswith("Needs to beat") if words.startswith("Needs to beat") else said == words


def test_many_different_savers_are_not_listed() -> None:
    upper, lower = parse_cards("2h 2d"), parse_cards("Qs Jh 9c 7d")
    unseen = [card for card in DECK if card not in upper + lower]
    assert saving_words(upper, 3, lower, unseen).startswith("Needs to beat")


def test_an_empty_board_has_no_certain_foul() -> None:
    assert not is_foul_certain(Board(), DECK, strict=True)


def test_equal_rows_are_a_certain_foul_only_where_the_order_is_strict() -> None:
    board = Board.parse("2c 3d 5h / Kc Kd 9s 7h 2s / Kh Ks 9d 7c 2d")
    assert is_foul_certain(board, set(), strict=True)
    assert not is_foul_certain(board, set(), strict=False)


def test_neighbouring_rows_can_be_asked_about_alone() -> None:
    board = Board.parse("2c 3d 5h / Kc Kd 9s 7h 2s / Qh Qs 9d 7c 2d")
    assert not is_foul_certain(board, set(), strict=False, rows=(Row.TOP, Row.MIDDLE))
    assert is_foul_certain(board, set(), strict=False, rows=(Row.MIDDLE, Row.BOTTOM))


def test_a_row_that_would_become_a_flush_by_accident_takes_another_suit() -> None:
    board = Board.parse("2c 3d 4h / Kh 9h 7h 5h / Kc Kd 9s 7c 6d")
    assert is_foul_certain(board, set(parse_cards("2h")), strict=False)
    assert not is_foul_certain(board, set(parse_cards("2h 2s")), strict=False)


def test_one_card_cannot_make_two_flushes() -> None:
    board = Board.parse("Ac Ad As / Qh Jh 8h 6h / Kh 9h 7h 5h")
    assert is_foul_certain(board, set(parse_cards("2h 3s 4s")), strict=False)
    assert not is_foul_certain(board, set(parse_cards("Ah 2h 3s")), strict=False)


def test_full_rows_compare_as_they_are() -> None:
    assert is_above(parse_cards("Kh Kd Ac"), 3, parse_cards("Ks Kc Qd Jh 9s"), 5)
    assert not is_above(parse_cards("Kh Kd 9c"), 3, parse_cards("Ks Kc Ad Qh Js"), 5)
