"""The `ofc` command: a group that imports a subcommand's module only when that subcommand is called for."""

from __future__ import annotations

import errno
import importlib
import importlib.util
import os
import sys
from typing import Final

import click

from ofc.cli.errors import print_faults
from ofc.cli.output import make_streams_printable, open_closed_streams
from ofc.cli.parsing import CallError
from ofc.errors import Fault, OfcError

COMMANDS: Final = {
    "serve": "Start the server and play in the browser.",
    "play": "Play a match against bots in the terminal.",
    "score": "Count the points of finished hands.",
    "rules": "List, show and compare rule sets.",
    "simulate": "Let bots play whole matches against each other.",
    "tournament": "Play whole tournaments with bots, check tournaments' logs, count leagues.",
    "replay": "Show and check recorded hands.",
}
"""Each subcommand with its help in short; the module `ofc.cli.NAME` holds it as `command`."""

FAULTY: Final = 2
"""Exit status for an input that was refused, as click has it for a wrong call."""
UNWRITTEN: Final = 1
"""Exit status where the answer could not be written, to a full disk say."""
INTERRUPTED: Final = 130
_JSON: Final = "ofc.cli.json"


class _Commands(click.Group):
    """Finds subcommands by name, and says what went wrong in them: no traceback for a refusal."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return [name for name in COMMANDS if importlib.util.find_spec(f"ofc.cli.{name}") is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"ofc.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # As click does it, but without importing every module for its help.
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        open_closed_streams()
        make_streams_printable()
        try:
            return self._invoke(ctx, as_json=bool(ctx.meta[_JSON]))
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click's own
            print_faults([Fault("output", f"the output could not be written: {error.strerror}")], as_json=False)
            # What is left in the buffer would fail once more when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
            ctx.exit(UNWRITTEN)

    def _invoke(self, ctx: click.Context, *, as_json: bool) -> object:
        """Run the subcommand, and tell its faults; `OSError` if something could not be written."""
        try:
            result: object = super().invoke(ctx)
            sys.stdout.flush()  # a reader that has gone is noticed here, where click keeps quiet about it
        except OfcError as error:
            if isinstance(error, CallError) and error.usage is not None and not as_json:
                click.echo(error.usage, err=True)
            print_faults(error.faults, as_json=as_json)
            ctx.exit(FAULTY)
        except click.ClickException as error:
            if not as_json:
                raise
            print_faults([Fault("usage", error.format_message())], as_json=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        return result


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ofc", prog_name="ofc", message="%(prog)s %(version)s")
def main() -> None:
    """Open Face Chinese Poker Pineapple: play it, count it, study it."""
