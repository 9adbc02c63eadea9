"""Promote memories that were used: to a longer time scale, and from noted to kept.

The time scale of a memory is the time for which it is expected to matter: immediate, task, session or project.

A kept memory may be shown at the start of any session, a noted one may not. A memory records why it is kept. If it has
no such record, it was captured by an earlier version of Limpet, which had no tiers. Unless it was used in another
session, it becomes noted, and `limpet pin` or `limpet confirm` makes it kept again.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.context import Context
from limpet.model.change import Change, ChangeKind
from limpet.model.fold import find_capture
from limpet.model.memory import FOR_ITS_TOPIC, Memory, Scale, Tier
from limpet.model.query import Stored
from limpet.model.reach import SUMMARIES
from limpet.model.standing import Standing
from limpet.store.protocol import DueQuery, Reading
from limpet.upkeep.job import Plan, upkeep_change


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


USED = "used in another session"
"""The value of `Memory.earned`, the reason why a memory is kept, after a use in another session."""

_REPEATED = "said again in another session"
"""The value of `Memory.earned` by an earlier rule, which compared words and kept repeated requests too."""


def settle_tiers(context: Context) -> Iterator[Plan]:
    """Yield a plan that changes tiers: to KEPT after a use in another session, to NOTED if no reason is recorded."""
    reading = context.store.reading()
    changes = [*_keep_used(reading), *_note_unearned(reading), *_note_repeated(reading)]
    if changes:
        yield Plan.of(changes)


def _keep_used(reading: Reading) -> Iterator[Change]:
    for tier in Tier:
        for stored in reading.due(DueQuery(tier=tier, used=True)):
            memory = stored.memory
            may_rise = tier is Tier.NOTED or memory.earned.endswith(FOR_ITS_TOPIC)
            if may_rise and memory.type not in SUMMARIES and _was_used_elsewhere(stored):
                yield upkeep_change(ChangeKind.KEEP, memory, {"earned": USED})


def _was_used_elsewhere(stored: Stored) -> bool:
    return stored.standing.last_session not in (None, stored.memory.session)


def _note_unearned(reading: Reading) -> Iterator[Change]:
    for stored in reading.due(DueQuery(tier=Tier.KEPT, unearned=True)):
        memory = stored.memory
        if memory.confirmed or memory.pinned or find_capture(reading.history(memory.id)) is None:
            continue
        if stored.standing.access_count and _was_used_elsewhere(stored):
            yield upkeep_change(ChangeKind.KEEP, memory, {"earned": USED})
        else:
            yield upkeep_change(ChangeKind.NOTE, memory, {})


def _note_repeated(reading: Reading) -> Iterator[Change]:
    """Yield changes that note the memories which an earlier rule kept because their words were repeated."""
    for stored in reading.due(DueQuery(tier=Tier.KEPT)):
        memory = stored.memory
        if memory.earned == _REPEATED and not memory.confirmed and not memory.pinned:
            yield upkeep_change(ChangeKind.NOTE, memory, {})
