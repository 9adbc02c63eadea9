"""List, read and write the files in a repository's shared folder, `.claude/ltm/`, safely.

A repository may come from a stranger, so symlinks are never followed and all sizes are limited. Git, an editor or
another Limpet process may change the folder at any time. So a file is replaced or removed only if it still has the
expected content, and no edit is lost.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Collection, Iterator
from hashlib import sha1

from limpet import system
from limpet.errors import Refused, SymlinkRefused, Unreadable, describe_error, refuse_write
from limpet.lean.record import record
from limpet.sharing.guarded_write import ASIDE, remove_if, replace_if, write_shared_file
from limpet.system import open_regular

AGENT_FOLDER = ".claude"
LTM = f"{AGENT_FOLDER}/ltm"
MEMORIES, ARCHIVES = "memories", "archives"
"""The two folders in the shared folder: for memory files, and for memory files that were set aside."""
SUFFIX = ".md"
RESERVED = frozenset({"index", "log"})
"""File names that the Open Knowledge Format reserves for listings."""
IGNORED = ("server.json", "state.json", "stats.json")
"""The files with data about this machine, which change often. Git ignores them."""
MAX_FILE = 1_200_000
"""The maximum size of a file in bytes: enough for the longest text of a memory, its summary and its front matter."""
MOST_ENTRIES = 20_000
"""The maximum number of files and folders in a shared folder; listing more would delay the start of a session."""
_MAX_DEPTH = 3
_LONGEST_NAME = 180
_TEMPORARY = ".tmp"

_STATIC = {
    ".gitattributes": "# Written by Limpet: each line of the index is one memory, so both sides of a merge are kept.\n"
    "index.json merge=union\n",
    ".gitignore": "# Written by Limpet: these change at every use.\n"
    + "".join(f"{name}\n" for name in IGNORED)
    + "*.tmp\n",
    "index.md": '---\nokf_version: "0.2"\n---\n\n# Memories of this project\n\n'
    "* [memories](memories/) - What is known about this project, one file for each memory\n"
    "* [archives](archives/) - What was set aside\n",
    f"{MEMORIES}/index.md": "# How to read and edit\n\n"
    "* [Shared memories](../index.md) - Edit a file, add one or delete one; `limpet sync` reads the changes\n",
}
"""The files that are the same in every repository: their contents by their paths in the shared folder."""


@record
class Stamp:
    """The size and modification time of a file, from which an unchanged file is recognised without reading it."""

    size: int
    mtime_ns: int


class SharedFolder:
    """The folder `.claude/ltm` in a project, and the files in it.

    The name of a file is its path below `memories` or `archives`, without `.md`. If a method has a parameter `folder`,
    it is one of these two folders.
    """

    def __init__(self, root: str) -> None:
        self.root = root
        self.path = os.path.join(root, AGENT_FOLDER, "ltm")

    def exists(self) -> bool:
        """Tell whether the folder `.claude/ltm/memories` exists."""
        return os.path.isdir(os.path.join(self.path, MEMORIES))

    def _list_folders(self) -> list[str]:
        """Return the paths of `.claude`, `ltm`, `memories` and `archives`, whether they exist or not."""
        inner = [os.path.join(self.path, name) for name in (MEMORIES, ARCHIVES)]
        return [os.path.join(self.root, AGENT_FOLDER), self.path, *inner]

    def refuse_links(self) -> None:
        """Raise Refused if one of the folders is a symlink, which could point anywhere, or is not a folder."""
        for path in self._list_folders():
            if system.is_link(path):
                raise Refused(f"{path} is a symlink; put a plain folder in its place")
            if os.path.lexists(path) and not os.path.isdir(path):
                raise Refused(f"{path} is not a folder; move it away and run it again")

    def make(self) -> None:
        """Create the folders, and the files that every shared folder has. Files that exist already are not changed."""
        self.refuse_links()
        try:
            for name in (MEMORIES, ARCHIVES):
                os.makedirs(os.path.join(self.path, name), exist_ok=True)
            for name, text in _STATIC.items():
                if not os.path.lexists(path := os.path.join(self.path, name)):
                    write_shared_file(path, text.encode())
        except OSError as error:
            raise refuse_write(error, f"to {self.path}") from error

    def remove(self) -> list[str]:
        """Remove the files that Limpet wrote in addition to the memories, and the empty folders.

        Return the paths of the remaining files, relative to the project root.
        """
        for name in (*_STATIC, "index.json", *(each for each in IGNORED if each != "server.json")):
            path = os.path.join(self.path, name)
            if not system.is_link(path):
                with contextlib.suppress(OSError):
                    os.unlink(path)
        for folder in (os.path.join(self.path, MEMORIES), os.path.join(self.path, ARCHIVES), self.path):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        return [os.path.relpath(path, self.root) for path in system.walk_files(self.path)]

    def file_path(self, name: str, folder: str = MEMORIES) -> str:
        """Return the absolute path of a file."""
        return os.path.join(self.path, folder, *name.split("/")) + SUFFIX

    def relative_path(self, name: str, folder: str = MEMORIES) -> str:
        """Return the path of a file relative to the project root, with slashes."""
        return f"{LTM}/{folder}/{name}{SUFFIX}"

    def scan(self, folder: str = MEMORIES) -> tuple[dict[str, Stamp], dict[str, str]]:
        """Return the stamps of the files by name, and the reasons why other entries are refused by path.

        Raise OSError if a folder is a symlink, cannot be listed or has too many entries. A partial list would look as
        if files had been deleted.
        """
        for path in self._list_folders():
            if system.is_link(path):
                raise SymlinkRefused(0, "is a symlink, refusing to follow it", path)
        found: dict[str, Stamp] = {}
        refused: dict[str, str] = {}
        if not os.path.lexists(top := os.path.join(self.path, folder)):
            return found, refused
        for name, entry in _walk(top):
            if not _may_be_memory(entry):
                continue
            reason = _reason_to_refuse(name, entry)
            if reason:
                refused[name] = reason
            else:
                info = entry.stat(follow_symlinks=False)
                found[name.removesuffix(SUFFIX)] = Stamp(size=info.st_size, mtime_ns=info.st_mtime_ns)
        return dict(sorted(found.items())), dict(sorted(refused.items()))

    def read(self, name: str, folder: str = MEMORIES) -> bytes:
        """Return the content of a file; raise Unreadable if it is too large, and OSError if it cannot be read."""
        with open_regular(self.file_path(name, folder)) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_FILE:
                raise Unreadable(f"it has {size:,} bytes and {MAX_FILE:,} are allowed; move its text to another file")
            return file.read(MAX_FILE + 1)

    def read_stamp(self, name: str, folder: str = MEMORIES) -> Stamp | None:
        """Return the size and modification time of a file; None if there is no such file."""
        try:
            info = os.lstat(self.file_path(name, folder))
        except OSError:
            return None
        return Stamp(size=info.st_size, mtime_ns=info.st_mtime_ns)

    def write(self, name: str, data: bytes, *, expected: str | None, folder: str = MEMORIES) -> bool:
        """Write a file if its current content has the hash `expected`; return whether it was written.

        If `expected` is None, write the file only if it does not exist. If the file is not as expected, somebody else
        has changed it.
        """
        return replace_if(self.file_path(name, folder), data, lambda old: _is_expected(old, expected))

    def delete(self, name: str, *, expected: str, folder: str = MEMORIES) -> bool:
        """Remove a file if its current content has the hash `expected`; return whether it was removed."""
        return remove_if(self.file_path(name, folder), lambda old: _is_expected(old, expected))

    def erase(self, names: Collection[str]) -> tuple[list[str], list[tuple[str, str]]]:
        """Remove the files with these names, their temporary copies, and `index.json` and `stats.json`.

        The two JSON files are removed because they name the files; the next sync writes them again.

        Return the paths of the removed files, and a pair of path and reason for each file that could not be removed.
        """
        aside, unfinished = self.find_leftovers()
        paths = [self.file_path(name, folder) for name in names for folder in (MEMORIES, ARCHIVES)]
        paths += [*unfinished, *(path for name, path in aside if name in names)]
        paths += [os.path.join(self.path, name) for name in ("index.json", "stats.json")]
        erased: list[str] = []
        left: list[tuple[str, str]] = []
        for path in paths:
            try:
                os.unlink(path)
                erased.append(path)
            except FileNotFoundError:
                continue
            except OSError as error:
                left.append((path, describe_error(error)))
        return erased, left

    def find_leftovers(self) -> tuple[list[tuple[str, str]], list[str]]:
        """Find temporary files that killed processes have left behind.

        Return the complete ones, each as a pair of the original file's name and the temporary path, and then the paths
        of the incomplete ones.
        """
        aside: list[tuple[str, str]] = []
        unfinished: list[str] = []
        for folder in (MEMORIES, ARCHIVES):
            top = os.path.join(self.path, folder)
            for path in system.walk_files(top):
                if path.endswith(ASIDE):
                    name = os.path.relpath(path, top).replace(os.sep, "/").removesuffix(ASIDE)
                    aside.append((name.rpartition(".")[0].removesuffix(SUFFIX), path))
                elif path.endswith(_TEMPORARY):
                    unfinished.append(path)
        return aside, unfinished


def hash_content(data: bytes) -> str:
    """Return the id that git gives to a file with this content, in hexadecimal. Line endings CRLF are hashed as LF."""
    data = data.replace(b"\r\n", b"\n")
    return sha1(b"blob %d\0%b" % (len(data), data)).hexdigest()


def _is_expected(data: bytes | None, expected: str | None) -> bool:
    """Tell whether `data` has the expected hash, or whether both are None."""
    return expected is None if data is None else hash_content(data) == expected


def _walk(top: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield the path, relative to `top`, and the entry of each file below `top`.

    A folder that is hidden or nested too deep is yielded instead of its files.
    """
    waiting, count = [("", 0)], 0
    while waiting:
        inner, depth = waiting.pop()
        with os.scandir(os.path.join(top, inner)) as entries:
            for entry in entries:
                count += 1
                if count > MOST_ENTRIES:
                    raise OSError(errno.EFBIG, f"holds more than {MOST_ENTRIES:,} entries", top)
                name = f"{inner}/{entry.name}" if inner else entry.name
                if entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH and not entry.name.startswith("."):
                    waiting.append((name, depth + 1))
                else:
                    yield name, entry


def _may_be_memory(entry: os.DirEntry[str]) -> bool:
    """Tell whether an entry has a name that a memory file may have: not hidden, not reserved, and ending in `.md`."""
    is_document = entry.name.endswith(SUFFIX) and not entry.name.startswith(".")
    return is_document and entry.name.removesuffix(SUFFIX) not in RESERVED


def _reason_to_refuse(name: str, entry: os.DirEntry[str]) -> str:
    """Return why an entry must not be read, or an empty string if it may be read."""
    if entry.is_symlink():
        return "it is a symlink; put a plain file in its place"
    if not stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
        return "it is not a plain file"
    if len(name) > _LONGEST_NAME or not name.isprintable() or "\\" in name or not _is_utf8(name):
        return "its name cannot be used; give it a shorter name of plain letters"
    return ""


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
