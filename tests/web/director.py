"""People who run a tournament through its pages: a director, a table's phone, and somebody who looks on."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
from playwright.sync_api import Locator, Page, expect
from websockets.sync.client import ClientConnection, connect

from tests.servers import DEADLINE_S, Server
from tests.web.player import COOKIE

EventView = dict[str, Any]
Points = Mapping[int, int]
TOPS = {14: "queens", 15: "kings", 16: "aces", 17: "trips"}


def sitting(view: EventView, table: int) -> list[int]:
    """Return who sits at a table, in the order of the seats."""
    return [player for player in view["tables"][str(table)]["seats"] if player is not None]


def stack_of(view: EventView, player: int) -> int:
    stack: int = view["players"][str(player)]["stack"]
    return stack


def knock_out(view: EventView, table: int) -> dict[int, int]:
    """Return points by which the largest stack of a table takes all of the smallest."""
    here = sorted(sitting(view, table), key=lambda player: stack_of(view, player))
    return {**dict.fromkeys(here, 0), here[0]: -999, here[-1]: 999}


class Hands:
    """What the pages have in common."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def at(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def tap(self, testid: str) -> None:
        self.at(testid).click()


class Director(Hands):
    """The director at a laptop."""

    def open_event(self, url: str, name: str) -> str:
        """Open an event, and return its id."""
        self.page.goto(f"{url}/events")
        self.tap("new-event")
        self.at("event-title").fill(name)
        self.at("director-name").fill("Kari")
        self.tap("open-event")
        self.page.wait_for_url("**/setup")
        found = re.search(r"/event/([^/]+)/setup", self.page.url)
        assert found
        return found[1]

    def register(self, names: Sequence[str]) -> None:
        """Add the first by the field, the rest from a table; all have paid."""
        first, *others = names
        self.at("add-name").fill(first)
        self.tap("add-go")
        expect(self.at("registered")).to_contain_text("1 player")
        self.at("registrations").get_by_role("button", name=f"{first} has paid").click()
        self.tap("many")
        self.at("many-text").fill("\n".join(["name,paid", *(f"{name},yes" for name in others)]))
        self.tap("many-go")
        expect(self.at("registered")).to_contain_text(f"{len(names)} players, {len(names)} paid")

    def set_prizes(self, *, fee: int, percents: str) -> None:
        self.tap("edit-prizes")
        self.at("prize-fee").fill(str(fee))
        self.at("prize-template").select_option("")
        self.at("prize-percents").fill(percents)
        self.tap("prize-set")
        expect(self.at("prizes-dialog")).to_have_count(0)

    def draw(self) -> None:
        self.tap("draw")
        self.tap("ask-go")
        self.page.wait_for_url("**/direct")

    def address_of(self, table: int) -> str:
        """Return the address of a table's page, as its QR card has it."""
        self.tap(f"open-table-{table}")
        address = self.at("table-link").get_attribute("href")
        assert address
        self.tap("panel-close")
        return address

    def go_to_step(self, step: int) -> None:
        self.tap("menu-steps")
        self.tap(f"jump-{step}")
        self.tap("ask-go")
        expect(self.at("ask")).to_have_count(0)
        self.tap("panel-close")

    def undo_hand(self, table: int) -> None:
        self.tap(f"open-table-{table}")
        self.tap("undo-hand")
        self.tap("ask-go")
        expect(self.at("ask")).to_have_count(0)
        self.tap("panel-close")

    def accept_all(self) -> None:
        self.tap("accept-all")
        expect(self.at("proposed")).to_have_count(0)

    def take_in(self, content: bytes) -> None:
        """Choose a file as an event exported elsewhere."""
        file: Any = {"name": "event.jsonl", "mimeType": "application/x-ndjson", "buffer": content}
        self.at("import-event").set_input_files(file)

    def finish(self) -> None:
        self.tap("finish")
        self.tap("ask-go")
        expect(self.at("finished")).to_be_visible()


class TablePhone(Hands):
    """The phone that lies on a table."""

    def __init__(self, page: Page, address: str) -> None:
        super().__init__(page)
        page.goto(address)
        expect(self.at("table-home")).to_be_visible()

    @property
    def price(self) -> Locator:
        return self.at("table-home").get_by_test_id("price").locator("b")

    def expect_button(self, seat: int) -> None:
        expect(self.at(f"seat-{seat}")).to_contain_text("the button")

    def type_points(self, points: Points) -> None:
        """Type everybody's points but the last one's, which follow; who has just sat down plays too."""
        for player in points:
            newcomer = self.at(f"newcomer-{player}")
            if newcomer.count() and newcomer.get_attribute("aria-pressed") == "false":
                newcomer.click()
        for player, number in list(points.items())[:-1]:
            self.tap(f"points-{player}")
            for digit in str(abs(number)):
                self.tap(f"digit-{digit}")
            sign = self.at(f"sign-{player}")
            if number and (sign.inner_text() == "lost") != (number < 0):
                sign.click()

    def choose_earned(self, earned: Points) -> None:
        for player, cards in earned.items():
            self.tap(f"earned-{player}")
            self.tap(f"top-{player}-{TOPS[cards]}")
        self.tap("earned-go")

    def ask_about(self, points: Points, earned: Points | None = None) -> None:
        """Enter a hand up to the question whether it is right."""
        in_fantasyland = "Fantasyland" in self.at("enter-result").inner_text()
        self.tap("enter-result")
        self.type_points(points)
        self.tap("show-chips")
        if in_fantasyland:
            self.choose_earned(earned or {})
        expect(self.at("confirm")).to_be_visible()
        if earned and not in_fantasyland:
            self.tap("who-earned")
            self.choose_earned(earned)

    def agree(self) -> None:
        self.tap("agree")
        expect(self.at("table-home").or_(self.at("table-waiting"))).to_be_visible()

    def enter(self, points: Points, earned: Points | None = None) -> None:
        self.ask_about(points, earned)
        self.agree()

    def enter_boards(self, boards: Sequence[str]) -> None:
        """Enter a hand by the calculator's keys: each board from top to bottom, by seat."""
        self.tap("enter-result")
        self.tap("use-calculator")
        for player, board in enumerate(boards):
            self.tap(f"tab-{player}")
            for card in board.replace("/", " ").split():
                self.tap(f"key-{card}")
        self.tap("show-result")
        self.tap("use-result")
        self.agree()


class Observer:
    """A program beside the pages: it directs where no page is looked at, and sees what is true."""

    def __init__(self, server: Server, event: str, secret: str | None = None) -> None:
        self.server = server
        self.event = event
        self.secret = secret
        self._ids = (f"observer-{number}" for number in itertools.count())

    @contextmanager
    def _connected(self) -> Iterator[tuple[ClientConnection, EventView]]:
        headers = {"Cookie": f"{COOKIE}={self.secret}"} if self.secret else {}
        address = f"ws://127.0.0.1:{self.server.port}/api/events/{self.event}/socket"
        with connect(address, additional_headers=headers, proxy=None, open_timeout=DEADLINE_S) as connection:
            hello = {"type": "hello", "version": 1, "as": "director" if self.secret else "viewer"}
            connection.send(json.dumps(hello))
            yield connection, json.loads(connection.recv(DEADLINE_S))

    def look(self) -> EventView:
        """Return everything, as it is now."""
        with self._connected() as (_, view):
            return view

    def do(self, command: str, /, **fields: Any) -> EventView:
        """Do something as a director, and return how things were before."""
        with self._connected() as (connection, view):
            own = next(self._ids)
            message = {"type": "do", "id": own, "seq": view["seq"], "command": {"do": command, **fields}}
            connection.send(json.dumps(message))
            while (answer := json.loads(connection.recv(DEADLINE_S))).get("id") != own:
                pass
            assert answer["type"] == "done", answer
            return view

    def points(self, table: int, *points: int, earned: Points | None = None) -> None:
        """Enter a hand: points by seat, and who earned how many cards."""
        view = self.look()
        by_player = {str(player): number for player, number in zip(sitting(view, table), points, strict=True)}
        cards = {str(player): number for player, number in (earned or {}).items()}
        hand = view["tables"][str(table)]["hand"]
        self.do("enter-points", table=table, hand=hand, points=by_player, fantasyland=cards)

    def address_of(self, table: int) -> str:
        return f"{self.server.url}/t/{self.look()['tables'][str(table)]['code']}"

    def page(self, path: str = "") -> str:
        return f"{self.server.url}/event/{self.event}{path}"


def opened_event(
    server: Server,
    names: Sequence[str],
    structure: Mapping[str, Any],
    act: Callable[[Observer], None] | None = None,
    *,
    name: str = "Thursday Pineapple",
) -> Observer:
    """Open an event without pages: players registered; `act` goes on from there."""
    with server.visitor() as visitor:
        wishes = {"name": name, "rules": "tournament", "seats": 3, "absent_points": 3}
        answer: httpx.Response = visitor.post(
            "/api/events", json={**wishes, "structure": dict(structure), "director": "Kari"}
        )
        assert answer.status_code == 201, answer.text
        observer = Observer(server, answer.json()["event"], visitor.cookies[COOKIE])
    observer.do("register", players=[{"name": name, "club": "", "paid": True} for name in names])
    if act:
        act(observer)
    return observer


def opened_league(server: Server, events: Sequence[Observer], **rule: Any) -> str:
    """Open a league of these events without pages; the first event's director directs it and all of them."""
    with server.visitor() as visitor:
        keys = [
            visitor.get(f"/api/events/{one.event}/key", headers={"cookie": f"{COOKIE}={one.secret}"}).json()["key"]
            for one in events
        ]
        visitor.cookies.set(COOKIE, str(events[0].secret))
        league: str = visitor.post("/api/leagues", json={"name": "Spring league", "director": "Kari"} | rule).json()[
            "league"
        ]
        for seq, (one, key) in enumerate(zip(events, keys, strict=True), start=1):
            visitor.post(f"/api/events/{one.event}/directors", json={"key": key, "name": "Kari"})
            command = {"do": "add-event", "event": one.event}
            answer = visitor.post(f"/api/leagues/{league}", json={"id": str(seq), "seq": seq, "command": command})
            assert answer.status_code == 200, answer.text
    return league


def lend(observer: Observer, page: Page) -> None:
    """Make the browser that of the event's director."""
    assert observer.secret
    cookie: Any = {"name": COOKIE, "value": observer.secret, "url": observer.server.url, "httpOnly": True}
    page.context.add_cookies([cookie])


def directing(observer: Observer, page: Page) -> Director:
    """Open the floor as the event's director."""
    lend(observer, page)
    page.goto(observer.page("/direct"))
    return Director(page)
