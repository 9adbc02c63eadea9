"""The reach of a memory: on which occasions it may be shown to a model."""

from __future__ import annotations

from limpet.lean.enumeration import IntEnum, StrEnum
from limpet.model.memory import FOR_ITS_TOPIC, ON_PURPOSE, Memory, Origin, Phase, Tier, Type


class Feedback(StrEnum):
    """An opinion that a person or an agent gave about a memory that was shown."""

    USEFUL = "useful"
    WRONG = "wrong"
    STALE = "stale"
    NEVER = "never"


class Reach(IntEnum):
    """The occasions on which a memory may be shown to a model. Each value includes the lower ones."""

    ASKED = 0
    """Only on request."""
    PROMPT = 1
    """Also with a prompt or an error that the memory answers, as quoted data."""
    START = 2
    """Also at the start of a session."""


SUMMARIES = (Type.SESSION_SUMMARY, Type.COMPRESSED_SUMMARY)


def reach_of(memory: Memory, feedback: Feedback | None = None) -> Reach:
    """Return the reach of a memory (when it may be shown), given the latest feedback on it."""
    if memory.phase is Phase.ARCHIVED or feedback in (Feedback.WRONG, Feedback.NEVER):
        return Reach.ASKED
    trusted = _reach_by_origin(memory)
    return min(trusted, Reach.PROMPT) if feedback is Feedback.STALE else trusted


def _reach_by_origin(memory: Memory) -> Reach:
    if memory.confirmed:
        return Reach.START
    if memory.origin.is_outside:
        return Reach.ASKED
    if memory.tier is Tier.NOTED or memory.earned.endswith(FOR_ITS_TOPIC):
        return Reach.PROMPT
    # What a tool said is told at a start only if more than storing it has earned it that place.
    earned = memory.earned not in ("", ON_PURPOSE)
    return Reach.START if memory.origin is not Origin.TOOL or earned else Reach.PROMPT
