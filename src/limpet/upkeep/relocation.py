"""Move captured memories that are visible in all projects into the project in which they were captured.

Earlier versions of Limpet chose the region of a captured memory by its words, although no person had asked for it. Each
memory is moved once. If `limpet restore` undoes the move, the memory is not moved again.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.context import Context
from limpet.doors.limits import limit_by_origin
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind
from limpet.model.fold import find_capture
from limpet.model.memory import ON_PURPOSE, Memory, Region
from limpet.model.query import Stored, query_everything
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.upkeep.job import ACTOR, Plan, upkeep_change


def relocate(context: Context) -> Iterator[Plan]:
    """Yield a plan that moves captured memories from the region AGENT into the project of their session."""
    reading = context.store.reading()
    moved = frozenset(reading.changed_ids((ChangeKind.MOVE,)))
    changes = []
    for agent in reading.agents():
        # Of any status, but only what comes from a session and was not stored on purpose.
        for stored in reading.browse(query_everything(Scope(agent=agent.id), now=context.now())).items:
            if stored.memory.session is None or stored.memory.earned == ON_PURPOSE:
                continue
            project = None if stored.memory.id in moved else _find_project(reading, stored.memory)
            if project is not None:
                changes.append(_move_into(context, stored, project))
    if changes:
        yield Plan.of(changes)


def was_relocated(reading: Reading, id: str) -> bool:
    """Tell whether upkeep has moved a memory. A person moves memories too, for example by confirming shared files."""
    return any(change.kind == ChangeKind.MOVE and change.actor == ACTOR for change in reading.history(id))


def _find_project(reading: Reading, memory: Memory) -> str | None:
    """Return the id of the project in which a memory was captured; None if there is none or it was not captured."""
    birth = find_capture(reading.history(memory.id))
    if birth is None:
        return None
    # A session may work in several projects. Its memories are written together with a change that names the project.
    for change in reading.history(f"session:{memory.session}"):
        if change.id > birth.id and isinstance(change.payload.get("project"), str):
            return str(change.payload["project"])
    session = reading.session(memory.session or "")
    return session.project if session else None


def _move_into(context: Context, stored: Stored, project: str) -> Change:
    memory = stored.memory
    there = limit_by_origin(replace(memory, region=Region.PROJECT, project=project))
    payload: dict[str, object] = {
        "region": there.region.value,
        "project": project,
        "kind": there.kind.value,
        "impact": there.impact.value,
        "importance": there.importance,
    }
    return upkeep_change(ChangeKind.MOVE, memory, {**payload, **context.sign_again(stored, there)})
