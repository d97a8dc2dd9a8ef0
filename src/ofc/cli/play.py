"""`ofc play`: a match against bots in the terminal."""

from __future__ import annotations

import random
import secrets
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from ofc import table as tables
from ofc.board import Placement
from ofc.bots import get_bot
from ofc.bots.registry import BotEntry
from ofc.cards import Card, shuffled_deck
from ofc.cli.bots import bots_faults, load_bots
from ofc.cli.errors import print_faults
from ofc.cli.inputs import SEEDS, is_typed, rules_option
from ofc.cli.output import open_console, signed
from ofc.cli.parsing import CheckedCommand
from ofc.cli.play_input import Arrange, Word, read_line
from ofc.cli.play_screen import HELP, print_own, print_showdown, print_table
from ofc.clock import Millis
from ofc.errors import Fault, OfcError
from ofc.events import Player, TableEvent, TableOpened
from ofc.hand import Place, left_over, placement_faults
from ofc.outlook import outlook_for
from ofc.rules import RuleSet
from ofc.rulesets import get_rules
from ofc.scoring import Chips, Seat
from ofc.table import DealHand, Sit, Table
from ofc.view import view_for

if TYPE_CHECKING:
    from rich.console import Console

_BOT_NAMES: Final = ("Ada", "Bo", "Cleo", "Dora")
_YOU: Final = Seat(0)


def _check(read: Mapping[str, Any]) -> Iterator[Fault]:
    names, rules = read["names"], read.get("rules")
    yield from () if names is None else bots_faults(names)
    # Without rules nothing is said about the number of players.
    known = rules or get_rules("ultimate")
    seats = known.min_seats if names is None or rules is None else len(names.split(",")) + 1
    yield from tables.opening_faults(_opened(known, seats, read))
    yield from tables.name_faults(read["name"])


@click.command(cls=CheckedCommand, check=_check)
@rules_option()
@click.option(
    "--bots", "names", metavar="ID,ID,…", help="Your opponents (see `ofc simulate --help`); by default heuristic ones."
)
@click.option("--name", default="You", show_default=True, help="Your name, 1 to 20 characters.")
@click.option("--hands", default=24, show_default=True, type=int, help="Hands in the match, 1 to 1000.")
@click.option("--seed", type=SEEDS, help="Deal the same cards again; by default no two matches are alike.")
@click.option("--stack", type=int, help="Play for chips: what everyone begins with. Needs --price.")
@click.option("--price", type=int, help="Chips for a point. Needs --stack.")
def command(*, rules: RuleSet, names: str | None, name: str, seed: int | None, **money_and_hands: int | None) -> None:
    """Play a match against bots in the terminal.

    Type `help` during the match to see what can be typed. Works from a pipe too: a line is an answer, and the end
    of the input leaves the match.
    """
    opponents = _opponents(names, rules)
    opened = _opened(rules, len(opponents) + 1, {"seed": seed, **money_and_hands})
    match = _Match(opened, name, opponents, random.Random(secrets.randbits(64) if seed is None else seed))
    match.play()


class _LeftError(Exception):
    """The player leaves the match."""


def _now() -> Millis:
    return Millis(time.time_ns() // 1_000_000)


def _opponents(names: str | None, rules: RuleSet) -> list[BotEntry]:
    return [get_bot("heuristic")] * (min(3, rules.max_seats) - 1) if names is None else load_bots(names)


def _opened(rules: RuleSet, seats: int, read: Mapping[str, Any]) -> TableOpened:
    stack, price, seed = read.get("stack"), read.get("price"), read.get("seed")
    return TableOpened(
        rules=rules,
        seats=seats,
        hands=read.get("hands", 1),
        stack=None if stack is None else Chips(stack),
        price=None if price is None else Chips(price),
        button=Seat(seats - 1),
        seeded=seed is not None,
        at=_now(),
    )


def _hands(count: int) -> str:
    return f"{count} hand{'' if count == 1 else 's'}"


class _Match:
    """One player in the first seat, bots in the others."""

    def __init__(self, opened: TableOpened, name: str, opponents: Sequence[BotEntry], generator: random.Random) -> None:
        self._table: Table = tables.replay(tables.open_table(opened))
        self._bots = {Seat(seat): entry.bot for seat, entry in enumerate(opponents, start=1)}
        self._generator = generator
        self._console: Console = open_console()
        self._do(Sit(_YOU, Player(name), _now()))
        free = (other for other in _BOT_NAMES if other.casefold() != name.casefold())
        for seat, entry in enumerate(opponents, start=1):
            self._do(Sit(Seat(seat), Player(next(free), entry.id), _now()))

    def play(self) -> None:
        """Play the match to its end, or until the player leaves."""
        rules = self._table.rules
        self._console.print(f"{rules.title} ({rules.name}), {_hands(self._table.opened.hands)}. Type help for help.")
        try:
            while self._table.match_end is None:
                self._play_hand()
        except (_LeftError, EOFError):
            self._console.print()
            self._console.print("You leave the match.")
        self._print_standing()

    def _play_hand(self) -> None:
        before = self._table
        self._do(DealHand(shuffled_deck(self._generator), _now()))
        while self._table.is_playing and self._table.hand is not None:
            seat = self._table.hand.to_act[0]
            if seat == _YOU:
                placements, discards = self._ask()
                self._do(Place(seat, placements, discards, _now()))
            else:
                view = view_for(self._table, seat)
                placements = self._bots[seat].place(view, self._table.rules, self._generator)
                self._do(Place(seat, placements, None, _now()))
        print_showdown(self._console, before, self._table)
        if self._table.match_end is None:
            self._print_standing()
            self._read("Enter for the next hand: ")

    def _ask(self) -> tuple[tuple[Placement, ...], tuple[Card, ...]]:
        """Let the player arrange this turn's cards, and return them once confirmed."""
        hand = self._table.hand
        assert hand is not None  # noqa: S101 - asked only during a hand
        cards = list(hand.holding(_YOU).dealt)
        arranged: list[Placement] = []
        view = view_for(self._table, _YOU)
        print_table(self._console, view)
        while True:
            outlook = outlook_for(hand, _YOU, arranged)
            board = hand.holding(_YOU).board.with_placed(arranged)
            print_own(self._console, view, board, outlook, cards)
            try:
                typed = read_line(self._read("> "), cards)
            except OfcError as error:
                print_faults(error.faults, as_json=False)
                continue
            match typed:
                case Arrange(placements):
                    arranged = self._arrange(arranged, placements)
                case Word.CONFIRM if outlook.complete:
                    return tuple(arranged), left_over(hand.holding(_YOU).dealt, arranged)
                case Word.CONFIRM:
                    self._console.print(f"Place {outlook.left} more first.")
                case Word.UNDO:
                    arranged = arranged[:-1]
                case Word.CLEAR:
                    arranged = []
                case Word.BY_RANK:
                    cards.sort(key=lambda card: (-card.rank, card.suit))
                case Word.BY_SUIT:
                    cards.sort(key=lambda card: (card.suit, -card.rank))
                case Word.SHOW:
                    print_table(self._console, view)
                case Word.HELP:
                    self._console.print(HELP)
                case Word.QUIT:
                    if self._read("Leave the match? (y/n) ").strip().casefold() in ("y", "yes"):
                        raise _LeftError

    def _arrange(self, arranged: list[Placement], placements: Sequence[Placement]) -> list[Placement]:
        """Return the arrangement with these cards moved or added; as it was, with a word why, if it does not fit."""
        assert self._table.hand is not None  # noqa: S101 - asked only during a hand
        moved = {placement.card for placement in placements}
        after = [placement for placement in arranged if placement.card not in moved] + list(placements)
        faults = placement_faults(self._table.hand, _YOU, after, partial=True)
        if faults:
            print_faults(faults, as_json=False)
            return arranged
        return after

    def _read(self, prompt: str) -> str:
        sys.stdout.flush()
        if is_typed():
            import readline  # noqa: F401, PLC0415 - gives input() a history and arrow keys
        line = input(prompt)
        if not is_typed():
            self._console.print()  # the answer came without the Enter that a terminal would have shown
        return line

    def _do(self, command: tables.TableCommand) -> None:
        events: tuple[TableEvent, ...] = tables.decide(self._table, command)
        for event in events:
            self._table = tables.apply(self._table, event)

    def _print_standing(self) -> None:
        is_points = self._table.opened.stack is None
        seats = sorted(self._table.seats, key=lambda seat: -seat.standing)
        told = ", ".join(
            f"{seat.player.name} {signed(seat.standing) if is_points else format(seat.standing, ',')}"
            for seat in seats
            if seat.player is not None
        )
        over = "Match over" if self._table.match_end is not None else "Standing"
        self._console.print(f"{over} after {_hands(self._table.hands_played)}: {told}")
