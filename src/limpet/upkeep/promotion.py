"""Promotion: a memory that is still used after its time scale has passed moves to a longer time scale."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.model.change import ChangeKind
from limpet.model.memory import Memory, Scale
from limpet.model.standing import Standing
from limpet.store.protocol import DueQuery
from limpet.upkeep.plan import Plan, upkeep_change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context


def proven_scale(memory: Memory, standing: Standing) -> Scale:
    """Return the longest time scale at which a memory was used.

    A use in another session proves the scale `project`; any other use proves the time since the memory was made. The
    scale never falls. An injection is not a use.
    """
    used = standing.last_accessed
    if not standing.access_count or used is None or used < memory.created_at:
        return memory.scale
    elsewhere = standing.last_session is not None and standing.last_session != memory.session
    reached = Scale.PROJECT if elsewhere and memory.session else Scale.at(used - memory.created_at)
    return memory.scale.longer(reached)


def promote(context: Context) -> Iterator[Plan]:
    """Yield a plan that gives each memory the scale that its uses have proven."""
    found = context.store.reading().due(DueQuery(promotable=True))
    scales = [(each.memory, proven_scale(each.memory, each.standing)) for each in found]
    changes = [
        upkeep_change(ChangeKind.REFRESH, memory, {"scale": scale.value})
        for memory, scale in scales
        if scale is not memory.scale
    ]
    if changes:
        yield Plan.of(changes)
