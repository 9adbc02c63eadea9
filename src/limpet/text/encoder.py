"""Turn a text into a vector with a sentence encoder, if the extra `limpet[meaning]` is installed.

The encoder is all-MiniLM-L6-v2: six layers, 384 dimensions, weights of one byte. The weights are in the package
`limpet_meaning`; numpy alone runs them. `sentence_encoder.py` decides which processes load them.
"""

from __future__ import annotations

import os

from limpet.text.embedding import Code, split_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MODEL = "minilm-l6-384-1"
WEIGHTS, WORDS = "weights.npz", "vocab.txt"
LAYERS, HEADS = 6, 12
_UNKNOWN, _FIRST, _LAST = "[UNK]", "[CLS]", "[SEP]"
_LONGEST_TEXT = 4000
_MOST_PIECES = 256
_LONGEST_WORD = 100


class Encoder:
    """The weights of the encoder, and the words that it knows."""

    def __init__(self, folder: str, numpy: Any) -> None:
        self._np = numpy
        with open(os.path.join(folder, WORDS), encoding="utf-8") as file:
            self._ids = {line.rstrip("\n"): number for number, line in enumerate(file)}
        with numpy.load(os.path.join(folder, WEIGHTS)) as stored:
            self._words, self._word_scales = stored["words"], stored["words.scale"]
            self._values = {name: _restore(stored, name) for name in stored.files if _is_restored(name)}

    def encode(self, text: str) -> Code | None:
        """Return the vector of a text; None if the text is empty."""
        pieces = self._cut(text)
        if not pieces:
            return None
        ids = [self._ids[_FIRST], *pieces, self._ids[_LAST]]
        total = self._run(ids).mean(axis=0)
        most = float(self._np.abs(total).max())
        return bytes(self._np.rint(total * (127 / most)).astype(self._np.int8).tobytes()) if most else None

    def _cut(self, text: str) -> list[int]:
        pieces: list[int] = []
        for word in split_tokens(text[:_LONGEST_TEXT]):
            pieces += self._cut_word(word)
            if len(pieces) >= _MOST_PIECES - 2:
                break
        return pieces[: _MOST_PIECES - 2]

    def _cut_word(self, word: str) -> list[int]:
        """Return the longest known pieces of a word, or the piece for what is unknown."""
        found: list[int] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            ends = range(len(word), start, -1)
            names = (("##" if start else "") + word[start:end] for end in ends)
            match = next(
                ((end, self._ids[name]) for end, name in zip(ends, names, strict=True) if name in self._ids), None
            )
            if match is None:
                break
            start = match[0]
            found.append(match[1])
        return found if start >= len(word) else [self._ids[_UNKNOWN]]

    def _run(self, ids: list[int]) -> Any:
        """Return the vectors that the last layer gives to the pieces of a text."""
        np, values = self._np, self._values
        state = self._words[ids].astype(np.float32) * self._word_scales[ids]
        state = state + values["positions"][: len(ids)] + values["kind"]
        state = self._normalise(state, "start")
        for layer in range(LAYERS):
            state = self._normalise(state + self._attend(state, f"{layer}"), f"{layer}.attended")
            inner = _gelu(np, state @ values[f"{layer}.inner"] + values[f"{layer}.inner.bias"])
            state = self._normalise(
                state + inner @ values[f"{layer}.outer"] + values[f"{layer}.outer.bias"], f"{layer}.end"
            )
        return state

    def _attend(self, state: Any, layer: str) -> Any:
        np, values = self._np, self._values
        count, width = state.shape

        def split(name: str) -> Any:
            whole = state @ values[f"{layer}.{name}"] + values[f"{layer}.{name}.bias"]
            return whole.reshape(count, HEADS, width // HEADS).transpose(1, 0, 2)

        scores = split("query") @ split("key").transpose(0, 2, 1) / (width // HEADS) ** 0.5
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (scores / scores.sum(axis=-1, keepdims=True)) @ split("value")
        return seen.transpose(1, 0, 2).reshape(count, width) @ values[f"{layer}.mixed"] + values[f"{layer}.mixed.bias"]

    def _normalise(self, state: Any, name: str) -> Any:
        np = self._np
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centred / spread * self._values[f"{name}.gain"] + self._values[f"{name}.shift"]


def _is_restored(name: str) -> bool:
    return not name.startswith("words") and not name.endswith(".scale")


def _restore(stored: Any, name: str) -> Any:
    """Return an array as 32-bit numbers; a matrix of bytes has one scale for each column."""
    value = stored[name].astype("float32")
    return value * stored[f"{name}.scale"] if f"{name}.scale" in stored.files else value


def _gelu(np: Any, value: Any) -> Any:
    """Return the smooth step x·Φ(x); the error function is approximated to seven digits (Abramowitz and Stegun)."""
    size = np.abs(value) * (0.5**0.5)
    part = 1 / (1 + 0.3275911 * size)
    series = part * (
        0.254829592 + part * (-0.284496736 + part * (1.421413741 + part * (-1.453152027 + part * 1.061405429)))
    )
    error = np.sign(value) * (1 - series * np.exp(-size * size))
    return 0.5 * value * (1 + error)
