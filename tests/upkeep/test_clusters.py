"""Groups of similar texts are found without comparing every pair."""

from __future__ import annotations

import itertools
import random

from hypothesis import given
from hypothesis import strategies as st

from limpet.text.similarity import jaccard
from limpet.text.words import split_words
from limpet.upkeep.clusters import find_clusters


def slow_clusters(texts: list[str], alike: float, least: int) -> list[list[int]]:
    """Each with each."""
    group = list(range(len(texts)))
    for one, other in itertools.combinations(range(len(texts)), 2):
        if jaccard(texts[one], texts[other]) >= alike:
            low, high = sorted((group[one], group[other]))
            group = [low if each == high else each for each in group]
    found = [[at for at, each in enumerate(group) if each == name] for name in sorted(set(group))]
    return [members for members in found if len(members) >= least]


@given(
    st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=8).map(" ".join), max_size=14),
    st.sampled_from((0.3, 0.5, 0.75, 1.0)),
)
def test_no_pair_is_missed_though_few_are_compared(texts: list[str], alike: float) -> None:
    known = [text for text in texts if split_words(text)]
    assert sorted(find_clusters(known, alike=alike, least=2)) == sorted(slow_clusters(known, alike, 2))


def test_ten_thousand_texts_are_feasible() -> None:
    """Counted in comparisons of words held in common, not in seconds: far fewer than each with each."""
    chance = random.Random(7)
    names = [f"word{number}" for number in range(4000)]
    texts = [" ".join(chance.choices(names, k=20)) for _ in range(10_000)]
    texts += [f"{texts[0]} {number}" for number in range(3)]
    assert find_clusters(texts, alike=0.5, least=3) == [[0, 10_000, 10_001, 10_002]]
