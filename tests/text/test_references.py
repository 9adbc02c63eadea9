"""A sentence that needs the one before it is told with it, or not at all."""

from __future__ import annotations

import pytest

from limpet.text.references import depends_on, points_back
from tests.text.dependent_sentences import ALONE, DEPENDENT, INDEPENDENT, POINTING


@pytest.mark.parametrize("sentence", POINTING)
def test_a_sentence_that_points_at_another_is_recognised(sentence: str) -> None:
    assert points_back(sentence)


@pytest.mark.parametrize("sentence", ALONE)
def test_a_sentence_that_stands_alone_points_at_nothing(sentence: str) -> None:
    assert not points_back(sentence)


@pytest.mark.parametrize("text", [text for text, _, _ in DEPENDENT])
def test_a_sentence_leans_on_the_one_that_names_its_subject(text: str) -> None:
    before, _, after = text.partition(". ")
    assert depends_on(after, f"{before}.")


@pytest.mark.parametrize(("before", "after"), INDEPENDENT)
def test_a_sentence_with_its_own_subject_leans_on_nothing(before: str, after: str) -> None:
    assert not depends_on(after, before)
