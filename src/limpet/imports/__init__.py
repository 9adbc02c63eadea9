"""Read memories from the stores of other tools. Each tool is a mapping over a reader of its container.

The containers are rows (`rows`, of a database or a JSON export), folders of markdown (`note_files`), and JSON lines. An
importer only reads; `limpet.exchange` admits the drafts. A file may be hostile, so each is read with the checks of
`files` and `database`, and one that fails them is refused without stopping the import.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module

from limpet.errors import Unreadable
from limpet.imports.item import Surroundings, Tool
from limpet.lean.record import record


@record
class Format:
    """A format of another tool: its name on the command line, and the module that reads it."""

    name: str
    module: str

    def load(self) -> Tool:
        """Return what finds, recognises and reads the format."""
        tool: Tool = import_module(f"limpet.imports.{self.module}").TOOLS[self.name]
        return tool

    def find(self, around: Surroundings) -> Iterator[str]:
        """Yield the paths of the stores on this machine."""
        yield from (path.rstrip("/") for path in dict.fromkeys(self.load().places(around)) if os.path.exists(path))

    def recognises(self, path: str) -> bool:
        """Tell whether a file or folder has this format; return False if it cannot be read."""
        try:
            return self.load().recognises(path)
        except Unreadable:
            return False


FORMATS = tuple(
    Format(name=name, module=module)
    for module, names in (
        ("row_tools", "claude-mem"),
        ("note_tools", "basic-memory"),
        ("server_memory", "server-memory"),
        ("row_tools", "mcp-memory-service mem0"),
        ("note_tools", "serena claude-code"),
        ("instruction_tools", "codex rules claude-md agents-md gemini-md cursor windsurf copilot cline"),
        ("note_tools", "okf"),
        ("ltm", "ltm"),
        ("note_tools", "claude-ltm"),
        ("row_tools", "letsgo"),
        ("instruction_tools", "liteagents"),
        ("row_tools", "ai-effort-regulation"),
    )
    for name in names.split()
)
"""The formats in the order in which a path without a name is compared with them; `rules` stands for all rule files."""


def get_format(name: str) -> Format:
    """Return the format named `name`, which must exist."""
    return next(each for each in FORMATS if each.name == name)
