"""Read the files of a commit, and compare those of two commits, without running git.

A tree is read as far as it is asked for. Folders that two trees share have the same id and are not compared further.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator

from limpet.lean.record import record
from limpet.workspace.files import read_file
from limpet.workspace.git import is_safe_ref, parse_commit, resolve_ref
from limpet.workspace.history import read_commit
from limpet.workspace.objects import CONTENTS, Objects

_MAX_DEPTH = 64
_MOST_FILES = 200_000
_MOST_COMMITS = 50_000
_FOLDER, _LINK, _MODULE = b"40000", b"120000", b"160000"
_ALIKE = 0.6
"""Two files of which this share of lines is the same are one file with another name."""
_MOST_COMPARED = 400


@record
class Entry:
    """A file or folder in a tree."""

    id: str
    is_folder: bool = False
    is_file: bool = True
    """Whether it is a regular file, rather than a folder, a symlink or a submodule."""


@record
class FileChange:
    """A file that differs between two trees; an id is None on the side where the file does not exist."""

    path: str
    before: str | None
    after: str | None


class Tree:
    """The files of one commit."""

    def __init__(self, objects: Objects, id: str) -> None:
        self._objects = objects
        self.id = id
        self._folders: dict[str, dict[str, Entry]] = {}

    def find(self, path: str) -> Entry | None:
        """Return the file or folder at a path from the root."""
        entry = Entry(id=self.id, is_folder=True, is_file=False)
        parts = [part for part in path.split("/") if part not in ("", ".")]
        for part in parts[:_MAX_DEPTH]:
            found = self.list_folder(entry.id).get(part) if entry.is_folder else None
            if found is None:
                return None
            entry = found
        return entry if parts and len(parts) <= _MAX_DEPTH else None

    def read(self, path: str) -> bytes | None:
        """Return the content of a file; None if there is no such file, or if it is too large."""
        entry = self.find(path)
        return self.read_id(entry.id) if entry is not None and entry.is_file else None

    def read_id(self, id: str) -> bytes | None:
        """Return the content of a file by its id."""
        found = self._objects.read(id, CONTENTS)
        return found[1] if found is not None and found[0] == "blob" else None

    def walk(self) -> Iterator[tuple[str, Entry]]:
        """Yield every file with its path, in no special order."""
        waiting = [("", self.id, 0)]
        count = 0
        while waiting:
            prefix, id, depth = waiting.pop()
            for name, entry in self.list_folder(id).items():
                if entry.is_folder and depth < _MAX_DEPTH:
                    waiting.append((f"{prefix}{name}/", entry.id, depth + 1))
                elif entry.is_file:
                    count += 1
                    if count > _MOST_FILES:
                        return
                    yield prefix + name, entry

    def list_folder(self, id: str) -> dict[str, Entry]:
        """Return the entries of a folder by their names; empty if it cannot be read."""
        if id not in self._folders:
            found = self._objects.read(id, CONTENTS)
            self._folders[id] = _parse_tree(found[1], len(id) // 2) if found and found[0] == "tree" else {}
        return self._folders[id]


def _parse_tree(data: bytes, width: int) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    at = 0
    while at < len(data):
        space, zero = data.find(b" ", at), data.find(b"\0", at)
        if not at < space < zero or zero + width >= len(data) + 1:
            return {}
        mode, name = data[at:space], data[space + 1 : zero].decode("utf-8", "surrogateescape")
        id = data[zero + 1 : zero + 1 + width].hex()
        if name not in ("", ".", "..") and "/" not in name and len(id) == 2 * width:
            entries[name] = Entry(id=id, is_folder=mode == _FOLDER, is_file=mode not in (_FOLDER, _LINK, _MODULE))
        at = zero + 1 + width
    return entries


def compare_trees(base: Tree, head: Tree) -> list[FileChange]:
    """Return the files that differ between two trees, by path."""
    changes: list[FileChange] = []
    waiting: list[tuple[str, str | None, str | None, int]] = [("", base.id, head.id, 0)]
    while waiting and len(changes) <= _MOST_FILES:
        prefix, before, after, depth = waiting.pop()
        if before == after or depth > _MAX_DEPTH:
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
    """Return the new path of each file that was renamed: it has the same content elsewhere, or nearly the same."""
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
        best = max(((_share(lines, _read_lines(head, each.after)), each.path) for each in named_alike), default=(0, ""))
        if best[0] >= _ALIKE:
            renamed[change.path] = best[1]
    return renamed


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1]


def _read_lines(tree: Tree, id: str | None) -> frozenset[bytes]:
    data = tree.read_id(id) if id else None
    return frozenset(line.strip() for line in (data or b"").split(b"\n") if len(line.strip()) > 3)


def _share(one: frozenset[bytes], other: frozenset[bytes]) -> float:
    return len(one & other) / max(len(one), len(other)) if one and other else 0.0


# Commits by their names


def open_tree(objects: Objects, commit: str) -> Tree | None:
    """Return the files of a commit; None if the commit or its tree is not among the objects."""
    found = objects.read(commit)
    if found is None or found[0] != "commit":
        return None
    first = found[1].partition(b"\n")[0]
    id = parse_commit(first[5:]) if first.startswith(b"tree ") else None
    tree = Tree(objects, id) if id else None
    return tree if tree is not None and objects.read(tree.id, CONTENTS) is not None else None


def resolve_revision(objects: Objects, git_directory: str, head: str | None, name: str) -> str | None:
    """Return the commit that a name stands for: HEAD, a branch, a tag or a whole id, each also with `~N` or `^`."""
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
    """Return a name without the `~N` and `^` at its end, and how many commits these go back."""
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
    """Return the commit that an id or an annotated tag leads to."""
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
    """Return the name of the branch that others start from: what origin calls HEAD, or main or master."""
    head = (read_file(os.path.join(git_directory, "refs", "remotes", "origin", "HEAD"), 8192) or b"").strip()
    if head.startswith(b"ref: refs/remotes/") and is_safe_ref(head[5:]):
        return os.fsdecode(head[len(b"ref: refs/remotes/") :])
    for name in ("origin/main", "origin/master"):
        if resolve_ref(git_directory, f"refs/remotes/{name}".encode()):
            return name
    return next(
        (name for name in ("main", "master") if resolve_ref(git_directory, f"refs/heads/{name}".encode())), None
    )


def find_merge_base(objects: Objects, one: str, other: str) -> str | None:
    """Return the newest commit that both commits have in their history; None if there is none that can be read."""
    ancestors = {id for id, _ in _walk_back(objects, one)}
    return next((id for id, _ in _walk_back(objects, other) if id in ancestors), None)


def list_commits_between(objects: Objects, base: str, head: str) -> frozenset[str]:
    """Return the commits in the history of `head` that are not in that of `base`."""
    known = {id for id, _ in _walk_back(objects, base)}
    return frozenset(id for id, _ in _walk_back(objects, head, stop=frozenset(known)))


def _walk_back(objects: Objects, start: str, *, stop: frozenset[str] = frozenset()) -> Iterator[tuple[str, float]]:
    """Yield the commits that lead to `start`, the newest first; those in `stop` are not followed."""
    waiting, seen = [(0.0, start)], {start}
    count = 0
    while waiting and count < _MOST_COMMITS:
        age, id = heapq.heappop(waiting)
        commit = read_commit(objects, id)
        if commit is None or id in stop:
            continue
        count += 1
        yield id, age
        for parent in commit.parents:
            if parent not in seen:
                seen.add(parent)
                found = read_commit(objects, parent)
                if found is not None:
                    heapq.heappush(waiting, (-found.at.timestamp(), parent))
