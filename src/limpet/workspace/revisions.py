"""Find commits by names such as `main~2`, and compare the histories of two commits, without running git."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.workspace.files import read_file
from limpet.workspace.git import is_safe_ref, parse_commit, resolve_ref
from limpet.workspace.history import Commit, read_commit, read_commits
from limpet.workspace.objects import Objects

_MOST_COMMITS = 50_000


def resolve_revision(objects: Objects, git_directory: str, head: str | None, name: str) -> str | None:
    """Return the id of the commit that a revision name refers to; None if there is no such commit.

    A name is HEAD, a branch, a tag or a full id, optionally followed by `~N` or `^`. `head` is the current commit.
    """
    name, up = _split_ancestor(name)
    found = parse_commit(name.encode("ascii", "replace"))
    if name in ("HEAD", "@"):
        found = head
    elif found is None:
        refs = (name, f"refs/heads/{name}", f"refs/tags/{name}", f"refs/remotes/{name}", f"refs/remotes/{name}/HEAD")
        usable = (os.fsencode(ref) for ref in refs if is_safe_ref(os.fsencode(ref)))
        found = next((id for ref in usable if (id := resolve_ref(git_directory, ref))), None)
    commit = _peel(objects, found) if found else None
    for _ in range(up):
        read = read_commit(objects, commit) if commit else None
        commit = read.parents[0] if read is not None and read.parents else None
    return commit


def _split_ancestor(name: str) -> tuple[str, int]:
    """Split `~N` and `^` from the end of a name; return the rest of the name, and the number of commits to go back."""
    up = 0
    while True:
        bare, tilde, digits = name.rpartition("~")
        if name.endswith("^"):
            name, up = name[:-1], up + 1
        elif tilde and (not digits or (digits.isdigit() and len(digits) < 5)):
            name, up = bare, up + int(digits or 1)
        else:
            return name, up


def _peel(objects: Objects, id: str) -> str | None:
    """Return the id of the commit that an id refers to, directly or through annotated tags; None if there is none."""
    for _ in range(5):
        found = objects.read(id)
        if found is None:
            return None
        if found[0] == "commit":
            return id
        target = next((line[7:] for line in found[1].splitlines() if line.startswith(b"object ")), b"")
        following = parse_commit(target)
        if following is None:
            return None
        id = following
    return None


def find_default_branch(git_directory: str) -> str | None:
    """Return the default branch: the one that origin's HEAD names, or else main or master, of origin or local.

    The result is a name such as `origin/main` or `main`; None if no such branch is found.
    """
    head = (read_file(os.path.join(git_directory, "refs", "remotes", "origin", "HEAD"), 8192) or b"").strip()
    if head.startswith(b"ref: refs/remotes/") and is_safe_ref(head[5:]):
        return os.fsdecode(head[len(b"ref: refs/remotes/") :])
    for name in ("origin/main", "origin/master"):
        if resolve_ref(git_directory, f"refs/remotes/{name}".encode()):
            return name
    return next(
        (name for name in ("main", "master") if resolve_ref(git_directory, f"refs/heads/{name}".encode())), None
    )


def find_merge_base(git_directory: str, one: str, other: str) -> str | None:
    """Return the id of the newest commit that the histories of both commits contain; None if there is none."""
    ancestors = {commit.id for commit in _read_history(git_directory, one)}
    return next((commit.id for commit in _read_history(git_directory, other) if commit.id in ancestors), None)


def list_commits_between(git_directory: str, base: str, head: str) -> frozenset[str]:
    """Return the ids of the commits in the history of `head` that are not in the history of `base`."""
    known = frozenset(commit.id for commit in _read_history(git_directory, base))
    return frozenset(commit.id for commit in read_commits(git_directory, head, stop=known, most=_MOST_COMMITS))


def _read_history(git_directory: str, start: str) -> Iterator[Commit]:
    return read_commits(git_directory, start, most=_MOST_COMMITS)
