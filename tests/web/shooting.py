"""The command line of the programs that make pictures: a server, a browser, and every picture that is asked for."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, TypeVar

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.servers import Server
from tests.web import chromium
from tests.web.png import shrink
from tests.web.scenes import new_context

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


class Named(Protocol):
    """A scene, by its name."""

    @property
    def name(self) -> str: ...


S = TypeVar("S", bound=Named)
Size = tuple[int, int]
Opened = Callable[[Server, BrowserContext, S], AbstractContextManager[Page]]


def run(
    about: str | None,
    *,
    pictures: Mapping[str, tuple[str, Size, str]],
    scenes: Sequence[S],
    sizes: Callable[[S], Iterable[Size]],
    opened: Opened[S],
) -> None:
    """Write the pictures of the documentation, or with --all every scene in its sizes and both themes.

    Each of `pictures` is a scene's name, a size and a theme; `opened` brings a scene about and shows it.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every state, theme and size, into this folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which pictures: {', '.join(pictures)}")
    arguments = parser.parse_args()
    by_name = {scene.name: scene for scene in scenes}
    shots = {name: (by_name[scene], size, theme) for name, (scene, size, theme) in pictures.items()}
    folder: Path = FOLDER
    if arguments.all:
        folder = arguments.all
        shots = {
            f"{scene.name}-{size[0]}-{theme}": (scene, size, theme)
            for scene in scenes
            for size in sizes(scene)
            for theme in ("dark", "light")
        }
    folder.mkdir(parents=True, exist_ok=True)
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with tempfile.TemporaryDirectory() as data, Server(Path(data)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find_installed(), args=["--no-sandbox"] if is_root else []
        )
        for name, (scene, size, theme) in shots.items():
            if arguments.names and name not in arguments.names:
                continue
            path = folder / f"{name}.png"
            with new_context(browser, size, color_scheme=theme) as context, opened(server, context, scene) as page:
                # Words about an arrangement, and lists in a panel, come a moment later than the rest.
                page.wait_for_load_state("networkidle")
                path.write_bytes(shrink(page.screenshot(animations="disabled")))
                sys.stdout.write(f"{path}\n")
        browser.close()
