"""From a command to an entry of the log: what follows is decided here, and nothing else changes a tournament."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ofc.clock import Millis
from ofc.errors import Fault, IllegalCommandError, any_of, counted
from ofc.scoring import Chips, Points
from ofc.tournament import commands as do
from ofc.tournament import directing, entering
from ofc.tournament.clock import clock_at, price_at, step_length_ms
from ofc.tournament.commands import Command, Open, Redo, Told, Undo
from ofc.tournament.events import (
    Action,
    DealMade,
    HandSettled,
    LogEntry,
    Opened,
    PlayerId,
    PrizesSet,
    Redone,
    SettingsChanged,
    Stage,
    StageReached,
    TableCoded,
    TableNumber,
    TournamentEvent,
    Undone,
)
from ofc.tournament.following import follow_up
from ofc.tournament.history import Log
from ofc.tournament.pacing import waits_for
from ofc.tournament.pricing import begun_at
from ofc.tournament.prizes import Money, PrizeError, fees_faults, payout_faults
from ofc.tournament.refusing import Decided, is_code, name_faults, refuse, refuse_if
from ofc.tournament.settling import (
    MAX_POINTS,
    EnterBoards,
    EnterPoints,
    button_after,
    check_hand_number,
    pairs_matter,
    settle_hand,
)
from ofc.tournament.standings import prizes_left
from ofc.tournament.state import TableState, Tournament
from ofc.tournament.structure import Level, Structure, structure_faults

MAX_CHANGE_MS = 24 * 60 * 60_000
"""The most that a clock is moved at once: a day."""
MAX_MONEY = Money(1_000_000_000_000)


def open_tournament(command: Open, told: Told) -> Action:
    """Return the first entry of a log; `IllegalCommandError` holds every fault."""
    faults = structure_faults(command.structure) + name_faults(command.name) + _absent_faults(command.absent_points)
    if command.seats not in command.rules.seats or command.rules.min_seats > 2:  # heads-up is needed
        message = f"{command.rules.id} is not played at tables of 2 to {command.seats}"
        faults.append(Fault("seats-count", message, field="seats", text=str(command.seats)))
    refuse_if(faults)
    name = command.name.strip()
    opened = Opened(name, command.rules, command.structure, command.seats, command.absent_points)
    return Action(1, told.at, told.by, f"{name} was set up.", (opened,))


def decide(log: Log, command: Command | Undo | Redo, told: Told) -> LogEntry:
    """Return the entry that the command makes; `IllegalCommandError` says why not, and changes nothing."""
    seq = log.state.seq + 1
    if isinstance(command, Undo):
        _check_prices(log, log.check_undo(command.action), told.at, command.action)
        return Undone(seq, told.at, told.by, command.action)
    if isinstance(command, Redo):
        _check_prices(log, log.check_redo(command.action), told.at, command.action)
        return Redone(seq, told.at, told.by, command.action)
    if log.state.settings.stage is Stage.FINISHED and not isinstance(command, do.TakeOver):
        refuse("finished", "the tournament is finished; undo its end first")
    decided, words = _decide(log, command, told.at)
    action = Action(seq, told.at, told.by, words, tuple(decided))
    return replace(action, events=(*action.events, *follow_up(log.state, action)))


def _check_prices(log: Log, after: Tournament, now: Millis, action: int) -> None:
    """Refuse to take back, or do again, what a table's price that was set in a break since follows from (R-CHIP-5).

    Here and not where a log is read: earlier versions allowed it.
    """
    before = log.state
    for table in after.open_tables:
        is_waiting = table == before.tables.get(table.number) and before.is_between_hands(table, now)
        has_price = after.is_frozen(table.number) or _price_after_break(after, table, now) == (table.price, table.step)
        if is_waiting and not has_price:
            message = f"table {table.number} has its price from this; set the clock or the levels instead"
            refuse("played-on", message, field="action", text=action)


def _price_after_break(state: Tournament, table: TableState, now: Millis) -> tuple[Chips, int]:
    """Return what the clock and the levels say about the price that a table was given in a break."""
    if state.position(now).step <= table.step:
        return state.price_on_clock(now)
    return price_at(state.structure, table.step), table.step


def _decide(log: Log, command: Command, now: Millis) -> Decided:
    state = log.state
    match command:
        case EnterPoints() | EnterBoards():
            return _hand(log, command, now)
        case do.ChangeSettings():
            return _settings(state, command, now)
        case do.Register() | do.ChangePlayer() | do.Withdraw() | do.RemovePlayer() | do.DrawSeats() | do.SeatPlayer():
            return entering.decide(state, command, now)
        case do.StartClock() | do.PauseClock() | do.JumpTo() | do.AdjustClock():
            return _clock(state, command, now)
        case do.SetPrizes() | do.MakeDeal():
            return _prizes(state, command)
        case do.Bag() | do.Resume() | do.Finish():
            return _stage(state, command, now)
        case do.TakeOver(codes):
            return _take_over(state, codes, now)
        case _:
            return directing.decide(state, command, now)


def _hand(log: Log, command: EnterPoints | EnterBoards, now: Millis) -> Decided:
    state = log.state
    if state.settings.stage is not Stage.RUNNING:
        refuse("not-running", "the tournament is not being played now")
    table = state.table(command.table)
    check_hand_number(table, command.hand)
    begun = None if command.price is None else begun_at(log, table, command.hand, command.price, now)
    settled = settle_hand(state, command, now=now, begun=begun)
    others = waits_for(state, table, now)
    if others:
        tables = f"table{'s' if len(others) > 1 else ''} {', '.join(map(str, others))}"
        message = f"table {command.table} has played its hand and waits for {tables}"
        refuse("table-waits", message, field="table", text=command.table)
    return [settled], _hand_words(state, settled)


def _hand_words(state: Tournament, settled: HandSettled) -> str:
    """Say a hand's result; `state` is the tournament before it."""

    def named(numbers: Mapping[PlayerId, int], say: Callable[[int], str]) -> str:
        return ", ".join(f"{state.player(player).name} {say(number)}" for player, number in numbers.items())

    totals = named(settled.points, _signed)
    sentences = [f"Table {settled.table}, hand {settled.hand}: {totals}, at {settled.price:,} a point."]
    if settled.fantasyland:
        sentences.append(f"Fantasyland next: {named(settled.fantasyland, '{} cards'.format)}.")
    if pairs_matter(state, settled):
        sentences.append("Who won from whom was not entered, and a cap may have paid otherwise.")
    return " ".join(sentences)


def _absent_faults(points: Points) -> list[Fault]:
    if 0 <= points <= MAX_POINTS:
        return []
    message = f"an absent player loses 0 to {MAX_POINTS:,} points, not {points}"
    return [Fault("absent-points", message, field="absent_points", text=str(points))]


def _settings(state: Tournament, command: do.ChangeSettings, now: Millis) -> Decided:
    new, old = command.structure, state.structure
    faults = structure_faults(new) + name_faults(command.name) + _absent_faults(command.absent_points)
    here = state.position(now)
    is_played = state.settings.stage is not Stage.SETUP
    if is_played and not _is_continued(old, new, here.step):
        message = "the steps up to the one that the clock stands at have been played, and stay"
        faults.append(Fault("structure-impossible", message, field="steps", text=str(here.step)))
    elif is_played and (lost := _tables_lost(state, new, now)):  # the clock was put back since
        message = f"table {any_of(lost, last='and')} still plays at a level that would be gone"
        faults.append(Fault("structure-impossible", message, field="steps", text=str(len(new.steps))))
    if is_played and new.starting_stack != old.starting_stack:  # else who enters late had more or less than the others
        message = f"everybody began with {old.starting_stack:,} chips, and who enters late does too"
        faults.append(
            Fault("starting-stack-fixed", message, field="structure.starting_stack", text=str(new.starting_stack))
        )
    refuse_if(faults)
    changed = SettingsChanged(command.name.strip(), new, command.absent_points)
    if new == old:
        return [changed], "The settings were changed."
    if not is_played:
        clock = clock_at(0, step_length_ms(new, 0), running=False, now=now)
        return [changed, clock], "The structure was changed."
    # What the clock stands at runs on; where it gets an end, or loses it, the new length counts from now.
    length = step_length_ms(new, here.step)
    left_ms = length if length is None or here.left_ms is None else here.left_ms
    clock = clock_at(here.step, left_ms, running=state.clock.running, now=now)
    return [changed, clock], "The structure was changed."


def _tables_lost(state: Tournament, new: Structure, now: Millis) -> list[TableNumber]:
    """Return the tables whose hand is of a level that a structure lacks; one that has begun none has no level yet."""
    return [
        number
        for number in state.tables_without_level(new)
        if state.is_frozen(number) or not state.is_between_hands(state.table(number), now)
    ]


def _is_continued(old: Structure, new: Structure, step: int) -> bool:
    """Whether a structure agrees with the one before it up to a step, that itself staying a level or a break."""
    return (
        len(new.steps) > step
        and new.steps[:step] == old.steps[:step]
        and isinstance(new.steps[step], Level) == isinstance(old.steps[step], Level)
    )


def _clock(
    state: Tournament, command: do.StartClock | do.PauseClock | do.JumpTo | do.AdjustClock, now: Millis
) -> Decided:
    here = state.position(now)
    running = state.clock.running
    structure = state.structure
    match command:
        case do.StartClock():
            if running:
                refuse("clock-runs", "the clock runs already")
            if state.settings.stage is not Stage.RUNNING:
                refuse("not-running", "the tournament is not being played now")
            return [clock_at(here.step, here.left_ms, running=True, now=now)], "The clock runs."
        case do.PauseClock():
            if not running:
                refuse("clock-stands", "the clock stands already")
            return [clock_at(here.step, here.left_ms, running=False, now=now)], "The clock was paused."
        case do.JumpTo(step):
            if not 0 <= step < len(structure.steps):
                refuse(
                    "step-unknown",
                    f"the structure has {counted(len(structure.steps), 'step')}",
                    field="step",
                    text=step,
                )
            length = step_length_ms(structure, step)
            is_level = isinstance(structure.steps[step], Level)
            name = f"level {structure.level_number(step)}" if is_level else "the break"
            return [clock_at(step, length, running=running, now=now)], f"The clock went to {name}."
        case do.AdjustClock(change_ms):  # pragma: no branch - mypy knows no other
            if here.left_ms is None:
                refuse("no-end", "this level has no end to move", field="change_ms", text=change_ms)
            if not -MAX_CHANGE_MS <= change_ms <= MAX_CHANGE_MS:
                refuse("change-too-large", "the clock is moved by a day at most", field="change_ms", text=change_ms)
            left = max(1_000, here.left_ms + change_ms)
            minutes = change_ms / 60_000
            told = f"{minutes:+.3g}" if abs(minutes) < 100 else f"{minutes:+.0f}"  # three digits
            words = f"The clock was moved by {told.replace('-', '−')} min."
            return [clock_at(here.step, left, running=running, now=now)], words


def _prizes(state: Tournament, command: do.SetPrizes | do.MakeDeal) -> Decided:
    match command:
        case do.SetPrizes(fees, payouts, unit, remainder_to):
            faults = fees_faults(fees) + payout_faults(payouts)
            faults += [
                Fault("amount-too-large", f"an amount is at most {MAX_MONEY:,}", field="fees", text=str(amount))
                for amount in (fees.entry, fees.house, fees.added, fees.guaranteed, unit, remainder_to)
                if amount > MAX_MONEY
            ]
            for name, number in (("unit", unit), ("remainder_to", remainder_to)):
                if number < 1:
                    faults.append(Fault(f"{name.replace('_', '-')}-invalid", "1 or more", field=name, text=str(number)))
            refuse_if(faults)
            if state.deal is not None:
                refuse("deal-made", "a deal was made; undo that first", field="fees")
            return [PrizesSet(fees, payouts, unit, remainder_to)], "The prizes were set."
        case do.MakeDeal(shares, held_back):  # pragma: no branch - mypy knows no other
            if state.settings.stage is Stage.SETUP:
                refuse("not-running", "the tournament has not begun")
            if state.deal is not None:
                refuse("deal-made", "a deal was made; undo that first", field="shares")
            alive = {player.id: player.name for player in state.alive}
            faults = [
                Fault("player-not-seated", f"{state.name_of(player)} plays no more", field="shares", text=str(player))
                for player in shares
                if player not in alive
            ]
            faults += [
                Fault("player-missing", f"{name} is missing", field="shares", player=name)
                for player, name in alive.items()
                if player not in shares
            ]
            faults += [
                Fault("amount-negative", f"an amount is 0 or more, not {amount}", field="shares", text=str(amount))
                for amount in (*shares.values(), held_back)
                if amount < 0
            ]
            refuse_if(faults)
            try:
                left = sum(prizes_left(state))
            except PrizeError as error:
                raise IllegalCommandError(*error.faults) from error
            dealt = sum(shares.values()) + held_back
            if dealt != left:
                refuse("deal-sum", f"{left} is to be divided, not {dealt}", field="shares", text=dealt)
            agreed = [f"{alive[player]} {share}" for player, share in sorted(shares.items(), key=lambda one: -one[1])]
            winners = [f"{held_back} for the winner"] if held_back else []
            return [DealMade(dict(shares), held_back)], f"A deal was made: {', '.join(agreed + winners)}."


def _stage(state: Tournament, command: do.Bag | do.Resume | do.Finish, now: Millis) -> Decided:
    stage = state.settings.stage
    here = state.position(now)
    stand = clock_at(here.step, here.left_ms, running=False, now=now)
    match command:
        case do.Bag():
            if stage is not Stage.RUNNING:
                refuse("not-running", "the tournament is not being played now")
            events: list[TournamentEvent] = [StageReached(Stage.BAGGED), stand]
            return events, "Stopped for the night; every stack is bagged."
        case do.Resume():
            if stage is not Stage.BAGGED:
                refuse("not-bagged", "nothing was bagged")
            return [StageReached(Stage.RUNNING)], "The tournament goes on."
        case do.Finish():  # pragma: no branch - mypy knows no other
            if stage is Stage.SETUP:
                refuse("not-running", "the tournament has not begun")
            return [StageReached(Stage.FINISHED), stand], "The tournament is finished."


def _take_over(state: Tournament, codes: Mapping[TableNumber, str], now: Millis) -> Decided:
    """Go on with an event from its file, where the codes of some tables belong to another event."""
    others = {table.code for table in state.tables.values() if table.number not in codes}
    for number, code in codes.items():
        if number not in state.tables:
            refuse("table-unknown", f"there is no table {number}", field="codes", text=number)
        if not is_code(code) or code in others:
            refuse("codes-missing", f"table {number} needs a code of its own", field="codes", text=code)
        others.add(code)
    if not codes and not state.clock.running:
        refuse("nothing-to-do", "the clock stands, and every table keeps its code")
    events: list[TournamentEvent] = []
    words = "The event went on from its file."
    if state.clock.running:
        here = state.position(now)
        events.append(clock_at(here.step, here.left_ms, running=False, now=now))
        words += " The clock stands as it was when the file was written."
    events += [TableCoded(number, code) for number, code in sorted(codes.items())]
    if codes:
        tables = any_of(sorted(codes), last="and")
        have = "Tables {} have new codes" if len(codes) > 1 else "Table {} has a new code"
        words += f" {have.format(tables)}, for another event here has the printed ones: print the cards again."
    return events, words


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


def button_words(state: Tournament, table: TableState) -> str:
    """Return who would have the button after a hand that earns no Fantasyland."""
    seat = button_after(state, table, earned=False, gone=set())
    player = table.seats[seat]
    return state.player(player).name if player is not None else ""
