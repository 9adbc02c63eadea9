"""The turn of the conversation that a message belongs to: the request, and what has happened since."""

from __future__ import annotations

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record


class RequestedWork(StrEnum):
    """The kind of work that a prompt asks for; the type of a report depends on it."""

    MEND = "mend"
    LEARN = "learn"
    FEATURE = "feature"
    REFACTOR = "refactor"
    CHANGE = "change"


@record
class Turn:
    """The events between the last prompt and a message."""

    asked: str = ""
    """A value of `RequestedWork`, or empty if the request is not known."""
    request: str = ""
    """What the prompt began with, in the user's words; a report may begin with "It"."""
    acted: bool = False
    """Whether a file was changed since the user last spoke."""
    agent_asked: bool = False
    """Whether the agent's last message ended with a question."""
    subject: str = ""
    """What the agent's last message ended with: its last question or statement, in its words.

    It is empty if the message repeated what was read from outside.
    """
    options: tuple[tuple[str, str], ...] = ()
    """The options that the agent's last message offered, each with its number or letter.

    They are empty if the agent had read anything external.
    """
