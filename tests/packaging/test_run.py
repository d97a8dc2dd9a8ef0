"""When `./run` sets up, with what, and that it leaves the command it runs alone.

Here a stand-in for uv makes the venv, at once and from nothing; `test_fresh_clone.py` does it for real.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packaging.machine import ROOT, Machine, real_python

UV = """
set -e
echo "$*" >>"$LOG"
if [ "$1" = venv ]; then
    mkdir -p .venv/bin
    ln -s "$REAL_PYTHON" .venv/bin/python
    exit
fi
case ${UV_WILL-} in
fail) exit 3 ;;
vanish) kill -9 "$PPID" && exit 3 ;;
wait) while [ ! -e "$GO" ]; do :; done ;;
edit) echo '# edited meanwhile' >>pyproject.toml ;;
esac
echo "uv says this on standard output"
if [ -z "${OFC_SKIP_UI-}" ]; then
    mkdir -p src/ofc/web/static
    : >src/ofc/web/static/index.html
    : >src/ofc/web/static/.stamp
fi
printf '#!/bin/sh\\necho "ofc $*"; pwd; cat; exit "${OFC_EXITS-0}"\\n' >.venv/bin/ofc
chmod +x .venv/bin/ofc
"""


@dataclass(frozen=True)
class Checkout:
    """A folder with the script and a little of the project, on a machine with the stand-in."""

    machine: Machine
    log: Path

    @property
    def folder(self) -> Path:
        return self.machine.folder

    @property
    def run(self) -> str:
        return str(self.folder / "run")

    def uv_calls(self) -> list[str]:
        """What uv was asked for since the last time: `venv`, `base`, `test`."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return ["venv" if line.startswith("venv") else "test" if "[test]" in line else "base" for line in lines]

    def set_up(self) -> None:
        answer = self.machine.run(self.run, "score")
        assert answer.returncode == 0, answer.stderr
        self.uv_calls()


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    folder = tmp_path / "a folder"
    (folder / "ui/src").mkdir(parents=True)
    (folder / "ui/node_modules/vite").mkdir(parents=True)
    for name in ("run", "pyproject.toml", "constraints.txt", "hatch_build.py"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "ui/package.json").write_text("{}")
    (folder / "ui/src/main.ts").write_text("start()")
    machine = Machine.bare(tmp_path, folder)
    machine.with_program("uv", UV)
    log = tmp_path / "log"
    machine.variables.update(LOG=str(log), REAL_PYTHON=real_python(), GO=str(tmp_path / "go"))
    return Checkout(machine, log)


def test_input_output_and_status_are_the_commands_own(checkout: Checkout) -> None:
    """Also at the first start, when everything is set up before it."""
    for _ in range(2):
        answer = checkout.machine.run(checkout.run, "score", "-", "a b", given="9c 8d 2s", OFC_EXITS="7")
        assert answer.stdout == f"ofc score - a b\n{checkout.folder}\n9c 8d 2s"
        assert answer.returncode == 7
    assert checkout.uv_calls() == ["venv", "base"]


def test_set_up_speaks_on_standard_error_and_only_when_there_is_something_to_do(checkout: Checkout) -> None:
    assert "Setting up" in checkout.machine.run(checkout.run, "score").stderr
    assert checkout.machine.run(checkout.run, "score").stderr == ""


def test_files_are_named_from_where_the_caller_stands(checkout: Checkout, tmp_path: Path) -> None:
    answer = checkout.machine.run(checkout.run, "score", "hand.json", cwd=tmp_path)
    assert answer.stdout == f"ofc score hand.json\n{tmp_path}\n"


def test_test_extras_come_with_the_first_test_only(checkout: Checkout) -> None:
    checkout.set_up()
    checkout.machine.run(checkout.run, "test", "tests/unit")
    assert checkout.uv_calls() == ["test"]
    checkout.machine.run(checkout.run, "score")
    checkout.machine.run(checkout.run, "check")
    assert checkout.uv_calls() == []


def _append(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_text((path.read_text() if path.exists() else "") + "\n# edited")

    return edit


def _remove(name: str) -> Callable[[Path], None]:
    return lambda folder: shutil.rmtree(folder / name)


def _unlink(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_append("pyproject.toml"), id="pyproject edited"),
        pytest.param(_append("constraints.txt"), id="constraints edited"),
        pytest.param(_append("hatch_build.py"), id="build hook edited"),
        pytest.param(_append("ui/src/main.ts"), id="page edited"),
        pytest.param(_append("ui/src/new file.ts"), id="page gained a file"),
        pytest.param(_unlink("ui/src/main.ts"), id="page lost a file"),
        pytest.param(_append("ui/.npmrc"), id="npm's settings edited"),
        pytest.param(_remove("src/ofc/web/static"), id="built page deleted"),
        pytest.param(_unlink("src/ofc/web/static/.stamp"), id="build of the page cut off"),
        pytest.param(_unlink(".venv/bin/ofc"), id="command deleted"),
    ],
)
def test_change_is_noticed_once(checkout: Checkout, change: Callable[[Path], None]) -> None:
    checkout.set_up()
    change(checkout.folder)
    for expected in (["base"], []):
        assert checkout.machine.run(checkout.run, "score").returncode == 0
        assert checkout.uv_calls() == expected


@pytest.mark.parametrize("name", ["ui/node_modules/vite/index.js", "ui/src/.main.ts.swp", "src/ofc/cards.py"])
def test_what_tools_leave_and_editable_code_need_no_set_up(checkout: Checkout, name: str) -> None:
    checkout.set_up()
    _append(name)(checkout.folder)
    checkout.machine.run(checkout.run, "score")
    assert checkout.uv_calls() == []


def test_set_up_that_was_cut_off_starts_afresh(checkout: Checkout) -> None:
    assert checkout.machine.run(checkout.run, "score", UV_WILL="vanish").returncode != 0
    assert checkout.uv_calls() == ["venv", "base"]
    half_installed = checkout.folder / ".venv/half"
    half_installed.touch()
    assert checkout.machine.run(checkout.run, "score").returncode == 0
    assert checkout.uv_calls() == ["venv", "base"]
    assert not half_installed.exists()


def test_set_up_that_failed_says_so_and_is_tried_again(checkout: Checkout) -> None:
    answer = checkout.machine.run(checkout.run, "score", UV_WILL="fail")
    assert (answer.returncode, answer.stdout) == (1, "")
    assert "The set-up failed" in answer.stderr
    assert checkout.uv_calls() == ["venv", "base"]
    assert checkout.machine.run(checkout.run, "score").returncode == 0
    assert checkout.uv_calls() == ["base"]


def test_edit_during_set_up_is_noticed_at_the_next_start(checkout: Checkout) -> None:
    checkout.machine.run(checkout.run, "score", UV_WILL="edit")
    checkout.uv_calls()
    checkout.machine.run(checkout.run, "score")
    assert checkout.uv_calls() == ["base"]


def test_venv_whose_python_vanished_is_made_anew(checkout: Checkout) -> None:
    checkout.set_up()
    python = checkout.folder / ".venv/bin/python"
    python.unlink()
    python.symlink_to("no-such-python")
    assert checkout.machine.run(checkout.run, "score").returncode == 0
    assert checkout.uv_calls() == ["venv", "base"]


def test_moved_folder_gets_a_new_venv(checkout: Checkout, tmp_path: Path) -> None:
    checkout.set_up()
    moved = checkout.folder.rename(tmp_path / "elsewhere")
    answer = checkout.machine.run(str(moved / "run"), "score", cwd=moved)
    assert answer.stdout.startswith("ofc score")
    assert checkout.uv_calls() == ["venv", "base"]


def test_another_python_gets_a_new_venv(checkout: Checkout) -> None:
    checkout.set_up()
    assert checkout.machine.run(checkout.run, "score", PYTHON=real_python()).returncode == 0
    assert checkout.uv_calls() == []
    checkout.machine.with_program(
        "python3.99", f'case $* in *base_prefix*) echo 3.99 ;; *) exec {real_python()} "$@" ;; esac\n'
    )
    checkout.machine.run(checkout.run, "score", PYTHON="python3.99")
    assert checkout.uv_calls() == ["venv", "base"]


def test_page_can_be_left_out_and_is_built_when_next_wanted(checkout: Checkout) -> None:
    built = checkout.folder / "src/ofc/web/static/index.html"
    for _ in range(2):
        assert checkout.machine.run(checkout.run, "score", OFC_SKIP_UI="1").returncode == 0
        assert not built.exists()
        _append("ui/src/main.ts")(checkout.folder)
    assert checkout.uv_calls() == ["venv", "base"]
    checkout.machine.run(checkout.run, "serve")
    assert checkout.uv_calls() == ["base"]
    assert built.exists()


@pytest.mark.parametrize("locker", ["flock", "python3"])
def test_two_at_once_set_up_once(checkout: Checkout, tmp_path: Path, locker: str) -> None:
    if locker == "python3":
        checkout.machine.with_python()
    else:
        place = shutil.which("flock")
        if place is None:
            pytest.skip("this machine has no flock; the other parameter shows the way without")
        (checkout.machine.programs / "flock").symlink_to(place)
    both = [checkout.machine.start(checkout.run, "score", UV_WILL="wait") for _ in range(2)]
    (tmp_path / "go").touch()
    for process in both:
        stdout, stderr = process.communicate()
        assert process.returncode == 0, stderr
        assert stdout.startswith("ofc score")
    assert checkout.uv_calls() == ["venv", "base"]


class TestBrowser:
    """`./run test` gets the browser that the tests drive, and only when they are among what is run."""

    PYTHON = """
case "$1 $2" in
"-m pytest") shift 2 && echo "pytest $*" ;;
"-m playwright") echo "$*" >>"$LOG" && eval "$PLAYWRIGHT" ;;
*) exec {python} "$@" ;;
esac
"""

    @pytest.fixture
    def checkout(self, checkout: Checkout) -> Checkout:
        """Python answers for pytest and Playwright, neither of which is there."""
        checkout.machine.with_program("python", self.PYTHON.format(python=real_python()))
        checkout.machine.variables.update(
            REAL_PYTHON=str(checkout.machine.programs / "python"),
            CHROMIUM_TO_BE=str(checkout.machine.programs / "chromium"),
            PLAYWRIGHT="exit 1",
        )
        (checkout.folder / "tests/web").mkdir(parents=True)
        shutil.copy(ROOT / "tests/web/chromium.py", checkout.folder / "tests/web")
        checkout.machine.run(checkout.run, "test", "tests/unit")
        checkout.log.unlink()
        return checkout

    INSTALL = 'echo "#!/bin/sh" >"$CHROMIUM_TO_BE" && chmod +x "$CHROMIUM_TO_BE"'

    def be_user(self, machine: Machine, number: int) -> None:
        (machine.programs / "id").unlink()
        machine.with_program("id", f"echo {number}\n")

    def test_root_gets_it_from_apt(self, checkout: Checkout) -> None:
        self.be_user(checkout.machine, 0)
        checkout.machine.with_program("apt-get", f'echo "$*" >>"$LOG"\ncase $* in *install*) {self.INSTALL} ;; esac\n')
        answer = checkout.machine.run(checkout.run, "test", "tests/web")
        assert answer.stdout == "pytest tests/web\n"
        assert checkout.log.read_text().splitlines() == [
            "update -qq",
            "install -qq -y --no-install-recommends chromium-headless-shell",
        ]

    def test_root_gets_the_whole_where_there_is_no_shell(self, checkout: Checkout) -> None:
        self.be_user(checkout.machine, 0)
        answers = f'echo "$*" >>"$LOG"\ncase $* in *shell) exit 100 ;; *install*) {self.INSTALL} ;; esac\n'
        checkout.machine.with_program("apt-get", answers)
        answer = checkout.machine.run(checkout.run, "test", "tests/web")
        assert answer.stdout == "pytest tests/web\n"
        assert [line.rpartition(" ")[2] for line in checkout.log.read_text().splitlines()] == [
            "-qq",
            "chromium-headless-shell",
            "chromium",
        ]

    def test_others_get_it_from_playwright(self, checkout: Checkout) -> None:
        self.be_user(checkout.machine, 1000)
        answer = checkout.machine.run(checkout.run, "test", "tests/web", PLAYWRIGHT=self.INSTALL)
        assert answer.stdout == "pytest tests/web\n"
        assert checkout.log.read_text() == "-m playwright install chromium\n"

    def test_where_neither_works_it_is_said_what_to_install(self, checkout: Checkout) -> None:
        self.be_user(checkout.machine, 1000)
        answer = checkout.machine.run(checkout.run, "test", "tests/web")
        assert (answer.returncode, answer.stdout) == (1, "")
        assert "Install it (on Debian: apt-get install chromium), or set CHROMIUM" in answer.stderr

    def test_one_that_is_there_is_taken(self, checkout: Checkout) -> None:
        checkout.machine.with_program("chromium", "")
        assert checkout.machine.run(checkout.run, "test", "tests/web").stdout == "pytest tests/web\n"
        assert not checkout.log.exists()

    def test_named_one_is_taken(self, checkout: Checkout) -> None:
        checkout.machine.with_program("my-chromium", "")
        answer = checkout.machine.run(
            checkout.run, "test", "tests/web", CHROMIUM=str(checkout.machine.programs / "my-chromium")
        )
        assert answer.stdout == "pytest tests/web\n"

    def test_other_tests_need_none(self, checkout: Checkout) -> None:
        answer = checkout.machine.run(checkout.run, "test", "tests/unit", "-k", "a b")
        assert answer.stdout == "pytest tests/unit -k a b\n"
        assert not checkout.log.exists()


class TestWithoutUv:
    """Python's own venv and pip do the work; what can go wrong before they start is said."""

    @pytest.fixture
    def machine(self, checkout: Checkout) -> Machine:
        (checkout.machine.programs / "uv").unlink()
        return checkout.machine

    def test_old_python(self, machine: Machine) -> None:
        machine.with_program("python3", "exit 1\n")
        answer = machine.run("./run", "score")
        assert (answer.returncode, answer.stdout) == (1, "")
        assert "Python 3.11 or newer is needed" in answer.stderr

    def test_named_python_is_the_only_one_tried(self, machine: Machine) -> None:
        machine.with_python()
        answer = machine.run("./run", "score", PYTHON="python2")
        assert answer.returncode == 1
        assert "PYTHON=python2 is not" in answer.stderr

    def test_python_without_venv(self, machine: Machine) -> None:
        machine.with_program("python3", f'case $* in *ensurepip*) exit 1 ;; *) exec {real_python()} "$@" ;; esac\n')
        answer = machine.run("./run", "score")
        assert (answer.returncode, answer.stdout) == (1, "")
        assert "apt-get install python3-venv" in answer.stderr
