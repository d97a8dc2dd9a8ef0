"""Deals: the players who are left divide the prizes that are left by their chips.

Two models of what a stack is worth. By the Independent Chip Model (Malmuth-Harville) a player comes first with a
chance in proportion to the stack, then second among the others likewise, and so on: D. A. Harville, “Assigning
Probabilities to the Outcomes of Multi-Entry Competitions”, JASA 68 (1973); M. Malmuth, “Gambling Theory and Other
Topics” (1987). By a chip chop each gets the lowest prize and a share of the rest in proportion to the stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import comb
from typing import Final

from ofc.errors import Fault, OfcError, counted
from ofc.scoring import Chips
from ofc.tournament.prizes import Money

MAX_STEPS: Final = 3_000_000
"""The most steps an exact ICM takes, a second or two: 18 players for all places, or more players for fewer places."""
_NOTHING: Final = Money(0)
_ONE: Final = Money(1)


class DealError(OfcError):
    """Stacks and prizes that no deal can be made of."""


class DealMethod(StrEnum):
    """How the prizes are divided."""

    ICM = "icm"
    CHIP_CHOP = "chip-chop"
    EVEN = "even"


@dataclass(frozen=True, slots=True)
class Deal:
    """What each player gets, in the players' order, and what is left for the winner to play for."""

    method: DealMethod
    shares: tuple[Money, ...]
    held_back: Money


def make_deal(
    stacks: Sequence[Chips],
    prizes: Sequence[Money],
    *,
    method: DealMethod = DealMethod.ICM,
    unit: Money = _ONE,
    held_back: Money = _NOTHING,
) -> Deal:
    """Divide the prizes of the places still played for among the players left, given by their stacks.

    `prizes` are those of the first places on, at most one a player; players beyond them play for nothing.
    `held_back` is taken out of the first prize, for the winner. The shares and it sum to the prizes exactly. Each
    share is a multiple of `unit`, rounded down; the units left over go one each to those who lost most by that, of
    equals the larger stack, then the one named first; an amount below the unit goes to the largest stack. `DealError`
    holds every fault, as in `icm`.

    >>> make_deal([Chips(60000), Chips(30000), Chips(10000)], [Money(500), Money(300), Money(200)]).shares
    (413, 338, 249)
    """
    faults = _faults(stacks, prizes)
    if unit < 1:
        faults.append(
            Fault("unit-invalid", f"shares are rounded to 1 or more, not {unit}", field="unit", text=str(unit))
        )
    if held_back < 0 or (prizes and held_back > prizes[0]):
        message = (
            f"0 to {prizes[0]} can be held back for the winner, not {held_back}" if prizes else "nothing to divide"
        )
        faults.append(Fault("held-back-invalid", message, field="held_back", text=str(held_back)))
    if faults:
        raise DealError(*faults)
    divided = [Money(prizes[0] - held_back), *prizes[1:]]
    exact: Sequence[Fraction]
    if method is DealMethod.ICM:
        exact = _without_noise(icm(stacks, divided), sum(divided))
    elif method is DealMethod.CHIP_CHOP:
        exact = chip_chop(stacks, divided)
    else:
        exact = [Fraction(sum(divided), len(stacks))] * len(stacks)
    return Deal(method, _rounded(exact, sum(divided), stacks, unit), held_back)


def icm(stacks: Sequence[Chips], prizes: Sequence[Money]) -> tuple[float, ...]:
    """Return what each stack is worth by the Independent Chip Model, unrounded, in the stacks' order.

    Every finishing order counts: chances of the sets of players that take the first places are added up, 2 to the
    power of the players at most, nothing is sampled. All sums are of positive numbers in double precision, the error
    is below one part in 10^12. `DealError` if there is no player or no prize, a stack is below 1, a prize negative,
    prizes are more than players, or the work is more than `MAX_STEPS`.

    >>> [round(worth, 2) for worth in icm([Chips(5000), Chips(3000), Chips(2000)], [Money(50), Money(30), Money(20)])]
    [38.39, 32.75, 28.86]
    """
    faults = _faults(stacks, prizes)
    paid = [prize for prize in prizes if prize]
    steps = sum(comb(len(stacks), taken) * (len(stacks) - taken) for taken in range(len(paid)))
    if steps > MAX_STEPS:
        message = f"{len(stacks)} players for {len(paid)} prizes are too many for an exact ICM; a chip chop is possible"
        faults.append(Fault("deal-too-large", message, field="stacks", text=str(len(stacks))))
    if faults:
        raise DealError(*faults)
    worth = [0.0] * len(stacks)
    last = max((number for number, prize in enumerate(prizes) if prize), default=-1)
    chances: dict[int, tuple[float, int]] = {0: (1.0, sum(stacks))}
    """By the set of players who hold the places so far, as bits: its chance, and the chips of all others."""
    for prize in prizes[: last + 1]:
        following: dict[int, tuple[float, int]] = {}
        for taken, (chance, chips) in chances.items():
            for player, stack in enumerate(stacks):
                bit = 1 << player
                if taken & bit:
                    continue
                wins = chance * stack / chips
                worth[player] += wins * prize
                before, left = following.get(taken | bit, (0.0, chips - stack))
                following[taken | bit] = before + wins, left
        chances = following
    return tuple(worth)


def chip_chop(stacks: Sequence[Chips], prizes: Sequence[Money]) -> tuple[Fraction, ...]:
    """Return each player's share: the lowest prize played for, 0 where not all are paid, and of the rest by chips.

    The shares are exact. A share can be more than the first prize, which is why most rooms prefer ICM. `DealError`
    as in `icm`, except that no number of players is too large.

    >>> [str(share) for share in chip_chop([Chips(3), Chips(1)], [Money(70), Money(30)])]
    ['60', '40']
    """
    faults = _faults(stacks, prizes)
    if faults:
        raise DealError(*faults)
    least = min(prizes) if len(prizes) == len(stacks) else 0
    rest = sum(prizes) - least * len(stacks)
    return tuple(least + Fraction(rest * stack, sum(stacks)) for stack in stacks)


def _without_noise(worth: Sequence[float], total: int) -> list[Fraction]:
    """Return amounts rounded to a fraction of the total that is far above their error, so that equals are equal."""
    grain = Fraction(2) ** (total.bit_length() - 36)
    return [round(Fraction(share) / grain) * grain for share in worth]


def _rounded(exact: Sequence[Fraction], total: int, stacks: Sequence[Chips], unit: Money) -> tuple[Money, ...]:
    units = [int(share / unit) for share in exact]
    left = total // unit - sum(units)
    by_loss = sorted(range(len(exact)), key=lambda one: (units[one] - exact[one] / unit, -stacks[one], one))
    for player in by_loss[:left]:
        units[player] += 1
    shares = [count * unit for count in units]
    shares[stacks.index(max(stacks))] += total % unit
    return tuple(Money(share) for share in shares)


def _faults(stacks: Sequence[Chips], prizes: Sequence[Money]) -> list[Fault]:
    faults = [
        Fault(
            "stack-invalid", f"who makes a deal has 1 chip or more, not {stack}", f"stacks[{player}]", text=str(stack)
        )
        for player, stack in enumerate(stacks)
        if stack < 1
    ]
    faults += [
        Fault("amount-negative", f"a prize is 0 or more, not {prize}", f"prizes[{number}]", text=str(prize))
        for number, prize in enumerate(prizes)
        if prize < 0
    ]
    if not stacks:
        faults.append(Fault("players-too-few", "nobody is left to make a deal", "stacks", text="0"))
    if not prizes:
        faults.append(Fault("prizes-too-few", "there is no prize to divide", "prizes", text="0"))
    if len(prizes) > len(stacks):
        message = f"{counted(len(prizes), 'prize')} for {counted(len(stacks), 'player')}"
        faults.append(Fault("prizes-too-many", message, "prizes", text=str(len(prizes))))
    return faults
