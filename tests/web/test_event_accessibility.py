"""The pages of a tournament: axe finds nothing, in both themes, at the sizes that they are used at."""

from __future__ import annotations

import pytest

from tests.servers import Server
from tests.web.conftest import Opener
from tests.web.event_pictures import sizes_of
from tests.web.event_scenes import EVENT_SCENES, EventScene, opened_scene
from tests.web.test_accessibility import OF_COLOUR, faults_of
from tests.web.waiting import wait_until


@pytest.mark.parametrize("scene", EVENT_SCENES, ids=lambda scene: scene.name)
def test_axe_finds_nothing(server: Server, open_browser: Opener, scene: EventScene) -> None:
    first, *others = sizes_of(scene)
    # A closed table's code is asked for once more, in vain.
    with opened_scene(server, open_browser(first, refused=404 if scene.then else None), scene) as page:
        found = {}
        for width, height in (first, *others):
            page.set_viewport_size({"width": width, "height": height})
            wait_until(page, "width => innerWidth === width", width)
            for theme, rules in (("dark", ()), ("light", OF_COLOUR)):
                page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
                found[f"{theme}, {width} px"] = faults_of(page, only=rules)
        assert not any(found.values()), found
