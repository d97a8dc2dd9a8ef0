"""Reading the commands of docs/event-protocol.md: every fault found, each with its field and text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ofc.board import ROWS, Board
from ofc.calculator.plain import shown
from ofc.errors import BoardError, RulesError
from ofc.rules import RuleSet
from ofc.rulesets import get_rules, rules_of
from ofc.scoring import Chips, Points, Seat
from ofc.service.live_tournament import AnyCommand
from ofc.tournament import commands as do
from ofc.tournament.events import PlayerId, SeatAt, TableNumber
from ofc.tournament.exchange import ExchangeError, read_players
from ofc.tournament.prizes import (
    PAYOUT_TEMPLATES,
    BasisPoints,
    Fees,
    FixedAmounts,
    Money,
    Payouts,
    Percentages,
    PlaceWeights,
    TemplatePayouts,
)
from ofc.tournament.settling import EnterBoards, EnterPoints, PairPoints
from ofc.tournament.structure import MAX_STEPS, Break, Level, Step, Structure, faults_besides
from ofc.web.reading import LARGEST, Reader, read_choice

LONGEST_NAME: Final = 60
_LONGEST_REASON: Final = 200
_MOST_MINUTES: Final = 24 * 60
_MOST_CHIPS: Final = 10**12
_MOST_PLACES: Final = 2000
_MOST_PLAYERS: Final = 10_000
_ANY_STEP: Final = Level(Chips(1), minutes=1)
"""Stands for a step that cannot be read, while the others are judged."""
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)


def read_command(value: object, faults_of: Reader) -> AnyCommand | None:
    """Read a command; its faults are noted in `faults_of`, and None is returned where there are any."""
    if not isinstance(value, dict):
        faults_of.fault("command-invalid", "a command is an object with do", "command", shown(value))
        return None
    reader = Reader(value, prefix="command.", faults=faults_of.faults)
    name = reader.take("do")
    if not isinstance(name, str) or name not in _READERS:
        read_choice(reader, "do", _READERS, name, code="command-unknown")
        return None
    command = _READERS[name](reader)
    reader.check_fields()
    if isinstance(command, do.ChangeSettings):
        note_impossible(reader, "command.structure", command.structure)
    return None if reader.faults else command


def note_impossible(reader: Reader, field: str, structure: Structure) -> None:
    """Where a form is wrong note what is impossible about its structure too: the tournament does not come to see it."""
    within = f"{field}."
    unread = [fault.field for fault in reader.faults if fault.field is not None]
    inner = [one.removeprefix(within) for one in unread if one.startswith(within)]
    if reader.faults and field not in unread:
        reader.faults.extend(
            replace(fault, field=f"{within}{fault.field}") for fault in faults_besides(structure, inner)
        )


def read_structure(reader: Reader, field: str) -> Structure:
    """Read a `Structure`; its own impossibilities are for the tournament to refuse, or `note_impossible`."""
    value = reader.take(field)
    if not isinstance(value, dict):
        reader.fault("structure-invalid", f"{field} is an object with starting_stack and steps", field, shown(value))
        return Structure(Chips(1), ())
    inner = reader.within(value, field)
    structure = Structure(
        starting_stack=Chips(inner.whole("starting_stack", least=1, most=_MOST_CHIPS)),
        steps=tuple(
            _read_step(inner, number, step) for number, step in enumerate(inner.values("steps", most=MAX_STEPS))
        ),
        late_until=inner.whole("late_until", least=0, most=MAX_STEPS, default=0),
        reentries=inner.whole("reentries", least=0, most=100, default=0),
    )
    inner.check_fields()
    return structure


def _read_step(structure: Reader, number: int, value: object) -> Step:
    field = f"steps[{number}]"
    if not isinstance(value, dict):
        structure.fault("step-invalid", "a step is an object with kind", field, shown(value))
        return _ANY_STEP
    reader = structure.within(value, field)
    kind = reader.take("kind")
    step: Step
    reader.take("number")
    if kind not in ("level", "break"):
        reader.fault("step-kind", "kind is level or break", "kind", shown(kind))
        return _ANY_STEP
    if kind == "break":
        step = Break(reader.whole("minutes", least=1, most=_MOST_MINUTES))
        reader.take("price")
        reader.take("hands")
    else:
        step = Level(
            Chips(reader.whole("price", least=1, most=_MOST_CHIPS)),
            reader.optional_whole("minutes", least=1, most=_MOST_MINUTES),
            reader.optional_whole("hands", least=1, most=10_000),
        )
    reader.check_fields()
    return step


def read_rules(reader: Reader, field: str) -> RuleSet | None:
    """Read the id of a rule set, or one of one's own as a table of fields (docs/rules.md)."""
    value = reader.take(field)
    try:
        return get_rules(value) if isinstance(value, str) else rules_of(value)
    except RulesError as error:
        for fault in error.faults:
            place = field if fault.field in (None, "rules") else f"{field}.{fault.field}"
            reader.faults.append(replace(fault, field=place))
        return None


def _table(reader: Reader) -> TableNumber:
    return TableNumber(reader.whole("table", least=1, most=LARGEST))


def _player(reader: Reader) -> PlayerId:
    return PlayerId(reader.whole("player", least=1, most=LARGEST))


def _to(reader: Reader) -> SeatAt:
    value = reader.take("to")
    if not isinstance(value, dict):
        reader.fault("seat-invalid", "to is an object with table and seat", "to", shown(value))
        return SeatAt(TableNumber(1), Seat(0))
    inner = reader.within(value, "to")
    to = SeatAt(_table(inner), Seat(inner.whole("seat", least=0, most=3)))
    inner.check_fields()
    return to


def _flag(reader: Reader, field: str) -> bool:
    value = reader.take(field)
    if not isinstance(value, bool):
        reader.fault("flag-invalid", f"{field} is true or false", field, shown(value))
    return value is True


def _by_player(reader: Reader, field: str, *, least: int, most: int) -> dict[PlayerId, int]:
    """Return a whole number for each player, keyed by the player's number as text."""
    value = reader.take(field)
    if value is None:
        return {}
    if not isinstance(value, dict):
        reader.fault("object-needed", f"{field} is an object by player", field, shown(value))
        return {}
    inner = reader.within(value, field)
    found = {}
    for key in value:
        number = inner.whole(key, least=least, most=most)
        player = _player_of(key)
        if player is None:
            inner.fault("player-unknown", "a player is named by number", shown(key), shown(key))
        else:
            found[player] = number
    return found


def _player_of(key: str) -> PlayerId | None:
    """Return the player whose number a key is, written in its one way, None if it is none."""
    return PlayerId(int(key)) if _NUMBER.fullmatch(key) else None


def _enter_points(reader: Reader) -> AnyCommand:
    points = _by_player(reader, "points", least=-100_000, most=100_000)
    fantasyland = _by_player(reader, "fantasyland", least=0, most=52)
    hand, price = reader.whole("hand", least=1), _price(reader)
    won = {player: Points(number) for player, number in points.items()}
    return EnterPoints(_table(reader), hand, won, fantasyland, price, _pairs(reader))


def _pairs(reader: Reader) -> tuple[PairPoints, ...]:
    pairs = []
    for number, value in enumerate(reader.values("pairs", default=[])):
        field = f"pairs[{number}]"
        if not isinstance(value, dict):
            reader.fault("pair-invalid", "a pair is an object with winner, loser and points", field, shown(value))
            continue
        inner = reader.within(value, field)
        winner, loser = (PlayerId(inner.whole(name, least=1)) for name in ("winner", "loser"))
        pairs.append(PairPoints(winner, loser, Points(inner.whole("points", least=0, most=100_000))))
        inner.check_fields()
    return tuple(pairs)


def _price(reader: Reader) -> Chips | None:
    """Return the price that a hand was played at, None where it is the one that its table plays at."""
    price = reader.optional_whole("price", least=1, most=_MOST_CHIPS)
    return None if price is None else Chips(price)


def _enter_boards(reader: Reader) -> AnyCommand:
    value = reader.take("boards")
    boards: dict[PlayerId, Board] = {}
    if not isinstance(value, dict):
        reader.fault("object-needed", "boards is an object by player", "boards", shown(value))
        value = {}
    for key, rows in value.items():
        place = f"boards.{shown(key)}"
        player = _player_of(key)
        if player is None or not isinstance(rows, dict):
            reader.fault(
                "board-invalid", "a board is top, middle and bottom, by the player's number", place, shown(rows)
            )
            continue
        inner = reader.within(rows, place)
        texts = {row: inner.text(row, longest=200) for row in ROWS}
        inner.check_fields()
        try:
            boards[player] = Board.from_rows(texts)
        except BoardError as error:
            for fault in error.faults:
                inner.fault(fault.code, fault.message, fault.row or "", fault.text or "", row=fault.row)
    hand, price = reader.whole("hand", least=1), _price(reader)
    return EnterBoards(_table(reader), hand, boards, price)


def _settings(reader: Reader) -> AnyCommand:
    return do.ChangeSettings(
        reader.text("name", longest=LONGEST_NAME),
        read_structure(reader, "structure"),
        Points(reader.whole("absent_points", least=0, most=1000, default=3)),
    )


def _register(reader: Reader) -> AnyCommand:
    players = []
    for number, value in enumerate(reader.values("players", most=_MOST_PLAYERS)):
        field = f"players[{number}]"
        if not isinstance(value, dict):
            reader.fault("player-invalid", "a player is an object with name", field, shown(value))
            continue
        inner = reader.within(value, field)
        players.append(
            do.NewPlayer(
                inner.text("name", longest=LONGEST_NAME),
                _optional_text(inner, "club"),
                inner.take("paid") is not None and _flag(inner, "paid"),
            )
        )
        inner.check_fields()
    return do.Register(tuple(players))


def _import(reader: Reader) -> AnyCommand:
    value = reader.take("text")
    if not isinstance(value, str):
        reader.fault("text-needed", "text is the CSV file's content", "text", shown(value))
        return do.Register(())
    try:
        rows = read_players(value)
    except ExchangeError as error:
        reader.faults.extend(error.faults)
        return do.Register(())
    return do.Register(tuple(do.NewPlayer(row.name, row.club, row.paid) for row in rows))


def _optional_text(reader: Reader, field: str) -> str:
    return reader.text(field, longest=LONGEST_NAME, default="") if reader.take(field) not in (None, "") else ""


def _change_player(reader: Reader) -> AnyCommand:
    name = reader.text("name", longest=LONGEST_NAME)
    return do.ChangePlayer(_player(reader), name, _optional_text(reader, "club"), _flag(reader, "paid"))


def _prizes(reader: Reader) -> AnyCommand:
    fees = Fees(
        *(
            Money(reader.whole(name, least=0, most=_MOST_CHIPS, default=0))
            for name in ("fee", "house_fee", "added", "guaranteed")
        )
    )
    unit = Money(reader.whole("unit", least=1, most=_MOST_CHIPS, default=1))
    remainder_to = reader.whole("remainder_to", least=1, most=_MOST_PLACES, default=1)
    return do.SetPrizes(fees, _payouts(reader), unit, remainder_to)


def _payouts(reader: Reader) -> Payouts:
    """Read one of `percents`, `amounts`, `template` and `places`; which of them is missing is up to the director."""
    ways = [name for name in ("percents", "amounts", "template", "places") if reader.take(name) is not None]
    if len(ways) != 1:
        reader.fault("payouts-invalid", "one of percents, amounts, template and places says who gets what", "percents")
        return TemplatePayouts("club")
    match ways[0]:
        case "percents":
            shares = reader.values("percents", most=_MOST_PLACES)
            return Percentages(tuple(_basis_points(reader, n, share) for n, share in enumerate(shares)))
        case "amounts":
            values = {str(n): value for n, value in enumerate(reader.values("amounts", most=_MOST_PLACES))}
            amounts = reader.within(values, "amounts")
            return FixedAmounts(tuple(Money(amounts.whole(n, least=0, most=_MOST_CHIPS)) for n in values))
        case "template":
            return TemplatePayouts(
                read_choice(
                    reader,
                    "template",
                    [one.id for one in PAYOUT_TEMPLATES],
                    reader.take("template"),
                    code="template-unknown",
                )
            )
        case _:
            return PlaceWeights(reader.whole("places", least=1, most=_MOST_PLACES))


def _basis_points(reader: Reader, number: int, value: object) -> BasisPoints:
    field = f"percents[{number}]"
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:  # percent
        reader.fault("percent-invalid", "a share is 0 to 100 percent, with two digits at most", field, shown(value))
        return BasisPoints(0)
    return BasisPoints(round(value * 100))


def _deal(reader: Reader) -> AnyCommand:
    shares = _by_player(reader, "shares", least=0, most=_MOST_CHIPS)
    held_back = reader.whole("held_back", least=0, most=_MOST_CHIPS, default=0)
    return do.MakeDeal({player: Money(share) for player, share in shares.items()}, Money(held_back))


def _reason(reader: Reader) -> str:
    return reader.text("reason", longest=_LONGEST_REASON, default="")


def _action(reader: Reader) -> int:
    return reader.whole("action", least=1)


_READERS: Final[Mapping[str, Callable[[Reader], AnyCommand]]] = {
    "enter-points": _enter_points,
    "enter-boards": _enter_boards,
    "fantasyland": lambda r: do.DeclareFantasyland(_table(r), _by_player(r, "cards", least=0, most=52)),
    "fantasyland-done": lambda r: do.EndFantasyland(_table(r)),
    "absent": lambda r: do.MarkAbsence(_player(r), _flag(r, "absent")),
    "undo": lambda r: do.Undo(_action(r)),
    "redo": lambda r: do.Redo(_action(r)),
    "settings": _settings,
    "register": _register,
    "import-csv": _import,
    "change-player": _change_player,
    "withdraw": lambda r: do.Withdraw(_player(r)),
    "draw": lambda _: do.DrawSeats(0, ()),
    "seat": lambda r: do.SeatPlayer(_player(r), ""),
    "start-clock": lambda _: do.StartClock(),
    "pause-clock": lambda _: do.PauseClock(),
    "jump": lambda r: do.JumpTo(r.whole("step", least=0)),
    "adjust": lambda r: do.AdjustClock(r.whole("change_ms", least=-86_400_000, most=86_400_000)),
    "plan-move": lambda r: do.PlanMove(_player(r), _to(r), _reason(r)),
    "plan-moves": lambda _: do.PlanMoves(),
    "cancel-move": lambda r: do.CancelMove(_player(r)),
    "move-now": lambda r: do.MoveNow(_player(r), _to(r), _reason(r)),
    "remove": lambda r: do.RemovePlayer(_player(r), _reason(r)),
    "redraw": lambda _: do.RedrawSeats(0),
    "hand-for-hand": lambda r: do.PlayHandForHand(_flag(r, "on")),
    "prizes": _prizes,
    "deal": _deal,
    "stack": lambda r: do.CorrectStack(_player(r), Chips(r.whole("stack", least=1, most=_MOST_CHIPS)), _reason(r)),
    "button": lambda r: do.SetButton(_table(r), Seat(r.whole("button", least=0, most=3))),
    "bag": lambda _: do.Bag(),
    "resume": lambda _: do.Resume(),
    "finish": lambda _: do.Finish(),
}
