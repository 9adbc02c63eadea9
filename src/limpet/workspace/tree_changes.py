"""Compare the files of two commits without running git."""

from __future__ import annotations

import os

from limpet.lean.record import record
from limpet.workspace.trees import MAX_DEPTH, MOST_FILES, Tree

_ALIKE = 0.6
"""The minimum share of common lines that a removed file and a new file must have to count as one renamed file."""
_MOST_COMPARED = 400


@record
class FileChange:
    """A file that differs between two commits: its path, and the id of its content before and after.

    An id is None if the commit does not have the file.
    """

    path: str
    before: str | None
    after: str | None


def compare_trees(base: Tree, head: Tree) -> list[FileChange]:
    """Return the files that differ between two commits, sorted by path."""
    changes: list[FileChange] = []
    waiting: list[tuple[str, str | None, str | None, int]] = [("", base.id, head.id, 0)]
    while waiting and len(changes) <= MOST_FILES:
        prefix, before, after, depth = waiting.pop()
        # Folders with the same id have the same content.
        if before == after or depth > MAX_DEPTH:
            continue
        old = base.list_folder(before) if before else {}
        new = head.list_folder(after) if after else {}
        for name in {**old, **new}:
            one, other = old.get(name), new.get(name)
            if one == other:
                continue
            path = prefix + name
            if (one and one.is_folder) or (other and other.is_folder):
                sides = (one.id if one and one.is_folder else None, other.id if other and other.is_folder else None)
                waiting.append((f"{path}/", *sides, depth + 1))
            files = (one.id if one and one.is_file else None, other.id if other and other.is_file else None)
            if any(files):
                changes.append(FileChange(path=path, before=files[0], after=files[1]))
    return sorted(changes, key=lambda change: change.path)


def find_renames(base: Tree, head: Tree, changes: list[FileChange]) -> dict[str, str]:
    """Return the new path of each renamed file, by its old path.

    A file was renamed if it was removed and a new file has the same or nearly the same content.
    """
    gone = [change for change in changes if change.before and not change.after]
    new = [change for change in changes if change.after and not change.before]
    by_id: dict[str, list[str]] = {}
    for change in new:
        by_id.setdefault(change.after or "", []).append(change.path)
    renamed = {change.path: min(by_id[change.before]) for change in gone if change.before in by_id}
    for change in gone[:_MOST_COMPARED]:
        if change.path in renamed:
            continue
        lines = _read_lines(base, change.before)
        named_alike = [each for each in new if _suffix(each.path) == _suffix(change.path)][:_MOST_COMPARED]
        best = max(
            ((_measure_likeness(lines, _read_lines(head, each.after)), each.path) for each in named_alike),
            default=(0, ""),
        )
        if best[0] >= _ALIKE:
            renamed[change.path] = best[1]
    return renamed


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1]


def _read_lines(tree: Tree, id: str | None) -> frozenset[bytes]:
    data = tree.read_id(id) if id else None
    return frozenset(line.strip() for line in (data or b"").split(b"\n") if len(line.strip()) > 3)


def _measure_likeness(one: frozenset[bytes], other: frozenset[bytes]) -> float:
    return len(one & other) / max(len(one), len(other)) if one and other else 0.0
