"""Makes the pictures of the director's guide from tournaments at a real server.

`python -m tests.web.event_pictures` writes docs/pictures/event-*.png, or those that are named. With `--all FOLDER` it
writes every state of the pages of a tournament, in both themes, to look through.
"""

from __future__ import annotations

from tests.web import shooting
from tests.web.event_scenes import EVENT_SCENES, LONG_SCENES, opened_scene, sizes_of
from tests.web.scenes import DESKTOP, PHONE, SCREEN

PICTURES = {
    "event-set-up": ("set-up", DESKTOP, "light"),
    "event-floor": ("floor", DESKTOP, "dark"),
    "event-floor-phone": ("floor", PHONE, "dark"),
    "event-deal": ("floor-deal", DESKTOP, "dark"),
    "event-undo": ("floor-undo", DESKTOP, "dark"),
    "event-screen": ("screen", SCREEN, "dark"),
    "event-table-phone": ("table", PHONE, "dark"),
    "event-points-phone": ("table-points", PHONE, "dark"),
    "event-held-phone": ("table-held", PHONE, "dark"),
    "event-players-phone": ("standings", PHONE, "light"),
    "event-league": ("league", DESKTOP, "light"),
}


if __name__ == "__main__":
    shooting.run(
        __doc__,
        pictures=PICTURES,
        scenes=[*EVENT_SCENES, *LONG_SCENES],
        sizes=sizes_of,
        opened=opened_scene,
    )
