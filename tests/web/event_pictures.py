"""Makes the pictures of the director's guide from tournaments at a real server.

`python -m tests.web.event_pictures` writes docs/pictures/event-*.png, or those that are named. With `--all FOLDER` it
writes every state of the pages of a tournament, in both themes, to look through.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.servers import Server
from tests.web import chromium
from tests.web.event_scenes import EVENT_SCENES, EventScene, opened_scene
from tests.web.pictures import FOLDER
from tests.web.png import shrink
from tests.web.scenes import DESKTOP, PHONE, new_context

SCREEN = (1920, 1080)
SCENE = {scene.name: scene for scene in EVENT_SCENES}
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


def sizes_of(scene: EventScene) -> tuple[tuple[int, int], ...]:
    """Return the sizes that a page is used at."""
    if scene.is_table:
        return (PHONE,)
    return (SCREEN,) if scene.address == "/screen" else (DESKTOP, PHONE)


def take(server: Server, browser: Browser, scene: EventScene, path: Path, size: tuple[int, int], theme: str) -> None:
    """Write the scene's picture."""
    context = new_context(browser, size, color_scheme=theme)
    with opened_scene(server, context, scene) as page:
        page.wait_for_load_state("networkidle")
        path.write_bytes(shrink(page.screenshot(animations="disabled")))
        sys.stdout.write(f"{path}\n")
    context.close()


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every state, theme and size, into this folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which pictures: {', '.join(PICTURES)}")
    arguments = parser.parse_args()
    folder: Path | None = arguments.all
    shots = {name: (SCENE[scene], size, theme) for name, (scene, size, theme) in PICTURES.items()}
    if folder:
        shots = {
            f"{scene.name}-{size[0]}-{theme}": (scene, size, theme)
            for scene in EVENT_SCENES
            for size in sizes_of(scene)
            for theme in ("dark", "light")
        }
    target = folder or FOLDER
    target.mkdir(parents=True, exist_ok=True)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with tempfile.TemporaryDirectory() as data, Server(Path(data)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find_installed(), args=["--no-sandbox"] if is_root else []
        )
        for name, (scene, size, theme) in shots.items():
            if arguments.names and name not in arguments.names:
                continue
            take(server, browser, scene, target / f"{name}.png", size, theme)
        browser.close()


if __name__ == "__main__":
    main()
