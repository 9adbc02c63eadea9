"""Memories that the host's own notes say already are recognised, and no others."""

from __future__ import annotations

import pytest

from limpet.inject.host_notes import is_in_notes, split_notes

NOTES = split_notes("""# Project notes
- Use pytest for new tests, never unittest
- The API listens on port 8080 in
  development and on 443 in production
Migrations run with alembic before every deployment.
- [Deploying](deploying.md)
""")


@pytest.mark.parametrize(
    "memory",
    [
        "Use pytest, never unittest, for new tests",
        "The API listens on port 8080 in development",
        "Migrations run with alembic before every deployment",
    ],
)
def test_the_same_in_other_order_or_in_part_is_noted(memory: str) -> None:
    assert is_in_notes(memory, NOTES)


@pytest.mark.parametrize(
    "memory",
    [
        "The API listens on port 9090 in development",
        "Use unittest for new tests",
        "Migrations never run with alembic before a deployment",
        "Deploying needs a green pipeline on main",
        "Use pytest for new tests, never unittest, because the fixtures of the payment package need it",
        "8080",
        "",
    ],
)
def test_what_says_more_or_something_else_is_not(memory: str) -> None:
    assert not is_in_notes(memory, NOTES)


def test_without_notes_nothing_is_noted() -> None:
    assert split_notes("") == [] and not is_in_notes("Use pytest for new tests", [])


def test_only_the_first_notes_are_compared() -> None:
    assert len(split_notes("\n".join(f"- The service number {number} listens" for number in range(5000)))) == 400
