"""Everything that can happen, in the past tense: a closed union that stages match on.

The first half comes from outside: a host reports it in a hook or a transcript, and `hosts/` translates it. The second
half is reported by our stages.
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
    """A session began or went on."""

    session: str
    at: datetime
    source: str = "startup"
    """startup, resume, clear, compact or fork."""
    transcript: str | None = None


@record
class PromptSubmitted:
    """The person typed a prompt. Texts that a host itself writes as prompts are not reported."""

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
    is_typed: bool = False
    """Whether the host's own transcript shows that a person typed it."""


@record
class ToolFinished:
    """A tool call of the agent or of a sub-agent came back."""

    session: str
    at: datetime
    tool: str
    action: Action
    input: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    """What was run, searched for or asked, in one line, if the tool has such a thing."""
    output: str = ""
    """The result as text; for an edit, the text that was written."""
    left_out: tuple[str, ...] = ()
    """Hashes of the parts of a long result that are not in `output`, as `text.shingles` makes them."""
    failed: bool = False
    interrupted: bool = False
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    subagent: str | None = None
    line: int | None = None
    """The line of the transcript, if it was read from one."""


@record
class TurnEnded:
    """The agent finished its turn; `said` is its last message."""

    session: str
    at: datetime
    said: str = ""


@record
class SubagentStarted:
    """The agent started a sub-agent."""

    session: str
    at: datetime
    subagent: str = ""


@record
class Compacted:
    """The host shortened the conversation; the summary mixes what user, agent and tools said."""

    session: str
    at: datetime
    summary: str = ""


@record
class SessionEnded:
    """A session ended."""

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
    """The work turned to another subject; `summary` is of the work before."""

    session: str
    at: datetime
    summary: str


@record
class MemoryAdmitted:
    """A memory was stored."""

    at: datetime
    memory: Memory


@record
class DraftDropped:
    """An observation was not worth keeping, or was rejected."""

    session: str
    at: datetime
    reason: str
    score: float = 0.0


@record
class ContextReady:
    """The text for a prompt or for the start of a session is ready."""

    session: str
    at: datetime
    text: str
    ids: tuple[str, ...] = ()


@record
class UpkeepStarted:
    """A round of upkeep began."""

    at: datetime


Event = Reported | BoundaryCrossed | MemoryAdmitted | DraftDropped | ContextReady | UpkeepStarted
