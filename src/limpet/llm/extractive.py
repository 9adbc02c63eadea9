"""The default for every role: chooses sentences and invents none; no network, no cost, the same answer every time."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.llm.protocol import Action, Decision
from limpet.model.memory import Phase
from limpet.text import gist
from limpet.text.claims import claims


class Extractive:
    """Implements `Roles`."""

    def summarise(self, text: str, phase: Phase) -> str:
        if phase is Phase.FULL or len(text) <= gist.SHORT:
            return text
        return gist.hint(text) if phase is Phase.HINT else gist.abstract(text)

    def extract(self, text: str, *, most: int) -> tuple[str, ...]:
        found = claims(text)
        best = sorted(range(len(found)), key=lambda at: (-gist.telling(found[at]), at))[:most]
        return tuple(gist.plain(found[at]) for at in sorted(best))

    def merge(self, texts: Sequence[tuple[str, str]]) -> str:
        return gist.merged(texts)

    def decide(self, memories: Sequence[tuple[str, str]], *, newest: str) -> Decision:
        oldest = next(name for name, _ in memories if name != newest)
        return Decision(action=Action.DELETE, id=oldest, reason="it is the oldest")
