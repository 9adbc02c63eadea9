"""The tokens spent on models are shown as a table by day."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_without_a_model_it_says_so_and_how_to_allow_one(shell: Shell) -> None:
    told = shell.say("cost").err
    assert "no language model was asked" in told
    assert "limpet config llm.provider claude" in told


def test_what_is_left_of_the_day_is_shown(shell: Shell) -> None:
    shell.ask("config", "llm.provider", "claude")
    shell.ask("config", "llm.daily_tokens", "50000")
    assert "claude: 50,000 of 50,000 tokens a day are left\n" in shell.say("cost").out
