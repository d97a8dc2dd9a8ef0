"""A league's table out of events' states: names, what runs, what counts."""

from __future__ import annotations

from ofc.tournament.commands import Finish as FinishEvent
from ofc.tournament.commands import NewPlayer, Register, SetPrizes
from ofc.tournament.league_table import Result, event_result, is_over, league_table, write_league
from ofc.tournament.leagues import Finish, InversePoints, League, LeagueEvent, LinearPoints
from ofc.tournament.prizes import Fees, Money, TemplatePayouts
from tests.directors import Director

RULE = League(LinearPoints())


def event(name: str, *players: str) -> LeagueEvent:
    return LeagueEvent(name, tuple(Finish(player, place) for place, player in enumerate(players, start=1)))


def test_an_event_under_way_is_told_as_if_it_ended_now() -> None:
    director = Director()
    assert event_result(director.state) == LeagueEvent("Cup", ())
    director.do(SetPrizes(Fees(Money(20), Money(5)), TemplatePayouts("winner")))
    director.begin(3)
    first, second, third = director.sitting()
    director.points({first: 5, second: 0, third: -5})
    names = {number: director.player(number).name for number in (first, second, third)}
    result = event_result(director.state)
    assert [(one.player, one.place, one.cost) for one in result.finishes] == [
        (names[first], 1, 25),
        (names[second], 2, 25),
        (names[third], 3, 25),
    ]
    assert result.buy_in == 25
    assert not is_over(director.state)
    director.do(FinishEvent())
    assert is_over(director.state)


def test_two_of_one_name_in_one_event_stay_two() -> None:
    """Names are told apart there by case alone; here spaces make no difference."""
    director = Director()
    director.do(Register((NewPlayer("Anna  B"), NewPlayer("anna B (2)"), NewPlayer("Anna B"))))
    director.begin(1)
    assert sorted(one.player for one in event_result(director.state).finishes) == [
        "Anna  B",
        "Anna B (3)",
        "D",
        "anna B (2)",
    ]


def test_players_are_known_by_name_and_called_as_in_the_latest_event() -> None:
    rows = league_table(RULE, [event("One", "ANNA  b", "Jose\u0301"), event("Two", "Anna B", "JOSÉ", "Bo")])
    assert [(row.player, row.points, row.played) for row in rows] == [("Anna B", 5, 2), ("JOSÉ", 3, 2), ("Bo", 1, 1)]


def test_what_runs_is_shown_and_does_not_count() -> None:
    events = [event("One", "Bo", "Cleo"), event("Two", "Cleo", "Bo"), event("Three", "Dan", "Cleo", "Ann")]
    rows = league_table(RULE, events, running=frozenset({0, 2}))
    cleo, bo, ann, dan = rows
    assert [row.player for row in rows] == ["Cleo", "Bo", "Ann", "Dan"]
    assert (cleo.place, cleo.points, cleo.played, cleo.counted) == (1, 2, 1, 1)
    assert [(one.event, one.points, one.counts) for one in cleo.results] == [(0, 1, False), (1, 2, True), (2, 2, False)]
    assert (bo.place, bo.points, [one.event for one in bo.results]) == (2, 1, [0, 1])
    assert (ann.place, ann.ranked, ann.finishes, dan.place) == (None, False, (), None)
    assert dan.results == (Result(2, 1, 3, counts=False),)


def test_ties_are_explained_by_finishes_and_the_highest() -> None:
    events = [event("One", "A", "B"), event("Two", "B", "C", "A")]
    row, *_ = [row for row in league_table(League(InversePoints(), best=1), events) if row.player == "B"]
    assert (row.finishes, row.highest, row.counted, row.played) == ((1,), 100, 1, 2)
    assert [(one.points, one.counts) for one in row.results] == [(50, False), (100, True)]


def test_a_table_for_spreadsheets_runs_nothing() -> None:
    events = [event("=1+1", "=A", "B"), event("Two", "B")]
    rows = league_table(League(LinearPoints(), best=1), events, running=frozenset({1}))
    written = write_league(rows, [one.name for one in events]).splitlines()
    assert written[0].removeprefix("\ufeff") == "place,player,points,events,counted,best,finishes,'=1+1,Two"
    assert written[1:] == ["1,'=A,2,1,1,1,1,2,", "2,B,1,1,1,2,2,1,(1)"]
    assert write_league(league_table(RULE, events, running=frozenset({0, 1})), ["a", "b"]).splitlines()[1:] == [
        ",'=A,0,0,0,,,(2),",
        ",B,0,0,0,,,(1),(1)",
    ]
