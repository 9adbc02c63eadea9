"""How far a memory may go by itself: who said it decides, before any pattern is looked at."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from limpet.model.memory import Concept, Memory, Origin, Phase, Type


class Feedback(StrEnum):
    """What somebody thinks of a memory that was brought up."""

    USEFUL = "useful"
    WRONG = "wrong"
    STALE = "stale"
    NEVER = "never"


class Reach(IntEnum):
    ASKED = 0
    """Given on request alone."""
    PROMPT = 1
    """Brought up when a prompt or an error is about it, as quoted data."""
    START = 2
    """Brought up at the start of a session too."""


SUMMARIES = (Type.SESSION_SUMMARY, Type.COMPRESSED_SUMMARY)


def reach_of(memory: Memory, feedback: Feedback | None = None) -> Reach:
    if memory.phase is Phase.ARCHIVED or feedback in (Feedback.WRONG, Feedback.NEVER):
        return Reach.ASKED
    trusted = _by_origin(memory)
    return min(trusted, Reach.PROMPT) if feedback is Feedback.STALE else trusted


def _by_origin(memory: Memory) -> Reach:
    if memory.confirmed or memory.origin in (Origin.USER, Origin.AGENT):
        return Reach.START
    if memory.origin is not Origin.TOOL:
        return Reach.ASKED
    return Reach.START if is_digest(memory) else Reach.PROMPT


def is_digest(memory: Memory) -> bool:
    """A summary of the session's own work, or a fix that worked: worth its place though a tool said it."""
    return memory.type in SUMMARIES or Concept.PROBLEM_SOLUTION in memory.concepts
