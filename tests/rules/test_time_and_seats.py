"""R-TIME-1 and R-SEAT-1: slow players, and players who come and go."""

import pytest

from ofc.board import Board, Placement, Row
from ofc.cards import DECK, parse_cards
from ofc.clock import Millis, ThinkingTime
from ofc.errors import IllegalCommandError
from ofc.events import CardsPlaced, MatchEnd, Player
from ofc.scoring import Seat
from ofc.table import Leave, Return, Sit, StartMatch
from ofc.view import view_for
from tests.tables import PLAIN_A, PLAIN_B, PLAIN_C, QUEENS, Game, stacked_deck, towards


def last_placed(game: Game) -> CardsPlaced:
    return game.hand.log[-1]


def play_to_last_street(game: Game, boards: dict[int, str]) -> None:
    """Play towards the boards until seat 1 holds its last street's cards."""
    while game.hand.to_act[0] != 1 or game.hand.holding(Seat(1)).street < 5:
        seat = game.hand.to_act[0]
        game.place(seat, towards(game.hand, seat, Board.parse(boards[seat])))


def test_a_deadline_is_a_moment() -> None:
    """R-TIME-1: how long a street and a Fantasyland may take."""
    time = ThinkingTime(street_ms=20_000, fantasyland_ms=90_000)
    assert time.deadline(Millis(5), fantasyland=False) == 20_005
    assert time.deadline(Millis(5), fantasyland=True) == 90_005


def test_nobody_is_fouled_for_being_slow() -> None:
    """R-TIME-1: a player who never moves still gets a board, scored as any other."""
    game = Game("pineapple", seats=2)
    game.deal_boards({0: PLAIN_A, 1: PLAIN_B})
    while game.table.is_playing:
        seat = game.hand.to_act[0]
        if seat == 1:
            game.expire(1)
        else:
            game.place(0, towards(game.hand, seat, Board.parse(PLAIN_A)))
    assert game.hand.holding(Seat(1)).board.is_complete
    assert not game.settled.settlement.players[1].fouled


def test_a_complete_arrangement_is_confirmed() -> None:
    """R-TIME-1: as the player's own, neither forced nor away."""
    game = Game("pineapple", seats=2)
    game.deal(1)
    arrangement = tuple(Placement(card, Row.MIDDLE) for card in game.hand.holding(Seat(1)).dealt)
    game.expire(1, arrangement)
    assert last_placed(game).placements == arrangement
    assert not last_placed(game).forced
    assert not game.table.seats[1].away


def test_an_incomplete_arrangement_gives_way_to_bottom_middle_top_in_dealt_order() -> None:
    """R-TIME-1: and the last card is discarded."""
    game = Game("pineapple", seats=2)
    game.deal(1)
    dealt = game.hand.holding(Seat(1)).dealt
    game.expire(1, [Placement(dealt[0], Row.TOP)])
    assert last_placed(game).placements == tuple(Placement(card, Row.BOTTOM) for card in dealt)
    game.place(0, [Placement(card, Row.BOTTOM) for card in game.hand.holding(Seat(0)).dealt])
    first, second, third = game.hand.holding(Seat(1)).dealt
    game.expire(1)
    assert last_placed(game).placements == (Placement(first, Row.MIDDLE), Placement(second, Row.MIDDLE))
    assert last_placed(game).discards == (third,)


def test_cards_go_elsewhere_where_the_plain_way_fouls_and_another_does_not() -> None:
    """R-TIME-1"""
    game = Game("pineapple", seats=2)
    # On the last street 7c would go to the middle, and a third king on top: over aces, a foul.
    target = "Kh Ks 2h / Ac Ad 3c 5c 7c / Qc Qd Qh 8h Th"
    deck = list(stacked_deck(game.table, {0: Board.parse(PLAIN_A), 1: Board.parse(target)}))
    first = sum(5 if street == 0 else 3 for street in range(4)) * 2
    wanted = parse_cards("7c Kd 2h")
    for place, card in enumerate(wanted, start=first):
        other = deck.index(card)
        deck[place], deck[other] = deck[other], deck[place]
    game.deal(deck)
    assert sorted(deck) == list(DECK)
    held = Board.parse("Kh Ks - / Ac Ad 3c 5c - / Qc Qd Qh 8h Th".replace(" -", ""))
    while game.hand.holding(Seat(1)).street < 5:
        seat = game.hand.to_act[0]
        game.place(seat, towards(game.hand, seat, Board.parse(PLAIN_A) if seat == 0 else held))
    assert game.hand.holding(Seat(1)).dealt == wanted
    game.expire(1)
    assert last_placed(game).placements == (Placement(wanted[0], Row.MIDDLE), Placement(wanted[2], Row.TOP))
    assert last_placed(game).discards == (wanted[1],)
    assert last_placed(game).forced


def test_where_every_placement_fouls_the_plain_way_stands() -> None:
    """R-TIME-1"""
    game = Game("pineapple", seats=2)
    boards = {0: PLAIN_A, 1: "Qd Qh 2s / 3c 5d 7h 8s Th / Ad Ac As Kh Ks"}
    game.deal_boards(boards)
    play_to_last_street(game, boards)
    game.expire(1)
    placed = last_placed(game)
    assert [row for _, row in placed.placements] == [Row.TOP, Row.TOP]
    assert placed.discards == game.hand.log[-1].discards


def test_fantasyland_is_set_as_the_house_sets_it() -> None:
    """R-TIME-1: a setting that is not one of 13 of the cards is refused."""
    game = Game("pineapple", seats=2)
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.deal_boards({0: PLAIN_A, 1: QUEENS})
    house = towards(game.hand, Seat(1), Board.parse(QUEENS))
    with pytest.raises(IllegalCommandError, match="place 13 cards, not 0"):
        game.expire(1)
    game.expire(1, house[:5], house)
    assert last_placed(game).placements == house
    assert last_placed(game).forced


def test_a_complete_fantasyland_arrangement_is_confirmed() -> None:
    """R-TIME-1"""
    game = Game("pineapple", seats=2)
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    game.deal_boards({0: PLAIN_A, 1: QUEENS})
    game.expire(1, towards(game.hand, Seat(1), Board.parse(QUEENS)))
    assert not last_placed(game).forced


def test_a_forced_placement_is_marked_and_the_player_away_until_they_return() -> None:
    """R-TIME-1: through later streets, later hands and a rematch."""
    game = Game("pineapple", seats=2, hands=1)
    game.deal_boards({0: PLAIN_A, 1: PLAIN_B})
    game.expire(1)
    view = view_for(game.table, Seat(0))
    assert view.log[0].forced
    assert [seat.away for seat in view.seats] == [False, True]
    while game.table.is_playing:
        seat = game.hand.to_act[0]
        game.expire(seat) if seat == 1 else game.place(0, towards(game.hand, seat, Board.parse(PLAIN_A)))
    assert game.table.match_end is MatchEnd.HANDS
    game.do(StartMatch(game.now))
    assert game.table.seats[1].away
    game.deal(2)
    assert game.table.seats[1].away
    game.do(Return(Seat(1), game.now))
    assert [state.away for state in game.table.seats] == [False, False]
    assert game.do(Return(Seat(1), game.now)) == ()


def test_players_join_and_leave_between_hands_only() -> None:
    """R-SEAT-1"""
    game = Game("pineapple", seats=3)
    game.deal(1)
    with pytest.raises(IllegalCommandError, match="a hand is under way"):
        game.do(Leave(Seat(0), game.now))
    with pytest.raises(IllegalCommandError, match="a hand is under way"):
        game.do(Sit(Seat(0), Player("Eva"), game.now))
    while game.table.is_playing:
        game.expire(game.hand.to_act[0])
    game.do(Leave(Seat(0), game.now))
    game.play_boards({1: PLAIN_A, 2: PLAIN_B})
    assert list(game.hand.seats) == [1, 2]
    game.do(Sit(Seat(0), Player("Eva"), game.now))
    game.play_boards({0: PLAIN_C, 1: PLAIN_A, 2: PLAIN_B})
    assert list(game.hand.seats) == [0, 1, 2]


def test_leaving_gives_up_ones_own_fantasyland() -> None:
    """R-SEAT-1: coming back does not bring it back."""
    game = Game("pineapple", seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    game.do(Leave(Seat(2), game.now))
    game.do(Sit(Seat(2), Player("Cato"), game.now))
    game.deal(1)
    assert game.hand.started.fantasyland == (0, 0, 0)


def test_leaving_does_not_end_an_opponents_fantasyland() -> None:
    """R-SEAT-1: the hand is played on."""
    game = Game("pineapple", seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    game.do(Leave(Seat(0), game.now))
    game.deal(1)
    assert (game.hand.seats, game.hand.started.fantasyland) == ((1, 2), (0, 14))


def test_giving_up_the_fantasyland_that_a_match_went_on_for_ends_it() -> None:
    """R-SEAT-1"""
    game = Game("pineapple", seats=3, hands=1)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    assert game.table.match_end is None
    game.do(Leave(Seat(2), game.now))
    assert game.table.match_end is MatchEnd.HANDS
