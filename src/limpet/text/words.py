"""Split texts into words as the other measures see them: whole, normalised, never substrings."""

from __future__ import annotations

import unicodedata

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` costs the hook path more than this whole module
    from typing import Literal

__all__ = ["STOP", "normalise", "split_words", "word_set"]


def word_set(table: str) -> frozenset[str]:
    """Return the set of words written as one line of text, so that tables stay readable and short."""
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
# Scripts written without spaces have no words to find; each character counts as one.
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD_ANY_SCRIPT = lazy(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]++(?:[-.'][^\W{_UNSPACED}]++)*+(?:\+\+|\#(?!\w))?")

# What Unicode may have to reorder: combining marks, and two kana signs that turn into one.
_MARKS = lazy(r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f])++")
_LONGEST_RUN = 64


def split_words(text: str) -> list[str]:
    """Return the words of `text` for comparing: NFKC, case-folded, typographic apostrophes made plain."""
    if text.isascii():
        return _WORD.findall(text.lower())
    return _WORD_ANY_SCRIPT.findall(_normalise_unicode("NFKC", text.replace("’", "'")).casefold())


def normalise(text: str) -> str:
    """Return `text` as exact duplicates see it: NFC, and every run of white space one space.

    A paragraph wrapped at another width, or with the line ends of another system, is the same memory. Case is
    kept, because in code it carries meaning.
    """
    return " ".join((text if text.isascii() else _normalise_unicode("NFC", text)).split())


def _normalise_unicode(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Normalise Unicode in linear time: CPython sorts a run of marks in quadratic time.

    No language stacks that many, so a text that does is cut into short parts; it still gets one fixed form.
    """
    if max(map(len, _MARKS.findall(text)), default=0) < _LONGEST_RUN:
        return unicodedata.normalize(form, text)
    parts = (text[at : at + _LONGEST_RUN] for at in range(0, len(text), _LONGEST_RUN))
    return "".join(unicodedata.normalize(form, part) for part in parts)
