"""R-FL-2, R-FL-3, R-FL-7: how a Fantasyland hand is dealt and played, and where the button goes."""

from dataclasses import replace

import pytest

from ofc.board import Board
from ofc.errors import IllegalCommandError
from ofc.events import CardsDealt, CardsPlaced
from ofc.rules import ButtonRule, RuleSet
from ofc.rulesets import get_rules
from ofc.scoring import Seat
from ofc.view import view_for
from tests.tables import FOULED, KINGS, PLAIN_A, PLAIN_B, QUADS, QUEENS, TRIPS, Game, towards

TREYS = "2h 2s 2d / 3h 4h 5c 6d 7d / 6s 7s 8s Ts Qs"
"""Three deuces over a straight and a flush, with no card of `PLAIN_A`."""
KINGS_TOO = "Kc Kd 2d / As Ah 3d 4d 6h / Jc Jd Js 8c 9c"
"""Kings over aces, with no card of `QUEENS`."""
TRIPS_OF_KINGS = "Kd Kh Ks / Ac Ad As Th Jh / 9h 9s 8d 8h 9d"
"""No card of `TREYS`."""
LOW = "2c 3d 5h / 4c 4d 6h 7c 8c / 9c Tc Td Js Kc"
"""A pair of tens at the bottom; no card of the two above."""


def in_fantasyland(rules: str, board: str = QUEENS) -> Game:
    """A game of three after a hand in which seat 2 made `board`."""
    game = Game(rules, seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: board})
    return game


@pytest.mark.parametrize(("board", "count"), [(QUEENS, 14), (KINGS, 15), (TRIPS, 17)])
def test_all_cards_come_at_once_13_are_placed_the_rest_discarded(board: str, count: int) -> None:
    """R-FL-2"""
    game = in_fantasyland("ultimate", board)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUADS})
    dealt = [event for event in game.hand_events if isinstance(event, CardsDealt) and event.seat == 2]
    placed = [event for event in game.hand_events if isinstance(event, CardsPlaced) and event.seat == 2]
    assert [len(event.cards) for event in dealt] == [count]
    assert [(len(event.placements), len(event.discards)) for event in placed] == [(13, count - 13)]


def test_fantasyland_is_scored_and_fouled_as_any_hand() -> None:
    """R-FL-2: the same foul, score and royalty rules."""
    regular = in_fantasyland("ultimate", TRIPS)
    first = regular.settled.settlement
    again = regular.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: TRIPS}).settlement
    assert [player.points for player in again.players] == [player.points for player in first.players]
    fouled = regular.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: FOULED}).settlement.players[2]
    assert (fouled.fouled, fouled.points, fouled.fantasyland_next) == (True, -12, 0)


def test_fantasyland_discards_lie_face_down() -> None:
    """R-FL-2"""
    game = in_fantasyland("tournament", TRIPS)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUADS})
    shown = view_for(game.table, Seat(0)).seats[2]
    assert (shown.discarded, shown.discards) == (4, None)


@pytest.mark.parametrize("rules", ["ultimate", "pineapple", "progressive", "classic"])
def test_in_ultimate_fantasyland_sets_before_anyone_else_acts(rules: str) -> None:
    """R-FL-3"""
    game = in_fantasyland(rules)
    game.deal_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    assert game.hand.to_act == (2,)
    assert [event.seat for event in game.hand_events if isinstance(event, CardsDealt)] == [2]
    with pytest.raises(IllegalCommandError, match="not your turn"):
        game.place(0, [])
    game.place(2, towards(game.hand, Seat(2), Board.parse(QUEENS)))
    assert game.hand.to_act == (0,) if game.hand.button == 2 else (2,)


@pytest.mark.parametrize("rules", ["tournament", "casual", "casual-progressive"])
def test_in_tournament_fantasyland_sets_alongside_and_at_the_latest_when_the_others_are_done(rules: str) -> None:
    """R-FL-3"""
    game = in_fantasyland(rules)
    game.deal_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    boards = [Board.parse(PLAIN_A), Board.parse(PLAIN_B), Board.parse(QUEENS)]
    assert game.hand.to_act == (1, 2)
    while others := [seat for seat in game.hand.to_act if seat != 2]:
        game.place(others[0], towards(game.hand, others[0], boards[others[0]]))
    assert list(game.hand.to_act) == [2]
    assert not game.table.settled
    game.place(2, towards(game.hand, Seat(2), boards[2]))
    assert game.table.settled


def test_alongside_fantasyland_may_set_at_any_moment() -> None:
    """R-FL-3"""
    game = in_fantasyland("tournament")
    game.deal_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    game.place(1, towards(game.hand, Seat(1), Board.parse(PLAIN_B)))
    game.place(2, towards(game.hand, Seat(2), Board.parse(QUEENS)))
    assert game.hand.to_act == (0,)


@pytest.mark.parametrize("rules", ["pineapple", "tournament"])
def test_several_can_be_in_fantasyland_at_once(rules: str) -> None:
    """R-FL-3: two set in any order, then (or meanwhile) the third plays."""
    game = Game(rules, seats=3)
    game.play_boards({0: LOW, 1: TREYS, 2: TRIPS_OF_KINGS})
    assert [state.owed for state in game.table.seats] == [0, 17, 17]
    game.deal(3)
    assert set(game.hand.to_act) == ({1, 2} if rules == "pineapple" else {0, 1, 2})
    for seat in (2, 1):
        dealt = game.hand.holding(Seat(seat)).dealt
        assert len(dealt) == 17
        game.place(seat, towards(game.hand, Seat(seat), Board(dealt[:3], dealt[3:8], dealt[8:13])))
    assert game.hand.to_act == (0,)


def test_all_can_be_in_fantasyland_at_once() -> None:
    """R-FL-3: then nobody plays streets."""
    game = Game("pineapple", seats=2)
    game.play_boards({0: QUEENS, 1: KINGS_TOO})
    assert [state.owed for state in game.table.seats] == [14, 15]
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    assert [entry.street for entry in game.hand.log] == [0, 0]


def buttons(rules: RuleSet) -> list[int]:
    """The button in a regular hand that earns Fantasyland, two Fantasyland hands of which the first earns the
    second, and two regular hands."""
    game = Game(rules, seats=3)
    seen: list[int] = []
    for boards in (
        {0: PLAIN_A, 1: PLAIN_B, 2: QUEENS},
        {0: QUEENS, 1: PLAIN_B, 2: PLAIN_A},
        {0: PLAIN_A, 1: PLAIN_B, 2: FOULED},
        {0: PLAIN_A, 1: PLAIN_B, 2: FOULED},
        {0: PLAIN_A, 1: PLAIN_B, 2: FOULED},
    ):
        game.play_boards(boards)
        seen.append(game.hand.button)
    return seen


@pytest.mark.parametrize("rules", ["ultimate", "pineapple", "progressive"])
def test_under_ultimate_the_button_stays_after_a_fantasyland_hand(rules: str) -> None:
    """R-FL-7: buttons 0, 1, 1, 1, 2."""
    assert buttons(get_rules(rules)) == [0, 1, 1, 1, 2]


@pytest.mark.parametrize("rules", ["tournament", "casual", "casual-progressive"])
def test_under_tournament_the_button_stays_after_a_hand_that_earned_fantasyland(rules: str) -> None:
    """R-FL-7: buttons 0, 0, 0, 1."""
    assert buttons(get_rules(rules))[:4] == [0, 0, 0, 1]


@pytest.mark.parametrize("rules", ["ultimate", "tournament"])
def test_an_option_moves_the_button_after_every_hand(rules: str) -> None:
    """R-FL-7"""
    assert buttons(replace(get_rules(rules), id="own", button=ButtonRule.ALWAYS)) == [0, 1, 2, 0, 1]


def test_under_ultimate_the_button_stays_while_a_player_stays() -> None:
    """R-FL-7, R-FL-4: staying is a Fantasyland hand again."""
    game = in_fantasyland("ultimate")
    seen = []
    for board in (QUADS, TRIPS, FOULED, FOULED):
        game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: board})
        seen.append((game.hand.started.fantasyland[2], game.hand.button))
    assert seen == [(14, 1), (14, 1), (14, 1), (0, 1)]
    assert game.table.button == 2
