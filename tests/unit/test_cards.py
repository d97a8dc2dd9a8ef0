import copy
import pickle
import random

import pytest

from ofc.cards import DECK, Card, Rank, Suit, format_cards, parse_cards, scan_cards, shuffled_deck
from ofc.errors import CardError


def test_the_deck_has_each_rank_and_suit_once() -> None:
    assert len(DECK) == 52
    assert {(card.rank, card.suit) for card in DECK} == {(rank, suit) for rank in Rank for suit in Suit}
    assert all(Card.of(card.rank, card.suit) is card for card in DECK)


SPELLINGS = {
    "Kh": ["Kh", "kH", "K♥", "k♡", " Kh\n"],
    "Td": ["10d", "10D", "td", "t♢", "T♦"],
    "Ts": ["10♠\ufe0e", "T♤"],
    "Ac": ["A♣\ufe0f", "a♧", "AC"],
}


@pytest.mark.parametrize(("text", "card"), [(text, card) for card, texts in SPELLINGS.items() for text in texts])
def test_a_card_is_read_in_many_spellings(text: str, card: str) -> None:
    assert str(Card.parse(text)) == card


@pytest.mark.parametrize("text", ["", "K", "h", "1h", "11h", "Kx", "10", "hK", "Khh", "110h", "K h", "10 h", "é"])
def test_what_is_not_a_card_is_named(text: str) -> None:
    with pytest.raises(CardError) as caught:
        Card.parse(text)
    assert caught.value.code == "card-unknown"
    assert caught.value.faults[0].text == text


@pytest.mark.parametrize("index", [-1, 52])
def test_a_number_outside_the_deck_is_no_card(index: int) -> None:
    with pytest.raises(CardError, match=str(index)):
        Card(index)


def test_a_card_shows_itself() -> None:
    card = Card.parse("Ts")
    assert (repr(card), f"{card:>4}", card.words) == ("Card.parse('Ts')", "  Ts", "ten of spades")
    assert (card.rank.letter, card.suit.letter, Rank.SIX.plural, Rank.ACE.plural) == ("T", "s", "sixes", "aces")


def test_a_card_is_copied_and_pickled_as_itself() -> None:
    card = Card.parse("Ac")
    assert pickle.loads(pickle.dumps(card)) == copy.copy(card) == card  # noqa: S301  # our own


def test_cards_are_read_apart_or_run_together() -> None:
    assert format_cards(parse_cards("KhKd9c, 10♠;2C")) == "Kh Kd 9c Ts 2c"
    assert parse_cards("") == ()


def test_every_piece_that_is_no_card_is_a_fault() -> None:
    with pytest.raises(CardError) as caught:
        parse_cards("Kh Zz 9c 12h AhKx")
    assert [fault.text for fault in caught.value.faults] == ["Zz", "12h", "AhKx"]
    cards, faults = scan_cards("Kh Zz 9c")
    assert (format_cards(cards), [fault.text for fault in faults]) == ("Kh 9c", ["Zz"])


def test_a_shuffle_follows_from_its_generator_alone() -> None:
    first, again = (shuffled_deck(random.Random(7)) for _ in range(2))
    assert first == again != DECK
    assert sorted(first) == list(DECK)
