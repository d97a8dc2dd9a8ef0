"""What subcommands read: texts from a file or standard input, and rule sets by name or from a file."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from ofc.cli.errors import InputError
from ofc.errors import Fault
from ofc.rules import RuleSet
from ofc.rulesets import BUILT_IN, get_rules, rules_from_toml

BUILT_IN_IDS: Final = tuple(dict.fromkeys(rules.id for rules in BUILT_IN))
"""The ids of the built-in rule sets, in their order."""

SEEDS: Final = click.IntRange(0, 2**53 - 1)
"""The seeds that every reader of JSON keeps exactly. Below 0 Python would deal the same cards as without the sign."""

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def read_input(path: str) -> str:
    """Return the text of a file, or with `-` of standard input. `InputError` if there is none, or not in UTF-8."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = "standard input" if path == "-" else path
        message = f"{where} is not text in UTF-8: byte {error.start + 1} is wrong"
        raise InputError(Fault("file-not-text", message, text=repr(data[error.start : error.start + 4])[1:])) from error


def read_bytes(path: str) -> bytes:
    """Return the contents of a file, or with `-` of standard input. `InputError` if there is none."""
    if not path:  # Python would take it for the current folder
        raise InputError(Fault("file-missing", "an empty text names no file", text=path))
    try:
        if path == "-":
            if is_typed():
                click.echo("Reading from the keyboard; end with Ctrl-D.", err=True)
            return sys.stdin.buffer.read()
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError(Fault("file-missing", f"there is no file {path}", text=path)) from error
    except (OSError, ValueError) as error:  # ValueError: a path with a null in it
        reason = error.strerror if isinstance(error, OSError) else str(error)
        if isinstance(error, OSError) and error.errno == errno.EISDIR:
            reason = "it is a directory"
        raise InputError(Fault("file-unreadable", f"cannot read {path}: {reason}", text=path)) from error


def is_typed() -> bool:
    """Whether standard input is somebody's keyboard."""
    return sys.stdin.isatty()


def load_rules(text: str) -> RuleSet:
    """Return a built-in rule set by id or `id@version`, else the one in a TOML file (docs/rules.md).

    `RulesError` or `InputError` holds every fault.
    """
    if text in BUILT_IN_IDS or not _looks_like_file(text):
        return get_rules(text)
    return rules_from_toml(read_input(text))


def rules_option(default: str | None = "ultimate") -> _Decorator:
    """Give a command `--rules ID|FILE.toml` as the argument `rules`, a `RuleSet` (None without default)."""
    return click.option(
        "--rules",
        metavar="ID|FILE.toml",
        default=default,
        show_default=default is not None,
        callback=lambda _ctx, _param, text: None if text is None else load_rules(text),
        help="The rule set: a built-in one's id (see `ofc rules`), or a TOML file of one's own.",
    )


def _looks_like_file(text: str) -> bool:
    return text.endswith(".toml") or os.sep in text or os.path.isfile(text)  # is_file may raise
