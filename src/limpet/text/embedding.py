"""Encode a text as a small vector by table lookups and a sum, without a model to run or to download.

A table contains a vector and a weight for each word piece. A text is cut into pieces, their weighted vectors are added,
and the sum is kept as 256 small integers. For a first coarse comparison, only the 256 signs are used. All of this is
integer arithmetic on a file that is mapped into memory, so a query takes a millisecond with the standard library alone.
If numpy is installed, it is used to encode many texts at once, with exactly the same result.
"""

from __future__ import annotations

import mmap
import operator
import os
import struct
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice, pairwise

from limpet.lean.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    K = TypeVar("K")
    V = TypeVar("V")
else:
    K = V = object

DIMENSIONS = 256
_MAGIC = b"LIMPETV1"
_HEADER = struct.Struct("<8s16sIII")
_MOST_PIECES = 512
_LONGEST_WORD = 100
_LONGEST_TEXT = 8000
_LANES = {width: struct.Struct(f"<{DIMENSIONS}{letter}") for width, letter in ((4, "I"), (8, "Q"))}
_BIAS = 128
"""A number that is added to each value of a vector, so that it is not negative."""
_HEAVIEST = (1 << 32) // 256
"""The total weight of a text's pieces from which a sum may not fit into four bytes."""
_ADD_BIAS = bytes(each ^ _BIAS for each in range(256))
_SIGNS = bytes(ord("1" if 0 < each < 128 else "0") for each in range(256))
_MOST_WORDS = 50_000
"""The maximum number of words whose pieces are cached."""
_MOST_WIDE = 10_000
"""The maximum number of vectors whose wide form (see `Table._widen`) is cached. Each takes a kilobyte."""
_STRIDE = 256
"""Every 256th piece of a table is kept in a list. Bisection begins there, because it is faster than in the file."""
_FILE = os.path.join(os.path.dirname(__file__), "data", "static.bin")

_ASCII_TOKEN = lazy(r"[0-9a-z]+|[!-/:-@\[-`{-~]")

Code = bytes
"""A vector as 256 signed bytes (384 from `encoder`). Only its direction has a meaning, not its length."""


class _Cache(dict[K, V]):
    """A dict that computes the value of a key that it does not hold. It is cleared when it holds `most` values."""

    def __init__(self, compute: Callable[[K], V], most: int) -> None:
        self._compute, self._most = compute, most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._compute(key)
        return value


class Table:
    """A table of word pieces and their vectors, in a file that is mapped into memory.

    The pieces are sorted, so that they can be found by bisection. The number of a piece is its position in the table.
    """

    def __init__(self, path: str = _FILE) -> None:
        with open(path, "rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        magic, model, count, dimensions, letters = _HEADER.unpack_from(self._map)
        if magic != _MAGIC or dimensions != DIMENSIONS:
            raise ValueError(f"{path} is not a table of vectors")
        view = memoryview(self._map)
        start = _HEADER.size
        self.model: str = model.rstrip(b"\0").decode("ascii")
        self.count: int = count
        self._offsets = view[start : start + 4 * (count + 1)].cast("I")
        start += 4 * (count + 1)
        self._words = start
        start += letters
        self._weights = view[start : start + 2 * count].cast("H")
        start += 2 * count
        self._rows = view[start : start + count * dimensions].cast("b")
        self._guides = [self._read_word(number) for number in range(0, count, _STRIDE)]
        self._known = _Cache(self._cut, _MOST_WORDS)
        self._wide = _Cache(self._widen, _MOST_WIDE)
        self._numbers: dict[bytes, int] = {}
        """The number of each piece, by its letters.

        It is filled before many texts are encoded, because a lookup is faster than bisection.
        """

    def _read_word(self, number: int) -> bytes:
        return self._map[self._words + self._offsets[number] : self._words + self._offsets[number + 1]]

    def release_memory(self) -> None:
        """Release the mapped pages and clear the large caches, which are filled again when needed."""
        self._wide.clear()
        self._numbers.clear()
        if hasattr(self._map, "madvise"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def _find(self, word: bytes) -> int:
        if self._numbers:
            return self._numbers.get(word, -1)
        offsets, data, base = self._offsets, self._map, self._words
        low = max(0, _STRIDE * (bisect_right(self._guides, word) - 1))
        high = min(self.count, low + _STRIDE)
        while low < high:
            middle = (low + high) // 2
            if data[base + offsets[middle] : base + offsets[middle + 1]] < word:
                low = middle + 1
            else:
                high = middle
        if low < self.count and data[base + offsets[low] : base + offsets[low + 1]] == word:
            return low
        return -1

    def _list_pieces(self) -> Iterator[tuple[bytes, int]]:
        ends = (self._words + offset for offset in self._offsets)
        return ((self._map[start:end], number) for number, (start, end) in enumerate(pairwise(ends)))

    def find_pieces(self, word: str) -> tuple[int, ...]:
        """Split a word into the longest pieces that are in the table, from left to right, and return their numbers.

        Return an empty tuple if a part of the word is not in the table, or if the word is too long.
        """
        return self._known[word]

    def _cut(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return ()
        found = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = self._find((("##" if start else "") + word[start:end]).encode("utf-8", "surrogatepass"))
                if piece >= 0:
                    found.append(piece)
                    start = end
                    break
            else:
                return ()
        return tuple(found)

    def _cut_text(self, text: str) -> list[int]:
        """Return the numbers of the first 512 pieces of a text."""
        words = split_tokens(text[:_LONGEST_TEXT])
        return list(islice(chain.from_iterable(map(self._known.__getitem__, words)), _MOST_PIECES))

    def encode(self, text: str, weigh: Callable[[Sequence[str]], Sequence[int]] | None = None) -> Code | None:
        """Return the vector of a text, or None if the table has none of its words.

        `weigh` returns a factor for each word, so that the rare words of a question can count more. Memories are
        encoded without it.
        """
        if weigh is None:
            pieces, times = self._cut_text(text), None
            weight = sum(map(self._weights.__getitem__, pieces))
        else:
            words = list(split_tokens(text[:_LONGEST_TEXT]))
            counted = zip(words, weigh(words), strict=True)
            weighed = ((piece, count) for word, count in counted for piece in self._known[word])
            pairs = list(islice(weighed, _MOST_PIECES))
            pieces, times = [piece for piece, _ in pairs], [count for _, count in pairs]
            weight = sum(self._weights[piece] * count for piece, count in pairs)
        if not pieces:
            return None
        width = 4 if weight < _HEAVIEST else 8
        rows = map(self._wide.__getitem__, pieces) if width == 4 else (self._widen(piece, 8) for piece in pieces)
        total = sum(rows) if times is None else sum(map(operator.mul, rows, times))
        lanes = _LANES[width]
        return _scale(lanes.unpack(total.to_bytes(lanes.size, "little")), _BIAS * weight)

    def _widen(self, piece: int, width: int = 4) -> int:
        """Return the weighted vector of a piece in its wide form: one large integer with `width` bytes per dimension.

        Adding such integers is many times faster than adding one dimension after the other. A bias is added to each
        dimension, so that it is not negative. Four bytes are enough for the sum of nearly every text, and eight for any
        sum.
        """
        lanes = bytearray(width * DIMENSIONS)
        lanes[::width] = self._rows[piece * DIMENSIONS : (piece + 1) * DIMENSIONS].tobytes().translate(_ADD_BIAS)
        return int.from_bytes(lanes, "little") * self._weights[piece]

    def encode_many(self, texts: Sequence[str]) -> list[Code | None]:
        """Return the vector of each text, or None for a text without known words.

        If numpy is installed, it is used for 200 texts or more.
        """
        if len(texts) < 200 or self._numpy is None:
            return [self.encode(text) for text in texts]
        np = self._numpy
        if not self._numbers:
            self._numbers.update(self._list_pieces())
        rows = np.frombuffer(self._rows, dtype=np.int8).reshape(self.count, DIMENSIONS)
        weights = np.frombuffer(self._weights, dtype=np.uint16).astype(np.float64)
        totals = np.zeros((len(texts), DIMENSIONS), dtype=np.float64)
        lists = [self._cut_text(text) for text in texts]
        every = np.fromiter(chain.from_iterable(lists), dtype=np.intp)
        counts = weights[every]
        start = 0
        for number, pieces in enumerate(lists):
            end = start + len(pieces)
            # Floats represent integers below 2⁵³ exactly, and their products are ten times as fast.
            np.dot(counts[start:end], rows[every[start:end]].astype(np.float64), out=totals[number])
            start = end
        most = np.abs(totals).max(axis=1, initial=0)
        least = np.maximum(most, 1)[:, None]
        # The quotient of two such integers is never so close below the next integer that it would be rounded up.
        scaled = np.floor((127 * totals + np.floor(least / 2)) / least).astype(np.int8).tobytes()
        starts = range(0, len(scaled), DIMENSIONS)
        return [
            scaled[at : at + DIMENSIONS] if known else None for at, known in zip(starts, most.tolist(), strict=True)
        ]

    @cached_property
    def _numpy(self):  # type: ignore[no-untyped-def]  # numpy is optional, and so are its types
        try:
            import numpy
        except ImportError:
            return None
        return numpy


def _scale(biased: Sequence[int], bias: int) -> Code | None:
    """Subtract `bias` from each sum and scale the results to at most 127; return None if all of them are zero.

    Integers are rounded, so the result is the same on every machine.
    """
    most = max(max(biased) - bias, bias - min(biased))
    if not most:
        return None
    offset = most // 2 - 127 * bias
    return struct.pack(f"{DIMENSIONS}b", *[(127 * value + offset) // most for value in biased])


def sign_bits(code: Code) -> bytes:
    """Return the signs of a vector, one bit for each dimension. Texts with similar meanings differ in few bits."""
    return int(code.translate(_SIGNS), 2).to_bytes(DIMENSIONS // 8, "big")


@lru_cache(maxsize=1)
def load_embedding_table() -> Table:
    """Return the table that comes with the package. Its file is opened only once."""
    return Table()


def split_tokens(text: str) -> Iterable[str]:
    """Split a text into tokens: words in lower case without accents, punctuation marks, and single CJK characters."""
    plain = text.lower()
    if plain.isascii():
        return _ASCII_TOKEN.findall(plain)
    decomposed = unicodedata.normalize("NFD", plain)
    return _split_letters("".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn"))


def _split_letters(plain: str) -> Iterator[str]:
    word: list[str] = []
    for letter in plain:
        if letter.isalnum() and not _is_cjk(letter):
            word.append(letter)
            continue
        if word:
            yield "".join(word)
            word.clear()
        if not letter.isspace() and letter.isprintable():
            yield letter
    if word:
        yield "".join(word)


def _is_cjk(letter: str) -> bool:
    code = ord(letter)
    return code >= 0x3400 and (
        code <= 0x4DBF or 0x4E00 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x2FA1F
    )


def write_table(path: str, model: str, words: Iterable[str], weights: Sequence[int], rows: bytes) -> None:
    """Write a table to a file. The words must be sorted as UTF-8; weights and rows must be in the same order.

    `rows` are the vectors, one after the other, as signed bytes.
    """
    encoded = [word.encode("utf-8") for word in words]
    if encoded != sorted(encoded):
        raise ValueError("the words are not sorted")
    offsets = [0]
    for word in encoded:
        offsets.append(offsets[-1] + len(word))
    count = len(encoded)
    padding = b"\0" * (-offsets[-1] % 4)
    with open(path, "wb") as file:
        file.write(_HEADER.pack(_MAGIC, model.encode("ascii"), count, DIMENSIONS, offsets[-1] + len(padding)))
        file.write(struct.pack(f"<{count + 1}I", *offsets))
        file.write(b"".join(encoded) + padding)
        file.write(struct.pack(f"<{count}H", *weights))
        file.write(rows)
