"""The shared folder is listed and read without following anything out of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet.errors import Refused, SymlinkRefused, Unreadable
from limpet.sharing.shared_folder import SharedFolder, hash_content


@pytest.fixture
def folder(tmp_path: Path) -> SharedFolder:
    made = SharedFolder(str(tmp_path))
    made.make()
    return made


def test_only_documents_are_listed(folder: SharedFolder) -> None:
    place = Path(folder.path, "memories")
    (place / "sub").mkdir()
    for name in ("a.md", "sub/b.md", ".hidden.md", "notes.txt", "c.md.1.tmp", "log.md"):
        (place / name).write_text("x")
    found, refused = folder.scan()
    assert (set(found), refused) == ({"a", "sub/b"}, {})


def test_what_is_no_plain_file_is_refused(folder: SharedFolder, tmp_path: Path) -> None:
    place = Path(folder.path, "memories")
    os.symlink("/etc/passwd", place / "link.md")
    os.mkfifo(place / "pipe.md")
    (place / "folder.md").mkdir()
    (place / ("n" * 200 + ".md")).write_text("x")
    found, refused = folder.scan()
    assert found == {}
    assert set(refused) == {"link.md", "pipe.md", "n" * 200 + ".md"}


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".claude" / "ltm").mkdir(parents=True)
    os.symlink("/tmp", tmp_path / ".claude" / "ltm" / "memories")
    with pytest.raises(Refused, match="symlink"):
        SharedFolder(str(tmp_path)).refuse_links()


def test_a_large_file_is_not_read(folder: SharedFolder) -> None:
    Path(folder.file_path("a")).write_bytes(b"x" * 2_000_000)
    with pytest.raises(Unreadable, match="2,000,000 bytes"):
        folder.read("a")


def test_a_content_has_the_hash_that_git_gives_it_whatever_its_line_ends() -> None:
    assert hash_content(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"
    assert hash_content(b"hello\r\n") == hash_content(b"hello\n")


def test_a_rule_that_somebody_changed_stays(folder: SharedFolder) -> None:
    rule = Path(folder.path, ".gitignore")
    rule.write_text("mine\n")
    folder.make()
    assert rule.read_text() == "mine\n"


def test_a_folder_that_leads_elsewhere_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".claude" / "ltm").mkdir(parents=True)
    os.symlink("/", tmp_path / ".claude" / "ltm" / "memories")

    def refuse(path: object) -> None:
        raise AssertionError(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(SymlinkRefused):
        SharedFolder(str(tmp_path)).scan()


def test_a_folder_with_too_many_entries_is_not_half_listed(
    folder: SharedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limpet.sharing.shared_folder.MOST_ENTRIES", 5)
    for number in range(6):
        (Path(folder.path, "memories", f"{number}.md")).write_text("x")
    with pytest.raises(OSError, match="more than 5 entries"):
        folder.scan()
