"""An event run without a pointer: everything is reached by Tab, its focus is seen, and is never lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Observer, directing, lend, opened_event, sitting, stack_of
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn, held
from tests.web.hands import Keyboard
from tests.web.looks import expect_focus_seen
from tests.web.scenes import DESKTOP, PHONE


def has_focus(page: Page) -> bool:
    return bool(page.evaluate("document.activeElement !== document.body"))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("path", ["/direct", "/setup", "", "#standings"])
def test_every_stop_of_tab_is_seen(server: Server, open_browser: Opener, path: str, size: tuple[int, int]) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, None if path == "/setup" else held)
    page = open_browser(size).new_page()
    lend(event, page)
    page.goto(event.page(path))
    expect(page.locator("main").first).to_be_visible()
    expect_focus_seen(page, 60)


def test_a_director_needs_no_pointer(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    director = directing(event, open_browser(DESKTOP).new_page())
    keyboard = Keyboard(director.page)

    # The clock: the button keeps the focus.
    keyboard.press("pause-clock")
    expect(director.at("start-clock")).to_be_focused()
    keyboard.key("Enter")
    expect(director.at("pause-clock")).to_be_focused()

    # A result by its points.
    first, second, third = sitting(event.look(), 2)
    keyboard.press("open-table-2")
    expect(director.at("panel-table")).to_be_focused()
    keyboard.press("enter-result")
    expect(director.at("panel-result")).to_be_focused()
    for player, points in ((first, 12), (second, -4), (third, -8)):
        keyboard.reach(f"points-{player}")
        director.page.keyboard.type(str(points))
    keyboard.press("confirm-result")
    expect(director.at("panel-table")).to_be_visible()
    assert stack_of(event.look(), first) == 1120
    assert has_focus(director.page)

    # Taken back: the question gives the focus back to the panel.
    keyboard.press("undo-hand")
    keyboard.press("ask-go")
    expect(director.at("ask")).to_have_count(0)
    expect(director.at("panel-table")).to_be_focused()
    assert stack_of(event.look(), first) == 1000

    # Escape closes the panel, and one is back at its table.
    keyboard.key("Escape")
    expect(director.at("panel-table")).to_have_count(0)
    expect(director.at("open-table-2")).to_be_focused()

    # A move, and back by the message.
    keyboard.press("menu-players")
    keyboard.press(f"open-player-{first}")
    keyboard.press("to-move")
    keyboard.press("move-go")
    expect(director.at("toast")).to_contain_text("will move to table")
    assert [move["player"] for move in event.look()["moves"]] == [first]
    assert has_focus(director.page)
    keyboard.press("toast-undo")
    expect(director.at("toast")).to_contain_text("Undone")
    assert event.look()["moves"] == []
    assert has_focus(director.page)


def test_a_table_enters_its_hand_without_a_pointer(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    page = open_browser(DESKTOP).new_page()
    page.goto(event.address_of(2))
    keyboard = Keyboard(page)
    first, second, _ = sitting(event.look(), 2)
    keyboard.press("enter-result")
    expect(page.get_by_test_id("enter")).to_be_focused()
    page.keyboard.type("12")
    keyboard.key("ArrowDown")
    page.keyboard.type("4")
    if page.get_by_test_id(f"sign-{second}").inner_text() == "won":
        keyboard.key("-")
    keyboard.key("Enter")
    expect(page.get_by_test_id("confirm")).to_be_focused()
    keyboard.press("agree")
    expect(page.get_by_test_id("table-home")).to_be_focused()
    expect(page.get_by_test_id(f"stack-of-{first}")).to_have_text("1,120")
    _undo(keyboard, event, first)


def _undo(keyboard: Keyboard, event: Observer, player: int) -> None:
    keyboard.press("undo")
    keyboard.press("undo-go")
    expect(keyboard.page.get_by_test_id("undo-sheet")).to_have_count(0)
    assert stack_of(event.look(), player) == 1000
    expect(keyboard.page.get_by_test_id("table-home")).to_be_focused()
