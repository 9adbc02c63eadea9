"""Condense memories that have not been used for a number of active days, the days on which the project had a session.

The number of days depends on the impact of the memory. Memories with the impact CRITICAL are not condensed.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.clock import from_ms, local_midnight, to_ms
from limpet.doors.context import Context
from limpet.doors.token_budget import choose_roles
from limpet.model.memory import Impact, Phase
from limpet.recall.questions import Answers
from limpet.settings import UpkeepSettings
from limpet.store.protocol import DueQuery
from limpet.upkeep.condense import SHORT, condense_memory
from limpet.upkeep.plan import Plan

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
