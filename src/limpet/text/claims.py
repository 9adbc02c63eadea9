"""Split a text into claims: the smallest parts that can stand alone without changing their meaning.

A single sentence may say the opposite of the whole text. "We could cache this. But never for logged-in users." means
something else without the second sentence, and "- restart the database" means the opposite without the line "Never do
this:" above it. So a sentence that depends on the previous one is kept together with it, and a list item is stored with
the line that governs it, that is, a line above it that changes its meaning.
"""

from __future__ import annotations

from collections.abc import Iterator

from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.fences import read_fence
from limpet.text.negation import has_denial
from limpet.text.references import depends_on
from limpet.text.words import split_words, word_set

MAX_READ = 60_000
"""The maximum number of characters that are read from a text."""

# The end of a sentence: a punctuation mark, closing quotes or brackets, and white space, except in scripts that have no
# spaces.
_END = lazy(r"(?<![.!?])[.!?]++[)\]\"'’”`*_]*+(?=\s)|[。！？]")
_ABBREVIATION = lazy(r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|no|fig|approx|ca|incl|resp|dr|mr|mrs|st|v|p|pp|[A-Za-z])\.$")
_POINT = lazy(r"\s*+(?:[-*+•]|\d{1,3}[.)])\s++")
_RULE = lazy(r"\s*+(?:[-*_=]\s*+){3,}+$")

# Words that change the meaning of a whole list or section: prohibitions, conditions, words about the past.
_GOVERNS = word_set(
    "don'ts dont avoid unless except only if when rejected deprecated wrong bad old before previously former obsolete "
    "forbidden anti-pattern anti-patterns until but failed tried alternatives considered instead todo open questions "
    "question hypothetical"
)


@record
class Claim:
    """A sentence or clause of a text that makes sense on its own."""

    text: str
    section: str = ""
    """The heading of the section, or an empty string if there is none."""
    under: str = ""
    """The heading or introducing line without which the claim would have another meaning, or an empty string."""
    paragraph: int = 0
    """The number of the paragraph, list or other block in the text."""
    is_point: bool = False
    """Whether the claim is a list item."""
    is_block: bool = False
    """Whether the claim is a block of code or a table, which must not be split or shortened."""


def governs(line: str) -> bool:
    """Tell whether a heading changes the meaning of the lines below it, as "Never do this" does."""
    return has_denial(split_words(line), _GOVERNS)


def split_claims(text: str) -> list[Claim]:
    """Return the claims of a text in the order of the text."""
    found: list[Claim] = []
    section, under = "", ""
    governed = False
    for number, block in enumerate(_split_blocks(text[:MAX_READ])):
        first = block[0].lstrip()
        is_block, points = first.startswith("|") or read_fence(first) != "", _is_point(block[0])
        if governed and not points:
            # A line that introduces a list governs only the first block after it.
            governed, under = False, section if governs(section) else ""
        if first.startswith("#"):
            section = first.lstrip("#").strip()
            under = section if governs(section) else ""
            continue
        if is_block:
            parts = ["\n".join(block)]
        else:
            parts = _split_points(block) if points else _join_sentences(" ".join(" ".join(block).split()))
        introduces = parts[-1].endswith(":") and not points and not is_block
        for part in parts[:-1] if introduces else parts:
            found.append(
                Claim(text=part, section=section, under=under, paragraph=number, is_point=points, is_block=is_block)
            )
        governed = under.endswith(":")
        if introduces:
            # The introducing line is no claim, but the following claims may need it.
            governed, under = False, parts[-1]
    return found


def _split_blocks(text: str) -> Iterator[list[str]]:
    """Yield the lines of each block: a heading, a fence with its content, a list, a table or a paragraph."""
    block: list[str] = []
    kind = fence = ""
    for line in text.splitlines():
        was_open, fence = fence, read_fence(line, fence)
        if was_open:
            block.append(line)
            if not fence:
                yield block
                block, kind = [], ""
            continue
        bare = line.strip()
        now = "fence" if fence else _line_kind(line, bare, kind)
        if block and now != kind:
            yield block
            block = []
        kind = now
        if kind == "heading":
            yield [bare]
            kind = ""
        elif kind:
            block.append(line.rstrip())
    if block:
        yield block


def _line_kind(line: str, bare: str, before: str) -> str:
    if not bare or _RULE.match(bare):
        return ""
    if bare.startswith("#") and bare.lstrip("#").startswith(" "):
        return "heading"
    if bare.startswith("|"):
        return "table"
    if _is_point(line):
        return "list"
    # A line that is indented below an item continues it.
    return "list" if before == "list" and line[:1].isspace() else "prose"


def _is_point(line: str) -> bool:
    return _POINT.match(line) is not None


def _split_points(block: list[str]) -> list[str]:
    """Return the items of a list; lines indented below an item belong to it."""
    items: list[list[str]] = []
    outermost = min(len(line) - len(line.lstrip()) for line in block if _is_point(line))
    for line in block:
        # The first line is an item, even if a later one is less indented.
        if not items or (_is_point(line) and len(line) - len(line.lstrip()) <= outermost):
            items.append([line.strip()])
        else:
            items[-1].append(line.rstrip())
    return ["\n".join(item) for item in items]


def _join_sentences(paragraph: str) -> list[str]:
    """Split a paragraph into sentences, but keep each sentence that depends on the previous one together with it."""
    joined: list[str] = []
    before = ""
    for sentence in split_sentences(paragraph):
        if joined and (depends_on(sentence, before) or before.endswith(":") or sentence[:1] in "(["):
            joined[-1] += " " + sentence
        else:
            joined.append(sentence)
        before = sentence
    return joined


def split_sentences(paragraph: str) -> list[str]:
    """Split a text into sentences.

    A dot inside a name, a number or an abbreviation, or before a lower-case letter, does not end a sentence.
    """
    found, start = [], 0
    for match in _END.finditer(paragraph):
        end = match.end()
        following = paragraph[end : end + 2].lstrip()[:1]
        if match[0][0] == "." and (following.islower() or _ABBREVIATION.search(paragraph[max(0, end - 12) : end])):
            continue
        found.append(paragraph[start:end].strip())
        start = end
    found.append(paragraph[start:].strip())
    return [sentence for sentence in found if sentence]
