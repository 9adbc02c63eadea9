"""A clause is read as an assertion only if it says what is so."""

from __future__ import annotations

import pytest

from limpet.text.assertions import Assertion, get_item_prefix, read_assertions
from tests.text import contradiction_pairs, replacement_pairs


def read_one(text: str) -> Assertion:
    (found,) = read_assertions(text)
    return found


def test_a_denial_has_the_same_subject_as_its_opposite() -> None:
    said, denied = read_one("The build uses make"), read_one("The build does not use make")
    assert (said.denied, denied.denied) == (False, True)
    assert said.items == denied.items
    assert said.uses and denied.uses


def test_values_are_known_by_their_family_or_unit() -> None:
    assert read_one("The timeout is 30 seconds").values == read_one("The timeout is 30000 ms").values
    friday, monday = read_one("We deploy on Friday").values, read_one("We deploy on Monday").values
    assert friday.keys() == monday.keys() and friday != monday


def test_what_a_clause_turns_away_is_no_part_of_what_it_says() -> None:
    found = read_one("Use pnpm instead of npm")
    assert "npm" in found.rejected and "npm" not in found.items and "pnpm" in found.items


def test_a_switch_gives_up_the_old_value() -> None:
    found = read_one("We moved the docs from Sphinx to MkDocs")
    assert found.switched and "sphinx" in found.rejected
    assert found.moved == {"documentation"}, "a short form is read as the whole word"


@pytest.mark.parametrize(
    "text",
    [
        "Maybe the build uses make",
        "If the build fails, use make",
        "Does the build use make?",
        "It uses make",
        "We plan to use make",
        "The build previously used make",
        "",
    ],
)
def test_a_guess_a_condition_a_question_and_the_past_assert_nothing(text: str) -> None:
    assert read_assertions(text) == ()


def test_a_text_asserts_each_of_its_clauses() -> None:
    assert len(read_assertions("The build uses make. The tests run with pytest; never with nose.")) == 3


def list_texts() -> list[str]:
    pairs = (
        pair
        for module in (contradiction_pairs, replacement_pairs)
        for found in vars(module).values()
        if isinstance(found, list)
        for pair in found
    )
    return list(dict.fromkeys(text for pair in pairs for text in pair))


def test_a_text_has_the_beginning_of_each_of_its_items() -> None:
    texts = list_texts()
    assert len(texts) > 500
    read = [(text, item) for text in texts for each in read_assertions(text) for item in each.items]
    assert [(text, item) for text, item in read if get_item_prefix(item) not in text.lower()] == []
    assert sum(len(get_item_prefix(item)) > 1 for _, item in read) > len(read) / 2


@pytest.mark.parametrize("item", ["6", "databas", "postgresql", "#12", "caf\u00e9"])
def test_an_item_that_other_words_are_read_as_has_no_beginning(item: str) -> None:
    assert get_item_prefix(item) == ""
