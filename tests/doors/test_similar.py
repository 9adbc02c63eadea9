"""Similar memories are linked, a contradiction lowers the confidence, and a stated replacement replaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from limpet.curating.writing import run_many
from limpet.model.change import CAPTURE, Status
from limpet.model.codec import decode_memory
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.model.query import Query
from limpet.runtime import Caller
from tests.doors.test_admit import admit_captured
from tests.operations.sandbox import MODEL, PROGRAM, Sandbox

NEAR = (
    "The nightly backup job copies the orders table to the second site before the morning shift begins its work",
    "The nightly backup job copies the orders table to the second site before the morning shift starts its work",
)


def test_near_duplicates_are_both_kept_and_linked(sandbox: Sandbox) -> None:
    first = sandbox.remember(NEAR[0])
    outcome = sandbox.ask("remember", text=NEAR[1])
    assert isinstance(outcome, Admitted)
    assert outcome.notes == (f"nearly the same as {first.id}",)
    assert sandbox.ask("show", id=outcome.memory.id).links == (("near", first.id),)
    assert sandbox.ask("show", id=first.id).links == (("near of", outcome.memory.id),)
    assert len(sandbox.texts()) == 2


OLD, NEW = "The default port of the API is 8080", "The default port of the API is 9090"


YES, NO = "Squash the commits of a branch before merging", "Never squash the commits of a branch before merging"


def contradict(
    sandbox: Sandbox, older: str, newer: str, texts: tuple[str, str] = (OLD, NEW)
) -> tuple[Memory, Memory, tuple[tuple[str, str], ...]]:
    first = sandbox.remember(texts[0], origin=older)
    second = sandbox.remember(texts[1], origin=newer)
    shown = sandbox.ask("show", id=second.id)
    return sandbox.ask("show", id=first.id).stored.memory, shown.stored.memory, shown.links


@pytest.mark.parametrize(("older", "newer"), [("user", "user"), ("agent", "user"), ("external", "tool")])
def test_a_contradiction_lowers_the_older_ones_confidence_and_links_both(
    sandbox: Sandbox, older: str, newer: str
) -> None:
    first, second, links = contradict(sandbox, older, newer, (YES, NO))
    assert first.confidence == 0.6
    assert second.confidence == 1.0
    assert links == (("contradicts", first.id),)


@pytest.mark.parametrize(("older", "newer"), [("user", "agent"), ("agent", "tool"), ("user", "external")])
def test_a_contradiction_never_counts_against_a_higher_trust(sandbox: Sandbox, older: str, newer: str) -> None:
    first, second, links = contradict(sandbox, older, newer)
    assert first.confidence == 1.0
    assert second.confidence == 0.6
    assert links == (("contradicts", first.id),)


def test_a_confirmed_memory_is_not_doubted_on_an_agents_word(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD, as_=MODEL)
    sandbox.ask("confirm", ids=[first.id])
    second = sandbox.remember(NEW, as_=MODEL)
    assert sandbox.ask("show", id=first.id).stored.memory.confidence == 1.0
    assert second.confidence == 0.6


def test_a_negation_is_a_contradiction(sandbox: Sandbox) -> None:
    first = sandbox.remember("The build uses make")
    outcome = sandbox.ask("remember", text="The build does not use make")
    assert outcome.notes == (f"contradicts {first.id} (negated: build); if that is outdated: limpet forget {first.id}",)
    assert sandbox.ask("show", id=first.id).stored.memory.confidence == 0.6


def live(sandbox: Sandbox) -> list[str]:
    return [each["content"] for each in sandbox.json("list", limit=100)["memories"]]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (OLD, NEW),
        ("We use 5 retries.", "Use 10 retries instead of 5."),
        ("Use npm to install dependencies.", "We moved to pnpm."),
        ("We use Celery for background jobs.", "We no longer use Celery for background jobs."),
        ("The session store is Redis", "The session store is Postgres"),
        ("We deploy to heroku", "We no longer deploy to heroku, we deploy to fly.io"),
        ("Our CI is Travis", "Our CI is Buildkite"),
        ("セッションストアはRedisです", "セッションストアはPostgresです"),
        ("The churn model reaches an AUC of 0.80 on the test set.", "the 0.80 was leakage"),
    ],
)
def test_a_replacement_that_says_so_supersedes_the_older_one(sandbox: Sandbox, older: str, newer: str) -> None:
    first = sandbox.remember(older)
    outcome = sandbox.ask("remember", text=newer)
    assert live(sandbox) == [newer]
    assert any(note.startswith(f"replaces {first.id}") for note in outcome.notes)
    shown = sandbox.ask("show", id=first.id).stored
    assert (shown.status, shown.memory.superseded_by) == (Status.SUPERSEDED, outcome.memory.id)
    assert sandbox.ask("show", id=outcome.memory.id).links == (("replaces", first.id),)


def test_what_was_replaced_can_be_restored(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.remember(NEW)
    sandbox.ask("restore", id=first.id)
    assert live(sandbox) == [OLD]


@pytest.mark.parametrize(
    ("older", "newer"), [("user", "agent"), ("agent", "tool"), ("user", "external"), ("external", "external")]
)
def test_nothing_is_replaced_on_less_trust_or_from_outside(sandbox: Sandbox, older: str, newer: str) -> None:
    sandbox.remember(OLD, origin=older)
    sandbox.remember(NEW, origin=newer)
    with sandbox.open() as runtime:
        page = runtime.reading().browse(Query(scope=runtime.scope(), now=runtime.now(), limit=10))
    assert {stored.memory.content for stored in page.items} == {OLD, NEW}


def test_a_pinned_or_confirmed_memory_is_not_replaced_on_an_agents_word(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("pin", id=first.id)
    sandbox.remember(NEW)
    assert set(live(sandbox)) == {OLD, NEW}


def test_a_text_of_several_statements_is_not_replaced_as_a_whole(sandbox: Sandbox) -> None:
    both = "Use npm to install dependencies. Deploy on Fridays only, after the standup."
    sandbox.remember(both)
    sandbox.remember("We moved to pnpm.")
    assert both in live(sandbox)


def test_a_value_in_another_project_replaces_nothing(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("remember", text=NEW, cwd=sandbox.folder)
    assert sandbox.ask("show", id=first.id).stored.status is Status.LIVE


def test_two_projects_never_contradict_each_other(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    outcome = sandbox.ask("remember", text=NEW, cwd=sandbox.folder)
    assert outcome.notes == ()
    assert sandbox.ask("show", id=first.id).stored.memory.confidence == 1.0


def test_a_correction_does_not_contradict_what_it_corrects(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    outcome = sandbox.ask("correct", id=first.id, text=NEW)
    assert outcome.notes == ()
    assert outcome.memory.confidence == 1.0


def test_a_note_hides_nothing_that_is_kept(sandbox: Sandbox) -> None:
    kept = sandbox.remember("Use npm to install dependencies.")
    note = admit_captured(sandbox, Draft(text="We moved to pnpm.", origin=Origin.USER))
    shown = sandbox.ask("show", id=kept.id).stored
    assert (shown.status, shown.memory.confidence) == (Status.LIVE, 0.6)
    assert sandbox.ask("show", id=note.id).links == (("contradicts", kept.id),)


def test_a_note_and_what_is_kept_replace_a_note(sandbox: Sandbox) -> None:
    first = admit_captured(sandbox, Draft(text="The retry limit is 5", origin=Origin.USER))
    second = admit_captured(sandbox, Draft(text="The retry limit is 10 instead of 5", origin=Origin.USER))
    third = sandbox.remember("The retry limit is 20 instead of 10")
    assert [sandbox.ask("show", id=each.id).stored.memory.superseded_by for each in (first, second, third)] == [
        second.id,
        third.id,
        None,
    ]


def test_a_note_of_the_user_leaves_the_same_words_of_an_agent_kept(sandbox: Sandbox) -> None:
    kept = sandbox.remember(OLD, as_=MODEL)
    with sandbox.open() as runtime:
        door = runtime.admission(actor=CAPTURE)
        outcome = door.admit(Draft(text=OLD, origin=Origin.USER))
        runtime.write(door.changes)
    assert isinstance(outcome, Duplicate) and outcome.memory.id == kept.id
    assert sandbox.ask("show", id=kept.id).stored.status is Status.LIVE


def test_a_number_that_is_called_wrong_without_its_subject_only_doubts(sandbox: Sandbox) -> None:
    older = sandbox.remember("Our SLA promises 99.9%")
    newer = sandbox.remember("The 99.9% was wrong")
    shown = sandbox.ask("show", id=older.id).stored
    assert (shown.status, shown.memory.confidence) == (Status.LIVE, 0.6)
    assert sandbox.ask("show", id=newer.id).links == (("contradicts", older.id),)


@pytest.mark.parametrize("text", ["The salary band of the lead is 7", "The salary band of the lead is 8"])
def test_a_model_is_told_nothing_about_a_private_memory(sandbox: Sandbox, text: str) -> None:
    private = sandbox.remember("The salary band of the lead is 8", sensitivity="private", tags=["pay"])
    outcome = sandbox.ask("remember", text=text, as_=MODEL)
    assert isinstance(outcome, Admitted)
    assert private.id not in str(outcome)
    assert (outcome.notes, outcome.links) == ((), ())
    shown = sandbox.ask("show", id=private.id).stored
    assert (shown.status, shown.memory.confidence) == (Status.LIVE, 1.0)


def test_a_model_is_not_told_the_id_of_a_private_text_that_was_forgotten(sandbox: Sandbox) -> None:
    private = sandbox.remember("The salary band of the lead is 8", sensitivity="private")
    sandbox.ask("forget", ids=[private.id])
    outcome = sandbox.ask("remember", text="The salary band of the lead is 8", as_=MODEL)
    assert isinstance(outcome, Rejected)
    assert private.id not in outcome.reason


@pytest.mark.parametrize("caller", [MODEL, PROGRAM])
def test_only_the_user_replaces_a_private_memory(sandbox: Sandbox, caller: Caller) -> None:
    private = sandbox.remember(OLD, sensitivity="private", as_=MODEL)
    sandbox.remember(NEW, as_=caller)
    assert sandbox.ask("show", id=private.id).stored.status is Status.LIVE
    sandbox.remember("The default port of the API is 7070 instead of 8080")
    assert sandbox.ask("show", id=private.id).stored.status is Status.SUPERSEDED


def test_only_the_nearest_memories_are_decoded(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    animals, colours = ("otter", "heron", "badger", "stoat", "lynx", "marten"), ("amber", "teal", "umber", "ochre")
    texts = [f"The deployment configuration of {one} waits for {two}" for one in animals for two in colours]
    with sandbox.open() as runtime:
        run_many(runtime, [Draft(text=text, origin=Origin.USER) for text in texts])
    decoded: list[object] = []

    def decode(encoded: Mapping[str, Any]) -> Memory:
        decoded.append(encoded)
        return decode_memory(encoded)

    monkeypatch.setattr("limpet.store.view.rows.decode_memory", decode)
    outcome = sandbox.ask("remember", text="A deployment with an empty configuration shows the page of yesterday")
    assert isinstance(outcome, Admitted)
    assert outcome.links == ()
    assert len(decoded) <= 6
