"""Formulas as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc.tournament.league_formulas import FORMULAS, format_formula, formula_words, parse_formula, rule_words
from ofc.tournament.leagues import (
    POINT,
    Formula,
    Hundredths,
    InversePoints,
    League,
    LeagueError,
    LinearPoints,
    NeauPoints,
    RootPoints,
    TablePoints,
)

HUNDREDTHS = st.integers(0, 10**6).map(Hundredths)
ANY_FORMULA: st.SearchStrategy[Formula] = st.one_of(
    st.builds(LinearPoints, HUNDREDTHS, HUNDREDTHS),
    st.builds(InversePoints, HUNDREDTHS),
    st.builds(RootPoints, st.booleans()),
    st.just(NeauPoints()),
    st.lists(HUNDREDTHS, min_size=2, max_size=9)
    .map(lambda points: sorted(points, reverse=True))
    .map(lambda points: TablePoints(tuple(points[:-1]), points[-1])),
)


@given(ANY_FORMULA)
def test_parse_and_format_are_inverse(formula: Formula) -> None:
    assert parse_formula(format_formula(formula)) == formula


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("linear", LinearPoints()),
        (" linear : 2.5 , 0 ", LinearPoints(Hundredths(250), Hundredths(0))),
        ("inverse", InversePoints()),
        ("root", RootPoints()),
        ("root-buy-in", RootPoints(is_by_buy_in=True)),
        ("neau:", NeauPoints()),
        ("places:3,1.05", TablePoints((Hundredths(300), Hundredths(105)))),
        ("places:3/1", TablePoints((Hundredths(300),), POINT)),
    ],
)
def test_what_can_be_written(text: str, formula: Formula) -> None:
    assert parse_formula(text) == formula


@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_has_numbers_to_begin_with(name: str) -> None:
    assert parse_formula(name) == parse_formula(f"{name}:{FORMULAS[name].numbers}")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "formula-unknown"),
        ("Linear", "formula-unknown"),
        ("linear:", "formula-numbers"),
        ("linear:1", "formula-numbers"),
        ("linear:1,2,3", "formula-numbers"),
        ("linear:1,x,1", "formula-numbers"),
        ("linear:1,1/1", "formula-numbers"),
        ("inverse:-1", "formula-numbers"),
        ("inverse:1.005", "formula-numbers"),
        ("inverse:9/1", "formula-numbers"),
        ("root:1", "formula-numbers"),
        ("places:", "formula-numbers"),
        ("places:/1", "formula-numbers"),
        ("places:3/", "formula-numbers"),
        (f"places:{','.join(['1'] * 201)}", "formula-numbers"),
        ("places:1,3", "formula-impossible"),
        ("places:3/4", "formula-impossible"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, code: str) -> None:
    with pytest.raises(LeagueError) as error:
        parse_formula(text)
    assert error.value.code == code


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("linear:2,0.5", "2 for every player beaten and 0.5 for coming"),
        ("inverse", "100 divided by the place"),
        ("root", "10 × √(players ÷ place)"),
        ("root-buy-in", "10 × √(players ÷ place) × (1 + log₁₀(buy-in + 0.25))"),
        ("neau", "√(players × buy-in² ÷ what one paid) ÷ (place + 1)"),
        ("places:3,2/1", "by place 3, 2; all others 1"),
    ],
)
def test_formulas_in_words(text: str, words: str) -> None:
    assert formula_words(parse_formula(text)) == words


def test_the_rule_in_words() -> None:
    assert rule_words(League(InversePoints())) == "100 divided by the place"
    assert rule_words(League(InversePoints(), best=1, least_played=1)).endswith("; the best result counts")
