"""Search memories again for text that looks like orders to a model, if they were last searched with older rules.

Until this is done, each such memory is searched whenever it is about to be shown to a model, while a host waits.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.context import Context
from limpet.doors.governor import encode_signs
from limpet.model.change import ChangeKind
from limpet.store.protocol import DueQuery
from limpet.upkeep.plan import Plan, upkeep_change


def rescan(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope with memories to search; it records the signs that the current rules find in them."""
    for room in context.store.reading().rooms():
        found = context.store.reading().due(DueQuery(token=room.token, unread=True))
        if found:
            yield Plan.of(
                [upkeep_change(ChangeKind.REFRESH, each.memory, {"signs": encode_signs(each.memory)}) for each in found]
            )
