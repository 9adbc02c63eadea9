"""Import instruction files that people write for agents: CLAUDE.md, AGENTS.md and the rules of editors.

Each statement becomes a memory with the origin `file`. It can be found and cited, but is not shown to a model unless
the model asks, because the host loads the file itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob

from limpet.imports.files import read_each, read_text
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.imports.markdown import split_passages
from limpet.model.memory import Origin
from limpet.text.front_matter import count_lines_above, list_field, split_lenient_front_matter, text_field

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
_SUFFIXES = (".md", ".mdc", ".txt")


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the existing files and folders of the family `name`, or of all families if the name is `rules`."""
    families = FAMILIES.values() if name == "rules" else (FAMILIES[name],)
    for pattern in (each for family in families for each in family) if around.root else ():
        yield from sorted(glob(os.path.join(escape(around.root or ""), pattern)))


def recognise(path: str) -> bool:
    """Tell whether a path has the name of an instruction file."""
    full = os.path.join("", *os.path.normpath(path).split(os.sep)[-2:]).replace(os.sep, "/")
    name = os.path.basename(full)
    exact = {each for family in FAMILIES.values() for each in family}
    return name in exact or full in exact or name.endswith((".mdc", ".instructions.md"))


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each statement in a file, or in all files in a folder."""
    return read_each(path, _read_file, *_SUFFIXES, base=os.path.dirname(path))


def _read_file(path: str, name: str) -> Iterator[ForeignItem]:
    text = read_text(path)
    fields, body = split_lenient_front_matter(text)
    above = count_lines_above(text, body)
    where = text_field(fields, "description")
    scope = list_field(fields, "globs", "applyTo", "paths")
    found = False
    for passage in split_passages(body):
        found = True
        line = above + passage.line
        yield ForeignItem(
            name=f"{name}:{line}",
            draft=make_draft(
                passage.text,
                path=path,
                title=" – ".join(filter(None, (where, passage.heading))),
                origin=Origin.FILE,
                line=line,
            ),
            changed=(f"its rule applies to {', '.join(scope)[:120]} there, and everywhere here",) if scope else (),
        )
    if not found:
        yield ForeignItem(name=name, left_out="it has no passage of four words or more")
