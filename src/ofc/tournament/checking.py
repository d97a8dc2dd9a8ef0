"""Whether a log is one that this tournament's rules lead to: every hand settled again from what was entered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace

from ofc.errors import Fault, IllegalCommandError, OfcError
from ofc.scoring import Points
from ofc.tournament.applying import Draft
from ofc.tournament.clock import price_at
from ofc.tournament.commands import Open, Told
from ofc.tournament.deciding import open_tournament
from ofc.tournament.directing import is_redrawn_whole
from ofc.tournament.events import (
    Action,
    ClockSet,
    FantasylandDeclared,
    FantasylandEnded,
    HandSettled,
    HandSource,
    LogEntry,
    Moved,
    PlayerId,
    PlayerRemoved,
    PrizesSet,
    Registered,
    Seated,
    SeatsRedrawn,
    SettingsChanged,
    StackCorrected,
    TableClosed,
    TableNumber,
    TablePriced,
    TableSet,
    TournamentEvent,
)
from ofc.tournament.history import Log
from ofc.tournament.pricing import begun_at
from ofc.tournament.prizes import fees_faults, payout_faults
from ofc.tournament.refusing import name_faults
from ofc.tournament.settling import EnterBoards, EnterPoints, PairPoints, fantasyland_faults, settle_hand
from ofc.tournament.state import Settings, Tournament
from ofc.tournament.structure import Level, structure_faults


def check_log(entries: Iterable[LogEntry]) -> tuple[Fault, ...]:
    """Return what is wrong with a log, in order; nothing if it is as the rules have it.

    Every hand is settled again from the points or boards that were entered, and must give the payments, stacks,
    eliminations, button and price that are recorded. Chips are neither made nor lost, no seat is taken twice, nobody
    leaves or joins a table in Fantasyland, and what is taken back or done again could be. Each fault's message says
    in which entry, at which table and in which hand. Of entries after one that cannot be applied nothing can be said.
    """
    faults: list[Fault] = []
    log: Log | None = None
    number = 0
    for number, entry in enumerate(entries, start=1):
        place = f"entry {number}"
        try:
            if log is None:
                log = Log.replay([entry])
                faults += [_placed(fault, place) for fault in _opening_faults(log.state.settings, entry)]
                continue
            if isinstance(entry, Action):
                faults += _action_faults(log, entry, place)
            log.append(entry)
        except OfcError as error:
            return (*faults, *(_placed(fault, place) for fault in error.faults))
    if not number:
        return (Fault("log-empty", "there is no entry in it"),)
    return tuple(faults)


def _placed(fault: Fault, place: str) -> Fault:
    name = f", {fault.player}" if fault.player is not None and fault.player not in fault.message else ""
    return replace(fault, message=f"{place}{name}: {fault.message}")


def _opening_faults(opened: Settings, entry: LogEntry) -> tuple[Fault, ...]:
    command = Open(opened.name, opened.rules, opened.structure, opened.seats, opened.absent_points)
    try:
        open_tournament(command, Told(entry.by, entry.at))
    except IllegalCommandError as error:
        return error.faults
    return ()


def _action_faults(log: Log, action: Action, place: str) -> Iterator[Fault]:
    before = log.state
    draft = Draft(before, action)
    gained = 0
    for event in action.events:
        state = draft.state
        gained += _chips_gained(state, event)
        where, found = place, _event_faults(state, event, action)
        if isinstance(event, HandSettled):
            where = f"{place}, table {event.table}, hand {event.hand}"
            found = _hand_faults(log, state, event, action)
        yield from (_placed(fault, where) for fault in found)
        draft.apply(event)
    touched = [PlayerId(number) for kind, number in draft.changes() if kind == "players"]
    won = sum(draft.state.player(player).stack - _stack(before, player) for player in touched)
    if won != gained:
        yield _placed(Fault("chips-lost", f"{won - gained:+,} chips came into play from nowhere"), place)


def _stack(state: Tournament, player: PlayerId) -> int:
    known = state.players.get(player)
    return known.stack if known is not None else 0


def _chips_gained(state: Tournament, event: TournamentEvent) -> int:
    """Return by how much an event rightly changes the chips in play."""
    match event:
        case Seated(player, _, stack):
            return stack - state.player(player).stack
        case StackCorrected(player, stack, _):
            return stack - state.player(player).stack
        case PlayerRemoved(player):
            return -state.player(player).stack
        case _:
            return 0


def _event_faults(state: Tournament, event: TournamentEvent, action: Action) -> Iterator[Fault]:
    match event:
        case Moved(player, to):
            source = state.player(player).at
            yield from _frozen_faults(state, source.table if source else None, to.table)
        case PlayerRemoved(player):
            source = state.player(player).at
            yield from _frozen_faults(state, source.table if source else None)
        case SeatsRedrawn(table):
            yield from _frozen_faults(state, table)
            yield from _redrawn_faults(state, event, action)
        case Registered(player, name):
            yield from name_faults(name)
            names = {known.name.casefold() for known in state.players.values() if not known.withdrawn}
            if player in state.players or name.casefold() in names:
                yield Fault("name-taken", f"{name}, number {player}, is on the list already", field="name", text=name)
        case Seated(player, _, stack):
            if stack != state.structure.starting_stack or state.player(player).withdrawn:
                yield Fault("stack-wrong", f"a starting stack is {state.structure.starting_stack}, not {stack}")
        case StackCorrected(player, stack):
            if stack < 1 or state.player(player).at is None:
                yield Fault("stack-invalid", f"{state.player(player).name} cannot have {stack} chips", field="stack")
        case _:
            yield from _floor_faults(state, event)


def _floor_faults(state: Tournament, event: TournamentEvent) -> Iterator[Fault]:
    match event:
        case FantasylandDeclared(table, cards):
            here = [player for player in state.at_table(state.table(table).number) if not player.absent]
            yield from fantasyland_faults(state, cards, here, field="cards")
        case FantasylandEnded(table):
            if not state.is_frozen(state.table(table).number):
                yield Fault("no-fantasyland", f"table {table} is not in Fantasyland", field="table")
        case SettingsChanged(structure=structure):
            yield from structure_faults(structure)
        case PrizesSet(fees, payouts):
            yield from (*fees_faults(fees), *payout_faults(payouts))
        case TableSet(table, code):
            if table in state.tables or code in {known.code for known in state.tables.values()}:
                yield Fault("table-known", f"table {table}, or its code, is there already", field="table")
        case TableClosed(table):
            if state.at_table(state.table(table).number):
                yield Fault("table-in-use", f"somebody sits at table {table}", field="table")
        case TablePriced(table, price, step):
            steps = state.structure.steps
            if (
                not 0 <= step < len(steps)
                or not isinstance(steps[step], Level)
                or price != price_at(state.structure, step)
            ):
                yield Fault("price-wrong", f"table {table}: no level {step} at {price} a point", field="price")
        case ClockSet(step):
            if not 0 <= step < len(state.structure.steps):
                yield Fault("step-unknown", f"the structure has no step {step}", field="step", text=str(step))
        case _:
            pass


def _redrawn_faults(state: Tournament, event: SeatsRedrawn, action: Action) -> Iterator[Fault]:
    """Judge all tables of a draw at the first of them, when everybody still sits where they did."""
    drawn = [one for one in action.events if isinstance(one, SeatsRedrawn)]
    if event is not drawn[0]:
        return
    before = sorted(str(player) for one in drawn for player in state.table(one.table).seats)
    if before != sorted(str(player) for one in drawn for player in one.seats):
        numbers = ", ".join(str(one.table) for one in drawn)
        yield Fault("seats-wrong", f"those who drew seats are not those at table {numbers}", field="seats")
    if len(state.open_tables) > 1 and not is_redrawn_whole(state):
        yield Fault("table-not-last", "seats were drawn again while other tables played", field="table")


def _frozen_faults(state: Tournament, *tables: TableNumber | None) -> Iterator[Fault]:
    for number in tables:
        if number is not None and state.is_frozen(state.table(number).number):
            message = f"table {number} is in Fantasyland; nobody leaves or joins it"
            yield Fault("table-in-fantasyland", message, field="table", text=str(number))


def _hand_faults(log: Log, state: Tournament, event: HandSettled, action: Action) -> Iterator[Fault]:
    try:
        entered = _entered(state, event)
        table = state.table(event.table)
        begun = begun_at(log, table, event.hand, event.price, action.at) if event.late else None
        settled = settle_hand(state, entered, now=action.at, begun=begun)
    except IllegalCommandError as error:
        yield from error.faults
        return
    for item in fields(HandSettled):
        said, right = getattr(event, item.name), getattr(settled, item.name)
        if said == right:
            continue
        if isinstance(said, dict) and isinstance(right, dict):
            for player in sorted({*said, *right}):
                if said.get(player) != right.get(player):
                    known = state.players.get(player)
                    name = known.name if known is not None else f"player {player}"
                    message = f"{item.name} is {right.get(player)}, not {said.get(player)}"
                    yield Fault("hand-wrong", message, field=item.name, player=name, text=str(said.get(player)))
        else:
            yield Fault("hand-wrong", f"{item.name} is {right}, not {said}", field=item.name, text=str(said))


def _entered(state: Tournament, event: HandSettled) -> EnterPoints | EnterBoards:
    """Return what was entered for a hand: the points without what absent players were blinded for."""
    if event.source is HandSource.BOARDS:
        return EnterBoards(event.table, event.hand, event.boards)
    state.table(event.table)
    here = [player for player in state.at_table(event.table) if player.id in event.points]
    absent = sum(player.absent for player in here)
    blinds = state.settings.absent_points * absent
    known = {player.id for player in here if player.absent}
    points = {player: Points(own - blinds) for player, own in event.points.items() if player not in known}
    cards = {player: event.fantasyland.get(player, 0) for player in points}
    pairs: tuple[PairPoints, ...] = ()
    if event.source is HandSource.PAIRS:
        played = [paid for paid in event.payments if paid.winner in points and paid.loser in points]
        pairs = tuple(PairPoints(paid.winner, paid.loser, paid.points) for paid in played)
    return EnterPoints(event.table, event.hand, points, cards if len(points) > 1 else {}, pairs=pairs)
