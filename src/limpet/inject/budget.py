"""Limit the number of items, tokens and characters that are shown to a model at once."""

from __future__ import annotations

from limpet.hosts.hook_output import MOST_CHARACTERS
from limpet.lean import quickjson
from limpet.lean.record import mutable
from limpet.settings import InjectSettings
from limpet.text.tokens import count_tokens


@mutable
class Budget:
    """The numbers of items, tokens and characters that may still be added to the text for a model."""

    items: int
    tokens: int
    characters: int
    """The number of characters that the text may have as JSON, because the host measures an answer in its JSON form."""
    spent: int
    """The number of tokens in the frame and in everything added so far."""

    @classmethod
    def of(cls, settings: InjectSettings, *, items: int, tokens: int, frame: str) -> Budget:
        """Create a budget of `items` and `tokens`, within the limits in the settings, and subtract the cost of `frame`.

        `frame` is the text around the items.
        """
        cost = count_tokens(frame)
        return cls(
            items=items,
            tokens=tokens - cost,
            characters=min(settings.characters, MOST_CHARACTERS) - _measure_json(frame),
            spent=cost,
        )

    def take(self, text: str) -> bool:
        """Reserve room for the text of an item and return True; return False if there is not enough room."""
        if self.items < 1 or not self.take_remark(text):
            return False
        self.items -= 1
        return True

    def exchange(self, text: str, shorter: str) -> None:
        """Reserve room for a shorter text instead of the text of an item. If it is empty, nothing stays reserved."""
        saved = count_tokens(text) - count_tokens(shorter)
        self.tokens += saved
        self.spent -= saved
        self.characters += _measure_json(text) - _measure_json(shorter)
        self.items += not shorter

    def take_remark(self, text: str) -> bool:
        """Reserve room for text that does not count as an item and return True; return False if there is not enough."""
        cost, length = count_tokens(text), _measure_json(f"{text}\n")
        if cost > self.tokens or length > self.characters:
            return False
        self.tokens -= cost
        self.spent += cost
        self.characters -= length
        return True


def _measure_json(text: str) -> int:
    return len(quickjson.dumps(text, is_ascii=False)) - len('""')
