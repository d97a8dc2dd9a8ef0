"""`ofc rules`: the rule sets there are, what one says, and where two differ."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING

import click

from ofc.cli.inputs import BUILT_IN_IDS, load_rules
from ofc.cli.output import open_console, write_json
from ofc.cli.parsing import CheckedCommand
from ofc.rules import RULE_FIELDS, RuleSet
from ofc.rulesets import BUILT_IN, differing_fields, get_rules, plain_field

if TYPE_CHECKING:
    from rich.table import Table

_json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON, for programs.")


def _rules_argument(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.argument(name, metavar="ID|FILE.toml", callback=lambda _ctx, _param, text: load_rules(text))


@click.group(invoke_without_command=True)
@_json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """List the built-in rule sets; show one, or compare two.

    ID is a rule set's id, `id@version`, or a TOML file of one's own (docs/rules.md).
    """
    if ctx.invoked_subcommand is None:
        _list(as_json=as_json)


@command.command("list")
@_json_option
def list_rules(*, as_json: bool) -> None:
    """List the built-in rule sets."""
    _list(as_json=as_json)


def _list(*, as_json: bool) -> None:
    newest = [get_rules(name) for name in BUILT_IN_IDS]
    versions = {name: [rules.version for rules in BUILT_IN if rules.id == name] for name in BUILT_IN_IDS}
    if as_json:
        write_json(
            [
                {
                    "id": rules.id,
                    "versions": versions[rules.id],
                    "title": rules.title,
                    "summary": rules.summary,
                    "seats": list(rules.seats),
                }
                for rules in newest
            ]
        )
        return
    table = _table("id", "seats", "versions", "in short")
    for rules in newest:
        table.add_row(rules.id, say_seats(rules), ", ".join(versions[rules.id]), rules.summary)
    open_console().print(table)


@command.command(cls=CheckedCommand)
@_rules_argument("chosen")
@_json_option
def show(chosen: RuleSet, *, as_json: bool) -> None:
    """Show every field of a rule set, with the rule it comes from."""
    if as_json:
        fields = [{**_field(name), "value": plain_field(chosen, name)} for name in RULE_FIELDS]
        write_json({"rules": chosen.name, "fields": fields})
        return
    table = _table("field", "value", "rule", "what it says")
    for name, field in RULE_FIELDS.items():
        table.add_row(name, say_field(chosen, name), field.metadata["rule"], field.metadata["words"])
    console = open_console()
    console.print(f"{chosen.title} ({chosen.name})")
    console.print(table)


@command.command(cls=CheckedCommand)
@_rules_argument("first")
@_rules_argument("second")
@_json_option
def diff(first: RuleSet, second: RuleSet, *, as_json: bool) -> None:
    """Show the fields in which two rule sets differ."""
    names = differing_fields(first, second)
    if as_json:
        differences = [
            {**_field(name), "a": plain_field(first, name), "b": plain_field(second, name)} for name in names
        ]
        write_json({"a": first.name, "b": second.name, "differences": differences})
        return
    console = open_console()
    if not names:
        console.print(f"{first.name} and {second.name} do not differ.")
        return
    table = _table("field", first.name, second.name, "rule", "what it says")
    for name in names:
        rule = RULE_FIELDS[name].metadata
        table.add_row(name, say_field(first, name), say_field(second, name), rule["rule"], rule["words"])
    console.print(table)


def say_seats(rules: RuleSet) -> str:
    """Say for how many players a rule set is: "2-3"."""
    return "-".join(map(str, dict.fromkeys([rules.min_seats, rules.max_seats])))


def say_field(rules: RuleSet, name: str) -> str:
    """Say a field's value on one line, for people; of tables of points only what is not 0."""
    match plain_field(rules, name):
        case bool(value):
            return "yes" if value else "no"
        case dict(points):
            numbers = {key: number for key, number in points.items() if number}
            if len(numbers) == len(points) and len(set(numbers.values())) == 1:
                return f"{next(iter(numbers.values()))} for each"
            return ", ".join(f"{key} {number}" for key, number in numbers.items()) or "nothing"
        case list():
            rounds = [(street, len(list(same))) for street, same in groupby(rules.streets)]
            return "; ".join(
                f"{'' if times == 1 else f'{times} times '}deal {street.dealt}, place {street.placed}"
                for street, times in rounds
            )
        case value:
            return str(value)


def _field(name: str) -> dict[str, str]:
    return {"field": name, "rule": RULE_FIELDS[name].metadata["rule"], "words": RULE_FIELDS[name].metadata["words"]}


def _table(*columns: str) -> Table:
    from rich.table import Table  # noqa: PLC0415  # a third of the time it takes to start

    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    return table
