"""The results of examining one conversation: numbers, signals, tool calls, and the evidence for each reaction."""

from __future__ import annotations

from datetime import datetime

from limpet.clock import to_local
from limpet.insight.friction.calls import Call, ObjectionTarget
from limpet.insight.friction.signals import Quality, SignalEvent, add_up, rate_quality
from limpet.lean.record import record


@record
class Evidence:
    """A reaction of the user with the events of the turns before it, from which a rule can be derived."""

    event: SignalEvent
    words: tuple[str, ...]
    """The last prompts of the user; the reaction is the last one."""
    tools: tuple[str, ...]
    """The names of the tools that were called, each with `:ok` or `:error`."""
    errors: tuple[str, ...]
    """The lines that explain the errors."""
    files: tuple[str, ...]
    turns: int
    """The number of turns from which the words, tools, errors and files are taken."""
    path: str = ""
    """The path of the transcript with the reaction."""
    line: int = 0
    about: ObjectionTarget | None = None
    """The calls that the user objects to; None if the words do not show it."""


@record
class ConversationMeasures:
    """What was measured in one conversation: its calls, failures, signals and quality."""

    session: str
    """The id of the session; if there are several copies, the id of the first one."""
    host: str
    project: str
    begins: datetime
    ends: datetime
    is_scripted: bool
    """Whether a program and not a person gave the prompts."""
    turns: int
    """The number of prompts."""
    tools: int
    """The number of tool calls."""
    errors: int
    """The number of failed calls."""
    successes: int
    refused: int
    """The number of calls that a hook or a permission rule refused."""
    checkpoints: int
    """How often the user stashed the session without a recent objection."""
    signals: tuple[SignalEvent, ...]
    evidence: tuple[Evidence, ...]
    copies: int = 0
    """The number of other recordings that contain parts of the same conversation."""
    calls: tuple[Call, ...] = ()
    """The tool calls, except those that only read, search, plan or use memories."""

    @property
    def name(self) -> str:
        """Return a short name of the conversation: its project, its start, and the first characters of its id."""
        return f"{self.project}/{to_local(self.begins):%m%d-%H%M}-{self.session[:8]}"

    @property
    def is_interactive(self) -> bool:
        """Tell whether the user gave more than one prompt, and so could react to what the agent did."""
        return self.turns > 1

    @property
    def score(self) -> float:
        return add_up(self.signals)

    @property
    def quality(self) -> Quality:
        return rate_quality(self.signals, errors=self.errors, successes=self.successes)

    @property
    def incidents(self) -> int:
        """Return the number of incidents; an incident may have several signals."""
        return len({each.incident for each in self.signals})

    @property
    def minutes(self) -> int:
        """Return the duration of the conversation in whole minutes."""
        return max(0, int((self.ends - self.begins).total_seconds() // 60))
