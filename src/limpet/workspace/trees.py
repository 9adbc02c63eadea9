"""Look into the history of a repository for the files that a folder once had, and for moves, without running git."""

from __future__ import annotations

import os

from limpet.workspace.files import read_file
from limpet.workspace.history import read_commits
from limpet.workspace.objects import Objects

MOST_COMMITS = 2_000
_LONGEST_POINTER = 8_192


def find_former_files(git_directory: str, head: str, folder: str) -> dict[str, set[str]]:
    """Return the names that a folder ever had in the history of a commit, each with the ids of its contents.

    Only the newest commits are looked at; what cannot be read is left out.
    """
    objects = Objects(git_directory)
    found: dict[str, set[str]] = {}
    seen: set[str] = set()
    try:
        for commit in read_commits(git_directory, head, most=MOST_COMMITS):
            tree = _find_tree(objects, commit.id, folder)
            if tree is None or tree in seen:
                continue
            seen.add(tree)
            for name, id in _read_tree(objects, tree).items():
                found.setdefault(name, set()).add(id)
    finally:
        objects.close()
    return found


def measure_log(root: str) -> int:
    """Return the size of the log of what was checked out in a folder; it grows with every move to another commit."""
    dot = os.path.join(root, ".git")
    if not os.path.isdir(dot):
        name = (read_file(dot, _LONGEST_POINTER) or b"").partition(b"gitdir:")[2].strip()
        dot = os.path.join(root, os.fsdecode(name)) if name else dot
    try:
        return os.lstat(os.path.join(dot, "logs", "HEAD")).st_size
    except (OSError, ValueError):
        return 0


def _find_tree(objects: Objects, commit: str, folder: str) -> str | None:
    """Return the id of a folder in a commit; None if the commit does not have it."""
    read = objects.read(commit)
    if read is None or not read[1].startswith(b"tree "):
        return None
    id: str | None = read[1][5 : 5 + len(commit)].decode("ascii", "replace")
    for part in folder.split("/"):
        id = _read_tree(objects, id).get(part) if id else None
    return id


def _read_tree(objects: Objects, id: str) -> dict[str, str]:
    read = objects.read(id)
    if read is None or read[0] != "tree":
        return {}
    found, data, at = {}, read[1], 0
    width = len(id) // 2
    while (end := data.find(b"\0", at)) >= 0:
        name = data[at:end].partition(b" ")[2]
        at = end + 1 + width
        found[name.decode("utf-8", "replace")] = data[end + 1 : at].hex()
    return found
