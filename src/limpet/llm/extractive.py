"""Summarise, merge and decide without a language model, by choosing existing sentences."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.llm.protocol import Decision, DecisionKind, Gist, TokenRoom
from limpet.model.memory import Phase
from limpet.text import gist
from limpet.text.claims import split_claims
from limpet.text.dialogue import summarise_messages


class ExtractiveRoles:
    """The default implementation of `Roles`. It uses no model and gives the same result for the same input."""

    def summarise(self, text: str, phase: Phase) -> str:
        """Return the part of a text that its phase keeps: all of it, its summary and key points, or one sentence."""
        if phase is Phase.FULL or len(text) <= gist.SHORT:
            return text
        return gist.make_hint(text) if phase is Phase.HINT else gist.make_abstract(text)

    def summarise_conversation(
        self, messages: Sequence[tuple[bool, str]], *, most: int, room: TokenRoom | None = None
    ) -> Gist:
        """Return the most informative sentences of a conversation, in at most `most` characters."""
        return Gist(text=summarise_messages(messages, most=most))

    def extract(self, text: str, *, most: int) -> tuple[str, ...]:
        """Return the `most` most informative statements of a text, in their original order."""
        found = split_claims(text)
        best = sorted(range(len(found)), key=lambda at: (-gist.rate_claim(found[at]), at))[:most]
        return tuple(gist.format_claim(found[at]) for at in sorted(best))

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        """Merge labelled texts, given as pairs of label and text, into one.

        The result is a summary of the most typical text, followed by the main points of each text.
        """
        return gist.merge_texts(texts)

    def decide(
        self, memories: Sequence[tuple[str, str]], *, newest: str, most: int = 0, room: TokenRoom | None = None
    ) -> Decision:
        """Decide to delete the oldest memory other than `newest`."""
        oldest = next(name for name, _ in memories if name != newest)
        return Decision(kind=DecisionKind.DELETE, id=oldest, reason="it is the oldest")
