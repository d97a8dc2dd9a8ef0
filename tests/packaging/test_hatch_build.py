"""What the build hook takes for fresh, and which Node it takes."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import hatch_build


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ui/src").mkdir(parents=True)
    (tmp_path / "ui/package.json").write_text("{}")
    (tmp_path / "ui/src/main.ts").write_text("start()")
    static = tmp_path / "src/ofc/web/static"
    static.mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html>")
    (static / hatch_build.STAMP).write_text(hatch_build.digest(tmp_path / "ui") + "\n")
    return tmp_path


def test_built_page_is_fresh(root: Path) -> None:
    assert hatch_build.is_fresh(root)


@pytest.mark.parametrize("name", ["ui/src/main.ts", "ui/src/new.ts", "ui/package.json", "ui/.npmrc"])
def test_edit_makes_it_stale(root: Path, name: str) -> None:
    (root / name).write_text("edited")
    assert not hatch_build.is_fresh(root)


def test_moving_text_between_files_makes_it_stale(root: Path) -> None:
    (root / "ui/src/main.ts").rename(root / "ui/src/other.ts")
    assert not hatch_build.is_fresh(root)


@pytest.mark.parametrize("name", ["ui/node_modules/x.js", "ui/.svelte-kit/x.js"])
def test_what_tools_leave_does_not(root: Path, name: str) -> None:
    (root / name).parent.mkdir()
    (root / name).write_text("left")
    assert hatch_build.is_fresh(root)


@pytest.mark.parametrize("name", ["index.html", hatch_build.STAMP])
def test_half_a_page_is_stale(root: Path, name: str) -> None:
    (root / "src/ofc/web/static" / name).unlink()
    assert not hatch_build.is_fresh(root)


def test_page_without_its_source_is_taken_as_it_is(root: Path) -> None:
    shutil.rmtree(root / "ui")
    assert hatch_build.is_fresh(root)


class TestInstalledPackages:
    @pytest.fixture
    def install(self, tmp_path: Path) -> Callable[[dict[str, str]], bool]:
        wanted = {
            "": {"name": "ofc-ui"},
            "node_modules/vite": {"version": "8.0.0"},
            "node_modules/for-another-system": {"version": "1.0.0", "optional": True},
        }
        (tmp_path / "package-lock.json").write_text(json.dumps({"packages": wanted}))
        (tmp_path / "node_modules").mkdir()

        def install(packages: dict[str, str]) -> bool:
            installed = {f"node_modules/{name}": {"version": version} for name, version in packages.items()}
            listed = tmp_path / "node_modules/.package-lock.json"
            listed.write_text(json.dumps({"packages": installed}))
            return hatch_build.are_packages_installed(tmp_path)

        return install

    def test_all_that_this_system_needs(self, install: Callable[[dict[str, str]], bool]) -> None:
        assert install({"vite": "8.0.0"})

    @pytest.mark.parametrize("packages", [{}, {"vite": "7.0.0"}, {"vite": "8.0.0", "for-another-system": "0.9.0"}])
    def test_missing_or_old(self, install: Callable[[dict[str, str]], bool], packages: dict[str, str]) -> None:
        assert not install(packages)

    def test_interrupted(self, install: Callable[[dict[str, str]], bool], tmp_path: Path) -> None:
        """npm writes its list last."""
        install({"vite": "8.0.0"})
        (tmp_path / "node_modules/.package-lock.json").unlink()
        assert not hatch_build.are_packages_installed(tmp_path)


@pytest.mark.parametrize(
    ("version", "is_enough"),
    [
        ("v18.20.0", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.1.0", True),
        ("nonsense", False),
    ],
)
def test_node_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, is_enough: bool) -> None:
    for name in ("node", "npm"):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho {version}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hatch_build.is_node_new_enough() == is_enough


def test_no_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not hatch_build.is_node_new_enough()
