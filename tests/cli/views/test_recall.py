"""A hit is shown as a line of metadata and its text."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_short_text_is_shown_once_below_its_line(shell: Shell) -> None:
    id = shell.remember("Migrations run with alembic, never by hand")
    first, text = shell.say("recall", "alembic").out.splitlines()
    assert first.startswith(f"{id}  ")
    assert text == "  Migrations run with alembic, never by hand"


def test_weak_hits_are_marked_and_announced(shell: Shell) -> None:
    id = shell.remember("Migrations run with alembic")
    told = shell.say("recall", "the colour of the tide")
    assert "no clear answer" in told.err
    first, text = told.out.splitlines()
    assert first.startswith(f"{id}  ") and first.endswith("  weak")
    assert "0." not in first.removeprefix(id)
    assert text == "  Migrations run with alembic"
    answered = shell.say("recall", "alembic migrations")
    assert "weak" not in answered.out and "surely" not in answered.err


def test_an_empty_store_says_that_nothing_was_found(shell: Shell) -> None:
    assert "nothing found" in shell.say("recall", "the colour of the tide").err
