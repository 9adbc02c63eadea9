"""A candidate has a title that begins with what it says, and at most three concepts."""

from __future__ import annotations

import pytest

from limpet.capture.candidate import find_concepts, format_title
from limpet.capture.meaning import Meaning
from limpet.model.memory import Concept, Type


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("the `import` fails on latin-1.", "The import fails on latin-1"),
        ("deploys   need\n a tag:", "Deploys need a tag"),
    ],
)
def test_a_title_is_a_sentence_without_marks(text: str, title: str) -> None:
    assert format_title(text) == title


def test_a_long_title_is_cut_between_words() -> None:
    title = format_title("The nightly job copies every table " * 10)
    assert len(title) <= 241 and title.endswith("…") and " job" in title


@pytest.mark.parametrize(
    ("meanings", "type", "first"),
    [
        ({Meaning.SOLVED_FAILURE}, Type.BUGFIX, Concept.PROBLEM_SOLUTION),
        ({Meaning.GOTCHA}, Type.DISCOVERY, Concept.GOTCHA),
        ({Meaning.CONTRAST, Meaning.RULE}, Type.DECISION, Concept.TRADE_OFF),
        ({Meaning.MECHANISM}, Type.DISCOVERY, Concept.HOW_IT_WORKS),
        (set(), Type.FEATURE, Concept.WHAT_CHANGED),
    ],
)
def test_the_most_important_concept_comes_first(meanings: set[Meaning], type: Type, first: Concept) -> None:
    assert find_concepts(frozenset(meanings), type)[0] is first


def test_there_are_at_most_three_concepts() -> None:
    assert len(find_concepts(frozenset(Meaning), Type.BUGFIX)) == 3
