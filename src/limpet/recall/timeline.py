"""Split memories into episodes in the order of time; a new session, a new subject or a long pause begins an episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from limpet.lean.record import record
from limpet.model.query import Stored
from limpet.model.scope import Scope
from limpet.store.protocol import FactQuery, Reading

PAUSE = timedelta(minutes=30)


@record
class Episode:
    """Memories of one stretch of work, oldest first."""

    session: str | None
    memories: tuple[Stored, ...]

    @property
    def started_at(self) -> datetime:
        return self.memories[0].memory.created_at

    @property
    def ended_at(self) -> datetime:
        return self.memories[-1].memory.created_at


Boundaries = Mapping[str, Sequence[datetime]]
"""The times at which the work of each session turned to another subject."""


def find_boundaries(reading: Reading, scope: Scope, memories: Iterable[Stored]) -> Boundaries:
    """Return the boundaries that were recorded in the sessions of these memories."""
    found: dict[str, list[datetime]] = {}
    for session in dict.fromkeys(stored.memory.session for stored in memories if stored.memory.session):
        query = FactQuery(scope=scope, subject=f"session:{session}", predicate="boundary_at", limit=500)
        found[session] = [fact.valid_from for fact in reading.facts(query).items]
    return found


def split_into_episodes(memories: Iterable[Stored], boundaries: Boundaries | None = None) -> tuple[Episode, ...]:
    """Return the episodes, oldest first."""
    ordered = sorted(memories, key=lambda stored: (stored.memory.created_at, stored.memory.id))
    groups: list[list[Stored]] = []
    for stored in ordered:
        if groups and not _is_boundary(groups[-1][-1], stored, boundaries or {}):
            groups[-1].append(stored)
        else:
            groups.append([stored])
    return tuple(Episode(session=group[0].memory.session, memories=tuple(group)) for group in groups)


def _is_boundary(before: Stored, after: Stored, boundaries: Boundaries) -> bool:
    first, second = before.memory, after.memory
    if first.session != second.session:
        return True
    if any(first.created_at < boundary <= second.created_at for boundary in boundaries.get(first.session or "", ())):
        return True
    return after.memory.created_at - before.memory.created_at > PAUSE
