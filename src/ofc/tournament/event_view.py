"""What a tournament is played by and for, as its pages see it (docs/event-protocol.md): rules, structure and prizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ofc.cards import Rank
from ofc.clock import Millis
from ofc.errors import any_of
from ofc.rules import RuleSet
from ofc.rulesets import rules_to_fields
from ofc.scoring import Chips, Points
from ofc.tournament.entering import is_entry_open
from ofc.tournament.events import (
    PlayerId,
    PrizesSet,
    Stage,
    TableNumber,
)
from ofc.tournament.pacing import behind
from ofc.tournament.prizes import (
    FixedAmounts,
    Money,
    Percentages,
    PlaceWeights,
    PrizeError,
    TemplatePayouts,
    make_pool,
)
from ofc.tournament.standings import prizes
from ofc.tournament.state import Tournament
from ofc.tournament.structure import Break, Structure


@dataclass(frozen=True, slots=True)
class EntryCards:
    """How many cards each top row brings in Fantasyland, 0 for none."""

    queens: int
    kings: int
    aces: int
    trips: int


@dataclass(frozen=True, slots=True)
class EventRules:
    """The rules played, as far as a table's page needs them.

    `own` are the fields of a rule set that is not built in, to be given to the calculator; None for a built-in one.
    """

    id: str
    version: str
    title: str
    fantasyland: EntryCards
    can_stay: bool
    own: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of the structure: `kind` is `level` or `break`; `number` and `price` are None for a break."""

    kind: str
    number: int | None
    price: Chips | None
    minutes: int | None
    hands: int | None


@dataclass(frozen=True, slots=True)
class StructureView:
    """A structure as the protocol has it."""

    starting_stack: Chips
    steps: tuple[StepView, ...]
    late_until: int
    reentries: int


@dataclass(frozen=True, slots=True)
class PrizeTerms:
    """What prizes were set by, as the command takes it: one of the last four says who gets what."""

    fee: Money
    house_fee: Money
    added: Money
    guaranteed: Money
    unit: Money
    remainder_to: int
    percents: tuple[float, ...] | None = None
    amounts: tuple[Money, ...] | None = None
    template: str | None = None
    places: int | None = None


@dataclass(frozen=True, slots=True)
class PrizesView:
    """The pool, each paid place's prize from the first, and the terms; before the draw, as if it were made now.

    While the entries do not fit the payouts there are no places, and `problem` says why. `remark` says which places get
    nothing of a pool that there is.
    """

    pool: Money
    places: tuple[Money, ...]
    problem: str | None
    remark: str | None
    terms: PrizeTerms


@dataclass(frozen=True, slots=True)
class DealView:
    """What players agreed on instead of prizes: what each gets, and what is left for the winner."""

    shares: Mapping[PlayerId, Money]
    held_back: Money


@dataclass(frozen=True, slots=True)
class EventView:
    """What holds for the whole tournament. Chips are all in play, `average` what a player left has of them.

    `behind` are the tables that others wait for, see `ofc.tournament.pacing.behind`.
    """

    name: str
    stage: Stage
    seats: int
    absent_points: Points
    rules: EventRules
    structure: StructureView
    levels: int
    entries: int
    players_left: int
    chips: Chips
    average: Chips
    entry_open: bool
    hand_for_hand: bool
    behind: tuple[TableNumber, ...]
    prizes: PrizesView | None
    deal: DealView | None


def event_view(state: Tournament, now: Millis) -> EventView:
    """Return what holds for the whole tournament."""
    settings = state.settings
    alive = state.alive
    chips = Chips(sum(player.stack for player in alive))
    return EventView(
        name=settings.name,
        stage=settings.stage,
        seats=settings.seats,
        absent_points=settings.absent_points,
        rules=rules_view(settings.rules),
        structure=structure_view(settings.structure),
        levels=len(settings.structure.levels),
        entries=state.entries,
        players_left=len(alive),
        chips=chips,
        average=Chips(chips // len(alive)) if alive else Chips(0),
        entry_open=is_entry_open(state, now),
        hand_for_hand=state.hand_for_hand is not None,
        behind=behind(state, now) if settings.stage is Stage.RUNNING else (),
        prizes=prizes_view(state),
        deal=DealView(state.deal.shares, state.deal.held_back) if state.deal is not None else None,
    )


def prizes_view(state: Tournament) -> PrizesView | None:
    """Return what there is to win, None if no prizes were set."""
    if state.prizes is None:
        return None
    pool, problem = make_pool(state.prizes.fees, entries=state.entries).total, None
    try:
        places = prizes(state)
    except PrizeError as error:
        places, problem = (), str(error)
    return PrizesView(pool, places, problem, _remark(places, state.prizes), _terms(state.prizes))


def _remark(places: Sequence[Money], settings: PrizesSet) -> str | None:
    """Return which paid places get nothing, and why; None where each gets something, or there is nothing yet."""
    empty = [place for place, prize in enumerate(places, start=1) if not prize]
    if not empty or not any(places):
        return None
    get = f"Places {any_of(empty, last='and')} get" if len(empty) > 1 else f"Place {empty[0]} gets"
    if isinstance(settings.payouts, FixedAmounts):
        return f"{get} nothing"
    return f"{get} nothing: prizes are rounded down to steps of {settings.unit:,}"


def _terms(settings: PrizesSet) -> PrizeTerms:
    fees = settings.fees
    common = (fees.entry, fees.house, fees.added, fees.guaranteed, settings.unit, settings.remainder_to)
    match settings.payouts:
        case Percentages(basis_points):
            return PrizeTerms(*common, percents=tuple(share / 100 for share in basis_points))
        case FixedAmounts(amounts):
            return PrizeTerms(*common, amounts=amounts)
        case PlaceWeights(places):
            return PrizeTerms(*common, places=places)
        case TemplatePayouts(template):  # pragma: no branch - mypy knows no other
            return PrizeTerms(*common, template=template)


def rules_view(rules: RuleSet) -> EventRules:
    """Return the rules as a table's page needs them."""
    pairs = {rank: rules.fantasyland_pairs[rank - 2] for rank in (Rank.QUEEN, Rank.KING, Rank.ACE)}
    cards = EntryCards(pairs[Rank.QUEEN], pairs[Rank.KING], pairs[Rank.ACE], rules.fantasyland_trips)
    fields = rules_to_fields(rules)
    own = fields if isinstance(fields, dict) else None
    return EventRules(rules.id, rules.version, rules.title, cards, rules.can_stay, own)


def structure_view(structure: Structure) -> StructureView:
    """Return a structure as the protocol has it."""
    steps = []
    number = 0
    for step in structure.steps:
        if isinstance(step, Break):
            steps.append(StepView("break", None, None, step.minutes, None))
        else:
            number += 1
            steps.append(StepView("level", number, step.price, step.minutes, step.hands))
    return StructureView(structure.starting_stack, tuple(steps), structure.late_until, structure.reentries)
