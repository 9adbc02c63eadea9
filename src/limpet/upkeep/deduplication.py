"""Supersede duplicates, which are created if two processes admit the same text at the same time."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Phase
from limpet.model.scope import token_of
from limpet.store.protocol import Reading
from limpet.upkeep.plan import Plan, upkeep_change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context


def supersede_twins(reading: Reading) -> list[Change]:
    """Return the changes with which the earliest memory with a text supersedes its duplicates."""
    changes = []
    for stored in reading.twins():
        same = reading.same_text(token_of(stored.memory), stored.memory.content_hash)
        shown = (each for each in same if each.status is Status.LIVE and each.memory.phase < Phase.ARCHIVED)
        first = next(shown, stored).memory
        if first.id != stored.memory.id:
            changes.append(upkeep_change(ChangeKind.SUPERSEDE, stored.memory, {"by": first.id}))
    return changes


def deduplicate(context: Context) -> Iterator[Plan]:
    """Yield a plan for each scope that has duplicates."""
    reading = context.store.reading()
    changes = supersede_twins(reading)
    scopes = {each.memory.id: token_of(each.memory) for each in reading.twins()}
    for room in reading.rooms():
        own = [each for each in changes if scopes[each.subject] == room.token]
        if own:
            yield Plan.of(own, room=room, retires=len(own))
