"""Every state of the page: axe finds nothing, nothing is cut off, in both themes, on phones and desktops."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.hands import Mouse
from tests.web.player import sensible_placements, street_is
from tests.web.scenes import DESKTOP, PHONE, SCENES, SMALL, Scene, opened, played_to
from tests.web.waiting import wait_until

SCENE = {scene.name: scene for scene in SCENES}
PLAYING = ["first-street", "choosing", "arranged", "at-risk", "foul-asked", "fantasyland", "two-seats", "four-seats"]


OF_COLOUR = ("color-contrast", "link-in-text-block")
"""The rules of axe that depend on the theme."""


def faults_of(page: Page, *, only: tuple[str, ...] = ()) -> list[str]:
    """What axe finds, in words; by some of its rules or by all."""
    # axe's own frame tests need nothing here; colours settle at once with reduced motion.
    options = {"resultTypes": ["violations"], **({"runOnly": list(only)} if only else {})}
    violations = Axe().run(page, options=options).response["violations"]
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]}"
        for violation in violations
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_axe_finds_nothing(server: Server, open_browser: Opener, scene: Scene) -> None:
    with opened(server, open_browser(DESKTOP), scene) as (page, _):
        found = {}
        for width, height in (DESKTOP, PHONE):
            page.set_viewport_size({"width": width, "height": height})
            wait_until(page, "width => innerWidth === width", width)
            for theme, rules in (("dark", ()), ("light", OF_COLOUR)):
                page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
                found[f"{theme}, {width} px"] = faults_of(page, only=rules)
        assert not any(found.values()), found


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


def expect_no_scrolling(page: Page) -> None:
    wait_until(page, "document.scrollingElement.scrollHeight <= innerHeight")
    wait_until(page, "document.scrollingElement.scrollWidth <= innerWidth")


def expect_uncovered(page: Page, selector: str) -> None:
    """Nothing lies over the left upper corners, where a card has its index, of what matches."""
    covered = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].filter((element) => {
            if (element.closest('.mini, .fan')) return false;
            const box = element.getBoundingClientRect();
            const top = document.elementFromPoint(box.left + box.width * 0.3, box.top + box.height * 0.4);
            return !(top && (element.contains(top) || top.contains(element)));
        }).map((element) => element.outerHTML.slice(0, 120))""",
        selector,
    )
    assert covered == []


def test_desktop_panels_hold_what_is_in_them(server: Server, open_browser: Opener) -> None:
    """At every width of a desktop the tray and the board stay within their panel, and nothing scrolls sideways."""
    with opened(server, open_browser(DESKTOP), SCENE["first-street"]) as (page, _):
        for width, height in ((1440, 900), (1280, 720), (1100, 800), (1024, 768), (820, 1180), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            wait_until(page, "document.scrollingElement.scrollWidth <= innerWidth")
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
        wait_until(page, "document.scrollingElement.scrollWidth <= innerWidth")
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
