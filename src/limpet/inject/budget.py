"""Filling a budget: an item that does not fit is skipped and the next is tried."""

from __future__ import annotations

import json

from limpet.hosts.answers import MOST_CHARACTERS
from limpet.lean.record import mutable
from limpet.settings import InjectSettings
from limpet.text.tokens import count_tokens


@mutable
class Budget:
    """What is left of the items, tokens and characters that may still be given.

    Characters are counted as they are written in JSON: a host measures that, and gives nothing of what is too long.
    """

    items: int
    tokens: int
    characters: int
    spent: int
    """Tokens of the frame and of what was taken so far."""

    @classmethod
    def of(cls, settings: InjectSettings, *, items: int, tokens: int, frame: str) -> Budget:
        """What the settings allow, less the frame that stands around the items."""
        ceiling = int(settings.window_tokens * settings.window_share)
        cost = count_tokens(frame)
        return cls(
            items=items,
            tokens=min(tokens, ceiling) - cost,
            characters=min(settings.characters, MOST_CHARACTERS) - _written(frame),
            spent=cost,
        )

    def takes(self, text: str) -> bool:
        """Take the text if it fits."""
        cost, length = count_tokens(text), _written(f"{text}\n")
        if self.items < 1 or cost > self.tokens or length > self.characters:
            return False
        self.items -= 1
        self.tokens -= cost
        self.spent += cost
        self.characters -= length
        return True


def _written(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False)) - len('""')
