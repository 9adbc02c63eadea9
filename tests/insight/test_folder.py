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


@pytest.mark.parametrize(
    "rule", ["!*\n", "", "# Written by Limpet: what sessions said is not for the repository.\n*\n!*\n"]
)
def test_a_rule_that_lets_git_take_up_the_files_is_refused(tmp_path: Path, rule: str) -> None:
    (tmp_path / ".claude" / "stash").mkdir(parents=True)
    (tmp_path / ".claude" / "stash" / ".gitignore").write_text(rule)
    with pytest.raises(Refused, match=r"\.gitignore was not written by Limpet.*remove it"):
        open_project_folder(str(tmp_path), "stash")
    assert (tmp_path / ".claude" / "stash" / ".gitignore").read_text() == rule


def test_a_rule_that_is_a_link_is_refused(tmp_path: Path) -> None:
    open_project_folder(str(tmp_path), "stash")
    rule = tmp_path / ".claude" / "stash" / ".gitignore"
    rule.rename(tmp_path / "rule")
    for target in (tmp_path / "rule", tmp_path / "nothing"):
        rule.symlink_to(target)
        with pytest.raises(Refused, match="was not written by Limpet"):
            open_project_folder(str(tmp_path), "stash")
        rule.unlink()


def test_a_rule_with_the_line_ends_of_windows_is_the_same_rule(tmp_path: Path) -> None:
    open_project_folder(str(tmp_path), "stash")
    rule = tmp_path / ".claude" / "stash" / ".gitignore"
    rule.write_bytes(rule.read_bytes().replace(b"\n", b"\r\n"))
    assert not open_project_folder(str(tmp_path), "stash").is_new


@pytest.mark.parametrize("place", [".claude", ".claude/stash"])
def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("mine")
    with pytest.raises(Refused, match="is not a folder; move it away") as error:
        open_project_folder(str(tmp_path), "stash")
    assert str(tmp_path / place) + " is" in str(error.value)


def test_a_file_is_written_as_a_whole(tmp_path: Path) -> None:
    folder = open_private_folder(str(tmp_path), "reports")
    path = write_file(folder, "a.md", "one\n")
    assert folder.is_new and Path(path).read_text() == "one\n"
