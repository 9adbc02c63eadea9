"""What a model extracts is used only where its source supports it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limpet.insight.distil.proposals import Proposals, read_proposals
from tests.operations.stashes import STASH

SOURCES = {"stash:lsp": STASH, "friction:1": "No, don't add docstrings unless asked"}
FACT = {
    "do": "fact",
    "source": "stash:lsp",
    "quote": "We chose a queue over threads",
    "text": "The editor hook uses a queue, because locks were hard to test",
}
LINE = "We chose a queue over threads because locks were hard to test."
"""What the source says of it."""


def read(*given: Any, proven: bool = True) -> Proposals:
    reply = "\n".join(json.dumps(each) for each in given)
    return read_proposals(reply, SOURCES, is_proven=lambda line: proven)


def test_a_fact_that_its_source_supports_is_used() -> None:
    found = read(FACT)
    assert (found.facts, found.read, found.refused) == ([("stash:lsp", LINE)], {"stash:lsp"}, {})
    assert read_proposals(json.dumps([FACT]), SOURCES, is_proven=lambda line: True) == found


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"quote": "We chose threads over a queue"}, "the quote is not in the source"),
        ({"quote": None}, "the quote is not in the source"),
        ({"text": "x" * 161}, "longer than 160 characters, or too short"),
        ({"text": 7}, "longer than 160 characters, or too short"),
        ({"source": "stash:other"}, "names no source"),
        ({"do": "purge"}, "unknown action"),
        ({"do": "preference"}, "a preference needs an objection of the user as its source"),
    ],
)
def test_a_line_without_support_is_dropped_with_the_reason(change: dict[str, Any], reason: str) -> None:
    found = read({**FACT, **change})
    assert (found.facts, found.rules, found.read, found.refused) == ([], {}, set(), {reason: 1})


@pytest.mark.parametrize("text", ["The hook uses RabbitMQ 3.12", "We chose threads over a queue"])
def test_what_is_invented_or_turned_round_is_written_as_its_source_says_it(text: str) -> None:
    assert read({**FACT, "text": text}).facts == [("stash:lsp", LINE)]


def test_a_command_must_have_succeeded() -> None:
    assert read(FACT, proven=False).refused == {"a command that no session has run with success": 1}


def test_an_episode_needs_a_quote_for_each_bullet() -> None:
    bullets = ["Reference counts while editing", "A text fallback caused noise", "Counts need a language server"]
    quotes = ["Show reference counts", "caused noise from keyword", "when the language server works"]
    episode = {"do": "episode", "source": "stash:lsp", "bullets": bullets, "quotes": quotes}
    (lines,) = read(episode).episodes.values()
    assert [quote in line for quote, line in zip(quotes, lines, strict=True)] == [True] * 3
    assert not read({**episode, "quotes": quotes[:2]}).read
    assert not read({**episode, "quotes": [*quotes[:2], "not there at all"]}).read


def test_a_source_without_anything_counts_as_read() -> None:
    assert read({"do": "nothing", "source": "stash:lsp"}).read == {"stash:lsp"}


@pytest.mark.parametrize("reply", ["", "no JSON", "[" * 10_000, '{"do": "fact"', "[1, 2]", "null"])
def test_a_malformed_reply_changes_nothing(reply: str) -> None:
    found = read_proposals(reply, SOURCES, is_proven=lambda line: True)
    assert (found.facts, found.episodes, found.rules, found.read) == ([], {}, {}, set())
