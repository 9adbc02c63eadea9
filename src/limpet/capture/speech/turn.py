"""What a message answers: what was asked for, and what has happened since."""

from __future__ import annotations

from enum import StrEnum

from limpet.lean.record import record


class Asked(StrEnum):
    """What a prompt wants, as far as a report is called by it."""

    MEND = "mend"
    LEARN = "learn"
    FEATURE = "feature"
    REFACTOR = "refactor"
    CHANGE = "change"


@record
class Turn:
    asked: str = ""
    """One of `Asked`; nothing where it is not known."""
    acted: bool = False
    """Whether a file was changed since the user last spoke."""
    agent_asked: bool = False
    """Whether the agent has ended its last turn with a question."""
    options: tuple[tuple[str, str], ...] = ()
    """What it offered then, each with its number or letter; nothing where it had read anything from outside."""
