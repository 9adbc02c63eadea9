"""The events of a session, named in the past tense. `Event` is the union of all of them.

Hosts report the first group in hooks and transcripts, and `hosts/` translates them. The stages that process events
report the second group.
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
    """The kind of action that a tool performs, independent of the host's name for the tool."""

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
    """Whether a program sends the prompts, as an SDK or `claude -p` does. Only a transcript shows this."""


@record
class PromptSubmitted:
    """The person typed a prompt. A prompt that the host itself writes is not reported."""

    session: str
    at: datetime
    text: str
    is_recorded: bool = True
    """Whether the host's transcript shows that a person typed the prompt; False if only a hook reports it."""
    is_typed: bool = True
    """Whether a person may have typed the prompt; False if an agent started the client, or if a program that is not the
    hook program has sent the prompt to the server."""
    left_out: tuple[str, ...] = ()
    """Hashes of words of a long prompt that are missing from `text`, probably because they were pasted."""


@record
class CommandExpanded:
    """The person typed a slash command."""

    session: str
    at: datetime
    name: str
    arguments: str = ""
    is_typed: bool = False
    """Whether the host's transcript shows that a person typed the command."""


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
    """A tool call by the agent or a sub-agent returned."""

    session: str
    at: datetime
    tool: str
    action: Action
    input: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    """The command, query or request of the tool call on one line; an empty string if the tool has none."""
    output: str = ""
    """The result as text; for an edit, the text that was written."""
    left_out: tuple[str, ...] = ()
    """Hashes of the parts of a long result that `output` omits, made by `text.shingles`."""
    failed: bool = False
    interrupted: bool = False
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    subagent: str | None = None
    line: int | None = None
    """The line number in the transcript, if the event was read from a transcript."""


@record
class TurnEnded:
    """The agent finished its turn. `said` is its last message."""

    session: str
    at: datetime
    said: str = ""


@record
class Interrupted:
    """The person stopped the agent or denied a tool call. Only a transcript shows this."""

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
    """The host replaced the conversation by a summary, which mixes words from the user, the agent and tools."""

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
    """The work of a session changed its subject. `summary` describes the change."""

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
    """A draft was not stored, because it was not worth keeping or was rejected."""

    session: str
    at: datetime
    reason: str
    score: float = 0.0


@record
class ContextReady:
    """A text is ready that will be added to a prompt or to the start of a session."""

    session: str
    at: datetime
    text: str
    ids: tuple[str, ...] = ()
    notice: str = ""
    """A line for the person, which the model is not given."""


@record
class UpkeepStarted:
    """A round of upkeep (background maintenance) began."""

    at: datetime


Event = Reported | BoundaryCrossed | MemoryAdmitted | DraftDropped | ContextReady | UpkeepStarted
