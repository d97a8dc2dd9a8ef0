"""Points formulas, best results, and how a league's ties are told apart."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc.tournament.leagues import (
    Finish,
    Formula,
    Hundredths,
    InversePoints,
    League,
    LeagueError,
    LeagueEvent,
    LinearPoints,
    NeauPoints,
    RootPoints,
    TablePoints,
    event_points,
    league_standings,
)
from ofc.tournament.prizes import Money


def _event(*players: str, buy_in: int = 0, name: str = "One") -> LeagueEvent:
    """Players from the first on; those joined by a slash share the place."""
    finishes = list[Finish]()
    for group in players:
        place = len(finishes) + 1
        finishes += [Finish(player, place) for player in group.split("/")]
    return LeagueEvent(name, tuple(finishes), Money(buy_in))


def _points(*points: float) -> tuple[Hundredths, ...]:
    return tuple(Hundredths(round(one * 100)) for one in points)


FOUR = _event("Anna", "Bo", "Cleo", "Dan")


@pytest.mark.parametrize(
    ("formula", "points"),
    [
        (LinearPoints(), (4, 3, 2, 1)),
        (LinearPoints(step=Hundredths(1000), least=Hundredths(500)), (35, 25, 15, 5)),
        (InversePoints(), (100, 50, 33.33, 25)),
        (RootPoints(), (20, 14.14, 11.55, 10)),
        (NeauPoints(), (1, 0.67, 0.5, 0.4)),
        (TablePoints(_points(10, 6), others=Hundredths(100)), (10, 6, 1, 1)),
    ],
)
def test_formulas(formula: Formula, points: tuple[float, ...]) -> None:
    assert event_points(formula, FOUR) == _points(*points)


def test_the_pokerstars_method_of_unknownpoker_com() -> None:
    """Points = 10 * [sqrt(n)/sqrt(k)] * [1+log(b+0.25)]."""
    event = _event("Anna", "Bo", "Cleo", "Dan", buy_in=10)
    assert event_points(RootPoints(is_by_buy_in=True), event) == _points(40.21, 28.44, 23.22, 20.11)


def test_dr_neaus_formula_counts_the_cost() -> None:
    """score = SQRT (n * b * b / e) / (f + 1.0), forums.homepokertourney.com topic 28150."""
    finishes = (Finish("Anna", 1, Money(60)), Finish("Bo", 2), Finish("Cleo", 3, Money(30)))
    event = LeagueEvent("One", finishes, Money(30))
    assert event_points(NeauPoints(), event) == _points(
        sqrt(3 * 30 * 30 / 60) / 2, sqrt(3 * 30 * 30 / 30) / 3, sqrt(3 * 30 * 30 / 30) / 4
    )


def test_a_shared_place_gets_the_mean() -> None:
    event = _event("Anna", "Bo/Cleo", "Dan/Eve/Finn")
    assert event_points(TablePoints(_points(10, 6, 5)), event) == _points(10, 5.5, 5.5, 0, 0, 0)


def test_the_best_results_count_and_the_earlier_of_equal_ones() -> None:
    events = [_event("Anna", "Bo", "Cleo"), _event("Bo", "Anna", "Cleo"), _event("Anna", "Bo"), _event("Cleo", "Bo")]
    table = league_standings(League(LinearPoints(), best=2), events)
    assert [(line.place, line.player, line.points) for line in table] == [
        (1, "Anna", 500),
        (1, "Bo", 500),
        (3, "Cleo", 300),
    ]
    assert [(one.event, one.place, one.points, one.does_count) for one in table[0].results] == [
        (0, 1, 300, True),
        (1, 2, 200, True),
        (2, 1, 200, False),
    ]


def test_better_places_break_a_tie_and_who_is_still_equal_shares_the_place() -> None:
    events = [_event("Anna", "Bo/Cleo"), _event("Dan", "Anna"), _event("Bo/Cleo", "Dan")]
    table = league_standings(League(TablePoints(_points(4, 2, 2))), events)
    assert [line.points for line in table] == [600, 600, 500, 500]
    assert [(line.place, line.player) for line in table] == [(1, "Anna"), (2, "Dan"), (3, "Bo"), (3, "Cleo")]


def test_of_equal_places_the_highest_result_breaks_a_tie() -> None:
    events = [_event("Anna", "X"), _event("Anna", "X", "Y", "Z"), _event("Bo", "X", "Y"), _event("Bo", "X", "Y")]
    table = league_standings(League(LinearPoints(), best=2), events)
    assert [(line.place, line.player, line.points) for line in table][:2] == [(1, "Anna", 600), (2, "Bo", 600)]


def test_who_played_too_little_comes_last() -> None:
    events = [_event("Anna", "Bo"), _event("Bo", "Anna"), _event("Cleo", "Anna")]
    table = league_standings(League(InversePoints(), least_played=2), events)
    assert [(line.place, line.player, line.is_ranked) for line in table] == [
        (1, "Anna", True),
        (2, "Bo", True),
        (3, "Cleo", False),
    ]


def test_no_events_no_table() -> None:
    assert league_standings(League(RootPoints()), []) == ()
    assert league_standings(League(RootPoints()), [LeagueEvent("Nobody came", ())]) == ()


@pytest.mark.parametrize(
    ("league", "fields"),
    [
        (League(LinearPoints(step=Hundredths(-1), least=Hundredths(-1))), ["formula.step", "formula.least"]),
        (League(InversePoints(Hundredths(-1))), ["formula.first"]),
        (League(TablePoints(_points(1, 2))), ["formula.points[1]"]),
        (League(TablePoints((), others=Hundredths(-1))), ["formula.points[0]"]),
        (League(RootPoints(), best=0, least_played=-1), ["league.best", "league.least_played"]),
    ],
)
def test_impossible_leagues(league: League, fields: list[str]) -> None:
    with pytest.raises(LeagueError) as caught:
        league_standings(league, [])
    assert [fault.field for fault in caught.value.faults] == fields


def test_impossible_events_name_every_fault() -> None:
    event = LeagueEvent("Two", (Finish("Anna", 1), Finish("Anna", 1, Money(-1)), Finish("Bo", 2)), Money(-5))
    with pytest.raises(LeagueError) as caught:
        league_standings(League(RootPoints()), [FOUR, event])
    assert [(fault.code, fault.field) for fault in caught.value.faults] == [
        ("amount-negative", "events[1].buy_in"),
        ("player-twice", "events[1].finishes[1]"),
        ("amount-negative", "events[1].finishes[1].cost"),
        ("place-invalid", "events[1].finishes[2].place"),
    ]
    with pytest.raises(LeagueError):
        event_points(RootPoints(), event)


formulas = st.sampled_from(
    [LinearPoints(), InversePoints(), RootPoints(), NeauPoints(), TablePoints(_points(9, 5, 2), Hundredths(50))]
)


@given(formulas, st.lists(st.permutations("ABCDEFG"), min_size=1, max_size=6), st.integers(1, 7))
def test_points_never_rise_with_the_place_and_the_table_does_not_depend_on_the_listing(
    formula: Formula, orders: list[list[str]], best: int
) -> None:
    events = [_event(*order) for order in orders]
    for event in events:
        points = event_points(formula, event)
        assert list(points) == sorted(points, reverse=True)
    league = League(formula, best=best)
    table = league_standings(league, events)
    relisted = [LeagueEvent(event.name, event.finishes[::-1], event.buy_in) for event in events]
    assert league_standings(league, relisted) == table
    assert [line.points for line in table] == sorted((line.points for line in table), reverse=True)
    for line in table:
        assert line.points == sum(one.points for one in line.results if one.does_count)
        assert sum(one.does_count for one in line.results) == min(best, len(events))
