"""What each event does to a tournament."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
from msgspec.structs import replace as changed

from ofc.errors import Fault, IllegalCommandError
from ofc.scoring import Chips, Seat
from ofc.tournament.clock import is_break
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
    MoveCancelled,
    Moved,
    MovePlanned,
    Opened,
    PlayerChanged,
    PlayerId,
    PlayerRemoved,
    PrizesSet,
    Registered,
    SeatAt,
    Seated,
    SeatsDrawn,
    SeatsRedrawn,
    SettingsChanged,
    StackCorrected,
    StageReached,
    TableClosed,
    TableCoded,
    TableNumber,
    TablePriced,
    TableSet,
    TournamentEvent,
    Withdrawn,
)
from ofc.tournament.state import HandForHand, Move, Out, PlayerState, Settings, TableState, Tournament

Part = Settings | ClockSet | HandForHand | PrizesSet | DealMade | PlayerState | TableState | None
Maps = tuple[dict[PlayerId, PlayerState], dict[TableNumber, TableState]]
Key = tuple[str, int]
"""What a part of the state is found by: a field's name and 0, or `players` or `tables` and a number."""
SINGLE_PARTS = ("settings", "clock", "hand_for_hand", "prizes", "deal")


class Change(msgspec.Struct, frozen=True, gc=False):
    """What one log entry did to one part of the state."""

    before: Part
    after: Part


class Draft:
    """A tournament to which the events of one action are applied, one after the other.

    `state` is up to date after each event. Its maps of players and tables are the draft's own, copied once however
    many events there are, and change with it: keep a draft's state only when all is applied. `own` are maps that
    nobody else has, to be used instead of copies.
    """

    def __init__(self, state: Tournament, action: Action, *, own: Maps | None = None) -> None:
        self._action = action
        self._players, self._tables = own or (dict(state.players), dict(state.tables))
        self._before: dict[Key, Part] = {}
        self.state = Tournament(
            state.settings,
            state.clock,
            self._players,
            self._tables,
            action.seq,
            state.hand_for_hand,
            state.prizes,
            state.deal,
        )

    @property
    def touched_tables(self) -> list[TableNumber]:
        """The tables that events so far have changed, by number."""
        return sorted(TableNumber(number) for kind, number in self._before if kind == "tables")

    def changes(self) -> dict[Key, Change]:
        """Return what the events came to, part by part."""
        found = {}
        for key, before in self._before.items():
            after = part_of(self.state, key)
            if before != after:
                found[key] = Change(before, after)
        return found

    def apply(self, event: TournamentEvent) -> None:
        """Apply an event that `ofc.tournament.deciding` decided; `IllegalCommandError` if it cannot follow."""
        match event:
            case HandSettled():
                self._settle(event)
            case TableSet() | TableCoded() | TableClosed() | TablePriced() | ButtonSet():
                self._put_table(self._changed_table(event))
            case FantasylandEnded(number, button, price, step):
                table = self.state.table(number)
                self._put_table(changed(table, button=button, price=price, step=step, after_break=self._is_in_break))
                for seated in self.state.at_table(number):
                    self._put_player(changed(seated, owed=0, declared=0))
            case FantasylandDeclared(_, cards):
                for player_id, count in cards.items():
                    self._put_player(changed(self.state.player(player_id), declared=count))
            case SeatsRedrawn():
                self._redraw(event)
            case Registered(player_id, name, club, paid):
                self._put_player(PlayerState(player_id, name, club, paid))
            case Seated(player_id, to, stack):
                player = self.state.player(player_id)
                self._sit(changed(player, stack=stack, entries=player.entries + 1, out=None), to)
            case Moved(player_id, to):
                player = self._stand_up(self.state.player(player_id))
                self._sit(changed(player, move=None), to)
            case PlayerRemoved(player_id):
                self._put_out(self.state.player(player_id), hand=0)
            case (
                SettingsChanged()
                | StageReached()
                | SeatsDrawn()
                | ClockSet()
                | HandForHandSet()
                | PrizesSet()
                | DealMade()
            ):
                self._set(event)
            case Opened():
                raise IllegalCommandError(Fault("log-start", "a tournament is set up once"))
            case _:
                self._put_player(_changed_player(self.state.player(event.player), event))

    def _set(
        self,
        event: SettingsChanged | StageReached | SeatsDrawn | ClockSet | HandForHandSet | PrizesSet | DealMade,
    ) -> None:
        settings = self.state.settings
        match event:
            case SettingsChanged(name, structure, absent_points):
                renewed = replace(settings, name=name, structure=structure, absent_points=absent_points)
                self._put_single("settings", renewed)
            case StageReached(stage):
                self._put_single("settings", replace(settings, stage=stage))
            case SeatsDrawn(seed):
                self._put_single("settings", replace(settings, draw_seed=seed))
            case ClockSet():
                was_in_break = self._is_in_break
                self._put_single("clock", event)
                if self._is_in_break and not was_in_break:  # a break again: their hands are being played
                    for table in self.state.open_tables:
                        if table.after_break:
                            self._put_table(changed(table, after_break=False))
            case HandForHandSet(number):
                pace = HandForHand(number, self._action.seq) if number else None
                self._put_single("hand_for_hand", pace)
            case PrizesSet():
                self._put_single("prizes", event)
            case DealMade():  # pragma: no branch - mypy knows no other
                self._put_single("deal", event)

    @property
    def _is_in_break(self) -> bool:
        state = self.state
        return is_break(state.structure, state.position(self._action.at).step)

    def _put_single(self, name: str, part: Part) -> None:
        self._before.setdefault((name, 0), part_of(self.state, (name, 0)))
        fields: dict[str, Any] = {name: part}
        self.state = replace(self.state, **fields)

    def _changed_table(self, event: TableSet | TableCoded | TableClosed | TablePriced | ButtonSet) -> TableState:
        match event:
            case TableCoded(number, code):  # a closed one too: its close may be taken back
                return changed(self.state.tables.get(number) or self.state.table(number), code=code)
            case TableSet(number, code, button):
                price, step = self.state.price_on_clock(self._action.at)
                seats = (None,) * self.state.settings.seats
                return TableState(number, code, seats, button, price, step, after_break=self._is_in_break)
            case TableClosed(number):
                return changed(self.state.table(number), open=False)
            case TablePriced(number, price, step):
                table = self.state.table(number)
                played = table.hands_in_step if step == table.step else 0
                in_break = self._is_in_break
                return changed(table, price=price, step=step, hands_in_step=played, after_break=in_break)
            case ButtonSet(number, button):  # pragma: no branch - mypy knows no other
                return changed(self.state.table(number), button=button)

    def _settle(self, event: HandSettled) -> None:
        table = self.state.table(event.table)
        pace = self.state.hand_for_hand
        here = {player.id: player for player in self.state.at_table(event.table)}
        out = dict(event.out)
        for player_id, stack in event.stacks.items():
            player = here.pop(player_id, None) or self.state.player(player_id)
            if player_id in out:
                self._put_out(player, hand=event.hand)
            else:
                owed = event.fantasyland.get(player_id, 0)
                self._put_player(changed(player, stack=stack, owed=owed, declared=0, is_new=False))
        for player in here.values():  # who sat down while it was played
            self._put_player(changed(player, is_new=False))
        table = self.state.table(event.table)
        counted = table.hands_in_step if event.step == table.step else 0
        after = changed(
            table,
            hand=event.hand + 1,
            button=event.button_next,
            price=event.price_next,
            step=event.step_next,
            last_result_at=self._action.at,
            hands_in_step=counted + 1 if event.step_next == event.step else 0,
            round=pace.round if pace is not None and not event.fantasyland else table.round,
            after_break=not event.fantasyland and self._is_in_break,
        )
        self._put_table(after)

    def _put_out(self, player: PlayerState, *, hand: int) -> None:
        pace = self.state.hand_for_hand
        if player.at is None:
            message = f"{player.name} has no seat to leave"
            raise IllegalCommandError(Fault("player-not-seated", message, field="player", text=str(player.id)))
        gone = Out(pace.since if pace is not None else self._action.seq, player.stack, player.at.table, hand)
        left = self._stand_up(player)
        self._put_player(
            changed(left, stack=Chips(0), owed=0, declared=0, absent=False, is_new=False, out=gone, move=None)
        )

    def _redraw(self, event: SeatsRedrawn) -> None:
        self._put_table(changed(self.state.table(event.table), seats=event.seats, button=event.button))
        for seat, player_id in enumerate(event.seats):
            if player_id is not None:
                at = SeatAt(event.table, Seat(seat))
                self._put_player(changed(self.state.player(player_id), at=at))

    def _stand_up(self, player: PlayerState) -> PlayerState:
        if player.at is None:
            message = f"{player.name} has no seat to leave"
            raise IllegalCommandError(Fault("player-not-seated", message, field="player", text=str(player.id)))
        self._put_in_seat(player.at, None)
        return changed(player, at=None)

    def _sit(self, player: PlayerState, to: SeatAt) -> None:
        table = self.state.table(to.table)
        if player.at is not None or not 0 <= to.seat < len(table.seats) or table.seats[to.seat] is not None:
            message = f"seat {to.seat + 1} of table {to.table} is not free for {player.name}"
            raise IllegalCommandError(Fault("seat-taken", message, field="to.seat", text=str(to.seat)))
        is_played = (
            len(table.seats) - table.seats.count(None) > 1 and self._before.get(("tables", to.table), table) is not None
        )
        self._put_in_seat(to, player.id)
        self._put_player(changed(player, at=to, is_new=is_played))

    def _put_in_seat(self, at: SeatAt, player: PlayerId | None) -> None:
        table = self.state.tables[at.table]
        seats = (*table.seats[: at.seat], player, *table.seats[at.seat + 1 :])
        self._put_table(changed(table, seats=seats))

    def _put_player(self, player: PlayerState) -> None:
        self._before.setdefault(("players", player.id), self._players.get(player.id))
        self._players[player.id] = player

    def _put_table(self, table: TableState) -> None:
        self._before.setdefault(("tables", table.number), self._tables.get(table.number))
        self._tables[table.number] = table


_PlayerEvent = PlayerChanged | Withdrawn | MovePlanned | MoveCancelled | AbsenceMarked | StackCorrected


def _changed_player(player: PlayerState, event: _PlayerEvent) -> PlayerState:
    match event:
        case PlayerChanged(_, name, club, paid):
            return changed(player, name=name, club=club, paid=paid)
        case Withdrawn():
            return changed(player, withdrawn=True)
        case MovePlanned(_, to, reason):
            return changed(player, move=Move(to, reason))
        case MoveCancelled():
            return changed(player, move=None)
        case AbsenceMarked(_, absent):
            return changed(player, absent=absent)
        case StackCorrected(_, stack, _):  # pragma: no branch - mypy knows no other
            return changed(player, stack=stack)


def part_of(state: Tournament, key: Key) -> Part:
    """Return a part of a state, None if it is not there."""
    kind, number = key
    if kind == "players":
        return state.players.get(PlayerId(number))
    if kind == "tables":
        return state.tables.get(TableNumber(number))
    part: Part = getattr(state, kind)
    return part


def with_parts(state: Tournament, parts: dict[Key, Part]) -> Tournament:
    """Return a state with these parts in place of its own; None takes a player or a table away."""
    fields: dict[str, Any] = {"players": dict(state.players), "tables": dict(state.tables)}
    for (kind, number), part in parts.items():
        if kind in SINGLE_PARTS:
            fields[kind] = part
        elif part is None:
            del fields[kind][number]
        else:
            fields[kind][number] = part
    return replace(state, **fields)
