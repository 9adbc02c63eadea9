"""Split texts into normalised whole words, for the other modules of this package."""

from __future__ import annotations

import unicodedata

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` costs the hook path more than this whole module
    from typing import Literal


def word_set(table: str) -> frozenset[str]:
    """Split a text at white space and return the set of its words, so that word lists can be written as plain text."""
    return frozenset(table.split())


# Stop words: words that say nothing about the subject. Negations and modals are left out on purpose, because "not" and
# "must" determine the meaning of a sentence.
STOP = word_set(
    "a an and are as at be been being but by for from had has have he her his i if in into is it its me my of on or "
    "our she so than that the their them then there these they this those to us was we were which who will with you "
    "your"
)

# A word may have dots, hyphens and apostrophes inside: foo.py, half-life, don't, 3.11. It may end with the "++" or "#"
# of a name: c++, c#. The quantifiers are possessive, so the pattern takes linear time on any input.
_WORD = lazy(r"\w++(?:[-.']\w++)*+(?:\+\+|\#(?!\w))?")
UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""The ranges of kana and ideographs for a pattern. Words are not separated by spaces, so each character is a word."""
HANGUL = r"\uac00-\ud7a3"
"""The range of Korean syllables for a pattern. Words are separated by spaces, but have endings, as foreign names do."""
_WORD_ANY_SCRIPT = lazy(rf"[{UNSPACED}]|[^\W{UNSPACED}]++(?:[-.'][^\W{UNSPACED}]++)*+(?:\+\+|\#(?!\w))?")

# Characters that normalisation may reorder or combine: combining marks, and the kana sound marks.
_MARKS = lazy(r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f])++")
_LONGEST_RUN = 64


def split_words(text: str) -> list[str]:
    """Return the words of a text in a form for comparison: NFKC, case-folded, with straight apostrophes."""
    if text.isascii():
        return _WORD.findall(text.lower())
    return _WORD_ANY_SCRIPT.findall(_normalise_unicode("NFKC", text.replace("’", "'")).casefold())


def normalise(text: str) -> str:
    """Return a text in NFC with each run of white space replaced by one space, to find exact duplicates.

    So a text with other line breaks counts as the same text. Case is kept, because it has a meaning in code.
    """
    return " ".join((text if text.isascii() else _normalise_unicode("NFC", text)).split())


def _normalise_unicode(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Normalise a text in linear time.

    CPython takes quadratic time to sort a long run of combining marks, which occurs in no language. So a text with such
    a run is normalised in short parts. The result is then not exactly the normal form, but always the same for one
    text.
    """
    if max(map(len, _MARKS.findall(text)), default=0) < _LONGEST_RUN:
        return unicodedata.normalize(form, text)
    parts = (text[at : at + _LONGEST_RUN] for at in range(0, len(text), _LONGEST_RUN))
    return "".join(unicodedata.normalize(form, part) for part in parts)
