"""TOML files of people: read, and their values written back as a fault shows them."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, Final

from ofc.errors import Fault, OfcError

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_AT_LINE: Final = re.compile(r"at line (\d+)")
_LONGEST_SHOWN: Final = 200


class TomlError(OfcError):
    """A text that is not TOML."""


def read_toml(text: str) -> dict[str, Any]:
    """Read a file; `TomlError` (`toml-unreadable`) says where it is wrong, with that line as its text."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = cut(text.split("\n")[int(at[1]) - 1].strip()) if at else None
        raise TomlError(Fault("toml-unreadable", f"not TOML: {error}", text=line or None)) from error
    except (RecursionError, ValueError) as error:  # tables too deep, or a number of thousands of digits
        raise TomlError(Fault("toml-unreadable", "not TOML that makes sense: too deep, or too long")) from error


def cut(text: str) -> str:
    """Return the text, cut where it is long."""
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def toml_text(value: object) -> str:
    """Write a value as TOML has it, cut where it is long."""
    return cut(_toml(value))


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            try:
                return str(value)
            except ValueError:  # thousands of digits, which only these forms may have in a file
                return hex(value)
        case str():
            return json.dumps(value, ensure_ascii=False)
        case list():
            return f"[{', '.join(map(_toml, value))}]"
        case dict() if value:
            return f"{{ {', '.join(f'{_toml_key(key)} = {_toml(one)}' for key, one in value.items())} }}"
        case _:  # fractions, dates and times, and {}
            return str(value)


def _toml_key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
