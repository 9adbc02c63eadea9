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
    """A format of another tool: its name on the command line, the module that reads it, and a summary for the help."""

    name: str
    module: str
    summary: str

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
    Format(name=name, module=module, summary=summary)
    for name, module, summary in (
        ("claude-mem", "row_tools", "claude-mem: its database or its JSON export"),
        ("basic-memory", "note_tools", "basic-memory: a folder of notes"),
        ("server-memory", "server_memory", "MCP server-memory: memory.jsonl"),
        ("mcp-memory-service", "row_tools", "mcp-memory-service: its database or its JSON export"),
        ("mem0", "row_tools", "mem0: its JSON export or its local history"),
        ("serena", "note_tools", "Serena: .serena/memories"),
        ("claude-code", "note_tools", "Claude Code: the notes that it keeps for this project"),
        ("codex", "instruction_tools", "Codex: MEMORY.md, what is about this folder"),
        ("rules", "instruction_tools", "all instruction files of this project"),
        ("claude-md", "instruction_tools", "CLAUDE.md and .claude/rules"),
        ("agents-md", "instruction_tools", "AGENTS.md"),
        ("gemini-md", "instruction_tools", "GEMINI.md"),
        ("cursor", "instruction_tools", "the rules of Cursor"),
        ("windsurf", "instruction_tools", "the rules of Windsurf"),
        ("copilot", "instruction_tools", "the instructions of GitHub Copilot"),
        ("cline", "instruction_tools", "the rules and the memory bank of Cline"),
        ("okf", "note_tools", "a bundle of the Open Knowledge Format"),
        ("ltm", "ltm", "LTM and Anima: database, export or seed files"),
        ("claude-ltm", "note_tools", "claude-ltm: .claude/ltm"),
        ("letsgo", "row_tools", "LetsGo memory: its database"),
        ("liteagents", "instruction_tools", "liteagents and aurora: MEMORY.md and stashes"),
        ("ai-effort-regulation", "row_tools", "ai-effort-regulation: the memories of its apps"),
    )
)


def get_format(name: str) -> Format:
    """Return the format named `name`, which must exist."""
    return next(each for each in FORMATS if each.name == name)
