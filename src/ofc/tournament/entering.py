"""Who plays: registration, late entry and re-entry, the draw, withdrawal, and players who leave for good."""

from __future__ import annotations

from collections.abc import Sequence

from ofc.clock import Millis
from ofc.errors import Fault
from ofc.scoring import Seat
from ofc.tournament import commands as do
from ofc.tournament.events import (
    PlayerChanged,
    PlayerId,
    PlayerRemoved,
    Registered,
    SeatAt,
    Seated,
    SeatsDrawn,
    Stage,
    StageReached,
    TableNumber,
    TableSet,
    TournamentEvent,
    Withdrawn,
)
from ofc.tournament.refusing import (
    Decided,
    check_seed,
    club_faults,
    is_code,
    name_faults,
    read_reason,
    refuse,
    refuse_if,
)
from ofc.tournament.seating import draw, free_seats
from ofc.tournament.state import Tournament

MAX_PLAYERS = 10_000

EntryCommand = do.Register | do.ChangePlayer | do.Withdraw | do.RemovePlayer | do.DrawSeats | do.SeatPlayer


def decide(state: Tournament, command: EntryCommand, now: Millis) -> Decided:
    """Return what a command about entries leads to; `IllegalCommandError` says why not."""
    match command:
        case do.Register(players):
            return _register(state, players, now)
        case do.ChangePlayer():
            return _change(state, command)
        case do.Withdraw(player):
            return _withdraw(state, player)
        case do.RemovePlayer(player, reason):
            return _remove(state, player, reason)
        case do.DrawSeats(seed, codes):
            return _draw(state, seed, codes)
        case do.SeatPlayer(player, code):  # pragma: no branch - mypy knows no other
            return _seat(state, player, code, now)


def is_entry_open(state: Tournament, now: Millis) -> bool:
    """Whether one may still enter: before the draw, then until the last level of late entry, and a break after it."""
    if state.settings.stage is Stage.SETUP:
        return True
    step = state.position(now).step
    is_going_on = state.settings.stage is not Stage.FINISHED
    return is_going_on and state.structure.level_number(step) <= state.structure.late_until


def _register(state: Tournament, players: Sequence[do.NewPlayer], now: Millis) -> Decided:
    faults: list[Fault] = []
    taken = _names(state)
    first = max(state.players, default=0) + 1
    events: list[TournamentEvent] = []
    if not is_entry_open(state, now):
        faults.append(Fault("entry-closed", "entry is closed", field="players"))
    if len(state.players) + len(players) > MAX_PLAYERS:
        message = f"a tournament has at most {MAX_PLAYERS:,} players"
        faults.append(Fault("players-too-many", message, field="players", text=str(len(players))))
    for number, new in enumerate(players):
        name = new.name.strip()
        place = f"players[{number}]"
        faults += name_faults(name, field=f"{place}.name") + club_faults(new.club, field=f"{place}.club")
        if name.casefold() in taken:
            message = f"{name} is on the list already"
            faults.append(Fault("name-taken", message, field=f"{place}.name", player=name, text=name))
        taken.add(name.casefold())
        events.append(Registered(PlayerId(first + number), name, new.club.strip(), new.paid))
    if not players:
        faults.append(Fault("players-missing", "no player was named", field="players"))
    refuse_if(faults)
    names = events[0].name if isinstance(events[0], Registered) and len(events) == 1 else f"{len(players)} players"
    return events, f"{names} registered."


def _names(state: Tournament, *, but: PlayerId | None = None) -> set[str]:
    """Return the names that are taken, without regard to case."""
    return {player.name.casefold() for player in state.players.values() if not player.withdrawn and player.id != but}


def _change(state: Tournament, command: do.ChangePlayer) -> Decided:
    known = state.player(command.player)
    name = command.name.strip()
    faults = name_faults(name) + club_faults(command.club)
    if name.casefold() in _names(state, but=known.id) and not known.withdrawn:
        faults.append(Fault("name-taken", f"{name} is on the list already", field="name", player=name, text=name))
    refuse_if(faults)
    changed = PlayerChanged(known.id, name, command.club.strip(), command.paid)
    return [changed], f"{known.name} was changed."


def _withdraw(state: Tournament, player: PlayerId) -> Decided:
    known = state.player(player)
    if known.entries:
        refuse("player-seated", f"{known.name} has been seated", field="player", text=player)
    if known.withdrawn:
        refuse("player-withdrawn", f"{known.name} has withdrawn already", field="player", text=player)
    return [Withdrawn(player)], f"{known.name} withdrew."


def _remove(state: Tournament, player: PlayerId, reason: str) -> Decided:
    known = state.player(player)
    if known.at is None:
        refuse("player-not-seated", f"{known.name} has no seat", field="player", text=player)
    if state.is_frozen(known.at.table):
        message = f"table {known.at.table} is in Fantasyland; {known.name} is blinded until that is done"
        refuse("table-in-fantasyland", message, field="player", text=player)
    told = read_reason(reason, "the player goes")
    return [PlayerRemoved(player, told)], f"{known.name} was taken out with {known.stack} chips: {told}."


def _draw(state: Tournament, seed: int, codes: Sequence[str]) -> Decided:
    if state.settings.stage is not Stage.SETUP:
        refuse("drawn", "the seats have been drawn")
    entering = [player.id for _, player in sorted(state.players.items()) if not player.withdrawn]
    if len(entering) < 2:  # a tournament needs an opponent
        refuse("players-too-few", "a tournament needs two players", field="players", text=len(entering))
    check_seed(seed)
    tables = draw(entering, state.settings.seats, seed)
    if len(codes) < len(tables) or len(set(codes)) < len(codes) or not all(map(is_code, codes)):
        refuse("codes-missing", f"{len(tables)} tables need a code each", field="codes", text=len(codes))
    events: list[TournamentEvent] = [StageReached(Stage.RUNNING), SeatsDrawn(seed)]
    stack = state.structure.starting_stack
    for table, code in zip(tables, codes, strict=False):  # codes to spare
        events.append(TableSet(table.number, code, table.button))
        events += [
            Seated(player, SeatAt(table.number, Seat(seat)), stack)
            for seat, player in enumerate(table.seats)
            if player is not None
        ]
    return (
        events,
        f"{len(entering)} players were drawn to {len(tables)} table{'s' if len(tables) > 1 else ''} (seed {seed}).",
    )


def _seat(state: Tournament, player: PlayerId, code: str, now: Millis) -> Decided:
    known = state.player(player)
    if state.settings.stage is Stage.SETUP:
        refuse("not-running", "draw the seats first", field="player", text=player)
    if state.deal is not None:
        refuse("deal-made", "a deal was made between all who play; undo that first", field="player", text=player)
    if known.at is not None or known.withdrawn:
        refuse("player-seated", f"{known.name} has a seat, or has withdrawn", field="player", text=player)
    if not is_entry_open(state, now):
        refuse("entry-closed", "entry is closed", field="player", text=player)
    if known.entries > state.structure.reentries:
        refuse("reentries-used", f"{known.name} may not enter again", field="player", text=player)
    promised = [move.to for move in state.moves_ahead]
    room = [table for table in state.open_tables if free_seats(table, promised)]
    events: list[TournamentEvent] = []
    if room:
        # One more at a table in Fantasyland only where every other seat is taken.
        ranks = {t.number: (state.is_frozen(t.number), len(state.at_table(t.number)), t.number) for t in room}
        table = min(room, key=lambda one: ranks[one.number])
        to = SeatAt(table.number, free_seats(table, promised)[0])
    else:
        to = SeatAt(TableNumber(max(state.tables) + 1), Seat(0))
        if not is_code(code) or code in {table.code for table in state.tables.values()}:
            refuse("codes-missing", "a new table needs a code of its own", field="code", text=code)
        events.append(TableSet(to.table, code, to.seat))
    events.append(Seated(player, to, state.structure.starting_stack))
    again = " again" if known.entries else ""
    return events, f"{known.name} entered{again}: table {to.table}, seat {to.seat + 1}."
