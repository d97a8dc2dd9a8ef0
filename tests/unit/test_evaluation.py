import pytest

from ofc.cards import Rank, parse_cards
from ofc.evaluation import (
    STRENGTHS,
    Category,
    category_of,
    describe,
    describe_cards,
    evaluate,
    evaluate_ranks,
    leading_rank,
)

EXAMPLES = [
    ("7h 5c 4d 3s 2h", Category.HIGH_CARD, "seven high"),
    ("Ah Kc Qd", Category.HIGH_CARD, "ace high"),
    ("6h 6c 2d", Category.PAIR, "pair of sixes"),
    ("Qh Qc 9d 3s 2h", Category.PAIR, "pair of queens"),
    ("Kh Kc Qd Qs 9h", Category.TWO_PAIR, "two pair, kings and queens"),
    ("2h 2c 2d", Category.TRIPS, "three twos"),
    ("2h 2c 2d Ks Qh", Category.TRIPS, "three twos"),
    ("Ah 2c 3d 4s 5h", Category.STRAIGHT, "straight to the five"),
    ("Ah Kc Qd Js Th", Category.STRAIGHT, "straight to the ace"),
    ("Ah Jh 8h 6h 3h", Category.FLUSH, "flush, ace high"),
    ("9h 9c 9d 2s 2h", Category.FULL_HOUSE, "full house, nines over twos"),
    ("9h 9c 9d 9s 2h", Category.QUADS, "four nines"),
    ("Ah 2h 3h 4h 5h", Category.STRAIGHT_FLUSH, "straight flush, five high"),
    ("Ah Kh Qh Jh Th", Category.ROYAL_FLUSH, "royal flush"),
]


@pytest.mark.parametrize(("text", "category", "words"), EXAMPLES)
def test_a_row_is_told_and_said(text: str, category: Category, words: str) -> None:
    cards = parse_cards(text)
    strength = evaluate(cards)
    assert category_of(strength) is category
    assert describe(strength) == describe_cards(cards, len(cards)) == words
    is_suited = len(cards) == 5 and len({card.suit for card in cards}) == 1
    assert evaluate_ranks([card.rank for card in cards], suited=is_suited) == strength


def test_there_are_7917_strengths_each_with_its_words() -> None:
    assert len(STRENGTHS) == 7_462 + 455
    assert all(map(describe, STRENGTHS))  # type: ignore[arg-type]  # the numbers of a range are plain ints


@pytest.mark.parametrize(
    ("text", "rank"),
    [("Kh Kc Qd Qs 9h", Rank.KING), ("Ah 2c 3d 4s 5h", Rank.FIVE), ("3h 3c 3d As Ah", Rank.THREE)],
)
def test_the_leading_rank_counts_first(text: str, rank: Rank) -> None:
    assert leading_rank(evaluate(parse_cards(text))) is rank


@pytest.mark.parametrize(
    ("text", "size", "words"),
    [
        ("", 5, ""),
        ("Qs", 3, "queen high"),
        ("Qs Qd", 3, "pair of queens"),
        ("Kh Jh 8h 3h", 5, "four hearts, king high"),
        ("Kh Jh 8h", 5, "three hearts, king high"),
        ("Kh Jh 8c", 5, "king high"),
        ("9h 8c 7d 5s", 5, "four to a straight, nine high"),
        ("Ah 2c 3d 5s", 5, "four to a straight, ace high"),
        ("Ah Kc Qd 2s", 5, "ace high"),
        ("9h 9c 7d 7s", 5, "two pair, nines and sevens"),
        ("9h 9c 9d 7s", 5, "three nines"),
        ("9h 9c 9d 9s", 5, "four nines"),
        ("9h 9c", 5, "pair of nines"),
    ],
)
def test_an_unfinished_row_is_said_with_its_draw(text: str, size: int, words: str) -> None:
    assert describe_cards(parse_cards(text), size) == words
