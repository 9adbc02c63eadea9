"""The signs by which a text gives itself away as an order to a model: one small pattern each, with what must occur.

The rules are tables of text, so that a pattern of many words can be read and changed without quotes around each line. A
rule begins with its sign, `::` and the stems of which one must occur for the pattern to be tried at all, so that most
texts compile few; `_` in a stem is a space. The indented lines below are the pattern, put together without a break.

Patterns read a normalised text: lower case, plain letters, one space between words, `don't` as `do not`. In them `~30~`
is up to thirty characters of the same sentence, and a name between `@` is a word class. A pattern with a leading `!`
also counts behind a negation; for all others "never skip the review" is no order to skip it.
"""

from __future__ import annotations

from limpet.guard.hostile import HOSTILE_RULES
from limpet.guard.orders import ORDER_RULES
from limpet.guard.tongues import FOREIGN_RULES
from limpet.guard.words import WORDS
from limpet.lean.pattern import lazy

__all__ = ["CLASSES", "RULES", "rows", "source"]


def rows(table: str) -> list[tuple[str, tuple[str, ...], str]]:
    """The name, stems and pattern of each row of a table."""
    found: list[tuple[str, tuple[str, ...], str]] = []
    name, stems, pattern = "", "", ""
    for line in (*table.strip().splitlines(), "::"):
        if line.startswith("    "):
            pattern += line[4:]
            continue
        if pattern:
            found.append((name, tuple(stem.replace("_", " ") for stem in stems.split()), pattern))
            name, stems, pattern = "", "", ""
        first, _, more = line.partition("::")
        name = name or first.strip()
        stems = f"{stems} {more}"
    return found


CLASSES = {name: pattern for name, _, pattern in rows(WORDS)}
RULES = tuple(rows(HOSTILE_RULES + ORDER_RULES + FOREIGN_RULES))

_GAP = lazy(r"~(\d+)~")
_CLASS = lazy(r"@([a-z]+)@")


def source(pattern: str, classes: dict[str, str] | None = None) -> str:
    """The rule as a regular expression. Gaps and classes are bounded, so that every search is linear."""
    classes = CLASSES if classes is None else classes
    while "@" in pattern and (found := _CLASS.search(pattern)):
        pattern = pattern[: found.start()] + classes[found.group(1)] + pattern[found.end() :]
    return _GAP.sub(r"[^.!?]{0,\1}?", pattern)
