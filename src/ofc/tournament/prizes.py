"""Prizes: the pool that entries make, what each place gets of it, and what players of a shared place get.

All money is whole numbers of the smallest amount that the event counts (cents, or whole euros). What is handed out is
always the whole pool, to the last unit: prizes are rounded down, and what rounding leaves goes to one stated place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NewType

from ofc.errors import Fault, OfcError, counted

Money = NewType("Money", int)
"""An amount in the smallest unit the event counts; never negative."""
BasisPoints = NewType("BasisPoints", int)
"""A hundredth of a percent; the whole pool is 10,000."""

WHOLE: Final = BasisPoints(10_000)
MAX_ENTRIES: Final = 10_000
_NOTHING: Final = Money(0)
_ONE: Final = Money(1)


class PrizeError(OfcError):
    """Fees, percentages, prizes or places that are impossible or do not fit together."""


@dataclass(frozen=True, slots=True)
class Fees:
    """What an entry costs and what else goes into the pool.

    `entry` goes into the pool and `house` to the house, for each entry and re-entry; `added` is put into the pool by
    the house or a sponsor in any case; `guaranteed` is the least that the pool holds, the house adding what is missing.
    """

    entry: Money
    house: Money = _NOTHING
    added: Money = _NOTHING
    guaranteed: Money = _NOTHING


@dataclass(frozen=True, slots=True)
class Pool:
    """The money of an event: `overlay` is what the house adds to reach the guarantee, `house` what it collects."""

    entries: int
    collected: Money
    added: Money
    overlay: Money
    house: Money

    @property
    def total(self) -> Money:
        """What the places share."""
        return Money(self.collected + self.added + self.overlay)


@dataclass(frozen=True, slots=True)
class Percentages:
    """Shares of the pool by place, from the first, in basis points; they sum to 10,000 and never rise."""

    basis_points: tuple[BasisPoints, ...]

    def first(self, places: int) -> Percentages:
        """Return the first so many shares, scaled up to the whole pool; what rounding leaves goes to the first place.

        >>> Percentages((BasisPoints(5000), BasisPoints(3000), BasisPoints(2000))).first(2).basis_points
        (6250, 3750)
        """
        kept = self.basis_points[:places]
        return Percentages(tuple(BasisPoints(share) for share in share_out(WHOLE, [Fraction(one) for one in kept])))


@dataclass(frozen=True, slots=True)
class FixedAmounts:
    """Amounts by place, from the first. `rest_to` is the place that also gets what the pool holds beyond them.

    Without `rest_to` the amounts must be exactly the pool.
    """

    amounts: tuple[Money, ...]
    rest_to: int | None = None


@dataclass(frozen=True, slots=True)
class PlaceWeights:
    """So many places are paid, each in proportion to 1/place."""

    places: int


@dataclass(frozen=True, slots=True)
class TemplatePayouts:
    """Percentages by the number of entries, out of the built-in template of this id."""

    template: str


Payouts = Percentages | FixedAmounts | PlaceWeights | TemplatePayouts


@dataclass(frozen=True, slots=True)
class PayoutTemplate:
    """A payout table by entries. `brackets` hold the most entries a row is for, ascending, and its shares.

    `origin` says where the shares were published, or that they are ours.
    """

    id: str
    title: str
    origin: str
    brackets: tuple[tuple[int, Percentages], ...]

    def percentages(self, entries: int) -> Percentages:
        """Return the row for so many entries, 1 or more; more than the last row is for get the last row."""
        for most, percentages in self.brackets:
            if entries <= most:
                return percentages
        return self.brackets[-1][1]


def _row(*runs: float | tuple[int, float]) -> Percentages:
    """Return percentages from single shares and from (places, share each) runs, in percent."""
    shares: list[BasisPoints] = []
    for run in runs:
        places, percent = run if isinstance(run, tuple) else (1, run)
        shares += [BasisPoints(round(percent * 100))] * places
    return Percentages(tuple(shares))


_NINE_PAID: Final = _row(30, 20, 12, 10, 8, 6.5, 5.5, 4.5, 3.5)
_THIRTEEN_PAID: Final = _row(30, 20, 11.9, 8.9, 7, 5.8, 4.6, 3.6, 2.6, (4, 1.4))
_LARGE: Final = (
    (150, _row(30, 20, 11.9, 8, 6.5, 5, 3.5, 2.6, 1.7, (4, 1.4), (5, 1.04))),
    (200, _row(27.5, 17.5, 11.6, 8, 6, 4.5, 3.5, 2.6, 1.7, (4, 1.4), (5, 1.04), (9, 0.7))),
    (300, _row(25, 15.4, 10.5, 7, 5.5, 4.5, 3.5, 2.55, 1.7, (4, 1.3), (5, 0.95), (9, 0.7), (18, 0.45))),
    (2000, _row(23, 14, 9.5, 6.5, 5.4, 4.4, 3.4, 2.45, 1.6, (4, 1.3), (5, 0.95), (9, 0.6), (18, 0.45), (18, 0.35))),
)

PAYOUT_TEMPLATES: Final[tuple[PayoutTemplate, ...]] = (
    PayoutTemplate(
        "club",
        "Club",
        "6-10 and 16-24 entries: homepokergames.com, “Home Poker Tournament - Payout Structure” (6, 8-10 and 20 "
        "players); 25-40: kiabet.com/poker/poker41.htm (30-40 players); 41 and more: as card-room; "
        "up to 5, and where a row was stretched to neighbouring numbers: ours",
        (
            (5, _row(100)),
            (7, _row(60, 40)),
            (15, _row(50, 30, 20)),
            (24, _row(45, 25, 15, 10, 5)),
            (40, _row(35, 25, 12.5, 10, 7.5, 5, 5)),
            (65, _NINE_PAID),
            (100, _THIRTEEN_PAID),
            *_LARGE,
        ),
    ),
    PayoutTemplate(
        "card-room",
        "Card room, few paid",
        "vegaspoker247.com, “Tourney Payout Structures”, buy-in of $5 or less. Its row for 66-100 entries sums to "
        "99.1; the ninth place gets the missing 0.9 here",
        (
            (2, _row(100)),
            (27, _row(50, 30, 20)),
            (45, _row(37, 22, 15, 11, 8, 7)),
            (65, _NINE_PAID),
            (100, _THIRTEEN_PAID),
            *_LARGE,
        ),
    ),
    PayoutTemplate("winner", "Winner takes all", "ours", ((1, _row(100)),)),
)
"""The built-in payout tables."""


def make_pool(fees: Fees, *, entries: int) -> Pool:
    """Return the pool that so many entries make, re-entries included.

    `PrizeError` if an amount is negative, or the entries are not 0 to 10,000.

    >>> make_pool(Fees(Money(20), house=Money(2), guaranteed=Money(600)), entries=27)
    Pool(entries=27, collected=540, added=0, overlay=60, house=54)
    """
    faults = fees_faults(fees)
    if not 0 <= entries <= MAX_ENTRIES:
        message = f"entries are 0 to {MAX_ENTRIES}, not {entries}"
        faults.append(Fault("entries-invalid", message, field="entries", text=str(entries)))
    _refuse(faults)
    collected = fees.entry * entries
    overlay = max(0, fees.guaranteed - collected - fees.added)
    return Pool(entries, Money(collected), fees.added, Money(overlay), Money(fees.house * entries))


def fees_faults(fees: Fees) -> list[Fault]:
    """Return a fault for each negative amount."""
    amounts = {"entry": fees.entry, "house": fees.house, "added": fees.added, "guaranteed": fees.guaranteed}
    return [_negative(f"fees.{name}", amount) for name, amount in amounts.items() if amount < 0]


def payout_faults(payouts: Payouts) -> list[Fault]:
    """Return everything that is impossible about payouts, whatever the pool and the entries."""
    match payouts:
        case Percentages(basis_points):
            return _percentage_faults(basis_points)
        case FixedAmounts(amounts, rest_to):
            return _fixed_faults(amounts, rest_to)
        case PlaceWeights(places):
            if 1 <= places <= MAX_ENTRIES:
                return []
            message = f"1 to {MAX_ENTRIES} places are paid, not {places}"
            return [Fault("payouts-places", message, field="payouts.places", text=str(places))]
        case _:
            template = payouts.template
            known = [one.id for one in PAYOUT_TEMPLATES]
            if template in known:
                return []
            message = f"no payout table “{template}”; there are {', '.join(known)}"
            return [Fault("payouts-unknown", message, field="payouts.template", text=template)]


def prize_list(
    pool: Money, payouts: Payouts, *, entries: int, unit: Money = _ONE, remainder_to: int = 1
) -> tuple[Money, ...]:
    """Return the prize of each paid place, from the first; they sum to the pool exactly.

    Every prize is rounded down to a multiple of `unit`, and what that leaves goes to the place `remainder_to`; fixed
    amounts stay as they are. No place gets more than a better one, but for the remainder where it does not go to the
    first. `PrizeError` if the payouts are impossible, there are more prizes than entries, fixed amounts do not make up
    the pool or rise with its rest, the unit is below 1, or nobody is paid at `remainder_to`.

    >>> prize_list(Money(156), PlaceWeights(6), entries=6)
    (67, 31, 21, 15, 12, 10)
    """
    faults = payout_faults(payouts)
    if pool < 0:
        faults.append(_negative("pool", pool))
    if unit < 1:
        faults.append(
            Fault("unit-invalid", f"prizes are rounded to 1 or more, not {unit}", field="unit", text=str(unit))
        )
    _refuse(faults)
    if isinstance(payouts, FixedAmounts):
        prizes = _fixed_prizes(pool, payouts.amounts, payouts.rest_to)
    else:
        prizes = _shared_prizes(pool, _weights(payouts, entries), unit, remainder_to)
    if len(prizes) > entries:
        message = f"{counted(len(prizes), 'prize')} for {counted(entries, 'entry', 'entries')}"
        raise PrizeError(Fault("prizes-too-many", message, field="payouts", text=str(len(prizes))))
    return prizes


def get_payout_template(template_id: str) -> PayoutTemplate:
    """Return the built-in payout table of this id; `PrizeError` (`payouts-unknown`) says which there are."""
    _refuse(payout_faults(TemplatePayouts(template_id)))
    return next(one for one in PAYOUT_TEMPLATES if one.id == template_id)


def share_out(total: int, weights: Sequence[Fraction], *, unit: int = 1, remainder_to: int = 1) -> tuple[int, ...]:
    """Divide a total in proportion to weights of which one at least is above 0; the parts sum to it exactly.

    Each part is rounded down to a multiple of `unit`; the remainder goes to part number `remainder_to`, from 1.
    """
    whole = sum(weights)
    parts = [int(total * weight / whole / unit) * unit for weight in weights]
    parts[remainder_to - 1] += total - sum(parts)
    return tuple(parts)


def split_ties(prizes: Sequence[Money], places: Sequence[int], *, unit: Money = _ONE) -> tuple[Money, ...]:
    """Return each player's prize, given the place of each, in the players' order (R-CHIP-4).

    Players who share place 5, two of them, have taken places 5 and 6: the prizes of both are added and split evenly
    in multiples of `unit`. Units that cannot be split go one each to the tied players in the order given, which
    should be that of their entry, and an amount below the unit to the first of them. A place may be missing, its
    player still playing. `PrizeError` if a prize is negative, a place below 1, the unit below 1, or somebody has a
    place that tied players have taken.

    >>> split_ties([Money(100), Money(61), Money(40)], [2, 1, 2])
    (51, 100, 50)
    """
    faults = [_negative(f"prizes[{number}]", prize) for number, prize in enumerate(prizes) if prize < 0]
    if unit < 1:
        faults.append(Fault("unit-invalid", f"prizes are split to 1 or more, not {unit}", field="unit", text=str(unit)))
    faults += _place_faults(places)
    _refuse(faults)
    split = [_NOTHING] * len(places)
    at_place: dict[int, list[int]] = {}
    for player, place in enumerate(places):
        at_place.setdefault(place, []).append(player)
    for place, tied in at_place.items():
        total = sum(prizes[place - 1 : place - 1 + len(tied)])
        units, below = divmod(total, unit)
        each, odd = divmod(units, len(tied))
        for order, player in enumerate(tied):
            split[player] = Money((each + (order < odd)) * unit + (below if order == 0 else 0))
    return tuple(split)


def _place_faults(places: Sequence[int]) -> list[Fault]:
    faults = [
        Fault("place-invalid", f"a place is 1 or more, not {place}", field=f"places[{player}]", text=str(place))
        for player, place in enumerate(places)
        if place < 1
    ]
    free = 1
    for place in sorted(set(places)):
        if place < free:
            message = f"place {place} is taken by players who share a better one"
            faults.append(Fault("place-taken", message, field="places", text=str(place)))
        free = place + places.count(place)
    return faults


def _percentage_faults(shares: Sequence[BasisPoints]) -> list[Fault]:
    field = "payouts.basis_points"
    faults = [_negative(f"{field}[{number}]", share) for number, share in enumerate(shares) if share < 0]
    if sum(shares) != WHOLE:
        message = f"percentages sum to 100, not {format_percent(BasisPoints(sum(shares)))}"
        faults.append(Fault("percentages-sum", message, field=field, text=str(sum(shares))))
    return faults + _rising_faults(field, shares)


def _fixed_faults(amounts: Sequence[Money], rest_to: int | None) -> list[Fault]:
    field = "payouts.amounts"
    faults = [_negative(f"{field}[{number}]", amount) for number, amount in enumerate(amounts) if amount < 0]
    if not amounts:
        faults.append(Fault("payouts-places", "at least one place is paid", field=field, text="0"))
    if rest_to is not None and not 1 <= rest_to <= len(amounts):
        faults.append(_unpaid("payouts.rest_to", rest_to))
    certain = [amount for place, amount in enumerate(amounts, 1) if place != rest_to]
    return faults + _rising_faults(field, certain)


def _rising_faults(field: str, amounts: Sequence[int]) -> list[Fault]:
    for number in range(1, len(amounts)):
        if amounts[number] > amounts[number - 1]:
            message = f"place {number + 1} would get more than place {number}"
            return [Fault("payouts-rising", message, field=f"{field}[{number}]", text=str(amounts[number]))]
    return []


def _weights(payouts: Percentages | PlaceWeights | TemplatePayouts, entries: int) -> list[Fraction]:
    match payouts:
        case Percentages(basis_points):
            return [Fraction(share) for share in basis_points]
        case PlaceWeights(places):
            return [Fraction(1, place) for place in range(1, places + 1)]
        case _:
            return _weights(get_payout_template(payouts.template).percentages(entries), entries)


def _shared_prizes(pool: Money, weights: Sequence[Fraction], unit: Money, remainder_to: int) -> tuple[Money, ...]:
    if not 1 <= remainder_to <= len(weights):
        raise PrizeError(_unpaid("remainder_to", remainder_to))
    return tuple(Money(part) for part in share_out(pool, weights, unit=unit, remainder_to=remainder_to))


def _fixed_prizes(pool: Money, amounts: Sequence[Money], rest_to: int | None) -> tuple[Money, ...]:
    rest = pool - sum(amounts)
    if rest < 0 or (rest > 0 and rest_to is None):
        message = f"the prizes sum to {sum(amounts)}, the pool is {pool}"
        raise PrizeError(Fault("prizes-not-the-pool", message, field="payouts.amounts", text=str(sum(amounts))))
    prizes = tuple(Money(amount + (rest if place == rest_to else 0)) for place, amount in enumerate(amounts, 1))
    _refuse(_rising_faults("payouts.amounts", prizes))
    return prizes


def format_percent(share: BasisPoints) -> str:
    """Write a share in percent, without needless zeros.

    >>> format_percent(BasisPoints(1250)), format_percent(BasisPoints(5000))
    ('12.5', '50')
    """
    return f"{share / 100:.2f}".rstrip("0").rstrip(".")


def _negative(field: str, amount: int) -> Fault:
    return Fault("amount-negative", f"{field} is 0 or more, not {amount}", field=field, text=str(amount))


def _unpaid(field: str, place: int) -> Fault:
    return Fault("place-not-paid", f"nobody is paid at place {place}", field=field, text=str(place))


def _refuse(faults: Sequence[Fault]) -> None:
    if faults:
        raise PrizeError(*faults)
