"""A clause is read as a statement only if it says what is so."""

from __future__ import annotations

import pytest

from limpet.text.statements import Statement, read_statements


def read_one(text: str) -> Statement:
    (found,) = read_statements(text)
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
    assert set(found.items) - found.slot == {"documentation"}, "a short form is read as the whole word"


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
    assert read_statements(text) == ()


def test_a_text_asserts_each_of_its_clauses() -> None:
    assert len(read_statements("The build uses make. The tests run with pytest; never with nose.")) == 3
