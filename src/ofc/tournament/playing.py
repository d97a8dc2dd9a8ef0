"""A whole tournament played by itself, hand after hand at every table, over the same core as a live one.

Time is told by a queue of the hands under way: each lasts a while drawn by chance, a Fantasyland hand longer. No hand
begins in a break, nor while its table waits for others. The same arguments give the same tournament: every hand has
its own chance, drawn from the seed, the table's number and the hand's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, Protocol

from ofc import table as tables
from ofc.board import Board
from ofc.bots import Bot
from ofc.cards import shuffled_deck
from ofc.clock import Millis
from ofc.errors import Fault, OfcError
from ofc.events import Player, TableOpened
from ofc.hand import Place
from ofc.rules import RuleSet
from ofc.scoring import Chips, Points, Seat
from ofc.table import DealHand, SeatState, Table
from ofc.tournament.commands import (
    Command,
    DrawSeats,
    Finish,
    NewPlayer,
    Open,
    PlanMoves,
    PlayHandForHand,
    Register,
    SetPrizes,
    StartClock,
    Told,
)
from ofc.tournament.deciding import decide, open_tournament
from ofc.tournament.events import Action, HandSettled, Moved, PlayerId, TableNumber
from ofc.tournament.history import Log
from ofc.tournament.pacing import waits_for
from ofc.tournament.prizes import Fees, Money, TemplatePayouts
from ofc.tournament.seating import propose_moves, table_sizes
from ofc.tournament.settling import EnterBoards, EnterHand, EnterPoints
from ofc.tournament.standings import Standing, prizes, standings
from ofc.tournament.state import TableState, Tournament
from ofc.tournament.structure import MINUTE_MS, Break, Level, Step, Structure
from ofc.view import view_for

PLAYERS: Final = range(2, 2001)
ENTRY_FEE: Final = Money(100)
"""What each player pays into the pool."""
MAX_HANDS: Final = 1_000_000
HAND_MINUTES: Final = (4.0, 7.0)
"""How long a hand lasts at least and at most."""
FANTASYLAND_FACTOR: Final = 1.4
"""How much longer a hand lasts in which somebody is in Fantasyland."""
_DIRECTOR: Final = "simulation"
_SWING: Final = 12.0
_ENTRY_CHANCE: Final = 0.1


class PlayingError(OfcError):
    """A tournament that cannot be played as asked."""


def count_faults(players: int) -> list[Fault]:
    """Return a fault if no tournament is played with so many players."""
    if players in PLAYERS:
        return []
    message = f"a tournament is simulated with {PLAYERS[0]} to {PLAYERS[-1]} players, not {players}"
    return [Fault("players-count", message, field="players", text=str(players))]


def default_structure() -> Structure:
    """Return the built-in structure: 5,000 chips, 20 minutes a level, a break after every four, 40 % up a level."""
    prices = (100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 10_000, 15_000, 20_000)
    steps: list[Step] = []
    for number, price in enumerate(prices):
        if number and number % 4 == 0:
            steps.append(Break(10))
        steps.append(Level(Chips(price), minutes=20))
    return Structure(Chips(5000), tuple(steps))


class HandPlayer(Protocol):
    """Whatever plays a hand at a table, or makes its result up."""

    def play(
        self, state: Tournament, table: TableState, players: Sequence[PlayerId], generator: random.Random
    ) -> EnterHand:
        """Return the result of the hand that these players, in seat order, are dealt."""
        ...


@dataclass(frozen=True, slots=True)
class BotHands:
    """Hands played card by card: player 1 is the first bot, player 2 the second, and so on round and round."""

    bots: tuple[Bot, ...]

    def play(
        self, state: Tournament, table: TableState, players: Sequence[PlayerId], generator: random.Random
    ) -> EnterHand:
        """Deal the hand at a table as people have it, and let the bots place."""
        rules, at = state.settings.rules, Millis(0)
        opened = TableOpened(
            rules=rules,
            seats=len(table.seats),
            hands=1,
            stack=None,
            price=None,
            button=table.button,
            seeded=True,
            at=at,
        )
        seats = tuple(
            SeatState(player=Player(f"Seat {seat + 1}"), owed=state.players[player].owed)
            if player is not None and player in players
            else SeatState()
            for seat, player in enumerate(table.seats)
        )
        played = _after(Table(opened, seats, table.button, None), DealHand(shuffled_deck(generator), at))
        while played.is_playing and played.hand is not None:
            seat = played.hand.to_act[0]
            bot = self.bots[((table.seats[seat] or 1) - 1) % len(self.bots)]
            placements = bot.place(view_for(played, seat), rules, generator)
            played = _after(played, Place(seat, placements, None, at))
        return EnterBoards(table.number, table.hand, dict(_boards(table, played)))


def _after(table: Table, command: DealHand | Place) -> Table:
    for event in tables.decide(table, command):
        table = tables.apply(table, event)
    return table


def _boards(table: TableState, played: Table) -> Iterator[tuple[PlayerId, Board]]:
    for seat, player in enumerate(table.seats):
        if played.hand is not None and player is not None and seat in played.hand.seats:
            yield player, played.hand.holding(Seat(seat)).board


@dataclass(frozen=True, slots=True)
class ScriptedHands:
    """Results made up by chance, as far apart as those of sensible players, without a card being dealt."""

    def play(
        self, state: Tournament, table: TableState, players: Sequence[PlayerId], generator: random.Random
    ) -> EnterHand:
        """Draw the points, and who earns Fantasyland."""
        drawn = [round(generator.gauss(0, _SWING)) for _ in players[1:]]
        points = dict(zip(players, map(Points, (-sum(drawn), *drawn)), strict=True))
        rules = state.settings.rules
        cards = {
            player: generator.choice(rules.fantasyland_counts)
            for player in players
            if rules.fantasyland_counts
            and (rules.can_stay or not state.players[player].owed)
            and generator.random() < _ENTRY_CHANCE
        }
        return EnterPoints(table.number, table.hand, points, cards)


@dataclass(frozen=True, slots=True)
class Result:
    """How a tournament went.

    `levels_played` is the number of the highest level that a hand was played at. A chain is the Fantasyland hands in a
    row at one table, the hand that earned the first not among them. `out_in_hand` says in which hand of the tournament,
    counted from 1 in the order of their results, a player went out.
    """

    hands: int
    levels_played: int
    chips_total: Chips
    standings: tuple[Standing, ...]
    out_in_hand: Mapping[PlayerId, int]
    moves: int
    fantasyland_chains: int
    longest_chain_hands: int


class Playing:
    """A tournament under way; `play_hand` until there is a winner."""

    def __init__(self, players: int, structure: Structure, rules: RuleSet, *, seed: int, by: HandPlayer) -> None:
        """Register so many players, draw their seats and start the clock; `PlayingError` holds every fault."""
        faults = count_faults(players)
        if faults:
            raise PlayingError(*faults)
        self._seed = seed
        self._by = by
        self._now = Millis(0)
        self._durations = random.Random(f"ofc tournament {seed} durations")
        self._ends: list[tuple[Millis, TableNumber]] = []
        self._dealt: dict[TableNumber, tuple[PlayerId, ...]] = {}
        self._hands = 0
        self._levels = 0
        self._moves = 0
        self._out_in_hand: dict[PlayerId, int] = {}
        self._chains: dict[TableNumber, int] = {}
        self._chain_lengths: list[int] = []
        seats = min(3, rules.max_seats)
        opened = open_tournament(Open("Simulation", rules, structure, seats=seats), Told(_DIRECTOR, self._now))
        self.log = Log.replay([opened])
        self._do(Register(tuple(NewPlayer(f"Player {number}", paid=True) for number in range(1, players + 1))))
        self._do(SetPrizes(Fees(ENTRY_FEE), TemplatePayouts("club")))
        codes = tuple(f"T{number}" for number in range(1, len(table_sizes(players, seats)) + 1))
        self._do(DrawSeats(seed, codes))
        self._do(StartClock())
        self._paid = len(prizes(self.state))
        self._begin_hands()

    @property
    def state(self) -> Tournament:
        """The tournament now."""
        return self.log.state

    @property
    def players_left(self) -> int:
        """How many players still have chips."""
        return sum(player.at is not None for player in self.state.players.values())

    def play_hand(self) -> bool:
        """Play the hand that ends next, and all that follows from it; False once there is a winner.

        `PlayingError` if that takes more than a million hands.
        """
        if not self._ends:
            return False
        if self._hands >= MAX_HANDS:
            message = f"no winner after {MAX_HANDS:,} hands: prices do not rise enough for these stacks"
            raise PlayingError(Fault("hands-too-many", message, field="structure"))
        self._now, number = heappop(self._ends)
        table = self.state.tables[number]
        generator = random.Random(f"ofc tournament {self._seed} table {number} hand {table.hand}")
        self._do(self._by.play(self.state, table, self._dealt.pop(number), generator))
        self._direct()
        self._begin_hands()
        return True

    def result(self) -> Result:
        """Return how the tournament went, up to now."""
        lengths = [*self._chain_lengths, *self._chains.values()]
        return Result(
            hands=self._hands,
            levels_played=self._levels,
            chips_total=Chips(sum(player.stack for player in self.state.players.values())),
            standings=standings(self.state),
            out_in_hand=dict(self._out_in_hand),
            moves=self._moves,
            fantasyland_chains=len(lengths),
            longest_chain_hands=max(lengths, default=0),
        )

    def _do(self, command: Command | EnterHand) -> None:
        before = self.state
        entry = decide(self.log, command, Told(_DIRECTOR, self._now))
        self.log.append(entry)
        for event in entry.events if isinstance(entry, Action) else ():
            if isinstance(event, HandSettled):
                self._count(event, is_fantasyland=any(before.players[player].owed for player in event.points))
            elif isinstance(event, Moved):
                self._moves += 1

    def _count(self, hand: HandSettled, *, is_fantasyland: bool) -> None:
        self._hands += 1
        self._levels = max(self._levels, self.state.structure.level_number(hand.step))
        self._out_in_hand |= {player: self._hands for player, _ in hand.out}
        if is_fantasyland:
            self._chains[hand.table] = self._chains.get(hand.table, 0) + 1
        if not hand.fantasyland and hand.table in self._chains:
            self._chain_lengths.append(self._chains.pop(hand.table))

    def _direct(self) -> None:
        """Do what a director does between hands: keep tables even, and play hand for hand near the prizes."""
        if propose_moves(self.state):
            self._do(PlanMoves())
        left = self.players_left
        is_near = left == self._paid + 1 and len(list(self.state.playing_tables())) > 1
        if is_near != (self.state.hand_for_hand is not None):
            self._do(PlayHandForHand(is_near))
        if left == 1:
            self._do(Finish())

    def _begin_hands(self) -> None:
        """Begin a hand at each table that has none under way and may play."""
        here = self.state.position(self._now)
        is_pause = isinstance(self.state.structure.steps[here.step], Break)
        begin = self._now + (here.left_ms or 0 if is_pause else 0)
        for table in sorted(self.state.playing_tables(), key=lambda table: table.number):
            if table.number in self._dealt or waits_for(self.state, table, self._now):
                continue
            minutes = self._durations.uniform(*HAND_MINUTES)
            if self.state.is_frozen(table.number):
                minutes *= FANTASYLAND_FACTOR
            self._dealt[table.number] = tuple(player for player in table.seats if player is not None)
            heappush(self._ends, (Millis(begin + round(minutes * MINUTE_MS)), table.number))
