"""From a command to an entry of the log: what follows is decided here, and nothing else changes a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from ofc.errors import Fault, IllegalCommandError
from ofc.rules import LoneFantasyland
from ofc.scoring import Chips, Points, Seat
from ofc.tournament import commands as do
from ofc.tournament.clock import clock_at, step_length_ms
from ofc.tournament.commands import Command, Open, Redo, Told, Undo
from ofc.tournament.events import (
    AbsenceMarked,
    Action,
    ButtonSet,
    ClockSet,
    FantasylandDeclared,
    FantasylandEnded,
    FantasylandLapsed,
    HandSettled,
    LogEntry,
    MoveCancelled,
    Moved,
    MovePlanned,
    Opened,
    PlayerChanged,
    PlayerId,
    Redone,
    Registered,
    SeatAt,
    Seated,
    SeatsDrawn,
    SettingsChanged,
    StackCorrected,
    Stage,
    StageReached,
    TableClosed,
    TableNumber,
    TableSet,
    TournamentEvent,
    Undone,
    Withdrawn,
)
from ofc.tournament.seating import draw, free_seats, next_seat, propose_moves
from ofc.tournament.settling import EnterBoards, EnterPoints, button_after, settle_hand
from ofc.tournament.state import Log, PlayerState, TableState, Tournament, apply
from ofc.tournament.structure import Level, structure_faults

MAX_NAME = 60


def open_tournament(command: Open, told: Told) -> Action:
    """Return the first entry of a log; `IllegalCommandError` holds every fault."""
    faults = structure_faults(command.structure) + _name_faults(command.name)
    if command.seats not in command.rules.seats or command.rules.min_seats > 2:  # heads-up is needed
        message = f"{command.rules.id} is not played at tables of 2 to {command.seats}"
        faults.append(Fault("seats-count", message, field="seats", text=str(command.seats)))
    if command.absent_points < 0:
        message = f"an absent player loses 0 points or more, not {command.absent_points}"
        faults.append(Fault("absent-points", message, field="absent_points", text=str(command.absent_points)))
    if faults:
        raise IllegalCommandError(*faults)
    opened = Opened(command.name, command.rules, command.structure, command.seats, command.absent_points)
    return Action(1, told.at, told.by, f"{command.name} was set up.", (opened,))


def decide(log: Log, command: Command | Undo | Redo, told: Told) -> LogEntry:
    """Return the entry that the command makes; `IllegalCommandError` says why not, and changes nothing."""
    seq = log.state.seq + 1
    if isinstance(command, Undo):
        log.check_undo(command.action)
        return Undone(seq, told.at, told.by, command.action)
    if isinstance(command, Redo):
        log.check_redo(command.action)
        return Redone(seq, told.at, told.by, command.action)
    if log.state.settings.stage is Stage.FINISHED:
        _refuse("finished", "the tournament is finished; undo its end first")
    decided, words = _Decision(log.state, told).decide(command)
    action = Action(seq, told.at, told.by, words, tuple(decided))
    return replace(action, events=(*action.events, *_follow_up(log.state, action)))


def _refuse(code: str, message: str, *, field: str | None = None, text: object = None) -> NoReturn:
    raise IllegalCommandError(Fault(code, message, field=field, text=None if text is None else str(text)))


def _name_faults(name: str) -> list[Fault]:
    if 1 <= len(name.strip()) <= MAX_NAME and name.isprintable():
        return []
    return [Fault("name-length", f"a name has 1 to {MAX_NAME} characters", field="name", text=name)]


Decided = tuple[Sequence[TournamentEvent], str]


class _Decision:
    """One command's consequences, without those that follow of themselves."""

    def __init__(self, state: Tournament, told: Told) -> None:
        self.state = state
        self.now = told.at

    def decide(self, command: Command) -> Decided:
        match command:
            case EnterPoints() | EnterBoards():
                return self._hand(command)
            case do.ChangeSettings():
                return self._settings(command)
            case do.Register(players):
                return self._register(players)
            case do.ChangePlayer(player, name, club, paid):
                return self._change_player(player, name, club, paid=paid)
            case do.Withdraw(player):
                return self._withdraw(player)
            case do.DrawSeats(seed, codes):
                return self._draw(seed, codes)
            case do.SeatPlayer(player, code):
                return self._seat(player, code)
            case do.StartClock() | do.PauseClock() | do.JumpTo() | do.AdjustClock():
                return self._clock(command)
            case do.PlanMove() | do.PlanMoves() | do.CancelMove() | do.MoveNow():
                return self._move(command)
            case do.DeclareFantasyland() | do.EndFantasyland():
                return self._fantasyland(command)
            case do.MarkAbsence() | do.CorrectStack() | do.SetButton():
                return self._correct(command)
            case do.Bag() | do.Resume() | do.Finish():
                return self._stage(command)

    def _hand(self, command: EnterPoints | EnterBoards) -> Decided:
        if self.state.settings.stage is not Stage.RUNNING:
            _refuse("not-running", "the tournament is not being played now")
        settled = settle_hand(self.state, command, now=self.now)
        totals = ", ".join(f"{self._name(player)} {_signed(points)}" for player, points in settled.points.items())
        return [settled], f"Hand {settled.hand}: {totals}, at {settled.price} a point."

    def _settings(self, command: do.ChangeSettings) -> Decided:
        faults = structure_faults(command.structure) + _name_faults(command.name)
        step = self.state.position(self.now).step
        if self.state.settings.stage is not Stage.SETUP and step >= len(command.structure.steps):
            message = "the step that the clock stands at must stay"
            faults.append(Fault("structure-impossible", message, field="steps", text=str(len(command.structure.steps))))
        if command.absent_points < 0:
            faults.append(
                Fault("absent-points", "0 points or more", field="absent_points", text=str(command.absent_points))
            )
        if faults:
            raise IllegalCommandError(*faults)
        events: list[TournamentEvent] = [SettingsChanged(command.name, command.structure, command.absent_points)]
        if self.state.settings.stage is Stage.SETUP:
            length = step_length_ms(command.structure, 0)
            events.append(clock_at(0, length, running=False, now=self.now))
        else:
            # What the clock stands at stays as it is; the new lengths count from the next step on.
            here = self.state.position(self.now)
            events.insert(0, clock_at(here.step, here.left_ms, running=self.state.clock.running, now=self.now))
        return events, "The structure was changed."

    def _register(self, players: Sequence[do.NewPlayer]) -> Decided:
        faults: list[Fault] = []
        taken = {player.name.casefold() for player in self.state.players.values() if not player.withdrawn}
        events: list[TournamentEvent] = []
        if self.state.settings.stage is not Stage.SETUP and not self._is_entry_open():
            faults.append(Fault("entry-closed", "entry is closed", field="players"))
        for number, new in enumerate(players):
            name = new.name.strip()
            place = f"players[{number}].name"
            faults += [replace(fault, field=place) for fault in _name_faults(name)]
            if name.casefold() in taken:
                faults.append(
                    Fault("name-taken", f"{name} is on the list already", field=place, player=name, text=name)
                )
            taken.add(name.casefold())
            events.append(Registered(PlayerId(len(self.state.players) + number + 1), name, new.club.strip(), new.paid))
        if not players:
            faults.append(Fault("players-missing", "no player was named", field="players"))
        if faults:
            raise IllegalCommandError(*faults)
        names = players[0].name if len(players) == 1 else f"{len(players)} players"
        return events, f"{names} registered."

    def _change_player(self, player: PlayerId, name: str, club: str, *, paid: bool) -> Decided:
        known = self.state.player(player)
        faults = _name_faults(name)
        others = {
            other.name.casefold() for other in self.state.players.values() if other.id != player and not other.withdrawn
        }
        if name.strip().casefold() in others:
            faults.append(Fault("name-taken", f"{name} is on the list already", field="name", player=name, text=name))
        if faults:
            raise IllegalCommandError(*faults)
        return [PlayerChanged(player, name.strip(), club.strip(), paid)], f"{known.name} was changed."

    def _withdraw(self, player: PlayerId) -> Decided:
        known = self.state.player(player)
        if known.entries:
            _refuse("player-seated", f"{known.name} has been seated", field="player", text=player)
        if known.withdrawn:
            _refuse("player-withdrawn", f"{known.name} has withdrawn already", field="player", text=player)
        return [Withdrawn(player)], f"{known.name} withdrew."

    def _draw(self, seed: int, codes: Sequence[str]) -> Decided:
        if self.state.settings.stage is not Stage.SETUP:
            _refuse("drawn", "the seats have been drawn")
        entering = [player.id for _, player in sorted(self.state.players.items()) if not player.withdrawn]
        if len(entering) < 2:  # a tournament needs an opponent
            _refuse("players-too-few", "a tournament needs two players", field="players", text=len(entering))
        tables = draw(entering, self.state.settings.seats, seed)
        if len(codes) < len(tables) or len(set(codes)) < len(codes):
            _refuse("codes-missing", f"{len(tables)} tables need a code each", field="codes", text=len(codes))
        events: list[TournamentEvent] = [StageReached(Stage.RUNNING), SeatsDrawn(seed)]
        stack = self.state.structure.starting_stack
        for table, code in zip(tables, codes, strict=False):
            events.append(TableSet(table.number, code, table.button))
            events += [
                Seated(player, SeatAt(table.number, Seat(seat)), stack)
                for seat, player in enumerate(table.seats)
                if player is not None
            ]
        return events, f"{len(entering)} players were drawn to {len(tables)} tables (seed {seed})."

    def _is_entry_open(self) -> bool:
        step = self.state.position(self.now).step
        running = self.state.settings.stage is Stage.RUNNING
        return running and self.state.structure.level_number(step) <= self.state.structure.late_until

    def _seat(self, player: PlayerId, code: str) -> Decided:
        known = self.state.player(player)
        if known.at is not None or known.withdrawn:
            _refuse("player-seated", f"{known.name} has a seat, or has withdrawn", field="player", text=player)
        if not self._is_entry_open():
            _refuse("entry-closed", "entry is closed", field="player", text=player)
        if known.entries > self.state.structure.reentries:
            _refuse("reentries-used", f"{known.name} may not enter again", field="player", text=player)
        promised = [other.move.to for other in self.state.alive if other.move is not None]
        room = [table for table in self.state.open_tables if free_seats(table, promised)]
        events: list[TournamentEvent] = []
        if room:
            table = min(
                room,
                key=lambda table: (
                    self.state.is_frozen(table.number),
                    len(self.state.at_table(table.number)),
                    table.number,
                ),
            )
            to = SeatAt(table.number, free_seats(table, promised)[0])
        else:
            to = SeatAt(TableNumber(max(self.state.tables) + 1), Seat(0))
            self._check_code(code)
            events.append(TableSet(to.table, code, Seat(0)))
        events.append(Seated(player, to, self.state.structure.starting_stack))
        again = " again" if known.entries else ""
        return events, f"{known.name} entered{again}: table {to.table}, seat {to.seat + 1}."

    def _check_code(self, code: str) -> None:
        if not code or code in {table.code for table in self.state.tables.values()}:
            _refuse("codes-missing", "a new table needs a code of its own", field="code", text=code)

    def _clock(self, command: do.StartClock | do.PauseClock | do.JumpTo | do.AdjustClock) -> Decided:
        here = self.state.position(self.now)
        running = self.state.clock.running
        structure = self.state.structure
        match command:
            case do.StartClock():
                if running:
                    _refuse("clock-runs", "the clock runs already")
                if self.state.settings.stage is not Stage.RUNNING:
                    _refuse("not-running", "draw the seats first")
                return [clock_at(here.step, here.left_ms, running=True, now=self.now)], "The clock runs."
            case do.PauseClock():
                if not running:
                    _refuse("clock-stands", "the clock stands already")
                return [clock_at(here.step, here.left_ms, running=False, now=self.now)], "The clock was paused."
            case do.JumpTo(step):
                if not 0 <= step < len(structure.steps):
                    _refuse("step-unknown", f"the structure has {len(structure.steps)} steps", field="step", text=step)
                length = step_length_ms(structure, step)
                name = (
                    f"level {structure.level_number(step)}" if isinstance(structure.steps[step], Level) else "the break"
                )
                return [clock_at(step, length, running=running, now=self.now)], f"The clock went to {name}."
            case do.AdjustClock(change_ms):
                if here.left_ms is None:
                    _refuse("no-end", "this level has no end to move", field="change_ms", text=change_ms)
                left = max(1_000, here.left_ms + change_ms)
                minutes = f"{change_ms / 60_000:+.3g} min".replace("-", "−")
                return [clock_at(here.step, left, running=running, now=self.now)], f"The clock was moved by {minutes}."

    def _move(self, command: do.PlanMove | do.PlanMoves | do.CancelMove | do.MoveNow) -> Decided:
        match command:
            case do.PlanMoves():
                proposed = propose_moves(self.state)
                if not proposed:
                    _refuse("no-moves", "the tables are as even as they can be")
                events = [MovePlanned(move.player, move.to, move.reason) for move in proposed]
                words = "; ".join(f"{move.name} to table {move.to.table}" for move in proposed)
                return events, f"To move: {words}."
            case do.CancelMove(player):
                known = self.state.player(player)
                if known.move is None:
                    _refuse("no-move", f"{known.name} is not to move", field="player", text=player)
                return [MoveCancelled(player)], f"{known.name} stays."
            case do.PlanMove(player, to, reason):
                known, _ = self._check_move(player, to)
                planned = MovePlanned(player, to, reason)
                return [planned], f"{known.name} will move to table {to.table}, seat {to.seat + 1}."
            case do.MoveNow(player, to, _):
                known, source = self._check_move(player, to)
                for number in (source, to.table):
                    if self.state.is_frozen(number):
                        message = f"table {number} is in Fantasyland; nobody leaves or joins it until that is done"
                        _refuse("table-in-fantasyland", message, field="player", text=player)
                return [Moved(player, to)], f"{known.name} moved to table {to.table}, seat {to.seat + 1}."

    def _check_move(self, player: PlayerId, to: SeatAt) -> tuple[PlayerState, TableNumber]:
        known = self.state.player(player)
        if known.at is None:
            _refuse("player-not-seated", f"{known.name} has no seat", field="player", text=player)
        table = self.state.table(to.table)
        promised = [other.move.to for other in self.state.alive if other.move is not None and other.id != player]
        if known.at.table == to.table:
            _refuse("same-table", f"{known.name} sits at table {to.table}", field="to.table", text=to.table)
        if to.seat not in free_seats(table, promised):
            message = f"seat {to.seat + 1} of table {to.table} is not free"
            _refuse("seat-taken", message, field="to.seat", text=to.seat)
        return known, known.at.table

    def _fantasyland(self, command: do.DeclareFantasyland | do.EndFantasyland) -> Decided:
        table = self.state.table(command.table)
        match command:
            case do.DeclareFantasyland(number, cards):
                here = {player.id: player for player in self.state.at_table(number)}
                counts = (0, *self.state.settings.rules.fantasyland_counts)
                faults = [
                    Fault(
                        "player-not-here",
                        f"player {player} does not play at this table",
                        field="cards",
                        text=str(player),
                    )
                    for player in cards
                    if player not in here
                ]
                faults += [
                    Fault(
                        "fantasyland-count",
                        f"Fantasyland has {', '.join(map(str, counts[1:]))} cards",
                        field="cards",
                        text=str(count),
                    )
                    for count in cards.values()
                    if count not in counts
                ]
                if not cards:
                    faults.append(Fault("players-missing", "nobody was named", field="cards"))
                if faults:
                    raise IllegalCommandError(*faults)
                price, _ = self.state.price(table, self.now)
                names = ", ".join(f"{self._name(player)}, {count} cards" for player, count in cards.items() if count)
                words = f"Fantasyland: {names}. Table {number} keeps {price}." if names else "No Fantasyland after all."
                return [FantasylandDeclared(number, dict(cards))], words
            case do.EndFantasyland(number):
                if not self.state.is_frozen(number):
                    _refuse("no-fantasyland", f"table {number} is not in Fantasyland", field="table", text=number)
                price, step = self.state.price_on_clock(self.now)
                button = next_seat(table, table.button)
                words = f"Table {number}: Fantasyland done, then {price} a point."
                return [FantasylandEnded(number, button, price, step)], words

    def _correct(self, command: do.MarkAbsence | do.CorrectStack | do.SetButton) -> Decided:
        match command:
            case do.MarkAbsence(player, absent):
                known = self.state.player(player)
                if known.at is None:
                    _refuse("player-not-seated", f"{known.name} has no seat", field="player", text=player)
                return [AbsenceMarked(player, absent)], f"{known.name} is {'away' if absent else 'back'}."
            case do.CorrectStack(player, stack, reason):
                known = self.state.player(player)
                if known.at is None:
                    _refuse("player-not-seated", f"{known.name} has no seat", field="player", text=player)
                if stack < 1:
                    _refuse("stack-invalid", "a stack is 1 chip or more", field="stack", text=stack)
                if not reason.strip():
                    _refuse("reason-missing", "say why the stack is changed", field="reason", text=reason)
                words = f"{known.name}'s stack {known.stack} was set to {stack}: {reason.strip()}."
                return [StackCorrected(player, stack, reason.strip())], words
            case do.SetButton(number, button):
                table = self.state.table(number)
                if not 0 <= button < len(table.seats) or table.seats[button] is None:
                    _refuse("seat-empty", f"nobody sits in seat {button + 1}", field="button", text=button)
                return [ButtonSet(number, button)], f"Table {number}: the button is at seat {button + 1}."

    def _stage(self, command: do.Bag | do.Resume | do.Finish) -> Decided:
        stage = self.state.settings.stage
        here = self.state.position(self.now)
        stand = clock_at(here.step, here.left_ms, running=False, now=self.now)
        match command:
            case do.Bag():
                if stage is not Stage.RUNNING:
                    _refuse("not-running", "the tournament is not being played now")
                events: list[TournamentEvent] = [StageReached(Stage.BAGGED), stand]
                return events, "Stopped for the night; every stack is bagged."
            case do.Resume():
                if stage is not Stage.BAGGED:
                    _refuse("not-bagged", "nothing was bagged")
                return [StageReached(Stage.RUNNING)], "The tournament goes on."
            case do.Finish():
                if stage is Stage.SETUP:
                    _refuse("not-running", "the tournament has not begun")
                return [StageReached(Stage.FINISHED), stand], "The tournament is finished."

    def _name(self, player: PlayerId) -> str:
        return self.state.player(player).name


def _signed(points: Points | Chips) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


def _follow_up(before: Tournament, action: Action) -> list[TournamentEvent]:
    """Return what follows of itself: due moves, lapsed Fantasyland, closed tables, buttons, levels counted in hands."""
    state = before
    for event in action.events:
        state = apply(state, event, action)
    followed: list[TournamentEvent] = []

    def follow(event: TournamentEvent) -> None:
        nonlocal state
        state = apply(state, event, action)
        followed.append(event)

    between_hands = {event.table for event in action.events if isinstance(event, HandSettled)}
    for player in state.alive:
        if (
            player.move is not None
            and player.at is not None
            and _may_move(state, player, player.at.table, between_hands)
        ):
            follow(Moved(player.id, player.move.to))
    for table in state.open_tables:
        players = state.at_table(table.number)
        if not players and before.tables.get(table.number) is not None:
            follow(TableClosed(table.number))
        elif len(players) == 1 and state.settings.rules.lone_fantasyland is LoneFantasyland.LAPSES:
            for player in players:
                if player.owed or player.declared:
                    follow(FantasylandLapsed(player.id))
        if players and table.seats[table.button] is None:
            follow(ButtonSet(table.number, next_seat(table, table.button)))
    if (clock := _level_after_hands(state, action)) is not None:
        follow(clock)
    return followed


def _may_move(state: Tournament, player: PlayerState, source: TableNumber, between_hands: set[TableNumber]) -> bool:
    move = player.move
    if move is None or move.to.table not in state.tables or not state.tables[move.to.table].open:
        return False
    is_between = source in between_hands or len(state.at_table(source)) < 2  # no hand is played
    is_free = state.tables[move.to.table].seats[move.to.seat] is None
    return is_between and is_free and not state.is_frozen(source) and not state.is_frozen(move.to.table)


def _level_after_hands(state: Tournament, action: Action) -> ClockSet | None:
    """Return the clock at the next step once every table that can play has played this level's hands."""
    here = state.position(action.at)
    level = state.structure.steps[here.step]
    if not isinstance(level, Level) or level.hands is None or here.step == len(state.structure.steps) - 1:
        return None
    if not any(isinstance(event, HandSettled) for event in action.events):
        return None
    playing = [table for table in state.open_tables if len(state.at_table(table.number)) > 1]
    counting = [table for table in playing if not state.is_frozen(table.number)]
    if not counting or any(table.hands_in_step < level.hands for table in counting):
        return None
    step = here.step + 1
    return clock_at(step, step_length_ms(state.structure, step), running=state.clock.running, now=action.at)


def button_words(state: Tournament, table: TableState) -> str:
    """Return who would have the button after a hand that earns no Fantasyland."""
    seat = button_after(state, table, earned=False, gone=set())
    player = table.seats[seat]
    return state.player(player).name if player is not None else ""
