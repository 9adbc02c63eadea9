"""Import folders with one note per file: the memories of Serena, and the notes that Claude Code keeps itself."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.hosts.host_notes import INDEX, notes_folder
from limpet.imports.files import read_each, read_text
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.imports.markdown import split_passages
from limpet.text.front_matter import count_lines_above, split_front_matter, text_field

_OWN_NOTE = "memory_maintenance.md"
"""A note that Serena writes itself, with instructions on how to maintain notes."""


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the folder with the notes of Serena or Claude Code for the project, if it exists."""
    if around.root is None:
        return
    folder = os.path.join(around.root, ".serena", "memories") if name == "serena" else notes_folder(around.root)
    if os.path.isdir(folder):
        yield folder


def recognise(path: str) -> bool:
    """Tell whether a path is Serena's folder (by its name) or Claude Code's (by the file MEMORY.md in it)."""
    tail = os.path.normpath(path).split(os.sep)[-2:]
    return os.path.isdir(path) and (tail == [".serena", "memories"] or os.path.isfile(os.path.join(path, INDEX)))


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each note; for MEMORY.md, a draft for each bullet that is not only a link to a note."""
    return read_each(path, _read_note, ".md")


def _read_note(path: str, name: str) -> Iterator[ForeignItem]:
    text = read_text(path)
    fields, body = split_front_matter(text)
    stem = os.path.basename(path).removesuffix(".md")
    title = text_field(fields, "description", "name") or stem.replace("_", " ").replace("-", " ")
    if not body.strip():
        yield ForeignItem(name=name, left_out="it has no text")
    elif name == _OWN_NOTE:
        yield ForeignItem(name=name, left_out="it only says how Serena keeps its notes")
    elif os.path.basename(path) == INDEX:
        yield from _read_index(body, path, name, above=count_lines_above(text, body))
    else:
        yield ForeignItem(name=name, draft=make_draft(body.strip(), path=path, title=title))


def _read_index(body: str, path: str, name: str, *, above: int) -> Iterator[ForeignItem]:
    for passage in split_passages(body):
        where = f"{name}:{above + passage.line}"
        if ".md)" in passage.text:
            yield ForeignItem(name=where, left_out="it only names another note")
        else:
            yield ForeignItem(name=where, draft=make_draft(passage.text, path=path, title=passage.heading))
