"""Hash the passages of a text, so that a later text which repeats a passage is recognised without storing the passage.

Pairs of adjacent content words are hashed, and the hashes of a passage are one block. A text that repeats a passage,
word for word or slightly reworded, has many of its pairs in the block. A text that only has the same subject has some
of its words, but few of its pairs. The hashes have 24 bits. They show that a pair probably occurred, and the words
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
"""The maximum distance of two content words that form a pair."""
_LONGEST = 24
"""The maximum length of a word. Longer ones may be keys, hashes or addresses, which must not be stored in any form."""
_ENDINGS = ("ing", "ed", "es", "s", "ly")
_SENTENCE_ENDS = ("! ", "? ", "; ", "\n")
_ASCII = "".join(chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))
_UNSPACED = "\u3040"
"""The first character of the scripts without spaces between words, in which each character counts as a word."""


def hash_blocks(text: str) -> list[str]:
    """Return the hashes of a text as encoded blocks, one for each passage."""
    words = _hash_words(text)
    blocks = (words[at : at + BLOCK + _NEAR] for at in range(0, len(words), BLOCK))
    return [encode_block(_hash_pairs(block)) for block in blocks if len(block) > 1]


def hash_sentences(text: str) -> Iterator[frozenset[int]]:
    """Yield the hashes of the whole text, and then those of each sentence, in case only one sentence is repeated."""
    yield _hash_pairs(_hash_words(text))
    for mark in _SENTENCE_ENDS:
        text = text.replace(mark, ". ")
    sentences = text.split(". ")
    if len(sentences) > 1:
        yield from (_hash_pairs(_hash_words(sentence)) for sentence in sentences)


def encode_block(hashes: Iterable[int]) -> str:
    """Encode the hashes of a passage as base64."""
    data = b"".join([each.to_bytes(3, "big") for each in sorted(hashes)])
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def decode_block(text: str) -> frozenset[int]:
    """Return the hashes of an encoded block, or an empty set if the block is damaged."""
    try:
        data = binascii.a2b_base64(text)
    except ValueError:
        return frozenset()
    return frozenset(int.from_bytes(data[at : at + 3], "big") for at in range(0, len(data) - 2, 3))


def _hash_pairs(words: Sequence[int]) -> frozenset[int]:
    """Return the hashes of the pairs of nearby words, given the hashes of the words."""
    found = set()
    # The hash depends on the sum, so that the order of the two words does not matter.
    for distance in range(1, _NEAR + 1):
        for one, other in zip(words, words[distance:], strict=False):
            found.add((one + other) * 0x9E3779B1 >> 8 & 0xFFFFFF)
    return frozenset(found)


def _hash_words(text: str) -> list[int]:
    """Return a hash for each content word of a text: each word except stop words and very long ones."""
    known: dict[str, int] = dict.fromkeys(STOP, -1)
    found = []
    # The table has only ASCII; `translate` keeps all other characters, so one fast call works for any alphabet.
    spaced = text.translate(_ASCII)
    if not text.isascii() and max(text) >= _UNSPACED:
        spaced = "".join(f" {char} " if char >= _UNSPACED else char for char in spaced)
    for word in spaced.casefold().split():
        value = known.get(word)
        if value is None:
            value = zlib.crc32(_stem(word).encode("utf-8", "replace")) if len(word) <= _LONGEST else -1
            known[word] = value
        if value >= 0:
            found.append(value)
    return found


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if len(word) >= len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word
