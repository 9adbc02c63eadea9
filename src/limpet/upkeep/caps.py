"""Caps on memories: over a cap those of lowest priority step down one phase, none is lost."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.model.change import Change
from limpet.model.memory import Phase
from limpet.model.query import Stored
from limpet.model.scope import Scope, Where, token_of
from limpet.settings import StoreSettings
from limpet.store.protocol import Reading
from limpet.upkeep.ladder import lowered
from limpet.upkeep.plan import Means, Plan, Resign

EVICTED_AT_ONCE = 10


def step_down(
    reading: Reading, where: Where, *, caps: StoreSettings, keep: frozenset[str], resign: Resign
) -> list[Change]:
    """The changes that bring project and agent back under their caps, never touching what was just written.

    They go ten at a time, so that a full store does not pay for it at every write; after a big batch, as many as
    are over.
    """
    chosen: dict[str, Stored] = {}
    for token, cap in (*((token, caps.project_cap) for token in _project_token(where)), (None, caps.agent_cap)):
        chosen.update(
            (each.memory.id, each) for each in _lowest(reading, token, where.agent, cap, keep, at_least=EVICTED_AT_ONCE)
        )
    steps = (lowered(reading, stored, Phase.HINT, resign=resign) for stored in chosen.values())
    return [step for step in steps if step is not None]


def _project_token(where: Where) -> tuple[str, ...]:
    tokens = Scope(agent=where.agent, project=where.project).tokens()
    return tokens[:1] if tokens and where.project else ()


def _lowest(
    reading: Reading,
    token: str | None,
    agent: str,
    cap: int,
    keep: frozenset[str],
    *,
    phase: Phase = Phase.FULL,
    at_least: int = 1,
) -> list[Stored]:
    if not cap:
        return []
    over = reading.over_cap(token, agent, cap, phase)
    lowest = [each for each in over if each.memory.id not in keep]
    return lowest[: max(at_least, reading.count_in_phase(token, agent, phase) - cap)] if over else []


def eviction(means: Means) -> Iterator[Plan]:
    """Each rung of the ladder holds as many as the caps say; who has the lowest priority on it steps down.

    The upper rung comes first, so that what leaves it is counted on the next. Here exactly so many go as are over:
    whoever was killed after some of them must come to the same end as somebody who was not.
    """
    for phase in (Phase.FULL, Phase.HINT, Phase.ABSTRACT):
        rooms = means.store.reading().rooms()
        for room in rooms:
            if room.project is not None:
                yield from _evicted(means, phase, room.token, room.agent, means.caps.project_cap)
        for agent in sorted({room.agent for room in rooms}):
            yield from _evicted(means, phase, None, agent, means.caps.agent_cap)


def _evicted(means: Means, phase: Phase, token: str | None, agent: str, cap: int) -> Iterator[Plan]:
    reading = means.store.reading()
    rooms = {room.token: room for room in reading.rooms()}
    keep = frozenset(room.newest for room in rooms.values())
    lowest = _lowest(reading, token, agent, cap, keep, phase=phase)
    for name, room in rooms.items():
        own = [each for each in lowest if token_of(each.memory) == name]
        below = Phase(phase + 1)
        steps = [lowered(reading, each, below, resign=means.resign, text=means.roles.summarise) for each in own]
        changes = [step for step in steps if step is not None]
        retires = len(changes) if below is Phase.ARCHIVED else 0
        if changes:
            yield Plan.of(changes, room=room, retires=retires, batch=EVICTED_AT_ONCE)
