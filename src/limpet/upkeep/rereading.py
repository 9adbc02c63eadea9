"""Reading again: memories whose signs of an instruction were found by older rules are looked at by those of today.

Until then each of them is read whenever it is about to be brought up, while a host waits.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.governor import signs_noted
from limpet.model.change import ChangeKind
from limpet.store.protocol import Due
from limpet.upkeep.plan import Means, Plan, change


def reading_again(means: Means) -> Iterator[Plan]:
    for room in means.store.reading().rooms():
        found = means.store.reading().due(Due(token=room.token, unread=True))
        if found:
            yield Plan.of(
                [change(ChangeKind.REFRESH, each.memory, {"signs": signs_noted(each.memory)}) for each in found]
            )
