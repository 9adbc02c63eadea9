"""Import the MEMORY.md that Codex keeps for all projects: task groups, each with the folder that it applies to.

A group belongs to the project whose folder it names. The files in which Codex summarises single sessions are not read,
because MEMORY.md is made from them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.errors import Unreadable
from limpet.imports.files import MAX_DATA, read_text
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.imports.markdown import split_passages
from limpet.lean.pattern import lazy

_FILE = "MEMORY.md"
_HEADING = "# Task Group:"
_GROUP = lazy(r"^# Task Group:[ \t]*+([^\n]*+)$")
_APPLIES = lazy(r"^applies_to:[^\n]*?cwd=([^;\n]*+)")
_TASKS = lazy(r"[ \t]*+(?:\[Task \d{1,3}(?:\]\[Task \d{1,3}|, ?(?:Task )?\d{1,3})*+\])[ \t]*+$")
_SKIPPED = ("rollout_summary_files", "keywords", "Task ")


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the path of Codex's MEMORY.md, if it exists."""
    from limpet.hosts.wiring import host_folder

    path = os.path.join(host_folder("codex"), "memories", _FILE)
    if os.path.isfile(path):
        yield path


def recognise(path: str) -> bool:
    """Tell whether a file begins with a task group."""
    return read_text(path, limit=MAX_DATA).lstrip().startswith(_HEADING)


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each bullet or paragraph in each group, with the group's folder as its project."""
    path = os.path.join(path, _FILE) if os.path.isdir(path) else path
    text = read_text(path, limit=MAX_DATA)
    groups = list(_find_groups(text))
    if not groups:
        raise Unreadable("it has no `# Task Group`; give the MEMORY.md of Codex")
    for title, body, first in groups:
        folder = next((found[1].strip() for line in body.split("\n") if (found := _APPLIES.match(line))), "")
        for passage in split_passages(body):
            if passage.heading.startswith(_SKIPPED) or passage.text.startswith(("scope:", "applies_to:")):
                continue
            line = first + passage.line - 1
            told = _TASKS.sub("", passage.text)
            draft = make_draft(told, path=path, title=title, line=line)
            yield ForeignItem(name=f"{_FILE}:{line}", project=folder or "no folder", draft=draft)


def _find_groups(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the title, the text, and the number of the first text line of each group."""
    title, lines, first = "", list[str](), 0
    for number, line in enumerate(text.split("\n"), 1):
        found = _GROUP.match(line)
        if found is not None:
            if title:
                yield title, "\n".join(lines), first
            title, lines, first = found[1].strip() or "untitled", [], number + 1
        else:
            lines.append(line)
    if title:
        yield title, "\n".join(lines), first
