"""The turn of the conversation that a message belongs to: what was asked for, and what has happened since."""

from __future__ import annotations

from enum import StrEnum

from limpet.lean.record import record


class Asked(StrEnum):
    """The kind of work a prompt asks for, as far as the type of a report depends on it."""

    MEND = "mend"
    LEARN = "learn"
    FEATURE = "feature"
    REFACTOR = "refactor"
    CHANGE = "change"


@record
class Turn:
    """What happened between the last prompt and a message."""

    asked: str = ""
    """One of `Asked`, or empty if it is not known."""
    acted: bool = False
    """Whether a file was changed since the user last spoke."""
    agent_asked: bool = False
    """Whether the agent's last message ended with a question."""
    options: tuple[tuple[str, str], ...] = ()
    """What it offered then, each with its number or letter; empty if it had read anything external."""
