"""The tokens spent on models are shown as a table by day."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

from limpet.model.receipt import Receipt
from limpet.runtime import open_runtime
from tests.cli.shell import Shell


def test_without_a_model_it_says_so_and_how_to_allow_one(shell: Shell) -> None:
    told = shell.say("cost").err
    assert "no language model was asked" in told
    assert "limpet config llm.provider claude" in told


def test_what_is_left_of_the_day_is_shown(shell: Shell) -> None:
    shell.ask("config", "llm.provider", "claude")
    shell.ask("config", "llm.daily_tokens", "50000")
    assert "claude: 50,000 of today's 50,000 tokens are left\n" in shell.say("cost").out


def test_a_provider_without_tokens_may_not_be_asked(shell: Shell) -> None:
    shell.ask("config", "llm.provider", "claude")
    told = shell.say("cost")
    assert "claude may not be asked; to allow it: limpet config llm.daily_tokens 60000\n" in told.err and told.out == ""


def test_the_calls_of_a_day_are_one_row(shell: Shell) -> None:
    with closing(open_runtime(home=str(shell.home), cwd=str(shell.cwd))) as runtime:
        for tokens in (900, 1600):
            runtime.note(Receipt(id="", way="curate", session="s1", tokens=tokens))
        [(day, _, _)] = runtime.reading().token_days(("curate",), runtime.now() - timedelta(days=1))
    told = shell.say("cost")
    assert told.out == f"{day}\t2\t2,500\n" and "no language model was asked" not in told.err
