"""pyproject.toml and constraints.txt agree, and what is shipped is what is written."""

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging.machine import ROOT


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def _constraints() -> list[Requirement]:
    return [Requirement(line) for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if line]


def test_every_requirement_is_pinned_to_a_version_it_allows(project: dict[str, Any]) -> None:
    pinned = {canonicalize_name(constraint.name): constraint for constraint in _constraints()}
    extras = project["optional-dependencies"].values()
    for requirement in map(Requirement, [*project["dependencies"], *(one for extra in extras for one in extra)]):
        (pin,) = pinned[canonicalize_name(requirement.name)].specifier
        assert pin.operator == "=="
        assert requirement.specifier.contains(pin.version), requirement.name


def test_constraints_hold_names_and_versions_alone() -> None:
    """A registry's host, or an option that names one, would tie the project to one machine."""
    for constraint in _constraints():
        assert constraint.url is None
        assert [pin.operator for pin in constraint.specifier] == ["=="]


def test_installed_version_is_the_written_one(project: dict[str, Any]) -> None:
    assert importlib.metadata.version("ofc") == project["version"]


def test_python_m_ofc_is_the_command(project: dict[str, Any]) -> None:
    answer = subprocess.run([sys.executable, "-m", "ofc", "--version"], capture_output=True, text=True, check=True)
    assert answer.stdout == f"ofc {project['version']}\n"


def test_changelog_has_a_place_for_what_comes_next() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(r"^## \[?Unreleased\]?$", changelog, re.MULTILINE)
