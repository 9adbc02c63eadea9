"""The verdict on a text is shown first, and the parts of its score below."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_a_text_that_would_be_noted_shows_its_score_its_parts_and_its_reasons(shell: Shell) -> None:
    first, title, parts, spoke_for, *_ = shell.say(
        "capture", "From now on always use pnpm instead of npm here."
    ).out.splitlines()
    assert first.startswith("would be noted: ") and "(gate 0.30)" in first
    assert "pnpm" in title
    assert "substance" in parts and "distinctiveness" in parts
    assert spoke_for.startswith("  for: mostly rules +")


def test_what_spoke_against_a_text_is_shown_too(shell: Shell) -> None:
    said = shell.say("capture", "make the button blue please").out
    assert said.startswith("would be dropped: ") and "below the gate" in said
    assert "  against: says little -" in said


def test_what_is_to_be_remembered_and_what_says_nothing_is_not_measured(shell: Shell) -> None:
    assert shell.say("capture", "please remember that the port is 5433").out.startswith("would be kept: decision")
    guess = shell.say("capture", "--said-by", "agent", "I think the cache might be the problem.").out
    assert guess.startswith("would be dropped: change, it states nothing")


def test_a_text_without_a_statement_is_said_to_hold_none(shell: Shell) -> None:
    assert "nothing in this text could become a memory" in shell.say("capture", "", "--said-by", "agent").err
