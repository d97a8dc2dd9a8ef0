"""Every code of a fault that the sources can raise, read out of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src/ofc").rglob("*.py"))
_CODE = re.compile(r"[a-z]+(-[a-z0-9]+)*")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def codes_in(path: Path) -> tuple[set[str], list[str]]:
    """Return the codes, and the expressions in the place of a code that no code can be read out of.

    A code is what is given to `Fault` first, or as the parameter `code` of a function that makes one.
    """
    tree = ast.parse(path.read_text("utf-8"))
    takes_code = _SHARED | {name: _place_of_code(node) for name, node in _functions(tree)}
    codes: set[str] = set()
    unread: list[str] = []
    for scope, call in _calls(tree, tree):
        for given in _given_as_code(call, takes_code):
            found = set(_strings(given, scope))
            codes |= found
            if not found and not _is_passed_on(given, scope):
                unread.append(ast.unparse(given))
    return codes, unread


def _functions(tree: ast.AST) -> Iterator[tuple[str, _Function]]:
    return ((node.name, node) for node in ast.walk(tree) if isinstance(node, _Function))


def _place_of_code(function: _Function) -> int | None:
    """Return the place in which a function that makes a fault takes its code, after `self`; None: it takes none."""
    names = [argument.arg for argument in function.args.args if argument.arg != "self"]
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and _name(node) in ("Fault", "refuse")]
    makes_fault = any(isinstance(given, ast.Name) and given.id == "code" for call in calls for given in call.args[:1])
    return names.index("code") if "code" in names and makes_fault else None


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


_SHARED: Final = {
    "Fault": 0,
    **{
        name: _place_of_code(node)
        for path in ("tournament/refusing.py", "web/reading.py")
        for name, node in _functions(ast.parse((ROOT / "src/ofc" / path).read_text("utf-8")))
    },
    "read_choice": 9,
    "replace": 9,
}
"""Where the functions take a code that other modules call; the last two take it by name."""


def _calls(tree: ast.AST, scope: ast.AST) -> Iterator[tuple[ast.AST, ast.Call]]:
    """Yield every call with the function that it is in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield scope, node
        yield from _calls(node, node if isinstance(node, _Function) else scope)


def _given_as_code(call: ast.Call, takes_code: Mapping[str, int | None]) -> list[ast.expr]:
    place = takes_code.get(_name(call))
    if place is None:
        return []
    return call.args[place : place + 1] + [keyword.value for keyword in call.keywords if keyword.arg == "code"]


def _strings(given: ast.expr, scope: ast.AST) -> Iterator[str]:
    """Yield the texts that an expression may be: its own, and those that its name is given in the function."""
    match given:
        case ast.Constant(value=str(text)) if _CODE.fullmatch(text):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from _strings(body, scope)
            yield from _strings(other, scope)
        case ast.Name(id=name):
            for node in ast.walk(scope):
                if isinstance(node, ast.Assign):
                    yield from (text for value in _assigned(node, name) for text in _strings(value, scope))
        case _:
            pass


def _assigned(node: ast.Assign, name: str) -> Iterator[ast.expr]:
    for target in node.targets:
        match target, node.value:
            case ast.Name(id=its), value if its == name:
                yield value
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                yield from (v for t, v in zip(targets, values, strict=True) if isinstance(t, ast.Name) and t.id == name)
            case _:
                pass


def _is_passed_on(given: ast.expr, scope: ast.AST) -> bool:
    """Whether it is the code of another fault, or of who called."""
    if isinstance(given, ast.Attribute):
        return given.attr == "code"
    arguments = [node for node in ast.walk(scope) if isinstance(node, ast.arguments)]
    names = {argument.arg for node in arguments for argument in (*node.args, *node.kwonlyargs)}
    return isinstance(given, ast.Name) and given.id in names
