"""Archive memories that have expired, and captured or noted memories that have not been used for a long time.

A memory that was learnt from an old recording is as old as the recording, but nobody could use it or decide about it
before it was stored. So the time without use begins then at the earliest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from limpet.clock import to_ms
from limpet.doors.context import Context
from limpet.model.change import Change
from limpet.model.fold import find_capture
from limpet.model.memory import Origin, Phase, Tier
from limpet.model.query import Stored
from limpet.store.protocol import DueQuery, Reading
from limpet.upkeep.condense import condense_memory
from limpet.upkeep.plan import Plan


def expire(context: Context) -> Iterator[Plan]:
    """Yield a plan that archives expired memories, and captured or noted memories not used for the configured time."""
    reading = context.store.reading()
    expired = reading.due(DueQuery(expired_at=context.now()))
    changes = _archive_memories(context, reading, expired)
    days = context.settings.upkeep.auto_ttl_days
    if days:
        since = context.now() - timedelta(days=days)
        unused = reading.due(DueQuery(unused_since=since, learnt_before=since, spare=True, endless=True))
        changes += _archive_memories(context, reading, [each for each in unused if _is_captured(reading, each)])
    noted_days = context.settings.upkeep.noted_days
    if noted_days:
        since = context.now() - timedelta(days=noted_days)
        old = reading.due(DueQuery(tier=Tier.NOTED, spare=True, made_before=since, learnt_before=since))
        noted = (each for each in old if _count_idle_days(reading, each) > noted_days)
        known = {change.subject for change in changes}
        changes += _archive_memories(context, reading, [each for each in noted if each.memory.id not in known])
    if changes:
        yield Plan.of(changes)


def _is_captured(reading: Reading, stored: Stored) -> bool:
    """Tell whether a memory was captured from a session and neither stored on purpose nor confirmed by a person."""
    memory = stored.memory
    if memory.effective_origin is Origin.USER:
        return False
    return memory.origin is Origin.TOOL or find_capture(reading.history(memory.id)) is not None


def _count_idle_days(reading: Reading, stored: Stored) -> int:
    """Return the number of active days since a memory was last used, or since it was stored if that was later."""
    memory, idle = stored.memory, stored.standing.idle_days
    stored_at = reading.history(memory.id)[0].at
    return min(idle, reading.activity(memory.project, memory.agent).count_days_since(to_ms(stored_at)))


def _archive_memories(context: Context, reading: Reading, due: Sequence[Stored]) -> list[Change]:
    steps = (
        condense_memory(
            reading, stored, Phase.ARCHIVED, sign_again=context.sign_again, summarise=context.roles().summarise
        )
        for stored in due
    )
    return [step for step in steps if step is not None]
