"""Import statements from instruction files that people write for agents, and from files that tools write like these.

Such a statement becomes a memory with the origin `file`. It can be found and cited, but is not shown to a model unless
the model asks, because the host loads the file itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from glob import escape, glob
from typing import Any

from limpet.errors import Unreadable
from limpet.hosts.wiring import host_folder
from limpet.imports.files import MAX_DATA, read_text
from limpet.imports.item import ForeignItem, Surroundings, Tool, make_item
from limpet.imports.markdown import split_passages
from limpet.imports.note_files import Note, read_notes
from limpet.lean.pattern import lazy
from limpet.model.memory import Origin
from limpet.text.front_matter import list_field, text_field

FAMILIES = {
    "claude-md": ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/*.md"),
    "agents-md": ("AGENTS.md", "AGENT.md"),
    "gemini-md": ("GEMINI.md",),
    "cursor": (".cursorrules", ".cursor/rules"),
    "windsurf": (".windsurfrules", ".windsurf/rules"),
    "copilot": (".github/copilot-instructions.md", ".github/instructions"),
    "cline": (".clinerules", "memory-bank"),
}
"""The paths of the instruction files and folders of each family, relative to the project folder."""
_ALL = tuple(each for family in FAMILIES.values() for each in family)
_SUFFIXES = (".md", ".mdc", ".txt")
_STASH_PLACES = (".claude/remember/MEMORY.md", ".claude/memory/MEMORY.md", ".claude/stash")
_SECTIONS = ("## Facts", "## Episodes", "## Preferences", "## Antigens")
_EVIDENCE = lazy(r"[ \t]*+\((?:evidence|count)[^()\n]{0,60}\)[ \t]*+$")
_CODEX_FILE = "MEMORY.md"
_GROUP_HEADING = "# Task Group:"
_APPLIES = lazy(r"^applies_to:[^\n]*?cwd=([^;\n]*+)")
_TASKS = lazy(r"[ \t]*+(?:\[Task \d{1,3}(?:\]\[Task \d{1,3}|, ?(?:Task )?\d{1,3})*+\])[ \t]*+$")
_CODEX_SKIPPED = ("rollout_summary_files", "keywords", "Task ")


def _find_rules(around: Surroundings, patterns: Iterable[str]) -> Iterator[str]:
    for pattern in patterns if around.root else ():
        yield from sorted(glob(os.path.join(escape(around.root or ""), pattern)))


def _is_rules(path: str) -> bool:
    """Tell whether a path has the name of an instruction file."""
    full = os.path.join("", *os.path.normpath(path).split(os.sep)[-2:]).replace(os.sep, "/")
    name = os.path.basename(full)
    return name in _ALL or full in _ALL or name.endswith((".mdc", ".instructions.md"))


def _read_rule_file(note: Note) -> Iterator[ForeignItem]:
    """Yield a draft for each statement in an instruction file."""
    where = text_field(note.fields, "description")
    scope = list_field(note.fields, "globs", "applyTo", "paths")
    changed = (f"its rule applies to {', '.join(scope)[:120]} there, and everywhere here",) if scope else ()
    passages = list(split_passages(note.body))
    for passage in passages:
        line, title = note.above + passage.line, " – ".join(filter(None, (where, passage.heading)))
        of_file: dict[str, Any] = {"title": title, "origin": Origin.FILE, "line": line, "changed": changed}
        yield make_item(f"{note.name}:{line}", passage.text, note.path, **of_file)
    if not passages:
        yield ForeignItem(name=note.name, left_out="it has no passage of four words or more")


def _is_liteagents(path: str) -> bool:
    """Tell whether a file has at least two sections that liteagents and aurora write."""
    text = read_text(path) if os.path.isfile(path) else ""
    return sum(f"\n{section}" in text for section in _SECTIONS) >= 2


def _read_liteagents(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each statement in MEMORY.md, with facts, episodes and preferences, or for each stash."""
    if os.path.isdir(path):
        yield from read_notes(path, _read_stash, lenient=True)
        return
    for passage in split_passages(read_text(path)):
        if not passage.text.startswith(">"):
            name, told = f"{os.path.basename(path)}:{passage.line}", _EVIDENCE.sub("", passage.text)
            yield make_item(name, told, path, title=passage.heading, origin=Origin.FILE, line=passage.line)


def _read_stash(note: Note) -> Iterator[ForeignItem]:
    text = note.body.strip()
    title = next((line.lstrip("# ") for line in text.split("\n") if line.startswith("#")), note.name)
    yield make_item(note.name, text, note.path, title=title, origin=Origin.FILE)


def _read_codex(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each bullet or paragraph in each task group, with the group's folder as its project.

    The files in which Codex summarises single sessions are not read, because MEMORY.md is made from them.
    """
    path = os.path.join(path, _CODEX_FILE) if os.path.isdir(path) else path
    above, *groups = f"\n{read_text(path, limit=MAX_DATA)}".split(f"\n{_GROUP_HEADING}")
    if not groups:
        raise Unreadable("it has no `# Task Group`; give the MEMORY.md of Codex")
    first = above.count("\n") + 1
    for title, _, body in (group.partition("\n") for group in groups):
        folder = next((found[1].strip() for line in body.split("\n") if (found := _APPLIES.match(line))), "")
        for passage in split_passages(body):
            if passage.heading.startswith(_CODEX_SKIPPED) or passage.text.startswith(("scope:", "applies_to:")):
                continue
            line, told, project = first + passage.line, _TASKS.sub("", passage.text), folder or "no folder"
            name = title.strip() or "untitled"
            yield make_item(f"{_CODEX_FILE}:{line}", told, path, title=name, line=line, project=project)
        first += body.count("\n") + 2


TOOLS = {
    **{
        name: Tool(
            places=partial(_find_rules, patterns=patterns),
            recognises=_is_rules,
            read=lambda path: read_notes(
                path, _read_rule_file, suffixes=_SUFFIXES, base=os.path.dirname(path), lenient=True
            ),
        )
        for name, patterns in {**FAMILIES, "rules": _ALL}.items()
    },
    "liteagents": Tool(
        places=lambda around: around.in_project(*_STASH_PLACES), recognises=_is_liteagents, read=_read_liteagents
    ),
    "codex": Tool(
        places=lambda _: [os.path.join(host_folder("codex"), "memories", _CODEX_FILE)],
        recognises=lambda path: read_text(path, limit=MAX_DATA).lstrip().startswith(_GROUP_HEADING),
        read=_read_codex,
    ),
}
