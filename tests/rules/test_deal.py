"""R-DEAL: what is dealt to whom, in which order, and what may be done with it."""

import pytest

from ofc.board import Placement, Row
from ofc.cards import DECK, parse_cards
from ofc.dealing import acting_order, deal_order
from ofc.errors import IllegalCommandError
from ofc.events import CardsDealt, CardsPlaced, HandStarted
from ofc.rulesets import get_rules
from ofc.scoring import Seat
from tests.tables import FOULED, PLAIN_A, PLAIN_B, PLAIN_C, QUEENS, Game


def streets_of(game: Game, seat: int) -> list[tuple[int, int, int]]:
    """Cards dealt, placed and discarded by a seat, street by street."""
    dealt = [event for event in game.hand_events if isinstance(event, CardsDealt) and event.seat == seat]
    placed = [event for event in game.hand_events if isinstance(event, CardsPlaced) and event.seat == seat]
    return [(len(d.cards), len(p.placements), len(p.discards)) for d, p in zip(dealt, placed, strict=True)]


def test_pineapple_deals_17_places_13_discards_4() -> None:
    """R-DEAL-1"""
    game = Game("pineapple", seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: PLAIN_C})
    for seat in range(3):
        assert streets_of(game, seat) == [(5, 5, 0), (3, 2, 1), (3, 2, 1), (3, 2, 1), (3, 2, 1)]


def test_classic_deals_5_and_then_one_a_street() -> None:
    """R-DEAL-1: classic, and its four seats take the whole deck."""
    game = Game("classic", seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: PLAIN_C})
    assert streets_of(game, 1) == [(5, 5, 0), *[(1, 1, 0)] * 8]
    four = deal_order([Seat(n) for n in range(4)], Seat(0), [0] * 4, get_rules("classic").streets)
    assert (four[-1].first, four[-1].count) == (51, 1)


@pytest.mark.parametrize("button", [0, 1, 2])
def test_the_buttons_left_acts_first_and_the_button_last_on_every_street(button: int) -> None:
    """R-DEAL-2"""
    game = Game("pineapple", seats=3, button=button)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: PLAIN_C})
    order = [(button + step) % 3 for step in (1, 2, 3)]
    acted = [event for event in game.hand_events if isinstance(event, CardsPlaced)]
    assert [event.seat for event in acted] == order * 5
    assert [event.street for event in acted] == [street for street in range(1, 6) for _ in order]


def test_acting_order_skips_seats_not_dealt_in() -> None:
    """R-DEAL-2"""
    assert acting_order([Seat(0), Seat(2)], Seat(2)) == (0, 2)


def test_nobody_acts_before_their_turn() -> None:
    """R-DEAL-2"""
    game = Game("pineapple", seats=3)
    game.deal(1)
    assert game.hand.to_act == (1,)
    for seat in (0, 2):
        with pytest.raises(IllegalCommandError, match="not your turn"):
            game.place(seat, [])


def test_the_deck_is_fresh_every_hand() -> None:
    """R-DEAL-2: each hand's deck holds all 52 cards, and a deck that does not is refused."""
    game = Game("pineapple", seats=2)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    decks = [event.deck for event in game.events if isinstance(event, HandStarted)]
    assert all(sorted(deck) == list(DECK) for deck in decks)
    with pytest.raises(IllegalCommandError, match="each of the 52 cards once"):
        game.deal([*DECK[:-1], DECK[0]])


def test_a_placed_card_never_moves() -> None:
    """R-DEAL-3: what lies on the board cannot be placed again, and rows only grow at their end."""
    game = Game("pineapple", seats=2)
    game.deal_boards({0: PLAIN_A, 1: PLAIN_B})
    first = parse_cards("9h 9s Tc Jc Kd")
    game.place(1, [Placement(card, Row.BOTTOM) for card in first])
    game.place(0, [Placement(card, Row.BOTTOM) for card in game.hand.holding(Seat(0)).dealt])
    with pytest.raises(IllegalCommandError, match="9h is not among your cards"):
        game.place(1, [Placement(first[0], Row.TOP), Placement(game.hand.holding(Seat(1)).dealt[0], Row.TOP)])
    game.place(1, [Placement(card, Row.MIDDLE) for card in game.hand.holding(Seat(1)).dealt[:2]])
    assert game.hand.holding(Seat(1)).board.bottom == first


def test_a_full_row_takes_no_more() -> None:
    """R-DEAL-3"""
    game = Game("pineapple", seats=2)
    game.deal(4)
    dealt = game.hand.holding(Seat(1)).dealt
    with pytest.raises(IllegalCommandError, match="the top has 3 free, not 5"):
        game.place(1, [Placement(card, Row.TOP) for card in dealt])
    game.place(1, [Placement(card, Row.BOTTOM) for card in dealt])


def test_a_placement_that_fouls_is_legal() -> None:
    """R-DEAL-3"""
    game = Game("pineapple", seats=2)
    settled = game.play_boards({0: PLAIN_A, 1: FOULED})
    assert [player.fouled for player in settled.settlement.players] == [False, True]


def test_off_the_deck_fantasyland_comes_first_then_streets_in_acting_order() -> None:
    """R-DEAL-4"""
    streets = get_rules("pineapple").streets
    order = deal_order([Seat(0), Seat(1), Seat(2)], Seat(0), [15, 0, 14], streets)
    assert [(deal.seat, deal.street) for deal in order] == [(2, 0), (0, 0), *[(1, street) for street in range(1, 6)]]
    assert [deal.first for deal in order] == [0, 14, 29, 34, 37, 40, 43]


def test_cards_come_off_the_deck_in_that_order_at_a_table() -> None:
    """R-DEAL-4"""
    game = Game("pineapple", seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: PLAIN_C})
    started = game.hand_events[0]
    assert isinstance(started, HandStarted)
    dealt = [card for event in game.hand_events if isinstance(event, CardsDealt) for card in event.cards]
    assert tuple(dealt) == started.deck[: 14 + 17 + 17]
