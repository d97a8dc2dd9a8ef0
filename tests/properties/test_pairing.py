"""Which pairs can have made a hand's totals: never are those that boards made left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ofc.board import Board
from ofc.rules import RuleSet
from ofc.rulesets import get_rules
from ofc.scoring import Points, Seat, settle
from ofc.tournament.events import PlayerId
from ofc.tournament.pairing import (
    Between,
    goes_round,
    likeliest_pairs,
    most_round,
    net_pairs,
    points_in,
    possible_pairs,
)
from tests.strategies import any_rules, boards_together

FOUR = get_rules("classic")
TOTALS = st.lists(st.integers(-300, 300), min_size=1, max_size=3)


def between(boards: tuple[Board, ...], rules: RuleSet) -> Between:
    made: Between = {}
    for pair in settle(boards, rules, fantasyland=[0] * len(boards), button=Seat(0)).pairs:
        a, b, points = (pair.a, pair.b, pair.points) if pair.a < pair.b else (pair.b, pair.a, -pair.points)
        made[(PlayerId(a), PlayerId(b))] = Points(points)
    return made


@given(any_rules.filter(lambda rules: rules.max_seats > 2), boards_together(3))
def test_the_pairs_of_three_boards_are_among_the_possible_ones(rules: RuleSet, boards: tuple[Board, ...]) -> None:
    real = between(boards, rules)
    points = points_in(real, map(PlayerId, range(3)))
    possible = list(possible_pairs(points, rules))
    assert real in possible
    assert len(possible) <= 2 * most_round(rules) // 3 + 1


@given(boards_together(4))
def test_the_pairs_of_four_boards_are_among_the_possible_ones(boards: tuple[Board, ...]) -> None:
    real = between(boards, FOUR)
    assert real in list(possible_pairs(points_in(real, map(PlayerId, range(4))), FOUR))


@given(TOTALS)
def test_all_pairs_make_the_points_and_the_likeliest_are_possible(numbers: list[int]) -> None:
    points = {PlayerId(place): Points(number) for place, number in enumerate([*numbers, -sum(numbers)])}
    possible, likeliest = list(possible_pairs(points, FOUR)), likeliest_pairs(points, FOUR)
    for pairs in (*possible, likeliest, net_pairs(points)):
        assert points_in(pairs, points) == points
    if possible:
        assert likeliest in possible
        assert all(goes_round(likeliest, points) <= goes_round(pairs, points) <= most_round(FOUR) for pairs in possible)
    else:  # no boards make these
        assert likeliest == net_pairs(points)
