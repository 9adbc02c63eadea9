"""How rare a word is everywhere."""

from __future__ import annotations

import pytest

from limpet.text.lexicon import parse_terms
from limpet.text.rarity import RAREST, weigh_terms


def weigh(question: str) -> float:
    return sum(weigh_terms(parse_terms(question)))


@pytest.mark.parametrize("question", ["make", "fix", "tests", "button", "please", "fichier", "que", "修改", "не"])
def test_a_common_word_weighs_little(question: str) -> None:
    assert weigh(question) <= 3


@pytest.mark.parametrize("question", ["lodash", "idempotency", "heron"])
def test_a_word_that_few_people_use_weighs_most(question: str) -> None:
    assert weigh(question) == RAREST


def test_a_name_weighs_more_than_the_words_in_it() -> None:
    name, *words = weigh_terms(parse_terms("getFooterColor"))
    assert name > max(words)


def test_all_forms_of_a_word_weigh_the_same() -> None:
    assert weigh("testing") == weigh("tests") == weigh("tested")
