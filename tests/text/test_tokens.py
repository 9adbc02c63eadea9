"""Tokens are estimated closely enough for a budget."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.text.tokens import count_tokens
from tests.text.token_samples import ENGLISH_AND_CODE, OTHER_SCRIPTS

ANY_TEXT = st.text(st.characters(), max_size=300)


@pytest.mark.parametrize("name", ENGLISH_AND_CODE)
def test_english_and_code_are_counted_within_fifteen_percent(name: str) -> None:
    text, tokens = ENGLISH_AND_CODE[name]
    assert abs(count_tokens(text) / tokens - 1) <= 0.15


def test_english_and_code_are_right_on_average() -> None:
    errors = [count_tokens(text) / tokens - 1 for text, tokens in ENGLISH_AND_CODE.values()]
    assert abs(sum(errors) / len(errors)) <= 0.05


@pytest.mark.parametrize("name", OTHER_SCRIPTS)
def test_other_scripts_are_counted_within_a_quarter(name: str) -> None:
    text, tokens = OTHER_SCRIPTS[name]
    assert abs(count_tokens(text) / tokens - 1) <= 0.25


def test_nothing_costs_nothing() -> None:
    assert count_tokens("") == 0


@given(ANY_TEXT.filter(bool))
def test_any_text_costs_something_and_never_more_than_its_bytes(text: str) -> None:
    assert 1 <= count_tokens(text) <= 1 + 3 * len(text.encode("utf-8", "surrogatepass"))


@given(ANY_TEXT, ANY_TEXT)
def test_a_whole_costs_about_as_much_as_its_parts(first: str, second: str) -> None:
    parts = count_tokens(first) + count_tokens(second)
    # A word or a run of marks cut in two may cost a few tokens more or less than in one piece.
    assert count_tokens(first + second) <= parts + 6


@given(st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=12), max_size=40))
def test_a_longer_sentence_never_costs_less(sentence: list[str]) -> None:
    costs = [count_tokens(" ".join(sentence[:end])) for end in range(len(sentence) + 1)]
    assert costs == sorted(costs)


def test_a_ruler_of_dashes_is_cheap() -> None:
    assert count_tokens("-" * 80) <= 4


def test_a_lone_surrogate_is_counted() -> None:
    assert count_tokens("\ud800") > 0


def test_a_text_costs_the_same_however_many_were_counted_before() -> None:
    text = "The `deploy_all()` script of the Übersee project takes 3.5 minutes."
    before = count_tokens(text)
    assert count_tokens(" ".join(f"w{chr(97 + number % 26)}{number:x}" for number in range(20_000))) > 20_000
    assert count_tokens(text) == before


def test_a_very_long_text_is_sampled_fairly() -> None:
    text = ENGLISH_AND_CODE["prose"].text + "\n"
    many = 1_000_000 // len(text)
    assert abs(count_tokens(text * many) / (many * count_tokens(text)) - 1) <= 0.03
