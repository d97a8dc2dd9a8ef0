"""A hand's own answers where no rule's test asks."""

from __future__ import annotations

import pytest

from ofc.board import Board
from ofc.cards import DECK, parse_cards
from ofc.dealing import Deal
from ofc.errors import IllegalCommandError
from ofc.hand import all_placements, left_over
from ofc.scoring import Seat
from tests.tables import PLAIN_A, PLAIN_B, QUEENS, Game, towards


def test_a_seat_that_is_not_in_the_hand_cannot_act() -> None:
    game = Game("pineapple", seats=2)
    game.deal(1)
    with pytest.raises(IllegalCommandError) as caught:
        game.place(5, [])
    assert caught.value.code == "seat-not-dealt-in"


def test_a_fantasyland_board_is_unseen_by_the_others() -> None:
    game = Game("tournament", seats=2)
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.deal_boards({0: PLAIN_B, 1: QUEENS})
    dealt = set(game.hand.holding(Seat(1)).dealt)
    game.place(1, towards(game.hand, Seat(1), Board.parse(QUEENS)))
    assert dealt <= game.hand.unseen_by(Seat(0))
    assert not dealt & game.hand.unseen_by(Seat(1))
    assert len(game.hand.unseen_by(Seat(0))) == len(DECK) - len(game.hand.holding(Seat(0)).dealt)


def test_how_many_cards_are_to_be_placed() -> None:
    game = Game("pineapple", seats=2)
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.deal(1)
    assert [game.hand.to_place(Seat(0)), game.hand.to_place(Seat(1))] == [0, 13]
    assert game.hand.deals[0] == Deal(Seat(1), 0, 0, 14)


def test_what_is_left_over_keeps_the_order_of_the_deal() -> None:
    assert left_over(parse_cards("2c Kh 3d"), ()) == parse_cards("2c Kh 3d")


def test_placements_go_bottom_first_and_leave_out_the_last_card_first() -> None:
    game = Game("pineapple", seats=2)
    game.deal(1)
    first = all_placements(game.hand.holding(Seat(1)).board, parse_cards("2c Kh 3d"), 2)[0]
    assert [(str(card), str(row)) for card, row in first] == [("2c", "bottom"), ("Kh", "bottom")]
