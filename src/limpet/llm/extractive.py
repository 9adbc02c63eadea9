"""The default implementation of every role: it chooses sentences and invents none, without a model, network or cost."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.llm.protocol import Decision, DecisionKind, Gist, TokenRoom
from limpet.model.memory import Phase
from limpet.text import gist
from limpet.text.claims import split_claims
from limpet.text.dialogue import summarise_messages


class ExtractiveRoles:
    """An implementation of `Roles` that always gives the same result for the same input."""

    def summarise(self, text: str, phase: Phase) -> str:
        """Return the text for a phase: all of it, its summary and key points, or one sentence."""
        if phase is Phase.FULL or len(text) <= gist.SHORT:
            return text
        return gist.make_hint(text) if phase is Phase.HINT else gist.make_abstract(text)

    def summarise_conversation(
        self, messages: Sequence[tuple[bool, str]], *, most: int, room: TokenRoom | None = None
    ) -> Gist:
        """Return the most informative statements, the user's own before the assistant's, in their order."""
        return Gist(text=summarise_messages(messages, most=most))

    def extract(self, text: str, *, most: int) -> tuple[str, ...]:
        """Return the most informative statements in the order of the text."""
        found = split_claims(text)
        best = sorted(range(len(found)), key=lambda at: (-gist.rate_claim(found[at]), at))[:most]
        return tuple(gist.format_claim(found[at]) for at in sorted(best))

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        """Return a summary of the most central text, followed by the essence of each text."""
        return gist.merge_texts(texts)

    def decide(
        self, memories: Sequence[tuple[str, str]], *, newest: str, most: int = 0, room: TokenRoom | None = None
    ) -> Decision:
        """Decide to delete the oldest memory, never the newest."""
        oldest = next(name for name, _ in memories if name != newest)
        return Decision(kind=DecisionKind.DELETE, id=oldest, reason="it is the oldest")
