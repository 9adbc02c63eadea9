"""Shorten texts to a given number of characters, and make a title and a subtitle from the beginning of a text."""

from __future__ import annotations

from itertools import pairwise

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator


def shorten(text: str, limit: int) -> str:
    """Shorten a text to at most `limit` characters, between two words if possible; a cut is marked by an ellipsis."""
    return split_excerpt(text, limit)[0]


def shorten_line(text: str, limit: int) -> str:
    """Return a text on one line, shortened to at most `limit` characters as `shorten` does."""
    return shorten(" ".join(text.split()), limit)


def split_excerpt(text: str, limit: int) -> tuple[str, str]:
    """Return a text shortened to at most `limit` characters, with an ellipsis, and the rest of the text.

    The text is cut between two words, or within a word if there is no gap in the second half of the excerpt. The rest
    is an empty string if the text is short enough.
    """
    if len(text) <= limit:
        return text, ""
    at = max(text.rfind(gap, limit // 2, limit) for gap in " \n")
    at = at if at > 0 else limit - 1
    return text[:at].rstrip(" \n,;:-…") + "…", text[at:].strip()


def shorten_sentences(text: str, limit: int) -> str:
    """Return as many whole sentences from the beginning of a text as fit into `limit` characters.

    If they fill less than a quarter of it, shorten the text as `shorten` does.
    """
    if len(text) <= limit:
        return text
    end = max(_find_sentence_ends(text, limit), default=0)
    return text[:end] if end >= limit // 4 else shorten(text, limit)


def list_sentences(line: str) -> list[str]:
    """Return the sentences of a line, as `shorten_sentences` finds them.

    For a hook, which has no time to load the patterns of `claims`.
    """
    ends = [0, *_find_sentence_ends(line, len(line)), len(line)]
    return [line[start:end].strip() for start, end in pairwise(ends) if line[start:end].strip()]


def _find_sentence_ends(text: str, limit: int) -> Iterator[int]:
    ends = (found.end() for found in _SENTENCE_END.finditer(text, 0, limit))
    return (end for end in ends if _ends_sentence(text, end))


def clip(text: str, limit: int) -> str:
    """Shorten a text to at most `limit` characters, even within a word; a cut is marked by an ellipsis."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def quote(value: object, limit: int = 60) -> str:
    """Return the `repr` of a value for an error message, shortened to about `limit` characters."""
    if isinstance(value, str):
        return repr(clip(value, limit))
    try:
        return clip(repr(value), limit)
    except (ValueError, RecursionError):
        # Python refuses to print a whole number of more than 4,300 digits.
        return f"a huge {type(value).__name__}"


TITLE, SUBTITLE = 80, 120
"""The maximum lengths of a title and of a subtitle, in characters."""

FENCED = lazy(r"```[^`]*+(?:`(?!``)[^`]*+)*+(?:```)?")
"""A fenced code block of markdown; the closing fence may be missing."""
_FENCE = lazy(r"```\w*+")
_LINK = lazy(r"!?\[([^\]\n]{0,200}+)\]\([^)\s]{0,500}+\)")
_EMPHASIS = lazy(r"(?<!\w)_([^_\n]{1,100}+)_(?!\w)")
_MARKUP = lazy(
    r"^\s*+(?:[#>*+-]++\s++|\d++[.)]\s++)++|\*{2,}|\*(?=\w)|(?<=\w)\*|`+|~~"
    r"|</?(?:a|b|br|code|div|em|h[1-6]|i|img|kbd|li|ol|p|pre|span|strong|sub|summary|sup|ul)\b[^>\n]{0,80}+>"
)
_END = lazy(r"[.!?。！？] ")
_SENTENCE_END = lazy(r"[.!?]++[)\]\"'’”]*+(?=\s)|[。！？]++")
_ABBREVIATION = lazy(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|St|Dr|Mr|Mrs|Ms)\.$")
_TIME = lazy(r"\b[ap]\.m\.$")
_ITEM = lazy(r"(^|[:;.)] | )(\d{1,2})\.$")
"""The number of an item of a list within a line, as in "first: 1. build 2. wait"."""
_NEW_SENTENCE = lazy(r"\s+[A-Z][a-z]")


def split_headline(text: str) -> tuple[str, str]:
    """Return a title and a subtitle for a text, each on one line: its first sentence or heading, and the next one.

    The subtitle is an empty string if no sentence follows, or if it is too long or stands in the title.
    """
    sentences = _plain_sentences(text[:2_000])
    if not sentences:
        plain = " ".join(_FENCE.sub(" ", text[:400]).split()) or " ".join(text[:400].split())
        return split_excerpt(plain, TITLE)[0], ""
    following = sentences[1] if len(sentences) > 1 else ""
    is_new = len(following) <= SUBTITLE and not has_sentence(sentences[0], following)
    return shorten(sentences[0], TITLE), following if is_new else ""


def has_sentence(title: str, subtitle: str) -> bool:
    """Tell whether a title already has the sentence of a subtitle."""
    return subtitle.rstrip(" .!?").lower() in title.lower()


def _first_group(found: re.Match[str]) -> str:
    """Return the first group of a match, as a replacement for `sub`; a template such as `\\1` would load `re`."""
    return found.group(1) or ""


def _plain_sentences(text: str) -> list[str]:
    """Return the first sentences of a text without code and markup."""
    sentences: list[str] = []
    for line in FENCED.sub("\n", text).splitlines():
        plain = " ".join(_remove_markup(line).split())
        start = 0
        for end in _END.finditer(plain):
            if not _ends_sentence(plain, end.end() - 1):
                continue
            sentences.append(plain[start : end.end() - 1])
            start = end.end()
        sentences.append(plain[start:])
        if len(sentences) > 8:
            break
    return [sentence for sentence in sentences if any(char.isalnum() for char in sentence)]


def _ends_sentence(text: str, end: int) -> bool:
    """Tell whether the punctuation mark before `end` ends a sentence.

    The point of an abbreviation, of a time of day or of the number of an item does not.
    """
    start = max(0, end - 12)
    if _ABBREVIATION.search(text, start, end):
        return False
    if _TIME.search(text, start, end):
        return _NEW_SENTENCE.match(text, end) is not None
    item = _ITEM.search(text, start, end)
    if item is None:
        return True
    before, number = item.group(1), int(item.group(2))
    is_listed = before != " " or (number > 1 and f" {number - 1}. " in f" {text[:end]}")
    return not is_listed and not text[end:].lstrip()[:1].islower()


def _remove_markup(line: str) -> str:
    """Return a line of markdown or HTML without its markup."""
    # For speed, a pattern is tried only if the line has a character that it needs.
    if "](" in line:
        line = _LINK.sub(_first_group, line)
    first = line.lstrip()[:1]
    if first in "#>+-" or first.isdigit() or any(mark in line for mark in "*`~<"):
        line = _MARKUP.sub("", line)
    return _EMPHASIS.sub(_first_group, line) if "_" in line else line


def trim_text(text: str) -> str:
    """Return a text without blank lines at its ends. The indentation of the first of several lines is kept."""
    lines = text.rstrip().split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return "\n".join(lines[first:]) if len(lines) - first > 1 else lines[first].strip()


def replace_surrogates(text: str | None) -> str | None:
    """Replace lone surrogates in a text with escapes; return None for None."""
    # An argument that is not UTF-8 has them, and SQLite cannot search for such a text.
    return None if text is None else text.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")
