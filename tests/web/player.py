"""A person at a table as a program sees them: their own socket, and a mind that plays sensibly.

What it places follows from its own cards alone, so that with a seeded table a match goes the same way each time.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
from playwright.sync_api import BrowserContext

from ofc.board import ROWS, Board
from ofc.bots import Situation, house_setting
from ofc.bots.heuristic import HeuristicBot
from ofc.cards import DECK, Card
from ofc.rulesets import get_rules
from tests.servers import Server, Socket, open_table

View = dict[str, Any]
Placements = list[dict[str, str]]

COOKIE = "ofc_visitor"
_BOT = HeuristicBot()


def own(view: View) -> dict[str, Any]:
    seat: dict[str, Any] = view["seats"][view["you"]]
    return seat


def is_to_act(view: View) -> bool:
    return bool(view["phase"] == "placing" and view["you"] in view["turn"])


def is_in_fantasyland(view: View) -> bool:
    return bool(view["phase"] == "placing" and own(view)["fantasyland"] > 0)


def street_is(street: int) -> Callable[[View], bool]:
    """The viewer is to act on this street."""
    return lambda view: is_to_act(view) and view["street"] == street


def hand_is(hand: int) -> Callable[[View], bool]:
    """The viewer is to act for the first time in this hand."""
    return lambda view: is_to_act(view) and view["hand"] == hand and own(view)["placed"] == 0


def is_showdown(view: View) -> bool:
    return bool(view["phase"] == "showdown")


def is_over(view: View) -> bool:
    return bool(view["phase"] == "over")


def sensible_placements(view: View) -> Placements:
    """What the heuristic bot places when it looks at its own cards alone."""
    rules = get_rules(view["rules"]["id"])
    seat = own(view)
    cards = tuple(Card.parse(card) for card in view["cards"])
    if seat["fantasyland"]:
        placed = house_setting(cards, rules)
    else:
        board = Board(*(tuple(Card.parse(card) for card in seat["board"][row]) for row in ROWS))
        seen = {*cards, *board.cards, *(Card.parse(card) for card in seat["discards"])}
        situation = Situation(
            board=board,
            cards=cards,
            to_place=view["to_place"],
            street=view["street"],
            fantasyland=0,
            opponents=(),
            unseen=tuple(card for card in DECK if card not in seen),
        )
        placed = _BOT.choose(situation, rules, random.Random(1))
    return [{"card": str(card), "row": str(row)} for card, row in placed]


def arrangements(view: View) -> Iterator[Placements]:
    """Every way to place this street's cards."""
    board = own(view)["board"]
    free = {str(row): row.size - len(board[row]) for row in ROWS}
    for cards in itertools.permutations(view["cards"], view["to_place"]):
        for rows in itertools.product(free, repeat=len(cards)):
            if all(rows.count(row) <= places for row, places in free.items()):
                yield [{"card": card, "row": row} for card, row in zip(cards, rows, strict=True)]


class Player:
    """Somebody at a table. `view` is the newest that was waited for."""

    def __init__(
        self, server: Server, visitor: httpx.Client, table: str, socket: Socket, seed: int | None = None
    ) -> None:
        self.server = server
        self.visitor = visitor
        self.table = table
        self.seed = seed
        self.socket = socket
        self.view: View = {}
        self.seq = 0
        self._ids = (f"player-{number}" for number in itertools.count())
        self.wait(lambda view: True)

    @property
    def url(self) -> str:
        return f"{self.server.url}/table/{self.table}"

    def receive(self, *types: str) -> dict[str, Any]:
        """Return the next message of these types; every view on the way is taken in."""
        while True:
            message = self.socket.receive()
            if message["type"] == "view":
                self.view, self.seq = message["view"], message["seq"]
            if message["type"] in types:
                return message

    def wait(self, wanted: Callable[[View], bool]) -> View:
        """Wait until what may be seen is as wanted; the present view counts."""
        while not self.view or not wanted(self.view):
            self.receive("view")
        return self.view

    def wait_for_turn(self) -> View:
        """Wait until there is something for this player to do, or the match is over."""
        return self.wait(lambda view: is_to_act(view) or view["phase"] != "placing")

    def wait_for_own_move(self) -> View:
        """Wait until this player's cards lie, however they were placed."""
        before = own(self.view)["placed"]
        return self.wait(lambda view: own(view)["placed"] > before or view["phase"] != "placing")

    def send(self, kind: str, **content: Any) -> None:
        """Send a command, again if others moved meanwhile, and wait until its effect is seen."""
        while True:
            self.socket.send({"type": kind, "id": next(self._ids), "seq": self.seq, **content})
            answer = self.receive("done", "refused")
            if answer["type"] == "done":
                break
            assert [fault["code"] for fault in answer["errors"]] == ["stale"], answer
            self.receive("view")
        self.wait(lambda view: self.seq >= answer["seq"])

    def play_on(self) -> None:
        """Do what there is to do."""
        if is_to_act(self.view):
            self.send("place", placements=sensible_placements(self.view))
        else:
            assert is_showdown(self.view), self.view["phase"]
            self.send("next")

    def play_until(self, wanted: Callable[[View], bool]) -> View:
        """Play on until what may be seen is as wanted."""
        while not wanted(self.wait_for_turn()):
            self.play_on()
        return self.view

    def ask(self, placements: Placements, chosen: Sequence[str] = ()) -> dict[str, Any]:
        """What the server says of an arrangement."""
        self.socket.send({"type": "arrange", "id": next(self._ids), "placements": placements, "chosen": list(chosen)})
        outlook: dict[str, Any] = self.receive("outlook")["outlook"]
        return outlook

    def find_arrangement(self, wanted: Callable[[dict[str, Any]], bool]) -> Placements | None:
        """Return the first arrangement of which the server says what is wanted."""
        return next((placements for placements in arrangements(self.view) if wanted(self.ask(placements))), None)

    def lend_to(self, context: BrowserContext) -> None:
        """Make the browser this player."""
        secret = self.visitor.cookies[COOKIE]
        context.add_cookies([{"name": COOKIE, "value": secret, "url": self.server.url, "httpOnly": True}])


@contextmanager
def seated(server: Server, **wishes: Any) -> Iterator[Player]:
    """Somebody new opens a table and sits down."""
    with server.visitor() as visitor:
        table = open_table(visitor, **wishes)
        with server.socket(visitor, table) as socket:
            yield Player(server, visitor, table, socket, wishes.get("seed"))


@contextmanager
def beside(server: Server, context: BrowserContext, table: str) -> Iterator[Player]:
    """Look over the shoulder of the one who plays in this browser."""
    with server.visitor() as visitor:
        secret = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == COOKIE)
        visitor.cookies.set(COOKIE, secret)
        with server.socket(visitor, table) as socket:
            yield Player(server, visitor, table, socket)
