"""A hit is its line of facts and its text."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_short_text_is_shown_once_below_its_line(shell: Shell) -> None:
    id = shell.remember("Migrations run with alembic, never by hand")
    first, text = shell.say("recall", "alembic").out.splitlines()
    assert first.startswith(f"{id}  ")
    assert text == "  Migrations run with alembic, never by hand"


def test_nothing_found_names_the_option_that_shows_the_nearest(shell: Shell) -> None:
    shell.remember("Migrations run with alembic")
    told = shell.say("recall", "the colour of the tide").err
    assert "nothing found" in told
