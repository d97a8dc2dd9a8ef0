"""A break: dashed is what is not yet, and nothing is announced as a new level."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import TablePhone, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn, held, on_break
from tests.web.scenes import PHONE, SCREEN

BREAK, THIRD = 2, 3
"""Steps of the clock."""


def classes(plate: Locator) -> set[str]:
    """What a plate is shown as, once everything that follows from the view has been drawn."""
    plate.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return set((plate.get_attribute("class") or "").split())


def test_a_table_between_hands_shows_the_price_after_the_break(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, held)
    phone = TablePhone(open_browser(PHONE).new_page(), event.address_of(2))
    plate = phone.at("table-home").get_by_test_id("price")
    event.do("jump", step=BREAK)
    expect(phone.at("clock")).to_contain_text("left of the break")
    event.points(2, 0, 0, 0)
    expect(plate).to_have_text(re.compile(r"Price per point\s*40\s*after the break"))
    assert "unsure" in classes(plate)
    event.do("jump", step=THIRD)
    expect(plate).to_have_text(re.compile(r"Price per point\s*40\s*level 3"))
    assert "unsure" not in classes(plate)


def test_a_table_in_fantasyland_keeps_its_plate_in_a_break(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, on_break)
    phone = TablePhone(open_browser(PHONE).new_page(), event.address_of(1))
    plate = phone.at("table-home").get_by_test_id("price")
    expect(plate).to_contain_text("This table keeps")
    assert "unsure" not in classes(plate)


def test_the_big_screen_fills_the_plate_for_a_level_not_for_a_break(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    page = open_browser(SCREEN).new_page()
    page.goto(event.page("/screen"))
    plate = page.get_by_test_id("big-price")
    expect(plate).to_contain_text("10")
    event.do("jump", step=BREAK)
    expect(plate).to_contain_text("40")
    assert classes(plate) & {"unsure", "fresh"} == {"unsure"}
    event.do("jump", step=THIRD)
    expect(plate).to_have_class(re.compile("fresh"))
    event.do("jump", step=BREAK)
    expect(plate).to_have_class(re.compile("unsure"))
    assert "fresh" not in classes(plate)
