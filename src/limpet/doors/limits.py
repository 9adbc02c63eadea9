"""What a memory may claim to be, given who said it: the one place that sets the limit of each origin."""

from __future__ import annotations

from limpet.lean.record import replace
from limpet.model.memory import Draft, Impact, Kind, Memory


def limit_by_origin(memory: Memory) -> Memory:
    """Return the memory with no higher kind, impact or importance than its origin allows.

    What a tool printed, a file says or somebody outside wrote is a lesson of at most medium impact, whatever it calls
    itself: what the project is built like and how a person wants to work is for the user and the agent to say.
    """
    if memory.origin.is_own or memory.confirmed:
        return memory
    return replace(
        memory,
        kind=memory.kind if memory.kind is Kind.ACHIEVEMENTS else Kind.LEARNINGS,
        impact=min(memory.impact, Impact.MEDIUM, key=lambda impact: impact.rank),
        importance=min(memory.importance, Impact.MEDIUM.importance),
    )


def describe_limits(draft: Draft, memory: Memory) -> list[str]:
    """Return a note on what was asked for and the origin does not allow."""
    asked = ("region", "kind", "impact", "importance")
    names = [name for name in asked if getattr(draft, name) not in (None, getattr(memory, name))]
    if not names or memory.origin.is_own:
        return []
    given = ", ".join(f"{name} {getattr(memory, name)}" for name in names)
    return [f"it has {given}, because {memory.origin.value} text is never more until you confirm it"]
