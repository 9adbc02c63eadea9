"""Commits are found by the names that git takes, and by their place in the history."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.workspace.objects import Objects
from limpet.workspace.revisions import find_default_branch, find_merge_base, list_commits_between, resolve_revision
from tests.workspace.repositories import git, repository


def commit(top: Path, text: str) -> str:
    git(top, "commit", "-q", "--allow-empty", "-m", text)
    return git(top, "rev-parse", "HEAD")


@pytest.fixture
def forked(ground: Path) -> Path:
    """Make a repository whose branches main and side both go on after the commit with the tag v1."""
    top = repository(ground / "rock")
    commit(top, "second")
    git(top, "tag", "-a", "-m", "one", "v1")
    git(top, "checkout", "-q", "-b", "side")
    commit(top, "on the side")
    commit(top, "on the side again")
    git(top, "checkout", "-q", "main")
    commit(top, "on main")
    return top


@pytest.mark.parametrize("name", ["HEAD", "@", "HEAD~1", "HEAD^^", "side", "side~2", "v1", "v1~", "refs/heads/side"])
def test_a_name_stands_for_the_commit_that_git_says(forked: Path, name: str) -> None:
    folder, head = str(forked / ".git"), git(forked, "rev-parse", "HEAD")
    objects = Objects(folder)
    assert resolve_revision(objects, folder, head, name) == git(forked, "rev-parse", f"{name}^{{commit}}")
    objects.close()


@pytest.mark.parametrize("name", ["", "absent", "HEAD~99", "../../HEAD", "side~99999"])
def test_a_name_that_leads_nowhere_has_no_commit(forked: Path, name: str) -> None:
    folder, head = str(forked / ".git"), git(forked, "rev-parse", "HEAD")
    objects = Objects(folder)
    assert resolve_revision(objects, folder, head, name) is None
    objects.close()


def test_two_branches_meet_where_git_says(forked: Path) -> None:
    folder = str(forked / ".git")
    main, side = git(forked, "rev-parse", "main"), git(forked, "rev-parse", "side")
    assert find_merge_base(folder, main, side) == git(forked, "merge-base", "main", "side")
    assert list_commits_between(folder, main, side) == set(git(forked, "rev-list", "main..side").split())
    assert list_commits_between(folder, main, main) == set()


def test_the_default_branch_is_that_of_origin_or_main(forked: Path) -> None:
    assert find_default_branch(str(forked / ".git")) == "main"
    git(forked, "update-ref", "refs/remotes/origin/side", "side")
    git(forked, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/side")
    assert find_default_branch(str(forked / ".git")) == "origin/side"
