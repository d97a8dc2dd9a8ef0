"""Each rule of docs/normative-rules.md has a test that cites its ID."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
RULES = TESTS.parent / "docs" / "normative-rules.md"
LATER = {"R-DEUCE", "R-JOKER"}
"""Games that are not built yet."""
_ID = re.compile(r"R-[A-Z]+(?:-\d+)?")


def rule_ids() -> list[str]:
    """The IDs that head a rule, in the page's order."""
    heads = re.findall(r"^(?:- |## )(R-[A-Z]+(?:-\d+)?)\b", RULES.read_text("utf-8"), re.MULTILINE)
    return [head for head in heads if head not in LATER]


def test_the_page_has_its_rules() -> None:
    ids = rule_ids()
    assert len(ids) == len(set(ids)) > 35
    assert {"R-CARD-1", "R-DEAL-3", "R-FL-7", "R-CHIP-6", "R-SEAT-1"} <= set(ids)


def test_every_rule_is_cited_by_a_test() -> None:
    this = Path(__file__)
    cited = {rule for path in TESTS.rglob("test_*.py") if path != this for rule in _ID.findall(path.read_text("utf-8"))}
    missing = [rule for rule in rule_ids() if rule not in cited]
    assert not missing, f"no test cites {', '.join(missing)}"
