"""Weigh the words of a message with a small linear model over hashed n-grams.

Every word and every pair of neighbouring words of a sentence has a place in a table of small weights. The points of a
message are the sum of its weights, divided by the square root of their number so that long and short messages compare.
All numbers count as the same word, and so do all paths and identifiers: which file a message names does not matter.

A file holds one table or several. Its first line says how they were fitted, and how well they do on people whom they
were not fitted to: `capture/grams.bin` is made by `scripts/fit_capture.py`, `text/objections.bin` by
`scripts/fit_objections.py`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from limpet.lean.pattern import lazy
from limpet.text.tables import read_weights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["BITS", "find_grams", "find_place", "weigh_grams"]

BITS = 14
"""The number of weights in each table, as a power of two."""
_MASK = (1 << BITS) - 1
# Not the ranges of text/words.py: the weights were fitted to the n-grams that these give.
_UNSPACED = lazy(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")


def weigh_grams(file: str, table: str, grams: set[str]) -> list[tuple[str, float]]:
    """Return the points of each n-gram of a message; `file` is the path of the weights in the package."""
    weights, step = _load_weights(file, table)
    # Two n-grams with the same place count once, as in the fitting.
    places = {find_place(gram): gram for gram in sorted(grams)}
    scale = step / max(1, len(places)) ** 0.5
    return [(gram, weights[place] * scale) for place, gram in places.items()]


def find_grams(sentences: Iterable[Sequence[str]]) -> set[str]:
    """Return the words and the pairs of neighbouring words of sentences, with their beginnings and ends."""
    found: set[str] = set()
    for words in sentences:
        tokens = [token for word in words for token in _make_tokens(word)]
        found.update(tokens)
        found.update([f"{first} {second}" for first, second in pairwise(("^", *tokens, "$"))])
    return found


def find_place(gram: str) -> int:
    """Return the place of an n-gram in a table of weights."""
    return crc32(gram.encode("utf-8", "replace")) & _MASK


def _make_tokens(word: str) -> Iterable[str]:
    """Return what is counted for a word: one token, or each character in scripts without spaces.

    Words with a digit count as "0", and paths and dotted or joined names as "a/b", because each of them is rare.
    """
    if word.isascii():
        if word.isalpha():
            return (word,)
    elif _UNSPACED.search(word) is not None:
        return word
    if any(char.isdigit() for char in word):
        return ("0",)
    return ("a/b",) if len(word) > 1 and any(mark in word for mark in "/_.") else (word,)


@lru_cache(maxsize=3)
def _load_weights(file: str, table: str) -> tuple[memoryview[int], float]:
    """Return the weights of a table as integers, and the points of one unit."""
    header, weights = read_weights(file)
    at = list(header["steps"]).index(table) << BITS
    return weights[at : at + (1 << BITS)], header["steps"][table]
