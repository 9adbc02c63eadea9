"""Complete merges that were only partly written, undo merges whose members have changed, and renew outdated signs.

A merge makes a summary of several memories, called its members, which the summary supersedes. Signs are the marks of
text that looks like orders to a model.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.context import Context
from limpet.doors.governor import encode_signs
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.fold import fold_memories
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.store.protocol import DueQuery, Reading
from limpet.upkeep.job import Plan, upkeep_change
from limpet.upkeep.summary_members import MERGED, release_members, supersede_member, undo_merge


def repair(context: Context) -> Iterator[Plan]:
    """Yield plans after which every summary supersedes either all of its members or none."""
    reading = context.store.reading()
    for stored in reading.summaries():
        changes = _repair_summary(reading, stored)
        if changes:
            yield Plan(parts=(tuple(changes),))
    revived = [
        upkeep_change(ChangeKind.RESTORE, each.memory)
        for each in reading.orphans()
        if _last_supersede_reason(reading, each.memory) == MERGED
    ]
    if revived:
        yield Plan.of(revived)


def _repair_summary(reading: Reading, stored: Stored) -> list[Change]:
    summary = stored.memory
    if stored.status is Status.FORGOTTEN:
        own = [each for each in fold_memories(reading.history(summary.id)) if each.memory.id == summary.id]
        if not own or own[0].status is Status.FORGOTTEN:
            # A person forgot the summary itself, and so what its members say.
            return []
        gone = [name for name in summary.made_of if (found := reading.get(name)) and found.status is Status.FORGOTTEN]
        return release_members(reading, gone)
    if summary.corrects:
        # A person has rewritten the summary.
        return []
    missing = []
    for name in summary.made_of:
        member = reading.get(name)
        if member is None or (member.status is Status.SUPERSEDED and not _is_corrected(reading, member.memory)):
            continue
        if member.status is Status.LIVE and _last_supersede_reason(reading, member.memory) is None:
            missing.append(supersede_member(member.memory, summary.id))
        else:
            return undo_merge(reading, summary)
    return missing


def _last_supersede_reason(reading: Reading, member: Memory) -> str | None:
    """Return the reason in the last change that superseded a memory, or None if there is no such change.

    The reason may be an empty string. A correction does not count, because it is a change of a different kind.
    """
    found = [each for each in reading.history(member.id) if each.kind == ChangeKind.SUPERSEDE]
    return str(found[-1].payload.get("why", "")) if found else None


def _is_corrected(reading: Reading, member: Memory) -> bool:
    return any(each.status is Status.LIVE and member.id in each.memory.lineage for each in reading.versions(member.id))


def rescan(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope with memories whose signs were found with older rules; it records the current ones.

    Until this is done, each such memory is searched whenever it is about to be shown to a model, while a host waits.
    """
    for room in context.store.reading().rooms():
        found = context.store.reading().due(DueQuery(token=room.token, unread=True))
        if found:
            yield Plan.of(
                [upkeep_change(ChangeKind.REFRESH, each.memory, {"signs": encode_signs(each.memory)}) for each in found]
            )
