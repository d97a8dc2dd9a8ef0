"""The group: what it lists, how it fails, how fast it starts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ofc import cli
from ofc.cli import COMMANDS, main
from ofc.cli.errors import InputError, print_faults
from ofc.cli.inputs import load_rules, read_input, rules_option
from ofc.cli.output import make_streams_printable, open_console, signed, write_json, write_json_lines
from ofc.cli.parsing import CallError, CheckedCommand
from ofc.errors import Fault
from ofc.rules import RuleSet
from ofc.rulesets import get_rules

HAND = b"rules: pineapple\n9c 8d 2s / Ac Ad 7s 6s 3d / Ah Jh 8h 6h 3h\nQc Qd 4s / Ks Kd 9s 5d 2c / Tc 9d 8c 7d 6c"


def ofc(*arguments: str, data: bytes, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "ofc", *arguments], input=data, env=env, capture_output=True, check=False
    )


def test_help_lists_the_commands_there_are() -> None:
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for name in main.list_commands(click.Context(main)):
        assert re.search(rf"^  {name} +{re.escape(COMMANDS[name].split()[0])}", result.stdout, re.MULTILINE)


def test_every_command_there_is_has_help() -> None:
    for name in main.list_commands(click.Context(main)):
        result = CliRunner().invoke(main, [name, "--help"])
        assert (result.exit_code, result.stderr) == (0, "")


def test_a_command_that_is_not_there_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "fold", "Give up.")
    result = CliRunner().invoke(main, ["fold"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "No such command" in result.stderr


def test_a_shell_that_completes_words_is_told_no_faults() -> None:
    command = CheckedCommand("x", params=[click.Option(["--n"], type=int)], check=lambda _: [Fault("bad", "bad")])
    assert command.make_context("x", ["--n", "many"], resilient_parsing=True).params == {"n": None}
    with pytest.raises(CallError) as caught:
        command.make_context("x", ["--n", "many"])
    assert [fault.code for fault in caught.value.faults] == ["usage", "bad"]


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert re.fullmatch(r"ofc \d+\.\d+\.\d+\S*\n", result.stdout)


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_path: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("ofc.cli.score.read_input", interrupt)
    result = CliRunner().invoke(main, ["score"])
    assert (result.exit_code, result.output) == (130, "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of POSIX")
def test_an_interrupt_from_the_keyboard_is_quiet(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "ofc", "score", str(pipe)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Whoever runs the tests in the background may have them ignore the keyboard, and that is handed on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - the child does nothing else
    )
    with pipe.open("w"):  # waits until the command reads
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full device is of Linux")
@pytest.mark.parametrize(
    "call",
    [["rules"], ["rules", "show", "ultimate", "--json"], ["score", "--help"], ["rules", "show", "omaha", "--json"]],
)
def test_an_answer_that_cannot_be_written_is_said_without_a_traceback(call: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([sys.executable, "-m", "ofc", *call], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (
        1, b"error: the output could not be written: No space left on device [output]\n",
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="closes streams as a POSIX shell does")
@pytest.mark.parametrize(
    ("call", "closed", "status", "told"),
    [
        ("score", "<&-", 2, "there is nothing to score"),
        ("play --hands 1", "<&-", 0, ""),
        ("rules", ">&-", 1, "the output could not be written"),
        ("rules --json", ">&-", 1, "the output could not be written"),
        ("rules show omaha --json", ">&-", 1, "the output could not be written"),
        ("rules", "<&- >&-", 1, "the output could not be written"),
        ("rules show omaha", "2>&-", 2, ""),
        ("rules", "2>&-", 0, ""),
        ("rules", "<&- >&- 2>&-", 1, ""),
    ],
)
def test_closed_streams_make_no_traceback(call: str, closed: str, status: int, told: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -m ofc {call} {closed}', sys.executable],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == status
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_has_gone_is_no_error() -> None:
    for arguments in (["rules"], ["rules", "--json"], ["--help"]):
        reader, writer = os.pipe()
        os.close(reader)
        result = subprocess.run(
            [sys.executable, "-m", "ofc", *arguments], stdout=writer, stderr=subprocess.PIPE, check=False
        )
        os.close(writer)
        assert result.stderr == b""


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
)
def test_a_terminal_of_few_signs_gets_plain_ones(environment: dict[str, str]) -> None:
    result = ofc("score", data=HAND, env={**os.environ, **environment})
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"9c 8d 2s" in result.stdout
    assert b"Player 2's pair of queens beats Player 1's nine high" in result.stdout
    assert b"| Player 1 |     -4 |" in result.stdout
    refused = ofc("score", data="♥".encode(), env={**os.environ, **environment})
    assert refused.returncode == 2
    assert b"Traceback" not in refused.stderr


def test_json_is_utf_8_on_every_terminal() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    text = HAND.replace(b"\n9c", "\nÅsa: 9c".encode())
    result = ofc("score", "--json", data=text, env=environment)
    assert json.loads(result.stdout.decode())["players"][0]["name"] == "Åsa"


def test_it_starts_without_what_it_does_not_need() -> None:
    """What costs the most to import is imported by the command that needs it."""
    code = "import sys, ofc.cli; print(*(m for m in ('rich', 'starlette', 'asyncio') if m in sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout == b"\n"
    code = (
        "import sys; sys.argv = ['ofc', 'score', '--json']\n"
        "import ofc.cli, atexit\n"
        "atexit.register(lambda: print('rich' in sys.modules, file=sys.stderr))\n"
        "ofc.cli.main()"
    )
    result = subprocess.run([sys.executable, "-c", code], input=HAND, capture_output=True, check=True)
    assert result.stderr == b"False\n"


# -------------------------------------------------------------------------------------------------------- output


def test_signed_numbers() -> None:
    assert [signed(number) for number in (0, 3, -3, 1_200, -1_234_567)] == ["0", "+3", "−3", "+1,200", "−1,234,567"]


def test_json_is_written_indented_or_in_lines(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_json({"a": [1]})
    write_json_lines([{"a": 1}, {"b": ["half \ud800", {"\udfff": 2}]}])
    assert capfdbinary.readouterr().out == b'{\n  "a": [\n    1\n  ]\n}\n{"a":1}\n{"b":["half ?",{"?":2}]}\n'


def test_streams_that_are_no_files_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", object())
    make_streams_printable()


def test_a_sign_that_has_no_plain_likeness() -> None:
    assert "é☃−“".encode("ascii", "ofc-plain") == b'??-"'
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", "ofc-plain")


def test_a_console_in_a_pipe_breaks_no_line() -> None:
    assert open_console().width == 200


def test_a_console_on_a_terminal_has_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "77")
    assert open_console().width == 77


def test_faults_are_told_with_their_text_and_nothing_that_moves_the_cursor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    faults = [Fault("one", "the first", text="\x1b[2Jé"), Fault("two", "“x” is wrong", text="x")]
    print_faults(faults, as_json=False, hand=3)
    assert capsys.readouterr().err.splitlines() == [
        "error: hand 3: the first (“\\x1b[2Jé”) [one]",
        "error: hand 3: “x” is wrong [two]",
    ]


def test_the_text_of_a_fault_is_quoted_once_and_left_out_only_where_the_message_has_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    faults = [
        Fault("one", "no name", text='"Bad Id!"'),
        Fault("two", "13 to 17", text="1"),
        Fault("three", "of", text='"'),
    ]
    print_faults(faults, as_json=False)
    assert capsys.readouterr().err.splitlines() == [
        'error: no name ("Bad Id!") [one]',
        "error: 13 to 17 (“1”) [two]",
        'error: of (“"”) [three]',
    ]


# -------------------------------------------------------------------------------------------------------- inputs


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "none", "file-missing"), (tmp_path, "file-unreadable")):
        with pytest.raises(InputError) as caught:
            read_input(str(path))
        assert caught.value.code == code
    for unreadable in ("a\0b", f"{tmp_path}/{'x' * 5_000}"):
        with pytest.raises(InputError) as caught:
            read_input(unreadable)
        assert caught.value.code == "file-unreadable"


def test_a_mark_of_byte_order_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfabc")
    assert read_input(str(tmp_path / "a")) == "abc"


def test_whoever_types_is_told_how_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = CliRunner()
    monkeypatch.setattr("ofc.cli.inputs.is_typed", lambda: True)
    result = runner.invoke(main, ["score"], input=HAND)
    assert (result.exit_code, result.stderr) == (0, "Reading from the keyboard; end with Ctrl-D.\n")


def test_rules_by_id_version_and_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_rules("casual") is get_rules("casual")
    assert load_rules("ultimate@2013-01-01") is get_rules("ultimate@2013-01-01")
    monkeypatch.chdir(tmp_path)
    for name in ("own.toml", "own", "casual"):
        Path(name).write_text('id = "own"\nbase = "classic"')
    assert load_rules("own.toml") == load_rules("own") == load_rules("./casual")
    assert load_rules("casual") is get_rules("casual")


def test_a_command_may_ask_for_rules() -> None:
    def command(default: str | None) -> click.Command:
        @click.command()
        @rules_option(default)
        def show(*, rules: RuleSet | None) -> None:
            click.echo(rules.name if rules else "none")

        return show

    runner = CliRunner()
    assert runner.invoke(command("pineapple")).output == "pineapple@2026-09-22\n"
    assert runner.invoke(command(None)).output == "none\n"
    assert runner.invoke(command(None), ["--rules", "casual"]).output == "casual@2026-09-22\n"
    assert cli.FAULTY == 2
