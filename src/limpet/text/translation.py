"""Translate the function words of a text to English, so that one parser reads statements in several languages.

Names and nouns stay as they are. A text is taken for the language of most of its function words.
"""

from __future__ import annotations

from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.text.tables import read_table
from limpet.text.words import STOP, UNSPACED, split_words, word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_ROWS = {row.name: row.contents.replace("\n", " ") for row in read_table("text/translation.table")}
_SHARED = word_set(_ROWS["shared"])
_EDGE = lazy(rf"(?<=[!-~])(?=[{UNSPACED}])|(?<=[{UNSPACED}])(?=[!-~])")


def translate(text: str) -> str:
    """Return a text with its function words in English: "wir benutzen npm" becomes "we use npm"."""
    if any(char > "\u2fff" for char in text):
        language = "japanese" if any("\u3040" <= char <= "\u30ff" for char in text) else "chinese"
        return _EDGE.sub(" ", _replace_phrases(language, text.replace("？", "? ")))
    text = _replace_phrases("english", text)
    words, most, language = frozenset(split_words(text)), 0, ""
    for name in ("german", "french", "spanish", "portuguese"):
        known = _list_words(name)
        hits = words & known - STOP
        score = len(hits) - len(words & STOP - known) - (hits <= _SHARED)
        if score > most:
            most, language = score, name
    return _replace_phrases(language, text) if language else text


@lru_cache(maxsize=8)
def _list_words(language: str) -> frozenset[str]:
    return frozenset(word for row in _ROWS[language].split(" | ") for word in split_words(row.partition(" = ")[0]))


def _replace_phrases(language: str, text: str) -> str:
    patterns, plain, pattern = _load_phrases(language)
    for slotted, english in patterns:
        text = slotted.sub(english, text)
    return pattern.sub(lambda found: f" {plain[found[0].lower()]} ", text)


@lru_cache(maxsize=8)
def _load_phrases(language: str) -> tuple[list[tuple[re.Pattern[str], str]], dict[str, str], re.Pattern[str]]:
    """Return the phrases around other words, as patterns; the other phrases; and a pattern that finds these."""
    rows = dict(each.strip().split(" = ") for each in _ROWS[language].split(" | "))
    word, start, end = r"([^\s,.;:]+)", r"(?i)(?<!\w)", r"(?!\w)"
    if language in ("japanese", "chinese"):
        word, start, end = r" ?([!-~](?:[ -~]*[!-~])?) ?", "(?i)", ""
    patterns = [
        (lazy(start + phrase.replace("{}", word) + end), f" {rows.pop(phrase)} ")
        for phrase in list(rows)
        if "{}" in phrase
    ]
    return patterns, rows, lazy(f"{start}(?:{'|'.join(sorted(rows, key=len, reverse=True))}){end}")
