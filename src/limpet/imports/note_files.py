"""Read folders of markdown notes, and single ones. Links, deep folders and too many files are refused."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from limpet.errors import Unreadable
from limpet.imports.files import read_text
from limpet.imports.item import ForeignItem
from limpet.lean.record import record
from limpet.text.front_matter import count_lines_above, split_front_matter, split_lenient_front_matter

MOST_FILES = 10_000
_MAX_DEPTH = 12
_SKIPPED = frozenset({".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__", ".obsidian"})


@record
class Note:
    """A markdown file: its name for reports, its front matter, the text after it, and how many lines are above that."""

    path: str
    name: str
    fields: dict[str, Any]
    body: str
    above: int


def walk_folder(folder: str, *suffixes: str) -> Iterator[tuple[str, ForeignItem | None]]:
    """Yield the paths of all files below a folder that have one of the suffixes, each with None.

    For a file or folder that is refused, yield its path with an item that gives the reason. Folders with version
    control data or installed packages are skipped.
    """

    def refuse(path: str, why: str) -> tuple[str, ForeignItem]:
        return path, ForeignItem(name=os.path.relpath(path, folder), refused=why)

    count = 0
    waiting = [(folder, 0)]
    while waiting:
        place, depth = waiting.pop()
        try:
            with os.scandir(place) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield refuse(place, f"it cannot be read: {error.strerror}")
            continue
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED and depth >= _MAX_DEPTH:
                    yield refuse(entry.path, f"its folder is more than {_MAX_DEPTH} deep")
                elif entry.name not in _SKIPPED:
                    waiting.append((entry.path, depth + 1))
            elif entry.name.endswith(suffixes):
                count += 1
                if count > MOST_FILES:
                    yield refuse(entry.path, f"there are more than {MOST_FILES:,} files")
                    return
                yield entry.path, None


def read_notes(
    path: str,
    read: Callable[[Note], Iterable[ForeignItem]],
    *,
    suffixes: tuple[str, ...] = (".md",),
    skip: Container[str] = (),
    base: str | None = None,
    lenient: bool = False,
) -> Iterator[ForeignItem]:
    """Yield what `read` makes of a file, or of each file below a folder that has one of the suffixes.

    In a folder, a note has the name of its path relative to `base`, or to the folder if `base` is None, and files whose
    names are in `skip` are left out. If a file cannot be read, an item with the reason is yielded for it. `lenient` is
    for front matter that people write for editors.
    """
    is_folder = os.path.isdir(path) and not os.path.islink(path)
    for file, refused in walk_folder(path, *suffixes) if is_folder else ((path, None),):
        if refused is not None:
            yield refused
        elif not is_folder or os.path.basename(file) not in skip:
            name = os.path.relpath(file, base or path) if is_folder else os.path.basename(path)
            try:
                yield from read(read_note(file, name, lenient=lenient))
            except Unreadable as error:
                yield ForeignItem(name=name, refused=str(error))


def read_note(path: str, name: str = "", *, lenient: bool = False) -> Note:
    """Return a note; raise Unreadable if its file or its front matter cannot be read."""
    text = read_text(path)
    fields, body = (split_lenient_front_matter if lenient else split_front_matter)(text)
    return Note(path=path, name=name, fields=fields, body=body, above=count_lines_above(text, body))


def find_notes(path: str, *, skip: Container[str] = ()) -> Iterator[Note]:
    """Yield the notes below a folder that can be read; nothing if it is not a folder."""
    for file, refused in walk_folder(path, ".md") if os.path.isdir(path) else ():
        if refused is None and os.path.basename(file) not in skip:
            try:
                yield read_note(file)
            except Unreadable:
                continue
