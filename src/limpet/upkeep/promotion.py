"""Give memories that are still used after their time scale has passed a longer time scale.

The time scale of a memory is the time for which it is expected to matter: immediate, task, session or project.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.context import Context
from limpet.model.change import ChangeKind
from limpet.model.memory import Memory, Scale
from limpet.model.standing import Standing
from limpet.store.protocol import DueQuery
from limpet.upkeep.plan import Plan, upkeep_change


def find_proven_scale(memory: Memory, standing: Standing) -> Scale:
    """Return the time scale that fits a memory's last use; it is never shorter than the current scale.

    If the last use was in another session, the scale is `project`. Otherwise it depends on the time between the
    creation and the last use.
    """
    used = standing.last_accessed
    if not standing.access_count or used is None or used < memory.created_at:
        return memory.scale
    elsewhere = standing.last_session is not None and standing.last_session != memory.session
    reached = Scale.PROJECT if elsewhere and memory.session else Scale.at(used - memory.created_at)
    return memory.scale.longer(reached)


def promote(context: Context) -> Iterator[Plan]:
    """Yield a plan that gives memories the longer time scales that their uses justify."""
    found = context.store.reading().due(DueQuery(promotable=True))
    scales = [(each.memory, find_proven_scale(each.memory, each.standing)) for each in found]
    changes = [
        upkeep_change(ChangeKind.REFRESH, memory, {"scale": scale.value})
        for memory, scale in scales
        if scale is not memory.scale
    ]
    if changes:
        yield Plan.of(changes)
