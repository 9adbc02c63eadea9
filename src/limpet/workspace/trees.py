"""Read the files of a commit without running git.

A folder is read only when it is needed. The objects of a repository may be hostile, so the depth of folders and the
number and size of files are limited.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.lean.record import record
from limpet.workspace.git import parse_commit
from limpet.workspace.history import read_commits
from limpet.workspace.objects import CONTENTS, Objects

MAX_DEPTH = 64
MOST_FILES = 200_000
MOST_COMMITS = 2_000
_FOLDER, _LINK, _MODULE = b"40000", b"120000", b"160000"


@record
class TreeEntry:
    """A file, folder, symlink or submodule in a commit."""

    id: str
    is_folder: bool = False
    is_file: bool = True
    """Whether the entry is a regular file, not a folder, symlink or submodule."""


class Tree:
    """The files and folders of one commit."""

    def __init__(self, objects: Objects, id: str) -> None:
        self._objects = objects
        self.id = id
        self._folders: dict[str, dict[str, TreeEntry]] = {}

    def find(self, path: str) -> TreeEntry | None:
        """Return the file or folder at a path relative to the root of the repository; None if there is none."""
        entry = TreeEntry(id=self.id, is_folder=True, is_file=False)
        parts = [part for part in path.split("/") if part not in ("", ".")]
        for part in parts[:MAX_DEPTH]:
            found = self.list_folder(entry.id).get(part) if entry.is_folder else None
            if found is None:
                return None
            entry = found
        return entry if parts and len(parts) <= MAX_DEPTH else None

    def read(self, path: str) -> bytes | None:
        """Return the content of the file at a path; None if there is no such file or it is too large."""
        entry = self.find(path)
        return self.read_id(entry.id) if entry is not None and entry.is_file else None

    def read_id(self, id: str) -> bytes | None:
        """Return the content of a file, given the id of its object; None if it cannot be read or is too large."""
        found = self._objects.read(id, CONTENTS)
        return found[1] if found is not None and found[0] == "blob" else None

    def walk(self) -> Iterator[tuple[str, TreeEntry]]:
        """Yield the path and the entry of every file, in no particular order."""
        waiting = [("", self.id, 0)]
        count = 0
        while waiting:
            prefix, id, depth = waiting.pop()
            for name, entry in self.list_folder(id).items():
                if entry.is_folder and depth < MAX_DEPTH:
                    waiting.append((f"{prefix}{name}/", entry.id, depth + 1))
                elif entry.is_file:
                    count += 1
                    if count > MOST_FILES:
                        return
                    yield prefix + name, entry

    def list_folder(self, id: str) -> dict[str, TreeEntry]:
        """Return the entries of the folder with this object id, by name; an empty dict if the folder cannot be read."""
        if id not in self._folders:
            found = self._objects.read(id, CONTENTS)
            self._folders[id] = _parse_tree(found[1], len(id) // 2) if found and found[0] == "tree" else {}
        return self._folders[id]


def _parse_tree(data: bytes, width: int) -> dict[str, TreeEntry]:
    entries: dict[str, TreeEntry] = {}
    at = 0
    while at < len(data):
        space, zero = data.find(b" ", at), data.find(b"\0", at)
        if not at < space < zero or zero + width >= len(data) + 1:
            return {}
        mode, name = data[at:space], data[space + 1 : zero].decode("utf-8", "surrogateescape")
        id = data[zero + 1 : zero + 1 + width].hex()
        if name not in ("", ".", "..") and "/" not in name and len(id) == 2 * width:
            entries[name] = TreeEntry(id=id, is_folder=mode == _FOLDER, is_file=mode not in (_FOLDER, _LINK, _MODULE))
        at = zero + 1 + width
    return entries


def open_tree(objects: Objects, commit: str) -> Tree | None:
    """Return the files of a commit; None if the commit or its root folder cannot be read."""
    found = objects.read(commit)
    if found is None or found[0] != "commit":
        return None
    first = found[1].partition(b"\n")[0]
    id = parse_commit(first[5:]) if first.startswith(b"tree ") else None
    tree = Tree(objects, id) if id else None
    return tree if tree is not None and objects.read(tree.id, CONTENTS) is not None else None


def find_former_files(git_directory: str, head: str, folder: str, *, most: int = MOST_COMMITS) -> dict[str, set[str]]:
    """Return the names of all files that a folder had in the history of the commit `head`, with their content ids.

    Only the newest commits are read, `most` of them, and files of commits that cannot be read are left out.
    """
    objects = Objects(git_directory)
    found: dict[str, set[str]] = {}
    seen: set[str] = set()
    try:
        for commit in read_commits(git_directory, head, most=most):
            tree = open_tree(objects, commit.id)
            entry = tree.find(folder) if tree is not None else None
            if tree is None or entry is None or entry.id in seen:
                continue
            seen.add(entry.id)
            for name, file in tree.list_folder(entry.id).items():
                found.setdefault(name, set()).add(file.id)
    finally:
        objects.close()
    return found
