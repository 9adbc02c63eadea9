"""Supersede memories that were merged into a summary, and undo merges. The merged memories are the summary's members.

A summary is valid while it supersedes all of its members. If a member is forgotten or purged, the summary still
contains its text, so the summary is forgotten and the other members are restored. If a member is restored or corrected,
the merge is undone. A memory that was merged once is not merged again, because the merge could be undone each time.
"""

from __future__ import annotations

from collections.abc import Collection

from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Memory, Type
from limpet.model.query import Stored
from limpet.store.protocol import Reading
from limpet.upkeep.job import upkeep_change

MERGED = "merged"
"""The reason that is recorded in changes with which a summary supersedes its members."""


def supersede_member(member: Memory, summary: str) -> Change:
    """Return the change with which a summary, given by its id, supersedes a member."""
    return upkeep_change(ChangeKind.SUPERSEDE, member, {"by": summary, "why": MERGED})


def summary_of(reading: Reading, stored: Stored) -> Stored | None:
    """Return the summary into which a memory was merged and which still supersedes it; None if there is none."""
    by = stored.memory.superseded_by
    found = reading.get(by) if stored.status is Status.SUPERSEDED and by else None
    if found is None or found.memory.type is not Type.COMPRESSED_SUMMARY:
        return None
    return found if stored.memory.id in found.memory.made_of else None


def undo_merge(reading: Reading, summary: Memory) -> list[Change]:
    """Return the changes that restore a summary's members and supersede all summaries made from them."""
    changes = [upkeep_change(ChangeKind.RESTORE, member) for member in _find_hidden_members(reading, summary)]
    found = (reading.get(name) for name in summary.made_of)
    living = [each.memory.id for each in found if each is not None and each.status is not Status.FORGOTTEN]
    heirs = dict.fromkeys(heir for name in summary.made_of for heir in reading.descendants(name))
    for made in (reading.get(heir) for heir in heirs):
        if living and made is not None and made.status is Status.LIVE and made.memory.type is Type.COMPRESSED_SUMMARY:
            changes.append(upkeep_change(ChangeKind.SUPERSEDE, made.memory, {"by": living[0], "why": MERGED}))
    return changes


def release_members(reading: Reading, gone: Collection[str], *, purging: bool = False) -> list[Change]:
    """Return the changes that are needed when the members `gone` are forgotten or purged.

    The summaries of these members are forgotten, and their other members are restored. If `purging` is True, the
    summaries are left out, because the purge of a member also erases them.
    """
    changes: dict[tuple[str, str], Change] = {}
    for name in gone:
        for heir in reading.descendants(name):
            found = reading.get(heir)
            if found is None or found.memory.type is not Type.COMPRESSED_SUMMARY or name not in found.memory.made_of:
                continue
            made = [
                upkeep_change(ChangeKind.RESTORE, each)
                for each in _find_hidden_members(reading, found.memory)
                if each.id not in gone
            ]
            if heir not in gone and not purging:
                made.append(
                    upkeep_change(ChangeKind.FORGET, found.memory, {"reason": "something it was made of was forgotten"})
                )
            changes.update(((each.kind, each.subject), each) for each in made)
    return list(changes.values())


def _find_hidden_members(reading: Reading, summary: Memory) -> list[Memory]:
    """Return the members of a summary that are superseded by it or by another summary."""
    found = (reading.get(name) for name in summary.made_of)
    return [each.memory for each in found if each is not None and summary_of(reading, each) is not None]
