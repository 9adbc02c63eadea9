"""Make git repositories, and watch which files are opened."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from limpet.workspace import Place

GIT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
}


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments]
    return subprocess.run(command, cwd=folder, env=GIT, check=True, capture_output=True, text=True).stdout.strip()


def repository(folder: Path, origin: str | None = None, text: str = "") -> Path:
    """Make a repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    # The text of the first commit distinguishes two repositories that are made in the same second.
    (folder / "README").write_text(text or str(folder))
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    if origin is not None:
        git(folder, "remote", "add", "origin", origin)
    return folder


def kinds(place: Place) -> list[str]:
    """Return the kinds of the keys that a place has."""
    return [key.partition(":")[0] for key in place.keys]


opened: list[str] | None = None


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if opened is not None and event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], str | bytes):
        opened.append(os.fsdecode(arguments[0]))


@contextmanager
def watched() -> Iterator[list[str]]:
    """Yield the paths that are opened or listed meanwhile."""
    global opened
    if _watch not in _watching:
        _watching.append(_watch)
        sys.addaudithook(_watch)
    opened = []
    try:
        yield opened
    finally:
        opened = None


_watching: list[object] = []
