"""Rule sets survive being stored, and their files being written by hand."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ofc.errors import RulesError
from ofc.rules import RULE_FIELDS, RuleSet
from ofc.rulesets import differing_fields, plain_field, rules_from_fields, rules_of, rules_to_fields
from tests import strategies

_plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(strategies.any_rules)
def test_stored_rules_are_read_back(rules: RuleSet) -> None:
    assert rules_of(json.loads(json.dumps(rules_to_fields(rules)))) == rules


@given(strategies.built_in_rules, strategies.own_rules())
def test_only_the_fields_that_differ_are_needed(base: RuleSet, own: RuleSet) -> None:
    changes = {key: plain_field(own, key) for key in differing_fields(base, own)}
    named = {key: getattr(own, key) for key in ("title", "summary", "version")}
    assert rules_from_fields({"base": base.name, **changes, **named}) == own


@given(st.dictionaries(st.sampled_from([*RULE_FIELDS, "base", "odd"]), _plain_values))
def test_whatever_a_file_holds_is_read_or_refused(table: dict[str, object]) -> None:
    try:
        rules = rules_from_fields(table)
    except RulesError:
        return
    assert rules_of(rules_to_fields(rules)) == rules
