"""The examples of the word lists."""

from __future__ import annotations

import pytest

from limpet.capture.speech.statements import to_words
from limpet.capture.tables import WORDS as TABLE
from limpet.capture.tables import load_phrases, load_table, load_words

ROWS = load_table(TABLE)


def has_entry(name: str, text: str) -> bool:
    if "scripts without spaces" in name:
        return any(phrase in text for phrase in load_phrases(name))
    if "|" in ROWS[name].contents:
        return any(f" {phrase} " in to_words(text) for phrase in load_phrases(name))
    return not load_words(name).isdisjoint(to_words(text).split())


@pytest.mark.parametrize("name", ROWS)
def test_a_word_list_has_a_word_of_its_examples_and_none_of_its_counterexamples(name: str) -> None:
    row = ROWS[name]
    assert row.applies_to and row.ignores
    for example in row.applies_to:
        assert has_entry(name, example), example
    for example in row.ignores:
        assert not has_entry(name, example), example
