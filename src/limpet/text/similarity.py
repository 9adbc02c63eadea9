"""Find equal and similar texts: equal ones by a hash, candidates for similar ones by a simhash and then by their words.

A simhash has 64 bits, and texts with mostly the same words differ in few of them. The bits are split into six bands.
Two simhashes that differ in at most `SURE_BITS` (five) bits have at least one band in common, because five differences
cannot affect six bands. So a lookup by band finds every such pair. It also finds most pairs with a few more
differences, and one in twenty-five of all other pairs, which are discarded if their `hamming` distance is above
`FAR_BITS`. `is_near` decides about the rest.

The simhash is made from single words. With pairs of words as well, fewer near-duplicates were found among edited
sentences (82 % and not 92 %), and unrelated texts were not separated better. `is_near` also compares the word order.
"""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from limpet.lean.digest import sha256
from limpet.text.words import STOP, normalise, split_words

NEAR = 0.7
"""The minimum share of common words in similar texts."""
_NEAR_ORDER = 0.4
"""The minimum share of common pairs of words in similar texts; it is lower, as one changed word changes two pairs."""
SURE_BITS = 5
"""Two simhashes that differ in at most this many bits always have a band in common."""
FAR_BITS = 20
"""Texts whose simhashes differ in more bits are not similar."""

_COMPARED = 60_000
"""The maximum number of characters that are compared. Long texts with so much in common count as similar."""
_MASK = (1 << 64) - 1


def content_hash(text: str) -> str:
    """Return the SHA-256 of a normalised text, in hexadecimal.

    Texts that differ only in white space have the same hash.
    """
    return sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()


# Cached, because a text is first searched for and then stored.
@lru_cache(maxsize=2)
def simhash(text: str) -> int:
    """Return the 64-bit simhash of a text, which is the same on every machine, or 0 for a text without words."""
    found = set(split_words(text[:_COMPARED]))
    # Each word is hashed with a checksum whose bits are mixed, which is four times as fast as a cryptographic hash.
    mixed = [crc32(word.encode()) * 0x9E3779B97F4A7C15 for word in (found - STOP or found)]
    hashes = [(each ^ each >> 32) & _MASK for each in mixed]
    packed = b"".join([value.to_bytes(8, "big") for value in hashes])
    # Counting a bit over all words in a loop is slow in Python. With every eighth byte read as one long integer, one
    # shift, one mask and one population count do this for all words at once.
    ones = int.from_bytes(b"\x01" * len(hashes), "big")
    half = len(hashes) // 2
    result = 0
    for column in range(8):
        byte = int.from_bytes(packed[column::8], "big")
        for bit in range(8):
            result = result << 1 | ((byte >> bit & ones).bit_count() > half)
    return result


def split_bands(value: int) -> tuple[int, ...]:
    """Return the six bands of a simhash, each as an integer that includes the number of the band."""
    return tuple(place << 11 | value >> (11 * place) & 0x7FF for place in range(SURE_BITS + 1))


def hamming(a: int, b: int) -> int:
    """Return the number of bits in which two simhashes differ."""
    return (a ^ b).bit_count()


def jaccard(a: str, b: str) -> float:
    """Return the Jaccard index of the words of two texts: common words divided by all words; 1 if there are none."""
    return overlap(distinct_words(a), distinct_words(b))


# Cached, because one text is compared with many.
@lru_cache(maxsize=16)
def distinct_words(text: str) -> frozenset[str]:
    """Return the set of words of a text."""
    return frozenset(split_words(text[:_COMPARED]))


def is_near(a: str, b: str) -> bool:
    """Tell whether two texts have nearly the same words in nearly the same order."""
    first, second = split_words(a[:_COMPARED]), split_words(b[:_COMPARED])
    if not first or not second:
        return normalise(a[:_COMPARED]) == normalise(b[:_COMPARED])
    if overlap(set(first), set(second)) < NEAR:
        return False
    return overlap(set(pairwise(first)), set(pairwise(second))) >= _NEAR_ORDER


def contains(a: str, b: str) -> bool:
    """Tell whether one of two texts contains the other, ignoring letter case and the punctuation around them."""
    a, b = (text.casefold().strip(" .!") for text in (a, b))
    return a in b or b in a


def overlap(a: Set[object], b: Set[object]) -> float:
    """Return the Jaccard index of two sets: common items divided by all items; 1 if both sets are empty."""
    common = len(a & b)
    return common / (len(a) + len(b) - common) if a or b else 1.0
