"""A model extracts from stashes batch by batch; what fails or is malformed leaves its stashes unread."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from limpet.doors.context import Context
from limpet.errors import ModelFailed
from limpet.insight.distil.asking import MOST_REQUESTS, extract_by_model, forget_reply
from limpet.llm.extraction import SourceText
from limpet.llm.protocol import Reply, Request
from tests.operations.sandbox import Sandbox

LINE = json.dumps({"do": "nothing", "source": "stash:a"})
LONG = "word " * 4000


class Scripted:
    """A model with one prepared reply for each request; None makes it fail."""

    name = "scripted"

    def __init__(self, *replies: str | None) -> None:
        self.replies = list(replies)
        self.requests: list[Request] = []

    def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        text = self.replies.pop(0)
        if text is None:
            raise ModelFailed("the endpoint answered 529")
        return Reply(text=text, tokens_in=10, tokens_out=10)


@pytest.fixture
def context(sandbox: Sandbox) -> Iterator[Context]:
    with sandbox.open(flags={"llm.provider": "claude", "llm.daily_tokens": "1000000"}) as runtime:
        yield runtime.context()


def sources(*texts: str) -> list[SourceText]:
    return [SourceText(id=f"stash:{number}", text=text) for number, text in enumerate(texts)]


def test_every_batch_is_asked_about(context: Context) -> None:
    model = Scripted(LINE, LINE)
    found = extract_by_model(context, model, sources(LONG, LONG))
    assert (found.lines, found.failures, found.waiting) == (f"{LINE}\n{LINE}", [], 0)
    assert ["stash:0" in model.requests[0].text, "stash:1" in model.requests[1].text] == [True, True]


def test_a_failure_ends_the_asking_and_keeps_what_was_said_before(context: Context) -> None:
    model = Scripted(LINE, None)
    found = extract_by_model(context, model, sources(LONG, LONG, LONG))
    assert (found.lines, found.failures) == (LINE, ["the endpoint answered 529"])
    assert len(model.requests) == 2


@pytest.mark.parametrize("reply", ["", "I will not do that.", LINE + '\n{"do": "fact", "sou', "{" * 5000])
def test_of_a_reply_that_is_malformed_no_line_is_used(context: Context, reply: str) -> None:
    found = extract_by_model(context, Scripted(reply), sources("a"))
    assert (found.lines, found.failures) == ("", ["the reply about stash:0 is malformed"])


def test_a_run_asks_only_so_often(context: Context) -> None:
    model = Scripted(*[LINE] * MOST_REQUESTS)
    assert extract_by_model(context, model, sources(*[LONG] * (MOST_REQUESTS + 2))).waiting == 2


def test_a_reply_is_kept_for_the_same_sources_until_it_is_written(context: Context) -> None:
    model = Scripted(LINE, LINE, LINE)
    first = extract_by_model(context, model, sources("a"))
    assert extract_by_model(context, model, sources("a")) == first and len(model.requests) == 1
    extract_by_model(context, model, sources("b"))
    assert len(model.requests) == 2
    forget_reply(context.home)
    extract_by_model(context, model, sources("b"))
    assert len(model.requests) == 3
