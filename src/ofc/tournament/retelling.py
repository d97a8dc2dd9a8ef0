"""From an action of a log back to the command that was given: what the core makes of it tells a log that is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ofc.errors import Fault, IllegalCommandError
from ofc.scoring import Points
from ofc.tournament import commands as do
from ofc.tournament.commands import Command
from ofc.tournament.events import (
    AbsenceMarked,
    Action,
    ButtonSet,
    ClockSet,
    DealMade,
    FantasylandDeclared,
    FantasylandEnded,
    HandForHandSet,
    HandSettled,
    HandSource,
    MoveCancelled,
    Moved,
    MovePlanned,
    PlayerChanged,
    PlayerRemoved,
    PrizesSet,
    Registered,
    Seated,
    SeatsDrawn,
    SeatsRedrawn,
    SettingsChanged,
    StackCorrected,
    Stage,
    StageReached,
    TableCoded,
    TableSet,
    TournamentEvent,
    Withdrawn,
)
from ofc.tournament.settling import EnterBoards, EnterPoints, PairPoints
from ofc.tournament.state import Tournament

_MINUTES: Final = re.compile(r"The clock was moved by ([−+]\d{1,4}(?:\.\d+)?(?:e−\d+)?) min\.", re.ASCII)


def commands_of(state: Tournament, action: Action) -> Iterator[Command]:
    """Yield the commands that an action can have come of, `state` being the tournament before it.

    A clock that was set has several. None comes of events that only follow from others, or of no event at all.
    """
    first, *others = action.events or (None,)
    match first:
        case StageReached(stage):
            yield from _stage_commands(stage, others)
        case Registered():
            new = [event for event in action.events if isinstance(event, Registered)]
            yield do.Register(tuple(do.NewPlayer(event.name, event.club, event.paid) for event in new))
        case TableSet(_, code) | Seated(_, _, code):
            seated = next((event for event in action.events if isinstance(event, Seated)), None)
            if seated is not None:
                yield do.SeatPlayer(seated.player, code if isinstance(code, str) else "")
        case ClockSet():
            yield from _clock_commands(state, action, first)
        case TableCoded():
            yield _taking_over(action)
        case None:
            return
        case _:
            yield from _floor_commands(state, action, first)


def _stage_commands(stage: Stage, others: list[TournamentEvent]) -> Iterator[Command]:
    drawn = next((event for event in others if isinstance(event, SeatsDrawn)), None)
    if stage is Stage.RUNNING and drawn is not None:
        yield do.DrawSeats(drawn.seed, tuple(event.code for event in others if isinstance(event, TableSet)))
    elif stage is Stage.RUNNING:
        yield do.Resume()
    elif stage is Stage.BAGGED:
        yield do.Bag()
    elif stage is Stage.FINISHED:
        yield do.Finish()


def _clock_commands(state: Tournament, action: Action, clock: ClockSet) -> Iterator[Command]:
    left_ms = state.position(action.at).left_ms
    if clock.running != state.clock.running:
        yield do.StartClock() if clock.running else do.PauseClock()
        yield _taking_over(action)
        return
    if left_ms is not None and clock.left_ms is not None:
        yield do.AdjustClock(clock.left_ms - left_ms)
        told = _MINUTES.fullmatch(action.words)  # a second is always left, whatever was taken
        if told is not None:
            yield do.AdjustClock(round(float(told[1].replace("−", "-")) * 60_000))
    yield do.JumpTo(clock.step)


def _taking_over(action: Action) -> Command:
    return do.TakeOver({event.table: event.code for event in action.events if isinstance(event, TableCoded)})


def _floor_commands(state: Tournament, action: Action, first: TournamentEvent) -> Iterator[Command]:
    match first:
        case SettingsChanged(name, structure, absent_points):
            yield do.ChangeSettings(name, structure, absent_points)
        case PlayerChanged(player, name, club, paid):
            yield do.ChangePlayer(player, name, club, paid)
        case Withdrawn(player):
            yield do.Withdraw(player)
        case PlayerRemoved(player, reason):
            yield do.RemovePlayer(player, reason)
        case MovePlanned(player, to, reason):
            yield do.PlanMoves()
            yield do.PlanMove(player, to, reason)
        case MoveCancelled(player):
            yield do.CancelMove(player)
        case Moved(player, to):
            _, _, reason = action.words.partition(f"{state.player(player).name} moved to table {to.table}, seat ")
            yield do.MoveNow(player, to, reason.partition(": ")[2].removesuffix("."))
        case SeatsRedrawn(_, seed):
            yield do.RedrawSeats(seed)
        case HandForHandSet(number):
            yield do.PlayHandForHand(number > 0)
        case HandSettled():
            yield _entered(state, first)
        case _:
            yield from _table_commands(first)


def _table_commands(first: TournamentEvent) -> Iterator[Command]:
    match first:
        case FantasylandDeclared(table, cards):
            yield do.DeclareFantasyland(table, cards)
        case FantasylandEnded(table):
            yield do.EndFantasyland(table)
        case AbsenceMarked(player, absent):
            yield do.MarkAbsence(player, absent)
        case StackCorrected(player, stack, reason):
            yield do.CorrectStack(player, stack, reason)
        case ButtonSet(table, button):
            yield do.SetButton(table, button)
        case PrizesSet(fees, payouts, unit, remainder_to):
            yield do.SetPrizes(fees, payouts, unit, remainder_to)
        case DealMade(shares, held_back):
            yield do.MakeDeal(shares, held_back)
        case _:
            return


def _entered(state: Tournament, event: HandSettled) -> EnterPoints | EnterBoards:
    """Return what was entered for a hand: the points without what absent players were blinded for."""
    price = event.price if event.late else None
    if event.source is HandSource.BOARDS:
        return EnterBoards(event.table, event.hand, event.boards, price)
    state.table(event.table)
    here = [player for player in state.at_table(event.table) if player.id in event.points]
    if missing := [player for player in event.points if player not in {one.id for one in here}]:
        message = f"{state.name_of(missing[0])} does not play at this table"
        raise IllegalCommandError(Fault("player-not-here", message, field="points", text=str(missing[0])))
    absent = sum(player.absent for player in here)
    blinds = state.settings.absent_points * absent
    known = {player.id for player in here if player.absent}
    points = {player: Points(own - blinds) for player, own in event.points.items() if player not in known}
    cards = {player: event.fantasyland.get(player, 0) for player in points}
    pairs: tuple[PairPoints, ...] = ()
    if event.source is HandSource.PAIRS:
        played = [paid for paid in event.payments if paid.winner in points and paid.loser in points]
        pairs = tuple(PairPoints(paid.winner, paid.loser, paid.points) for paid in played)
    return EnterPoints(event.table, event.hand, points, cards if len(points) > 1 else {}, price, pairs)
