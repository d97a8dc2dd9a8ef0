"""R-CHIP-4 to R-CHIP-6: out of chips, the price that waits, Fantasyland that lapses."""

from dataclasses import replace

import pytest

from ofc.errors import IllegalCommandError
from ofc.events import MatchEnd, Player
from ofc.rules import LoneFantasyland
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Seat
from ofc.table import Leave, SetPrice, Sit, StartMatch
from ofc.view import SeatPhase, view_for
from tests.tables import FOULED, KINGS, PLAIN_A, PLAIN_B, PLAIN_C, QUEENS, TRIPS, Game


def stacks(game: Game) -> list[int | None]:
    return [state.stack for state in game.table.seats]


def set_price(game: Game, price: int) -> None:
    game.do(SetPrice(Chips(price), game.now))


def test_without_chips_a_player_is_out() -> None:
    """R-CHIP-4: no more cards are dealt to them, and the button passes them by."""
    game = Game("tournament", seats=3, money=(100, 10))
    game.play_boards({0: PLAIN_B, 1: PLAIN_A, 2: FOULED})
    assert stacks(game)[2] == 0
    assert view_for(game.table, None).seats[2].state is SeatPhase.OUT
    assert game.table.button == 1
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    assert game.hand.seats == (0, 1)
    assert game.table.button == 0
    assert sum(stack or 0 for stack in stacks(game)) == 300


def test_a_match_ends_when_too_few_have_chips() -> None:
    """R-CHIP-4: `ultimate` needs three."""
    game = Game("ultimate", money=(100, 10))
    game.play_boards({0: PLAIN_B, 1: PLAIN_A, 2: FOULED})
    assert game.table.match_end is MatchEnd.CHIPS
    assert view_for(game.table, None).seats[2].state is SeatPhase.OUT


def test_of_two_out_in_one_hand_the_larger_stack_at_its_start_places_higher() -> None:
    """R-CHIP-4"""
    game = Game("tournament", seats=3, money=(100, 1))
    game.play_boards({0: PLAIN_B, 1: PLAIN_A, 2: FOULED})
    _, second, third = stacks(game)
    assert second is not None
    assert third is not None
    assert second > third > 0
    set_price(game, 1_000)
    game.play_boards({0: TRIPS, 1: PLAIN_A, 2: PLAIN_B})
    assert stacks(game) == [300, 0, 0]
    match = view_for(game.table, None).match
    assert match is not None
    assert match.places == (1, 2, 3)


def test_equal_stacks_out_in_one_hand_share_the_place() -> None:
    """R-CHIP-4"""
    game = Game("tournament", seats=3, money=(100, 1_000))
    game.play_boards({0: TRIPS, 1: PLAIN_A, 2: PLAIN_B})
    match = view_for(game.table, None).match
    assert match is not None
    # The button is paid by both, the first of them with 100, the second likewise.
    assert (stacks(game), match.places) == ([300, 0, 0], (1, 2, 2))


def test_who_went_out_later_places_higher() -> None:
    """R-CHIP-4"""
    game = Game("tournament", seats=3, money=(100, 10))
    game.play_boards({0: PLAIN_B, 1: PLAIN_A, 2: FOULED})
    set_price(game, 1_000)
    game.play_boards({0: PLAIN_C, 1: PLAIN_A})
    match = view_for(game.table, None).match
    assert match is not None
    assert match.places == (1, 2, 3)


def test_a_newcomer_who_goes_out_later_places_higher_than_who_was_there_before() -> None:
    """R-CHIP-4"""
    game = Game("tournament", seats=3, money=(100, 10))
    game.do(Leave(Seat(2), game.now))
    game.play_boards({0: PLAIN_A, 1: FOULED})
    game.do(Sit(Seat(2), Player("Dee"), game.now))
    game.play_boards({0: PLAIN_A, 1: FOULED, 2: PLAIN_B})
    assert [state.is_out for state in game.table.seats] == [False, True, False]
    set_price(game, 1_000)
    game.play_boards({0: PLAIN_A, 2: FOULED})
    match = view_for(game.table, None).match
    assert match is not None
    assert match.places == (1, 3, 2)


def test_the_tournament_pages_example() -> None:
    """R-CHIP-5: 100, 100, 100, then 200 and the button moves."""
    game = Game("tournament", seats=2, money=(100_000, 100), names=("Anna", "Bo"))
    anna, bo = 0, 1
    prices, buttons = [], []

    def play(boards: dict[int, str]) -> None:
        game.play_boards(boards)
        prices.append(game.hand.started.price)
        buttons.append(game.hand.button)

    play({anna: PLAIN_A, bo: QUEENS})
    set_price(game, 200)  # the level changes while Bo's queens are scored
    assert (game.table.price, game.table.price_next) == (100, 200)
    play({anna: KINGS, bo: PLAIN_A})
    play({anna: PLAIN_A, bo: PLAIN_B})
    play({anna: PLAIN_A, bo: PLAIN_B})
    assert prices == [100, 100, 100, 200]
    assert buttons == [0, 0, 0, 1]
    assert game.table.price_next is None


@pytest.mark.parametrize("rules", ["ultimate", "casual", "progressive"])
def test_at_any_table_a_new_price_waits_until_no_fantasyland_is_pending(rules: str) -> None:
    """R-CHIP-5"""
    game = Game(rules, seats=3, money=(100_000, 1))
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: QUEENS})
    set_price(game, 5)
    view = view_for(game.table, None)
    assert (view.price, view.price_next) == (1, 5)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: FOULED})
    assert game.hand.started.price == 1
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: FOULED})
    assert game.hand.started.price == 5


def test_a_price_set_during_a_hand_counts_from_the_next() -> None:
    """R-CHIP-5: a hand is paid at the price it was dealt at."""
    game = Game("tournament", seats=2, money=(1_000, 10))
    game.deal_boards({0: PLAIN_C, 1: PLAIN_A})
    set_price(game, 20)
    set_price(game, 30)
    set_price(game, 10)
    assert game.table.price_next is None
    set_price(game, 20)
    assert game.hand.started.price == 10
    assert game.table.price == 10


def test_a_rematch_starts_at_the_opening_price() -> None:
    """R-CHIP-5: full stacks again, so the first price again."""
    game = Game("tournament", seats=2, money=(100, 1))
    set_price(game, 1_000)
    game.play_boards({0: PLAIN_C, 1: PLAIN_A})
    assert game.table.match_end is MatchEnd.CHIPS
    game.do(StartMatch(game.now))
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    assert (game.hand.started.price, stacks(game)) == (1, [100, 100])


def test_fantasyland_lapses_where_no_opponent_is_left() -> None:
    """R-CHIP-6: and the player may then be moved."""
    game = Game("tournament", seats=2, money=(100, 1_000))
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    assert stacks(game) == [0, 200]
    assert game.settled.settlement.players[1].fantasyland_next == 14
    assert [state.owed for state in game.table.seats] == [0, 0]
    game.do(Leave(Seat(1), game.now))


def test_fantasyland_lapses_when_the_last_opponent_leaves() -> None:
    """R-CHIP-6"""
    game = Game("tournament", seats=2)
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    assert game.table.seats[1].owed == 14
    game.do(Leave(Seat(0), game.now))
    assert game.table.seats[1].owed == 0


def test_an_option_carries_fantasyland_to_the_next_table() -> None:
    """R-CHIP-6"""
    rules = replace(get_rules("tournament"), id="own", lone_fantasyland=LoneFantasyland.CARRIED)
    game = Game(rules, seats=2, money=(100, 1_000))
    game.play_boards({0: PLAIN_A, 1: QUEENS})
    assert [state.owed for state in game.table.seats] == [0, 14]


def test_who_is_out_is_owed_nothing() -> None:
    """R-CHIP-4, R-CHIP-6: a queens' top does not help one who lost their last chips with it."""
    game = Game("tournament", seats=2, money=(100, 1_000))
    game.play_boards({0: "Kc Kd 2d / As Ah 3d 4d 6h / Jc Jd Js 8c 9c", 1: QUEENS})
    assert game.settled.settlement.players[1].fantasyland_next == 14
    assert game.table.seats[1].stack == 0
    assert game.table.seats[1].owed == 0


def test_a_table_that_keeps_points_has_no_price() -> None:
    """R-CHIP-5"""
    game = Game("pineapple", seats=2)
    with pytest.raises(IllegalCommandError, match="keeps points"):
        set_price(game, 5)
