"""Choose the words of a question by which memories are ranked."""

from __future__ import annotations

import math

import pytest

from limpet.recall.coverage import choose_rare
from limpet.text.lexicon import Term


@pytest.mark.parametrize(
    ("counts", "most", "chosen"),
    [
        ((5, 900, 300, 0), 1000, ["one", "three"]),
        ((5, 900, 300, 0), math.inf, ["one", "three", "two"]),
        ((700, 900, 800, 990), 1000, ["one", "three"]),
        ((5, 1000, 1000, 1000), 1000, []),
        ((0, 0, 0, 0), 1000, []),
    ],
)
def test_the_rarest_words_of_a_prompt_are_ranked(counts: tuple[int, ...], most: float, chosen: list[str]) -> None:
    asked = [Term(text=text, ways=(f'"{text}"',)) for text in ("one", "two", "three", "four")]
    assert [term.text for term in choose_rare(asked, counts, at_most=most)] == chosen
