"""A table's commands and states that no rule's test shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ofc import table as tables
from ofc.board import Placement, Row
from ofc.cards import DECK
from ofc.clock import Millis
from ofc.errors import IllegalCommandError
from ofc.events import HandAbandoned, MatchEnd, MatchEnded, Player, PlayerLeft, TableOpened
from ofc.hand import Place
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Seat
from ofc.table import DealHand, EndMatch, Leave, Return, SetPrice, Sit, StartMatch, TableCommand, open_table
from ofc.view import Phase, view_for
from tests.tables import PLAIN_A, PLAIN_B, PLAIN_C, Game

NOW = Millis(0)
OPENED = TableOpened(get_rules("ultimate"), 3, 24, None, None, Seat(0), seeded=False, at=NOW)


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"seats": 2, "button": Seat(2)}, ["seats-count", "button-unknown"]),
        ({"hands": 0}, ["hands-count"]),
        ({"hands": 1001, "stack": Chips(5)}, ["hands-count", "money-incomplete"]),
        ({"price": Chips(0)}, ["money-incomplete", "price-invalid"]),
        ({"stack": Chips(0), "price": Chips(-1)}, ["stack-invalid", "price-invalid"]),
        ({"button": Seat(-1)}, ["button-unknown"]),
    ],
)
def test_a_table_that_cannot_be_opened_tells_every_reason(change: dict[str, Any], codes: list[str]) -> None:
    with pytest.raises(IllegalCommandError) as caught:
        open_table(replace(OPENED, **change))
    assert [fault.code for fault in caught.value.faults] == codes


def code_of(game: Game, command: TableCommand) -> str:
    before = game.table
    with pytest.raises(IllegalCommandError) as caught:
        game.do(command)
    assert game.table is before
    return caught.value.code


def test_commands_out_of_place_are_refused() -> None:
    game = Game("tournament", seats=3, money=(100, 10))
    eva = Player("Eva")
    assert code_of(game, Place(Seat(0), (), None, NOW)) == "no-hand"
    assert code_of(game, StartMatch(NOW)) == "match-running"
    assert code_of(game, Sit(Seat(3), eva, NOW)) == "seat-unknown"
    assert code_of(game, Sit(Seat(-1), eva, NOW)) == "seat-unknown"
    assert code_of(game, Sit(Seat(0), eva, NOW)) == "seat-taken"
    assert code_of(game, Leave(Seat(3), NOW)) == "seat-empty"
    assert code_of(game, Return(Seat(-1), NOW)) == "seat-empty"
    assert code_of(game, SetPrice(Chips(0), NOW)) == "price-invalid"
    assert code_of(game, DealHand(DECK[1:], NOW)) == "deck-invalid"
    game.deal(1)
    assert code_of(game, DealHand(DECK, NOW)) == "hand-running"
    game.do(EndMatch(NOW))
    assert code_of(game, EndMatch(NOW)) == "match-over"
    assert code_of(game, DealHand(DECK, NOW)) == "match-over"
    assert code_of(game, Place(Seat(0), (), None, NOW)) == "no-hand"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name-length"),
        ("x" * 21, "name-length"),
        ("a\nb", "name-unreadable"),
        (" Eva", "name-unreadable"),
        ("   ", "name-unreadable"),
        ("anna", "name-taken"),
    ],
)
def test_a_name_is_one_of_its_own_in_one_line(name: str, code: str) -> None:
    game = Game("pineapple", seats=3)
    game.do(Leave(Seat(2), NOW))
    assert code_of(game, Sit(Seat(2), Player(name), NOW)) == code


def test_too_few_players_are_not_dealt_to() -> None:
    game = Game("ultimate")
    game.do(Leave(Seat(2), NOW))
    assert code_of(game, DealHand(DECK, NOW)) == "seats-count"
    assert game.table.match_end is None


def test_a_match_that_is_ended_abandons_the_hand_under_way() -> None:
    game = Game("pineapple", seats=2)
    game.play_boards({0: PLAIN_C, 1: PLAIN_A})
    game.deal(2)
    events = game.do(EndMatch(NOW))
    assert events == (HandAbandoned(NOW), MatchEnded(MatchEnd.ENDED, NOW))
    view = view_for(game.table, Seat(0))
    assert (view.phase, view.result, view.hand, view.street) == (Phase.OVER, None, 1, 0)
    assert [seat.standing for seat in view.seats] == [2, -2]
    assert game.table.hands_played == 1


def test_a_rematch_starts_at_zero_with_the_same_players_and_the_next_button() -> None:
    game = Game("pineapple", seats=3)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B, 2: PLAIN_C})
    game.do(Leave(Seat(1), NOW))
    assert game.do(EndMatch(NOW)) == (MatchEnded(MatchEnd.ENDED, NOW),)
    game.do(StartMatch(NOW))
    assert [state.player and state.player.name for state in game.table.seats] == ["Anna", None, "Cato"]
    assert [state.history for state in game.table.seats] == [(0,), (0,), (0,)]
    assert (game.table.button, game.table.hands_played, game.table.hand) == (1, 0, None)
    game.deal(1)
    assert game.hand.button == 2


def test_leaving_after_the_match_changes_nothing_else() -> None:
    game = Game("pineapple", seats=2, hands=1)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    assert game.table.match_end is MatchEnd.HANDS
    assert game.do(Leave(Seat(0), NOW)) == (PlayerLeft(Seat(0), NOW),)


def test_a_match_ends_after_its_hands() -> None:
    game = Game("pineapple", seats=2, hands=2)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    assert view_for(game.table, None).phase is Phase.SHOWDOWN
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    assert game.table.match_end is MatchEnd.HANDS
    assert len(game.table.seats[0].history) == 3


def test_events_out_of_their_order_are_a_mistake_of_the_program() -> None:
    game = Game("pineapple", seats=2)
    game.play_boards({0: PLAIN_A, 1: PLAIN_B})
    with pytest.raises(TypeError, match="at least one event"):
        tables.replay(())
    with pytest.raises(TypeError, match="begins with TableOpened"):
        tables.apply(None, PlayerLeft(Seat(0), NOW))
    with pytest.raises(TypeError, match="settled after it started"):
        tables.apply(replace(game.table, hand=None), game.settled)
    dealt = game.hand_events[1]
    with pytest.raises(TypeError, match="begins with HandStarted"):
        tables.apply(replace(game.table, hand=None), dealt)


def test_a_card_placed_twice_is_told_of_each_place() -> None:
    game = Game("pineapple", seats=2)
    game.deal(1)
    dealt = game.hand.holding(Seat(1)).dealt
    cards = [dealt[0], dealt[0], *dealt[1:4]]
    with pytest.raises(IllegalCommandError) as caught:
        game.place(1, [Placement(card, Row.BOTTOM) for card in cards])
    told = [(fault.code, fault.field, fault.row) for fault in caught.value.faults]
    assert told == [("card-twice", f"placements[{n}].card", "bottom") for n in (0, 1)]
    stranger = next(card for card in DECK if card not in dealt)
    with pytest.raises(IllegalCommandError) as caught:
        game.place(1, [Placement(stranger, Row.TOP)] * 4)
    codes = {fault.code for fault in caught.value.faults}
    assert codes == {"card-not-yours", "card-twice", "row-overfull", "placements-count"}
