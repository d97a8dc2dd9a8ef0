"""Structures suggested from what a director has in mind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ofc.scoring import Chips
from ofc.tournament.forecasting import ForecastError, forecast
from ofc.tournament.structure import MAX_STEPS, Break, Level, Structure, structure_faults
from ofc.tournament.suggesting import (
    ROUND_DIGITS,
    SMALL_PRICES,
    TEMPLATES,
    StructureTemplate,
    Wishes,
    explain,
    format_minutes,
    round_price,
    suggest,
    wishes_faults,
)

EVENING = Wishes(27, Chips(5_000), 240)


def _is_round(price: int) -> bool:
    while price % 10 == 0 and price >= 100:
        price //= 10
    return price in SMALL_PRICES or price in ROUND_DIGITS


@pytest.mark.parametrize("players", [7, 27, 75])
def test_half_of_the_events_are_over_in_about_the_time_wanted(players: int) -> None:
    suggestion = suggest(replace(EVENING, players=players))
    assert suggestion.forecast.minutes == pytest.approx(240, abs=20)
    assert suggestion.forecast.low < suggestion.forecast.minutes < suggestion.forecast.high
    assert suggestion.forecast.unfinished == 0
    assert structure_faults(suggestion.structure) == []


def test_a_suggestion_is_laid_out_as_wished() -> None:
    suggestion = suggest(EVENING)
    steps = suggestion.structure.steps
    assert [number for number, step in enumerate(steps) if isinstance(step, Break)] == [4, 9, 14]
    assert {step.minutes for step in steps if isinstance(step, Level)} == {20}
    prices = [level.price for level in suggestion.structure.levels]
    assert prices == sorted(prices)
    assert all(map(_is_round, prices))
    assert len(suggestion.forecast.levels) == len(prices)
    assert suggestion.forecast.levels[0].players == 27
    assert suggestion == suggest(EVENING)


def test_the_forecast_is_that_of_the_structure() -> None:
    suggestion = suggest(EVENING)
    again = forecast(suggestion.structure, players=27, hand_minutes=6)
    assert again.minutes == pytest.approx(suggestion.forecast.minutes, abs=6)


def test_it_says_why() -> None:
    reasons = suggest(EVENING).reasons
    assert reasons[0].startswith("27 players at 9 tables, 5,000 chips each. In 4 h a table plays about 36 hands")
    assert "19 points at a table of three and 11 at a table of two" in reasons[1]
    assert "hardly anyone is out" in reasons[2]
    assert reasons[3].startswith("Each level costs about 1.")
    assert "8 of 10 between" in reasons[4]
    assert len(reasons) == 5
    assert "1 table," in suggest(Wishes(3, Chips(1000), 60)).reasons[0]


def test_too_few_hands_are_said() -> None:
    suggestion = suggest(Wishes(75, Chips(5_000), 30, hand_minutes=8))
    assert suggestion.reasons[-1].startswith("That is longer than the 30 min wanted")
    assert suggestion.forecast.minutes > 60


def test_too_few_chips_are_said() -> None:
    suggestion = suggest(Wishes(6, Chips(10), 240))
    assert suggestion.reasons[-1].startswith("That is shorter than the 4 h wanted")
    assert suggestion.structure.levels[0].price == 1
    flat = suggest(Wishes(2, Chips(2), 2000, hand_minutes=1))
    assert "Prices hardly rise: the stacks are small for the time wanted." in flat.reasons


def test_small_stacks_are_not_said_to_last() -> None:
    """A hand at a table of three swings by 19 points: with ten of them most are out soon, and it says so."""
    for chips, points in ((10, "10 points"), (1, "1 point")):
        reason = suggest(Wishes(9, Chips(chips), 120)).reasons[2]
        assert reason.startswith(f"At first a stack is {points}, a point costing 1, so that after the first quarter ")
        left = int(reason.split("about ")[1].split(" of 9 players are left")[0])
        assert left < 6


def test_no_more_steps_than_a_structure_has() -> None:
    wishes = Wishes(12, Chips(20_000), 700, hand_minutes=3, level_minutes=2, break_after=1, break_minutes=1)
    suggestion = suggest(wishes)
    assert len(suggestion.structure.steps) <= MAX_STEPS
    assert structure_faults(suggestion.structure) == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda one: one.id)
def test_templates_make_a_structure_of_any_field(template: StructureTemplate) -> None:
    for players in (2, 20):
        structure = template.structure(players)
        assert structure.starting_stack == template.wishes.starting_stack
        assert structure_faults(structure) == []
    with pytest.raises(ForecastError):
        template.structure(1)


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"players": 1}, "players-count", "players"),
        ({"hand_minutes": 0.1}, "hand-minutes", "hand_minutes"),
        ({"starting_stack": 0}, "wish-impossible", "starting_stack"),
        ({"minutes": 14}, "wish-impossible", "minutes"),
        ({"level_minutes": 0}, "wish-impossible", "level_minutes"),
        ({"break_after": -1}, "wish-impossible", "break_after"),
        ({"break_minutes": 0}, "wish-impossible", "break_minutes"),
        ({"players": 2000, "minutes": 2880, "hand_minutes": 1}, "wishes-too-large", "players"),
    ],
)
def test_impossible_wishes(changes: dict[str, int], code: str, field: str) -> None:
    wishes = replace(EVENING, **changes)  # type: ignore[arg-type]  # fields by name
    with pytest.raises(ForecastError) as caught:
        suggest(wishes)
    assert [(fault.code, fault.field) for fault in caught.value.faults] == [(code, field)]
    assert wishes_faults(EVENING) == []


def test_lengths_in_words() -> None:
    assert [format_minutes(minutes) for minutes in (5, 60, 65)] == ["5 min", "1 h", "1 h 05"]


@given(st.floats(0.01, 1e9), st.sampled_from([1, 2, 6, 10, 12, 100, 2500, 40_000]))
def test_round_prices_are_round_near_and_never_below_the_least(price: float, least: int) -> None:
    found = round_price(price, least=Chips(least))
    assert _is_round(found)
    assert found >= least
    is_near = abs(found - price) <= 0.5 or 1 / 1.3 < found / price < 1.3
    assert is_near or (found == least and found > price)


@settings(max_examples=10)
@given(st.integers(2, 30), st.integers(1, 20_000), st.integers(15, 200), st.integers(0, 3))
def test_any_wish_makes_a_possible_structure_whose_prices_never_fall(
    players: int, stack: int, minutes: int, break_after: int
) -> None:
    wishes = Wishes(players, Chips(stack), minutes, break_after=break_after)
    suggestion = suggest(wishes)
    assert structure_faults(suggestion.structure) == []
    prices = [level.price for level in suggestion.structure.levels]
    assert prices == sorted(prices)


def _explained(*prices: int, stack: int = 1_000, minutes: int | None = 20, players: int = 6) -> list[str]:
    structure = Structure(Chips(stack), tuple(Level(Chips(price), minutes=minutes) for price in prices))
    found = explain(structure, players=players, hand_minutes=6)
    assert found.structure is structure
    assert found.forecast == forecast(structure, players=players, hand_minutes=6)
    return list(found.reasons)


def test_a_structure_that_was_typed_is_explained_in_words() -> None:
    short, played, level = _explained(100, 200, *[400] * 20, players=3)
    assert short == (
        "3 players at 1 table, 1,000 chips each, 6 minutes a hand: at first a stack is 10 points, a point costing 100."
    )
    assert played.startswith("Played 250 times in a model, half of the events were over after ")
    assert level.startswith("Half of the events do not reach level ")
    assert level.endswith(" of 22.")


def test_what_is_odd_about_a_structure_is_said() -> None:
    assert _explained(20, 10)[-2:] == [
        "Half of the events come to the last level, which goes on at 10 a point to the end.",
        "The price of level 2 is below the one before it.",
    ]
    endless = _explained(1, stack=1_000_000, minutes=None, players=2)
    assert endless[2].endswith("of them were not over after 72 hours: stacks are too large for these prices. Fewer "
                               "chips or higher prices help.")  # fmt: skip
    assert len(endless) == 3
    assert len(_explained(100)) == 2


def test_an_impossible_structure_is_not_explained() -> None:
    with pytest.raises(ForecastError):
        explain(Structure(Chips(0), ()), players=2, hand_minutes=6)
