"""Score how much a text resembles texts that give orders to a model, with one linear model over hashed n-grams.

A text is cut into windows of about the length of a note. In each window, every word, every pair of neighbouring words
and every run of five characters is hashed to a place in a table of small weights. The score of the window is the sum of
its weights, divided by the square root of their number so that long and short texts compare. The score of the text is
that of its worst window, so that text around an order cannot hide the order. The time grows linearly with the length of
the text.

The weights are fitted by `scripts/fit_guard.py`. The first line of the table says how, and how well the weights do on
sources that they were not fitted to.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from zlib import crc32

from limpet.guard.spellings import simplify
from limpet.lean.pattern import lazy
from limpet.text.tables import read_weights

__all__ = ["BITS", "WEIGHTS", "cut_windows", "find_features", "resembles_order", "score"]

BITS = 18
"""The number of weights in the table, as a power of two."""
_MASK = (1 << BITS) - 1
_RUN = 5
_RAISED = 128
"""Added to each weight, so that all are bytes from 0 to 255: items of `bytes` are read fastest."""
_WINDOW = 400
_STEP = 200
_WHOLE = 600
"""A text of up to this many characters is one window."""

WEIGHTS = "guard/tables/weights.bin"
_ADDRESS = lazy(r"(?:https?://|\bwww\.)[^\s)>\]\"']{1,200}")
_TOKEN = lazy(r"[a-z][a-z']*|[0-9]+|[^\sa-z0-9]")


def resembles_order(text: str) -> bool:
    """Tell whether the score of a text is above the threshold of the table."""
    return score(text) > _load_weights()[2]


def score(text: str) -> float:
    """Return the score of the worst window of a text."""
    weights, bias, _ = _load_weights()
    worst = float("-inf")
    for window in cut_windows(text):
        features = find_features(window)
        if features:
            # The item 0 is read too, because `itemgetter` returns no tuple for a single item, and is subtracted again.
            total = sum(itemgetter(0, *features)(weights)) - weights[0] - _RAISED * len(features)
            worst = max(worst, total / len(features) ** 0.5)
    return worst + bias


def cut_windows(text: str) -> list[str]:
    """Return the simplified windows of a text: the whole text if it is short, else overlapping parts."""
    # All addresses are alike: what an address says is not what the text says.
    text = simplify(text)
    if "://" in text or "www." in text:
        text = _ADDRESS.sub("\u2197", text)
    if len(text) <= _WHOLE:
        return [text]
    return [text[start : start + _WINDOW] for start in range(0, len(text) - _WINDOW + _STEP, _STEP)]


def find_features(window: str) -> set[int]:
    """Return the places in the table to which the words and n-grams of a window are hashed."""
    tokens = _TOKEN.findall(window)
    if any(map(str.isdecimal, tokens)):
        tokens = ["0" if token.isdecimal() else token for token in tokens]
    data = " ".join(tokens).encode()
    words = data.split(b" ") if data else []
    hashes = [*map(crc32, words), *map(crc32, map(b" ".join, pairwise(words)))]
    found = {each & _MASK for each in hashes}
    found.update(_hash_runs(b" %s " % data))
    return found


def _hash_runs(data: bytes) -> tuple[int, ...]:
    """Return the place in the table of every run of bytes: `crc32(run, _RUN) & _MASK`, for all runs at once.

    A checksum is the exclusive or of what each byte of the run adds to it. So the bytes of all checksums are the
    exclusive or of a few translations of the data, read as large numbers.
    """
    count = len(data) - _RUN + 1
    if count <= 0:
        return ()
    hashes = bytearray(4 * count)
    for part, tables in enumerate(_make_run_tables()):
        total = 0
        for at, table in enumerate(tables):
            total ^= int.from_bytes(data.translate(table)[at : at + count], "little")
        hashes[part::4] = total.to_bytes(count, "little")
    return struct.unpack(f"<{count}I", hashes)


@lru_cache(maxsize=1)
def _make_run_tables() -> list[list[bytes]]:
    """Return the translation tables of `_hash_runs`: a list for each byte of a masked checksum.

    The list has a table for each place in a run, which says what each value of the byte at that place adds.
    """
    nothing = crc32(bytes(_RUN), _RUN)
    places = []
    for at in range(_RUN):
        # What a byte adds is the exclusive or of what its bits add.
        added = [0 if at else nothing & _MASK]
        for bit in range(8):
            more = crc32(bytes((1 << bit if place == at else 0) for place in range(_RUN)), _RUN) ^ nothing
            added += [each ^ more & _MASK for each in added]
        places.append(struct.pack("<256I", *added))
    return [[place[part::4] for place in places] for part in range((BITS + 7) // 8)]


@lru_cache(maxsize=1)
def _load_weights() -> tuple[bytes, float, float]:
    """Return the weights, each raised by `_RAISED`, with the bias and the threshold in the same units."""
    header, weights = read_weights(WEIGHTS)
    raised = weights.tobytes().translate(bytes(each ^ _RAISED for each in range(256)))
    return raised, header["bias"], header["threshold"]
