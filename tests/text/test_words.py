"""Texts are compared by whole, normalised words."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from limpet.text.words import normalise, split_words

ANY_TEXT = st.text(st.characters(), max_size=300)


def test_identifiers_files_and_compounds_stay_one_word() -> None:
    assert split_words("half-life of foo.py, the user's snake_case and 3.11") == [
        "half-life",
        "of",
        "foo.py",
        "the",
        "user's",
        "snake_case",
        "and",
        "3.11",
    ]


def test_names_that_end_in_marks_are_kept_apart() -> None:
    assert split_words("C, C++ and C#. PR #12") == ["c", "c++", "and", "c#", "pr", "12"]


def test_case_width_and_apostrophe_do_not_matter() -> None:
    assert split_words("Ｄｏｎ’t Straße") == split_words("don't STRASSE")


def test_scripts_without_spaces_are_compared_by_character() -> None:
    assert split_words("使用Redis缓存") == ["使", "用", "redis", "缓", "存"]


def test_wrapping_and_line_ends_do_not_make_another_text() -> None:
    assert normalise("one\r\ntwo\t three \n") == normalise("one two three")


def test_composed_and_decomposed_letters_are_the_same_text() -> None:
    assert normalise(unicodedata.normalize("NFD", "Göteborg")) == normalise("Göteborg")


def test_case_makes_another_text() -> None:
    assert normalise("Path") != normalise("PATH")


@given(ANY_TEXT)
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(ANY_TEXT)
def test_every_word_is_found_again_in_itself(text: str) -> None:
    assert all(split_words(word) == [word] for word in split_words(text) if word.isascii())


def test_a_megabyte_of_combining_marks_is_read_in_linear_time() -> None:
    # CPython alone would need minutes for this; reaching the end is the proof.
    zalgo = "\u0301\u0316" * 250_000
    assert split_words(zalgo) == []
    assert normalise(zalgo)
