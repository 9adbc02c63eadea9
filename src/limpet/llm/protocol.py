"""Define requests to language models, their replies, and the tasks that a model can be asked to do.

Callers check each result, because a bad result must never cause the loss of a memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import Protocol, mutable, record
from limpet.model.memory import Phase
from limpet.text.tokens import count_tokens


class DecisionKind(StrEnum):
    """A way to make room for a new memory: delete one, or merge two into one edited text."""

    DELETE = "delete"
    EDIT = "edit"


@record
class Decision:
    """A decision on how to make room for a new memory, with the reason.

    Either the memory `id` is deleted, or the memories `id` and `other` are replaced by `text`.
    """

    kind: DecisionKind
    id: str
    reason: str
    text: str = ""
    other: str = ""
    """The id of the second memory that `text` replaces. An empty string stands for the newest memory."""


@record
class Gist:
    """A summary of a conversation, in one paragraph, with optional tags and importance.

    The text is an empty string if nothing is worth keeping.
    """

    text: str
    tags: tuple[str, ...] = ()
    importance: float | None = None


@mutable
class TokenRoom:
    """A budget of tokens for one task. Each request to a model reduces `left`."""

    left: int


@record
class Request:
    """A request to a model: the instructions, the text to work on, and the maximum length of the reply.

    If `schema` is given, the reply must be a JSON object that matches this JSON Schema.
    """

    instructions: str
    text: str
    most_tokens: int = 2000
    schema: Mapping[str, Any] | None = None

    @property
    def tokens(self) -> int:
        """Return the estimated number of tokens in the request."""
        return count_tokens(self.instructions) + count_tokens(self.text)


@record
class Reply:
    """A model's reply, with the number of tokens in the request and in the reply.

    The provider reports these numbers. They are 0 if it does not.
    """

    text: str
    tokens_in: int
    tokens_out: int
    is_cut: bool = False
    """Whether the reply was cut off at its maximum length."""


Stop = Callable[[int], bool]
"""A function that decides whether to cancel a request, given the time at which the request began, in milliseconds."""


def never_stop(since_ms: int) -> bool:
    """Return False, so that no request is cancelled before its deadline."""
    return False


class Model(Protocol):
    """A language model that can be sent a request."""

    name: str

    def ask(self, request: Request) -> Reply:
        """Send a request and return the model's reply. Raise ModelFailed if there is no usable reply."""


class Roles(Protocol):
    """The tasks that a language model can be asked to do, or that code can do without a model."""

    def summarise(self, text: str, phase: Phase) -> str:
        """Return the text of a memory, shortened to the length that a phase allows."""

    def summarise_conversation(
        self, messages: Sequence[tuple[bool, str]], *, most: int, room: TokenRoom | None = None
    ) -> Gist:
        """Summarise what is worth remembering from a conversation, in at most `most` characters.

        Each message is a pair: whether the user wrote it, and its text. No model is asked if that could cost more
        tokens than `room` has left.
        """

    def extract(self, text: str, *, most: int) -> tuple[str, ...]:
        """Return up to `most` statements of a text that are worth keeping, in their original order."""

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        """Merge several texts, given as pairs of label and text, into one."""

    def decide(
        self, memories: Sequence[tuple[str, str]], *, newest: str, most: int, room: TokenRoom | None = None
    ) -> Decision:
        """Decide which memory to delete, or which two to merge, to make room for a new one.

        `memories` contains pairs of id and text, oldest first. The memory `newest` is never deleted. A merged text has
        at most `most` characters.
        """
