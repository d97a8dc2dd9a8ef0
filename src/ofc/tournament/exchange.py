"""Players and results as CSV for spreadsheets, and a finished event as an Open Tournament Summary.

What a spreadsheet might run as a formula is written with an apostrophe before it, as OWASP's “CSV Injection” advises,
and read back without. Reading reports every fault with its line.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from ofc.clock import Millis
from ofc.errors import Fault, OfcError
from ofc.scoring import Chips
from ofc.tournament.prizes import Money

MAX_PLAYERS: Final = 10_000
MAX_NAME: Final = 60
MAX_TEXT: Final = 200
OTS_VERSION: Final = "1.1.5"
"""The version of the Open Tournament Summary specification that is written (ts-specs.handhistory.org)."""

_COLUMNS: Final = {
    "id": ("id", "number", "no", "nr", "#", "player id", "membership", "member"),
    "name": ("name", "player", "player name", "full name", "spieler", "nom", "nombre", "nome", "navn", "namn"),
    "club": ("club", "verein", "klub", "team", "city", "klubb"),
    "paid": ("paid", "payment", "bezahlt", "payé", "paye", "pagado", "betalt"),
    "notes": ("notes", "note", "remarks", "remark", "comment", "comments", "bemerkung"),
}
_YES: Final = {"yes", "y", "true", "1", "x", "paid", "ja", "oui", "si", "sí", "✓", "✔"}
_NO: Final = {"", "no", "n", "false", "0", "-", "to pay", "unpaid", "nein", "non", "nei"}
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_DELIMITERS: Final = ",;\t"


class ExchangeError(OfcError):
    """A file that cannot be read as players, or values that cannot be written."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player of a list: an `id` of the organiser's own, if any; `line` is where it was read, from 1."""

    name: str
    id: str = ""
    club: str = ""
    paid: bool = False
    notes: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One player's result; shared places repeat. `out_in_hand` is 0 for who was never out."""

    place: int
    name: str
    club: str = ""
    stack: Chips = Chips(0)  # noqa: RUF009  # a whole number
    out_in_hand: int = 0
    prize: Money = Money(0)  # noqa: RUF009  # a whole number


@dataclass(frozen=True, slots=True)
class SummaryFinish:
    """One player's line of a summary; names are unique. `reentries` counts entries after the first.

    `is_playing`: the event goes on, and so does the player in it.
    """

    player: str
    place: int
    prize: Money
    reentries: int = 0
    is_playing: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """An event as the Open Tournament Summary tells it; `end` is None while it goes on.

    `number` identifies the event for ever at its site. Times are milliseconds since 1970. `currency` is an ISO 4217
    code, or XPM for play money; amounts are in its smallest unit, of which `decimals` digits stand after the point.
    `round_seconds` is the length of a level, None where levels are counted in hands. `speed` is the spec's word.
    """

    number: str
    name: str
    start: Millis
    end: Millis | None
    buy_in: Money
    fee: Money
    starting_stack: Chips
    prize_pool: Money
    finishes: tuple[SummaryFinish, ...]
    tables: int
    round_seconds: int | None
    may_reenter: bool = False
    currency: str = "XPM"
    decimals: int = 0
    speed: str = "Normal"
    site: str = "ofc"
    network: str = "ofc"
    software: str = "0.1.0"


def decode_csv(data: bytes) -> str:
    """Return a file's text: UTF-8 or UTF-16 by its byte order mark, UTF-8 without, else Windows-1252.

    `ExchangeError` (`file-encoding`) if it is none of them.
    """
    encodings = ("utf-16",) if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ExchangeError(Fault("file-encoding", "the file is not text in UTF-8, UTF-16 or Windows-1252"))


def read_players(text: str, *, taken: Collection[str] = ()) -> tuple[PlayerRow, ...]:
    r"""Return the players of a CSV text, in its order.

    Fields are separated by commas, semicolons or tabs, whichever the first line has most of, or as a first line
    `sep=;` says, and may be quoted. The first line names the columns, in any order and case: name (needed), id, club,
    paid, notes; others are left out. A text of one column may come without: each line is a name. Empty lines are
    skipped. `taken` are names that the event already has.

    `ExchangeError` holds every fault, each with `field` `line 7`: a name missing, there twice or taken (case does not
    count), an id twice, a payment that is neither yes nor no, more fields than columns, a quote left open, an
    unprintable character, a name of more than 60 characters or another field of more than 200.

    >>> [(player.name, player.paid, player.line) for player in read_players("Name;Paid\nAnna;yes\nBo;")]
    [('Anna', True, 2), ('Bo', False, 3)]
    """
    rows = _records(text)
    if not rows:
        raise ExchangeError(Fault("players-none", "there are no players in the file"))
    header = [_column(field) for field in rows[0][1]]
    if "name" in header:
        rows = rows[1:]
    elif all(len(fields) == 1 for _, fields in rows):
        header = ["name"]
    else:
        message = f"no column is called name; there are {', '.join(field.strip() for field in rows[0][1])}"
        raise ExchangeError(Fault("columns-unknown", message, field=f"line {rows[0][0]}"))
    twice = sorted({name for name in header if name is not None and header.count(name) > 1})
    if twice:
        raise ExchangeError(Fault("columns-twice", f"more than one column means {', '.join(twice)}", field="line 1"))
    if not rows or len(rows) > MAX_PLAYERS:
        raise ExchangeError(Fault("players-count", f"1 to {MAX_PLAYERS} players, not {len(rows)}", text=str(len(rows))))
    faults: list[Fault] = []
    players = [_player(line, fields, header, faults) for line, fields in rows]
    faults += _repeated("name-twice", "name", players, lambda player: player.name)
    faults += _repeated("id-twice", "id", players, lambda player: player.id)
    held = {name.casefold() for name in taken}
    for player in players:
        if player.name.casefold() in held:
            message = f"line {player.line}: {player.name} is in the event already"
            faults.append(Fault("name-taken", message, field=f"line {player.line}", text=player.name))
    if faults:
        raise ExchangeError(*sorted(faults, key=lambda fault: int((fault.field or "line 0").removeprefix("line "))))
    return tuple(players)


def write_players(players: Sequence[PlayerRow], *, delimiter: str = ",", with_mark: bool = True) -> str:
    """Return players as CSV that `read_players` reads back; `with_mark` begins with a byte order mark, for Excel."""
    rows = [(player.id, player.name, player.club, "yes" if player.paid else "no", player.notes) for player in players]
    return write_rows(("id", "name", "club", "paid", "notes"), rows, delimiter=delimiter, with_mark=with_mark)


def write_results(results: Sequence[ResultRow], *, delimiter: str = ",", with_mark: bool = True) -> str:
    """Return results as CSV, in the order given. Who was never out has no hand, a prize of 0 is written as 0."""
    rows = [(row.place, row.name, row.club, row.stack, row.out_in_hand or "", row.prize) for row in results]
    header = ("place", "name", "club", "stack", "out in the table's hand", "prize")
    return write_rows(header, rows, delimiter=delimiter, with_mark=with_mark)


def write_summary(summary: Summary) -> str:
    """Return the event as an Open Tournament Summary 1.1.5, JSON in ASCII, to be kept in a file named `*.ots`.

    Fields and their order as at ts-specs.handhistory.org; those that the spec lets out where they say nothing
    (bounties, the hero; the end of an event that goes on) are left out. Poker trackers read it. `ExchangeError` if a
    place, a prize or a number of re-entries is impossible, a player is there twice, or the event ends before it starts.
    """
    faults = _summary_faults(summary)
    if faults:
        raise ExchangeError(*faults)

    def money(amount: int) -> int | float:
        return float(Decimal(amount).scaleb(-summary.decimals)) if summary.decimals else amount

    speed: dict[str, Any] = {"type": summary.speed}
    if summary.round_seconds is not None:
        speed["round_time"] = summary.round_seconds
    body: dict[str, Any] = {
        "spec_version": OTS_VERSION,
        "site_name": summary.site,
        "network_name": summary.network,
        "internal_version": summary.software,
        "tournament_number": summary.number,
        "tournament_name": summary.name,
        "start_date_utc": _utc(summary.start),
        **({"end_date_utc": _utc(summary.end)} if summary.end is not None else {}),
        "currency": summary.currency,
        "buyin_amount": money(summary.buy_in),
        "fee_amount": money(summary.fee),
        "initial_stack": summary.starting_stack,
        "type": "STT" if summary.tables == 1 else "MTT",
        "flags": ["Re-Entry"] if summary.may_reenter else [],
        "speed": speed,
        "prize_pool": money(summary.prize_pool),
        "player_count": len(summary.finishes),
        "tournament_finishes_and_winnings": [
            {
                "player_name": finish.player,
                "finish_position": finish.place,
                "still_playing": finish.is_playing,
                "prize": money(finish.prize),
                "ticket_value": money(0),
            }
            for finish in summary.finishes
        ],
    }
    if summary.may_reenter:
        body["rebuy_cost"] = money(summary.buy_in + summary.fee)
        body["tournament_rebuys"] = [
            {"player_name": finish.player, "rebuys": finish.reentries, "addons": 0}
            for finish in summary.finishes
            if finish.reentries
        ]
    return json.dumps({"ots": body}, indent=2) + "\n"


def _summary_faults(summary: Summary) -> list[Fault]:
    faults = []
    if summary.end is not None and summary.end < summary.start:
        faults.append(Fault("end-before-start", "the event ends before it starts", field="end", text=str(summary.end)))
    seen = set[str]()
    for number, finish in enumerate(summary.finishes):
        field = f"finishes[{number}]"
        if finish.player in seen:
            faults.append(Fault("name-twice", f"{finish.player} is there twice", field=field, text=finish.player))
        seen.add(finish.player)
        if finish.place < 1 or finish.prize < 0 or finish.reentries < 0:
            message = f"{finish.player}: place {finish.place}, prize {finish.prize}, re-entries {finish.reentries}"
            faults.append(Fault("finish-invalid", message, field=field, text=finish.player))
    return faults


def _utc(moment: Millis) -> str:
    return datetime.fromtimestamp(moment // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _records(text: str) -> list[tuple[int, list[str]]]:
    """Return each record that is not empty with the line it begins on."""
    text = text.removeprefix("\ufeff")
    skipped = 0
    first, _, rest = text.partition("\n")
    said = first.rstrip("\r").lower()
    if said in {f"sep={mark}" for mark in _DELIMITERS}:
        delimiter, text, skipped = said[-1], rest, 1
    else:
        filled = next((line for line in text.splitlines() if line.strip()), "")
        delimiter = max(_DELIMITERS, key=filled.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True)
    records = []
    line = skipped + 1
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                records.append((line, fields))
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        message = f"line {line}: the quotes are not closed or not where they belong ({error})"
        raise ExchangeError(Fault("line-unreadable", message, field=f"line {line}")) from error
    return records


def _column(field: str) -> str | None:
    word = _clean(field).casefold()
    return next((name for name, words in _COLUMNS.items() if word in words), None)


def _player(line: int, fields: list[str], header: Sequence[str | None], faults: list[Fault]) -> PlayerRow:
    """Return one line's player; what is wrong is added to `faults`."""

    def fault(code: str, message: str, text: str) -> None:
        faults.append(Fault(code, f"line {line}: {message}", field=f"line {line}", text=text[:MAX_TEXT]))

    if len(fields) > len(header):
        fault("fields-too-many", f"{len(fields)} fields for {len(header)} columns", fields[len(header)])
    values = dict.fromkeys(_COLUMNS, "")
    for column, field in zip(header, fields, strict=False):
        if column is None:
            continue
        values[column] = _clean(_unescaped(field))
        most = MAX_NAME if column == "name" else MAX_TEXT
        if len(values[column]) > most:
            fault("field-too-long", f"{column} is longer than {most} characters", field)
        if not values[column].isprintable():
            fault("character-unprintable", f"{column} has a character that cannot be printed", field)
    if not values["name"]:
        fault("name-missing", "there is no name", "")
    paid = values["paid"].casefold()
    if paid not in _YES | _NO:
        fault("paid-unknown", f"paid is yes or no, not {values['paid']}", values["paid"])
    return PlayerRow(values["name"], values["id"], values["club"], paid in _YES, values["notes"], line)


def _repeated(
    code: str, what: str, players: Sequence[PlayerRow], value_of: Callable[[PlayerRow], str]
) -> Iterator[Fault]:
    first = dict[str, int]()
    for player in players:
        value = value_of(player)
        key = value.casefold()
        if key and key in first:
            message = f"line {player.line}: {what} {value} is in line {first[key]} already"
            yield Fault(code, message, field=f"line {player.line}", text=value)
        first.setdefault(key, player.line)


def _clean(field: str) -> str:
    return " ".join(unicodedata.normalize("NFC", field).split())


def _escaped(value: object) -> str:
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.lstrip("' ").startswith(_FORMULAS) else text


def _unescaped(field: str) -> str:
    return field[1:] if field.startswith("'") and field.lstrip("' ").startswith(_FORMULAS) else field


def write_rows(
    header: Sequence[str], rows: Sequence[Sequence[object]], *, delimiter: str = ",", with_mark: bool = True
) -> str:
    """Return rows of any kind as CSV; `ExchangeError` if the delimiter is none."""
    if delimiter not in tuple(_DELIMITERS):
        message = "fields are separated by a comma, a semicolon or a tab"
        raise ExchangeError(Fault("delimiter-unknown", message, field="delimiter", text=delimiter))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([_escaped(value) for value in row] for row in (header, *rows))
    return ("\ufeff" if with_mark else "") + out.getvalue()
