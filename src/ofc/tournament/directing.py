"""What directors and dealers do on the floor: moves, Fantasyland at a table, absences and corrections."""

from __future__ import annotations

from ofc.clock import Millis
from ofc.errors import Fault
from ofc.scoring import Chips, Seat
from ofc.tournament import commands as do
from ofc.tournament.events import (
    AbsenceMarked,
    ButtonSet,
    FantasylandDeclared,
    FantasylandEnded,
    HandForHandSet,
    MoveCancelled,
    Moved,
    MovePlanned,
    PlayerId,
    SeatAt,
    SeatsRedrawn,
    StackCorrected,
    Stage,
    TableNumber,
    TournamentEvent,
)
from ofc.tournament.refusing import Decided, check_seed, read_reason, refuse, refuse_if
from ofc.tournament.seating import draw, free_seats, next_seat, propose_moves
from ofc.tournament.settling import fantasyland_faults
from ofc.tournament.state import PlayerState, Tournament

MAX_STACK = Chips(1_000_000_000_000)

_Moving = do.PlanMove | do.PlanMoves | do.CancelMove | do.MoveNow | do.RedrawSeats
_Correcting = do.MarkAbsence | do.CorrectStack | do.SetButton
FloorCommand = _Moving | _Correcting | do.PlayHandForHand | do.DeclareFantasyland | do.EndFantasyland


def decide(state: Tournament, command: FloorCommand, now: Millis) -> Decided:
    """Return what a command on the floor leads to; `IllegalCommandError` says why not."""
    match command:
        case do.PlanMove() | do.PlanMoves() | do.CancelMove() | do.MoveNow() | do.RedrawSeats():
            return _move(state, command)
        case do.PlayHandForHand(on):
            return _hand_for_hand(state, on=on)
        case do.DeclareFantasyland() | do.EndFantasyland():
            return _fantasyland(state, command, now)
        case do.MarkAbsence() | do.CorrectStack() | do.SetButton():  # pragma: no branch - mypy knows no other
            return _correct(state, command)


def _move(state: Tournament, command: _Moving) -> Decided:
    match command:
        case do.PlanMoves():
            proposed = propose_moves(state)
            if not proposed:
                refuse("no-moves", "the tables are as even as they can be")
            events = [MovePlanned(move.player, move.to, move.reason) for move in proposed]
            words = "; ".join(f"{move.name} to table {move.to.table}" for move in proposed)
            return events, f"To move: {words}."
        case do.CancelMove(player):
            known = state.player(player)
            if known.move is None:
                refuse("no-move", f"{known.name} is not to move", field="player", text=player)
            return [MoveCancelled(player)], f"{known.name} stays."
        case do.PlanMove(player, to, reason):
            known, _ = _check_move(state, player, to)
            planned = MovePlanned(player, to, read_reason(reason, "the player moves"))
            return [planned], f"{known.name} will move to table {to.table}, seat {to.seat + 1}."
        case do.MoveNow(player, to, reason):
            known, source = _check_move(state, player, to)
            for number in (source, to.table):
                if state.is_frozen(number):
                    message = f"table {number} is in Fantasyland; nobody leaves or joins it until that is done"
                    refuse("table-in-fantasyland", message, field="player", text=player)
            told = read_reason(reason, "the player moves")
            return [Moved(player, to)], f"{known.name} moved to table {to.table}, seat {to.seat + 1}: {told}."
        case do.RedrawSeats(seed):  # pragma: no branch - mypy knows no other
            return _redraw(state, seed)


def is_redrawn_whole(state: Tournament) -> bool:
    """Whether nothing is being played, so that the seats of all tables may be drawn again."""
    is_unplayed = all(table.hand == 1 for table in state.tables.values())  # those that were closed too
    return state.settings.stage is Stage.BAGGED or (state.settings.stage is Stage.RUNNING and is_unplayed)


def _redraw(state: Tournament, seed: int) -> Decided:
    """Draw seats again: at the last table; before the first hand and overnight at all that owe no Fantasyland hand."""
    check_seed(seed)
    tables = state.open_tables
    if len(tables) != 1 and not is_redrawn_whole(state):
        message = (
            "seats are drawn again at the last table, "
            "or at all of them before the first hand or while the event is stopped for the night"
        )
        refuse("table-not-last", message, field="seed", text=len(tables))
    free = [table for table in tables if not state.is_frozen(table.number)]
    players = [player for table in free for player in table.seats if player is not None]
    if not players:
        numbers = ", ".join(str(table.number) for table in tables)
        refuse("table-in-fantasyland", f"table {numbers} is in Fantasyland; wait until that is done", field="seed")
    drawn = draw(players, state.settings.seats, seed, name="redraw")
    empty: tuple[PlayerId | None, ...] = (None,) * state.settings.seats
    events: list[TournamentEvent] = []
    for place, table in enumerate(free):
        seats, button = (drawn[place].seats, drawn[place].button) if place < len(drawn) else (empty, Seat(0))
        events.append(SeatsRedrawn(table.number, seed, seats, button))
    # A seat that was promised is perhaps somebody's now.
    events += [MoveCancelled(move.player) for move in state.moves_ahead]
    kept = [str(table.number) for table in tables if table not in free]
    whose = "the last table" if len(tables) == 1 else f"{len(players)} player{'' if len(players) == 1 else 's'}"
    stays = f" Table {', '.join(kept)} owes a Fantasyland hand and stays as it is." if kept else ""
    return events, f"The seats of {whose} were drawn again (seed {seed}).{stays}"


def _check_move(state: Tournament, player: PlayerId, to: SeatAt) -> tuple[PlayerState, TableNumber]:
    known = state.player(player)
    if known.at is None:
        refuse("player-not-seated", f"{known.name} has no seat", field="player", text=player)
    table = state.table(to.table)
    promised = [move.to for move in state.moves_ahead if move.player != player]
    if known.at.table == to.table:
        refuse("same-table", f"{known.name} sits at table {to.table}", field="to.table", text=to.table)
    if to.seat not in free_seats(table, promised):
        message = f"seat {to.seat + 1} of table {to.table} is not free"
        refuse("seat-taken", message, field="to.seat", text=to.seat)
    return known, known.at.table


def _hand_for_hand(state: Tournament, *, on: bool) -> Decided:
    _check_running(state)
    if on == (state.hand_for_hand is not None):
        refuse("hand-for-hand", f"it is {'already' if on else 'not'} played hand for hand")
    if not on:
        return [HandForHandSet(0)], "The tables play on without waiting."
    if len(list(state.playing_tables())) < 2:
        refuse("tables-too-few", "no other table is left to wait for")
    return [HandForHandSet(1)], "Hand for hand: every table ends its hand and waits for the others."


def _fantasyland(state: Tournament, command: do.DeclareFantasyland | do.EndFantasyland, now: Millis) -> Decided:
    _check_running(state)
    table = state.table(command.table)
    players = state.at_table(table.number)
    match command:
        case do.DeclareFantasyland(number, cards):
            present = [player for player in players if not player.absent]
            faults = fantasyland_faults(state, cards, present, field="cards")
            if not cards:
                faults.append(Fault("players-missing", "nobody was named", field="cards"))
            refuse_if(faults)
            price, _ = state.price(table, now)
            names = ", ".join(f"{state.player(player).name}, {count} cards" for player, count in cards.items() if count)
            words = f"Fantasyland: {names}. Table {number} keeps {price:,}." if names else "No Fantasyland after all."
            return [FantasylandDeclared(number, dict(cards))], words
        case do.EndFantasyland(number):  # pragma: no branch - mypy knows no other
            if not state.is_frozen(number):
                refuse("no-fantasyland", f"table {number} is not in Fantasyland", field="table", text=number)
            if state.is_hand_owed(number):
                message = f"enter the hand that table {number} plays at {table.price}: that ends Fantasyland by itself"
                refuse("fantasyland-hand-missing", message, field="table", text=number)
            price, step = state.price_on_clock(now)
            words = f"Table {number}: Fantasyland done, then {price:,} a point."
            return [FantasylandEnded(number, next_seat(table, table.button), price, step)], words


def _check_running(state: Tournament) -> None:
    if state.settings.stage is not Stage.RUNNING:
        refuse("not-running", "the tournament is not being played now")


def _correct(state: Tournament, command: _Correcting) -> Decided:
    match command:
        case do.MarkAbsence(player, absent):
            known = state.player(player)
            if known.at is None:
                refuse("player-not-seated", f"{known.name} has no seat", field="player", text=player)
            return [AbsenceMarked(player, absent)], f"{known.name} is {'away' if absent else 'back'}."
        case do.CorrectStack(player, stack, reason):
            known = state.player(player)
            if known.at is None:
                refuse("player-not-seated", f"{known.name} has no seat", field="player", text=player)
            if not 1 <= stack <= MAX_STACK:
                refuse("stack-invalid", f"a stack is 1 to {MAX_STACK:,} chips", field="stack", text=stack)
            told = read_reason(reason, "the stack is changed")
            words = f"{known.name}'s stack {known.stack} was set to {stack}: {told}."
            return [StackCorrected(player, stack, told)], words
        case do.SetButton(number, button):  # pragma: no branch - mypy knows no other
            table = state.table(number)
            if not 0 <= button < len(table.seats) or table.seats[button] is None:
                refuse("seat-empty", f"nobody sits in seat {button + 1}", field="button", text=button)
            return [ButtonSet(number, button)], f"Table {number}: the button is at seat {button + 1}."
