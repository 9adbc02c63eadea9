"""Every event, in the past tense: a closed union that stages match on.

The first half comes from outside: a host reports it in a hook or a transcript, and `hosts/` translates it. The second
half is reported by the stages.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import field, record
from limpet.model.memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Action(StrEnum):
    """What kind of action a tool performs, independent of the host's name for the tool."""

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
    """A session began or was resumed."""

    session: str
    at: datetime
    source: str = "startup"
    """How the session began: startup, resume, clear, compact or fork."""
    transcript: str | None = None
    is_scripted: bool = False
    """Whether a program gives the prompts (an SDK, `claude -p`, `codex exec`); known from a transcript only."""


@record
class PromptSubmitted:
    """The person typed a prompt. Texts that a host itself writes as prompts are not reported."""

    session: str
    at: datetime
    text: str
    is_recorded: bool = True
    """Whether the host's transcript shows that a person typed the prompt; False if a hook alone reports it."""
    left_out: tuple[str, ...] = ()
    """Hashes of a prompt that was too long to be queued whole: most of it was pasted."""


@record
class CommandExpanded:
    """The person typed a slash command."""

    session: str
    at: datetime
    name: str
    arguments: str = ""
    is_typed: bool = False
    """Whether the host's own transcript shows that a person typed the command."""


@record
class ToolProposed:
    """The agent is about to call a tool."""

    session: str
    at: datetime
    tool: str
    command: str = ""
    files: tuple[str, ...] = ()
    """The files that the call will change."""


@record
class ToolFinished:
    """A tool call of the agent or of a sub-agent returned."""

    session: str
    at: datetime
    tool: str
    action: Action
    input: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    """The command, query or request of the tool call in one line; empty if the tool has none."""
    output: str = ""
    """The result as text; for an edit, the text that was written."""
    left_out: tuple[str, ...] = ()
    """Hashes of the parts of a long result that are not in `output`, made by `text.shingles`."""
    failed: bool = False
    interrupted: bool = False
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    subagent: str | None = None
    line: int | None = None
    """The line number in the transcript, if the event was read from a transcript."""


@record
class TurnEnded:
    """The agent finished its turn; `said` is its last message."""

    session: str
    at: datetime
    said: str = ""


@record
class Interrupted:
    """The person stopped the agent, or did not allow a tool call; known from a transcript only."""

    session: str
    at: datetime


@record
class SubagentStarted:
    """The agent started a sub-agent."""

    session: str
    at: datetime
    subagent: str = ""


@record
class Compacted:
    """The host shortened the conversation; the summary mixes words of the user, the agent and tools."""

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
    | ToolProposed
    | ToolFinished
    | TurnEnded
    | Interrupted
    | SubagentStarted
    | Compacted
    | SessionEnded
)


@record
class BoundaryCrossed:
    """The work turned to another subject; `summary` describes the work before."""

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
