"""Recognise in a text what was read before, without keeping what was read.

Only hashes of pairs of neighbouring content words are kept, in one block for each passage. A text that repeats a
passage, word for word or lightly reworded, has many of its pairs in one block; a text about the same subject shares
words with the passage but few pairs. The hashes have 24 bits: they say whether a pair was probably there, and the words
cannot be recovered from them.

A hook runs this module, so it uses no regular expressions.
"""

from __future__ import annotations

import binascii
import zlib
from collections.abc import Iterable, Iterator, Sequence

from limpet.text.words import STOP

BLOCK = 120
"""The number of content words in a block: a passage of a few sentences."""
_NEAR = 2
"""How far apart two content words may be to make a pair."""
_LONGEST = 24
"""Longer words are skipped: they are keys, hashes or addresses, which must not be kept in any form."""
_ENDINGS = ("ing", "ed", "es", "s", "ly")
_SENTENCE_ENDS = ("! ", "? ", "; ", "\n")
_ASCII = "".join(chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))
_UNSPACED = "\u3040"
"""The first character of the scripts that have no spaces between words; there each character counts as a word."""


def hash_blocks(text: str) -> list[str]:
    """Return the hashes of a text, one encoded block for each passage."""
    words = _hash_words(text)
    blocks = (words[at : at + BLOCK + _NEAR] for at in range(0, len(words), BLOCK))
    return [encode_block(_pair(block)) for block in blocks if len(block) > 1]


def hash_sentences(text: str) -> Iterator[frozenset[int]]:
    """Yield the hashes of the whole text, then of each of its sentences, because a single sentence may be repeated."""
    yield _pair(_hash_words(text))
    for mark in _SENTENCE_ENDS:
        text = text.replace(mark, ". ")
    sentences = text.split(". ")
    if len(sentences) > 1:
        yield from (_pair(_hash_words(sentence)) for sentence in sentences)


def encode_block(hashes: Iterable[int]) -> str:
    """Return hashes as a short text."""
    data = b"".join([each.to_bytes(3, "big") for each in sorted(hashes)])
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def decode_block(text: str) -> frozenset[int]:
    """Return the hashes of an encoded block; an empty set if the block is damaged."""
    try:
        data = binascii.a2b_base64(text)
    except ValueError:
        return frozenset()
    return frozenset(int.from_bytes(data[at : at + 3], "big") for at in range(0, len(data) - 2, 3))


def _pair(words: Sequence[int]) -> frozenset[int]:
    """Return the hashes of the pairs of nearby words.

    The hash is a sum, so the order of the two words does not matter.
    """
    found = set()
    for distance in range(1, _NEAR + 1):
        for one, other in zip(words, words[distance:], strict=False):
            found.add((one + other) * 0x9E3779B1 >> 8 & 0xFFFFFF)
    return frozenset(found)


def _hash_words(text: str) -> list[int]:
    """Return a hash for each content word."""
    known: dict[str, int] = dict.fromkeys(STOP, -1)
    found = []
    for word in _split(text):
        value = known.get(word)
        if value is None:
            value = zlib.crc32(_stem(word).encode("utf-8", "replace")) if len(word) <= _LONGEST else -1
            known[word] = value
        if value >= 0:
            found.append(value)
    return found


def _split(text: str) -> list[str]:
    # Characters beyond the table stay as they are, so that one fast call splits a text in any alphabet.
    spaced = text.translate(_ASCII)
    if not text.isascii() and max(text) >= _UNSPACED:
        spaced = "".join(f" {char} " if char >= _UNSPACED else char for char in spaced)
    return spaced.casefold().split()


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if len(word) >= len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word
