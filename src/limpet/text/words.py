"""Split texts into normalised whole words, for the other modules of this package."""

from __future__ import annotations

import unicodedata

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` costs the hook path more than this whole module
    from typing import Literal

__all__ = ["HANGUL", "STOP", "UNSPACED", "normalise", "split_words", "word_set"]


def word_set(table: str) -> frozenset[str]:
    """Return the set of words in a text, so that tables of words can be written as plain lines."""
    return frozenset(table.split())


# Words that say nothing about the subject. Negations and modals are missing on purpose: "not" and "must" decide
# what a sentence means.
STOP = word_set(
    "a an and are as at be been being but by for from had has have he her his i if in into is it its me my of on or "
    "our she so than that the their them then there these they this those to us was we were which who will with you "
    "your"
)

# Inner dots, hyphens and apostrophes hold a word together: foo.py, half-life, don't, 3.11. A trailing mark that is
# part of a name (c++, c#) stays. The quantifiers cannot give back, so the pattern is linear on any input.
_WORD = lazy(r"\w++(?:[-.']\w++)*+(?:\+\+|\#(?!\w))?")
UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""The kana and ideographs, as ranges of a pattern: there are no spaces between words, so each counts as a word."""
HANGUL = r"\uac00-\ud7a3"
"""The Korean syllables: there are spaces, but endings stick to the words, also to foreign names."""
_WORD_ANY_SCRIPT = lazy(rf"[{UNSPACED}]|[^\W{UNSPACED}]++(?:[-.'][^\W{UNSPACED}]++)*+(?:\+\+|\#(?!\w))?")

# What Unicode may have to reorder: combining marks, and two kana signs that turn into one.
_MARKS = lazy(r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f])++")
_LONGEST_RUN = 64


def split_words(text: str) -> list[str]:
    """Return the words of `text` for comparison: NFKC, case-folded, with plain apostrophes."""
    if text.isascii():
        return _WORD.findall(text.lower())
    return _WORD_ANY_SCRIPT.findall(_normalise_unicode("NFKC", text.replace("’", "'")).casefold())


def normalise(text: str) -> str:
    """Return `text` in NFC with every run of white space replaced by one space, to find exact duplicates.

    A paragraph wrapped at another width, or with the line ends of another system, is the same memory. Case is kept,
    because it carries meaning in code.
    """
    return " ".join((text if text.isascii() else _normalise_unicode("NFC", text)).split())


def _normalise_unicode(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Normalise Unicode in linear time: CPython needs quadratic time to sort a long run of combining marks.

    No language uses such long runs, so a text with one is cut into short parts; its normal form is still unique.
    """
    if max(map(len, _MARKS.findall(text)), default=0) < _LONGEST_RUN:
        return unicodedata.normalize(form, text)
    parts = (text[at : at + _LONGEST_RUN] for at in range(0, len(text), _LONGEST_RUN))
    return "".join(unicodedata.normalize(form, part) for part in parts)
