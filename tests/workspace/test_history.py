"""The history of a repository is read as git reads it, and a damaged or forged one ends early."""

from __future__ import annotations

import os
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from limpet.workspace.history import is_shallow, read_commits, read_tags
from tests.workspace.repositories import git, repository


def grow(top: Path) -> Path:
    """Add a branch, a merge, and tags of both kinds."""
    for number in range(6):
        git(top, "commit", "-q", "--allow-empty", "-m", f"Add step {number}\n\nBecause of reason {number}.")
    git(top, "checkout", "-q", "-b", "side", "HEAD~2")
    git(top, "commit", "-q", "--allow-empty", "-m", "Fix the side")
    git(top, "checkout", "-q", "main")
    git(top, "merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side")
    git(top, "tag", "light")
    git(top, "tag", "-a", "v1.0.0", "-m", "The first release", "HEAD~1")
    return top


def history(top: Path) -> list[str]:
    return [each.id for each in read_commits(str(top / ".git"), git(top, "rev-parse", "HEAD"))]


@pytest.mark.parametrize("packed", [False, True])
def test_every_commit_and_tag_is_read(ground: Path, packed: bool) -> None:
    top = grow(repository(ground / "rock"))
    if packed:
        git(top, "gc", "-q")
        git(top, "pack-refs", "--all")
    assert sorted(history(top)) == sorted(git(top, "rev-list", "HEAD").split())
    first = next(read_commits(str(top / ".git"), git(top, "rev-parse", "HEAD")))
    assert first.subject == "Merge branch 'side'" and len(first.parents) == 2 and first.author == "Ann"
    tags = {tag.name: (tag.commit, tag.message) for tag in read_tags(str(top / ".git"))}
    assert tags == {
        "light": (git(top, "rev-parse", "HEAD"), ""),
        "v1.0.0": (git(top, "rev-parse", "HEAD~1"), "The first release"),
    }


def test_a_message_has_a_subject_and_a_body(ground: Path) -> None:
    top = grow(repository(ground / "rock"))
    found = {each.subject: each.body for each in read_commits(str(top / ".git"), git(top, "rev-parse", "HEAD"))}
    assert found["Add step 3"] == "Because of reason 3."


def test_commits_before_a_date_are_left_out(ground: Path) -> None:
    top = grow(repository(ground / "rock"))
    start = git(top, "rev-parse", "HEAD")
    assert list(read_commits(str(top / ".git"), start, since=datetime(2999, 1, 1, tzinfo=UTC))) == []
    assert len(list(read_commits(str(top / ".git"), start, most=3))) == 3


def test_a_shallow_clone_says_so_and_ends_where_it_was_cut(ground: Path) -> None:
    top = grow(repository(ground / "rock"))
    git(ground, "clone", "-q", "--depth", "2", f"file://{top}", "cut")
    assert is_shallow(str(ground / "cut" / ".git")) and not is_shallow(str(top / ".git"))
    assert 0 < len(history(ground / "cut")) < len(history(top))


def test_a_forged_commit_ends_the_history(ground: Path) -> None:
    top = grow(repository(ground / "rock"))
    whole = history(top)
    victim = git(top, "rev-parse", "main~3")
    path = top / ".git" / "objects" / victim[:2] / victim[2:]
    os.chmod(path, 0o644)
    path.write_bytes(zlib.compress(b"commit 20\0tree x\n\nforged text"))
    left = history(top)
    assert victim not in left and 0 < len(left) < len(whole)


@pytest.mark.parametrize("start", ["", "x" * 40, "0" * 40, "../../etc/passwd"])
def test_an_unknown_start_has_no_history(ground: Path, start: str) -> None:
    top = repository(ground / "rock")
    assert list(read_commits(str(top / ".git"), start)) == []


def test_hostile_tags_are_left_out(ground: Path) -> None:
    top = repository(ground / "rock")
    tags = top / ".git" / "refs" / "tags"
    (tags / "broken").write_text("no commit\n")
    (tags / "lost").write_text("1" * 40 + "\n")
    (tags / "loop").write_text("ref: refs/tags/loop\n")
    (top / ".git" / "packed-refs").write_bytes(b"# pack-refs\n" + b"2" * 40 + b" refs/tags/../../HEAD\n\xff\xfe\n")
    assert read_tags(str(top / ".git")) == []
