"""What a language model may be asked to do; whoever answers, a bad answer must never cost a memory."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from limpet.lean.record import Protocol, record
from limpet.model.memory import Phase


class Action(StrEnum):
    DELETE = "delete"
    EDIT = "edit"


@record
class Decision:
    """Which of several memories makes room, and why; an edit brings the text that takes over from two."""

    action: Action
    id: str
    reason: str
    text: str = ""


class Roles(Protocol):
    def summarise(self, text: str, phase: Phase) -> str:
        """The text as it stays active in a phase."""

    def extract(self, text: str, *, most: int) -> tuple[str, ...]:
        """The statements worth keeping, in their order."""

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        """One text made of several, each given with its label."""

    def decide(self, memories: Sequence[tuple[str, str]], *, newest: str) -> Decision:
        """Who makes room among memories given as id and text, the oldest first; never the newest."""
