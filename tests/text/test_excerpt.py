"""A text that is too long is cut between words, never beyond its place, and says so."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from limpet.text.excerpt import shorten, split_excerpt


def test_a_text_that_fits_is_left_alone() -> None:
    assert split_excerpt("as it is…", 9) == ("as it is…", "")


def test_a_text_is_cut_between_words_and_lines() -> None:
    assert split_excerpt("use pnpm, not npm", 12) == ("use pnpm…", "not npm")
    assert shorten("first line\nsecond line", 12) == "first line…"


def test_a_word_is_cut_where_the_only_gap_is_far_to_the_front() -> None:
    assert shorten("a " + "b" * 30, 20) == "a " + "b" * 17 + "…"


@given(st.text(alphabet=" \nab,…", max_size=60), st.integers(1, 40))
def test_no_text_outgrows_its_place(text: str, limit: int) -> None:
    head = shorten(text, limit)
    assert len(head) <= limit
    assert head == text or head.endswith("…")
