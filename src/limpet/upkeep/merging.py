"""What holds between a summary and what it was made of, and how a merge is completed or undone.

A summary stands while all its members are superseded by it. If a member is forgotten or purged, the summary would keep
saying it, so it goes and the others come back; if a member is restored or corrected, the merge is undone. If a merge
was written only in part, because somebody was killed, it is completed. Whoever was once merged is left alone
afterwards, so that nothing is merged and undone in turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from limpet.model.change import Change, ChangeKind, Status, fold_memories
from limpet.model.memory import Memory, Type
from limpet.model.query import Stored
from limpet.store.protocol import Reading
from limpet.upkeep.plan import Means, Plan, change

MERGED = "merged"


def superseded(member: Memory, summary: str) -> Change:
    return change(ChangeKind.SUPERSEDE, member, {"by": summary, "why": MERGED})


def summary_of(reading: Reading, stored: Stored) -> Stored | None:
    """The summary that stands for a memory, if it was merged."""
    by = stored.memory.superseded_by
    found = reading.get(by) if stored.status is Status.SUPERSEDED and by else None
    if found is None or found.memory.type is not Type.COMPRESSED_SUMMARY:
        return None
    return found if stored.memory.id in found.memory.made_of else None


def undone(reading: Reading, summary: Memory) -> list[Change]:
    """The members live again, and one of them takes the place of the summary, and of its twin if two were made."""
    changes = [change(ChangeKind.RESTORE, member) for member in _hidden_by(reading, summary)]
    found = (reading.get(name) for name in summary.made_of)
    living = [each.memory.id for each in found if each is not None and each.status is not Status.FORGOTTEN]
    heirs = dict.fromkeys(heir for name in summary.made_of for heir in reading.descendants(name))
    for made in (reading.get(heir) for heir in heirs):
        if living and made is not None and made.status is Status.LIVE and made.memory.type is Type.COMPRESSED_SUMMARY:
            changes.append(change(ChangeKind.SUPERSEDE, made.memory, {"by": living[0], "why": MERGED}))
    return changes


def released(reading: Reading, gone: Collection[str], *, purging: bool = False) -> list[Change]:
    """When members are forgotten or purged: their summaries are forgotten with them, the other members revive."""
    changes: dict[tuple[str, str], Change] = {}
    for name in gone:
        for heir in reading.descendants(name):
            found = reading.get(heir)
            if found is None or found.memory.type is not Type.COMPRESSED_SUMMARY or name not in found.memory.made_of:
                continue
            made = [
                change(ChangeKind.RESTORE, each) for each in _hidden_by(reading, found.memory) if each.id not in gone
            ]
            if heir not in gone and not purging:
                made.append(
                    change(ChangeKind.FORGET, found.memory, {"reason": "something it was made of was forgotten"})
                )
            changes.update(((each.kind, each.subject), each) for each in made)
    return list(changes.values())


def _hidden_by(reading: Reading, summary: Memory) -> list[Memory]:
    found = (reading.get(name) for name in summary.made_of)
    return [each.memory for each in found if each is not None and summary_of(reading, each) is not None]


def settling(means: Means) -> Iterator[Plan]:
    """Bring every summary and its members back to where one of them stands for the other."""
    reading = means.store.reading()
    for stored in reading.summaries():
        changes = _settled(reading, stored)
        if changes:
            yield Plan(parts=(tuple(changes),))
    revived = [
        change(ChangeKind.RESTORE, each.memory) for each in reading.orphans() if _why(reading, each.memory) == MERGED
    ]
    if revived:
        yield Plan.of(revived)


def _settled(reading: Reading, stored: Stored) -> list[Change]:
    summary = stored.memory
    if stored.status is Status.FORGOTTEN:
        own = [each for each in fold_memories(reading.history(summary.id)) if each.memory.id == summary.id]
        if not own or own[0].status is Status.FORGOTTEN:
            # Somebody put the summary itself out of sight, and with it what it says.
            return []
        gone = [name for name in summary.made_of if (found := reading.get(name)) and found.status is Status.FORGOTTEN]
        return released(reading, gone)
    if summary.corrects:
        # A person wrote it anew.
        return []
    missing = []
    for name in summary.made_of:
        member = reading.get(name)
        if member is None or (member.status is Status.SUPERSEDED and not _is_corrected(reading, member.memory)):
            continue
        if member.status is Status.LIVE and _why(reading, member.memory) is None:
            missing.append(superseded(member.memory, summary.id))
        else:
            return undone(reading, summary)
    return missing


def _why(reading: Reading, member: Memory) -> str | None:
    """Why it was last superseded from outside its line; None if it never was."""
    found = [each for each in reading.history(member.id) if each.kind == ChangeKind.SUPERSEDE]
    return str(found[-1].payload.get("why", "")) if found else None


def _is_corrected(reading: Reading, member: Memory) -> bool:
    return any(each.status is Status.LIVE and member.id in each.memory.lineage for each in reading.versions(member.id))
