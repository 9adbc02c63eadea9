"""Relocation: captured memories that every project could see are moved into the project of their session, once.

Earlier versions chose the region of captured text by its words. No person had chosen it, so such a memory belongs to
the project in which it was captured, with the limits of its origin. Nothing is retired: the memory moves, the journal
records it, and `limpet restore` undoes it permanently.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.doors.limits import limit_by_origin
from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind
from limpet.model.fold import find_capture
from limpet.model.memory import ON_PURPOSE, Memory, Region
from limpet.model.query import Stored, query_everything
from limpet.model.scope import Scope
from limpet.store.protocol import Reading
from limpet.upkeep.plan import Plan, upkeep_change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context


def relocate(context: Context) -> Iterator[Plan]:
    """Yield a plan that moves captured memories of the region AGENT into the project of their session."""
    reading = context.store.reading()
    moved = frozenset(reading.moved_ids())
    changes = []
    for agent in reading.agents():
        for stored in _find_unchosen(context, reading, agent.id):
            project = None if stored.memory.id in moved else _find_project(reading, stored.memory)
            if project is not None:
                changes.append(_move_into(context, stored, project))
    if changes:
        yield Plan.of(changes)


def _find_unchosen(context: Context, reading: Reading, agent: str) -> Iterator[Stored]:
    """Yield the memories of the region AGENT that were captured in a session, whatever their status."""
    for stored in reading.browse(query_everything(Scope(agent=agent), now=context.now())).items:
        if stored.memory.session is not None and stored.memory.earned != ON_PURPOSE:
            yield stored


def _find_project(reading: Reading, memory: Memory) -> str | None:
    """Return the project in which a memory was captured; None if it was not captured, or outside of any project."""
    birth = find_capture(reading.history(memory.id))
    if birth is None:
        return None
    # A session may go from project to project. What it left is written together with a change that names the project.
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
