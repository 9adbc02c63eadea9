"""Filling a budget: an item that does not fit is skipped and the next is tried."""

from __future__ import annotations

from limpet.record import mutable
from limpet.settings import InjectSettings
from limpet.text.tokens import count_tokens


@mutable
class Budget:
    """What is left of the items, tokens and characters that may still be given."""

    items: int
    tokens: int
    characters: int

    @classmethod
    def of(cls, settings: InjectSettings, *, items: int, tokens: int, frame: str) -> Budget:
        """What the settings allow, less the frame that stands around the items."""
        ceiling = int(settings.window_tokens * settings.window_share)
        return cls(
            items=items,
            tokens=min(tokens, ceiling) - count_tokens(frame),
            characters=settings.characters - len(frame),
        )

    def takes(self, text: str) -> bool:
        """Take the text if it fits."""
        cost = count_tokens(text)
        if self.items < 1 or cost > self.tokens or len(text) + 1 > self.characters:
            return False
        self.items -= 1
        self.tokens -= cost
        self.characters -= len(text) + 1
        return True
