"""One sitting of an agent in a project, as far as memory cares."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.lean.record import field, record


@record
class Session:
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
    """Events that were looked at to learn from them."""
    kept: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    """What was not kept, by the reason."""
    taken: Mapping[str, int] = field(default_factory=dict)
    """How far each source of its events has been made use of."""
    days: tuple[int, ...] = ()
    """The days on which it worked, counted from 1970."""
