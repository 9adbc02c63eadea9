"""Fill a budget of items, tokens and characters: an item that does not fit is skipped and the next one is tried."""

from __future__ import annotations

from limpet.hosts.answers import MOST_CHARACTERS
from limpet.lean import quickjson
from limpet.lean.record import mutable
from limpet.settings import InjectSettings
from limpet.text.tokens import count_tokens


@mutable
class Budget:
    """The items, tokens and characters that are left.

    Characters are counted in their JSON form, because the host measures the JSON and drops an answer that is too long.
    """

    items: int
    tokens: int
    characters: int
    spent: int
    """Tokens of the frame and of everything taken so far."""

    @classmethod
    def of(cls, settings: InjectSettings, *, items: int, tokens: int, frame: str) -> Budget:
        """Return the budget of the settings, less the cost of the frame around the items."""
        ceiling = int(settings.window_tokens * settings.window_share)
        cost = count_tokens(frame)
        return cls(
            items=items,
            tokens=min(tokens, ceiling) - cost,
            characters=min(settings.characters, MOST_CHARACTERS) - _json_length(frame),
            spent=cost,
        )

    def take(self, text: str) -> bool:
        """Take the text of an item if it fits, and return whether it did."""
        if self.items < 1 or not self.take_remark(text):
            return False
        self.items -= 1
        return True

    def take_remark(self, text: str) -> bool:
        """Take a text that is not an item if it fits, and return whether it did."""
        cost, length = count_tokens(text), _json_length(f"{text}\n")
        if cost > self.tokens or length > self.characters:
            return False
        self.tokens -= cost
        self.spent += cost
        self.characters -= length
        return True


def _json_length(text: str) -> int:
    return len(quickjson.dumps(text, is_ascii=False)) - len('""')
