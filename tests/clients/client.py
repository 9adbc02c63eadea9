"""What the clients have in common: a separate home, this checkout's Limpet, and nothing of the tester's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.clients.installed import program
from tests.clients.model import Model

# Git and the clients must not find the settings of whoever runs the tests, nor ask anybody anything.
SILENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "LANG": "C.UTF-8",
    "NO_COLOR": "1",
    "TERM": "xterm-256color",
}
TIMEOUT = 120
PATIENCE = 20
"""A guard against waiting without end; no measure of speed."""

REMEMBER = """\
import json, sys
from limpet import Limpet
with Limpet() as memory:
    for text, impact in json.loads(sys.argv[1]):
        memory.remember(text, impact=impact)
"""


class Done(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Client:
    """One person's client, and the folders it is used in."""

    name: str

    def __init__(self, folder: Path, model: Model) -> None:
        self.model = model
        self.folder = Path(os.path.realpath(folder))
        self.home = self.folder / "home"
        self.limpet_home = self.home / ".limpet"
        self.home.mkdir(parents=True)
        self.project = self.make_project("shop")
        self.environment = {
            **SILENT,
            # The clients find `limpet` where a person who installed it would have it.
            "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))),
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "LIMPET_HOME": str(self.limpet_home),
        }

    def make_project(self, name: str) -> Path:
        project = self.folder / name
        project.mkdir()
        return project

    def run(self, *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Done:
        """Run the client with these arguments to its end."""
        return self._start([program(self.name), *words], cwd, env)

    def limpet(self, *words: str, cwd: Path | None = None) -> Done:
        """Run this checkout's Limpet in the same home and folder as the client."""
        return self._start([sys.executable, "-m", "limpet", *words], cwd, None)

    def remember(self, *texts: str, impact: str = "HIGH", cwd: Path | None = None) -> None:
        """Put something in the memory beforehand, without the client."""
        pairs = json.dumps([(text, impact) for text in texts])
        done = self._start([sys.executable, "-c", REMEMBER, pairs], cwd, None)
        assert done.code == 0, done

    def queue_text(self) -> str:
        """Return what the hooks have written to the queue so far, as text."""
        files = sorted((self.limpet_home / "queue").rglob("*.jsonl"))
        return "\n".join(file.read_text(encoding="utf-8") for file in files)

    def wait_for_queue(self, *words: str) -> str:
        """Return the queue as soon as one of its lines holds all the words: some hooks outlive the client."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            written = self.queue_text()
            if any(all(word in line for word in words) for line in written.splitlines()):
                return written
            time.sleep(0.02)
        raise AssertionError(f"no line with {words} in the queue:\n{self.queue_text()}")

    def logged_errors(self) -> list[dict[str, Any]]:
        """Return the errors that the hook program has logged."""
        log = self.limpet_home / "hook.log"
        rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
        return [row for row in rows if row.get("error")]

    def _start(self, command: list[str], cwd: Path | None, env: Mapping[str, str] | None) -> Done:
        done = subprocess.run(
            command,
            cwd=cwd or self.project,
            env={**self.environment, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)
