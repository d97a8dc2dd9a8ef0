"""`ofc play`, typed into line by line."""

from __future__ import annotations

import os
import pty
import random
import select
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest
from click.testing import CliRunner, Result

from ofc.board import Placement, Row
from ofc.bots import get_bot
from ofc.cards import parse_cards
from ofc.cli import main
from ofc.cli.play import _Match
from ofc.cli.play_input import Arrange, TypingError, Word, read_line
from ofc.clock import Millis
from ofc.events import TableOpened
from ofc.rulesets import get_rules
from ofc.scoring import Seat
from ofc.view import view_for

HELD = parse_cards("Qd Ac 7d Th 2c")


def play(lines: Sequence[str], *options: str) -> Result:
    return CliRunner().invoke(main, ["play", "--seed", "3", *options], input="".join(f"{line}\n" for line in lines))


FIRST_FREE = ["1b 2b 3m 4m 5t", ""]
"""A first street of the match of seed 3."""
HAND = [*FIRST_FREE, "1t 2m", "", "1b 2b", "", "1m 2t", "", "1m 2b", "", ""]


class Typist:
    """Types what a heuristic bot would place, and Enter."""

    def __init__(self, match: _Match) -> None:
        self.set_whole = 0
        self._match = match
        self._has_typed = False

    def read(self, prompt: str) -> str:
        self._has_typed = prompt == "> " and not self._has_typed
        if not self._has_typed:
            return ""
        view = view_for(self._match._table, Seat(0))
        placements = get_bot("heuristic").bot.place(view, self._match._table.rules, random.Random(1))
        self.set_whole += len(placements) == 13
        return ", ".join(f"{card} {row}" for card, row in placements)


class TestTyping:
    @pytest.mark.parametrize(
        "line",
        [
            "Qd top, Ac mid",
            "qd t ac m",
            "t Qd m Ac",
            "top: qd; middle: ac",
            "1 top 2 mid",
            "1t 2m",
            "qdt acm",
            "Q♦ to the top and A♣ in the middle",
        ],
    )
    def test_placements_may_be_typed_in_many_ways(self, line: str) -> None:
        assert read_line(line, HELD) == Arrange((Placement(HELD[0], Row.TOP), Placement(HELD[1], Row.MIDDLE)))

    @pytest.mark.parametrize("line", ["qd 10h b", "bot Qd Th", "1 4 bottom"])
    def test_several_cards_may_share_a_row(self, line: str) -> None:
        assert read_line(line, HELD) == Arrange((Placement(HELD[0], Row.BOTTOM), Placement(HELD[3], Row.BOTTOM)))

    @pytest.mark.parametrize(
        ("line", "word"),
        [("", Word.CONFIRM), ("u", Word.UNDO), ("Clear", Word.CLEAR), ("sort  suit", Word.BY_SUIT), ("?", Word.HELP)],
    )
    def test_commands_are_short(self, line: str, word: Word) -> None:
        assert read_line(line, HELD) is word

    @pytest.mark.parametrize(
        ("line", "code"),
        [
            ("Qd", "row-missing"),
            ("Qd top Ac", "row-missing"),
            ("9 top", "card-number"),
            ("0 top", "card-number"),
            ("Ks top", "card-not-yours"),
            ("fold", "not-understood"),
            ("top", "not-understood"),
            ("-", "not-understood"),
        ],
    )
    def test_what_is_not_understood_is_said(self, line: str, code: str) -> None:
        with pytest.raises(TypingError) as refusal:
            read_line(line, HELD)
        assert refusal.value.code == code


class TestMatch:
    def test_a_whole_match_is_played_from_a_pipe(self) -> None:
        result = play(HAND, "--hands", "1", "--bots", "random,random")
        assert result.exit_code == 0, result.output
        assert "street 5 of 5" in result.output
        assert "You against Bo" in result.output or "Bo against You" in result.output
        assert "Match over after 1 hand" in result.output

    def test_the_same_seed_deals_the_same_cards(self) -> None:
        assert play(HAND, "--hands", "1").output == play(HAND, "--hands", "1").output

    def test_cards_can_be_taken_back_until_confirmed(self) -> None:
        lines = ["1b", "undo", "1m 2m", "clear", "1b 2b 3b 4b 5b", "5t", ""]
        result = play(lines)
        assert "street 2 of 5" in result.output
        assert "You leave the match." in result.output

    def test_the_end_of_the_input_leaves_politely(self) -> None:
        result = play([])
        assert result.exit_code == 0
        assert result.output.rstrip().endswith("Standing after 0 hands: You 0, Ada 0, Bo 0")

    def test_quitting_is_confirmed_first(self) -> None:
        result = play(["quit", "n", "quit", "y", "help"])
        assert result.output.count("Leave the match?") == 2
        assert "take back the last card" not in result.output

    def test_what_cannot_be_placed_is_told_and_asked_again(self) -> None:
        result = play(["1t 2t 3t 4t", "Xx top", "", "help", "show", "sort rank", "sort suit"])
        assert "the top has 3 free, not 4" in result.output
        assert "neither a card nor a row" in result.output
        assert "Place 5 more first." in result.output
        assert "sort rank, suit" in result.output
        assert result.output.count("Hand 1 of 24, street 1 of 5") == 2

    def test_between_hands_the_standing_is_shown(self) -> None:
        result = play(HAND, "--hands", "2")
        assert "Standing after 1 hand:" in result.output
        assert "Hand 2 of 2" in result.output

    def test_chips_are_paid(self) -> None:
        result = play(HAND, "--rules", "tournament", "--stack", "2000", "--price", "10", "--hands", "1")
        assert "10 a point" in result.output
        assert "stack" in result.output

    def test_a_whole_match_is_played_through_fantasyland(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A heuristic bot's placements typed in: sooner or later it enters, and sets 13 of its cards by one line."""
        rules = get_rules("pineapple")
        opened = TableOpened(rules, 2, 8, None, None, Seat(1), seeded=True, at=Millis(0))
        said = ""
        for seed in range(20):
            match = _Match(opened, "You", [get_bot("random")], random.Random(seed))
            typist = Typist(match)
            monkeypatch.setattr(match, "_read", typist.read)
            match.play()
            said = capsys.readouterr().out
            assert "Match over after" in said
            if typist.set_whole:
                break
        assert "You (" in said
        assert "cards in Fantasyland)" in said
        assert "Place 13." in said

    def test_opponents_in_fantasyland_set_face_down(self) -> None:
        outputs = []
        for seed in range(40):
            lines = [*HAND, *HAND, *HAND]
            result = CliRunner().invoke(
                main, ["play", "--seed", str(seed), "--hands", "3"], input="".join(f"{line}\n" for line in lines)
            )
            outputs.append(result.output)
            if "cards in Fantasyland)" in result.output and "set, face down" in result.output:
                return
        raise AssertionError("nobody reached Fantasyland in 40 matches")

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--bots", "heuristic,nobody,noone"], "no bot “nobody”"),
            (["--bots", "random"], "ultimate is played by 3"),
            (["--stack", "100"], "a stack and a price come together"),
            (["--hands", "0"], "a match is 1 to 1000 hands"),
            (["--name", ""], "a name has 1 to 20 characters"),
            (["--rules", "poker"], "no rule set “poker”"),
        ],
    )
    def test_what_cannot_be_played_is_refused(self, options: list[str], message: str) -> None:
        result = play([], *options)
        assert result.exit_code == 2
        assert message in result.output

    def test_bots_and_names_are_ones_own_choice(self) -> None:
        result = play([], "--bots", "random", "--rules", "classic", "--name", "Ada")
        assert "Ada 0, Bo 0" in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
def test_on_a_terminal_suits_are_coloured() -> None:
    """Driven as by a person: the prompt is awaited, then a line typed."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    env.pop("NO_COLOR", None)
    with subprocess.Popen(
        [sys.executable, "-m", "ofc", "play", "--seed", "3"], stdin=theirs, stdout=theirs, stderr=theirs, env=env
    ) as process:
        os.close(theirs)
        seen = read_until(ours, "> ")
        os.write(ours, b"quit\n")
        read_until(ours, "(y/n) ")
        os.write(ours, b"y\n")
        assert process.wait(60) == 0
    os.close(ours)
    assert "\x1b[" in seen
    assert "♠" in seen


def read_until(terminal: int, prompt: str) -> str:
    seen = ""
    until = time.monotonic() + 60
    while prompt not in seen[-40:] and time.monotonic() < until:
        if select.select([terminal], [], [], 1.0)[0]:
            seen += os.read(terminal, 65536).decode(errors="replace")
    return seen
