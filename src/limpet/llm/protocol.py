"""The roles that a language model may take. Callers check each result: a bad result must never cost a memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import Protocol, mutable, record
from limpet.model.memory import Phase
from limpet.text.tokens import count_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class DecisionKind(StrEnum):
    """The way in which space is made: one memory is deleted, or two are merged into one edited text."""

    DELETE = "delete"
    EDIT = "edit"


@record
class Decision:
    """The decision which memory makes space for a new one, and why; an edit has the text for two memories."""

    kind: DecisionKind
    id: str
    reason: str
    text: str = ""
    other: str = ""
    """The second memory that an edit replaces; empty stands for the newest."""


@record
class Gist:
    """The gist of a conversation: one paragraph, empty if nothing is worth keeping, and perhaps tags and a weight."""

    text: str
    tags: tuple[str, ...] = ()
    importance: float | None = None


@mutable
class TokenRoom:
    """The tokens that may still be spent on one piece of work; the roles take from it what they spend."""

    left: int


@record
class Request:
    """A request to a model: the instructions, the text they are about, and the maximum length of the reply.

    `schema` describes the one JSON object that the reply must be; without it the reply is any text.
    """

    instructions: str
    text: str
    most_tokens: int = 2000
    schema: Mapping[str, Any] | None = None

    @property
    def tokens(self) -> int:
        """Return the estimated tokens of the request."""
        return count_tokens(self.instructions) + count_tokens(self.text)


@record
class Reply:
    """The reply of a model, and the tokens of request and reply as the provider reports them; 0 if it does not."""

    text: str
    tokens_in: int
    tokens_out: int
    is_cut: bool = False
    """Whether the reply ended because it had reached its maximum length."""


Stop = Callable[[int], bool]
"""Tell whether a request that began at a time in milliseconds is no longer wanted."""


def never_stop(since_ms: int) -> bool:
    """Return False: every request may take until its deadline."""
    return False


class Model(Protocol):
    """A language model: one request, one reply."""

    name: str

    def ask(self, request: Request) -> Reply:
        """Return the model's reply; raise ModelFailed if there is no usable reply."""


class Roles(Protocol):
    """The tasks that a language model, or a replacement for one, can be asked to do."""

    def summarise(self, text: str, phase: Phase) -> str:
        """Return the part of a text that stays active in a phase."""

    def summarise_conversation(
        self, messages: Sequence[tuple[bool, str]], *, most: int, room: TokenRoom | None = None
    ) -> Gist:
        """Return what is worth keeping of a conversation, in at most `most` characters.

        Each message is a pair: whether the user said it, and its text. No model is asked if that could cost more than
        `room`.
        """

    def extract(self, text: str, *, most: int) -> tuple[str, ...]:
        """Return the statements worth keeping, at most `most`, in the order of the text."""

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        """Return one text that merges several labelled texts."""

    def decide(
        self, memories: Sequence[tuple[str, str]], *, newest: str, most: int, room: TokenRoom | None = None
    ) -> Decision:
        """Return which memory makes space, given ids and texts, the oldest first; never the newest.

        A text that replaces two memories has at most `most` characters.
        """
