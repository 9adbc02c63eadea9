"""Turn a text into a small vector by table look-ups and a sum: there is no model to run and nothing to download.

A table holds one vector for each piece of a word. A text is cut into pieces, their vectors are added with their
weights, and the sum is kept as 256 small integers and, for a first coarse comparison, as 256 signs. All of it is
integer arithmetic on a file that is mapped into memory, so a query costs a millisecond with the standard library alone.
If numpy is installed, it encodes many texts at once and gives exactly the same bytes.
"""

from __future__ import annotations

import mmap
import operator
import os
import struct
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, islice, pairwise

from limpet.lean.pattern import lazy

DIMENSIONS = 256
_MAGIC = b"LIMPETV1"
_HEADER = struct.Struct("<8s16sIII")
_MOST_PIECES = 512
_LONGEST_WORD = 100
_LONGEST_TEXT = 8000
_LANES = {width: struct.Struct(f"<{DIMENSIONS}{letter}") for width, letter in ((4, "I"), (8, "Q"))}
_RAISED = 128
_HEAVIEST = (1 << 32) // 256
"""How much the pieces of a text may weigh together for four bytes to hold the sum of a dimension."""
_RAISE = bytes(each ^ _RAISED for each in range(256))
_SIGNS = bytes(ord("1" if 0 < each < 128 else "0") for each in range(256))
_MOST_WORDS = 50_000
"""How many words are kept with their pieces."""
_MOST_WIDE = 10_000
"""How many vectors are kept in their wide form, until the process rests; each takes a kilobyte."""
_FILE = os.path.join(os.path.dirname(__file__), "data", "static.bin")

_ASCII_TOKEN = lazy(r"[0-9a-z]+|[!-/:-@\[-`{-~]")

Code = bytes
"""256 signed bytes; only the direction of the vector has a meaning, not its length."""


class _Pieces(dict[str, tuple[int, ...]]):
    """The pieces of words, found when a word is first looked up."""

    def __init__(self, find: Callable[[str], Iterable[int]]) -> None:
        self._find = find

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= _MOST_WORDS:
            self.clear()
        found = self[word] = tuple(self._find(word))
        return found


class _WideRows(dict[int, int]):
    """The weighted vectors of pieces in their wide form, made when a piece is first looked up."""

    def __init__(self, widen: Callable[[int, int], int]) -> None:
        self._widen = widen

    def __missing__(self, piece: int) -> int:
        if len(self) >= _MOST_WIDE:
            self.clear()
        wide = self[piece] = self._widen(piece, 4)
        return wide


class Table:
    """A table of vectors, mapped into memory; its words are sorted and found by bisection."""

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
        self._known = _Pieces(self._cut)
        self._wide = _WideRows(self._widen)
        self._numbers: dict[bytes, int] = {}
        """The pieces by their letters, while many texts are encoded."""

    def let_go(self) -> None:
        """Release the mapped pages and the wide vectors; the next look-up maps the pages that it needs again."""
        self._wide.clear()
        self._numbers.clear()
        if hasattr(self._map, "madvise"):
            self._map.madvise(mmap.MADV_DONTNEED)

    def _find(self, word: bytes) -> int:
        if self._numbers:
            return self._numbers.get(word, -1)
        low, high = 0, self.count
        offsets, data, base = self._offsets, self._map, self._words
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

    def pieces(self, word: str) -> tuple[int, ...]:
        """Return the longest known pieces of a word, from its beginning; empty if a part of the word is unknown."""
        return self._known[word]

    def _cut(self, word: str) -> Iterator[int]:
        if len(word) > _LONGEST_WORD:
            return
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
                return
        yield from found

    def _pieces_of(self, text: str) -> list[int]:
        """Return the first pieces of a text."""
        words = split_tokens(text[:_LONGEST_TEXT])
        return list(islice(chain.from_iterable(map(self._known.__getitem__, words)), _MOST_PIECES))

    def encode(self, text: str, weigh: Callable[[Sequence[str]], Sequence[int]] | None = None) -> Code | None:
        """Return the vector of a text, or None if the table knows no word of it; `weigh` returns the weights of words.

        Memories are encoded with equal weights. A question can give more weight to words that are rare in the store.
        """
        if weigh is None:
            pieces, times = self._pieces_of(text), None
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
        return _scale(lanes.unpack(total.to_bytes(lanes.size, "little")), _RAISED * weight)

    def _widen(self, piece: int, width: int) -> int:
        """Return the weighted vector of a piece as one large number, in which each dimension has some bytes to itself.

        Such numbers can be added at once, which is many times as fast as one dimension after the other. Each dimension
        is raised so that it is not negative; four bytes hold the sum of nearly every text, eight bytes any sum.
        """
        lanes = bytearray(width * DIMENSIONS)
        lanes[::width] = self._rows[piece * DIMENSIONS : (piece + 1) * DIMENSIONS].tobytes().translate(_RAISE)
        return int.from_bytes(lanes, "little") * self._weights[piece]

    def encode_many(self, texts: Sequence[str]) -> list[Code | None]:
        """Return the vectors of many texts; numpy is used if there are enough texts to justify loading it."""
        if len(texts) < 200 or self._numpy is None:
            return [self.encode(text) for text in texts]
        np = self._numpy
        if not self._numbers:
            self._numbers.update(self._list_pieces())
        rows = np.frombuffer(self._rows, dtype=np.int8).reshape(self.count, DIMENSIONS)
        weights = np.frombuffer(self._weights, dtype=np.uint16).astype(np.float64)
        totals = np.zeros((len(texts), DIMENSIONS), dtype=np.float64)
        lists = [self._pieces_of(text) for text in texts]
        every = np.fromiter(chain.from_iterable(lists), dtype=np.intp)
        counts = weights[every]
        start = 0
        for number, pieces in enumerate(lists):
            end = start + len(pieces)
            # Whole numbers below 2⁵³ are exact in floating point, whose products are ten times as fast.
            np.dot(counts[start:end], rows[every[start:end]].astype(np.float64), out=totals[number])
            start = end
        most = np.abs(totals).max(axis=1, initial=0)
        least = np.maximum(most, 1)[:, None]
        # A quotient of such numbers is never so near below a whole number that it would be rounded up to it.
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


def _scale(raised: Sequence[int], zero: int) -> Code | None:
    """Return sums that are all raised by `zero`, scaled to at most 127; None if all of them are zero.

    Integer rounding makes the result the same on every machine.
    """
    most = max(max(raised) - zero, zero - min(raised))
    if not most:
        return None
    offset = most // 2 - 127 * zero
    return struct.pack(f"{DIMENSIONS}b", *[(127 * value + offset) // most for value in raised])


def sign_bits(code: Code) -> bytes:
    """Return one bit for each dimension; texts that are similar in meaning differ in few bits."""
    return int(code.translate(_SIGNS), 2).to_bytes(DIMENSIONS // 8, "big")


@lru_cache(maxsize=1)
def load_embedding_table() -> Table:
    return Table()


def split_tokens(text: str) -> Iterable[str]:
    """Return the lower-case words of a text without accents; each punctuation mark and CJK character is a token."""
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
    """Write a table; the words must be sorted by their bytes, weights and rows in the same order."""
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
