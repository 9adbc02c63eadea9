"""Import the files of liteagents and aurora: MEMORY.md, with facts, episodes and preferences, and session stashes."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.imports.files import read_each, read_text
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.imports.markdown import split_passages
from limpet.lean.pattern import lazy
from limpet.model.memory import Origin
from limpet.text.front_matter import split_lenient_front_matter

_PLACES = (
    os.path.join(".claude", "remember", "MEMORY.md"),
    os.path.join(".claude", "memory", "MEMORY.md"),
    os.path.join(".claude", "stash"),
)
_SECTIONS = ("## Facts", "## Episodes", "## Preferences", "## Antigens")
_EVIDENCE = lazy(r"[ \t]*+\((?:evidence|count)[^()\n]{0,60}\)[ \t]*+$")


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the project's existing MEMORY.md files, and its stash folder if it exists."""
    for place in _PLACES if around.root else ():
        path = os.path.join(around.root or "", place)
        if os.path.exists(path):
            yield path


def recognise(path: str) -> bool:
    """Tell whether a file has at least two sections that these tools write."""
    text = read_text(path) if os.path.isfile(path) else ""
    return sum(f"\n{section}" in text for section in _SECTIONS) >= 2


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each statement in MEMORY.md, or for each file in a stash folder."""
    return read_each(path, _read_stash, ".md") if os.path.isdir(path) else _read_memory(path)


def _read_stash(path: str, name: str) -> Iterator[ForeignItem]:
    text = split_lenient_front_matter(read_text(path))[1].strip()
    title = next((line.lstrip("# ") for line in text.split("\n") if line.startswith("#")), name)
    yield ForeignItem(name=name, draft=make_draft(text, path=path, title=title, origin=Origin.FILE))


def _read_memory(path: str) -> Iterator[ForeignItem]:
    for passage in split_passages(read_text(path)):
        if passage.text.startswith(">"):
            continue
        told = _EVIDENCE.sub("", passage.text)
        draft = make_draft(told, path=path, title=passage.heading, origin=Origin.FILE, line=passage.line)
        yield ForeignItem(name=f"{os.path.basename(path)}:{passage.line}", draft=draft)
