"""Every code of a fault is in a table of the documents, and the page of faults has none that there is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.fault_codes import ROOT, SOURCES, codes_in

MADE_UP = {
    "f'{name}-invalid'": {"stack-invalid", "price-invalid"},
    "f\"{name.replace('_', '-')}-invalid\"": {"unit-invalid", "remainder-to-invalid"},
    "f'event-{code}'": {"event-listed", "event-unlisted"},
    "f'{what}-unknown'": {"table-unknown", "event-unknown"},
    "f'{one}-unknown'": {"table-unknown", "player-unknown"},
}
"""Codes that are put together, by how."""


def raised(path: Path) -> set[str]:
    codes, unread = codes_in(path)
    return codes.union(*(MADE_UP[expression] for expression in unread))


def documented(page: Path) -> set[str]:
    """Return what the first cells of a page's tables name, and the sections that say what is checked."""
    text = page.read_text("utf-8")
    cells = re.findall(r"^\|([^|]*)\|", text, re.MULTILINE)
    cells += re.findall(r"^## What is checked\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    return {code for cell in cells for code in re.findall(r"`([a-z]+(?:-[a-z0-9]+)*)`", cell)}


PAGES = sorted((ROOT / "docs").glob("*.md"))
DOCUMENTED = set[str]().union(*map(documented, PAGES))


def test_every_code_is_documented() -> None:
    codes = {path: raised(path) for path in SOURCES}
    assert len(set[str]().union(*codes.values())) > 250
    missing = {str(path.relative_to(ROOT)): sorted(its - DOCUMENTED) for path, its in codes.items()}
    assert not {path: its for path, its in missing.items() if its}


def test_the_page_of_faults_names_no_code_that_there_is_not() -> None:
    assert not sorted(documented(ROOT / "docs/faults.md") - set[str]().union(*map(raised, SOURCES)))


@pytest.mark.parametrize(
    ("source", "codes", "unread"),
    [
        ('Fault("one-two", "")', {"one-two"}, []),
        ('x.Fault(code="one", message="")', {"one"}, []),
        ('def f(a):\n    b = "one" if a else "two"\n    Fault(b, "")', {"one", "two"}, []),
        ('def f(a):\n    b, c = "one", 2\n    Fault(b, "")', {"one"}, []),
        ('replace(fault, code="one" if x else "two")', {"one", "two"}, []),
        ('def g(code):\n    Fault(code, "")\ng("one")', {"one"}, []),
        ('class A:\n    def g(self, x, code):\n        Fault(code, "")\na.g(1, "one")', {"one"}, []),
        (
            'refuse("one", "")\nr.fault("two", "")\nread_choice(r, "x", [], 1, code="three")',
            {"one", "two", "three"},
            [],
        ),
        ('Fault(error.code, "")\nf("four")\nSeat(code="five")', set(), []),
        ('Fault(f"{a}-b", "")', set(), ["f'{a}-b'"]),
        ('def f():\n    Fault(b, "")', set(), ["b"]),
    ],
)
def test_how_codes_are_read_out_of_sources(source: str, codes: set[str], unread: list[str], tmp_path: Path) -> None:
    path = tmp_path / "source.py"
    path.write_text(source, "utf-8")
    assert codes_in(path) == (codes, unread)
