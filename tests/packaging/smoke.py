"""Tries an installed `ofc` as a stranger would: `python smoke.py PROGRAM [ARGS]`, which make the command.

Nothing of the project is imported here: it may be installed elsewhere, for another Python.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

HAND = {
    "rules": "pineapple",
    "players": [
        {"name": "Ada", "top": "9c 8d 2s", "middle": "Ac Ad 7s 6s 3d", "bottom": "Ah Jh 8h 6h 3h"},
        {"name": "Bo", "top": "Qc Qd 4s", "middle": "Ks Kd 9s 5d 2c", "bottom": "Tc 9d 8c 7d 6c"},
    ],
}

PATIENCE_S = 120
"""How long a server may take to answer on a machine that is busy with everything else; it takes a second."""


class SmokeError(Exception):
    """It is broken."""


def run(command: Sequence[str], *args: str, given: str = "", environment: Mapping[str, str] | None = None) -> str:
    """What the command prints; anything but success is an error."""
    answer = subprocess.run(
        [*command, *args], input=given, capture_output=True, text=True, env=environment, check=False
    )
    if answer.returncode:
        message = f"{' '.join(args)} exited with {answer.returncode}: {answer.stdout}{answer.stderr}"
        raise SmokeError(message)
    return answer.stdout


@contextmanager
def serving(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Starts the server on a free port, with data of its own; its address, once it answers. Ends it after."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder, Path(folder, "said").open("w+") as said:
        options = ["--host", "127.0.0.1", "--port", str(port), "--data", str(Path(folder, "data"))]
        with subprocess.Popen(
            [*command, "serve", *options],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            env=environment,
        ) as server:
            try:
                deadline = time.monotonic() + PATIENCE_S
                while not _is_answering(url):
                    if server.poll() is not None or time.monotonic() > deadline:
                        said.seek(0)
                        message = f"the server did not come up: {said.read()}"
                        raise SmokeError(message)
                    time.sleep(0.1)
                yield url
            finally:
                server.terminate()


def _is_answering(url: str) -> bool:
    try:
        get(f"{url}/api/health")
    except urllib.error.HTTPError:
        raise
    except OSError:
        return False
    return True


def get(url: str) -> str:
    """The body of an answer with status 200; any other is an error."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # this machine needs no proxy
    with opener.open(url, timeout=PATIENCE_S) as answer:
        if answer.status != 200:
            message = f"{url} answered {answer.status}"
            raise SmokeError(message)
        body: bytes = answer.read()
        return body.decode()


def check_commands(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> None:
    """The version, the rules, and the points of a hand."""
    if "0." not in (version := run(command, "--version", environment=environment)):
        message = f"no version in {version!r}"
        raise SmokeError(message)
    if "pineapple" not in (rules := run(command, "rules", environment=environment)):
        message = f"no pineapple among the rules: {rules}"
        raise SmokeError(message)
    score = json.loads(run(command, "score", "--json", "-", given=json.dumps(HAND), environment=environment))
    points = [player["points"] for player in score["players"]]
    if points != [-4, 4]:
        message = f"the points of the hand are -4 and 4, not {points}"
        raise SmokeError(message)


def check_server(url: str) -> None:
    """Its health, and the page with all that it asks for."""
    health = json.loads(get(f"{url}/api/health"))
    if health["status"] != "ok":
        message = f"the server is not well: {health}"
        raise SmokeError(message)
    page = get(f"{url}/")
    scripts = [part.split('"')[0] for part in page.split('src="')[1:]]
    if not scripts:
        message = f"the page has no script; was it built? {page[:500]}"
        raise SmokeError(message)
    for script in scripts:
        get(f"{url}/{script.lstrip('./')}")


def main() -> None:
    """Tries everything."""
    command = [str(Path(sys.argv[1]).absolute()), *sys.argv[2:]]
    os.chdir(tempfile.gettempdir())  # away from any checkout, whose folders Python would import from
    check_commands(command)
    with serving(command) as url:
        check_server(url)
    sys.stdout.write("The installed ofc answers.\n")


if __name__ == "__main__":
    main()
