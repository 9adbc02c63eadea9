"""Weigh the words of a message with a small linear model over hashed n-grams.

Every word and every pair of neighbouring words of a sentence has a place in a table of small weights. The points of a
message are the sum of its weights, divided by the square root of their number so that long and short messages compare.
Names, paths and numbers count as one word each: which file a message names says nothing about whether it lasts.

The weights are fitted by `scripts/fit_capture.py`, a table for prompts and one for reports. The first line of the file
says how, and how well they do on people whom they were not fitted to.
"""

from __future__ import annotations

import os
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

__all__ = ["BITS", "FILE", "find_grams", "find_place", "read_header", "weigh_grams"]

BITS = 14
"""The number of weights in each table, as a power of two."""
FILE = os.path.join(os.path.dirname(__file__), "grams.bin")
_MASK = (1 << BITS) - 1
_UNSPACED = lazy(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")


def weigh_grams(table: str, grams: set[str]) -> list[tuple[str, float]]:
    """Return the points of each n-gram of a message."""
    weights, step = _load_weights(table)
    # Two n-grams with the same place count once, as in the fitting.
    places = {find_place(gram): gram for gram in sorted(grams)}
    scale = step / max(1, len(places)) ** 0.5
    return [(gram, weights[place] * scale) for place, gram in places.items()]


def find_grams(sentences: Iterable[Sequence[str]]) -> set[str]:
    """Return the words and the pairs of neighbouring words of sentences, with their beginnings and ends."""
    found: set[str] = set()
    for words in sentences:
        tokens = [token for word in words for token in _simplify(word)]
        found.update(tokens)
        found.update([f"{first} {second}" for first, second in pairwise(("^", *tokens, "$"))])
    return found


def find_place(gram: str) -> int:
    """Return the place of an n-gram in a table of weights."""
    return crc32(gram.encode("utf-8", "replace")) & _MASK


def _simplify(word: str) -> Iterable[str]:
    """Return a word as it is counted; in scripts without spaces every character counts as a word."""
    if word.isascii():
        if word.isalpha():
            return (word,)
    elif _UNSPACED.search(word) is not None:
        return word
    if any(char.isdigit() for char in word):
        return ("0",)
    return ("a/b",) if len(word) > 1 and any(mark in word for mark in "/_.") else (word,)


def read_header() -> dict[str, Any]:
    """Return the header of the file, which describes the weights and how they were fitted."""
    import json

    with open(FILE, "rb") as file:
        header: dict[str, Any] = json.loads(file.readline())
    return header


@lru_cache(maxsize=2)
def _load_weights(table: str) -> tuple[memoryview[int], float]:
    """Return the weights of a table as integers, and the points of one unit."""
    header = read_header()
    at = list(header["steps"]).index(table) << BITS
    with open(FILE, "rb") as file:
        file.readline()
        weights = memoryview(file.read()).cast("b")
    return weights[at : at + (1 << BITS)], header["steps"][table]
