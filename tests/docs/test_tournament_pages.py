"""The pages on tournaments say what there is."""

import re
from pathlib import Path
from typing import get_args

from ofc.cli.tournament import league
from ofc.tournament.events import LogEntry, TournamentEvent
from ofc.tournament.league_formulas import FORMULAS, parse_formula
from ofc.tournament.plain import structure_from_toml

DOCS = Path(__file__).parents[2] / "docs"


def test_the_structure_on_the_page_is_one() -> None:
    page = (DOCS / "tournaments.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    structure = structure_from_toml(example)
    assert (structure.late_until, structure.reentries, len(structure.levels)) == (1, 1, 2)


def test_the_page_names_every_entry_and_event() -> None:
    page = (DOCS / "tournament-log.md").read_text("utf-8")
    kinds = [kind.__name__ for kind in (*get_args(LogEntry), *get_args(TournamentEvent))]
    assert [kind for kind in kinds if f"`{kind}`" not in page] == []


def test_the_page_has_every_formula_and_its_examples_can_be_read() -> None:
    page = (DOCS / "tournaments.md").read_text("utf-8")
    assert re.findall(r"^\| `([a-z-]+)", page, re.MULTILINE) == [*FORMULAS]
    examples = re.findall(r"--formula ([a-z]\S+)", page)
    assert len(examples) == 2
    for example in examples:
        parse_formula(example)


def test_the_page_has_every_option_of_league() -> None:
    page = (DOCS / "tournaments.md").read_text("utf-8")
    section = page.partition("## Leagues")[2].partition("\n## ")[0]
    assert [name for option in league.params for name in option.opts if name not in section and name != "files"] == []
