"""Condense or archive memories that are unused, too many, or expired.

Decay condenses memories that have not been used for a number of active days, the days on which the project had a
session; the number depends on the impact of the memory, and memories with the impact CRITICAL are not condensed.
Eviction condenses those with the lowest priority if a project or agent has more memories in a phase (which tells how
much of the text is active) than its cap. Expiry archives what has expired, and what was captured or noted and not used
for long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from limpet.clock import from_ms, local_midnight, to_ms
from limpet.doors.context import Context
from limpet.doors.token_budget import choose_roles
from limpet.model.change import Change
from limpet.model.fold import find_capture
from limpet.model.memory import Impact, Origin, Phase, Tier
from limpet.model.query import Stored
from limpet.model.scope import token_of
from limpet.recall.questions import Answers
from limpet.settings import UpkeepSettings
from limpet.store.protocol import DueQuery, Reading
from limpet.upkeep.caps import EVICTION_BATCH, find_lowest_over_cap
from limpet.upkeep.condense import SHORT, condense_memory
from limpet.upkeep.job import Plan

_LEAST_MS = 20 * 3_600_000
"""The minimum time since the last use, in milliseconds, so that a memory is not condensed just after midnight."""


def decay_steps(settings: UpkeepSettings) -> tuple[tuple[Impact, int, Phase], ...]:
    """Return, for each impact, the number of active days after which an unused memory decays, and its new phase."""
    return (
        (Impact.LOW, settings.low_days, Phase.ABSTRACT),
        (Impact.MEDIUM, settings.medium_days, Phase.HINT),
        (Impact.HIGH, settings.high_days, Phase.HINT),
    )


def decay(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope that has memories to condense because they were not used."""
    reading = context.store.reading()
    answers = Answers(context.home, most=context.settings.recall.questions).find
    latest = to_ms(context.now()) - _LEAST_MS
    for room in reading.rooms():
        active = reading.activity(room.project, room.agent).days
        changes = []
        for impact, days, phase in decay_steps(context.settings.upkeep):
            if not 0 < days <= len(active):
                continue
            # A memory was not used for that many active days if its last use was before the first of them.
            since = from_ms(min(local_midnight(active[-days]), latest))
            query = DueQuery(
                token=room.token, impact=impact, below=phase, unused_since=since, longer_than=SHORT, spare=True
            )
            for stored in reading.due(query):
                summarise = choose_roles(context, [stored.memory]).summarise
                step = condense_memory(
                    reading, stored, phase, sign_again=context.sign_again, summarise=summarise, answers=answers
                )
                # Nothing is changed if the text would not get shorter.
                if step is not None and len(step.payload["content"]) < len(stored.memory.content):
                    changes.append(step)
        if changes:
            yield Plan.of(changes, room=room)


def evict(context: Context) -> Iterator[Plan]:
    """Yield plans that move memories to the next phase, for each project and agent that has too many in one phase."""
    # The phases are processed in order, so that memories that leave one are counted in the next. Only as many are moved
    # as exceed the cap, so that a round that is killed and started again has the same result.
    for phase in (Phase.FULL, Phase.HINT, Phase.ABSTRACT):
        rooms = context.store.reading().rooms()
        for room in rooms:
            if room.project is not None:
                yield from _plan_for_phase(context, phase, room.token, room.agent, context.settings.store.project_cap)
        for agent in sorted({room.agent for room in rooms}):
            yield from _plan_for_phase(context, phase, None, agent, context.settings.store.agent_cap)


def _plan_for_phase(context: Context, phase: Phase, token: str | None, agent: str, cap: int) -> Iterator[Plan]:
    reading = context.store.reading()
    rooms = {room.token: room for room in reading.rooms()}
    below, answers = Phase(phase + 1), Answers(context.home, most=context.settings.recall.questions)
    keep = frozenset(room.newest for room in rooms.values())
    if below is Phase.ARCHIVED:
        # Searches do not find an archived memory, so memories that have answered a question are not archived here.
        keep |= answers.ids
    lowest = find_lowest_over_cap(reading, token, agent, cap, keep, phase=phase)
    for name, room in rooms.items():
        own = [each for each in lowest if token_of(each.memory) == name]
        steps = [
            condense_memory(
                reading,
                each,
                below,
                sign_again=context.sign_again,
                summarise=choose_roles(context, [each.memory]).summarise,
                answers=answers.find,
            )
            for each in own
        ]
        changes = [step for step in steps if step is not None]
        retires = len(changes) if below is Phase.ARCHIVED else 0
        if changes:
            yield Plan.of(changes, room=room, retires=retires, batch=EVICTION_BATCH)


def expire(context: Context) -> Iterator[Plan]:
    """Yield a plan that archives expired memories, and captured or noted memories not used for the configured time.

    A memory that was learnt from an old recording is as old as the recording, but nobody could use it or decide about
    it before it was stored. So the time without use begins then at the earliest.
    """
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
