from dataclasses import replace

import pytest

from ofc.errors import RulesError
from ofc.evaluation import Category
from ofc.rules import RULE_FIELDS, RuleSet, StayCards, Street, category_points, rank_points
from ofc.rulesets import BUILT_IN, get_rules

ULTIMATE = get_rules("ultimate")


def test_every_field_cites_its_rule_and_says_what_it_means() -> None:
    assert list(RULE_FIELDS) == list(RuleSet.__slots__)
    for field in RULE_FIELDS.values():
        assert field.metadata["words"]
        assert field.metadata["rule"] == "-" or field.metadata["rule"].startswith("R-")


def test_points_are_made_by_name() -> None:
    assert rank_points(_6=1, A=9) == (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9)
    assert category_points(straight=4, royal_flush=50) == (0, 0, 0, 0, 4, 0, 0, 0, 0, 50)


def test_a_rule_set_tells_its_name_seats_and_counts() -> None:
    assert ULTIMATE.name == "ultimate@2026-09-22"
    assert (list(ULTIMATE.seats), ULTIMATE.regular_cards) == ([3], 17)
    assert ULTIMATE.fantasyland_counts == (14, 15, 16, 17)
    assert ULTIMATE.can_stay
    assert not get_rules("tournament").can_stay
    assert get_rules("classic").fantasyland_counts == (13,)
    assert get_rules("casual-progressive").fantasyland_counts == (13, 15, 16, 17)


def test_staying_with_fourteen_makes_fourteen_a_count() -> None:
    fixed = replace(get_rules("casual"), id="own", stay_cards=StayCards.FOURTEEN)
    assert fixed.fantasyland_counts == (13, 14)
    assert replace(fixed, stay_top=None, stay_middle=None, stay_bottom=None).fantasyland_counts == (13,)
    assert replace(fixed, fantasyland_pairs=(0,) * 13, fantasyland_trips=0).fantasyland_counts == ()


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"min_seats": 1}, ["min_seats"]),
        ({"min_seats": 3, "max_seats": 2}, ["min_seats"]),
        ({"min_seats": 1, "max_seats": 0}, ["min_seats", "max_seats"]),
        ({"min_seats": 5, "max_seats": 1}, ["max_seats", "min_seats"]),
        ({"min_seats": 5}, ["min_seats"]),
        ({"min_seats": 6, "max_seats": 5}, ["min_seats", "max_seats"]),
        ({"min_seats": 5, "max_seats": 5}, ["max_seats"]),
        ({"max_seats": 4}, ["max_seats"]),
        ({"max_seats": 5, "streets": ()}, ["streets", "max_seats"]),
        pytest.param({"max_seats": 10**5_000}, ["max_seats"], id="max_seats-huge"),
        ({"streets": ()}, ["streets"]),
        ({"streets": (Street(13, 12),)}, ["streets"]),
        ({"streets": (Street(12, 13),)}, ["streets"]),
        ({"streets": (Street(13, 13), Street(2, 0))}, ["streets"]),
        ({"streets": (Street(30, 13),)}, ["max_seats"]),
        pytest.param({"streets": (Street(10**5_000, 13),)}, ["streets"], id="streets-huge"),
        ({"scoop": -1}, ["scoop"]),
        ({"scoop": 1_001}, ["scoop"]),
        ({"top_pair_royalties": rank_points(A=-1)}, ["top_pair_royalties.A"]),
        ({"top_trips_royalties": rank_points(A=10**9)}, ["top_trips_royalties.A"]),
        (
            {"middle_royalties": category_points(flush=-8, quads=-1)},
            ["middle_royalties.flush", "middle_royalties.quads"],
        ),
        ({"bottom_royalties": category_points(flush=-4)}, ["bottom_royalties.flush"]),
        ({"fantasyland_pairs": rank_points(A=18)}, ["fantasyland_pairs.A"]),
        ({"fantasyland_trips": 12}, ["fantasyland_trips"]),
        ({"stay_top": Category.STRAIGHT}, ["stay_top"]),
        ({"stay_top": Category.HIGH_CARD}, ["stay_top"]),
        ({"min_seats": 0, "scoop": -3, "fantasyland_trips": 1}, ["min_seats", "scoop", "fantasyland_trips"]),
    ],
)
def test_impossible_rules_are_refused_with_every_field(changes: dict[str, object], fields: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        replace(ULTIMATE, **changes)  # type: ignore[arg-type]  # values of any field
    assert [fault.field for fault in caught.value.faults] == fields
    assert {fault.code for fault in caught.value.faults} == {"rules-field-impossible"}


def test_a_field_without_a_value_is_told_as_none() -> None:
    with pytest.raises(RulesError) as caught:
        replace(get_rules("tournament"), stay_top=Category.QUADS)
    assert caught.value.faults[0].text == str(Category.QUADS)


def test_built_in_rules_differ() -> None:
    assert len({rules.name for rules in BUILT_IN}) == len(set(BUILT_IN)) == len(BUILT_IN)
