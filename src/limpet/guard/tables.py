"""Read the rule tables of this folder.

A table is plain text, so that a pattern of many words can be read and changed without quotes around each line:

    name weight :: stems
        pattern
    + a text that the row fires on
    - a text that it does not fire on

The weight is there where rows are added up. Of the stems one must occur for the pattern to be tried at all, so that
most texts compile few patterns; `_` in a stem is a space, and a line that begins with `::` adds more stems. A row
without stems is always tried. The indented lines are the pattern, joined without a break. Lines that begin with `#`
are comments.

Patterns read a normalised text: lower case, plain letters, one space between words, `don't` as `do not`. In them
`~30~` is up to thirty characters of the same sentence, and a name between `@` is a word class, itself a row of a
table. A pattern with a leading `!` also counts behind a negation; for all others "never skip the review" is no order
to skip it.
"""

from __future__ import annotations

import os
from functools import lru_cache

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Row", "Rule", "expand", "load_classes", "read_table", "select_rules"]

_FOLDER = os.path.join(os.path.dirname(__file__), "tables")


class Row:
    """One row of a table. Only its head is read at once: most patterns are not needed for most texts."""

    __slots__ = ("_body", "name", "stems", "weight")

    def __init__(self, block: str) -> None:
        head, _, self._body = block.partition("\n    ")
        label, _, stems = head.replace("\n::", " ").partition("::")
        name, _, number = label.strip().rpartition(" ")
        weighted = number.lstrip("-").replace(".", "", 1).isdecimal()
        self.name = name if weighted else label.strip()
        self.weight = float(number) if weighted else 0.0
        self.stems = [stem.replace("_", " ") for stem in stems.split()]

    @property
    def counts_denied(self) -> bool:
        """Tell whether the row also counts behind a negation."""
        return self._body.startswith("!")

    @property
    def pattern(self) -> str:
        """Return the pattern as written, without the leading `!`."""
        first, *lines = self._body.splitlines()
        return "".join((first.removeprefix("!"), *(line[4:] for line in lines if line.startswith("    "))))

    @property
    def fires_on(self) -> list[str]:
        """Return texts in which the row finds something."""
        return self._examples("+ ")

    @property
    def leaves(self) -> list[str]:
        """Return texts in which the row finds nothing."""
        return self._examples("- ")

    def _examples(self, mark: str) -> list[str]:
        return [line[2:] for line in self._body.splitlines() if line.startswith(mark)]


def read_table(name: str) -> list[Row]:
    """Return the rows of a table in their order."""
    with open(os.path.join(_FOLDER, f"{name}.rules"), encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    return [Row(block) for block in blocks if not block.startswith("#")]


@lru_cache(maxsize=2)
def load_classes(table: str) -> dict[str, str]:
    """Return the word classes of a table, each as a piece of a pattern."""
    return {row.name: row.pattern for row in read_table(table)}


_GAP = lazy(r"~(\d+)~")
_CLASS = lazy(r"@([a-z]+)@")


def expand(pattern: str, classes: Mapping[str, str]) -> str:
    """Return a row's pattern as a regular expression. Gaps and classes are bounded, so every search is linear."""
    while "@" in pattern and (found := _CLASS.search(pattern)):
        pattern = pattern[: found.start()] + classes[found.group(1)] + pattern[found.end() :]
    return _GAP.sub(r"[^.!?]{0,\1}?", pattern)


class Rule:
    """A row in use; its pattern is expanded and compiled when a text first holds one of its stems."""

    __slots__ = ("_classes", "_pattern", "counts_denied", "name", "row", "weight")

    def __init__(self, row: Row, classes: Mapping[str, str]) -> None:
        self.name = row.name
        self.weight = row.weight
        self.row = row
        self.counts_denied = row.counts_denied
        self._classes = classes
        self._pattern: re.Pattern[str] | None = None

    def may_match(self, text: str) -> bool:
        """Tell whether the text holds one of the rule's stems."""
        stems = self.row.stems
        return not stems or any(stem in text for stem in stems)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield every place where the pattern matches, denied or not."""
        if not self.may_match(text):
            return iter(())
        if self._pattern is None:
            self._pattern = lazy(expand(self.row.pattern, self._classes))
        return self._pattern.finditer(text)

    def is_in(self, text: str) -> bool:
        """Tell whether the pattern matches anywhere."""
        return next(self.finditer(text), None) is not None


def select_rules(rules: Iterable[Rule], text: str) -> list[Rule]:
    """Return the rules that may match a text, which are few: most have stems that it does not hold."""
    return [rule for rule in rules if rule.may_match(text)]
