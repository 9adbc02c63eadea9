"""The roles that a language model may take. Callers check each answer: a bad one must never cost a memory."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from limpet.lean.record import Protocol, record
from limpet.model.memory import Phase


class DecisionKind(StrEnum):
    """How space is made: one memory is deleted, or two become one edited text."""

    DELETE = "delete"
    EDIT = "edit"


@record
class Decision:
    """Which of several memories makes space for a new one, and why; an edit brings the text that replaces two."""

    kind: DecisionKind
    id: str
    reason: str
    text: str = ""


@record
class Request:
    """What a model is asked: the instructions, the text they are about, and how long the reply may be."""

    instructions: str
    text: str
    most_tokens: int = 2000


@record
class Reply:
    """What a model said, and how many tokens the request and the reply took, as the provider or an estimate says."""

    text: str
    tokens_in: int
    tokens_out: int


class Model(Protocol):
    """A language model: one request, one reply. It raises ModelFailed if there is none."""

    name: str

    def ask(self, request: Request) -> Reply:
        """Return the model's reply."""


class Roles(Protocol):
    """What can be asked of a language model, or of what stands in for one."""

    def summarise(self, text: str, phase: Phase) -> str:
        """Return the text as it stays active in a phase."""

    def extract(self, text: str, *, most: int) -> tuple[str, ...]:
        """Return the statements worth keeping, at most `most`, in the order of the text."""

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        """Return one text made of several, each given with its label."""

    def decide(self, memories: Sequence[tuple[str, str]], *, newest: str) -> Decision:
        """Return which memory makes space, given ids and texts, the oldest first; never the newest."""
