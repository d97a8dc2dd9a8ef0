"""What every test may use: `--long`, Hypothesis' profiles, and the coverage floors of `./run test`."""

import sys
import threading
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests import coverage_floors


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ofc")
    group.addoption("--long", action="store_true", help="run the randomised tests for longer")
    group.addoption("--floors", action="store_true", help="fail where coverage is under its floor (with --cov)")


def pytest_configure(config: pytest.Config) -> None:
    # No deadline and no "too slow": a busy machine is not a bug.
    common = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
    settings.register_profile("ci", common, max_examples=100, stateful_step_count=30)
    settings.register_profile("long", common, max_examples=2_000, stateful_step_count=100)
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("long" if config.getoption("--long") else "ci")
    if config.getoption("--floors") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(coverage_floors.Plugin(), "coverage-floors")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Run a test marked `unmeasured` without coverage's tracer: it would take three times as long.

    pytest-cov's own `no_cover` stops one tracer of two in a worker, which coverage measures as a subprocess too.
    """
    if item.get_closest_marker("unmeasured") is None:
        return (yield)
    here, elsewhere = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        threading.settrace(elsewhere)
        sys.settrace(here)


@pytest.fixture(scope="session")
def is_long(pytestconfig: pytest.Config) -> bool:
    """Whether `--long` was given: play more matches, feed more inputs."""
    return bool(pytestconfig.getoption("--long"))
