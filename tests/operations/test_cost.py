"""The tokens of language models are added up by day, and what is left of a day is known."""

from __future__ import annotations

from limpet.model.receipt import Receipt
from tests.operations.sandbox import DAY, Sandbox

ALLOWED = {"llm.provider": "claude", "llm.daily_tokens": "1000"}


def spend(sandbox: Sandbox, tokens: int) -> None:
    with sandbox.open() as runtime:
        runtime.note(Receipt(id="", way="curate", session="s1", tokens=tokens))


def test_calls_and_tokens_are_counted_by_day_the_newest_first(sandbox: Sandbox) -> None:
    spend(sandbox, 300)
    sandbox.ms += 2 * DAY
    spend(sandbox, 100)
    spend(sandbox, 150)
    days = sandbox.json("cost")["days"]
    assert [(day["calls"], day["tokens"]) for day in days] == [(2, 250), (1, 300)]
    assert len(sandbox.json("cost", days=1)["days"]) == 1


def test_what_is_left_is_that_of_the_last_24_hours(sandbox: Sandbox) -> None:
    spend(sandbox, 400)
    assert sandbox.json("cost", flags=ALLOWED)["left"] == 600
    spend(sandbox, 4000)
    assert sandbox.json("cost", flags=ALLOWED)["left"] == 0
    sandbox.ms += 2 * DAY
    assert sandbox.json("cost", flags=ALLOWED)["left"] == 1000


def test_without_a_provider_nothing_may_be_spent(sandbox: Sandbox) -> None:
    assert sandbox.json("cost") == {"days": [], "provider": "", "daily_tokens": 0, "left": 0}
