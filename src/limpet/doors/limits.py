"""Limit the kind, impact, importance and region of a memory by its origin."""

from __future__ import annotations

import os
from collections.abc import Sequence

from limpet.errors import Unfit
from limpet.lean.record import replace
from limpet.model.memory import Citation, Draft, Impact, Kind, Memory, Origin, Region, Tier
from limpet.model.scope import Where
from limpet.text.words import split_words

_MOST_STATED = 0.69
"""The greatest importance of a note of the user's own words. It is below that of HIGH, and shows which note is best."""


def limit_by_origin(memory: Memory) -> Memory:
    """Return a memory with its kind, impact and importance reduced to what its origin and its tier allow.

    Text from a tool, a file or outside is at most a lesson of medium impact, whatever it claims. Only the user and the
    agent can state how the project is built and how a person wants to work.
    """
    is_own = memory.effective_origin.is_own
    if memory.tier is Tier.NOTED or not is_own:
        # Capture cannot know how much something matters; that is decided by a person, or shown by its use.
        memory = replace(
            memory,
            impact=min(memory.impact, Impact.MEDIUM, key=lambda impact: impact.rank),
            importance=min(memory.importance, most_of_note(memory.origin)),
        )
    if is_own or memory.kind is Kind.ACHIEVEMENTS:
        return memory
    return replace(memory, kind=Kind.LEARNINGS)


def most_of_note(origin: Origin) -> float:
    """Return the greatest importance that a note with this origin can have."""
    return _MOST_STATED if origin is Origin.USER else Impact.MEDIUM.importance


CLAIMS = ("region", "kind", "impact", "importance")
"""The fields in which a memory from outside gets less than it asks for, until a person confirms it."""


def find_claims(memory: Memory, asked: Draft | Memory) -> dict[str, object]:
    """Return the values that a memory of low trust was asked to have and does not have, by the names of their fields.

    They are stored beside the memory, and it gets them when a person confirms it.
    """
    if memory.effective_origin.is_own:
        return {}
    given = {name: getattr(asked, name) for name in CLAIMS}
    if given["importance"] is None and given["impact"] is not None:
        given["importance"] = given["impact"].importance
    claimed = {name: value for name, value in given.items() if value not in (None, getattr(memory, name))}
    return {name: value if name == "importance" else str(value) for name, value in claimed.items()}


def describe_limits(draft: Draft, memory: Memory) -> list[str]:
    """Return a remark for the user if the draft asked for more than its origin allows, or an empty list."""
    names = [name for name in CLAIMS if getattr(draft, name) not in (None, getattr(memory, name))]
    if not names or memory.origin.is_own:
        return []
    given = ", ".join(f"{name} {getattr(memory, name)}" for name in names)
    return [f"it has {given}, because {memory.origin.value} text is never more until you confirm it"]


def limit_region(draft: Draft, words: Region, *, where: Where) -> Region:
    """Return the region of a draft: the one it asks for, or else `words`, the region that its text implies.

    The region is PROJECT unless the origin is the user or the agent, and AGENT if there is no project. Raise Unfit if
    the draft asks for PROJECT and there is no project.
    """
    if where.project is None:
        if draft.region is Region.PROJECT:
            raise Unfit("there is no project here to remember this for; go to a project's folder or use region AGENT")
        return Region.AGENT
    return (draft.region or words) if draft.origin.is_own else Region.PROJECT


def names_project(text: str, cited: Sequence[Citation], *, root: str | None) -> bool:
    """Tell whether a text names the project folder `root`, or cites a file in one of its subfolders."""
    return os.path.basename(root or "").lower() in split_words(text) or any("/" in each.path for each in cited)
