"""States of a tournament's pages: what the tests of looks and the pictures of the guide show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from tests.servers import Server
from tests.web.director import Observer, lend, opened_event, opened_league
from tests.web.scenes import DESKTOP, PHONE, SCREEN

PLAYERS = ["Ana Ruiz", "Ben Cole", "Chloé Martin", "Dario Conti", "Elif Kaya", "Finn Berg", "Grace Obi", "Hugo Lind"]
LONG_NAMES = [
    "Wolfeschlegelsteinhausenbergerdorff",
    "Bartholomew Featherstonehaugh-Cholmondel",
    "Anastasia Konstantinopolskaya-Romanova",
    "Maximilian von und zu Hohenlohe-Langenbu",
    "Nguyen Thi Phuong Thao Minh Chau Ngoc Li",
    "Llanfairpwllgwyngyllgogerychwyrndrobwll",
    "María de los Ángeles Fernández-Castrillo",
    "Hubert Blaine Wolfeschlegelsteinhausen",
]
LONG_TITLE = "The Thirty-Seventh International Pineapple Open of Trondheim"
STRUCTURE: dict[str, Any] = {
    "starting_stack": 1000,
    "steps": [
        {"kind": "level", "price": 10, "minutes": 20, "hands": None},
        {"kind": "level", "price": 20, "minutes": 20, "hands": None},
        {"kind": "break", "minutes": 10},
        {"kind": "level", "price": 40, "minutes": 20, "hands": None},
        {"kind": "level", "price": 60, "minutes": 20, "hands": None},
    ],
    "late_until": 2,
    "reentries": 0,
}


MILLIONS: dict[str, Any] = {
    **STRUCTURE,
    "starting_stack": 1_250_000,
    "steps": [
        {**step, **({"price": 1000 * step["price"]} if step["kind"] == "level" else {})} for step in STRUCTURE["steps"]
    ],
}
"""Stacks of seven digits, prices of five."""


def drawn(event: Observer) -> None:
    """Seats and prizes are there, the clock runs."""
    event.do("prizes", fee=20, house_fee=0, added=0, guaranteed=0, unit=5, percents=[50, 30, 20])
    event.do("draw")
    event.do("start-clock")


def held(event: Observer) -> None:
    """Table 1 keeps 10 for Fantasyland while the clock is at 20."""
    drawn(event)
    first = event.look()["tables"]["1"]["seats"][0]
    event.points(1, 12, -4, -8, earned={first: 14})
    event.points(2, -6, 10, -4)
    event.do("jump", step=1)


def to_move(event: Observer) -> None:
    """Two players are out, and a table may be broken."""
    held(event)
    for table in (2, 3):
        event.points(table, *([0] * len([one for one in event.look()["tables"][str(table)]["seats"] if one])))
    event.points(2, 99, -99, 0)
    event.points(3, 99, -99)


def finished(event: Observer) -> None:
    to_move(event)
    event.do("finish")


def short(event: Observer) -> None:
    """A hand at two tables, and the event is over."""
    drawn(event)
    event.points(1, 12, -4, -8)
    event.points(2, -6, 10, -4)
    event.do("finish")


@dataclass(frozen=True, slots=True)
class EventScene:
    """A state of a page: what happened, which address (a table's number for its phone), and what to tap then.

    `then` happens while the page is open, before the taps.
    """

    name: str
    prepare: Callable[[Observer], None] | None
    address: str | int
    taps: tuple[str, ...] = ()
    shows: str = "main"
    then: Callable[[Observer], object] | None = None
    is_long: bool = False
    """Long names, and large numbers."""

    @property
    def is_table(self) -> bool:
        return isinstance(self.address, int)


def bagged(event: Observer) -> None:
    held(event)
    event.do("bag")


def on_break(event: Observer) -> None:
    held(event)
    event.do("jump", step=2)


def to_break(event: Observer) -> None:
    """Six are left at three tables, one alone at table 3."""
    drawn(event)
    event.points(3, -200, 200)
    event.points(2, 200, -200, 0)


def near_the_prizes(event: Observer) -> None:
    """Hand for hand; table 2 has played its hand and waits."""
    held(event)
    event.do("hand-for-hand", on=True)
    event.points(2, 0, 0, 0)


def wide(
    name: str, address: str | int, *taps: str, shows: str = "main", prepare: Callable[[Observer], None] = held
) -> EventScene:
    return EventScene(f"long-{name}", prepare, address, taps, shows, is_long=True)


def at_table(name: str, *taps: str, table: int = 2, shows: str) -> EventScene:
    return EventScene(name, held, table, taps, shows)


EVENT_SCENES = (
    EventScene("set-up", None, "/setup", shows="[data-testid=levels]"),
    EventScene("set-up-prizes", None, "/setup", ("edit-prizes",), "[data-testid=prizes-dialog]"),
    EventScene("set-up-paste", None, "/setup", ("many",), "[data-testid=many-dialog]"),
    EventScene("set-up-print", None, "/setup", ("setup-print",), "[data-testid=print-dialog]"),
    EventScene("set-up-step", None, "/setup", ("step-more-0",), "[data-testid=step-dialog]"),
    EventScene("set-up-templates", None, "/setup", ("templates",), "[data-testid=templates-dialog] li"),
    EventScene("draw-asked", None, "/setup", ("draw",), "[data-testid=ask]"),
    EventScene("floor", to_move, "/direct", shows="[data-testid=open-table-1]"),
    EventScene("floor-table", held, "/direct", ("open-table-1",), "[data-testid=panel-table]"),
    EventScene("floor-result", held, "/direct", ("open-table-2", "enter-result"), "[data-testid=panel-result]"),
    EventScene("floor-undo", held, "/direct", ("open-table-2", "undo-hand"), "[data-testid=ask]"),
    EventScene("floor-share", held, "/direct", ("menu-share",), "[data-testid=link-director]"),
    EventScene("floor-print", held, "/direct", ("menu-print",), "[data-testid=panel-print]"),
    EventScene("floor-log", held, "/direct", ("show-log",), "[data-testid=log-search]"),
    EventScene("floor-players", held, "/direct", ("menu-players",), "[data-testid=panel-players]"),
    EventScene("floor-player", held, "/direct", ("menu-players", "open-player-1"), "[data-testid=panel-player]"),
    EventScene("floor-move", drawn, "/direct", ("menu-players", "open-player-1", "to-move"), "[data-testid=move-go]"),
    EventScene("floor-late", held, "/direct", ("menu-add",), "[data-testid=panel-add]"),
    EventScene("floor-levels", held, "/direct", ("menu-steps",), "[data-testid=panel-steps]"),
    EventScene("floor-prizes", held, "/direct", ("menu-prizes",), "[data-testid=panel-prizes]"),
    EventScene("floor-finished", finished, "/direct", shows="[data-testid=finished]"),
    EventScene("screen", held, "/screen", shows="[data-testid=big-price]"),
    EventScene("screen-finished", finished, "/screen", shows="[data-testid=winner]"),
    EventScene("players", held, "", shows="[data-testid=find]"),
    EventScene("standings", held, "#standings", shows="[data-testid=standings]"),
    EventScene("structure", held, "#structure", shows="[data-testid=structure]"),
    EventScene("floor-bagged", bagged, "/direct", shows="[data-testid=bagged]"),
    EventScene("floor-deal", to_break, "/direct", ("menu-deal",), "[data-testid=deal]"),
    EventScene("floor-waits", near_the_prizes, "/direct", shows="[data-testid=hand-for-hand]"),
    EventScene("screen-break", on_break, "/screen", shows="[data-testid=ticker]"),
    EventScene("players-bagged", bagged, "", shows="[data-testid=find]"),
    EventScene("events", None, "events", shows="[data-testid=import-event]"),
    EventScene("table-bagged", bagged, 2, shows="[data-testid=stage]"),
    EventScene("table-waits", near_the_prizes, 2, shows="[data-testid=waits]"),
    EventScene(
        "table-closed", to_break, 3, shows="[data-testid=table-waiting] h2", then=lambda event: event.do("plan-moves")
    ),
    EventScene(
        "table-over", to_break, 2, shows="[data-testid=table-waiting] h2", then=lambda event: event.do("finish")
    ),
    at_table("table", shows="[data-testid=enter-result]"),
    at_table("table-held", table=1, shows="[data-testid=clock-price]"),
    at_table("table-points", "enter-result", shows="[data-testid=show-chips]"),
    at_table("table-calculator", "enter-result", "use-calculator", shows="[data-testid=card-keys]"),
    at_table("table-fantasyland", "fantasyland", shows="[data-testid=fantasyland-sheet]"),
    at_table("table-done", "fantasyland-done", table=1, shows="[data-testid=done-sheet]"),
    at_table("table-undo", "undo", shows="[data-testid=undo-sheet]"),
    at_table("table-menu", "menu", shows="[data-testid=table-menu]"),
    EventScene("league", None, "league", shows="[data-testid=league-standings]"),
    EventScene("league-events", None, "league", ("league-events",), "[data-testid=league-dialog]"),
    EventScene("league-rule", None, "league", ("league-rule",), "[data-testid=league-numbers]"),
    EventScene("league-log", None, "league", ("league-log",), "[data-testid=log]"),
    EventScene("calculator", None, "calculator", shows="[data-testid=card-keys]"),
    EventScene("calculator-setup", None, "calculator", ("setup",), "[data-testid=calc-rules]"),
)


LONG_SCENES = (
    wide("set-up", "/setup", shows="[data-testid=levels]"),
    wide("floor", "/direct", prepare=to_move),
    wide("floor-table", "/direct", "open-table-1", shows="[data-testid=panel-table]"),
    wide("floor-result", "/direct", "open-table-2", "enter-result", shows="[data-testid=panel-result]"),
    wide("floor-undo", "/direct", "open-table-2", "undo-hand", shows="[data-testid=ask]"),
    wide("screen", "/screen", shows="[data-testid=big-price]"),
    wide("screen-finished", "/screen", shows="[data-testid=winner]", prepare=finished),
    wide("players", "", shows="[data-testid=find]"),
    wide("standings", "#standings", shows="[data-testid=standings]"),
    wide("structure", "#structure", shows="[data-testid=structure]"),
    wide("table", 2, shows="[data-testid=enter-result]"),
    wide("table-held", 1, shows="[data-testid=clock-price]"),
    wide("table-points", 2, "enter-result", shows="[data-testid=show-chips]"),
    wide("table-undo", 2, "undo", shows="[data-testid=undo-sheet]"),
)


def sizes_of(scene: EventScene) -> tuple[tuple[int, int], ...]:
    """Return the sizes that a page is used at."""
    if scene.is_table:
        return (PHONE,)
    return (SCREEN,) if scene.address == "/screen" else (DESKTOP, PHONE)


def _tap(page: Page, hook: str) -> None:
    """Tap what is at hand on a laptop; on a phone it may be behind a tab, or be the tab."""
    there = page.get_by_test_id(hook).locator("visible=true").first
    tab = {"menu": "go-clock", "show": "go-log"}.get(hook.partition("-")[0])
    if tab and hook != "menu":
        behind = page.get_by_test_id(tab).locator("visible=true")
        expect(there.or_(behind).first).to_be_visible()
        if behind.count():
            behind.click()
        if tab == "go-log" and not there.count():
            return
    there.click()


@contextmanager
def opened_scene(server: Server, context: BrowserContext, scene: EventScene) -> Iterator[Page]:
    """Bring the scene about, and open its page in this browser."""
    if scene.is_long:
        event = opened_event(server, LONG_NAMES, MILLIONS, scene.prepare, name=LONG_TITLE)
    else:
        event = opened_event(server, PLAYERS, STRUCTURE, scene.prepare)
    page = context.new_page()
    if scene.address in ("calculator", "events"):
        page.goto(f"{server.url}/{scene.address}")
    elif scene.address == "league":
        season = [PLAYERS, [*reversed(PLAYERS)], [*PLAYERS[1:6], "Ines Haddad"]]
        events = [
            opened_event(server, names, STRUCTURE, short, name=f"Pineapple, round {number}")
            for number, names in enumerate(season, start=1)
        ]
        events.append(opened_event(server, PLAYERS, STRUCTURE, held, name="Pineapple, the final"))
        lend(events[0], page)
        page.goto(f"{server.url}/l/{opened_league(server, events, best=2)}")
    elif isinstance(scene.address, int):
        page.goto(event.address_of(scene.address))
    else:
        lend(event, page)
        page.goto(event.page(scene.address))
    if scene.then:
        scene.then(event)
    for tap in scene.taps:
        _tap(page, tap)
    expect(page.locator(scene.shows).locator("visible=true").first).to_be_visible()
    yield page
    page.close()
