"""Makes the pictures of the documentation from seeded tables at a real server.

`python -m tests.web.pictures` writes docs/pictures, or those of it that are named. With `--all FOLDER` it writes
every state of the page, in both themes, on a desktop and two phones, to look through.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Page

from tests.servers import Server
from tests.web import shooting
from tests.web.scenes import DESKTOP, PHONE, SCENES, SMALL, Scene, opened

PICTURES = {
    "table": ("table", DESKTOP, "dark"),
    "table-light": ("table", DESKTOP, "light"),
    "showdown": ("showdown", DESKTOP, "dark"),
    "fantasyland": ("fantasyland", DESKTOP, "dark"),
    "table-phone": ("table", PHONE, "dark"),
    "fantasyland-phone": ("fantasyland", PHONE, "dark"),
    "showdown-phone": ("showdown", PHONE, "light"),
}


@contextmanager
def shown(server: Server, context: BrowserContext, scene: Scene) -> Iterator[Page]:
    """Open the scene, and say which seed brought it about."""
    with opened(server, context, scene) as (page, player):
        yield page
        sys.stdout.write(f"seed {player.seed}\n")


if __name__ == "__main__":
    shooting.run(__doc__, pictures=PICTURES, scenes=SCENES, sizes=lambda scene: (DESKTOP, PHONE, SMALL), opened=shown)
