"""Every state of the page: axe finds nothing, nothing is cut off, in both themes, on phones and desktops."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.hands import Mouse
from tests.web.looks import (
    expect_axe_finds_nothing,
    expect_focus_seen,
    expect_no_scrolling,
    expect_no_sideways_scrolling,
    expect_nothing_cut,
    expect_uncovered,
    faults_of,
    resize,
)
from tests.web.player import sensible_placements, street_is
from tests.web.scenes import DESKTOP, PHONE, SCENES, SMALL, Scene, opened, played_to

SCENE = {scene.name: scene for scene in SCENES}
PLAYING = ["first-street", "choosing", "arranged", "at-risk", "foul-asked", "fantasyland", "two-seats", "four-seats"]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_axe_finds_nothing(server: Server, open_browser: Opener, scene: Scene) -> None:
    with opened(server, open_browser(DESKTOP), scene) as (page, _):
        expect_axe_finds_nothing(page, DESKTOP, PHONE)


def test_axe_would_find_something(server: Server, open_browser: Opener) -> None:
    with opened(server, open_browser(PHONE), SCENE["first-street"]) as (page, _):
        page.evaluate("document.querySelector('[data-testid=menu]').removeAttribute('aria-label')")
        assert [fault.partition(":")[0] for fault in faults_of(page)] == ["button-name"]


@pytest.mark.parametrize("name", PLAYING)
def test_nothing_scrolls_or_is_cut_off_while_playing_on_a_phone(
    server: Server, open_browser: Opener, name: str
) -> None:
    with opened(server, open_browser(PHONE), SCENE[name]) as (page, player):
        for width, height in (PHONE, SMALL):
            page.set_viewport_size({"width": width, "height": height})
            expect_no_scrolling(page)
            for seat in player.view["seats"]:
                expect(page.get_by_test_id(f"seat-{seat['seat']}")).to_be_in_viewport(ratio=1)
            expect_uncovered(page, "[data-testid^=seat-] .card, [data-testid^=seat-] .who b, [data-testid=confirm]")


@pytest.mark.parametrize("name", ["showdown", "chips-showdown", "over", "ended"])
def test_nothing_is_cut_in_a_showdown(server: Server, open_browser: Opener, name: str) -> None:
    with opened(server, open_browser(DESKTOP), SCENE[name]) as (page, _):
        for size in (DESKTOP, PHONE, SMALL, (1024, 768)):
            resize(page, size)
            expect_no_sideways_scrolling(page)
            expect_nothing_cut(page)


def test_a_match_that_ended_before_any_hand_says_so(server: Server, open_browser: Opener) -> None:
    with opened(server, open_browser(PHONE), SCENE["ended"]) as (page, _):
        expect(page.get_by_role("heading", level=1)).to_have_text("Ultimate, match over")
        expect(page.get_by_test_id("match-over")).to_contain_text("Ended before a hand was finished.")
        expect(page.get_by_test_id("match-over")).not_to_contain_text("1st")


def test_desktop_panels_hold_what_is_in_them(server: Server, open_browser: Opener) -> None:
    """At every width of a desktop the tray and the board stay within their panel, and nothing scrolls sideways."""
    with opened(server, open_browser(DESKTOP), SCENE["first-street"]) as (page, _):
        for width, height in ((1440, 900), (1280, 720), (1100, 800), (1024, 768), (820, 1180), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            expect_no_sideways_scrolling(page)
            spilled = page.evaluate(
                """() => [...document.querySelectorAll('.own .card, .own .slot, .own button')].filter((element) => {
                    const box = element.getBoundingClientRect();
                    const panel = element.closest('.tray, .own').getBoundingClientRect();
                    return box.left < panel.left - 1 || box.right > panel.right + 1 || box.bottom > panel.bottom + 1;
                }).map((element) => element.outerHTML.slice(0, 120))"""
            )
            assert spilled == [], (width, height)


@pytest.mark.parametrize("name", ["choosing", "fantasyland", "showdown", "lobby", "replay"])
def test_zoom_of_200_percent_loses_nothing(server: Server, open_browser: Opener, name: str) -> None:
    """A desktop at 200 % is half as wide and high: it may scroll down, but not sideways, and all can be reached."""
    with opened(server, open_browser(DESKTOP), SCENE[name]) as (page, _):
        page.set_viewport_size({"width": DESKTOP[0] // 2, "height": DESKTOP[1] // 2})
        expect_no_sideways_scrolling(page)
        for button in page.locator("main button:visible, main a:visible").all():
            button.scroll_into_view_if_needed()
            expect(button).to_be_in_viewport()


@pytest.mark.parametrize("name", ["arranged", "foul-asked", "fantasyland"])
def test_forced_colours_keep_faces_and_play(server: Server, open_browser: Opener, name: str) -> None:
    with opened(server, open_browser(DESKTOP, forced_colors="active"), SCENE[name]) as (page, _):
        face = page.locator(".card:not(.back, .ghost)").first
        assert face.evaluate("card => getComputedStyle(card).forcedColorAdjust") == "none"
        assert face.evaluate("card => getComputedStyle(card).backgroundImage") != "none"
        page.get_by_test_id("confirm").focus()
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


@pytest.mark.parametrize(
    "name", ["choosing", "arranged", "fantasyland-ready", "showdown", "over", "lobby", "options", "replay", "menu"]
)
def test_every_stop_of_tab_is_seen(server: Server, open_browser: Opener, name: str) -> None:
    with opened(server, open_browser(DESKTOP), SCENE[name]) as (page, _):
        for size in (DESKTOP, PHONE):
            resize(page, size)
            expect_focus_seen(page, 40)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_motion_is_as_asked_for(server: Server, open_browser: Opener, motion: str) -> None:
    scene = Scene("motion", played_to(street_is(2)))
    with opened(server, open_browser(PHONE, reduced_motion=motion), scene) as (page, player):
        moving = "() => document.getAnimations().some((one) => one.effect.getComputedTiming().activeDuration > 1)"
        card = page.get_by_test_id(f"card-{player.view['cards'][0]}")
        duration = card.evaluate("card => getComputedStyle(card).animationDuration")
        assert (duration in ("0s", "0ms")) == (motion == "reduce")
        Mouse(page).place(player.view, sensible_placements(player.view))
        if motion == "reduce":
            assert not page.evaluate(moving)
