"""One session of an agent in a project, as its changes leave it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.lean.record import field, record


@record
class Session:
    """A session of an agent with its counts."""

    id: str
    agent: str
    project: str | None = None
    number: int = 0
    started_at: datetime
    last_seen: datetime
    successes: int = 0
    failures: int = 0
    tokens: int = 0
    compacted: bool = False
    branch: str | None = None
    commit: str | None = None
    transcript: str | None = None
    ended: bool = False
    seen: int = 0
    """The number of events that were examined."""
    kept: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    """The number of observations that were not kept, by reason."""
    taken: Mapping[str, int] = field(default_factory=dict)
    """How far each source of its events has been read."""
    curated: int = 0
    """The number of its messages that a model was asked about; 0 if none was."""
    days: tuple[int, ...] = ()
    """Its active days, counted from 1970."""
