"""Read and write the files that distilling changes: MEMORY.md, its manifest, and the instruction files of the hosts.

They belong to the project, which may come from anybody. Everything is checked before anything is written: a symlink, a
write-protected file or a folder in the place of a file stops the whole run with a sentence.
"""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Iterable, Mapping

from limpet import system
from limpet.errors import Refused, refuse_write
from limpet.lean.digest import sha256
from limpet.lean.record import field, mutable, record
from limpet.workspace.files import read_file

MAX_BYTES = 4 << 20
RULE = b"# Written by Limpet: which sources were read is not for the repository.\n.gitignore\n.processed\n"
_FORMAT = "# What `limpet distil` has read, one source a line."


@record
class Edit:
    """A file and its new content; `before` is None if the file does not exist yet."""

    root: str
    name: str
    before: bytes | None
    after: bytes

    @property
    def is_change(self) -> bool:
        return self.before != self.after

    @property
    def path(self) -> str:
        return os.path.join(self.root, self.name)


def read_project_file(root: str, name: str) -> bytes | None:
    """Return a file of the project that is to be changed, or None if it is missing; refuse what must be left alone."""
    folder = os.path.dirname(os.path.join(root, name))
    while len(folder) > len(root):
        if system.is_link(folder):
            raise Refused(f"{folder} is a symlink; put a plain folder in its place, nothing was written")
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise Refused(f"{folder} is not a folder; move it away, nothing was written")
        folder = os.path.dirname(folder)
    path = os.path.join(root, name)
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        _check_folder(os.path.dirname(path))
        return None
    except OSError as error:
        raise Refused(f"cannot read {path}: {error.strerror}; nothing was written") from error
    if stat.S_ISLNK(info.st_mode):
        raise Refused(f"{path} is a symlink; put a plain file in its place, nothing was written")
    if not stat.S_ISREG(info.st_mode):
        raise Refused(f"{path} is not a plain file; move it away, nothing was written")
    if info.st_size > MAX_BYTES:
        raise Refused(f"{path} has {info.st_size:,} bytes; more than {MAX_BYTES:,} are not read, nothing was written")
    if not info.st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        raise Refused(f"{path} is write-protected; allow writing or move it away, nothing was written")
    data = read_file(path, MAX_BYTES)
    if data is None:
        raise Refused(f"cannot read {path}; check its owner and mode, nothing was written")
    _check_folder(os.path.dirname(path))
    return data


def ignores_manifest(rule: bytes) -> bool:
    """Tell whether a .gitignore certainly ignores the manifest; a line with `!` makes that uncertain."""
    lines = [line.strip() for line in rule.splitlines()]
    return not any(line.startswith(b"!") for line in lines) and any(
        line in (b"*", b".processed", b"/.processed") for line in lines
    )


def _check_folder(folder: str) -> None:
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    if not os.access(folder, os.W_OK):
        raise Refused(f"cannot write to {folder}; check its owner and mode, nothing was written")


def write_edit(edit: Edit) -> None:
    """Replace a file in one step and keep its mode; a new one can be read by others, as files of a project can."""
    try:
        mode = stat.S_IMODE(os.stat(edit.path).st_mode) if edit.before is not None else 0o644
        os.makedirs(os.path.dirname(edit.path), exist_ok=True)
        system.write_atomically(edit.path, edit.after)
        os.chmod(edit.path, mode)
    except OSError as error:
        raise refuse_write(error, edit.path) from error


def show_diff(edits: Iterable[Edit]) -> str:
    """Return the changes of files as a unified diff."""
    parts: list[str] = []
    for edit in edits:
        old, new = (_split(data) for data in (edit.before or b"", edit.after))
        label = edit.name.replace(os.sep, "/")
        before = "/dev/null" if edit.before is None else f"a/{label}"
        for line in difflib.unified_diff(old, new, before, f"b/{label}", n=2):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _split(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").replace("\r\n", "\n").splitlines(keepends=True)


@mutable
class Manifest:
    """The record of earlier distilling: stashes by name and content, memories by id, and evidence for preferences."""

    stashes: dict[str, str] = field(default_factory=dict)
    memories: set[str] = field(default_factory=set)
    evidence: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)
    """The conversations for and against a preference, by the hash of its text: a purged text must leave no trace."""

    @classmethod
    def parse(cls, data: bytes | None) -> Manifest:
        """Return the manifest in a file; a line of another form is the name of a stash, as other tools write it."""
        found = cls()
        for line in (data or b"").decode("utf-8", "replace").splitlines():
            sort, _, rest = line.strip().partition(" ")
            first, _, second = rest.partition(" ")
            if sort == "stash" and second:
                found.stashes[second] = first
            elif sort == "memory" and first:
                found.memories.add(first)
            elif sort in ("for", "against") and second:
                found.evidence.setdefault(first, (set(), set()))[sort == "against"].add(second)
            elif sort and not sort.startswith("#"):
                found.stashes[os.path.basename(line.strip()).removesuffix(".md")] = ""
        return found

    def render(self) -> bytes:
        lines = [_FORMAT]
        lines += [f"stash {digest or '-'} {name}" for name, digest in sorted(self.stashes.items())]
        lines += [f"memory {id}" for id in sorted(self.memories)]
        for key, sides in sorted(self.evidence.items()):
            for sort, found in zip(("for", "against"), sides, strict=True):
                lines += [f"{sort} {key} {conversation}" for conversation in sorted(found)]
        return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")

    def find_evidence(self, text: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the conversations for and against a preference that earlier runs have found."""
        first, second = self.evidence.get(_hash(text), (set(), set()))
        return frozenset(first), frozenset(second)

    def set_evidence(self, found: Mapping[str, tuple[frozenset[str], frozenset[str]]]) -> None:
        self.evidence = {_hash(text): (set(first), set(second)) for text, (first, second) in found.items()}

    def has_stash(self, name: str, digest: str) -> bool:
        """Tell whether a stash was distilled with this content; an entry of another tool counts for any content."""
        return self.stashes.get(name) in (digest, "", "-")


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
