"""A sentence encoder gives every text one vector."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy
import pytest

from limpet.text.encoder import HEADS, QUESTIONS, WEIGHTS, Encoder
from tests.text.encoders import KNOWN, LAYERS, WIDTH, write_tiny_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    return Encoder(str(write_tiny_encoder(tmp_path_factory.mktemp("weights"))), numpy)


def test_a_text_has_one_vector_of_small_numbers(encoder: Encoder) -> None:
    code = encoder.encode_question("The port of the API is 9090")
    assert code is not None and len(code) == WIDTH
    assert max(abs(value) for value in numpy.frombuffer(code, numpy.int8)) == 127
    assert code == encoder.encode_question("the PORT of the api is 9090"), "letters count, not their case"


def test_the_order_of_words_and_what_stands_beside_them_count(encoder: Encoder) -> None:
    assert encoder.encode_question("the port") != encoder.encode_question("the cache")
    assert encoder.encode_question("deployment") != encoder.encode_question("deploy")


def test_an_unknown_word_is_one_piece_whatever_it_is(encoder: Encoder) -> None:
    assert encoder.encode_question("zebra") == encoder.encode_question("qqqq" * 50)


def test_any_text_is_legal_and_a_long_one_is_cut(encoder: Encoder) -> None:
    for text in ("", " \n", "\ud800"):
        assert encoder.encode_question(text) is None
    for text in ("🚀", "接続", "port " * 100_000, "x" * 1_000_000):
        assert encoder.encode_question(text) is not None
    assert encoder.encode_question("port " * 300) == encoder.encode_question("port " * 600)


def test_many_texts_have_the_vectors_that_each_has_alone(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of different lengths share a batch, and must not see each other."""
    texts = ["the port", "", "the cache", "the port of the api is 9090", "port " * 300, "deployment", "\ud800", "api"]
    alone = [encoder.encode_many([text])[0] for text in texts]
    assert len(set(alone)) == len(texts) - 1
    ran: list[int] = []
    real = Encoder._run

    def run(self: Encoder, batch: list[list[int]], layers: list[Any]) -> Any:
        ran.append(len(batch))
        return real(self, batch, layers)

    monkeypatch.setattr(Encoder, "_run", run)
    for code, expected in zip(encoder.encode_many(texts), alone, strict=True):
        assert (code is None) == (expected is None)
        if code and expected:
            gap = numpy.frombuffer(code, numpy.int8).astype(int) - numpy.frombuffer(expected, numpy.int8)
            assert numpy.abs(gap).max() <= 1, "another order of the sums may round differently"
    assert ran == [6], "all texts that have a vector are one batch"
    assert encoder.encode_many([]) == []
    ran.clear()
    encoder.encode_many(["port " * 300] * 5)
    assert ran == [2, 2, 1], "a batch is bounded"


@pytest.mark.parametrize("file", [WEIGHTS, QUESTIONS])
def test_the_vector_is_that_of_a_transformer_written_down_plainly(tmp_path: Path, file: str) -> None:
    """The encoder joins matrices and works in place; this is the textbook form, with the exact error function."""
    folder = write_tiny_encoder(tmp_path)
    stored = {**numpy.load(folder / WEIGHTS), **numpy.load(folder / file)}
    text = "the port of the api is 9090"

    def value(name: str) -> Any:
        return stored[name] * stored.get(f"{name}.scale", 1.0)

    def apply(state: Any, name: str) -> Any:
        return state @ value(name) + value(f"{name}.bias")

    def normalise(state: Any, name: str) -> Any:
        centred = state - state.mean(axis=1, keepdims=True)
        return centred / numpy.sqrt(state.var(axis=1, keepdims=True)) * value(f"{name}.gain") + value(f"{name}.shift")

    ids = [KNOWN.index(word) for word in ("[CLS]", *text.split(), "[SEP]")]
    state = normalise(value("words")[ids] + value("positions")[: len(ids)] + value("kind"), "start")
    for layer in range(LAYERS[file]):
        query, key, content = (apply(state, f"{layer}.{name}") for name in ("query", "key", "value"))
        heads = []
        for head in numpy.split(numpy.arange(WIDTH), HEADS):
            scores = numpy.exp(query[:, head] @ key[:, head].T / (WIDTH // HEADS) ** 0.5)
            heads.append(scores / scores.sum(axis=1, keepdims=True) @ content[:, head])
        state = normalise(state + apply(numpy.concatenate(heads, axis=1), f"{layer}.mixed"), f"{layer}.attended")
        inner = apply(state, f"{layer}.inner")
        step = numpy.vectorize(lambda x: 0.5 * (1 + math.erf(x / 2**0.5)))(inner)
        state = normalise(state + apply(inner * step, f"{layer}.outer"), f"{layer}.end")
    expected = state.mean(axis=0)
    encoder = Encoder(str(folder), numpy)
    code = encoder.encode_question(text) if file == QUESTIONS else encoder.encode_many([text])[0]
    assert code is not None
    got = numpy.frombuffer(code, numpy.int8)
    assert numpy.abs(got - 127 * expected / numpy.abs(expected).max()).max() <= 1.5
