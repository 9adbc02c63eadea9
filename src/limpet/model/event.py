"""Everything that can happen, in the past tense; a closed union that stages match on.

The first half comes from outside: a host reports it through a hook or a transcript, `hosts/` translates it. The second
half is what our own stages report.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from limpet.lean.record import field, record
from limpet.model.memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Action(StrEnum):
    """What kind of thing a tool does, whatever its host calls it."""

    RUN = "run"
    READ = "read"
    EDIT = "edit"
    SEARCH = "search"
    FETCH = "fetch"
    DELEGATE = "delegate"
    PLAN = "plan"
    MEMORY = "memory"
    OTHER = "other"


@record
class SessionStarted:
    session: str
    at: datetime
    source: str = "startup"
    """startup, resume, clear, compact or fork."""
    transcript: str | None = None


@record
class PromptSubmitted:
    """What the person typed; what a host only phrases as a prompt is not reported as one."""

    session: str
    at: datetime
    text: str


@record
class CommandExpanded:
    """The person typed a slash command."""

    session: str
    at: datetime
    name: str
    arguments: str = ""


@record
class ToolFinished:
    session: str
    at: datetime
    tool: str
    action: Action
    input: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    """What was run, searched for or asked, in one line, where there is such a thing."""
    output: str = ""
    """What came back as text; for an edit, what was written."""
    failed: bool = False
    interrupted: bool = False
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    subagent: str | None = None
    line: int | None = None
    """Where it stands in the transcript, if it was read there."""


@record
class TurnEnded:
    """The agent has spoken its last word for now."""

    session: str
    at: datetime
    said: str = ""


@record
class SubagentStarted:
    session: str
    at: datetime
    subagent: str = ""


@record
class Compacted:
    """The host has shortened the conversation; its summary is one of user, agent and tools together."""

    session: str
    at: datetime
    summary: str = ""


@record
class SessionEnded:
    session: str
    at: datetime
    reason: str = ""


Reported = (
    SessionStarted
    | PromptSubmitted
    | CommandExpanded
    | ToolFinished
    | TurnEnded
    | SubagentStarted
    | Compacted
    | SessionEnded
)


@record
class BoundaryCrossed:
    """The work has turned to something else."""

    session: str
    at: datetime
    summary: str


@record
class MemoryAdmitted:
    at: datetime
    memory: Memory


@record
class DraftDropped:
    """An observation was not worth keeping, or not fit to be kept."""

    session: str
    at: datetime
    reason: str
    score: float = 0.0


@record
class ContextReady:
    """The text that answers a prompt or a session's start."""

    session: str
    at: datetime
    text: str
    ids: tuple[str, ...] = ()


Event = Reported | BoundaryCrossed | MemoryAdmitted | DraftDropped | ContextReady
