"""One sitting of an agent in a project, as far as memory cares."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
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
