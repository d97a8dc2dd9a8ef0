"""A stranger's first minutes: a fresh clone on a machine with Python, git and a shell, and nothing else.

It clones what is committed. No Node, uv, compiler or browser is on the PATH; `.ci/run` is a run with them.
"""

import pytest

from tests.packaging import smoke
from tests.packaging.machine import ROOT, Machine

pytestmark = [pytest.mark.packaging, pytest.mark.xdist_group("fresh-clone")]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Not set up yet."""
    if not (ROOT / ".git").exists():
        pytest.skip("there is no repository here to clone")
    home = tmp_path_factory.mktemp("stranger")
    machine = Machine.bare(home, home / "ofc")
    machine.with_python()
    cloned = machine.run("git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(machine.folder), cwd=home)
    assert cloned.returncode == 0, cloned.stderr
    return machine


def test_two_commands_at_once_on_a_fresh_clone(clone: Machine) -> None:
    """One sets up while the other waits; both then do their work, without the test extras."""
    both = [clone.start("./run", "rules") for _ in range(2)]
    answers = [(*process.communicate(), process.returncode) for process in both]
    for stdout, stderr, status in answers:
        assert status == 0, stderr
        assert "pineapple" in stdout
        assert "Setting up" not in stdout
    assert answers[0][0] == answers[1][0]
    assert sum("Setting up" in stderr for _, stderr, _ in answers) == 1
    assert not list(clone.folder.glob(".venv/lib/python3*/site-packages/pytest"))


def test_commands_and_server(clone: Machine) -> None:
    """`./run serve` answers, and its page was built without a Node on the machine."""
    command = [str(clone.folder / "run")]
    smoke.check_commands(command, environment=clone.environment)
    with smoke.serving(command, environment=clone.environment) as url:
        smoke.check_server(url)


def test_test_command(clone: Machine) -> None:
    """`./run test` brings what the tests need and runs them."""
    answer = clone.run("./run", "test", "tests/packaging/test_hatch_build.py")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert " passed" in answer.stdout.splitlines()[-1]


def test_checks_of_the_page_need_no_node(clone: Machine) -> None:
    answer = clone.run(".venv/bin/python", "hatch_build.py", "check")
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_nothing_is_left_that_git_would_add(clone: Machine) -> None:
    assert clone.run("git", "status", "--porcelain").stdout == ""
