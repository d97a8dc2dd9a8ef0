"""Pools, payout tables, rounding and shared places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc.tournament.prizes import (
    PAYOUT_TEMPLATES,
    BasisPoints,
    Fees,
    FixedAmounts,
    Money,
    Payouts,
    PayoutTemplate,
    Percentages,
    PlaceWeights,
    PrizeError,
    TemplatePayouts,
    format_percent,
    get_payout_template,
    make_pool,
    payout_faults,
    prize_list,
    split_ties,
)

CASES_FILE = Path(__file__).parents[2] / "cases" / "tournament.jsonl"
CASES = {case["id"]: case for case in map(json.loads, CASES_FILE.read_text("utf-8").splitlines())}


def _percent(*percents: float) -> Percentages:
    return Percentages(tuple(BasisPoints(round(percent * 100)) for percent in percents))


def _money(*amounts: int) -> tuple[Money, ...]:
    return tuple(Money(amount) for amount in amounts)


def test_tn_010_one_over_place_mlotro_derwinski_pl_pays_157_of_156() -> None:
    case = CASES["tn-010"]
    pool = Money(case["input"]["pool"])
    prizes = prize_list(pool, PlaceWeights(case["input"]["players"]), entries=6)
    assert sum(case["expected"]["prizes"]) == case["our_check"]["sum_of_source"] != pool
    assert sum(prizes) == pool
    exact = case["our_check"]["exact"]
    assert list(prizes[1:]) == [int(prize) for prize in exact[1:]]
    assert prizes[0] == pool - sum(prizes[1:])


def test_tn_011_percentages_ehow_co_uk_how_7555077_loses_1_of_975() -> None:
    case = CASES["tn-011"]
    prizes = prize_list(Money(975), _percent(*case["input"]["percent"]), entries=20)
    assert list(prizes[1:]) == case["expected"]["prizes"][1:]
    assert prizes == (537, 292, 146)
    assert sum(prizes) == case["our_check"]["sum_of_source"] + 1 == 975


def test_tn_014_two_out_in_one_hand_share_pokerstars_rules_table_master() -> None:
    places = CASES["tn-014"]["our_check"]["places"]
    assert split_ties(_money(300, 200, 150, 100, 60, 40), [*places, 1, 2, 3, 4]) == (50, 50, 300, 200, 150, 100)


def test_tn_018_pooled_alternative_slowplaypoker_com() -> None:
    assert "alternative" in CASES["tn-018"]["expected"]
    assert split_ties(_money(50, 30, 21), [1, 2, 2]) == (50, 26, 25)
    assert split_ties(_money(50, 30, 21), [1, 2, 3]) == (50, 30, 21)


def test_tn_019_share_of_what_is_left_help_nj_betmgm_com() -> None:
    case = CASES["tn-019"]
    left = _percent(*case["input"]["structure_percent"], 9).first(4)
    share = left.basis_points[case["input"]["place"] - 1]
    assert format_percent(share) == str(case["our_check"]["share_percent"]) == "16.48"
    assert sum(left.basis_points) == 10_000


def test_tn_047_odd_chip_pokertda_com_forum_1417() -> None:
    case = CASES["tn-047"]["input"]
    assert list(split_ties(_money(case["chips"], 0), [1] * case["winners"])) == CASES["tn-047"]["our_check"]["split"]


def test_the_mock_up_pays_540_for_27_entries() -> None:
    pool = make_pool(Fees(Money(20), house=Money(5)), entries=27)
    assert (pool.total, pool.house, pool.overlay) == (540, 135, 0)
    assert sum(prize_list(pool.total, TemplatePayouts("club"), entries=27, unit=Money(10))) == 540


def test_a_guarantee_is_filled_up_after_added_money() -> None:
    fees = Fees(Money(10), added=Money(50), guaranteed=Money(200))
    assert make_pool(fees, entries=0).overlay == 150
    assert make_pool(fees, entries=10).overlay == 50
    assert make_pool(fees, entries=20).overlay == 0
    assert make_pool(fees, entries=20).total == 250


def test_prizes_are_rounded_to_a_unit_and_the_rest_goes_to_the_stated_place() -> None:
    shares = _percent(50, 30, 20)
    assert prize_list(Money(287), shares, entries=9, unit=Money(5)) == (147, 85, 55)
    assert prize_list(Money(287), shares, entries=9, unit=Money(5), remainder_to=3) == (140, 85, 62)
    assert prize_list(Money(3), shares, entries=9, unit=Money(5)) == (3, 0, 0)


def test_fixed_amounts_stay_and_one_place_may_get_the_rest() -> None:
    assert prize_list(Money(100), FixedAmounts(_money(70, 30)), entries=2, unit=Money(50)) == (70, 30)
    assert prize_list(Money(180), FixedAmounts(_money(0, 50, 30), rest_to=1), entries=3) == (100, 50, 30)
    assert prize_list(Money(85), FixedAmounts(_money(50, 30, 0), rest_to=3), entries=3) == (50, 30, 5)


@pytest.mark.parametrize("template", PAYOUT_TEMPLATES, ids=lambda one: one.id)
def test_every_row_of_a_template_is_whole_and_pays_no_more_than_there_are(template: PayoutTemplate) -> None:
    fewest = 1
    for most, percentages in template.brackets:
        assert payout_faults(percentages) == []
        assert len(percentages.basis_points) <= fewest
        fewest = most + 1


def test_templates_grow_with_the_field() -> None:
    club = get_payout_template("club")
    assert club.percentages(6) == _percent(60, 40)
    assert club.percentages(9) == _percent(50, 30, 20)
    assert len(club.percentages(75).basis_points) == 13
    assert len(club.percentages(900).basis_points) == 63
    assert club.percentages(5000) == club.percentages(2000)
    assert prize_list(Money(1000), TemplatePayouts("winner"), entries=1) == (1000,)


@pytest.mark.parametrize(
    ("payouts", "codes"),
    [
        (_percent(50, 30), ["percentages-sum"]),
        (_percent(), ["percentages-sum"]),
        (_percent(120, -20), ["amount-negative"]),
        (_percent(30, 70), ["payouts-rising"]),
        (FixedAmounts(()), ["payouts-places"]),
        (FixedAmounts(_money(5, -5)), ["amount-negative"]),
        (FixedAmounts(_money(5, 6)), ["payouts-rising"]),
        (FixedAmounts(_money(0, 5, 6), rest_to=1), ["payouts-rising"]),
        (FixedAmounts(_money(5), rest_to=2), ["place-not-paid"]),
        (PlaceWeights(0), ["payouts-places"]),
        (TemplatePayouts("casino"), ["payouts-unknown"]),
    ],
)
def test_impossible_payouts(payouts: Payouts, codes: list[str]) -> None:
    assert [fault.code for fault in payout_faults(payouts)] == codes
    with pytest.raises(PrizeError) as caught:
        prize_list(Money(100), payouts, entries=100)
    assert caught.value.code == codes[0]


@pytest.mark.parametrize(
    ("pool", "payouts", "options", "code"),
    [
        (-1, PlaceWeights(1), {}, "amount-negative"),
        (100, PlaceWeights(1), {"unit": 0}, "unit-invalid"),
        (100, PlaceWeights(4), {}, "prizes-too-many"),
        (100, PlaceWeights(2), {"remainder_to": 3}, "place-not-paid"),
        (100, PlaceWeights(2), {"remainder_to": 0}, "place-not-paid"),
        (100, FixedAmounts(_money(60, 50)), {}, "prizes-not-the-pool"),
        (100, FixedAmounts(_money(60, 30)), {}, "prizes-not-the-pool"),
        (100, FixedAmounts(_money(60, 50), rest_to=1), {}, "prizes-not-the-pool"),
        (100, FixedAmounts(_money(0, 60), rest_to=1), {}, "payouts-rising"),
        (110, FixedAmounts(_money(40, 30, 0), rest_to=3), {}, "payouts-rising"),
    ],
)
def test_prizes_that_do_not_fit(pool: int, payouts: Payouts, options: dict[str, int], code: str) -> None:
    unit, remainder_to = Money(options.get("unit", 1)), options.get("remainder_to", 1)
    with pytest.raises(PrizeError) as caught:
        prize_list(Money(pool), payouts, entries=3, unit=unit, remainder_to=remainder_to)
    assert caught.value.code == code


def test_impossible_fees_and_entries_are_said_together() -> None:
    with pytest.raises(PrizeError) as caught:
        make_pool(Fees(Money(-1), house=Money(-2), added=Money(-3), guaranteed=Money(-4)), entries=-5)
    assert [fault.field for fault in caught.value.faults] == [
        "fees.entry",
        "fees.house",
        "fees.added",
        "fees.guaranteed",
        "entries",
    ]


@pytest.mark.parametrize(
    ("prizes", "places", "unit", "codes"),
    [
        ([-1], [1], 1, ["amount-negative"]),
        ([5], [0], 1, ["place-invalid", "place-taken"]),
        ([5], [1], 0, ["unit-invalid"]),
        ([5, 4], [1, 1, 2], 1, ["place-taken"]),
    ],
)
def test_impossible_ties(prizes: list[int], places: list[int], unit: int, codes: list[str]) -> None:
    with pytest.raises(PrizeError) as caught:
        split_ties(_money(*prizes), places, unit=Money(unit))
    assert [fault.code for fault in caught.value.faults] == codes


def test_ties_in_units_and_across_the_last_prize() -> None:
    assert split_ties(_money(100, 63, 40), [2, 2, 1], unit=Money(10)) == (53, 50, 100)
    assert split_ties(_money(100, 62), [2, 1, 2, 2]) == (21, 100, 21, 20)
    assert split_ties(_money(100, 50), [4, 5]) == (0, 0)


pools = st.integers(0, 10**9).map(Money)
units = st.integers(1, 1000).map(Money)


@st.composite
def own_percentages(draw: st.DrawFn) -> Percentages:
    parts = sorted(draw(st.lists(st.integers(1, 1000), min_size=1, max_size=20)), reverse=True)
    return Percentages(tuple(map(BasisPoints, parts))).first(len(parts))


any_payouts = own_percentages() | st.integers(1, 40).map(PlaceWeights) | st.just(TemplatePayouts("club"))


@given(pools, any_payouts, units)
def test_prizes_sum_to_the_pool_and_never_rise(pool: Money, payouts: Payouts, unit: Money) -> None:
    prizes = prize_list(pool, payouts, entries=100, unit=unit)
    assert sum(prizes) == pool
    assert list(prizes) == sorted(prizes, reverse=True)
    assert all(prize % unit == 0 for prize in prizes[1:])
    assert min(prizes) >= 0


@given(st.data())
def test_split_ties_hand_out_all_and_depend_on_the_order_only_by_a_unit(data: st.DataObject) -> None:
    groups = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    places, place = list[int](), 1
    for group in groups:
        places += [place] * group
        place += group
    prizes = sorted(data.draw(st.lists(pools, min_size=len(places), max_size=len(places))), reverse=True)
    split = split_ties(prizes, places)
    assert sum(split) == sum(prizes)
    assert list(split) == sorted(split, reverse=True)
    order = data.draw(st.permutations(range(len(places))))
    shuffled = split_ties(prizes, [places[player] for player in order])
    assert all(abs(shuffled[now] - split[player]) <= 1 for now, player in enumerate(order))
    alone = [now for now, player in enumerate(order) if places.count(places[player]) == 1]
    assert all(shuffled[now] == split[order[now]] for now in alone)
