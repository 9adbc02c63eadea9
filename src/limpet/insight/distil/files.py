"""Read and write the files that `limpet distil` changes: MEMORY.md, its manifest, and instruction files of hosts.

The manifest is the file `.processed`, which lists what was distilled before. The files belong to the project, which may
come from a stranger. So all of them are checked before any is written: if a file is a symlink or a folder, or is
write-protected, the whole run is refused.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping

from limpet import system
from limpet.errors import Refused, Untouchable
from limpet.lean.digest import sha256
from limpet.lean.record import field, mutable, record
from limpet.workspace.replacing import check_folder, read_bytes, write

MAX_BYTES = 4 << 20
RULE = b"# Written by Limpet: which sources were read is not for the repository.\n.gitignore\n.processed\n"
"""The content of the `.gitignore` beside the manifest."""
_FORMAT = "# What `limpet distil` has read, one source a line."


@record
class Edit:
    """A change to the content of a file."""

    root: str
    name: str
    """The path of the file below `root`."""
    before: bytes | None
    """The current content; None if the file does not exist yet."""
    after: bytes

    @property
    def is_change(self) -> bool:
        return self.before != self.after

    @property
    def path(self) -> str:
        return os.path.join(self.root, self.name)


def read_project_file(root: str, name: str) -> bytes | None:
    """Read a file of the project that is to be changed; return None if it does not exist.

    Raise Refused if it cannot or must not be changed: it is write-protected, too large, or not a plain file, or it is a
    symlink or below one.
    """
    folder = os.path.dirname(os.path.join(root, name))
    while len(folder) > len(root):
        if system.is_link(folder):
            raise Refused(f"{folder} is a symlink; put a plain folder in its place, nothing was written")
        if os.path.lexists(folder) and not os.path.isdir(folder):
            raise Refused(f"{folder} is not a folder; move it away, nothing was written")
        folder = os.path.dirname(folder)
    path = os.path.join(root, name)
    try:
        data = read_bytes(path, limit=MAX_BYTES)
        check_folder(os.path.dirname(path))
        return data
    except Untouchable as error:
        raise Refused(f"{path} {error}; nothing was written") from error


def ignores_manifest(rule: bytes) -> bool:
    """Tell whether a `.gitignore` with this content certainly ignores the manifest.

    Return False if a line begins with `!`, because it could make git include the manifest.
    """
    lines = [line.strip() for line in rule.splitlines()]
    return not any(line.startswith(b"!") for line in lines) and any(
        line in (b"*", b".processed", b"/.processed") for line in lines
    )


def write_edit(edit: Edit) -> None:
    """Write the new content of a file atomically and keep its mode; a new file gets the mode 644."""
    try:
        write(edit.path, edit.after, shared=True)
    except Untouchable as error:
        raise Refused(f"{edit.path} {error}; check its owner and mode, and the free space") from error


def show_diff(edits: Iterable[Edit]) -> str:
    """Return edits as a unified diff."""
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
    """The record of what was distilled before."""

    stashes: dict[str, str] = field(default_factory=dict)
    """The hashes of the distilled stashes by name; an empty string or `-` for entries without a hash."""
    memories: set[str] = field(default_factory=set)
    """The ids of memories that became facts."""
    evidence: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)
    """The conversations for and against each preference, by the hash of its text.

    The text itself is not written, because it would survive a purge.
    """

    @classmethod
    def parse(cls, data: bytes | None) -> Manifest:
        """Parse the content of the file. A line of unknown form is the name of a stash, as other tools write it."""
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
        """Tell whether a stash was distilled with this hash; an entry without a hash matches any content."""
        return self.stashes.get(name) in (digest, "", "-")


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
