"""What a director prints or takes away: players and results as CSV, results as OTS, and all that is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import quote

from starlette.responses import Response

from ofc.clock import Millis
from ofc.service.live_tournament import LiveTournament
from ofc.tournament.events import Action, Stage, StageReached
from ofc.tournament.exchange import (
    PlayerRow,
    ResultRow,
    Summary,
    SummaryFinish,
    write_players,
    write_results,
    write_summary,
)
from ofc.tournament.history import Log
from ofc.tournament.prizes import Fees, Money, make_pool
from ofc.tournament.standings import standings
from ofc.tournament.structure import Level
from ofc.web import event_prints

_SECONDS_A_MINUTE: Final = 60
_NO_FEES: Final = Fees(Money(0))


@dataclass(frozen=True, slots=True)
class File:
    """How a file is made: from the event and the address that players' phones reach the server by.

    `one` says what it can be had of alone, `table` or `player`: then it is made from that one's number too.
    """

    media_type: str
    make: Callable[[LiveTournament, str, int | None], bytes]
    one: Literal["table", "player"] | None = None


def file_response(content: bytes, name: str, media_type: str) -> Response:
    """Answer with a file to be kept under this name."""
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    headers = {"cache-control": "no-store", "content-disposition": disposition}
    return Response(content, 200, headers, media_type)


def make_file(name: str, live: LiveTournament, base_url: str, only: int | None) -> Response:
    """Make one of `FILES`, of `only` one table or player where that is not None."""
    file = FILES[name]
    return file_response(file.make(live, base_url, only), f"{live.state.settings.name} {name}", file.media_type)


def _players_csv(live: LiveTournament, _base_url: str, _only: int | None) -> bytes:
    listed = [
        PlayerRow(player.name, str(player.id), player.club, player.paid)
        for _, player in sorted(live.state.players.items())
        if not player.withdrawn
    ]
    return write_players(listed).encode()


def _results_csv(live: LiveTournament, _base_url: str, _only: int | None) -> bytes:
    state = live.state
    players = state.players
    rows = [
        ResultRow(
            place=one.place,
            name=one.name,
            club=players[one.player].club,
            stack=one.stack,
            out_in_hand=out.hand if (out := players[one.player].out) is not None else 0,
            prize=one.prize or Money(0),
        )
        for one in standings(state)
    ]
    return write_results(rows).encode()


def _results_ots(live: LiveTournament, _base_url: str, _only: int | None) -> bytes:
    state = live.state
    fees = state.prizes.fees if state.prizes is not None else _NO_FEES
    first = state.structure.levels[0]
    start = next(_moments(live.log, Stage.RUNNING), live.log.entries[0].at)
    summary = Summary(
        number=live.stored.id,
        name=state.settings.name,
        start=start,
        end=max(start, *_moments(live.log, Stage.FINISHED)) if state.settings.stage is Stage.FINISHED else None,
        buy_in=fees.entry,
        fee=fees.house,
        starting_stack=state.structure.starting_stack,
        prize_pool=make_pool(fees, entries=state.entries).total,
        finishes=tuple(
            SummaryFinish(
                one.name,
                one.place,
                one.prize or Money(0),
                max(0, state.players[one.player].entries - 1),
                is_playing=state.settings.stage is not Stage.FINISHED and state.players[one.player].at is not None,
            )
            for one in standings(state)
        ),
        tables=max(1, len(state.tables)),
        round_seconds=_round_seconds(first),
        may_reenter=state.structure.reentries > 0,
    )
    return write_summary(summary).encode()


def _round_seconds(level: Level) -> int | None:
    return level.minutes * _SECONDS_A_MINUTE if level.minutes is not None else None


def _moments(log: Log, stage: Stage) -> Iterator[Millis]:
    """Tell when a stage was reached, as far as that counts."""
    for entry in list(log.entries):
        if isinstance(entry, Action) and StageReached(stage) in entry.events and entry.seq not in log.undone:
            yield entry.at


FILES: Final[Mapping[str, File]] = {
    "players.csv": File("text/csv; charset=utf-8", _players_csv),
    "results.csv": File("text/csv; charset=utf-8", _results_csv),
    "results.ots.json": File("application/json", _results_ots),
    "results.pdf": File("application/pdf", event_prints.results_pdf),
    "seat-list.pdf": File("application/pdf", event_prints.seat_list_pdf),
    "seats.pdf": File("application/pdf", event_prints.seats_pdf, "player"),
    "slips.pdf": File("application/pdf", event_prints.slips_pdf, "player"),
    "sheets.pdf": File("application/pdf", event_prints.sheets_pdf, "table"),
    "cards.pdf": File("application/pdf", event_prints.cards_pdf, "table"),
}
"""Every file there is, by its name."""
