"""The files of two commits are compared as git compares them."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.workspace.objects import Objects
from limpet.workspace.tree_changes import compare_trees, find_renames
from limpet.workspace.trees import open_tree
from tests.workspace.repositories import git, repository


def grow(top: Path) -> None:
    for name in ("a/one.py", "a/b/two.py", "three.py", "gone.py"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("".join(f"{name} line {number}\n" for number in range(20)))
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "second")
    git(top, "mv", "a/one.py", "moved.py")
    git(top, "mv", "a/b/two.py", "a/b/renamed.py")
    (top / "a/b/renamed.py").write_text((top / "a/b/renamed.py").read_text() + "one more line\n")
    (top / "gone.py").unlink()
    (top / "three.py").write_text("changed\n")
    (top / "link").symlink_to("three.py")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "third")


@pytest.mark.parametrize("packed", [False, True])
def test_two_commits_differ_as_git_says(ground: Path, packed: bool) -> None:
    top = repository(ground / "rock")
    grow(top)
    if packed:
        git(top, "gc", "-q")
    objects = Objects(str(top / ".git"))
    base_id, head = git(top, "rev-parse", "HEAD~1"), git(top, "rev-parse", "HEAD")
    base, new = open_tree(objects, base_id), open_tree(objects, head)
    assert base is not None and new is not None
    changes = compare_trees(base, new)
    # A symlink is no file whose text could be read.
    said = git(top, "diff", "--name-only", "--no-renames", base_id, head).split()
    assert [change.path for change in changes] == sorted(set(said) - {"link"})
    assert find_renames(base, new, changes) == {"a/one.py": "moved.py", "a/b/two.py": "a/b/renamed.py"}
    assert new.read("three.py") == b"changed\n" and new.read("a") is None and new.read("link") is None
    assert base.find("a/b") is not None and base.find("../a") is None and base.find("") is None
    objects.close()
