"""Rescan: look with the current rules for instructions to a model, in memories that older rules have judged.

Until a memory is rescanned, it is judged each time it is about to be injected, while a host waits.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.governor import encode_signs
from limpet.model.change import ChangeKind
from limpet.store.protocol import DueQuery
from limpet.upkeep.plan import Plan, upkeep_change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context


def rescan(context: Context) -> Iterator[Plan]:
    """Yield, for each scope, a plan that records the signs that the current rules find."""
    for room in context.store.reading().rooms():
        found = context.store.reading().due(DueQuery(token=room.token, unread=True))
        if found:
            yield Plan.of(
                [upkeep_change(ChangeKind.REFRESH, each.memory, {"signs": encode_signs(each.memory)}) for each in found]
            )
