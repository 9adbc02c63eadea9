"""Vectors by look-up and sum."""

from __future__ import annotations

import importlib.util
import operator
import struct
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.text.embedding import DIMENSIONS, Table, load_embedding_table, sign_bits, split_tokens, write_table


def similarity(first: str, second: str) -> float:
    a, b = load_embedding_table().encode(first), load_embedding_table().encode(second)
    assert a is not None
    assert b is not None
    return cosine(a, b)


def cosine(first: bytes, second: bytes) -> float:
    a, b = (struct.unpack(f"{DIMENSIONS}b", each) for each in (first, second))
    dot = sum(map(operator.mul, a, b))
    lengths = sum(map(operator.mul, a, a)) * sum(map(operator.mul, b, b))
    return dot / lengths**0.5 if lengths else 0.0


def test_texts_of_like_meaning_are_nearer_than_strangers() -> None:
    question = "the database connection times out"
    assert similarity(question, "requests to postgres hang until they are cut off") > similarity(
        question, "Matt prefers short answers"
    )
    assert similarity("unit tests are slow", "the test suite takes too long") > 0.4


def test_a_text_is_nearest_to_itself() -> None:
    assert similarity("run the migrations", "run the migrations") == pytest.approx(1.0)


def test_a_text_of_nothing_known_has_no_vector() -> None:
    assert load_embedding_table().encode("") is None
    assert load_embedding_table().encode("   \n") is None


def test_a_code_is_one_signed_byte_a_dimension_and_signs_one_bit() -> None:
    code = load_embedding_table().encode("hello")
    assert code is not None
    assert len(code) == DIMENSIONS
    assert len(sign_bits(code)) == DIMENSIONS // 8


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")
def test_numpy_gives_the_very_same_bytes() -> None:
    texts = [f"the {number}th memory is about port {number} of service {number % 7}" for number in range(250)]
    assert load_embedding_table().encode_many(texts) == [load_embedding_table().encode(text) for text in texts]


def test_the_sum_of_a_text_is_the_sum_of_its_pieces_one_dimension_after_the_other() -> None:
    table = load_embedding_table()
    heaviest = max(range(table.count), key=lambda piece: table._weights[piece])
    start, end = (table._words + table._offsets[heaviest + number] for number in (0, 1))
    heavy = table._map[start:end].decode()
    # The last one is too heavy for lanes of four bytes.
    texts = ["run the migrations with alembic", "the " * 3000, "zebra 漢字, naïve\x1f `x`=[1]", f"{heavy} " * 600]
    for text in texts:
        totals = [0] * DIMENSIONS
        for piece, times in Counter(table._cut_text(text)).items():
            row = table._rows[piece * DIMENSIONS : (piece + 1) * DIMENSIONS]
            totals = [total + table._weights[piece] * times * value for total, value in zip(totals, row, strict=True)]
        most = max(map(abs, totals))
        expected = struct.pack(f"{DIMENSIONS}b", *((127 * total + most // 2) // most for total in totals))
        assert table.encode(text) == expected


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_cut_as_any_other_text_is(text: str) -> None:
    # The accent, which is taken away, makes it a text that is not plain ASCII.
    assert [*split_tokens(text), "e"] == list(split_tokens(f"{text} é"))


def test_many_texts_get_what_each_would_get_alone() -> None:
    assert load_embedding_table().encode_many(["run it", "", "stop it"]) == [
        load_embedding_table().encode(text) for text in ("run it", "", "stop it")
    ]


def test_words_are_cut_without_case_and_accents() -> None:
    assert list(split_tokens("Café-Crème: 3.11")) == ["cafe", "-", "creme", ":", "3", ".", "11"]
    assert list(split_tokens("数据ab")) == ["数", "据", "ab"]


@settings(max_examples=60)
@given(st.text(max_size=300))
def test_any_text_can_be_encoded(text: str) -> None:
    code = load_embedding_table().encode(text)
    assert code is None or len(code) == DIMENSIONS


def test_a_table_can_be_written_and_read_back(tmp_path: Path) -> None:
    path = str(tmp_path / "small.bin")
    rows = bytes([1] * DIMENSIONS + [2] * DIMENSIONS + [0xFF] * DIMENSIONS)
    write_table(path, "small-1", ["##b", "a", "c"], [100, 200, 300], rows)
    small = Table(path)
    assert small.model == "small-1"
    assert small.find_pieces("ab") == (1, 0)
    assert small.find_pieces("x") == ()
    assert small.encode("c") == bytes([0x81] * DIMENSIONS)


def test_every_word_of_a_table_is_found_and_no_other(tmp_path: Path) -> None:
    path = str(tmp_path / "many.bin")
    words = sorted(f"w{number}" for number in range(0, 2000, 2))
    write_table(path, "many-1", words, [1] * len(words), bytes(DIMENSIONS * len(words)))
    many = Table(path)
    assert [many.find_pieces(word) for word in words] == [(number,) for number in range(len(words))]
    assert not any(many.find_pieces(word) for word in ("v", "w1", "w999", "x"))


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "junk.bin"
    path.write_bytes(b"x" * 100)
    with pytest.raises(ValueError, match="not a table"):
        Table(str(path))
