"""Tests of how the clauses of a text are read: whether they affirm or deny, and what comes first."""

from __future__ import annotations

import pytest

from limpet.text.polarity import read_clauses, read_orders


@pytest.mark.parametrize(
    ("text", "word", "is_denied"),
    [
        ("Use pnpm.", "pnpm", False),
        ("Do not use pnpm.", "pnpm", True),
        ("Use npm instead of pnpm.", "pnpm", True),
        ("The build fails with pnpm.", "pnpm", True),
        ("The build broke because pnpm was used.", "pnpm", True),
    ],
)
def test_negations_and_trouble_deny_the_words_of_a_clause(text: str, word: str, is_denied: bool) -> None:
    found = [each.is_denied for each in read_clauses(text, is_source=True) if word in each.words]
    assert found == [is_denied]


def test_before_and_after_tell_the_same_order() -> None:
    first = read_orders("Lint before you commit.")
    assert first == read_orders("Commit after you lint.")
    assert first != read_orders("Lint after you commit.")
