"""Cards, ranks and suits, and their text (R-CARD-1)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Final, Self

from ofc.errors import CardError, Fault


class Rank(IntEnum):
    """A rank by its pip count; the ace is 14. Ranks compare as in poker."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One character: `2`..`9`, `T`, `J`, `Q`, `K`, `A`."""
        return RANK_LETTERS[self - 2]

    @property
    def word(self) -> str:
        """The rank's name in words, as in "king"."""
        return self.name.lower()

    @property
    def plural(self) -> str:
        """The rank's plural in words, as in "sixes"."""
        return self.word + ("es" if self is Rank.SIX else "s")


class Suit(IntEnum):
    """A suit. The numbers only tell suits apart; suits have no rank (R-CARD-1)."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """One character: `c`, `d`, `h`, `s`."""
        return SUIT_LETTERS[self]

    @property
    def word(self) -> str:
        """The suit's name in words, as in "hearts"."""
        return self.name.lower()


RANK_LETTERS: Final = "23456789TJQKA"
SUIT_LETTERS: Final = "cdhs"


class Card(int):
    """One of the 52 cards, as its place in a fixed order: twos first, then by suit.

    >>> card = Card.parse("Kh")
    >>> card.rank, card.suit, str(card), card.words
    (<Rank.KING: 13>, <Suit.HEARTS: 2>, 'Kh', 'king of hearts')
    >>> Card.of(Rank.TEN, Suit.DIAMONDS)
    Card.parse('Td')
    """

    __slots__ = ()

    def __new__(cls, index: int) -> Self:
        """Return the card at place `index`, 0 (2c) to 51 (As); `CardError` elsewhere."""
        if not 0 <= index < 52:
            raise CardError(Fault("card-unknown", f"no card has the number {index}", text=str(index)))
        return super().__new__(cls, index)

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Card:
        """Return the card of this rank and suit."""
        return DECK[(rank - 2) * 4 + suit]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read one card: `Kh`, also `kh`, `10h`, `K♥`. `CardError` (`card-unknown`) names what is not one."""
        card = _BY_TEXT.get(text)
        if card is not None:
            return card
        cleaned = text.strip().replace("\ufe0f", "").replace("\ufe0e", "")
        card = _BY_TEXT.get(cleaned.lower().replace("10", "t", 1))
        if card is None:
            raise CardError(Fault("card-unknown", f"“{text.strip()}” is not a card", text=text.strip()))
        return card

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return _RANKS[self]

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return _SUITS[self]

    @property
    def words(self) -> str:
        """The card in words: "king of hearts"."""
        return f"{self.rank.word} of {self.suit.word}"

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"Card.parse({_TEXTS[self]!r})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


_RANKS: Final = tuple(rank for rank in Rank for _ in Suit)
_SUITS: Final = tuple(suit for _ in Rank for suit in Suit)
_TEXTS: Final = tuple(rank.letter + suit.letter for rank in Rank for suit in Suit)
DECK: Final[tuple[Card, ...]] = tuple(Card(index) for index in range(52))
"""The 52 cards in their fixed order."""

_SUIT_SIGNS: Final = {Suit.CLUBS: "♣♧", Suit.DIAMONDS: "♦♢", Suit.HEARTS: "♥♡", Suit.SPADES: "♠♤"}
_BY_TEXT: Final = {
    spelling: card
    for card in DECK
    for rank in {card.rank.letter, card.rank.letter.lower()}
    for suit in card.suit.letter + card.suit.letter.upper() + _SUIT_SIGNS[card.suit]
    for spelling in (rank + suit,)
}

_TOKEN: Final = re.compile(r"(?:10|[2-9tjqka])[cdhs♣♧♦♢♥♡♠♤][\ufe0e\ufe0f]?", re.IGNORECASE)
_SEPARATORS: Final = re.compile(r"[\s,;]+")
_PIECE_OF_CARDS: Final = re.compile(rf"(?<![^\s,;])(?:{_TOKEN.pattern})+(?![^\s,;])", re.IGNORECASE)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards in order, apart (`Kh 9c`, `Kh,9c`) or run together (`Kh9c`).

    `CardError` holds one fault for every piece that is not a card.

    >>> parse_cards("10h, k♠ 2C")
    (Card.parse('Th'), Card.parse('Ks'), Card.parse('2c'))
    """
    cards, faults = scan_cards(text)
    if faults:
        raise CardError(*faults)
    return cards


def scan_cards(text: str) -> tuple[tuple[Card, ...], list[Fault]]:
    """Read as `parse_cards` does; return the cards, and one fault for every piece that is not a card.

    For whoever reports the faults of several texts at once.
    """
    try:
        return tuple([_BY_TEXT[piece] for piece in text.split()]), []
    except KeyError:  # not as programs write cards
        return _scan_pieces(text)


def has_card(text: str) -> bool:
    """Whether `scan_cards` would find any card, in less time.

    >>> has_card("Anna 9c"), has_card("Anna9c")
    (True, False)
    """
    return _PIECE_OF_CARDS.search(text) is not None


def _scan_pieces(text: str) -> tuple[tuple[Card, ...], list[Fault]]:
    cards: list[Card] = []
    faults: list[Fault] = []
    for piece in filter(None, _SEPARATORS.split(text)):
        tokens = [match.group() for match in _TOKEN.finditer(piece)]
        if "".join(tokens) == piece:
            cards.extend(Card.parse(token) for token in tokens)
        else:
            faults.append(Fault("card-unknown", f"“{piece}” is not a card", text=piece))
    return tuple(cards), faults


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards in order, apart by one space: the inverse of `parse_cards`."""
    return " ".join(map(str, cards))


def shuffled_deck(generator: random.Random) -> tuple[Card, ...]:
    """Return the 52 cards in an order drawn from `generator` and nothing else."""
    deck = list(DECK)
    generator.shuffle(deck)
    return tuple(deck)
