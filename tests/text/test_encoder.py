"""A sentence encoder gives every text one vector."""

from __future__ import annotations

import numpy
import pytest

from limpet.text.encoder import Encoder
from tests.text.encoders import WIDTH, write_tiny_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    return Encoder(str(write_tiny_encoder(tmp_path_factory.mktemp("weights"))), numpy)


def test_a_text_has_one_vector_of_small_numbers(encoder: Encoder) -> None:
    code = encoder.encode("The port of the API is 9090")
    assert code is not None and len(code) == WIDTH
    assert max(abs(value) for value in numpy.frombuffer(code, numpy.int8)) == 127
    assert code == encoder.encode("the PORT of the api is 9090"), "letters count, not their case"


def test_the_order_of_words_and_what_stands_beside_them_count(encoder: Encoder) -> None:
    assert encoder.encode("the port") != encoder.encode("the cache")
    assert encoder.encode("deployment") != encoder.encode("deploy")


def test_an_unknown_word_is_one_piece_whatever_it_is(encoder: Encoder) -> None:
    assert encoder.encode("zebra") == encoder.encode("qqqq" * 50)


def test_any_text_is_legal_and_a_long_one_is_cut(encoder: Encoder) -> None:
    for text in ("", " \n", "\ud800"):
        assert encoder.encode(text) is None
    for text in ("🚀", "接続", "port " * 100_000, "x" * 1_000_000):
        assert encoder.encode(text) is not None
    assert encoder.encode("port " * 300) == encoder.encode("port " * 600)
