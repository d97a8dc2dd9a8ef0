"""Whatever is thrown at the calculator is scored or refused, and text is read back however it is written."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ofc.board import ROWS
from ofc.calculator import FinishedHand, Money, Shape, read_text, score_input
from ofc.calculator.hands import ScoredHand
from ofc.calculator.text import _player_in, plain_text
from ofc.cards import Card, Suit, scan_cards
from tests import strategies
from tests.strategies import Finished

_SIGNS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_names = st.lists(
    st.from_regex(r"[A-Z][a-z]{0,6}( [A-Z][a-z]{0,4})?", fullmatch=True).filter(
        lambda name: name.lower() not in {"top", "middle", "bottom", "rules", "date", "button", "dealer", "price"}
    ),
    min_size=4,
    max_size=4,
    unique_by=str.casefold,
)


@st.composite
def written(draw: st.DrawFn, hand: Finished, names: list[str]) -> str:
    """Return a hand as text, its spelling drawn anew at every card and row."""

    def spell(card: Card) -> str:
        rank = draw(st.sampled_from([card.rank.letter, card.rank.letter.lower()])).replace("T", "10")
        return str(rank + draw(st.sampled_from([card.suit.letter, card.suit.letter.upper(), _SIGNS[card.suit]])))

    lines = [f"price: {hand.price}", f"Button: {names[hand.button]}"]
    for seat, board in enumerate(hand.boards):
        held, stack = hand.fantasyland[seat], hand.stacks[seat]
        rows = [draw(st.sampled_from([" ", ", ", "", "; "])).join(map(spell, board.row(row))) for row in ROWS]
        lines.append(f"{names[seat]} (stack {stack:,}, {held} cards):")
        lines.append(draw(st.sampled_from([" / ", "\n", "|", "\n  "])).join(rows))
        lines.append("")
    return "\n".join(lines)


@given(st.data(), _names)
def test_text_is_read_however_it_is_spelt(data: st.DataObject, names: list[str]) -> None:
    hand = data.draw(strategies.finished_hands())
    text = data.draw(written(hand, names))
    seats = len(hand.boards)
    expected = FinishedHand(
        hand.rules,
        tuple(names[:seats]),
        hand.boards,
        hand.fantasyland,
        hand.button,
        Money(hand.price, hand.stacks),
    )
    assert read_text(text, rules=hand.rules) == expected


def _slow_end_of_name(line: str) -> str | None:
    """Return the name that a dash ends, tried dash by dash from the last."""
    outside = re.sub(r"\([^)]*(\)|$)", lambda found: "x" * len(found[0]), line)
    for dash in reversed([*re.finditer(r"(?<=\s)[-–—]+|(?<![-–—\s])[-–—]+(?=\s)", outside)]):
        before, after = line[: dash.start()], line[dash.end() :]
        if before.strip() and not _some_card(before) and (_some_card(after) or not after.strip()):
            return before.partition("(")[0].strip()
    return None


def _some_card(text: str) -> bool:
    apart = re.sub(r"(?<=\s)[-–—]+|(?<![-–—\s])[-–—]+(?=\s)", " ", text)
    return bool(scan_cards(re.sub(r"[/|]", " ", apart))[0])


_pieces = st.sampled_from(["A", "Bo", " ", "-", " – ", "9c", "Kh ", "/", "(", ")", "\t"])


@given(st.lists(_pieces, max_size=14).map("".join))
def test_the_dash_that_ends_a_name_is_found_as_by_trying_all(line: str) -> None:
    found, expected = _player_in(line), _slow_end_of_name(line)
    if expected is None:
        assert found is None or (found["cards"] is None and "(" in line)
    elif found is not None:
        assert found["name"].strip() == expected
        assert found["cards"] is not None


@pytest.mark.parametrize("piece", [" ", "-", "(", "A -", "A- ", " - 9c", "(9 ", "A(", "9", "9c"])
def test_a_long_line_of_anything_is_read(piece: str) -> None:
    """As a request's body may be; it once took a minute for blanks."""
    plain, _ = plain_text("A" + piece * (65_000 // len(piece)) + "x")
    assert plain["players"]


_plain: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["Ah", "9c 8d 2s"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "rules dealt_on button price players name top middle bottom fantasyland stack odd".split()  # noqa: SIM905
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@given(_plain)
def test_any_values_are_scored_or_refused(item: Any) -> None:
    for outcome in score_input(json.dumps([item])).outcomes:
        assert isinstance(outcome, ScoredHand) or all(fault.code and fault.message for fault in outcome)


@given(st.text() | st.text(st.sampled_from('{}[]",:/| \n()AhKd10♥topbuttonprice')))
def test_any_text_is_scored_or_refused(text: str) -> None:
    scored = score_input(text)
    assert len(scored.outcomes) == 1 or scored.shape is not Shape.HAND
    for outcome in scored.outcomes:
        assert isinstance(outcome, ScoredHand) or outcome
