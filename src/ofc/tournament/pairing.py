"""Who won how much from whom, where a hand's points are known only by player.

Without caps it makes no difference. With them (R-CHIP-2) it may, and totals tell nearly all of it: what royalties bring
in a pair is one player's less the other's, which leaves a circle of three nothing, and who wins a row or the scoop from
the next and the next is mostly who wins it from the last. What goes round in a circle of three players is at most the
three rows and a scoop (`most_round`), so that few pairs can have made the totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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


def most_points(rules: RuleSet) -> int:
    """Return the most points that one board can win from another."""
    top = max(*rules.top_pair_royalties, *rules.top_trips_royalties)
    return len(ROWS) + rules.scoop + top + max(rules.middle_royalties) + max(rules.bottom_royalties)


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


def possible_pairs(points: Mapping[PlayerId, Points], rules: RuleSet) -> Iterator[Between]:
    """Yield all pairs with which boards under these rules can make the points, of two to four players.

    A pair's points times the number of players are the difference of the two totals and what goes round in all the
    circles that the pair is in.
    """
    count, most, around = len(points), most_points(rules), (len(points) - 2) * most_round(rules)
    first, *others = points
    free = list(combinations(others, 2))
    spans = [
        range(-((around - points[a] + points[b]) // count), (around + points[a] - points[b]) // count + 1)
        for a, b in free
    ]
    for numbers in product(*spans):
        between = {pair: Points(number) for pair, number in zip(free, numbers, strict=True)}
        left = points_in(between, others)
        between |= {(first, other): Points(left[other] - points[other]) for other in others}
        if goes_round(between, points) <= most_round(rules) and max(map(abs, between.values())) <= most:
            yield between


def likeliest_pairs(points: Mapping[PlayerId, Points], rules: RuleSet) -> Between:
    """Return the possible pairs with the least going round; the fewest payments for points that no boards make."""
    if len(points) < 2:
        return {}
    return min(possible_pairs(points, rules), key=lambda pairs: goes_round(pairs, points), default=net_pairs(points))


def goes_round(between: Between, players: Iterable[PlayerId]) -> int:
    """Return the most points that go round in a circle: of one from the next, of that from a third, and back."""
    return max(
        (abs(between[(a, b)] + between[(b, c)] - between[(a, c)]) for a, b, c in combinations(players, 3)), default=0
    )
