"""Reports and stashes lie in a folder that git ignores and no symlink leads away from."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.errors import Refused
from limpet.insight.folder import open_private_folder, open_project_folder, write_file


def test_the_folder_is_made_once_with_a_rule_for_git(tmp_path: Path) -> None:
    folder = open_project_folder(str(tmp_path), "stash")
    assert folder.is_new and (tmp_path / ".claude" / "stash" / ".gitignore").read_text().endswith("*\n")
    assert not open_project_folder(str(tmp_path), "stash").is_new


@pytest.mark.parametrize("place", [".claude", ".claude/stash"])
def test_a_symlink_on_the_way_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="is a symlink"):
        open_project_folder(str(tmp_path), "stash")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_is_written_as_a_whole(tmp_path: Path) -> None:
    folder = open_private_folder(str(tmp_path), "reports")
    path = write_file(folder, "a.md", "one\n")
    assert folder.is_new and Path(path).read_text() == "one\n"
