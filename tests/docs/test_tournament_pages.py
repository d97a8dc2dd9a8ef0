"""The pages on tournaments say what there is."""

import re
from pathlib import Path
from typing import get_args

from ofc.tournament.events import LogEntry, TournamentEvent
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
