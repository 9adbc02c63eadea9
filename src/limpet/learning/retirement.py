"""Retire what was captured and turned out wrong; everything here can be restored."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from limpet.capture.judge import is_work_of_turn
from limpet.clock import to_ms
from limpet.doors.similar import find_replaced
from limpet.model.change import CAPTURE, Change, ChangeKind, change_memory
from limpet.model.memory import Draft, Memory
from limpet.model.query import Query
from limpet.model.scope import Scope
from limpet.store.protocol import Reading

_MEMBERS = 200


def is_objected(draft: Draft, at: datetime, *, since: int) -> bool:
    """Tell whether a draft of the time `at` is work of a turn that began at `since`, in milliseconds."""
    return is_work_of_turn(draft.type, draft.origin) and to_ms(at) >= since


def retire_turn(since: int, at: datetime, *, scope: Scope, session: str, reading: Reading) -> list[Change]:
    """Return the changes that hide the fixes and decisions of a turn of a session to which the user objected.

    The turn began at `since`, in milliseconds, and the user objected at `at`.
    """
    query = Query(scope=scope, session=session, now=at, limit=_MEMBERS)
    found = (stored.memory for stored in reading.browse(query).items)
    # The words of the objection are not repeated here, so that a purge of the prohibition leaves no trace.
    return [
        change_memory(ChangeKind.DROP, memory, {"reason": "the user objected to it"}, actor=CAPTURE)
        for memory in found
        if is_work_of_turn(memory.type, memory.origin) and since <= to_ms(memory.created_at) <= to_ms(at)
    ]


def supersede_replaced(memory: Memory, admitted: Iterable[Memory]) -> list[Change]:
    """Return the changes that supersede what the same batch has said before and a memory replaces."""
    return [
        change_memory(ChangeKind.SUPERSEDE, each.memory, {"by": memory.id, "reason": each.replacement}, actor=CAPTURE)
        for each in find_replaced(memory, admitted)
    ]
