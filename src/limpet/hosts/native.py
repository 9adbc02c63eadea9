"""Read the memory that a host keeps itself: the notes of Claude Code for a project, and those of Codex.

Limpet never writes these files. What a host tells its model from them at a start need not be told again, and `limpet
import --native` makes memories of them.
"""

from __future__ import annotations

import os

from limpet.hosts.payload import text_of
from limpet.lean.record import record
from limpet.settings import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

INDEX = "MEMORY.md"
_SUMMARY = "memory_summary.md"
_LINES, _BYTES = 200, 25_000
"""How much of its index Claude Code gives to the model at a start."""
_LARGEST, _MOST_FILES = 100_000, 500


@record
class NativeNote:
    """One file of a host's own memory."""

    path: str
    title: str
    text: str
    is_index: bool = False
    """Whether it is the file that is told at a start, which mostly names the others."""


def read_told_at_start(payload: Mapping[str, Any], *, host: str) -> str:
    """Return the notes that the host itself tells its model at the start of the session in a payload.

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
    from limpet.hosts.claude_code.wiring import has_native_memory

    return "\n".join(text.splitlines()[:_LINES]) if has_native_memory() else ""


def read_notes(root: str) -> Iterator[NativeNote]:
    """Yield the notes of Claude Code for the project in a folder.

    Codex has one memory for all projects, so nothing of it may become a memory of one of them.
    """
    from limpet.hosts.wiring import folder

    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in root)
    place = os.path.join(folder("claude-code"), "projects", name, "memory")
    try:
        names = sorted(name for name in os.listdir(place) if name.endswith(".md"))
    except OSError:
        return
    for name in names[:_MOST_FILES]:
        path = os.path.join(place, name)
        title, body = _split_front_matter(_read(path, _LARGEST))
        if body.strip():
            title = title or name.removesuffix(".md").replace("_", " ").replace("-", " ")
            yield NativeNote(path=path, title=title, text=body.strip(), is_index=name == INDEX)


def _split_front_matter(text: str) -> tuple[str, str]:
    """Return the description in the front matter of a note, and the note without its front matter."""
    head, closed, body = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not closed:
        return "", text
    fields = dict(line.partition(":")[::2] for line in head.splitlines() if ":" in line)
    title = fields.get("description", "") or fields.get("name", "")
    return title.strip().strip("\"'"), body


def _read(path: str, limit: int) -> str:
    """Return the beginning of a regular file as text; empty if it cannot be read."""
    try:
        return read_regular(path, limit)[:limit].decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
