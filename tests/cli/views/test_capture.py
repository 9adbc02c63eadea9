"""The verdict on a text stands first, its parts below."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_text_that_would_be_kept_shows_its_score_and_its_parts(shell: Shell) -> None:
    first, title, parts, *_ = shell.say("capture", "From now on always use pnpm instead of npm here.").out.splitlines()
    assert first.startswith("would be kept: ") and "(gate 0.30)" in first
    assert "pnpm" in title
    assert "substance" in parts and "novelty" in parts


def test_a_text_without_a_statement_is_said_to_hold_none(shell: Shell) -> None:
    assert "nothing in this text could become a memory" in shell.say("capture", "", "--said-by", "agent").err
