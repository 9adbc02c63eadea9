"""Read the notes that a host keeps itself, such as the MEMORY.md of Claude Code.

Limpet never writes these files. At the start of a session, a host gives some of its notes to its model. Limpet then
leaves out memories that say the same. `limpet import --from claude-code` turns the notes into memories.
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
"""The notes file that Claude Code gives to its model at the start of a session."""
_SUMMARY = "memory_summary.md"
_MOST_LINES, _MOST_BYTES = 200, 25_000
"""The maximum number of lines and bytes of `INDEX` that Claude Code gives to its model."""


def read_told_at_start(payload: Mapping[str, Any], *, host: str) -> str:
    """Return the notes that a host gives to its model at the start of a session; an empty string if there are none.

    `payload` is the input of the hook. The notes are found next to the transcript that it names.
    """
    transcript = text_of(payload.get("transcript_path"))
    if not os.path.isabs(transcript) or "\0" in transcript:
        return ""
    if host == "codex":
        home, found, _ = transcript.rpartition(f"{os.sep}sessions{os.sep}")
        return _read_beginning(os.path.join(home, "memories", _SUMMARY), _MOST_BYTES) if found else ""
    if host != "claude-code":
        return ""
    text = _read_beginning(os.path.join(os.path.dirname(transcript), "memory", INDEX), _MOST_BYTES)
    if not text:
        return ""
    # Loaded here, because most sessions have no such notes.
    from limpet.hosts.claude_code.wiring import keeps_notes

    return "\n".join(text.splitlines()[:_MOST_LINES]) if keeps_notes() else ""


def notes_folder(root: str) -> str:
    """Return the folder in which Claude Code keeps its notes for the project in `root`; it may not exist."""
    from limpet.hosts.wiring import host_folder

    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in root)
    return os.path.join(host_folder("claude-code"), "projects", name, "memory")


def _read_beginning(path: str, limit: int) -> str:
    """Return the first `limit` bytes of a file as text; an empty string if it is not a readable regular file."""
    try:
        return read_regular(path, limit)[:limit].decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
