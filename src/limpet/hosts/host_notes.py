"""Read the notes that a host keeps itself, such as MEMORY.md: those of Claude Code for a project, and those of Codex.

Limpet never writes these files. What a host tells its model from them at a start need not be told again, and `limpet
import --from claude-code` makes memories of them.
"""

from __future__ import annotations

import os

from limpet.hosts.payload import text_of
from limpet.system import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

INDEX = "MEMORY.md"
_SUMMARY = "memory_summary.md"
_LINES, _BYTES = 200, 25_000
"""How much of its index Claude Code gives to the model at a start."""


def read_told_at_start(payload: Mapping[str, Any], *, host: str) -> str:
    """Return the notes that the host itself tells its model at the start of the session that a payload names.

    The transcript is beside the notes, so its path tells where they are.
    """
    transcript = text_of(payload.get("transcript_path"))
    if not os.path.isabs(transcript) or "\0" in transcript:
        return ""
    if host == "codex":
        home, found, _ = transcript.rpartition(f"{os.sep}sessions{os.sep}")
        return _read(os.path.join(home, "memories", _SUMMARY), _BYTES) if found else ""
    if host != "claude-code":
        return ""
    text = _read(os.path.join(os.path.dirname(transcript), "memory", INDEX), _BYTES)
    if not text:
        return ""
    # Loaded here, because most starts have no such notes.
    from limpet.hosts.claude_code.wiring import keeps_notes

    return "\n".join(text.splitlines()[:_LINES]) if keeps_notes() else ""


def notes_folder(root: str) -> str:
    """Return the folder in which Claude Code keeps its notes for the project in a folder; it need not exist.

    Codex has one memory for all projects, which is read with the folders that it names (`imports.codex`).
    """
    from limpet.hosts.wiring import host_folder

    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in root)
    return os.path.join(host_folder("claude-code"), "projects", name, "memory")


def _read(path: str, limit: int) -> str:
    """Return the beginning of a regular file as text; empty if it cannot be read."""
    try:
        return read_regular(path, limit)[:limit].decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
