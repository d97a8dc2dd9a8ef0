"""R-CARD-1, R-ROW-1, R-RANK-1 to R-RANK-5: cards, rows and their strength."""

from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod

import pytest

from ofc.board import BOARD_SIZE, ROWS, Board
from ofc.cards import DECK, Card, Rank, Suit, format_cards, parse_cards
from ofc.evaluation import Category, Strength, category_of, evaluate, evaluate_five
from ofc.rulesets import get_rules
from ofc.scoring import settle


def strength(text: str) -> Strength:
    return evaluate(parse_cards(text))


def test_52_cards_and_their_texts() -> None:
    """R-CARD-1: ranks 2..A in four suits; `Kh`, `Td`, `2c`; read also `10d`, `K♥`, lower case."""
    assert len(set(DECK)) == 52
    assert [str(Card.of(rank, Suit.HEARTS))[0] for rank in Rank] == list("23456789TJQKA")
    assert format_cards(parse_cards("Kh Td 2c")) == "Kh Td 2c"
    assert parse_cards("K♥ 10d 2C kh") == parse_cards("Kh Td 2c Kh")


def test_suits_have_no_rank() -> None:
    """R-CARD-1: hands of the same type and ranks are equal whatever their suits."""
    assert strength("Ah Jh 8h 6h 3h") == strength("As Js 8s 6s 3s")
    assert strength("Kh Kd 2c") == strength("Ks Kc 2h")


def test_rows() -> None:
    """R-ROW-1: top 3, middle 5, bottom 5."""
    assert [(str(row), row.size) for row in ROWS] == [("top", 3), ("middle", 5), ("bottom", 5)]
    assert sum(row.size for row in ROWS) == BOARD_SIZE == 13


def test_types_in_order() -> None:
    """R-RANK-1: straight flush > four of a kind > full house > ... > high card."""
    strongest_first = [
        "Kh Qh Jh Th 9h",
        "2h 2c 2d 2s 3h",
        "2h 2c 2d 3s 3h",
        "7h 5h 4h 3h 2h",
        "Ah 2c 3d 4s 5h",
        "2h 2c 2d 3s 4h",
        "3h 3c 2d 2s 4h",
        "2h 2c 3d 4s 5h",
        "7h 5c 4d 3s 2h",
    ]
    strengths = [strength(text) for text in strongest_first]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == 9


def test_a_royal_flush_is_the_highest_straight_flush() -> None:
    """R-RANK-1: a royal flush is the highest straight flush; only its royalty differs."""
    royal = strength("Ah Kh Qh Jh Th")
    assert royal == max(map(evaluate_five, combinations(parse_cards("Ah Kh Qh Jh Th 9h 8h"), 5)))
    rules = get_rules("ultimate")
    assert rules.bottom_royalties[Category.ROYAL_FLUSH] > rules.bottom_royalties[Category.STRAIGHT_FLUSH]


def test_the_lowest_straight() -> None:
    """R-RANK-2: A-2-3-4-5 is the lowest straight, five high; there is no wrap-around."""
    straights = [strength("Ah 2c 3d 4s 5h")]
    for high in range(6, 15):
        cards = [Card.of(Rank(rank), Suit(rank % 4)) for rank in range(high - 4, high + 1)]
        straights.append(evaluate(cards))
    assert all(lower < higher for lower, higher in pairwise(straights))
    for wrapped in ("Jh Qc Kd As 2h", "Qh Kc Ad 2s 3h", "Kh Ac 2d 3s 4h"):
        assert category_of(strength(wrapped)) is Category.HIGH_CARD


def test_the_top_knows_no_straights_and_flushes() -> None:
    """R-RANK-3: the top row is high card, pair or three of a kind only."""
    categories = {category_of(evaluate(cards)) for cards in combinations(DECK, 3)}
    assert categories == {Category.HIGH_CARD, Category.PAIR, Category.TRIPS}
    assert category_of(evaluate(parse_cards("Ah Kh Qh"))) is Category.HIGH_CARD


@pytest.mark.parametrize(
    ("top", "middle", "is_fouled"),
    [
        ("Kh Kd Ac", "Ks Kc Qd Jh 9s", True),
        ("Kh Kd 9c", "Ks Kc Ad Qh Js", False),
        ("Kh Kd 9c", "Ks Kc 9d 8h 7s", False),
        ("Ah Kd Qc", "As Kc Qd 3h 2s", False),
        ("Ah Kd Qc", "As Kc Jd Th 9s", True),
        ("9h 9d 9c", "8s 8c 8d Ah Ks", True),
        ("8h 8d 8c", "9s 9c 9d 3h 2s", False),
    ],
)
def test_three_cards_against_five(top: str, middle: str, is_fouled: bool) -> None:
    """R-RANK-4: type, then ranks in order, then kickers; a kicker the top lacks counts lowest."""
    board = Board.parse(f"{top} / {middle} / 2c 3c 4c 5c 6c")
    assert board.is_fouled(strict=False) is is_fouled
    assert (strength(top) > strength(middle)) is is_fouled


def test_full_ties_score_nothing() -> None:
    """R-RANK-5: full ties are ties; nobody scores the row."""
    a = Board.parse("9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h")
    b = Board.parse("9d 8c 2h / As Kd 7c 6d 3s / Ks Kh Jc 8s 6c")
    (pair,) = settle([a, b], get_rules("pineapple")).pairs
    assert (pair.rows.top, abs(pair.rows.total), pair.scoop) == (0, 2, 0)


def test_classes_of_three_cards() -> None:
    """455 classes over 22,100 hands: 52 trips, 3,744 pairs, 18,304 high cards."""
    strengths = [evaluate(cards) for cards in combinations(DECK, 3)]
    assert (len(strengths), len(set(strengths))) == (22_100, 455)
    categories = [category_of(value) for value in strengths]
    assert categories.count(Category.TRIPS) == 52
    assert categories.count(Category.PAIR) == 3_744
    assert categories.count(Category.HIGH_CARD) == 18_304


def test_classes_of_five_cards() -> None:
    """7,462 classes over 2,598,960 hands, counted by ranks and by how many hands have these ranks."""
    hands: dict[Strength, int] = {}
    for ranks in combinations_with_replacement(Rank, 5):
        counts = {rank: ranks.count(rank) for rank in ranks}
        if max(counts.values()) > 4:
            continue
        cards = [
            Card.of(rank, Suit((place + turn) % 4))
            for turn, (rank, count) in enumerate(counts.items())
            for place in range(count)
        ]
        suited = 4 if len(counts) == 5 else 0
        alike = prod(comb(4, count) for count in counts.values()) - suited
        hands[evaluate(cards)] = hands.get(evaluate(cards), 0) + alike
        if suited:
            flush = evaluate([Card.of(rank, Suit.SPADES) for rank in ranks])
            hands[flush] = hands.get(flush, 0) + suited
    assert (len(hands), sum(hands.values())) == (7_462, 2_598_960)
    totals = dict.fromkeys(Category, 0)
    for value, count in hands.items():
        totals[category_of(value)] += count
    assert list(totals.values()) == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]


def test_classes_of_five_cards_one_by_one(is_long: bool) -> None:
    """7,462 classes over 2,598,960 hands, each looked at; without --long only those with the ace of spades."""
    if is_long:
        strengths = [evaluate_five(cards) for cards in combinations(DECK, 5)]
        assert (len(strengths), len(set(strengths))) == (2_598_960, 7_462)
    else:
        *others, ace = DECK
        strengths = [evaluate_five((ace, *cards)) for cards in combinations(others, 4)]
        repeated = 12 * 11 + 12 * 11 + 12 * comb(11, 2) + comb(12, 2) * 10 + 12 * comb(11, 3)
        without_ace = repeated + 2 * comb(12, 5)  # quads, full houses, trips, two pair, pairs; the rest, suited or not
        assert (len(strengths), len(set(strengths))) == (comb(51, 4), 7_462 - without_ace)
