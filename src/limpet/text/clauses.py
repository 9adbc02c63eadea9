"""Split a text into the clauses that `statements` reads, in English, with the words for each role of a word.

The function words of other languages are translated, so that one parser reads all of them. Names and nouns stay as they
are. A text is taken for the language of most of its function words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from limpet.lean.pattern import lazy
from limpet.text.tables import read_table
from limpet.text.words import STOP, UNSPACED, split_words, word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

WORDS = {row.name: word_set(row.contents) for row in read_table("text/statements.table")}
"""The words for each role of a word in a clause, by the name of the role."""
VERBS = WORDS["verbs"] | WORDS["linking"] | WORDS["switches"] | WORDS["using"]

_READ = 2_000
_BREAK = lazy(
    r"([.;!?]++(?=\s|$)|\s:\s|\n++|,?\s(?=but\s(?!only\s|just\s))|,\s(?=now\s"
    r"|(?:don't|do not|never)\s(?!(?:the|an?)\s)))"
)
_COMMA = lazy(r",\s(?!(?:no longer|not|instead|rather|and|or|which|who|where|for|in|on|at|except|only|but|even)\s)")
_GIVEN_UP = lazy(r"(?i)^[^,]*\b(?:no longer|anymore|stopped|dropped|gone|replaced|retired|removed)\b")
# "As of Monday the owner is Ben" says what holds now; after "since", a clause gives a reason.
_SINCE = lazy(
    r"(?i)\b(?:since|as of|starting|effective)\s(?:(?:last|this|the)\s)?"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|yesterday|today|weekend|week|month|quarter|year|sprint|20\d\d)\b"
)
_ASIDE = lazy(r"(?i)\s\((?:was|formerly|previously|used to be|instead of|not|no longer)[: ]\s*+([^()]++)\)")
_PHRASES = {row.name: row.contents.replace("\n", " ") for row in read_table("text/translation.table")}
_SHARED = word_set(_PHRASES["shared"])
_EDGE = lazy(rf"(?<=[!-~])(?=[{UNSPACED}])|(?<=[{UNSPACED}])(?=[!-~])")


def split_clauses(text: str) -> Iterator[str]:
    """Yield the clauses at the beginning of a text, without its questions and with its function words in English."""
    parts = _BREAK.split(_ASIDE.sub(r", not \1", _SINCE.sub("now", translate(text[:_READ].replace("’", "'")))))
    for clause, end in zip(parts[::2], [*parts[1::2], ""], strict=False):
        if "?" not in end:
            yield from _split_clause(clause)


def _split_clause(clause: str) -> list[str]:
    """Split a clause at its commas if each part is a clause too, or if one part says what is over."""
    parts = [part for part in _COMMA.split(clause) if part.strip()]
    words = clause.lower().split()
    if len(parts) < 2 or not WORDS["unreadable"].isdisjoint(words) or not WORDS["temporary"].isdisjoint(words):
        return [clause]
    starts = [part.lower().split() for part in parts]
    if any(each[0] in WORDS["begins a condition"] for each in starts):
        return [clause]
    is_over = any(map(_GIVEN_UP.search, parts))
    return parts if is_over or (_has_verb(starts[0], "s") and all(map(_has_verb, starts[1:]))) else [clause]


def _has_verb(words: list[str], ending: str = "ed") -> bool:
    """Tell whether a part of a sentence has a verb after its first word; `ending` is one that a verb may have."""
    return any(
        word in VERBS
        or word in WORDS["pasts"]
        or word.endswith(("ed", "n't"))
        or (0 < at < len(words) - 1 and word.endswith(ending))
        for at, word in enumerate(words)
    )


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
    return frozenset(word for row in _PHRASES[language].split(" | ") for word in split_words(row.partition(" = ")[0]))


def _replace_phrases(language: str, text: str) -> str:
    patterns, plain, pattern = _load_phrases(language)
    for slotted, english in patterns:
        text = slotted.sub(english, text)
    return pattern.sub(lambda found: f" {plain[found[0].lower()]} ", text)


@lru_cache(maxsize=8)
def _load_phrases(language: str) -> tuple[list[tuple[re.Pattern[str], str]], dict[str, str], re.Pattern[str]]:
    """Return the phrases around other words, as patterns; the other phrases; and a pattern that finds these."""
    rows = dict(each.strip().split(" = ") for each in _PHRASES[language].split(" | "))
    word, start, end = r"([^\s,.;:]+)", r"(?i)(?<!\w)", r"(?!\w)"
    if language in ("japanese", "chinese"):
        word, start, end = r" ?([!-~](?:[ -~]*[!-~])?) ?", "(?i)", ""
    patterns = [
        (lazy(start + phrase.replace("{}", word) + end), f" {rows.pop(phrase)} ")
        for phrase in list(rows)
        if "{}" in phrase
    ]
    return patterns, rows, lazy(f"{start}(?:{'|'.join(sorted(rows, key=len, reverse=True))}){end}")
