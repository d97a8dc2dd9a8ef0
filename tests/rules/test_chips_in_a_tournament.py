"""R-CHIP-2 to R-CHIP-6 and R-FL-7 in a tournament, on the pages' own examples."""

from dataclasses import replace

import pytest

from ofc.errors import IllegalCommandError
from ofc.rules import ButtonRule, LoneFantasyland, SettlementOrder
from ofc.rulesets import get_rules
from ofc.scoring import CappedBy, Chips, Points
from ofc.tournament import commands as do
from ofc.tournament.events import Action, HandSettled, Payment, PlayerId, TableNumber
from ofc.tournament.settling import PairPoints
from ofc.tournament.standings import standings
from ofc.tournament.structure import Break, Level
from tests.directors import TOURNAMENT, Director, at, levels

PLAIN = "9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h"
BOS_QUEENS = "Qc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c"
ANNAS_KINGS = "Kc Kh 4h / As Ah 9h 5h 2h / Tc 9d 8c 7d 6c"
BOS_NEXT = "Jc 8d 2s / Qs Qh 7s 6s 3d / Ac Jd 8s 6h 3h"


def test_bo_and_anna_r_chip_5() -> None:
    """R-CHIP-5, R-FL-7, the tournament page: 100, 100, 100, then 200 and the button moves."""
    floor = Director(*levels(100, 200), stack=100_000)
    floor.begin(2)
    anna, bo = 1, 2
    prices, buttons = [], []

    def play(boards: dict[int, str]) -> None:
        table = floor.table()
        prices.append(floor.state.price(table, floor.told.at)[0])
        buttons.append(table.button)
        floor.boards(boards)

    floor.wait(21)  # the level changes while Bo's QQ is scored
    play({anna: PLAIN, bo: BOS_QUEENS})
    assert floor.player(bo).owed == 14
    play({anna: ANNAS_KINGS, bo: BOS_NEXT})
    assert (floor.player(anna).owed, floor.player(bo).owed) == (15, 0)
    play({anna: PLAIN, bo: "Jc 9d 2d / Qs Qh 7h 6c 3c / Kc Jd 8s 7d 3s"})
    play({anna: PLAIN, bo: "Jc 9d 2d / Qs Qh 7h 6c 3c / Kc Jd 8s 7d 3s"})
    assert prices == [100, 100, 100, 200]
    assert buttons == [0, 0, 0, 1]


def test_a_break_and_a_skipped_level_do_not_touch_a_table_in_fantasyland_r_chip_5() -> None:
    floor = Director(Level(Chips(100), minutes=20), Break(10), Level(Chips(200), minutes=20), Level(Chips(300)))
    floor.begin(3)
    floor.points({1: 4, 2: -2, 3: -2}, {1: 14})
    floor.wait(35)
    floor.do(do.JumpTo(3))
    assert floor.state.price(floor.table(), floor.told.at) == (100, 0)
    floor.points({1: 1, 2: -1, 3: 0})
    assert floor.state.price(floor.table(), floor.told.at) == (300, 3)


def test_other_tables_go_on_at_the_clocks_price_r_chip_5() -> None:
    floor = Director()
    floor.begin(4)
    one, two = floor.sitting(1), floor.sitting(2)
    floor.points({one[0]: 1, one[1]: -1}, {one[0]: 16}, table=1)
    floor.wait(20)
    floor.points({two[0]: 1, two[1]: -1}, table=2)
    assert [floor.table(number).price for number in (1, 2)] == [100, 200]


def test_two_out_in_one_hand_r_chip_4() -> None:
    """R-CHIP-4 and case tn-018: 20 before 10, the winner has 70."""
    floor = Director(Level(Chips(10)), stack=70)
    floor.begin(3)
    floor.do(do.CorrectStack(PlayerId(2), Chips(20), "the case"))
    floor.do(do.CorrectStack(PlayerId(3), Chips(10), "the case"))
    floor.points({1: 8, 2: -5, 3: -3})
    assert [(one.place, one.player, one.stack) for one in standings(floor.state)] == [(1, 1, 100), (2, 2, 0), (3, 3, 0)]


def test_equal_stacks_share_the_place_r_chip_4() -> None:
    """R-CHIP-4 and case tn-014: two with equal stacks in one hand share place 2 of 3, that is 5 of 6 there."""
    floor = Director(Level(Chips(100)), stack=40)
    floor.begin(3)
    floor.points({1: 8, 2: -4, 3: -4})
    assert [(one.place, one.player) for one in standings(floor.state)] == [(1, 1), (2, 2), (2, 3)]


@pytest.mark.parametrize(
    ("order", "stacks"), [(SettlementOrder.LEFT_FIRST, [20, 5, 125]), (SettlementOrder.BUTTON_FIRST, [20, 0, 130])]
)
def test_the_order_of_the_pairs_is_the_events_choice_r_chip_3(order: SettlementOrder, stacks: list[int]) -> None:
    """R-CHIP-2, R-CHIP-3, the published case's stacks: in each pair the winner wins no more than their own stack."""
    floor = Director(Level(Chips(1)), stack=10, rules=replace(TOURNAMENT, id="own", settlement_order=order))
    floor.begin(3)
    button, left, right = floor.sitting()
    for player, stack in ((left, 5), (right, 10), (button, 135)):
        floor.do(do.CorrectStack(PlayerId(player), Chips(stack), "the case"))
    won = (
        PairPoints(PlayerId(left), PlayerId(right), Points(40)),
        PairPoints(PlayerId(left), PlayerId(button), Points(60)),
    )
    floor.do(replace(floor.hand({left: 100, right: -40, button: -60}), pairs=won))
    assert [floor.player(player).stack for player in (left, right, button)] == stacks


def test_every_payment_says_what_cut_it_r_chip_2() -> None:
    floor = Director(Level(Chips(100)), stack=500)
    floor.begin(2)
    entry = floor.points({1: 9, 2: -9})
    assert isinstance(entry, Action)
    hand = entry.events[0]
    assert isinstance(hand, HandSettled)
    assert hand.payments == (Payment(PlayerId(2), PlayerId(1), Points(9), Chips(500), CappedBy.LOSER),)


def test_a_lone_fantasyland_lapses_r_chip_6() -> None:
    floor = Director(Level(Chips(100)), stack=1000)
    floor.begin(4)
    winner, loser = floor.sitting(1)
    floor.points({winner: 20, loser: -20}, {winner: 17}, table=1)
    assert floor.player(winner).owed == 0
    assert not floor.state.is_frozen(TableNumber(1))
    floor.do(do.PlanMoves())
    assert floor.player(winner).at == at(2, 2)


def test_a_lone_fantasyland_is_carried_by_option_r_chip_6() -> None:
    rules = replace(TOURNAMENT, id="own", lone_fantasyland=LoneFantasyland.CARRIED)
    floor = Director(Level(Chips(100)), stack=1000, rules=rules)
    floor.begin(4)
    winner, loser = floor.sitting(1)
    floor.points({winner: 20, loser: -20}, {winner: 17}, table=1)
    assert floor.player(winner).owed == 17
    assert not floor.state.is_frozen(TableNumber(1))
    floor.do(do.PlanMoves())
    assert floor.player(winner).at == at(2, 2)
    assert floor.state.is_frozen(TableNumber(2))
    here = floor.sitting(2)
    floor.points({here[0]: 1, here[1]: -1}, table=2)  # under way when they came
    assert floor.player(winner).owed == 17


@pytest.mark.parametrize(
    ("rule", "buttons"),
    [
        (ButtonRule.AFTER_HAND_EARNING_NONE, [0, 0, 0, 1, 2]),
        (ButtonRule.AFTER_REGULAR_HAND, [0, 1, 1, 1, 2]),
        (ButtonRule.ALWAYS, [0, 1, 2, 0, 1]),
    ],
)
def test_the_button_r_fl_7(rule: ButtonRule, buttons: list[int]) -> None:
    """R-FL-7: a regular hand earning Fantasyland, two Fantasyland hands of which the first earns another, then none."""
    floor = Director(Level(Chips(1)), rules=replace(get_rules("tournament"), id="own", button=rule))
    floor.begin(3)
    seen = [floor.table().button]
    for fantasyland in ({1: 14}, {2: 15}, {}, {}):
        floor.points({1: 1, 2: -1, 3: 0}, fantasyland)
        seen.append(floor.table().button)
    assert seen == buttons


def test_the_button_passes_on_when_its_holder_goes() -> None:
    floor = Director(Level(Chips(100)), stack=1000)
    floor.begin(3)
    button, left, right = floor.sitting()
    floor.points({left: 10, right: 0, button: -10})
    assert floor.table().seats[floor.table().button] == left


def test_nobody_stays_where_the_rules_have_no_stay_r_fl_4() -> None:
    floor = Director()
    floor.begin(2)
    floor.points({1: 1, 2: -1}, {1: 14})
    with pytest.raises(IllegalCommandError, match="R-FL-4"):
        floor.points({1: 1, 2: -1}, {1: 14})
