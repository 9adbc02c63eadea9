"""Score how much a text resembles orders to a model, with one linear model over hashed n-grams.

A text is cut into windows of about the length of a note. In each window, every word, every pair of neighbouring words
and every run of five characters is hashed to a position in a table of small weights. The score of the window is the sum
of its weights, divided by the square root of their number so that long and short texts are comparable. The score of the
text is the highest score of any window, so an order cannot be hidden by the text around it. The running time is linear
in the length of the text.

The weights are fitted by `scripts/fit_guard.py`. The first line of the table describes how they were fitted, and how
accurate they are on sources that were not used for fitting.
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

BITS = 18
"""The base-2 logarithm of the number of weights in the table."""
_MASK = (1 << BITS) - 1
_RUN = 5
_OFFSET = 128
"""The number that is added to each weight, so that all weights can be stored as `bytes`, which are fastest to read."""
_WINDOW = 400
_STEP = 200
_WHOLE = 600
"""A text of at most this many characters is a single window. A longer text is cut into several."""

EVEN = 30
"""A number that is added to the number of features, so that a few words cannot reach a high score."""

WEIGHTS = "guard/tables/weights.bin"
_ENDING = (
    r"\.(?:com|net|org|io|dev|example|co|cc|live|site|xyz|info|app|eu|ai|cloud|test|local|internal|ru|cn|de|fr|jp)"
)
_PLACE = lazy(rf"://|\bwww\.|[0-9]\.[0-9]|{_ENDING}\b")
_ADDRESS = lazy(
    r"(?:https?://|\bwww\.)[^\s)>\]\"']{1,200}|\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b(?::[0-9]+)?"
    rf"|\b[a-z0-9][a-z0-9.-]{{0,80}}{_ENDING}\b(?!\(|\.?\w)(?:/[^\s)>\]\"']{{0,200}})?"
)
_MAIL = lazy(r"[a-z0-9][a-z0-9._+-]{0,60}@[a-z0-9.-]{1,80}\.[a-z]{2,}")
_BLOB = lazy(r"\b[a-z0-9+]{24,}+={0,2}")
_TOKEN = lazy(r"[a-z][a-z']*|[0-9]+|[^\sa-z0-9]")


def resembles_order(text: str) -> bool:
    """Tell whether a text reads like an order to a model: its score is above the fitted threshold."""
    return score(text) > _load_weights()[2]


def score(text: str) -> float:
    """Return how much a text resembles orders to a model: the highest score of any window of the text."""
    weights, bias, _ = _load_weights()
    worst = float("-inf")
    for window in cut_windows(text):
        features = find_features(window)
        if features:
            # Item 0 is also read, and subtracted again, because `itemgetter` returns no tuple for a single item.
            total = sum(itemgetter(0, *features)(weights)) - weights[0] - _OFFSET * len(features)
            worst = max(worst, total / (len(features) + EVEN) ** 0.5)
    return worst + bias


def cut_windows(text: str) -> list[str]:
    """Simplify a text and cut it into overlapping windows. A short text is a single window."""
    # Each address is replaced by one character, because the words in it are not words of the text. So is each long run
    # of letters and digits, such as a digest or encoded data.
    text = simplify(text)
    if "@" in text:
        text = _MAIL.sub("\u2709", text)
    if "." in text and _PLACE.search(text) is not None:
        text = _ADDRESS.sub("\u2197", text)
    text = _BLOB.sub("\u25a6", text)
    if len(text) <= _WHOLE:
        return [text]
    return [text[start : start + _WINDOW] for start in range(0, len(text) - _WINDOW + _STEP, _STEP)]


def find_features(window: str) -> set[int]:
    """Return the positions in the table of weights to which the words and n-grams of a window are hashed."""
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
    """Return `crc32(run, _RUN) & _MASK` for every run of `_RUN` successive bytes, computed for all runs at once.

    A checksum is the exclusive or (XOR) of one number for each byte of its run. So the checksums of all runs can be
    computed as the XOR of a few large numbers, each made by translating the whole data.
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
    """Return the translation tables for `_hash_runs`, indexed by the byte of the checksum and the position in the run.

    Each table maps the byte at that position to the number that it contributes to that byte of the checksum.
    """
    nothing = crc32(bytes(_RUN), _RUN)
    places = []
    for at in range(_RUN):
        # The number that a byte contributes is the XOR of the numbers that its bits contribute.
        added = [0 if at else nothing & _MASK]
        for bit in range(8):
            more = crc32(bytes((1 << bit if place == at else 0) for place in range(_RUN)), _RUN) ^ nothing
            added += [each ^ more & _MASK for each in added]
        places.append(struct.pack("<256I", *added))
    return [[place[part::4] for place in places] for part in range((BITS + 7) // 8)]


@lru_cache(maxsize=1)
def _load_weights() -> tuple[bytes, float, float]:
    """Return the weights (with `_OFFSET` added), the bias and the threshold.

    The bias is added to every score. A text with a score above the threshold reads like an order.
    """
    header, weights = read_weights(WEIGHTS)
    raised = weights.tobytes().translate(bytes(each ^ _OFFSET for each in range(256)))
    return raised, header["bias"], header["threshold"]
