"""Read memories from the stores of other tools. Each format has a module, which yields items with memory drafts.

An importer only reads; `limpet.exchange` admits the drafts. A file may be hostile, so every file is read with
the checks of `files` and `database`, and a file that fails them is refused without stopping the import.

A module has three functions. `find` yields the stores (files or folders with memories) on this machine. `recognise`
tells whether a path is such a store, and `read` yields its items. Each may raise `Unreadable`.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from limpet.errors import Unreadable
from limpet.lean.record import record


@record
class Format:
    """A format of another tool: its name on the command line, the module that reads it, and a summary for the help."""

    name: str
    module: str
    summary: str

    def load(self) -> ModuleType:
        """Return the module that reads the format."""
        return import_module(f"limpet.imports.{self.module}")

    def recognises(self, path: str) -> bool:
        """Tell whether a file or folder has this format; return False if it cannot be read."""
        try:
            return bool(self.load().recognise(path))
        except Unreadable:
            return False


FORMATS = tuple(
    Format(name=name, module=module, summary=summary)
    for name, module, summary in (
        ("claude-mem", "claude_mem", "claude-mem: its database or its JSON export"),
        ("basic-memory", "basic_memory", "basic-memory: a folder of notes"),
        ("server-memory", "server_memory", "MCP server-memory: memory.jsonl"),
        ("mcp-memory-service", "memory_service", "mcp-memory-service: its database or its JSON export"),
        ("mem0", "mem0", "mem0: its JSON export or its local history"),
        ("serena", "notes", "Serena: .serena/memories"),
        ("claude-code", "notes", "Claude Code: the notes that it keeps for this project"),
        ("codex", "codex", "Codex: MEMORY.md, what is about this folder"),
        ("rules", "rules", "all instruction files of this project"),
        ("claude-md", "rules", "CLAUDE.md and .claude/rules"),
        ("agents-md", "rules", "AGENTS.md"),
        ("gemini-md", "rules", "GEMINI.md"),
        ("cursor", "rules", "the rules of Cursor"),
        ("windsurf", "rules", "the rules of Windsurf"),
        ("copilot", "rules", "the instructions of GitHub Copilot"),
        ("cline", "rules", "the rules and the memory bank of Cline"),
        ("okf", "okf", "a bundle of the Open Knowledge Format"),
        ("ltm", "ltm", "LTM and Anima: database, export or seed files"),
        ("claude-ltm", "claude_ltm", "claude-ltm: .claude/ltm"),
        ("letsgo", "letsgo", "LetsGo memory: its database"),
        ("liteagents", "liteagents", "liteagents and aurora: MEMORY.md and stashes"),
        ("ai-effort-regulation", "effort", "ai-effort-regulation: the memories of its apps"),
    )
)


def get_format(name: str) -> Format:
    """Return the format named `name`, which must exist."""
    return next(each for each in FORMATS if each.name == name)
