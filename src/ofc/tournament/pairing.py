"""Who won how much from whom, where a hand's points are known only by player.

Without caps it makes no difference. With them (R-CHIP-2) it may, and totals tell nearly all of it: what royalties bring
in a pair is one player's less the other's, which leaves a circle of three nothing, and who wins a row or the scoop from
the next and the next is mostly who wins it from the last. What goes round in a circle of three players is at most the
three rows and a scoop (`most_round`), so that few pairs can have made the totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from ofc.board import ROWS
from ofc.rules import RuleSet
from ofc.scoring import Points
from ofc.tournament.events import PlayerId

Between = dict[tuple[PlayerId, PlayerId], Points]
"""Points between two players, seen from the first; a pair is in it one way round."""


def most_round(rules: RuleSet) -> int:
    """Return the most points that any three boards send round in a circle: a from b, b from c and c from a."""
    return len(ROWS) + rules.scoop


def points_in(between: Between, players: Iterable[PlayerId]) -> dict[PlayerId, Points]:
    """Return what each of the players won or lost in all."""
    points = dict.fromkeys(players, Points(0))
    for (a, b), number in between.items():
        points[a] = Points(points[a] + number)
        points[b] = Points(points[b] - number)
    return points


def net_pairs(points: Mapping[PlayerId, Points]) -> Between:
    """Return the fewest payments that make the points: each loser pays winners, in the players' order."""
    winners = {player: number for player, number in points.items() if number > 0}
    between: Between = {}
    for loser, number in points.items():
        due = -number
        for winner, owed in winners.items():
            paid = min(due, owed)
            if paid > 0:
                between[(winner, loser)] = Points(paid)
                winners[winner] = Points(owed - paid)
                due -= paid
    return between


def likeliest_pairs(points: Mapping[PlayerId, Points]) -> Between:
    """Return the pairs that make the points with next to nothing going round: in the middle of those possible."""
    count = len(points)
    between: Between = {}
    left = dict(points)
    for a, b in combinations(points, 2):
        apart = points[a] - points[b]
        won = Points(abs(apart) // count * (1 if apart > 0 else -1))
        between[(a, b)] = won
        left[a], left[b] = Points(left[a] - won), Points(left[b] + won)
    for (winner, loser), number in net_pairs(left).items():  # what whole points left over
        pair, sign = ((winner, loser), 1) if (winner, loser) in between else ((loser, winner), -1)
        between[pair] = Points(between[pair] + sign * number)
    return between


def possible_pairs(points: Mapping[PlayerId, Points], rules: RuleSet) -> Iterator[Between]:
    """Yield all pairs with which boards under these rules can make the points, of three players or four.

    A pair's points times the number of players are the difference of the two totals and what goes round in all the
    circles that the pair is in.
    """
    count, most = len(points), most_round(rules)
    first, *others = points
    free = list(combinations(others, 2))
    spans = []
    for a, b in free:
        apart, around = points[a] - points[b], (count - 2) * most
        spans.append(range(-((around - apart) // count), (apart + around) // count + 1))
    for numbers in product(*spans):
        between = {pair: Points(number) for pair, number in zip(free, numbers, strict=True)}
        left = points_in(between, others)
        between |= {(first, other): Points(left[other] - points[other]) for other in others}
        if all(abs(_round(between, circle)) <= most for circle in combinations(points, 3)):
            yield between


def _round(between: Between, circle: Sequence[PlayerId]) -> int:
    """Return what goes round: the points of the first from the second, of that from the third, and back."""
    a, b, c = circle
    return between[(a, b)] + between[(b, c)] - between[(a, c)]
