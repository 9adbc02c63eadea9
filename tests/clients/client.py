"""What the clients have in common: a home of their own, this checkout's Limpet, and nothing of the tester's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
        """The client with these words, to its end."""
        return self._start([program(self.name), *words], cwd, env)

    def limpet(self, *words: str, cwd: Path | None = None) -> Done:
        """This checkout's Limpet, in the same home and folder as the client."""
        return self._start([sys.executable, "-m", "limpet", *words], cwd, None)

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
