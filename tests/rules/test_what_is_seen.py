"""R-SEE: what a seat and a spectator see, and when."""

import random

import pytest

from ofc.board import Board
from ofc.errors import IllegalCommandError
from ofc.events import Player
from ofc.hand import left_over
from ofc.scoring import Seat
from ofc.table import Leave, Sit
from ofc.view import Phase, view_for
from tests.tables import PLAIN_A, PLAIN_B, PLAIN_C, QUEENS, Game, any_placements, cards_shown, towards


def played_to_street(street: int, rules: str = "pineapple") -> Game:
    game = Game(rules, seats=3)
    game.deal(5)
    generator = random.Random(5)
    while game.hand.holding(game.hand.to_act[0]).street < street:
        seat = game.hand.to_act[0]
        game.place(seat, any_placements(game.hand, seat, generator))
    return game


def test_placed_cards_are_public_and_all_else_is_hidden() -> None:
    """R-SEE-1"""
    game = played_to_street(3)
    placed = {card for holding in game.hand.holdings for card in holding.board.cards}
    assert cards_shown(view_for(game.table, None)) == placed
    for seat, holding in zip(game.hand.seats, game.hand.holdings, strict=True):
        seen = cards_shown(view_for(game.table, seat))
        assert seen == placed | {*holding.dealt, *holding.discards}


def test_own_discards_are_shown_to_their_owner_alone() -> None:
    """R-SEE-1"""
    game = played_to_street(4)
    for seat in game.hand.seats:
        for viewer in (*game.hand.seats, None):
            shown = view_for(game.table, viewer).seats[seat]
            assert shown.discarded == len(game.hand.holding(seat).discards)
            assert shown.discards == (game.hand.holding(seat).discards if viewer == seat else None)


@pytest.mark.parametrize("rules", ["pineapple", "tournament"])
def test_a_fantasyland_board_is_hidden_until_the_showdown(rules: str) -> None:
    """R-SEE-1"""
    game = Game(rules, seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    game.deal_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    hidden = game.hand.holding(Seat(2)).dealt
    game.place(2, towards(game.hand, Seat(2), Board.parse(QUEENS)))
    for viewer in (Seat(0), Seat(1), None):
        view = view_for(game.table, viewer)
        assert not cards_shown(view) & set(hidden)
        assert view.seats[2].board is None
        assert view.seats[2].rows is None
        assert (view.seats[2].placed, view.log[0].placements, view.log[0].hidden) == (13, (), True)
    assert view_for(game.table, Seat(2)).seats[2].board == game.hand.holding(Seat(2)).board
    while game.table.is_playing:
        seat = game.hand.to_act[0]
        game.place(seat, towards(game.hand, seat, Board.parse([PLAIN_A, PLAIN_B][seat])))
    view = view_for(game.table, None)
    assert view.phase is Phase.SHOWDOWN
    assert view.seats[2].board == game.hand.holding(Seat(2)).board
    assert not view.log[0].hidden


def test_ultimate_shows_every_discard_in_order_after_the_showdown() -> None:
    """R-SEE-2"""
    game = Game("ultimate")
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    for viewer in (Seat(0), None):
        for seat, shown in enumerate(view_for(game.table, viewer).seats):
            assert shown.discards == game.hand.holding(Seat(seat)).discards
            assert shown.discards == tuple(
                card for entry in game.hand.log if entry.seat == seat for card in entry.discards
            )


@pytest.mark.parametrize("rules", ["tournament", "casual"])
def test_tournament_and_casual_never_show_discards_to_others(rules: str) -> None:
    """R-SEE-2"""
    game = Game(rules, seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: PLAIN_C})
    for viewer in (*game.hand.seats, None):
        for seat, shown in enumerate(view_for(game.table, viewer).seats):
            assert shown.discards == (game.hand.holding(Seat(seat)).discards if viewer == seat else None)


def test_a_newcomer_does_not_see_the_cards_of_who_sat_there_before() -> None:
    """R-SEE-1, R-SEE-2: sitting down at a showdown gives no right to the discards of the hand that is shown."""
    game = Game("tournament", seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: PLAIN_C})
    discards = set(game.hand.holding(Seat(1)).discards)
    game.do(Leave(Seat(1), game.now))
    game.do(Sit(Seat(1), Player("Eva"), game.now))
    view = view_for(game.table, Seat(1))
    assert not cards_shown(view) & discards
    assert view.seats[1].discards is None
    assert view.seats[1].placed == 0
    game.deal(3)
    assert view_for(game.table, Seat(1)).cards == game.hand.holding(Seat(1)).dealt


def test_what_is_not_placed_is_discarded_in_dealt_order_unless_said_otherwise() -> None:
    """R-SEE-2: the order of discards is the player's to choose; without a word it is that of the deal."""
    game = Game("pineapple", seats=2)
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.deal(7)
    holding = game.hand.holding(Seat(1))
    placements = any_placements(game.hand, Seat(1), random.Random(1))
    over = left_over(holding.dealt, placements)
    with pytest.raises(IllegalCommandError, match="must be the cards that are not placed"):
        game.place(1, placements, holding.dealt[:1])
    game.place(1, placements, over[::-1])
    assert game.hand.holding(Seat(1)).discards == over[::-1]
