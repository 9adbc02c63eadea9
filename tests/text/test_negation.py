"""A denial counts for what stands close behind it in the same clause, and no further."""

from __future__ import annotations

import pytest

from limpet.text.negation import has_denial, is_denial, is_negated
from limpet.text.words import word_set


def test_a_negation_reaches_three_words_and_stays_in_its_clause() -> None:
    assert is_negated(["not", "really", "very", "important"], 3)
    assert not is_negated(["not", "one", "two", "three", "important"], 4)
    assert not is_negated(["no", ",", "important"], 2)
    assert not is_negated(["not", "only", "important"], 2)


@pytest.mark.parametrize("word", ["not", "never", "without", "nobody", "don't", "mustn't"])
def test_words_of_denial_are_known_everywhere(word: str) -> None:
    assert is_denial(word)
    assert has_denial(["we", word, "cache"])


def test_a_caller_names_the_denials_of_its_own_subject() -> None:
    assert not is_denial("avoid")
    assert is_denial("avoid", word_set("avoid"))
    assert is_negated(["0", "critical", "issues"], 1, word_set("0 zero"))
