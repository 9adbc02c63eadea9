"""Finds and reads recorded sessions of whichever host: the one place that knows which reader belongs to which file."""

from __future__ import annotations

import os

from limpet.hosts.claude_code import transcript as claude_code
from limpet.hosts.codex import transcript as codex
from limpet.hosts.gemini import transcript as gemini
from limpet.hosts.transcript import Skipped, find_files, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from limpet.hosts.transcript import Sighting

_READERS: Mapping[str, Any] = {"claude-code": claude_code, "codex": codex, "gemini": gemini}
"""Each says where its host keeps sessions, which files are some, and what was seen in one."""


def host_of(path: str | os.PathLike[str]) -> str:
    """Whose session a file is, by the name and the folder its host gave it."""
    name, folders = os.path.basename(path), os.path.dirname(os.path.abspath(path)).split(os.sep)
    if name.startswith("rollout-"):
        return "codex"
    return "gemini" if "chats" in folders[-2:] else "claude-code"


def find_sessions(where: str | os.PathLike[str], *, host: str, since: datetime | None = None) -> Iterator[Path]:
    """The sessions that a host has recorded under its own folder, or wherever the user points; the oldest first."""
    reader, place = _READERS[host], os.fspath(where)
    inner = os.path.join(place, reader.FOLDER)
    return find_files(inner if os.path.isdir(inner) else place, wanted=reader.is_session, since=since)


def read_session(
    path: str | os.PathLike[str], *, start: int = 0, skipped: Skipped | None = None, host: str | None = None
) -> Iterator[Sighting]:
    """The events of one session from an offset on, with what could not be read counted in `skipped`."""
    seen: Iterator[Sighting] = _READERS[host or host_of(path)].sightings(
        os.fspath(path), start, Skipped() if skipped is None else skipped
    )
    return settled(seen)
