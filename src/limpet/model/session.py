"""The record of one session of an agent, computed from its changes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.lean.record import field, record


@record
class Session:
    """A session of an agent, with its counts."""

    id: str
    agent: str
    project: str | None = None
    number: int = 0
    started_at: datetime
    last_seen: datetime
    successes: int = 0
    failures: int = 0
    tokens: int = 0
    compactions: int = 0
    """How often the conversation was compacted."""
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
    """The position up to which each source of events has been read, by source name."""
    curated: int = 0
    """The number of the session's messages that a language model reviewed; 0 if no model was asked."""
    days: tuple[int, ...] = ()
    """The days on which the session was active, in days since 1970."""
