"""The context of a message in a conversation: the last request, and what has happened since."""

from __future__ import annotations

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record


class RequestedWork(StrEnum):
    """The kind of work that a prompt asks for. It helps to find the type of the report that follows."""

    MEND = "mend"
    LEARN = "learn"
    FEATURE = "feature"
    REFACTOR = "refactor"
    CHANGE = "change"


@record
class Turn:
    """The context of a message: the last prompt, and what the agent has done and said since."""

    asked: str = ""
    """A value of `RequestedWork`, or an empty string if the request is unknown."""
    request: str = ""
    """The first sentence of the prompt that can be understood on its own.

    It is put in front of a report that begins with "It".
    """
    acted: bool = False
    """Whether the agent has changed a file since the last prompt."""
    agent_asked: bool = False
    """Whether the agent's last message ended with a question."""
    subject: str = ""
    """The last question or statement of the agent's last message, in the agent's words.

    It is an empty string if the message repeated text that was read from outside.
    """
    options: tuple[tuple[str, str], ...] = ()
    """The options that the agent's last message offered, each with its number or letter.

    It is empty if the message did not end with a question, or repeated text that was read from outside.
    """
