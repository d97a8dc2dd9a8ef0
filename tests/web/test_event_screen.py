"""The big screen: who is out, what is won, and nothing that is over."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Observer, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn
from tests.web.scenes import SCREEN


def screen_of(event: Observer, open_browser: Opener) -> Page:
    page = open_browser(SCREEN).new_page()
    page.goto(event.page("/screen"))
    return page


def test_two_who_go_out_in_one_hand_are_both_told(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    page = screen_of(event, open_browser)
    event.points(1, 200, -100, -100)
    view = event.look()
    gone = [one["name"] for one in view["players"].values() if one["out"]]
    assert len(gone) == 2
    for name in gone:
        expect(page.get_by_test_id("ticker")).to_contain_text(name)


def test_prizes_that_do_not_fit_are_counted(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    page = screen_of(event, open_browser)
    prizes = page.get_by_test_id("big-prizes")
    expect(prizes.locator("li")).to_have_count(3)
    expect(prizes).not_to_contain_text("more")
    terms = {"fee": 100, "house_fee": 0, "added": 0, "guaranteed": 0, "unit": 5}
    event.do("prizes", **terms, percents=[30, 25, 20, 15, 6, 4])
    expect(prizes.locator("li")).to_have_count(4)
    expect(prizes.locator("li").last).to_have_text("and 3 more")
    expect(prizes.locator("li").last).to_be_in_viewport(ratio=1)


def test_a_finished_event_sends_nobody_to_a_table(server: Server, open_browser: Opener) -> None:
    event = opened_event(server, PLAYERS, STRUCTURE, drawn)
    page = screen_of(event, open_browser)
    event.points(3, -200, 200)
    event.do("plan-moves")
    expect(page.get_by_test_id("ticker")).to_contain_text("to table")
    event.do("finish")
    expect(page.get_by_test_id("winner")).to_be_visible()
    expect(page.get_by_test_id("ticker")).not_to_contain_text("to table")
