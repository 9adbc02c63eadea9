"""What was asked for once is found after every job that shortens, merges or distils, and two values stay two."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.memory import Draft, Impact, Origin, Phase
from limpet.recall.questions import FILE
from tests.operations.sandbox import MODEL, files_with, isolate_environment
from tests.operations.stashes import memory_text, write_stash
from tests.upkeep.sandbox import UpkeepSandbox
from tests.upkeep.scripted import Scripted
from tests.upkeep.similar_texts import ALIKE, OTHERS, summaries

PAIR = (
    "The nightly import of the customer table writes to the audit log after 30 minutes",
    "The nightly import of the customer table writes to the audit log after 45 minutes",
)
"""Two facts that differ in one value; both may be true, of two machines or of two nights."""
QUESTION = "where does the nightly import of the customer table send a mail"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UpkeepSandbox:
    isolate_environment(monkeypatch, tmp_path)
    return UpkeepSandbox(tmp_path)


def found(sandbox: UpkeepSandbox, question: str) -> str:
    return "\n".join(hit.memory.content for hit in sandbox.ask("recall", query=question).items)


def test_a_merge_that_would_lose_an_answer_is_not_made_and_said(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    members = sandbox.fill(ALIKE)
    assert "a mail to ops" in found(sandbox, QUESTION)
    sandbox.rest(8)
    answer = sandbox.upkeep(roles=Scripted("## Summary\n\nThe nightly import writes to the audit log."))
    assert (answer.done, answer.spared) == ({}, 1)
    assert answer.notices == ["1 merge was not made, because a question that was asked would lose its answer"]
    assert QUESTION not in str(answer.notices)
    assert [sandbox.get(each).status for each in members] == [Status.LIVE] * 3
    assert "a mail to ops" in found(sandbox, QUESTION)


def test_a_merge_that_keeps_every_answer_is_made(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    sandbox.fill(ALIKE)
    found(sandbox, QUESTION)
    sandbox.rest(8)
    assert (sandbox.upkeep().done, sandbox.upkeep().spared) == ({"compression": 3}, 0)
    assert summaries(sandbox) and "a mail to ops" in found(sandbox, QUESTION)


def test_without_questions_a_model_may_merge_as_it_likes(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    sandbox.fill(ALIKE)
    sandbox.rest(8)
    assert sandbox.upkeep(roles=Scripted("The nightly import writes.")).done == {"compression": 3}


def test_two_facts_that_differ_in_one_value_survive_compression_and_duplicates(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    sandbox.fill((*ALIKE, *PAIR[:1]))
    # Admitted by two processes at once, so that neither replaced the other.
    with sandbox.open() as first, sandbox.open() as second:
        for runtime, text in ((first, PAIR[1]), (second, ALIKE[0])):
            door = runtime.admission(actor="capture:anima", reading=first.reading())
            door.admit(Draft(text=text, origin=Origin.USER))
            runtime.store.append(door.changes)
    sandbox.rest(8)
    sandbox.upkeep()
    text = found(sandbox, "after how many minutes does the nightly import write to the audit log")
    for value in ("30 minutes", "45 minutes"):
        assert value in text or any(value in each for each in sandbox.texts(limit=100))


def test_a_condensed_text_keeps_the_sentence_that_answered(sandbox: UpkeepSandbox) -> None:
    talk = "This sentence is only talk that nobody will ever want to read again in this life. " * 8
    text = (
        f"The deploy broke on Monday because the old worker held port 8080. {talk}"
        f"Ann keeps the spare badge for the server room in drawer seven. {talk}"
    )
    asked, silent = sandbox.fill([text, text.replace("8080", "9090").replace("badge", "key")], impact=Impact.MEDIUM)
    question = "who keeps the spare badge for the server room"
    assert "drawer seven" in found(sandbox, question)
    sandbox.work(40)
    sandbox.upkeep("decay")
    assert sandbox.phase(asked) is Phase.HINT and sandbox.phase(silent) is Phase.HINT
    assert "spare badge for the server room in drawer seven" in sandbox.get(asked).memory.content
    assert len(sandbox.get(asked).memory.content) < len(text) / 2
    assert sandbox.ask("verify").problems == ()


def test_two_values_in_one_long_text_survive_condensation_once_they_were_asked_for(sandbox: UpkeepSandbox) -> None:
    talk = "This sentence is only talk that nobody will ever want to read again in this life. " * 8
    [memory] = sandbox.fill(
        [f"The deploy broke because port 8080 was taken. {talk}{PAIR[0]}. {talk}{PAIR[1]}. {talk}"], impact=Impact.LOW
    )
    for value in ("30", "45"):
        found(sandbox, f"does the nightly import write to the audit log after {value} minutes")
    sandbox.work(40)
    sandbox.upkeep("decay")
    assert sandbox.phase(memory) is Phase.ABSTRACT
    for text in PAIR:
        assert text in sandbox.get(memory).memory.content


def test_distilling_keeps_both_values_and_every_answer(sandbox: UpkeepSandbox) -> None:
    write_stash(sandbox, "one", f"## Decisions\n- {PAIR[0]}.\n")
    write_stash(sandbox, "two", f"## Decisions\n- {PAIR[1]}.\n", day="2026-02-09")
    sandbox.ask("distil", yes=True)
    for value in ("30 minutes", "45 minutes"):
        assert value in memory_text(sandbox)
        assert value in "\n".join(sandbox.texts(limit=100))


def test_a_distil_that_would_push_an_answer_out_of_sight_is_refused(sandbox: UpkeepSandbox) -> None:
    flags = {"recall.limit": "1"}
    sandbox.remember("The timeout of the payment service is 30 seconds")
    sandbox.ask("recall", query="what is the timeout of the payment service", flags=flags)
    lines = "\n".join(f"- Payment service timeout, {name} rule." for name in ("first", "second", "third"))
    write_stash(sandbox, "crowd", f"## Decisions\n{lines}\n")
    journal = sandbox.journal()
    for values in ({}, {"yes": True}):
        with pytest.raises(Refused, match="would no longer find its answer, mem_"):
            sandbox.ask("distil", flags=flags, **values)
    assert sandbox.journal() == journal and not (sandbox.project / ".claude" / "memory").exists()
    assert sandbox.ask("distil", flags={"recall.limit": "10"}, yes=True).done


def test_questions_are_kept_by_the_owner_alone_and_go_with_a_purge(sandbox: UpkeepSandbox) -> None:
    public = sandbox.remember("The timeout of the payment service is 30 seconds")
    sandbox.remember("Ann's salary is in the blue folder", sensitivity="private")
    sandbox.ask("recall", query="timeout of the payment service", as_=MODEL)
    sandbox.ask("recall", query="where is the salary of Ann", private=True)
    sandbox.ask("recall", query="zebra crossing of the payment service", file="src/a.py")
    assert "timeout of the payment service" in (sandbox.home / FILE).read_text()
    for word in ("salary of Ann", "zebra"):
        assert word not in (sandbox.home / FILE).read_text()
    with sandbox.open() as runtime:
        runtime.store.backup()
    assert FILE not in files_with("questions", sandbox.home / "backups")
    sandbox.ask("purge", ids=[public.id])
    assert sandbox.files_with("payment service") == []


def test_no_question_is_kept_if_the_settings_say_so(sandbox: UpkeepSandbox) -> None:
    sandbox.remember("The timeout of the payment service is 30 seconds")
    sandbox.ask("recall", query="timeout of the payment service", flags={"recall.questions": "0"})
    assert not (sandbox.home / FILE).exists()
