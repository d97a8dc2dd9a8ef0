"""The set-up of an event: what to expect of a structure while it is typed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Director, lend, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn
from tests.web.scenes import DESKTOP

LENGTH = re.compile(r"(\d+) h (\d\d)")


def test_a_structure_is_forecast_as_it_is_typed(server: Server, open_browser: Opener) -> None:
    """No button is pressed: higher prices end sooner, and what is shown is never about other prices unmarked."""
    event = opened_event(server, PLAYERS, STRUCTURE)
    page = open_browser(DESKTOP).new_page()
    lend(event, page)
    page.goto(event.page("/setup"))
    director = Director(page)
    expected = director.at("expected")
    expect(director.at("step-0").locator("td").nth(4)).to_have_text("–")

    def type_prices(*prices: int) -> int:
        """Return how many minutes are then expected."""
        with page.expect_response("**/api/events/forecast") as answered:
            for step, price in zip((0, 1, 3, 4), prices, strict=True):
                director.at(f"price-{step}").fill(str(price))
                director.at(f"price-{step}").press("Tab")
        minutes: int = answered.value.json()["expected_minutes"]
        expect(expected).to_contain_text("likely")
        found = LENGTH.search(expected.inner_text())
        assert found
        assert int(found[1]) * 60 + int(found[2]) == minutes
        return minutes

    slow = type_prices(5, 5, 10, 10)
    expect(director.at("step-0").locator("td").nth(4)).to_have_text("8")
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)  # for as long as it takes to look

    page.route("**/api/events/forecast", hold)
    director.at("price-0").fill("200")
    director.at("price-0").press("Tab")
    expect(expected).to_contain_text("before the prices were changed")
    while not asked:
        page.wait_for_timeout(50)
    asked[0].continue_()
    expect(expected).to_contain_text("likely")
    page.unroute("**/api/events/forecast")
    assert type_prices(100, 200, 400, 800) < slow
    expect(page.get_by_text("All saved")).to_be_visible()
    steps = event.look()["event"]["structure"]["steps"]
    assert [step["price"] for step in steps if step["kind"] == "level"] == [100, 200, 400, 800]


@pytest.mark.parametrize("typed", ["", "0", "-5", "abc", "1e9", "12.5", "1,00"])
def test_a_price_that_is_none_is_said_at_its_field_and_nothing_opens(
    server: Server, open_browser: Opener, typed: str
) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE)
    page = open_browser(DESKTOP).new_page()
    lend(event, page)
    page.goto(event.page("/setup"))
    director = Director(page)
    price = director.at("price-1")
    border = "element => getComputedStyle(element).borderTopColor"
    valid = price.evaluate(border)
    price.fill(typed)
    price.press("Tab")
    expect(director.at("price-1-wrong")).to_contain_text(f"“{typed}”" if typed not in ("", "0") else "1 or more")
    page.mouse.move(0, 0)
    expect(price).to_have_attribute("aria-invalid", "true")
    assert price.evaluate(border) != valid
    assert price.evaluate(border) == director.at("price-1-wrong").evaluate("element => getComputedStyle(element).color")
    expect(page.get_by_text("All saved")).to_have_count(0)
    expect(director.at("draw")).to_be_disabled()
    expect(director.at("stops")).to_have_text("First put right the price of level 2.")
    price.fill("1,250")
    expect(director.at("price-1-wrong")).to_have_count(0)
    price.press("Tab")
    expect(page.get_by_text("All saved")).to_be_visible()
    expect(director.at("draw")).to_be_enabled()
    assert event.look()["event"]["structure"]["steps"][1]["price"] == 1250


def test_a_structure_that_runs_is_not_changed_with_a_price_missing(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    page = open_browser(DESKTOP).new_page()
    lend(event, page)
    page.goto(event.page("/setup"))
    director = Director(page)
    for step, typed in ((3, "50"), (4, "")):
        director.at(f"price-{step}").fill(typed)
        director.at(f"price-{step}").press("Tab")
    expect(director.at("save-settings")).to_be_disabled()
    expect(director.at("stops")).to_have_text("First put right the price of level 4.")
    director.tap("discard-settings")
    expect(director.at("price-4")).to_have_value("60")
    expect(director.at("price-3")).to_have_value("40")
    expect(director.at("save-settings")).to_have_count(0)
    expect(page.get_by_text("All saved")).to_be_visible()


def test_nobody_leaves_typed_changes_unasked(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    page = open_browser(DESKTOP).new_page()
    lend(event, page)
    page.goto(event.page("/setup"))
    director = Director(page)
    director.at("price-3").fill("50")
    director.at("price-3").press("Tab")
    director.tap("to-floor")
    director.tap("leave-stay")
    expect(director.at("leave-dialog")).to_have_count(0)
    expect(director.at("price-3")).to_have_value("50")
    director.tap("to-floor")
    director.tap("leave-go")
    page.wait_for_url("**/direct")
    page.goto(event.page("/setup"))
    director.tap("to-floor")  # nothing is typed: nothing is asked
    page.wait_for_url("**/direct")
