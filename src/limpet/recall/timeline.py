"""Memories in the order of time, cut into episodes: another session, or a long pause, begins a new one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from limpet.model.query import Stored
from limpet.record import record

PAUSE = timedelta(minutes=30)


@record
class Episode:
    session: str | None
    memories: tuple[Stored, ...]

    @property
    def started_at(self) -> datetime:
        return self.memories[0].memory.created_at

    @property
    def ended_at(self) -> datetime:
        return self.memories[-1].memory.created_at


def episodes(memories: Iterable[Stored]) -> tuple[Episode, ...]:
    """Oldest first."""
    ordered = sorted(memories, key=lambda stored: (stored.memory.created_at, stored.memory.id))
    groups: list[list[Stored]] = []
    for stored in ordered:
        if groups and not _is_boundary(groups[-1][-1], stored):
            groups[-1].append(stored)
        else:
            groups.append([stored])
    return tuple(Episode(session=group[0].memory.session, memories=tuple(group)) for group in groups)


def _is_boundary(before: Stored, after: Stored) -> bool:
    if before.memory.session != after.memory.session:
        return True
    return after.memory.created_at - before.memory.created_at > PAUSE
