"""Score a message with a small linear model over hashed n-grams.

The n-grams are the words and the pairs of adjacent words of each sentence. The hash of an n-gram is the index of its
weight in a table. The points of a message are the sum of the weights, divided by the square root of their number, so
that long and short messages can be compared. All numbers count as the same word, and so do all paths and identifiers.

A file has one or several tables. Its first line states how they were fitted, and how well they work on messages from
people who were left out of the fitting. `scripts/fit_capture.py` writes `capture/grams.bin`, and
`scripts/fit_objections.py` writes `text/objections.bin`.
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

BITS = 14
"""The number of bits of a hash; each table has 2 ** BITS weights."""
_MASK = (1 << BITS) - 1
# These ranges differ from those in text/words.py, because the weights were fitted with them.
_UNSPACED = lazy(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")


def weigh_grams(file: str, table: str, grams: set[str]) -> list[tuple[str, float]]:
    """Return the n-grams of a message, each with its points.

    `file` is the path of the weights in the package, and `table` the name of one table in it.
    """
    weights, step = _load_weights(file, table)
    # Two n-grams with the same hash count once, as in the fitting.
    by_hash = {hash_gram(gram): gram for gram in sorted(grams)}
    scale = step / max(1, len(by_hash)) ** 0.5
    return [(gram, weights[at] * scale) for at, gram in by_hash.items()]


def find_grams(sentences: Iterable[Sequence[str]]) -> set[str]:
    """Return the words, and the pairs of adjacent words, of sentences that are given as lists of words.

    The beginning and the end of a sentence count as words in the pairs.
    """
    found: set[str] = set()
    for words in sentences:
        tokens = [token for word in words for token in _make_tokens(word)]
        found.update(tokens)
        found.update([f"{first} {second}" for first, second in pairwise(("^", *tokens, "$"))])
    return found


def hash_gram(gram: str) -> int:
    """Return the hash of an n-gram, which is the index of its weight in a table."""
    return crc32(gram.encode("utf-8", "replace")) & _MASK


def _make_tokens(word: str) -> Iterable[str]:
    """Return the tokens of a word: the word itself, or its characters in a script without spaces.

    A word with a digit is replaced by "0", and a path or a name with a dot or an underscore by "a/b", because each such
    word is rare.
    """
    if word.isascii():
        if word.isalpha():
            return (word,)
    elif _UNSPACED.search(word) is not None:
        return word
    if any(char.isdigit() for char in word):
        return ("0",)
    return ("a/b",) if len(word) > 1 and any(mark in word for mark in "/_.") else (word,)


@lru_cache(maxsize=4)
def _load_weights(file: str, table: str) -> tuple[memoryview[int], float]:
    """Return the weights of a table as integers, and the number of points for a weight of 1."""
    header, weights = read_weights(file)
    at = list(header["steps"]).index(table) << BITS
    return weights[at : at + (1 << BITS)], header["steps"][table]
