"""PDFs that a director prints: table cards with QR codes, the seat list, slips, score sheets, results.

They are made beside the event loop: a state is taken once, for another may be there the next moment.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

import msgspec
import segno
import typst

from ofc.errors import counted
from ofc.service.live_tournament import LiveTournament
from ofc.tournament.event_view import event_view
from ofc.tournament.events import SeatAt, Stage
from ofc.tournament.standings import standings
from ofc.tournament.state import PlayerState, TableState, Tournament
from ofc.tournament.view import moves_view

_TEMPLATE: Final = (files("ofc.web") / "print" / "event.typ").read_bytes()


def seat_list_pdf(live: LiveTournament, _base_url: str, _only: int | None) -> bytes:
    """Return the list for the door: everyone who sits, in order of names, with table and seat."""
    items = [
        {"name": player.name, "club": player.club, "table": player.at.table, "seat": player.at.seat + 1}
        for player in _by_name(live.state)
        if player.at is not None
    ]
    return _pdf(live, "list", items)


def seats_pdf(live: LiveTournament, _base_url: str, only: int | None) -> bytes:
    """Return a slip for everyone who sits, four on a page, in order of names; overnight it goes into the bag.

    `only` is the number of the one player whose slip is wanted.
    """
    return _pdf(live, "slips", _seat_slips(live, only))


def _seat_slips(live: LiveTournament, only: int | None) -> list[dict[str, object]]:
    state = live.state
    price, _ = state.price_on_clock(live.now())
    is_night = state.settings.stage is Stage.BAGGED
    begins = f"Play goes on at {price:,} a point." if is_night else f"The price is {price:,} a point."
    return [
        _slip(
            state,
            player,
            player.at,
            title="Your seat",
            words=f"You have {player.stack:,} chips. {begins} Scan the card on the table.",
        )
        for player in _by_name(state)
        if player.at is not None and only in (None, player.id)
    ]


def slips_pdf(live: LiveTournament, _base_url: str, only: int | None) -> bytes:
    """Return a slip for everyone who is to move, four on a page; where nobody is, those of the present seats.

    `only` is the number of the one player whose slip is wanted.
    """
    state = live.state
    items = []
    for move in moves_view(state):
        if only not in (None, move.player):
            continue
        player = state.players[move.player]
        title = "Move after Fantasyland" if move.waits_for else "Move after this hand"
        wait = f" Wait until table {move.waits_for} is done with Fantasyland." if move.waits_for else ""
        words = f"{move.reason}.{wait} Take your {player.stack:,} chips with you."
        items.append(_slip(state, player, move.to, title=title, words=words))
    return _pdf(live, "slips", items or _seat_slips(live, only))


def cards_pdf(live: LiveTournament, base_url: str, only: int | None) -> bytes:
    """Return a card for each table, or for the one of this number, with the address of its page as a QR code."""
    items = [
        {"table": table.number, "code": table.code, "url": f"{base_url}/t/{table.code}", "qr": _qr(base_url, table)}
        for table in live.state.open_tables
        if only in (None, table.number)
    ]
    return _pdf(live, "cards", items)


def sheets_pdf(live: LiveTournament, _base_url: str, only: int | None) -> bytes:
    """Return a score sheet for each table, or for the one of this number, beginning with the hand being played."""
    state = live.state
    items = [
        {"table": table.number, "first": table.hand, "around": _around(state, table)}
        for table in state.open_tables
        if only in (None, table.number)
    ]
    return _pdf(live, "sheets", items)


def results_pdf(live: LiveTournament, _base_url: str, _only: int | None) -> bytes:
    """Return the standings with prizes."""
    state = live.state
    items = [
        {
            "place": one.place,
            "name": one.name,
            "club": state.players[one.player].club,
            "stack": f"{one.stack:,}" if one.stack else "",
            "prize": f"{one.prize:,}" if one.prize else "",
        }
        for one in standings(state)
    ]
    return _pdf(live, "results", items)


def _slip(state: Tournament, player: PlayerState, to: SeatAt, *, title: str, words: str) -> dict[str, object]:
    around = _around(state, state.table(to.table))
    return {
        "title": title,
        "name": player.name,
        "table": to.table,
        "seat": to.seat + 1,
        "around": around,
        "words": words,
    }


def _by_name(state: Tournament) -> list[PlayerState]:
    """Return those who play by name, accents and case apart: a list is looked through by its first letters."""

    def letters(player: PlayerState) -> tuple[str, str]:
        parts = unicodedata.normalize("NFD", player.name.casefold())
        return "".join(part for part in parts if not unicodedata.combining(part)), player.name

    return sorted(state.alive, key=letters)


def _around(state: Tournament, table: TableState) -> list[str | None]:
    """Return the name in each seat, None for an empty one."""
    return [state.players[player].name if player is not None else None for player in table.seats]


def _qr(base_url: str, table: TableState) -> str:
    drawing = io.BytesIO()
    segno.make(f"{base_url}/t/{table.code}", error="m").save(drawing, kind="svg", border=4)
    return drawing.getvalue().decode()


def _pdf(live: LiveTournament, part: str, items: Sequence[object]) -> bytes:
    event = event_view(live.state, live.now())
    entries = counted(event.entries, "entry", "entries")
    summary = f"{entries}, {event.players_left:,} left, {counted(event.chips, 'chip')}"
    content = {"name": event.name, "summary": summary, "part": part, "items": items}
    pdf: bytes = typst.compile(_TEMPLATE, sys_inputs={"event": msgspec.json.encode(content).decode()})
    return pdf
