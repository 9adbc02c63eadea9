"""Search a text for secrets with many patterns, and limit the effort that a hostile text can cause."""

from __future__ import annotations

from limpet.secrets.rules import compile_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    Span = tuple[int, int, str]
    """The start, the end and the kind of a secret that was found in a text."""

# The limit of effort grows with the position: a candidate costs 1, a likely secret 4. No real text comes near it.
_EFFORT, _PER_EFFORT, _BLOCK = 2000, 100, 4096


class Scan:
    """A search of a text for secrets: the text, the spans found so far, and the effort spent.

    Without a limit, a hostile text could cause too much effort. The effort is counted for each block of the text,
    because each rule starts at the beginning of the text. If the sum up to some position is too high, all later rules
    treat that position as the end of the text.
    """

    __slots__ = ("block", "effort", "end", "low", "spans", "spent", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        # Only ASCII letters change, so that a position in one text is the same position in the other.
        self.low = text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
        self.spans: list[Span] = []
        self.end = len(text)
        self.spent = [0] * (len(text) // _BLOCK + 1)
        self.effort = self.block = 0

    def restart_effort(self) -> None:
        """Reset the counted effort to that at the start of the text, where the next rule begins."""
        self.block, self.effort = 0, self.spent[0]

    def may_read(self, at: int, cost: int) -> bool:
        """Add the cost of a candidate at the position `at`. Tell whether the effort is still within the limit.

        If it is not, the text is treated as if it ended at this position.
        """
        while self.block < at // _BLOCK:
            self.block += 1
            self.effort += self.spent[self.block]
        self.effort += cost
        self.spent[self.block] += cost
        if self.effort > _EFFORT + at // _PER_EFFORT:
            self.end = min(self.end, at)
            return False
        return True

    def find_matches(self, source: str, place: str, cost: int) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern in `place`, which is the text or its lower-case form.

        Each match adds `cost` to the effort. The search stops when the limit is reached.
        """
        self.restart_effort()
        for match in compile_once(source).finditer(place, 0, self.end):
            if not self.may_read(match.start(), cost):
                return
            yield match
