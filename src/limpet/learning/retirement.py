"""Hide captured memories that turned out to be wrong. A hidden memory can be restored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from limpet.capture.judge import is_work_of_turn
from limpet.clock import to_ms
from limpet.doors.replaced import find_replaced_alone, restore_replaced
from limpet.doors.similar import find_replaced
from limpet.model.change import CAPTURE, Change, ChangeKind, Status, change_memory
from limpet.model.memory import Draft, Memory
from limpet.model.query import Query
from limpet.model.receipt import InjectionOutcome
from limpet.model.scope import Scope
from limpet.store.protocol import Reading

_MOST_RESULTS = 200


def is_draft_of_turn(draft: Draft, at: datetime, *, since: int) -> bool:
    """Tell whether a draft is a fix or decision of a turn, given when it was made and when the turn began.

    The draft was made at the time `at`, and the turn began at `since`, in milliseconds. Return False if `since` is 0,
    which means that the beginning of the turn is unknown.
    """
    return is_work_of_turn(draft.type, draft.origin) and 0 < since <= to_ms(at)


def retire_turn(since: int, at: datetime, *, scope: Scope, session: str, reading: Reading) -> list[Change]:
    """Return the changes that hide the fixes and decisions of a turn to which the user objected.

    The turn began at `since`, in milliseconds, and the user objected at `at`. If `since` is 0, the list is empty,
    because the beginning of the turn is unknown. An older memory that had been replaced only by hidden ones is
    restored.
    """
    # The beginning of the turn is not known, and the work of earlier turns must not be hidden.
    if not since:
        return []
    query = Query(scope=scope, session=session, now=at, limit=_MOST_RESULTS)
    gone = [
        stored
        for stored in reading.browse(query).items
        if is_work_of_turn(stored.memory.type, stored.memory.origin)
        and since <= to_ms(stored.memory.created_at) <= to_ms(at)
    ]
    # The reason does not quote the objection, so that no trace of it is left if it is purged.
    reason: dict[str, object] = {"reason": "the user objected to it"}
    changes = [change_memory(ChangeKind.DROP, stored.memory, reason, actor=CAPTURE) for stored in gone]
    return [*changes, *restore_replaced(find_replaced_alone(reading, gone), actor=CAPTURE)]


def supersede_replaced(memory: Memory, admitted: Iterable[Memory]) -> list[Change]:
    """Return the changes that supersede those of the `admitted` memories that the newer `memory` replaces."""
    return [
        change_memory(ChangeKind.SUPERSEDE, each.memory, {"by": memory.id, "reason": each.replacement}, actor=CAPTURE)
        for each in find_replaced(memory, admitted)
    ]


def retire_failed_fixes(outcomes: Mapping[str, str], *, session: str, reading: Reading) -> list[Change]:
    """Return the changes that hide fixes after which the error recurred in both this session and an earlier one.

    `outcomes` contains the outcomes of this session by memory id.
    """
    changes = []
    for name, outcome in outcomes.items():
        if outcome != InjectionOutcome.MET_AGAIN or not _has_failed_before(name, session, reading):
            continue
        stored = reading.get(name)
        if stored is not None and stored.status is Status.LIVE and not stored.memory.pinned:
            reason = {"reason": "told twice, and the error occurred again"}
            changes.append(change_memory(ChangeKind.DROP, stored.memory, reason, actor=CAPTURE))
    return changes


def _has_failed_before(name: str, session: str, reading: Reading) -> bool:
    told = {receipt.session for receipt in reading.receipts(memory=name, limit=_MOST_RESULTS) if receipt.way == "fix"}
    return any(
        receipt.outcomes.get(name) == InjectionOutcome.MET_AGAIN
        for other in told - {session, None}
        for receipt in reading.receipts(session=other, limit=_MOST_RESULTS)
    )
