"""The exact setting of Fantasyland, against known answers and against trying every setting."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ofc.board import Row, is_ordered
from ofc.cards import DECK, Card, parse_cards
from ofc.errors import CardError
from ofc.evaluation import Category, category_of, evaluate
from ofc.rules import RuleSet, category_points, rank_points
from ofc.rulesets import BUILT_IN, get_rules
from ofc.scoring import Points, board_royalties, does_stay, row_royalty
from ofc.solver import FantasylandSetting, set_fantasyland
from tests.strategies import own_rules

CASES = (Path(__file__).parents[1] / "cases" / "fantasyland.jsonl").read_text("utf-8").splitlines()

Answer = tuple[int, int, int, int]
"""Points, then the strengths of bottom, middle and top."""


def try_every_setting(cards: list[Card], rules: RuleSet, bonus: int) -> Answer:
    """The slow and obvious twin."""
    strength_of = cache(evaluate)
    royalty = cache(lambda row, strength: row_royalty(row, strength, rules))
    stays = cache(lambda row, least, strength: least is not None and category_of(strength) >= least)
    best: Answer = (-1, 0, 0, 0)
    for bottom in combinations(cards, 5):
        rest = [card for card in cards if card not in bottom]
        for middle in combinations(rest, 5):
            low, mid = strength_of(bottom), strength_of(middle)
            if mid > low:
                continue
            for top in combinations([card for card in rest if card not in middle], 3):
                high = strength_of(top)
                if is_ordered(high, mid, low, strict=rules.strict_order):
                    points = royalty(Row.TOP, high) + royalty(Row.MIDDLE, mid) + royalty(Row.BOTTOM, low)
                    if (
                        stays(Row.TOP, rules.stay_top, high)
                        or stays(Row.MIDDLE, rules.stay_middle, mid)
                        or stays(Row.BOTTOM, rules.stay_bottom, low)
                    ):
                        points += bonus
                    best = max(best, (points, low, mid, high))
    return best


def answer(setting: FantasylandSetting, bonus: int) -> Answer:
    top, middle, bottom = setting.board.strengths()
    return (setting.royalties + bonus * setting.stays, bottom, middle, top)


def is_sound(setting: FantasylandSetting, cards: list[Card], rules: RuleSet) -> bool:
    """Whether the setting uses the cards, does not foul, and says of itself what is true."""
    strengths = setting.board.strengths()
    return (
        sorted([*setting.board.cards, *setting.discards]) == sorted(cards)
        and not setting.board.is_fouled(strict=rules.strict_order)
        and setting.royalties == board_royalties(strengths, rules).total
        and setting.stays == does_stay(strengths, rules)
        and sorted(placement.card for placement in setting.placements) == sorted(setting.board.cards)
        and all(card in setting.board.row(row) for card, row in setting.placements)
    )


@pytest.mark.parametrize("line", CASES, ids=[json.loads(line)["cards"] for line in CASES])
def test_every_answered_hand_comes_out(line: str) -> None:
    case = json.loads(line)
    cards, rules = list(parse_cards(case["cards"])), get_rules(case["rules"])
    for bonus, points in case["best"].items():
        setting = set_fantasyland(cards, rules, stay_bonus=Points(int(bonus)))
        assert is_sound(setting, cards, rules)
        assert answer(setting, int(bonus))[0] == points


def deal(seed: int, count: int, deck: tuple[Card, ...] = DECK) -> list[Card]:
    return random.Random(seed).sample(deck, count)


@pytest.mark.parametrize("rules", BUILT_IN, ids=lambda rules: rules.name)
@pytest.mark.parametrize("bonus", [0, 9])
def test_nothing_beats_it_under_any_built_in_rules(rules: RuleSet, bonus: int) -> None:
    cards = deal(sum(rules.name.encode()) + bonus, 13)
    setting = set_fantasyland(cards, rules, stay_bonus=Points(bonus))
    assert is_sound(setting, cards, rules)
    assert answer(setting, bonus) == try_every_setting(cards, rules, bonus)


@pytest.mark.unmeasured
def test_nothing_beats_it_with_a_card_to_discard() -> None:
    cards = deal(5, 14)
    rules = get_rules("casual-progressive")
    assert answer(set_fantasyland(cards, rules), 0) == try_every_setting(cards, rules, 0)


@pytest.mark.unmeasured
@settings(max_examples=8)
@given(rules=own_rules(), seed=st.integers(0, 10_000), bonus=st.integers(0, 40))
def test_royalties_need_not_rise_with_strength(rules: RuleSet, seed: int, bonus: int) -> None:
    """Under tables of one's own a straight may be worth more than a flush; few ranks make many rows worth something."""
    cards = deal(seed, 13, DECK[20:48])
    setting = set_fantasyland(cards, rules, stay_bonus=Points(bonus))
    assert is_sound(setting, cards, rules)
    assert answer(setting, bonus) == try_every_setting(cards, rules, bonus)


def test_a_middle_below_every_top_left_is_passed_over() -> None:
    """Only a bottom without a pair is worth anything here, so that even the weakest middles are tried."""
    rules = replace(
        get_rules("ultimate"),
        id="own",
        top_pair_royalties=(0,) * 13,
        top_trips_royalties=(0,) * 13,
        middle_royalties=(0,) * 10,
        bottom_royalties=(1, *(0,) * 9),
    )
    cards = list(parse_cards("Ks Tc Kc Td 7d 9c Jc Ts Kh 9d Qc 9s 8h"))
    assert answer(set_fantasyland(cards, rules), 0) == try_every_setting(cards, rules, 0)


def test_staying_counts_once_where_two_rows_earn_it() -> None:
    """Trips on top would earn it again, but aces are worth more here once the bottom has earned it."""
    rules = replace(
        get_rules("ultimate"),
        id="own",
        top_pair_royalties=rank_points(A=9),
        top_trips_royalties=rank_points(A=1),
        stay_middle=Category.FULL_HOUSE,
    )
    cards = list(parse_cards("2c 2d 2h 2s Kc Kd Kh Qc Qd Ac Ad 7h 7s"))
    setting = set_fantasyland(cards, rules, stay_bonus=Points(30))
    assert answer(setting, 30) == try_every_setting(cards, rules, 30)


@pytest.mark.parametrize("seed", range(8))
def test_strict_order_never_leaves_only_fouls(seed: int) -> None:
    """R-FOUL-1: of few ranks many rows tie, yet a setting of strictly falling rows is found."""
    deck = tuple(card for card in DECK if card.rank in random.Random(seed).sample(list(range(2, 15)), 4))
    rules = get_rules("casual")
    cards = deal(seed, 13, deck)
    setting = set_fantasyland(cards, rules)
    assert is_sound(setting, cards, rules)
    assert answer(setting, 0) == try_every_setting(cards, rules, 0)


def test_a_bonus_can_make_it_give_royalties_up() -> None:
    """Worth nothing, four of a kind is broken; worth staying, it is kept at the bottom."""
    rules = replace(get_rules("ultimate"), id="own", bottom_royalties=category_points(full_house=20))
    cards = list(parse_cards("9c 9d 9h 9s Kc Kd 2h 3s 5d 6c 7h Js Qc"))
    plain, staying = (set_fantasyland(cards, rules, stay_bonus=Points(bonus)) for bonus in (0, 25))
    assert (plain.stays, staying.stays) == (False, True)
    assert staying.royalties < plain.royalties


def test_the_order_of_the_cards_does_not_matter() -> None:
    cards = deal(11, 16)
    rules = get_rules("ultimate")
    assert set_fantasyland(cards, rules).board == set_fantasyland(cards[::-1], rules).board


def test_discards_come_in_dealt_order() -> None:
    cards = deal(12, 17)
    discards = set_fantasyland(cards, get_rules("ultimate")).discards
    assert list(discards) == [card for card in cards if card in discards]
    assert len(discards) == 4


@pytest.mark.parametrize("cards", [DECK[:12], DECK[:18], (*DECK[:12], DECK[0])], ids=["few", "many", "twice"])
def test_other_than_13_to_17_different_cards_are_refused(cards: tuple[Card, ...]) -> None:
    with pytest.raises(CardError) as refusal:
        set_fantasyland(cards, get_rules("ultimate"))
    assert refusal.value.code == "fantasyland-count"


def test_a_bonus_below_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="0 points or more"):
        set_fantasyland(DECK[:13], get_rules("ultimate"), stay_bonus=Points(-1))


def test_placements_list_the_bottom_first() -> None:
    setting = set_fantasyland(DECK[:13], get_rules("ultimate"))
    assert [row for _, row in setting.placements] == [Row.BOTTOM] * 5 + [Row.MIDDLE] * 5 + [Row.TOP] * 3
