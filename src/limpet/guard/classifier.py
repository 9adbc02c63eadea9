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

from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from limpet.guard.spellings import simplify
from limpet.lean.pattern import lazy
from limpet.text.tables import read_weights

__all__ = ["BITS", "WEIGHTS", "cut_windows", "find_features", "resembles_order", "score"]

BITS = 18
"""The number of weights in the table, as a power of two."""
_MASK = (1 << BITS) - 1
_RUN = 5
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
            worst = max(worst, sum([weights[each] for each in features]) / len(features) ** 0.5)
    return worst + bias


def cut_windows(text: str) -> list[str]:
    """Return the simplified windows of a text: the whole text if it is short, else overlapping parts."""
    # All addresses are alike: what an address says is not what the text says.
    text = _ADDRESS.sub("\u2197", simplify(text))
    if len(text) <= _WHOLE:
        return [text]
    return [text[start : start + _WINDOW] for start in range(0, len(text) - _WINDOW + _STEP, _STEP)]


def find_features(window: str) -> set[int]:
    """Return the places in the table to which the words and n-grams of a window are hashed."""
    tokens = ["0" if token.isdecimal() else token for token in _TOKEN.findall(window)]
    data = f" {' '.join(tokens)} ".encode()
    found = {crc32(token.encode()) & _MASK for token in tokens}
    found.update([crc32(f"{first} {second}".encode()) & _MASK for first, second in pairwise(tokens)])
    found.update([crc32(data[at : at + _RUN], _RUN) & _MASK for at in range(len(data) - _RUN + 1)])
    return found


@lru_cache(maxsize=1)
def _load_weights() -> tuple[memoryview[int], float, float]:
    """Return the weights as integers, with the bias and the threshold in the same units."""
    header, weights = read_weights(WEIGHTS)
    return weights, header["bias"], header["threshold"]
