"""The words of a message, and the table of their weights."""

from __future__ import annotations

import os
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from limpet.capture.score import GRAMS, PROMPTS, REPORTS, SHORT
from limpet.text.grams import BITS, find_grams, hash_gram, weigh_grams
from limpet.text.tables import read_weights, table_path


def test_words_and_pairs_of_neighbours_are_found_with_the_ends_of_the_sentence() -> None:
    assert find_grams([("use", "uv")]) == {"use", "uv", "^ use", "use uv", "uv $"}
    assert "uv never" not in find_grams([("use", "uv"), ("never", "pip")])


def test_names_and_numbers_count_as_one_word_each() -> None:
    assert find_grams([("5433", "src/app.py", "a_b")]) == find_grams([("v2", "docs/x.md", "c_d")])


def test_characters_of_scripts_without_spaces_count_as_words() -> None:
    assert {"不", "要", "不 要"} <= find_grams([("不要",)])


def test_the_table_is_small_and_says_how_it_was_fitted() -> None:
    assert os.path.getsize(table_path(GRAMS)) < 100 * 1024
    header, _ = read_weights(GRAMS)
    assert set(header["steps"]) == {PROMPTS, SHORT, REPORTS}
    assert header["figures"][PROMPTS]["owners kept back"]["sure"]["messages"] > 500


def test_each_kind_of_message_has_its_own_weights() -> None:
    grams = find_grams([("we", "never", "use", "this", "because", "it", "failed")])
    assert weigh_grams(GRAMS, PROMPTS, grams) != weigh_grams(GRAMS, REPORTS, grams)


def test_repeating_a_sentence_changes_nothing() -> None:
    once, often = find_grams([("use", "uv")]), find_grams([("use", "uv")] * 50)
    assert sum(points for _, points in weigh_grams(GRAMS, PROMPTS, once)) == sum(
        points for _, points in weigh_grams(GRAMS, PROMPTS, often)
    )


@given(st.lists(st.lists(st.text(min_size=1, max_size=12), max_size=8), max_size=5))
def test_any_words_have_a_place(sentences: list[list[str]]) -> None:
    grams = find_grams(sentences)
    assert all(0 <= hash_gram(gram) < 1 << BITS for gram in islice(grams, 50))
    assert len(weigh_grams(GRAMS, PROMPTS, grams)) <= len(grams)
