"""Nobody is sent a card that they may not know (R-SEE-1, R-SEE-2).

Whole matches under every rule set go through the live table and the socket's own code, one connection a seat and a
spectator's, with random and hostile messages among the moves. In everything that each of them is sent, every card is
looked for, and compared with what the events alone say that this viewer knows.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket, WebSocketState

from ofc import table as tables
from ofc.board import Placement, Row
from ofc.cards import DECK, Card, parse_cards
from ofc.dealing import deal_order
from ofc.errors import Fault
from ofc.events import CardsDealt, CardsPlaced, HandSettled, HandStarted, TableEvent, TableOpened
from ofc.hand import Hand, placement_faults
from ofc.notation import format_record, record_of, seen_by
from ofc.scoring import Seat
from ofc.service import LiveTable, PastHand, TableRooms, past_hands
from ofc.table import Table
from ofc.view import view_for
from ofc.web import api, protocol
from ofc.web.socket import _TableConnection
from tests.live import get_table, open_request, open_rooms
from tests.playing import SIZES, random_placements

pytestmark = pytest.mark.unmeasured  # it plays much, and shows no line that smaller tests do not

MATCHES, MATCHES_LONG = 200, 2_000
KINDS = [
    ("ultimate@2026-09-22", (3,)),
    ("ultimate@2013-01-01", (3,)),
    ("pineapple", (2, 3)),
    ("tournament", (2, 3)),
    ("casual", (2, 3)),
    ("casual-progressive", (2, 3)),
    ("progressive", (2, 3)),
    ("classic", (2, 3, 4)),
]
CARD = re.compile(r"(?<![0-9A-Za-z])(?:10|[2-9TJQKA])[cdhs♣♦♥♠](?![0-9A-Za-z])", re.IGNORECASE)
BOARDS = {
    "Qs Qh 2c": ("As Ah 7c 7d 4s", "Ks Kh Kd 9c 9d"),
    "Qc Qd 3h": ("Ac Ad 6c 6d 5s", "Ts Th Td 8c 8d"),
}
"""Boards that earn Fantasyland: top, then middle and bottom."""


class LeakError(AssertionError):
    """Somebody was sent a card that they may not know."""


def cards_in(sent: str) -> set[Card]:
    """Return every card that a text names, in whatever form cards are written."""
    return {Card.parse(token) for token in CARD.findall(sent)}


def known_to(viewer: Seat | None, events: Iterable[TableEvent]) -> set[Card]:
    """Return the cards of the present hand that a viewer knows, from the events alone."""
    known: set[Card] = set()
    hidden: set[Card] = set()
    discards: set[Card] = set()
    fantasyland: dict[Seat, int] = {}
    reveals = False
    for event in events:
        match event:
            case TableOpened():
                reveals = event.rules.reveals_discards
            case HandStarted():
                known, hidden, discards = set(), set(), set()
                fantasyland = dict(zip(event.seats, event.fantasyland, strict=True))
            case CardsDealt() if event.seat == viewer:
                known |= set(event.cards)
            case CardsPlaced():
                cards = {placement.card for placement in event.placements}
                (hidden if fantasyland[event.seat] else known).update(cards)
                discards |= set(event.discards)
            case HandSettled():
                known |= hidden | (discards if reveals else set())
            case _:
                pass
    return known


def with_others(value: Any, change: dict[Card, Card]) -> Any:
    """Return an event with some cards exchanged for others."""
    match value:
        case Card():
            return change[value]
        case Placement():
            return Placement(change[value.card], value.row)
        case tuple():
            return tuple(with_others(item, change) for item in value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{f.name: with_others(getattr(value, f.name), change) for f in fields(value)})
        case _:
            return value


class Wire:
    """Takes down what a socket is sent."""

    application_state = WebSocketState.CONNECTED

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send_text(self, text: str) -> None:
        self.sent.append(text)


class Match:
    """One match at one table, with a connection for each seat and one for a spectator."""

    def __init__(self, rooms: TableRooms, live: LiveTable, generator: random.Random) -> None:
        self.rooms = rooms
        self.live = live
        self.generator = generator
        self.events: list[TableEvent] = []
        self.viewers: list[Seat | None] = [*(Seat(n) for n in range(len(live.table.seats))), None]
        self.numbers = 0
        live._deck = self.deck  # type: ignore[method-assign]  # some hands are to earn Fantasyland
        self.plan: dict[Card, Row] = {}

    async def answers(self, viewer: Seat | None, text: str | None) -> list[str]:
        """Return what the viewer's socket is sent after a message, or a view for None."""
        wire = Wire()
        visitor = f"visitor {viewer}"
        # Each seat in turn is the person's, so that all of them come through the same door.
        self.live.stored = replace(self.live.stored, visitor=visitor, seat=viewer or Seat(0))
        asking = visitor if viewer is not None else "nobody"
        connection = _TableConnection(cast("WebSocket", wire), self.live, asking)
        await (connection._send_view() if text is None else connection._answer(text))
        self.read()
        self.check(viewer, wire.sent, asked=text or "")
        return wire.sent

    def read(self) -> None:
        if len(self.events) < self.live.seq:
            self.events = [item.event for item in self.rooms.journal.read(self.live.stored.id)]

    def check(self, viewer: Seat | None, sent: Iterable[str], *, asked: str = "") -> None:
        known = known_to(viewer, self.events) | cards_in(asked)
        for text in sent:
            if not cards_in(text) <= known:
                raise LeakError(f"{viewer} was sent {cards_in(text) - known} in {text} after {asked}")

    def deck(self) -> tuple[Card, ...]:
        """Return a deck: any, or one in which two seats can earn Fantasyland by placing as `plan` says."""
        table = self.live.table
        rest = list(DECK)
        self.generator.shuffle(rest)
        seats = table.players
        if table.match_end is None or self.generator.random() < 0.3:
            return tuple(rest)
        stacks: dict[Seat, list[Card]] = {}
        for seat, (top, (middle, bottom)) in zip(seats, BOARDS.items(), strict=False):
            rows = ((Row.TOP, top), (Row.MIDDLE, middle), (Row.BOTTOM, bottom))
            planned = {card: row for row, text in rows for card in parse_cards(text)}
            self.plan |= planned
            stacks[seat] = list(planned)
        rest = [card for card in rest if card not in self.plan]
        deck: list[Card] = []
        for deal in deal_order(seats, tables._button_among(table, table.button), [0] * len(seats), table.rules.streets):
            placed = table.rules.streets[deal.street - 1].placed
            planned_now = [stacks[deal.seat].pop() for _ in range(placed if deal.seat in stacks else 0)]
            deck += planned_now + [rest.pop() for _ in range(deal.count - len(planned_now))]
        return tuple(deck + rest)

    def command(self, kind: str, **values: Any) -> str:
        self.numbers += 1
        return json.dumps({"type": kind, "id": str(self.numbers), "seq": self.live.seq, **values})

    def move(self, seat: Seat) -> str:
        view = json.loads(protocol.encode(protocol._fields(view_for(self.live.table, seat))))
        placements = [
            {"card": card, "row": str(self.plan[Card.parse(card)])}
            for card in view["cards"]
            if Card.parse(card) in self.plan
        ]
        rows = Counter(placement["row"] for placement in placements)
        board = view["seats"][seat]["board"]
        # A hostile move may have been a legal one, and taken a place.
        fits = all(len(board[row]) + count <= SIZES[row] for row, count in rows.items())
        if not fits or len(placements) != view["to_place"]:
            placements = random_placements(view, self.generator)
        return self.command("place", placements=placements)

    def hostile(self) -> str:
        """Return a message that is wrong, comes at the wrong time, or asks for what one may not know."""
        some = self.generator.sample(DECK, self.generator.randrange(1, 6))
        placements = [{"card": str(card), "row": self.generator.choice(["top", "middle", "bottom"])} for card in some]
        match self.generator.randrange(8):
            case 0:
                return self.command("place", placements=placements)
            case 1:
                return self.command("place", placements=placements, discards=[str(card) for card in some])
            case 2:
                return self.command("place", placements=[], seq=self.generator.randrange(self.live.seq + 3))
            case 3:
                return json.dumps({"type": "arrange", "id": "q", "placements": placements, "chosen": []})
            case 4:
                chosen = [str(card) for card in some[:2]]
                return json.dumps({"type": "arrange", "id": "q", "placements": [], "chosen": chosen})
            case 5:
                return self.command(self.generator.choice(["next", "rematch", "peek", "hello"]), seat=1, deck=True)
            case 6:
                return self.command("next")
            case _:
                return "{" * self.generator.randrange(3)

    async def tell_everyone(self, *, all_of_them: bool) -> None:
        """Send views: to all, or to two of the viewers, since there are many moments."""
        chosen = self.viewers if all_of_them else self.generator.sample(self.viewers, 2)
        for viewer in chosen:
            (sent,) = await self.answers(viewer, None)
            if self.generator.random() < 0.2:
                self.check_unmoved(viewer, sent)

    def check_unmoved(self, viewer: Seat | None, sent: str) -> None:
        """Check that other cards in the place of those that the viewer does not know would change nothing."""
        unknown = [card for card in DECK if card not in known_to(viewer, self.events)]
        others = self.generator.sample(unknown, len(unknown))
        change = {card: card for card in DECK} | dict(zip(unknown, others, strict=True))
        start = max(number for number, event in enumerate(self.events) if isinstance(event, HandStarted))
        changed = (*self.events[:start], *(with_others(event, change) for event in self.events[start:]))
        twin: Table = tables.replay(changed)
        seen = protocol.view_message(self.live.stored.id, twin, self.live.seq, viewer)
        if seen.decode() != sent:
            raise LeakError(f"cards that {viewer} does not know move what is sent: {sent} {seen.decode()}")

    async def play(self) -> None:
        """Play until the match is over, twice where it is cut short for one whose hands earn Fantasyland."""
        self.read()
        if self.generator.random() < 0.7:
            await self.answers(Seat(0), self.command("end"))
            await self.tell_everyone(all_of_them=True)
            await self.answers(Seat(0), self.command("rematch"))
        await self.tell_everyone(all_of_them=True)
        while self.live.table.match_end is None:
            if self.generator.random() < 0.3:
                await self.answers(self.generator.choice(self.viewers), self.hostile())
            hand = self.live.table.hand
            assert hand is not None
            if not self.live.table.is_playing:
                await self.tell_everyone(all_of_them=True)
                self.plan = {}
                await self.answers(Seat(0), self.command("next"))
                continue
            seat = self.generator.choice(hand.to_act)
            before = self.live.seq
            sent = await self.answers(seat, self.move(seat))
            assert [json.loads(text)["type"] for text in sent] == ["done"], sent
            assert self.live.seq > before
            await self.tell_everyone(all_of_them=not self.live.table.is_playing)
        for past in past_hands(self.events):
            self.check_past(past)

    def check_past(self, past: PastHand) -> None:
        """Look through what a finished hand is told as: its entry in the list, its frames, its history."""
        shown = past.shown
        end = next(number for number, event in enumerate(self.events) if event is shown.settled)
        for viewer in self.generator.sample(self.viewers, 2):
            known = known_to(viewer, self.events[: end + 1])
            frames = [protocol._fields(frame) for frame in past.frames(viewer)]
            history = format_record(seen_by(record_of(shown, table_id=self.live.stored.id), viewer))
            entry = protocol.encode(api._hand_summary(past, viewer)).decode()
            for sent in (protocol.encode(frames).decode(), history, entry):
                if not cards_in(sent) <= known:
                    raise LeakError(f"{viewer} was sent {cards_in(sent) - known} in {sent}")


async def play_matches(path: Path, matches: int, *, first: int = 0) -> int:
    """Play matches and return how many Fantasyland hands were in them."""
    found = 0
    async with open_rooms(path) as rooms:
        rooms.journal._writer.execute("PRAGMA synchronous = OFF")  # it is not the disk that is tried here
        rooms.is_closing = True  # no bot moves on its own: every seat is played from outside
        for number in range(first, first + matches):
            generator = random.Random(number)
            rules, counts = KINDS[number % len(KINDS)]
            money = {"stack": generator.choice([60, 2000]), "price": 10} if generator.random() < 0.5 else {}
            bots = ("random",) * (generator.choice(counts) - 1)
            wishes = open_request(rules, bots=bots, hands=generator.randrange(1, 3), **money)
            live = await get_table(rooms, await rooms.open(f"{number}", wishes))
            match = Match(rooms, live, generator)
            await match.play()
            found += sum(isinstance(event, HandStarted) and any(event.fantasyland) for event in match.events)
    return found


def test_nobody_is_sent_a_card_they_may_not_know(tmp_path: Path, is_long: bool) -> None:
    matches = MATCHES_LONG if is_long else MATCHES
    assert asyncio.run(play_matches(tmp_path / "ofc.sqlite", matches)) > matches / 3


def telling_faults(hand: Hand, *args: Any, **options: Any) -> list[Fault]:
    """Find faults as the engine does, and say in each which card lies under the deck."""
    last = str(hand.started.deck[-1])
    return [replace(fault, text=last) for fault in placement_faults(hand, *args, **options)]


LEAKS = {
    "Fantasyland boards are shown": ("ofc.view._sees_board", lambda *_args, **_kwargs: True),
    "a card of the deck is named in a refusal": ("ofc.hand.placement_faults", telling_faults),
    "the deck is counted into the street": ("ofc.view._street", lambda hand: hand and int(hand.started.deck[-1])),
    "everything is in the history": ("tests.properties.test_secrets.seen_by", lambda record, _viewer: record),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    monkeypatch.setattr(*LEAKS[leak])
    with pytest.raises(LeakError):
        asyncio.run(play_matches(tmp_path / "ofc.sqlite", 60))


def test_cards_are_found_however_they_are_written() -> None:
    text = '["Kh", "10d K♥ ac", "q7hx", "Task: Assess", {"7s": 1}]'
    assert cards_in(text) == set(parse_cards("Kh Td Ac 7s"))
