"""The history of a repository says which files a folder once had, loose or packed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from limpet.workspace.trees import find_former_files


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_deleted_file_is_found_with_all_it_once_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_packed: bool
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)

    def git(*words: str) -> str:
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        return subprocess.run(
            ["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-q", "-b", "main")
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    ids = set()
    for text in ("one", "two"):
        (folder / "x.md").write_text(text)
        (folder / "y.md").write_text("y")
        git("add", "-A")
        git("commit", "-q", "-m", text)
        ids.add(git("hash-object", "a/b/x.md"))
    git("rm", "-q", "a/b/x.md")
    git("commit", "-q", "-m", "gone")
    if is_packed:
        git("gc", "-q")
    found = find_former_files(str(tmp_path / ".git"), git("rev-parse", "HEAD"), "a/b")
    assert found == {"x.md": ids, "y.md": {git("hash-object", "a/b/y.md")}}


def test_without_a_history_nothing_is_found(tmp_path: Path) -> None:
    assert find_former_files(str(tmp_path), "0" * 40, "a") == {}
