"""Finds and reads recorded sessions of whichever host: the one place that knows which reader belongs to which file."""

from __future__ import annotations

import os

from limpet.hosts.claude_code import transcript as claude_code
from limpet.hosts.codex import transcript as codex
from limpet.hosts.gemini import transcript as gemini

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from limpet.hosts.transcript import Sighting, Skipped

_FIND = {
    "claude-code": claude_code.find_transcripts,
    "codex": codex.find_transcripts,
    "gemini": gemini.find_transcripts,
}
_READ = {
    "claude-code": claude_code.read_transcript,
    "codex": codex.read_transcript,
    "gemini": gemini.read_transcript,
}


def host_of(path: str | os.PathLike[str]) -> str:
    """Whose session a file is, by the name and the folder its host gave it."""
    name, folders = os.path.basename(path), os.path.dirname(os.path.abspath(path)).split(os.sep)
    if name.startswith("rollout-"):
        return "codex"
    return "gemini" if "chats" in folders[-2:] else "claude-code"


def find_sessions(where: str | os.PathLike[str], *, host: str, since: datetime | None = None) -> Iterator[Path]:
    """The sessions that a host has recorded under its own folder, or under any folder the user points at."""
    return _FIND[host](where, since=since)


def read_session(path: str | os.PathLike[str], *, start: int = 0, skipped: Skipped | None = None) -> Iterator[Sighting]:
    """The events of one session from an offset on, whoever recorded it."""
    return _READ[host_of(path)](path, start=start, skipped=skipped)
