"""What the examination of one conversation finds: its numbers, its signals, and the evidence for each objection."""

from __future__ import annotations

from datetime import datetime

from limpet.insight.friction.calls import Call, ObjectionTarget
from limpet.insight.friction.signals import Quality, SignalEvent, add_up, rate_quality
from limpet.lean.record import record


@record
class Evidence:
    """The events before a reaction of the user: the material for a rule that would prevent it."""

    event: SignalEvent
    words: tuple[str, ...]
    """What the user said, the reaction last."""
    tools: tuple[str, ...]
    """The tools that were called, each with `:ok` or `:error`."""
    errors: tuple[str, ...]
    files: tuple[str, ...]
    turns: int
    path: str = ""
    """The transcript that contains the reaction."""
    line: int = 0
    about: ObjectionTarget | None = None
    """The calls that the user objected to; None if the words do not tell."""


@record
class ConversationMeasures:
    """The measures of one conversation."""

    session: str
    host: str
    project: str
    begins: datetime
    ends: datetime
    is_scripted: bool
    turns: int
    tools: int
    errors: int
    successes: int
    refused: int
    """How many calls a hook or a permission rule refused."""
    checkpoints: int
    """How often the user stashed the session without having objected before."""
    signals: tuple[SignalEvent, ...]
    evidence: tuple[Evidence, ...]
    copies: int = 0
    """How many other recordings hold parts of the same conversation."""
    calls: tuple[Call, ...] = ()

    @property
    def name(self) -> str:
        """Return a short name for people: the project, when it began, and the first characters of its id."""
        return f"{self.project}/{self.begins.astimezone():%m%d-%H%M}-{self.session[:8]}"

    @property
    def is_interactive(self) -> bool:
        """Tell whether the user gave more than one prompt; a single prompt leaves no chance to object."""
        return self.turns > 1

    @property
    def score(self) -> float:
        return add_up(self.signals)

    @property
    def quality(self) -> Quality:
        return rate_quality(self.signals, errors=self.errors, successes=self.successes)

    @property
    def incidents(self) -> int:
        return len({each.incident for each in self.signals})

    @property
    def minutes(self) -> int:
        return max(0, int((self.ends - self.begins).total_seconds() // 60))
