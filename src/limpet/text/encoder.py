"""Encode texts as vectors with a sentence encoder, if the extra `limpet[meaning]` is installed.

The encoder is the model all-MiniLM-L6-v2, with six layers, 384 dimensions and weights of one byte. The weights are in
the package `limpet_meaning`, and the computation needs only numpy. `sentence_encoder.py` decides which processes load
the encoder.

Questions are encoded with fewer layers than memories, because a person waits for the answer. These layers were fitted
to give nearly the same vectors (`scripts/fit_question_encoder.py`), so that questions and memories can be compared.

Texts are encoded in batches. The pieces of their words are the rows of one matrix, without padding, so that the weights
are read only once for many short texts. Only attention is computed for each text separately.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from limpet.text.embedding import Code, split_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Layer = dict[str, Any]
    """The arrays of one layer."""

MODEL = "minilm-l6-384-1"
WEIGHTS, QUESTIONS, WORDS = "weights.npz", "questions.npz", "vocab.txt"
HEADS = 12
_UNKNOWN, _FIRST, _LAST = "[UNK]", "[CLS]", "[SEP]"
_LONGEST_TEXT = 4000
_MOST_PIECES = 256
_LONGEST_WORD = 100
_BATCH = 512
"""The maximum number of pieces in a batch; larger batches are not faster and need more memory."""


class Encoder:
    """A sentence encoder, with weights and a vocabulary from the files in `folder`; `numpy` is the imported module."""

    def __init__(self, folder: str, numpy: Any) -> None:
        self._np = numpy
        with open(os.path.join(folder, WORDS), encoding="utf-8") as words:
            self._ids = {line.rstrip("\n"): number for number, line in enumerate(words)}
        # The file is opened here, because numpy would leave it open if it is damaged.
        with open(os.path.join(folder, WEIGHTS), "rb") as file, numpy.load(file) as stored:
            self._words, self._word_scales = stored["words"], stored["words.scale"]
            self._values = {name: _restore(stored, name) for name in stored.files if _is_shared(name)}
            self._layers = self._read_layers(stored)
        with open(os.path.join(folder, QUESTIONS), "rb") as file, numpy.load(file) as stored:
            self._question_layers = self._read_layers(stored)

    def _read_layers(self, stored: Any) -> list[Layer]:
        count = len({name.partition(".")[0] for name in stored.files if name[0].isdigit()})
        if not count:
            raise ValueError("there are no layers")
        return [self._read_layer(stored, f"{layer}.") for layer in range(count)]

    def _read_layer(self, stored: Any, start: str) -> Layer:
        """Return the layer whose arrays have names with the prefix `start`; raise ValueError if their shapes are wrong.

        The three matrices of attention are joined, because one large product is faster.
        """
        names = [name for name in stored.files if name.startswith(start) and not name.endswith(".scale")]
        values: Layer = {name.removeprefix(start): _restore(stored, name) for name in names}
        for end in ("", ".bias"):
            parts = [values.pop(name + end) for name in ("query", "key", "value")]
            parts[0] = parts[0] / (parts[0].shape[-1] // HEADS) ** 0.5
            values[f"asked{end}"] = self._np.concatenate(parts, axis=-1)
        if {name: value.shape for name, value in values.items()} != _list_shapes(self._words.shape[1], values):
            raise ValueError(f"layer {start} has other arrays than the encoder needs")
        return values

    def encode_question(self, text: str) -> Code | None:
        """Return the vector of a question, comparable with those of memories, or None if the text is empty."""
        return self._encode([text], self._question_layers)[0]

    def encode_many(self, texts: Sequence[str]) -> list[Code | None]:
        """Return the vectors of memory texts, with None for each empty text."""
        return self._encode(texts, self._layers)

    def _encode(self, texts: Sequence[str], layers: list[Layer]) -> list[Code | None]:
        first, last = self._ids[_FIRST], self._ids[_LAST]
        cut = [(number, pieces) for number, text in enumerate(texts) if (pieces := self._cut(text))]
        # Texts of the same length share one computation of attention.
        cut.sort(key=lambda each: len(each[1]))
        codes: list[Code | None] = [None] * len(texts)
        for batch in _split_batches(cut):
            totals = self._run([[first, *pieces, last] for _, pieces in batch], layers)
            for (number, _), total in zip(batch, totals, strict=True):
                np = self._np
                most = float(np.abs(total).max())
                codes[number] = bytes(np.rint(total * (127 / most)).astype(np.int8).tobytes()) if most else None
        return codes

    def _cut(self, text: str) -> list[int]:
        pieces: list[int] = []
        for word in split_tokens(text[:_LONGEST_TEXT]):
            pieces += self._cut_word(word)
            if len(pieces) >= _MOST_PIECES - 2:
                break
        return pieces[: _MOST_PIECES - 2]

    def _cut_word(self, word: str) -> list[int]:
        """Split a word into the longest known pieces, and return their ids.

        For a word that cannot be split, return the id for unknown words.
        """
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

    def _run(self, texts: list[list[int]], layers: list[Layer]) -> Any:
        """Run the layers on a batch of texts, each a list of ids, and return the mean vector of each text.

        Texts of the same length must be next to each other.
        """
        np, values = self._np, self._values
        lengths = [len(ids) for ids in texts]
        flat = [id for ids in texts for id in ids]
        state = self._words[flat].astype(np.float32) * self._word_scales[flat]
        state += values["positions"][[place for length in lengths for place in range(length)]]
        state += values["kind"]
        self._normalise(state, values, "start")
        for layer in layers:
            state += self._attend(state, layer, lengths)
            self._normalise(state, layer, "attended")
            inner = state @ layer["inner"]
            inner += layer["inner.bias"]
            _gelu(np, inner)
            state += inner @ layer["outer"]
            state += layer["outer.bias"]
            self._normalise(state, layer, "end")
        return np.concatenate(
            [state[rows].reshape(count, length, -1).mean(axis=1) for rows, count, length in _group_rows(lengths)]
        )

    def _attend(self, state: Any, layer: Layer, lengths: list[int]) -> Any:
        """Return the result of self-attention among the pieces of each text; `lengths` are the numbers of pieces."""
        np = self._np
        width = state.shape[1]
        whole = state @ layer["asked"]
        whole += layer["asked.bias"]
        seen = np.empty_like(state)
        for rows, count, length in _group_rows(lengths):
            split = whole[rows].reshape(count, length, 3, HEADS, width // HEADS)
            query, key, value = split.transpose(2, 0, 3, 1, 4)
            scores = query @ key.transpose(0, 1, 3, 2)
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            taken = scores @ value
            taken /= scores.sum(axis=-1, keepdims=True)
            seen[rows] = taken.transpose(0, 2, 1, 3).reshape(count * length, width)
        mixed = seen @ layer["mixed"]
        mixed += layer["mixed.bias"]
        return mixed

    def _normalise(self, state: Any, values: Layer, name: str) -> None:
        """Apply layer normalisation to every row, in place."""
        np, width = self._np, state.shape[-1]
        state -= state.mean(axis=-1, keepdims=True)
        square = np.einsum("ij,ij->i", state, state)[:, None]
        state *= 1 / np.sqrt(square / width + 1e-12)
        state *= values[f"{name}.gain"]
        state += values[f"{name}.shift"]


def _split_batches(cut: Iterable[tuple[int, list[int]]]) -> Iterator[list[tuple[int, list[int]]]]:
    """Yield the texts in batches of at most `_BATCH` pieces; a longer text is in a batch alone."""
    batch: list[tuple[int, list[int]]] = []
    size = 0
    for each in cut:
        size += len(each[1])
        if batch and size > _BATCH:
            yield batch
            batch, size = [], len(each[1])
        batch.append(each)
    if batch:
        yield batch


def _group_rows(lengths: Iterable[int]) -> Iterator[tuple[slice, int, int]]:
    """Yield the rows of each group of adjacent texts with the same length, the number of texts, and the length."""
    start = 0
    for length, group in groupby(lengths):
        count = len(list(group))
        yield slice(start, start + count * length), count, length
        start += count * length


def _is_shared(name: str) -> bool:
    """Tell whether an array belongs to no layer and has to be restored; the vectors of words are restored when used."""
    return not name[0].isdigit() and not name.startswith("words")


def _list_shapes(width: int, values: Layer) -> dict[str, tuple[int, ...]]:
    """Return the shape that each array of a layer must have, given the vector width and the arrays of the layer."""
    inner = values["inner"].shape[-1]
    matrices = {"asked": (width, 3 * width), "mixed": (width, width), "inner": (width, inner), "outer": (inner, width)}
    shapes: dict[str, tuple[int, ...]] = {**matrices}
    shapes |= {f"{name}.bias": shape[1:] for name, shape in matrices.items()}
    return shapes | {f"{name}.{part}": (width,) for name in ("attended", "end") for part in ("gain", "shift")}


def _restore(stored: Any, name: str) -> Any:
    """Return a stored array as 32-bit floats; an array of bytes is multiplied by the scales of its columns."""
    value = stored[name].astype("float32")
    return value * stored[f"{name}.scale"] if f"{name}.scale" in stored.files else value


def _gelu(np: Any, value: Any) -> None:
    """Apply the activation function GELU to an array in place, in its usual approximation by the hyperbolic tangent."""
    step = value * value
    step *= 0.044715
    step += 1
    step *= value
    step *= (2 / np.pi) ** 0.5
    np.tanh(step, out=step)
    step += 1
    value *= step
    value *= 0.5
