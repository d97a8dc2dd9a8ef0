"""A bare machine for the packaging tests: a PATH of a few basic programs, and hardly a variable set."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BASIC_PROGRAMS = (
    *("sh", "env", "git", "uname"),  # npm's scripts start with /usr/bin/env
    *(
        "cat",
        "chmod",
        "cksum",
        "cp",
        "dirname",
        "find",
        "grep",
        "id",
        "ln",
        "ls",
        "mkdir",
        "mv",
        "rm",
        "sort",
    ),
)
"""What ./run may count on: POSIX and git. No Node, no uv, no compiler, no browser, no flock."""

KEPT_VARIABLES = ("HOME", "LANG", "TMPDIR", "NODE_EXTRA_CA_CERTS")
KEPT_PREFIXES = (
    "PIP_",
    "SSL_",
    "REQUESTS_",
    "npm_config_",
    "NPM_CONFIG_",
    "HTTP",
    "http",
    "NO_PROXY",
    "no_proxy",
)
"""How this machine reaches its package registries. Coverage's and pytest's own variables stay behind."""


def real_python() -> str:
    """The interpreter itself, not a venv's link to it nor a version manager's shim."""
    return str(Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}").resolve())


@dataclass(frozen=True)
class Machine:
    """Runs commands in `folder` with only the programs of `programs` on the PATH."""

    programs: Path
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    @classmethod
    def bare(cls, home: Path, folder: Path) -> "Machine":
        programs = home / "bin"
        programs.mkdir()
        for name in BASIC_PROGRAMS:
            place = shutil.which(name)
            assert place, f"this machine has no {name}"
            (programs / name).symlink_to(place)
        return cls(programs, folder)

    def with_program(self, name: str, script: str) -> None:
        """Adds a program, a shell script."""
        program = self.programs / name
        program.write_text(f"#!/bin/sh\n{script}")
        program.chmod(0o755)

    def with_python(self) -> None:
        self.with_program("python3", f'exec {real_python()} "$@"\n')

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if name in KEPT_VARIABLES or name.startswith(KEPT_PREFIXES)
        }
        return {**kept, "PATH": str(self.programs), **self.variables}

    def start(self, *command: str, cwd: Path | None = None, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            cwd=cwd or self.folder,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(
        self, *command: str, given: str = "", cwd: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=cwd or self.folder,
            env={**self.environment, **variables},
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
