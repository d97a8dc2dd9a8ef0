"""The Independent Chip Model, chip chop, and rounding a deal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc.scoring import Chips
from ofc.tournament.deals import DealError, DealMethod, chip_chop, icm, make_deal
from ofc.tournament.prizes import Money

CASES_FILE = Path(__file__).parents[2] / "cases" / "tournament.jsonl"
CASES = [case for case in map(json.loads, CASES_FILE.read_text("utf-8").splitlines()) if "payouts" in case["input"]]


def _chips(stacks: Sequence[int]) -> list[Chips]:
    return [Chips(stack) for stack in stacks]


def _money(amounts: Sequence[int]) -> list[Money]:
    return [Money(amount) for amount in amounts]


def slow_icm(stacks: Sequence[int], prizes: Sequence[int]) -> list[Fraction]:
    """Every order in which the players can finish, with its exact chance."""
    worth = [Fraction(0)] * len(stacks)
    for order in permutations(range(len(stacks))):
        chance, left = Fraction(1), sum(stacks)
        for player in order:
            chance *= Fraction(stacks[player], left)
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            worth[player] += chance * prize
    return worth


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['source']}")
def test_published_icm_of_the_cases(case: dict[str, dict[str, list[float]]]) -> None:
    worth = icm(
        _chips([int(one) for one in case["input"]["stacks"]]), _money([int(p) for p in case["input"]["payouts"]])
    )
    assert worth == pytest.approx(case["our_check"]["equity"], abs=0.005)
    assert worth == pytest.approx(case["expected"]["equity"], abs=0.06)
    assert sum(worth) == pytest.approx(sum(case["input"]["payouts"]))


@pytest.mark.parametrize(
    ("stacks", "prizes", "published", "within"),
    [
        pytest.param(
            [5000, 3000, 1500, 500],
            [500, 300, 200],
            [377.78, 312.89, 225.60, 83.73],
            0.005,
            id="pailiku.com/tools/icm-calculator/result",
        ),
        pytest.param([50, 30, 20], [70, 30], [45, 32, 22], 1, id="en.wikipedia.org/wiki/Independent_Chip_Model"),
        pytest.param([1000, 1], [100, 50], [99.95, 50.05], 0.005, id="GGPoker’s deal making, exact for its stacks"),
    ],
)
def test_published_icm(stacks: list[int], prizes: list[int], published: list[float], within: float) -> None:
    assert icm(_chips(stacks), _money(prizes)) == pytest.approx(published, abs=within)


def test_chip_chop_as_hardboiledpoker_blogspot_com_2013_10_chop_talk_describes_it() -> None:
    """All get the next prize, the rest goes by chips; the prizes are those of pokernews.com's deal column."""
    stacks, prizes = _chips([400, 300, 200, 100]), _money([4000, 2500, 2000, 1500])
    assert tuple(map(int, chip_chop(stacks, prizes))) == (3100, 2700, 2300, 1900)
    assert tuple(map(int, chip_chop(_chips([3, 1]), _money([80])))) == (60, 20)


def test_shares_are_rounded_by_the_largest_loss_and_sum_exactly() -> None:
    stacks, prizes = _chips([5000, 3000, 2000]), _money([50, 30, 20])
    assert make_deal(stacks, prizes).shares == (38, 33, 29)
    assert make_deal(stacks, prizes, unit=Money(15)).shares == (40, 30, 30)
    assert make_deal(stacks, prizes, method=DealMethod.EVEN).shares == (34, 33, 33)
    assert make_deal(stacks, prizes, method=DealMethod.CHIP_CHOP).shares == (40, 32, 28)


@pytest.mark.parametrize(
    ("stacks", "prize", "unit", "shares"),
    [([19500, 10800, 4900, 25000], 25, 50, (50, 0, 0, 50)), ([18, 3009], 186, 7, (182, 190))],
)
def test_of_equal_losses_the_larger_stack_is_rounded_up(
    stacks: list[int], prize: int, unit: int, shares: tuple[int, ...]
) -> None:
    """Equal prizes are worth the same to everybody, though sums of chances are not to the last bit."""
    assert make_deal(_chips(stacks), _money([prize] * len(stacks)), unit=Money(unit)).shares == shares


def test_some_can_be_left_for_the_winner() -> None:
    deal = make_deal(_chips([70, 30]), _money([100, 60]), held_back=Money(40), method=DealMethod.CHIP_CHOP)
    assert deal.shares == (60, 60)
    assert deal.held_back == 40
    assert make_deal(_chips([1, 1]), _money([100]), held_back=Money(100)).shares == (0, 0)


def test_sixteen_players_for_sixteen_prizes_are_exact() -> None:
    worth = icm(_chips(range(1, 17)), _money(range(160, 0, -10)))
    assert sum(worth) == pytest.approx(sum(range(10, 170, 10)), rel=1e-12)
    assert list(worth) == sorted(worth)


def test_many_players_for_few_prizes_are_exact_too() -> None:
    worth = icm(_chips([10] * 100), _money([500, 300, 0, 0]))
    assert worth == pytest.approx([8.0] * 100, rel=1e-12)
    with pytest.raises(DealError) as caught:
        icm(_chips([10] * 40), _money(range(40, 0, -1)))
    assert caught.value.code == "deal-too-large"
    assert sum(chip_chop(_chips([10] * 40), _money(range(40, 0, -1)))) == 820


@pytest.mark.parametrize(
    ("stacks", "prizes", "codes"),
    [
        ([], [], ["players-too-few", "prizes-too-few"]),
        ([5, 0], [10], ["stack-invalid"]),
        ([5, 5], [10, -1], ["amount-negative"]),
        ([5], [10, 5], ["prizes-too-many"]),
    ],
)
def test_impossible_deals(stacks: list[int], prizes: list[int], codes: list[str]) -> None:
    for ask in (icm, chip_chop, make_deal):
        with pytest.raises(DealError) as caught:
            ask(_chips(stacks), _money(prizes))
        assert [fault.code for fault in caught.value.faults] == codes


@pytest.mark.parametrize(
    ("prizes", "unit", "held_back", "codes"),
    [
        ([10], 0, 0, ["unit-invalid"]),
        ([10], 1, 11, ["held-back-invalid"]),
        ([10], 1, -1, ["held-back-invalid"]),
        ([], 1, -1, ["prizes-too-few", "held-back-invalid"]),
    ],
)
def test_impossible_options(prizes: list[int], unit: int, held_back: int, codes: list[str]) -> None:
    with pytest.raises(DealError) as caught:
        make_deal(_chips([1, 2]), _money(prizes), unit=Money(unit), held_back=Money(held_back))
    assert [fault.code for fault in caught.value.faults] == codes


stack_lists = st.lists(st.integers(1, 10**6), min_size=1, max_size=6)
prize_lists = st.lists(st.integers(0, 10**6), min_size=1, max_size=6).map(lambda prizes: sorted(prizes, reverse=True))


@given(stack_lists, prize_lists)
def test_icm_equals_its_slow_twin(stacks: list[int], prizes: list[int]) -> None:
    prizes = prizes[: len(stacks)]
    worth = icm(_chips(stacks), _money(prizes))
    for fast, slow in zip(worth, slow_icm(stacks, prizes), strict=True):
        assert abs(Fraction(fast) - slow) <= slow * Fraction(1, 10**12)


@given(stack_lists, prize_lists, st.sampled_from(DealMethod), st.integers(1, 500))
def test_deals_sum_exactly_follow_the_chips_and_do_not_depend_on_the_order(
    stacks: list[int], prizes: list[int], method: DealMethod, unit: int
) -> None:
    prizes = prizes[: len(stacks)]
    deal = make_deal(_chips(stacks), _money(prizes), method=method, unit=Money(unit))
    assert sum(deal.shares) == sum(prizes)
    assert min(deal.shares) >= 0
    by_stack = sorted(zip(stacks, deal.shares, strict=True), key=lambda one: (one[0], one[1]))
    assert [share for _, share in by_stack] == sorted(deal.shares)
    backwards = make_deal(_chips(stacks[::-1]), _money(prizes), method=method, unit=Money(unit))
    other = sorted(zip(stacks[::-1], backwards.shares, strict=True), key=lambda one: (one[0], one[1]))
    assert other == by_stack
