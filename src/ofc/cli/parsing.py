"""Commands that tell every fault of their call at once, not only the first one that click comes upon."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

import click
from click.core import iter_params_for_processing

from ofc.errors import Fault, OfcError

Check = Callable[[Mapping[str, Any]], Iterable[Fault]]
"""Says what is wrong with arguments that could each be read; it is given these by name, the others are missing."""


class CallError(OfcError):
    """A command was called wrongly. `usage` says how it is called, where that is what is wrong."""

    def __init__(self, *faults: Fault, usage: str) -> None:
        super().__init__(*faults)
        self.usage = usage if any(fault.code == "usage" for fault in faults) else None


class CheckedCommand(click.Command):
    """A command that reads and checks all its options before it tells what is wrong with them."""

    def __init__(self, *args: Any, check: Check | None = None, **kwargs: Any) -> None:
        """Make the command as click does; `check` finds what is wrong with options together."""
        super().__init__(*args, **kwargs)
        self._check = check

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments as click does; `CallError` holds every fault."""
        if ctx.resilient_parsing:  # a shell that completes words wants no faults
            return super().parse_args(ctx, args)
        faults, opts, rest, order = self._split(ctx, args)
        # Beside an unknown option nobody can say which words are its own, and which stand alone.
        names = {name for param in self.get_params(ctx) for name in param.opts}
        are_known = all(fault.field in names for fault in faults)
        for param in iter_params_for_processing(order, self.get_params(ctx)):
            if isinstance(param, click.Argument) and not are_known:
                continue
            try:
                _, rest = param.handle_parse_result(ctx, opts, rest)
            except click.UsageError as error:
                faults.append(_fault(error, max(param.opts, key=len), opts.get(param.name or "")))
            except OfcError as error:
                faults.extend(error.faults)
        # click marks what was not given, and puts None in its place when all could be read.
        ctx.params.update({name: None for name, value in ctx.params.items() if isinstance(value, Enum)})
        if rest and are_known:
            words = " ".join(rest)
            message = f"Got unexpected extra argument{'' if len(rest) == 1 else 's'} ({words})"
            faults.append(Fault("usage", message, text=words))
        if self._check is not None:
            faults.extend(self._check(ctx.params))
        if faults:
            hint = f"{ctx.get_usage()}\nTry '{ctx.command_path} --help' for help.\n"
            raise CallError(*faults, usage=hint)
        ctx.args = rest
        return rest

    def _split(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[list[Fault], Mapping[str, Any], list[str], list[click.Parameter]]:
        """Split the arguments into options and the rest; leave out options that there are not, or that lack a value."""
        faults: list[Fault] = []
        while True:
            try:
                return faults, *self.make_parser(ctx).parse_args(args=list(args))
            except (click.NoSuchOption, click.BadOptionUsage) as error:
                faults.append(_fault(error, error.option_name, error.option_name))
                # Of several options of one letter in a word nobody can say which of them were meant.
                args = [word for word in args if not _is_option(word, error.option_name)]


def _is_option(word: str, name: str) -> bool:
    is_short = not name.startswith("--") and word.startswith("-") and not word.startswith("--")
    return word.partition("=")[0] == name or (is_short and name.lstrip("-") in word)


def _fault(error: click.UsageError, name: str, given: object) -> Fault:
    return Fault("usage", error.format_message(), field=name, text=given if isinstance(given, str) else None)
