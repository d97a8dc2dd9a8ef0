"""Fails a test run whose coverage, lines and branches together, is under its floor."""

import io
import tomllib
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

REST_PERCENT = 95.0
"""The floor of everything but floors 1 to 3, which are covered whole."""


def modules_of_floors_1_to_3() -> list[str]:
    """The lowest layers of import-linter's contract, tournaments and below."""
    pyproject = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    layers = [
        [module.strip("()") for module in layer.split(" | ")]
        for layer in pyproject["tool"]["importlinter"]["contracts"][0]["layers"]
    ]
    highest = next(index for index, layer in enumerate(layers) if "tournament" in layer)
    return [module for layer in layers[highest:] for module in layer]


class Plugin:
    """Looks at the data that pytest-cov has combined, once the tests have run."""

    def __init__(self) -> None:
        self._said = io.StringIO()
        self._faults: list[str] = []

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        result = yield
        if not session.config.getoption("collectonly"):
            whole = [f"*/ofc/{name}{end}" for name in modules_of_floors_1_to_3() for end in (".py", "/*")]
            self._check("Floors 1 to 3", floor=100.0, include=whole)
            self._check("The rest", floor=REST_PERCENT, omit=whole)
            session.testsfailed += len(self._faults)
        return result

    def _check(
        self, title: str, *, floor: float, include: list[str] | None = None, omit: list[str] | None = None
    ) -> None:
        data = coverage.Coverage()
        data.load()
        self._said.write(f"{title}:\n")
        try:
            percent = data.report(include=include, omit=omit, file=self._said)
        except coverage.exceptions.NoDataError:
            self._faults.append(f"{title}: nothing was measured")
            return
        if percent < floor:
            self._faults.append(f"{title}: coverage is {percent:.2f} %, under its floor of {floor:.0f} %")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("coverage")
        terminalreporter.write_line(self._said.getvalue())
        for fault in self._faults:
            terminalreporter.write_line(fault, red=True)
