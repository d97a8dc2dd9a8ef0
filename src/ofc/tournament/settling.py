"""A hand's result at a table: from points or from boards, paid in chips, with all that follows from it.

Free of how the result was obtained: a dealer's phone, the calculator, or a program that played the hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ofc.board import Board
from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError
from ofc.rules import ButtonRule, LoneFantasyland
from ofc.scoring import Chips, ChipSettlement, Points, Seat, pay_pairs, settle, settlement_pairs, settling_faults
from ofc.tournament.events import HandSettled, HandSource, Payment, PlayerId, TableNumber
from ofc.tournament.pairing import Between, likeliest_pairs, net_pairs, points_in, possible_pairs
from ofc.tournament.seating import next_seat
from ofc.tournament.state import PlayerState, TableState, Tournament

MAX_POINTS: Final = 10_000
"""The most points that anyone wins or loses in a hand, far beyond any board."""
_PLACE: Final = re.compile(r"players\[(\d+)\]\.(top|middle|bottom)")
"""A row of the boards that are settled together."""


@dataclass(frozen=True, slots=True)
class PairPoints:
    """Points that one player won from another, 0 or more."""

    winner: PlayerId
    loser: PlayerId
    points: Points


@dataclass(frozen=True, slots=True)
class EnterPoints:
    """A hand's points by player, summing to 0, and who earned Fantasyland for the next hand, with how many cards.

    `hand` is the number of the hand being played: a second phone that enters it too is refused (`hand-entered`).
    Whoever declared Fantasyland before is in it again, unless 0 cards are named here. A player who sat down since the
    last hand (`is_new`) may be left out: they were not dealt in. `price` is the one that it was played at, None for the
    one that the table plays at: a page that kept the hand while it had no connection says it. `pairs` say who won from
    whom, pairs of 0 points left out: `pairs_matter` tells where totals alone do not settle a hand.
    """

    table: TableNumber
    hand: int
    points: Mapping[PlayerId, Points]
    fantasyland: Mapping[PlayerId, int]
    price: Chips | None = None
    pairs: tuple[PairPoints, ...] = ()


@dataclass(frozen=True, slots=True)
class EnterBoards:
    """A hand's boards by player, newcomers who were not dealt in left out; points and Fantasyland follow from them.

    `price` as in `EnterPoints`.
    """

    table: TableNumber
    hand: int
    boards: Mapping[PlayerId, Board]
    price: Chips | None = None


EnterHand = EnterPoints | EnterBoards


def settle_hand(
    state: Tournament, command: EnterHand, *, now: Millis, begun: tuple[Chips, int] | None = None
) -> HandSettled:
    """Return what the hand's result comes to; `IllegalCommandError` holds every fault and nothing is changed.

    `begun` is the price that a hand entered late was played at, and its step: what `ofc.tournament.pricing` found for
    the command's `price`.
    """
    table = state.table(command.table)
    check_hand_number(table, command.hand)
    named = command.boards if isinstance(command, EnterBoards) else command.points
    players = [player for player in state.at_table(table.number) if player.id in named or not player.is_new]
    present = [player for player in players if not player.absent]
    if len(players) < 2:  # a hand needs an opponent
        raise IllegalCommandError(Fault("opponent-missing", f"table {table.number} has no two players", field="table"))
    price, step = begun or state.price(table, now)
    if isinstance(command, EnterBoards):
        between, fantasyland = _from_boards(state, present, command)
        source, boards = HandSource.BOARDS, {player.id: command.boards[player.id] for player in present}
    else:
        between, fantasyland = _from_points(state, present, command)
        source, boards = HandSource.PAIRS if _are_told(command.pairs) else HandSource.POINTS, {}
    if len(present) < 2:  # nobody played
        source = HandSource.BLINDED
    away = _blinded(state, players)
    if source is HandSource.POINTS:
        # Pairs that nobody entered are told only where they make a difference.
        net = net_pairs(points_in(between, [player.id for player in present]))
        paid = [_paid(state, table, players, pairs | away, price).stacks for pairs in (net, between)]
        between = net if paid[0] == paid[1] else between
    result = _Result(price, step, source, between | away, boards, fantasyland, late=begun is not None)
    return _settled(state, table, players, result, now)


@dataclass(frozen=True, slots=True)
class _Result:
    price: Chips
    step: int
    source: HandSource
    between: Between
    boards: dict[PlayerId, Board]
    fantasyland: dict[PlayerId, int]
    late: bool


def check_hand_number(table: TableState, hand: int) -> None:
    """Refuse a hand that has been entered, or one that is not yet played."""
    if hand < table.hand:
        message = f"hand {hand} of table {table.number} has been entered; hand {table.hand} is being played"
        raise IllegalCommandError(Fault("hand-entered", message, field="hand", text=str(hand)))
    if hand > table.hand:
        message = f"table {table.number} plays hand {table.hand}, not {hand}"
        raise IllegalCommandError(Fault("hand-ahead", message, field="hand", text=str(hand)))


def _check_players(
    state: Tournament, field: str, named: Mapping[PlayerId, object], present: Sequence[PlayerState]
) -> list[Fault]:
    names = {player.id: player.name for player in present}
    faults = [
        Fault("player-not-here", f"{state.name_of(player)} does not play at this table", field=field, text=str(player))
        for player in named
        if player not in names
    ]
    faults += [
        Fault("player-missing", f"{name} is missing", field=field, player=name)
        for player, name in names.items()
        if player not in named
    ]
    return faults


def fantasyland_faults(
    state: Tournament, cards: Mapping[PlayerId, int], present: Sequence[PlayerState], *, field: str
) -> list[Fault]:
    """Return everything that keeps these players from earning Fantasyland with so many cards; 0 is none earned."""
    counts = state.settings.rules.fantasyland_counts
    here = {player.id: player for player in present}
    faults = []
    for player, count in cards.items():
        if player not in here:
            message = f"{state.name_of(player)} does not play at this table"
            faults.append(Fault("player-not-here", message, field=field, text=str(player)))
        elif count not in (0, *counts):
            message = f"Fantasyland has {', '.join(map(str, counts))} cards, not {count}"
            faults.append(Fault("fantasyland-count", message, field=field, text=str(count)))
        elif count and here[player].owed and not state.settings.rules.can_stay:
            name = here[player].name
            message = f"{name} is in Fantasyland, and these rules do not let anyone stay (R-FL-4)"
            faults.append(Fault("fantasyland-stay", message, field=field, player=name))
    if len(present) < 2 and any(cards.values()):
        message = "nobody played this hand, so that nobody earned Fantasyland"
        faults.append(Fault("fantasyland-blinded", message, field=field))
    return faults


def _from_points(
    state: Tournament, present: Sequence[PlayerState], command: EnterPoints
) -> tuple[Between, dict[PlayerId, int]]:
    points = dict(command.points)
    if len(present) < 2 and not any(points.values()):  # nobody played
        points = {player.id: Points(0) for player in present}
    faults = _check_players(state, "points", points, present)
    total = sum(points.values())
    if total != 0:
        message = f"the points must add up to 0, not {total:+d}"
        faults.append(Fault("points-sum", message, field="points", text=str(total)))
    faults += [
        Fault("points-invalid", f"nobody wins or loses more than {MAX_POINTS:,} points", field="points", text=str(own))
        for own in points.values()
        if abs(own) > MAX_POINTS
    ]
    cards = {player.id: player.declared for player in present if player.declared} | dict(command.fantasyland)
    faults += fantasyland_faults(state, cards, present, field="fantasyland")
    faults += _pair_faults(command.pairs, points, present)
    if faults:
        raise IllegalCommandError(*faults)
    fantasyland = {player.id: cards[player.id] for player in present if cards.get(player.id)}
    if _are_told(command.pairs):
        return {(pair.winner, pair.loser): pair.points for pair in command.pairs}, fantasyland
    totals = {player.id: points[player.id] for player in present}
    return likeliest_pairs(totals, state.settings.rules), fantasyland


def _are_told(pairs: Sequence[PairPoints]) -> bool:
    """Whether pairs say anything: one at least was won."""
    return any(pair.points for pair in pairs)


def _pair_faults(
    pairs: Sequence[PairPoints], points: Mapping[PlayerId, Points], present: Sequence[PlayerState]
) -> list[Fault]:
    """Return everything that is wrong about who won from whom, given each player's points in all."""
    names = {player.id: player.name for player in present}
    faults: list[Fault] = []
    won = dict.fromkeys(names, 0)
    seen: set[frozenset[PlayerId]] = set()
    for number, pair in enumerate(pairs):
        field, both = f"pairs[{number}]", frozenset((pair.winner, pair.loser))
        if len(both) < 2 or not both <= names.keys():  # a pair is two players
            message = "a pair is two players of this table"
            faults.append(Fault("pair-unknown", message, field=field, text=f"{pair.winner}, {pair.loser}"))
            continue
        if both in seen:
            message = f"{names[pair.winner]} and {names[pair.loser]} are there twice"
            faults.append(Fault("pair-twice", message, field=field, text=f"{pair.winner}, {pair.loser}"))
        if not 0 <= pair.points <= MAX_POINTS:
            message = f"a winner wins 0 to {MAX_POINTS:,} points, not {pair.points}"
            faults.append(Fault("points-invalid", message, field=field, text=str(pair.points)))
        seen.add(both)
        won[pair.winner] += pair.points
        won[pair.loser] -= pair.points
    if pairs and not faults:
        faults += [
            Fault("pairs-sum", f"{name}: {won[player]:+d} from the pairs, not {points[player]:+d}", "pairs", name)
            for player, name in names.items()
            if player in points and won[player] != points[player]
        ]
    return faults


def pairs_matter(state: Tournament, settled: HandSettled) -> bool:
    """Whether a hand settled from totals would come to other stacks if other pairs had made those totals.

    A cap binds in a pair (R-CHIP-2), and who won from whom is not known. `state` is the tournament before the hand.
    """
    if settled.source is not HandSource.POINTS:
        return False
    table = state.table(settled.table)
    players = [player for player in state.at_table(table.number) if player.id in settled.points]
    present = [player for player in players if not player.absent]
    if len(present) < 3:
        return False
    away = _blinded(state, players)
    from_away = points_in(away, [player.id for player in players])
    totals = {player.id: Points(settled.points[player.id] - from_away[player.id]) for player in present}
    recorded = tuple(settled.stacks[player.id] for player in players)
    return any(
        _paid(state, table, players, between | away, settled.price).stacks != recorded
        for between in possible_pairs(totals, state.settings.rules)
    )


def _from_boards(
    state: Tournament, present: Sequence[PlayerState], command: EnterBoards
) -> tuple[Between, dict[PlayerId, int]]:
    faults = _check_players(state, "boards", command.boards, present)
    if faults:
        raise IllegalCommandError(*faults)
    boards = [command.boards[player.id] for player in present]
    held = [player.owed for player in present]
    dealer = Seat(0)
    faults = settling_faults(boards, state.settings.rules, fantasyland=held, button=dealer)
    if faults:
        raise IllegalCommandError(*(_with_names(fault, present) for fault in faults))
    settlement = settle(boards, state.settings.rules, fantasyland=held, button=dealer)
    between = {(present[pair.a].id, present[pair.b].id): pair.points for pair in settlement.pairs}
    fantasyland = {
        player.id: score.fantasyland_next
        for player, score in zip(present, settlement.players, strict=True)
        if score.fantasyland_next
    }
    return between, fantasyland


def _with_names(fault: Fault, present: Sequence[PlayerState]) -> Fault:
    """Return a fault of boards by their numbers with the players that they are of."""

    def name(place: re.Match[str]) -> str:
        return f"{present[int(place[1])].name}'s {place[2]}"

    place = _PLACE.fullmatch(fault.field or "")
    player = present[int(place[1])] if place else None
    return replace(
        fault,
        message=_PLACE.sub(name, fault.message),
        field=f"boards.{player.id}.{place[2]}" if place and player else fault.field,
        player=player.name if player else fault.player,
    )


def _blinded(state: Tournament, players: Sequence[PlayerState]) -> Between:
    """Return what absent players lose: the event's points to each opponent who is here, nothing to each other."""
    points = state.settings.absent_points
    return {
        (here.id, away.id): points for here in players for away in players if away.absent and not here.absent and points
    }


def _settled(
    state: Tournament, table: TableState, players: Sequence[PlayerState], result: _Result, now: Millis
) -> HandSettled:
    payments, stacks = _pay(state, table, players, result)
    points = points_in(result.between, [player.id for player in players])
    out = sorted(((player.id, player.stack) for player in players if stacks[player.id] == 0), key=lambda gone: -gone[1])
    left = [player for player in players if stacks[player.id] > 0]
    fantasyland = {player.id: result.fantasyland[player.id] for player in left if player.id in result.fantasyland}
    opponents = len(state.at_table(table.number)) - len(out) - 1  # a newcomer who waits is one too
    if opponents == 0 and state.settings.rules.lone_fantasyland is LoneFantasyland.LAPSES:
        fantasyland = {}  # R-CHIP-6
    price_next, step_next = (result.price, result.step) if fantasyland else state.price_on_clock(now)  # R-CHIP-5
    return HandSettled(
        table=table.number,
        hand=table.hand,
        price=result.price,
        step=result.step,
        source=result.source,
        points=points,
        payments=payments,
        stacks=stacks,
        boards=result.boards,
        fantasyland=fantasyland,
        out=tuple(out),
        button_next=button_after(state, table, earned=bool(fantasyland), gone={player for player, _ in out}),
        price_next=price_next,
        step_next=step_next,
        late=result.late,
    )


def _pay(
    state: Tournament, table: TableState, players: Sequence[PlayerState], result: _Result
) -> tuple[tuple[Payment, ...], dict[PlayerId, Chips]]:
    """Pay every pair, and tell who paid whom."""
    paid = _paid(state, table, players, result.between, result.price)
    payments = []
    for transfer in paid.transfers:
        if transfer.points:
            winner, loser = (transfer.a, transfer.b) if transfer.points > 0 else (transfer.b, transfer.a)
            points, chips = Points(abs(transfer.points)), Chips(abs(transfer.chips))
            payments.append(Payment(players[loser].id, players[winner].id, points, chips, transfer.capped_by))
    return tuple(payments), {player.id: stack for player, stack in zip(players, paid.stacks, strict=True)}


def _paid(
    state: Tournament, table: TableState, players: Sequence[PlayerState], between: Between, price: Chips
) -> ChipSettlement:
    """Pay every pair in the order of the event's rules, each capped (R-CHIP-2, R-CHIP-3)."""
    places = {player.id: Seat(place) for place, player in enumerate(players)}
    seats = [player.at.seat for player in players if player.at is not None]
    dealer = Seat(seats.index(table.button)) if table.button in seats else Seat(len(players) - 1)
    known = {(places[a], places[b]): points for (a, b), points in between.items()}
    order = settlement_pairs(len(players), dealer, state.settings.rules.settlement_order)
    pairs = [(a, b, known[(a, b)] if (a, b) in known else Points(-known.get((b, a), 0))) for a, b in order]
    return pay_pairs(pairs, stacks=[player.stack for player in players], price=price)


def button_after(state: Tournament, table: TableState, *, earned: bool, gone: set[PlayerId]) -> Seat:
    """Return the button's seat in the table's next hand (R-FL-7); `earned`: a Fantasyland is owed in it."""
    rule = state.settings.rules.button
    was_fantasyland = any(player.owed for player in state.at_table(table.number))
    stays = (rule is ButtonRule.AFTER_REGULAR_HAND and was_fantasyland) or (
        rule is ButtonRule.AFTER_HAND_EARNING_NONE and earned
    )
    seat = table.button
    if stays and table.seats[seat] is not None and table.seats[seat] not in gone:
        return seat
    for _ in table.seats:
        seat = next_seat(table, seat)
        if table.seats[seat] not in gone:
            return seat
    return table.button
