"""How a person moves cards: with a mouse, with a finger, or with keys alone."""

from __future__ import annotations

import time
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

from ofc.board import ROWS
from tests.web.player import Placements, View, is_in_fantasyland

STEPS = 6
ROW_KEYS = {"top": "q", "middle": "a", "bottom": "z"}


class Hands(Protocol):
    """What moves the cards."""

    page: Page

    def press(self, testid: str) -> None:
        """Use a button of the page."""

    def put(self, card: str, row: str) -> None:
        """Put one card of the tray into a row."""

    def place(self, view: View, placements: Placements) -> None:
        """Put every card where it shall go, without confirming."""

    def confirm(self) -> None:
        """Confirm the arrangement."""

    def next_hand(self) -> None:
        """Deal on after the showdown."""


def expect_placed(page: Page, card: str, row: str) -> None:
    expect(page.get_by_test_id(f"row-{row}").get_by_test_id(f"placed-{card}")).to_be_visible()


class Mouse:
    """Clicks a card and then a row; every other card is dragged."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.drags = 0

    def press(self, testid: str) -> None:
        self.page.get_by_test_id(testid).click()

    def put(self, card: str, row: str) -> None:
        self.page.get_by_test_id(f"card-{card}").click()
        self.page.get_by_test_id(f"place-{row}").click()
        expect_placed(self.page, card, row)

    def drag(self, card: str, row: str) -> None:
        held = self.page.get_by_test_id(f"card-{card}")
        held.hover()
        self.page.mouse.down()
        self.page.mouse.move(*middle(self.page.get_by_test_id(f"row-{row}")), steps=5)
        self.page.mouse.up()
        expect_placed(self.page, card, row)
        self.drags += 1

    def place(self, view: View, placements: Placements) -> None:
        if is_in_fantasyland(view):
            for row in ROWS:
                cards = [placed["card"] for placed in placements if placed["row"] == row]
                if not cards:
                    continue
                for card in cards:
                    self.page.get_by_test_id(f"card-{card}").click()
                expect(self.page.get_by_test_id("chosen")).to_contain_text(f"{len(cards)} chosen")
                self.page.get_by_test_id(f"place-{row}").click()
                expect_placed(self.page, cards[-1], row)
            return
        for number, placed in enumerate(placements):
            (self.drag if number % 2 else self.put)(placed["card"], placed["row"])

    def confirm(self) -> None:
        self.press("confirm")

    def next_hand(self) -> None:
        self.press("next")


class Touch:
    """Taps a card and then a row; every other card is dragged with the finger."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.drags = 0
        self._cdp = page.context.new_cdp_session(page)

    def press(self, testid: str) -> None:
        self.page.get_by_test_id(testid).tap()

    def put(self, card: str, row: str) -> None:
        self.page.get_by_test_id(f"card-{card}").tap()
        self.page.get_by_test_id(f"place-{row}").tap()
        expect_placed(self.page, card, row)

    def drag(self, card: str, row: str) -> None:
        held = self.page.get_by_test_id(f"card-{card}")
        held.scroll_into_view_if_needed()
        start, end = near_left_edge(held), middle(self.page.get_by_test_id(f"row-{row}"))
        path = [tuple(a + (b - a) * step / STEPS for a, b in zip(start, end, strict=True)) for step in range(STEPS + 1)]
        # The finger stays where it is before it lets go: a fling would take the next tap for its end.
        began = time.time() - 1
        for number, point in enumerate([*path, path[-1], path[-1]]):
            self._touch("touchMove" if number else "touchStart", began + number / 20, point)
        self._touch("touchEnd", time.time())
        expect_placed(self.page, card, row)
        self.drags += 1

    def _touch(self, kind: str, at: float, *points: tuple[float, ...]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches, "timestamp": at})

    def place(self, view: View, placements: Placements) -> None:
        for number, placed in enumerate(placements):
            (self.drag if number % 2 else self.put)(placed["card"], placed["row"])

    def confirm(self) -> None:
        self.press("confirm")

    def next_hand(self) -> None:
        self.press("next")


class Keyboard:
    """Uses no pointer at all."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._numbers: list[str] = []

    def key(self, name: str) -> None:
        self.page.keyboard.press(name)

    def reach(self, testid: str) -> None:
        """Tab until it has the focus."""
        for _ in range(80):
            if self.focused() == testid:
                return
            self.key("Tab")
        raise AssertionError(f"{testid} cannot be reached with Tab")

    def focused(self) -> str | None:
        found: str | None = self.page.evaluate("document.activeElement?.dataset?.testid ?? null")
        return found

    def press(self, testid: str) -> None:
        self.reach(testid)
        self.key("Enter")

    def put(self, card: str, row: str) -> None:
        # A card that was placed keeps its number.
        self.key(str(self._numbers.index(card) + 1))
        expect(self.page.get_by_test_id(f"card-{card}")).to_have_attribute("aria-pressed", "true")
        self.key(ROW_KEYS[row])
        expect_placed(self.page, card, row)

    def place(self, view: View, placements: Placements) -> None:
        self._numbers = list(view["cards"])
        if is_in_fantasyland(view):
            self._place_fantasyland(placements)
            return
        for placed in placements:
            self.put(placed["card"], placed["row"])

    def _place_fantasyland(self, placements: Placements) -> None:
        for row in ROWS:
            cards = [placed["card"] for placed in placements if placed["row"] == row]
            for card in cards:
                self._walk_to(f"card-{card}")
                self.key("Space")
                expect(self.page.get_by_test_id(f"card-{card}")).to_have_attribute("aria-pressed", "true")
            self.key(ROW_KEYS[row])
            expect_placed(self.page, cards[-1], row)

    def _walk_to(self, testid: str) -> None:
        for _ in range(20):
            if self.focused() == testid:
                return
            self.key("ArrowRight")
        raise AssertionError(f"{testid} cannot be reached with the arrows")

    def confirm(self) -> None:
        self.key("Enter")

    def next_hand(self) -> None:
        self.key("Enter")


def middle(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def near_left_edge(element: Locator) -> tuple[float, float]:
    """Where a card that others overlap can be touched."""
    box = element.bounding_box()
    assert box
    return box["x"] + 12, box["y"] + box["height"] / 2
