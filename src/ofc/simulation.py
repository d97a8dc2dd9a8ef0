"""Bots playing whole matches against each other, in bulk: a seed in, counts out.

Every match is played at a table as people play it (`ofc.table`), Fantasyland carried over and the button moving.
Each match has its own deals and its own chance for each bot, drawn from the seed and the match's number alone: so
a match comes out the same whoever plays the others, and whatever machine plays it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from itertools import permutations
from math import sqrt
from typing import Final

from ofc import table as tables
from ofc.bots import Bot
from ofc.cards import shuffled_deck
from ofc.clock import Millis
from ofc.errors import Fault, OfcError
from ofc.events import Player, TableEvent, TableOpened
from ofc.hand import Place
from ofc.rules import RuleSet
from ofc.scoring import Points, Seat, players_faults
from ofc.table import MATCH_HANDS, DealHand, Sit, Table
from ofc.view import view_for

DEFAULT_MATCH_HANDS: Final = 24
MOST_HANDS: Final = 1_000_000_000
"""More would take a year."""
_MOST_EXTRA_HANDS: Final = 500
"""Rules of one's own may let everyone stay in Fantasyland for ever: so many hands after a match's last it is cut."""
_NO_TIME: Final = Millis(0)


class SimulationError(OfcError):
    """A simulation that cannot be run as asked."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one bot did over some hands. A regular hand may enter Fantasyland, a Fantasyland hand may stay."""

    hands: int = 0
    points: Points = Points(0)  # noqa: RUF009 - an int
    royalties: int = 0
    fouls: int = 0
    regular_hands: int = 0
    entries: int = 0
    fantasyland_hands: int = 0
    stays: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """One match: its number from 0, and a tally for each bot in the order in which the bots were given."""

    number: int
    hands: int
    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class BotRecord:
    """A bot's record over a simulation. Means are per hand, shares between 0 and 1; None where nothing was counted.

    `points_error` is the standard error of `points`, by match: hands of one match hang together by Fantasyland. None
    for a single match. `entered` is of the regular hands, `stayed` of the Fantasyland hands.
    """

    hands: int
    points: float
    points_error: float | None
    fouled: float
    entered: float | None
    stayed: float | None
    royalties: float


def count_matches(hands: int, match_hands: int) -> int:
    """Return how many matches make at least so many hands, were none longer than `match_hands`."""
    return -(-hands // match_hands)


def simulation_faults(
    bots: int, rules: RuleSet | None, *, hands: int | None = None, match_hands: int | None = None
) -> list[Fault]:
    """Return what keeps `simulate` from being run with so many bots; of what is None nothing is said."""
    faults = [] if rules is None else players_faults(bots, rules)
    if hands is not None and not 1 <= hands <= MOST_HANDS:
        message = f"play 1 to {MOST_HANDS} hands, not {hands}"
        faults.append(Fault("hands-count", message, field="hands", text=str(hands)))
    if match_hands is not None and match_hands not in MATCH_HANDS:
        message = f"a match is 1 to {MATCH_HANDS[-1]} hands, not {match_hands}"
        faults.append(Fault("match-hands", message, field="match", text=str(match_hands)))
    return faults


def simulate(
    bots: Sequence[Bot], rules: RuleSet, *, hands: int, seed: int, match_hands: int = DEFAULT_MATCH_HANDS
) -> Iterator[MatchPlayed]:
    """Play matches of `match_hands` hands until at least `hands` are played; yield each match once it is over.

    A match is played to its end, and goes on while Fantasyland is pending, so that more hands may be played than
    asked. Seatings take turns: first every rotation of the bots as given, then of their other orders.
    `SimulationError` holds every fault: a number of bots that the rules do not play, too few or too many hands.
    """
    faults = simulation_faults(len(bots), rules, hands=hands, match_hands=match_hands)
    if faults:
        raise SimulationError(*faults)
    return (
        play_match(bots, rules, number=number, seed=seed, match_hands=match_hands)
        for number in range(count_matches(hands, match_hands))
    )


def play_match(bots: Sequence[Bot], rules: RuleSet, *, number: int, seed: int, match_hands: int) -> MatchPlayed:
    """Play the match of this number, from 0, in the simulation of this seed."""
    seating = _seating(len(bots), number)
    deals = random.Random(f"ofc {seed} {number} deals")
    generators = [random.Random(f"ofc {seed} {number} bot {bot}") for bot in range(len(bots))]
    tallies = [Tally() for _ in bots]
    table = _seat_players(rules, len(bots), match_hands)
    while table.match_end is None and table.hands_played < match_hands + _MOST_EXTRA_HANDS:
        table = _apply(table, tables.decide(table, DealHand(shuffled_deck(deals), _NO_TIME)))
        while table.is_playing and table.hand is not None:
            seat = table.hand.to_act[0]
            bot = seating[seat]
            placements = bots[bot].place(view_for(table, seat), rules, generators[bot])
            table = _apply(table, tables.decide(table, Place(seat, placements, None, _NO_TIME)))
        for place, bot in enumerate(seating):
            tallies[bot] += _tally(table, Seat(place))
    return MatchPlayed(number, table.hands_played, tuple(tallies))


def summarise(matches: Sequence[MatchPlayed]) -> tuple[BotRecord, ...]:
    """Return each bot's record over one match or more, in the order in which the bots were given."""
    return tuple(_record([match.tallies[bot] for match in matches]) for bot in range(len(matches[0].tallies)))


def _record(tallies: Sequence[Tally]) -> BotRecord:
    total = sum(tallies, Tally())
    points = total.points / total.hands
    error = None
    if len(tallies) > 1:
        # Matches differ in length, so the mean is a ratio, and its error that of a ratio.
        squares = sum((tally.points - points * tally.hands) ** 2 for tally in tallies)
        error = sqrt(len(tallies) / (len(tallies) - 1) * squares) / total.hands
    return BotRecord(
        hands=total.hands,
        points=points,
        points_error=error,
        fouled=total.fouls / total.hands,
        entered=total.entries / total.regular_hands if total.regular_hands else None,
        stayed=total.stays / total.fantasyland_hands if total.fantasyland_hands else None,
        royalties=total.royalties / total.hands,
    )


def _seating(bots: int, number: int) -> tuple[int, ...]:
    """Return which bot sits in each seat in this match.

    >>> [_seating(3, number) for number in range(4)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)]
    """
    orders = [(0, *others) for others in permutations(range(1, bots))]
    order = orders[number // bots % len(orders)]
    first = number % bots
    return order[first:] + order[:first]


def _seat_players(rules: RuleSet, seats: int, match_hands: int) -> Table:
    opened = TableOpened(
        rules=rules,
        seats=seats,
        hands=match_hands,
        stack=None,
        price=None,
        button=Seat(0),
        seeded=True,
        at=_NO_TIME,
    )
    table = tables.replay(tables.open_table(opened))
    for seat in range(seats):
        # Players are told apart by their seats alone, so no bot knows which bots it plays.
        table = _apply(table, tables.decide(table, Sit(Seat(seat), Player(f"Seat {seat + 1}"), _NO_TIME)))
    return table


def _apply(table: Table, events: Sequence[TableEvent]) -> Table:
    for event in events:
        table = tables.apply(table, event)
    return table


def _tally(table: Table, seat: Seat) -> Tally:
    """Return what a seat did in the hand just settled."""
    assert table.hand is not None and table.settled is not None  # noqa: S101, PT018 - the hand is over
    score = table.settled.settlement.players[table.hand.seats.index(seat)]
    is_regular = not table.hand.fantasyland(seat)
    goes_on = score.fantasyland_next > 0
    return Tally(
        hands=1,
        points=score.points,
        royalties=score.royalties.total,
        fouls=score.fouled,
        regular_hands=is_regular,
        entries=is_regular and goes_on,
        fantasyland_hands=not is_regular,
        stays=not is_regular and goes_on,
    )
