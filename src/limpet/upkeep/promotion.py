"""Promotion: a memory that is still used when its scale has run out serves a longer one."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.model.change import ChangeKind
from limpet.model.memory import Memory, Scale
from limpet.model.standing import Standing
from limpet.store.protocol import Due
from limpet.upkeep.plan import Means, Plan, change


def proven(memory: Memory, standing: Standing) -> Scale:
    """The scale it has proved to serve: by how long after its making it was still used, or in which session.

    An injection proves nothing; and it never falls.
    """
    used = standing.last_accessed
    if not standing.access_count or used is None or used < memory.created_at:
        return memory.scale
    elsewhere = standing.last_session is not None and standing.last_session != memory.session
    reached = Scale.PROJECT if elsewhere and memory.session else Scale.at(used - memory.created_at)
    return max(memory.scale, reached, key=lambda scale: scale.rank)


def promotion(means: Means) -> Iterator[Plan]:
    found = means.store.reading().due(Due(promotable=True))
    risen = [(each.memory, proven(each.memory, each.standing)) for each in found]
    changes = [
        change(ChangeKind.REFRESH, memory, {"scale": scale.value})
        for memory, scale in risen
        if scale is not memory.scale
    ]
    if changes:
        yield Plan.of(changes)
