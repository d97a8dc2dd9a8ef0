"""The pages of a tournament: axe finds nothing, in both themes, at the sizes that they are used at."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.event_scenes import EVENT_SCENES, LONG_SCENES, EventScene, opened_scene, sizes_of
from tests.web.looks import (
    expect_axe_finds_nothing,
    expect_no_scrolling,
    expect_no_sideways_scrolling,
    expect_nothing_cut,
    resize,
)
from tests.web.scenes import SMALL
from tests.web.test_event import QUEENS_ON_TOP, WITHOUT_FANTASYLAND

THIRD = "Ts 9h 2h / Js Jd 4h 5h 8s / Qs Qh 7c 7h Kh"
"""A board beside those of the whole event, without a card of theirs."""


@pytest.mark.parametrize("scene", EVENT_SCENES, ids=lambda scene: scene.name)
def test_axe_finds_nothing(server: Server, open_browser: Opener, scene: EventScene) -> None:
    first, *others = sizes_of(scene)
    # A closed table's code is asked for once more, in vain.
    with opened_scene(server, open_browser(first, refused=404 if scene.then else None), scene) as page:
        expect_axe_finds_nothing(page, first, *others)


@pytest.mark.parametrize("scene", LONG_SCENES, ids=lambda scene: scene.name)
def test_long_names_and_large_numbers_fit(server: Server, open_browser: Opener, scene: EventScene) -> None:
    sizes = (*sizes_of(scene), (1024, 768), SMALL) if scene.address != "/screen" else sizes_of(scene)
    with opened_scene(server, open_browser(sizes[0]), scene) as page:
        for size in sizes:
            resize(page, size)
            expect_no_sideways_scrolling(page)
            expect_nothing_cut(page, but=".who")  # on the big screen, a first name of 39 letters


@pytest.mark.parametrize("name", ["calculator", "table-calculator"])
def test_the_calculator_fits_a_small_phone_with_keys_large_enough(
    server: Server, open_browser: Opener, name: str
) -> None:
    scene = next(scene for scene in EVENT_SCENES if scene.name == name)
    with opened_scene(server, open_browser(SMALL), scene) as page:
        expect_no_scrolling(page)
        for player, board in enumerate((QUEENS_ON_TOP, WITHOUT_FANTASYLAND, THIRD)):
            page.get_by_test_id(f"tab-{player}").click()
            for card in board.replace("/", " ").split():
                page.get_by_test_id(f"key-{card}").click()
        expect(page.get_by_test_id("show-result")).to_be_in_viewport(ratio=1)
        expect_no_scrolling(page)
        sizes = page.evaluate(
            "[...document.querySelectorAll('[data-testid^=key-]')].map(key => key.getBoundingClientRect().toJSON())"
        )
        assert len(sizes) == 52
        assert min(size["height"] for size in sizes) >= 44
