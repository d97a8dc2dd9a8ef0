"""Makes the pictures of the documentation from seeded tables at a real server.

`python -m tests.web.pictures` writes docs/pictures, or those of it that are named. With `--all FOLDER` it writes
every state of the page, in both themes, on a desktop and two phones, to look through.
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
from tests.web.png import shrink
from tests.web.scenes import DESKTOP, PHONE, SCENES, SMALL, Scene, new_context, opened

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SCENE = {scene.name: scene for scene in SCENES}
PICTURES = {
    "table": ("table", DESKTOP, "dark"),
    "table-light": ("table", DESKTOP, "light"),
    "showdown": ("showdown", DESKTOP, "dark"),
    "fantasyland": ("fantasyland", DESKTOP, "dark"),
    "table-phone": ("table", PHONE, "dark"),
    "fantasyland-phone": ("fantasyland", PHONE, "dark"),
    "showdown-phone": ("showdown", PHONE, "light"),
}


def take(server: Server, browser: Browser, scene: Scene, path: Path, *, size: tuple[int, int], theme: str) -> None:
    """Write the scene's picture."""
    context = new_context(browser, size, color_scheme=theme)
    with opened(server, context, scene) as (page, player):
        # The words about the arrangement, and the hands in the panel, come a moment later than the cards.
        page.wait_for_load_state("networkidle")
        path.write_bytes(shrink(page.screenshot(animations="disabled")))
        sys.stdout.write(f"{path}, seed {player.seed}\n")
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
            for scene in SCENES
            for size in (DESKTOP, PHONE, SMALL)
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
            take(server, browser, scene, target / f"{name}.png", size=size, theme=theme)
        browser.close()


if __name__ == "__main__":
    main()
