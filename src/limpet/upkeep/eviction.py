"""Condense the memories with the lowest priority if a project or agent has more memories in a phase than its cap.

A phase tells how much of a memory's text is active.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.context import Context
from limpet.doors.token_budget import choose_roles
from limpet.model.memory import Phase
from limpet.model.scope import token_of
from limpet.recall.questions import Answers
from limpet.upkeep.caps import EVICTION_BATCH, find_lowest_over_cap
from limpet.upkeep.condense import condense_memory
from limpet.upkeep.plan import Plan


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
