"""A league through its pages: opened, events added from both sides, standings that follow, undone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.director import Hands, lend, opened_event
from tests.web.event_scenes import PLAYERS, STRUCTURE, drawn, short
from tests.web.looks import expect_no_sideways_scrolling, faults_of, resize
from tests.web.scenes import DESKTOP, PHONE, SMALL


def expect_to_fit(page: Page) -> None:
    for size in (PHONE, SMALL, DESKTOP):
        resize(page, size)
        expect_no_sideways_scrolling(page)


def test_a_season_is_run_from_the_pages(server: Server, open_browser: Opener) -> None:
    over = opened_event(server, PLAYERS, STRUCTURE, short, name="First night")
    running = opened_event(server, PLAYERS[:4], STRUCTURE, drawn, name="Second night")
    page = open_browser(DESKTOP, refused=400).new_page()
    lend(over, page)
    director = Hands(page)

    page.goto(f"{server.url}/events")
    director.tap("new-league")
    director.at("league-name").fill("Spring league")
    director.at("league-director").fill("Kari")
    director.at("league-formula").select_option("places")
    director.at("league-numbers").fill("3, 10")
    director.tap("league-save")
    expect(director.at("league-problem")).to_contain_text("a worse place brings no more points")
    director.at("league-numbers").fill("10, 6, 4 / 1")
    director.at("league-best").fill("2")
    director.tap("league-save")
    page.wait_for_url(re.compile("/l/[A-Z0-9]{6}$"))
    address = page.url
    expect(director.at("league-words")).to_contain_text("By place 10, 6, 4; all others 1; the best 2 results count.")

    # From the league: one's own event in two taps, another director's by its link.
    director.tap("league-events")
    director.tap(f"add-{over.event}")
    expect(director.at(f"remove-{over.event}")).to_be_visible()
    with server.visitor() as other:
        key = other.get(f"/api/events/{running.event}/key", headers={"cookie": f"ofc_visitor={running.secret}"}).json()[
            "key"
        ]
    director.at("league-link").fill(running.page())
    director.tap("league-add-link")
    expect(director.at("league-refusal")).to_contain_text("That is not a director link.")
    director.at("league-link").fill(f"{running.page('/direct')}#key={key}")
    director.tap("league-add-link")
    expect(director.at(f"remove-{running.event}")).to_be_visible()
    page.keyboard.press("Escape")
    rows = director.at("league-row")
    expect(rows).to_have_count(8)
    expect(rows.first).to_contain_text("10")
    expect(rows.first).to_contain_text("1")
    expect(page.get_by_text("≈").first).to_be_visible()

    # A stranger looks on, and sees the second night count when it is over.
    looker = open_browser(PHONE).new_page()
    looker.goto(address)
    first = Hands(looker).at("league-event-list").locator("li").nth(1)
    expect(first).to_contain_text("Running")
    assert Hands(looker).at("league-log").count() == 0
    expect_to_fit(looker)
    running.do("finish")
    expect(first).not_to_contain_text("Running")
    expect(Hands(looker).at("league-words")).to_contain_text("2 events played")
    assert faults_of(looker) == []

    # Taken back, and from the event's own page in three taps.
    director.tap("league-log")
    page.get_by_role("button", name="Undo: First night was added.").click()
    expect(page.get_by_role("button", name="Redo: First night was added.")).to_be_visible()
    page.keyboard.press("Escape")
    page.goto(over.page("/direct"))
    director.tap("menu-league")
    page.get_by_role("button", name="Add this event to Spring league").click()
    expect(page.get_by_text("Added")).to_be_visible()
    assert faults_of(page) == []


def test_a_league_link_makes_directors(server: Server, open_browser: Opener) -> None:
    page = open_browser(PHONE, refused=403).new_page()
    with server.visitor() as kari:
        opened = kari.post("/api/leagues", json={"name": "Spring league", "director": "Kari"}).json()
    hands = Hands(page)
    page.goto(f"{server.url}/l/{opened['league']}#key=wrong")
    hands.at("join-name").fill("Ola")
    hands.tap("join-go")
    expect(hands.at("join-problem")).to_contain_text("not the key")
    page.goto("about:blank")
    page.goto(f"{server.url}/l/{opened['league'].lower()}#key={opened['key']}")
    hands.at("join-name").fill("Ola")
    hands.tap("join-go")
    hands.tap("league-rule")
    hands.at("league-name").fill("Autumn league")
    hands.tap("league-save")
    expect(page.get_by_role("heading", name="Autumn league")).to_be_visible()
    hands.tap("league-share")
    expect(hands.at("link-league-director")).to_have_value(f"{server.url}/l/{opened['league']}#key={opened['key']}")
    assert faults_of(page) == []
