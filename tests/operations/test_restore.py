"""Restoring undoes a forget, brings a faded text back, or makes an older version the newest."""

from __future__ import annotations

import pytest

from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.memory import Origin, Phase
from limpet.model.signature import Verdict
from tests.operations.sandbox import MODEL, Sandbox

OLD, NEW = "The default port is 8080", "The default port is 9090"


def test_restoring_undoes_a_forget(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("forget", ids=[first.id])
    assert sandbox.texts() == []
    answer = sandbox.ask("restore", id=first.id)
    assert (answer.how, answer.stored.status) == ("no longer forgotten", Status.LIVE)
    assert sandbox.texts() == [OLD]


def test_restoring_a_text_that_was_stored_again_leaves_one_of_the_two(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("forget", ids=[first.id])
    again = sandbox.remember(OLD)
    answer = sandbox.ask("restore", id=first.id)
    assert answer.how == f"no longer forgotten; {again.id} says exactly the same and is superseded by it"
    assert [each.memory.id for each in sandbox.ask("list").items] == [first.id]
    assert [each.what for each in sandbox.ask("doctor").problems if "exactly the same" in each.what] == []
    sandbox.ask("forget", ids=[first.id])
    assert sandbox.texts() == []


@pytest.mark.parametrize(
    ("before", "after"), [({"origin": "external"}, {}), ({}, {"sensitivity": "private"})], ids=["trust", "private"]
)
def test_the_more_trusted_or_more_private_of_two_equal_texts_stays(
    sandbox: Sandbox, before: dict[str, str], after: dict[str, str]
) -> None:
    first = sandbox.remember(OLD, **before)
    sandbox.ask("forget", ids=[first.id])
    again = sandbox.remember(OLD, **after)
    answer = sandbox.ask("restore", id=first.id)
    assert answer.how == f"no longer forgotten; {again.id} says exactly the same and stays in its place"
    assert answer.stored.status is Status.SUPERSEDED
    assert [each.memory.id for each in sandbox.ask("list", private=True).items] == [again.id]


@pytest.mark.parametrize("forgotten", [0, 1])
@pytest.mark.parametrize("restored", [0, 1])
def test_undoing_a_forget_gives_back_what_was_there_whichever_version_is_named(
    sandbox: Sandbox, forgotten: int, restored: int
) -> None:
    first = sandbox.remember(OLD)
    versions = (first, sandbox.correct(first, NEW))
    sandbox.ask("forget", ids=[versions[forgotten].id])
    assert sandbox.texts() == []
    answer = sandbox.ask("restore", id=versions[restored].id)
    assert answer.how.startswith("no longer forgotten")
    assert sandbox.texts() == [NEW]
    if not restored:
        assert versions[1].id in answer.how


def test_restoring_an_older_version_makes_it_the_newest(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD, tags=["net"], confidence=0.9)
    second = sandbox.correct(first, NEW)
    answer = sandbox.ask("restore", id=first.id)
    memory = answer.stored.memory
    assert answer.how == f"the text of {first.id} is the newest version again"
    assert (memory.content, memory.version, memory.corrects) == (OLD, 3, second.id)
    assert (memory.tags, memory.confidence) == (("net",), 0.9)
    assert sandbox.texts() == [OLD]
    assert [each.memory.content for each in sandbox.ask("show", id=memory.id).versions] == [OLD, NEW, OLD]


def test_restoring_brings_a_condensed_text_back_in_full(sandbox: Sandbox) -> None:
    text = "First sentence of many. " * 40
    caps: dict[str, object] = {"store.project_cap": 1}
    memory = sandbox.remember(text.strip(), flags=caps)
    sandbox.remember("Another one that takes its place", flags=caps)
    condensed = sandbox.ask("show", id=memory.id).stored.memory
    assert condensed.phase is Phase.HINT and len(condensed.content) < len(text)
    assert condensed.original_content == text.strip()
    answer = sandbox.ask("restore", id=memory.id)
    assert answer.how == "its text is back in full"
    assert answer.stored.memory == memory


def test_restoring_what_is_there_changes_nothing(sandbox: Sandbox) -> None:
    memory = sandbox.remember(OLD)
    before = sandbox.journal()
    assert sandbox.ask("restore", id=memory.id).how == "there was nothing to restore"
    assert sandbox.journal() == before


def test_a_model_cannot_bring_back_what_was_forgotten(sandbox: Sandbox) -> None:
    memory = sandbox.remember(OLD)
    sandbox.ask("forget", ids=[memory.id])
    with pytest.raises(Refused, match="only a person can bring back"):
        sandbox.ask("restore", id=memory.id, as_=MODEL)
    assert sandbox.texts() == []


def test_a_restored_version_is_signed_and_no_more_trusted_than_it_was(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    first = sandbox.remember(OLD, origin="external")
    sandbox.correct(first, NEW)
    answer = sandbox.ask("restore", id=first.id)
    assert answer.stored.memory.origin is Origin.EXTERNAL
    assert answer.stored.verdict is Verdict.GOOD
