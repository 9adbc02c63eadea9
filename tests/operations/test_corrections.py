"""A correction is a new version; both stay, and every text that was ever active can be got back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.memory import Impact, Kind, Memory, Origin, Phase
from limpet.model.outcome import Admitted, Duplicate
from limpet.model.signature import Verdict
from limpet.operations.remember import draft_from
from tests.operations.sandbox import DAY, MODEL, Sandbox

OLD, NEW, NEWEST = "The default port is 8080", "The default port is 9090", "The default port is 7070"


def corrected(sandbox: Sandbox, memory: Memory, text: str, **fields: object) -> Memory:
    outcome = sandbox.ask("correct", id=memory.id, text=text, **fields)
    assert isinstance(outcome, Admitted), outcome
    return outcome.memory


def test_a_correction_is_the_next_version_and_both_are_kept(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    second = corrected(sandbox, first, NEW)
    assert (second.version, second.corrects, second.lineage) == (2, first.id, (first.id,))
    shown = sandbox.ask("show", id=first.id)
    assert shown.stored.status is Status.SUPERSEDED
    assert shown.stored.memory.superseded_by == second.id
    assert [version.memory.content for version in shown.versions] == [OLD, NEW]
    assert sandbox.texts() == [NEW]
    assert sorted(sandbox.texts(all=True)) == [OLD, NEW]


def test_a_correction_of_an_older_version_belongs_to_the_newest_and_says_so(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    second = corrected(sandbox, first, NEW)
    outcome = sandbox.ask("correct", id=first.id, text=NEWEST)
    assert outcome.memory.corrects == second.id
    assert outcome.memory.version == 3
    assert outcome.notes == (f"{first.id} had been corrected before; this corrects {second.id}",)


def test_a_correction_keeps_what_it_does_not_speak_of(sandbox: Sandbox) -> None:
    first = sandbox.remember(
        OLD, kind="ACHIEVEMENTS", impact="HIGH", importance=0.66, difficulty=0.9, tags=["net"], files=["a.py"],
        pinned=True, ttl_days=9,
    )  # fmt: skip
    second = corrected(sandbox, first, NEW)
    assert (second.kind, second.impact, second.importance) == (Kind.ACHIEVEMENTS, Impact.HIGH, 0.66)
    assert (second.difficulty, second.tags, second.files_read) == (0.9, ("net",), ("a.py",))
    assert (second.pinned, second.expires_at) == (True, first.expires_at)
    third = corrected(sandbox, second, NEWEST, impact="LOW", tags=["other"], files=["b.py"])
    assert (third.impact, third.importance, third.tags) == (Impact.LOW, 0.3, ("other",))
    assert third.files_read == ("b.py",)


def test_a_correction_of_what_has_expired_does_not_expire(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD, ttl_days=1)
    sandbox.ms += 2 * DAY
    assert corrected(sandbox, first, NEW).expires_at is None


def test_a_correction_by_a_model_is_the_models_word(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("confirm", ids=[first.id])
    second = corrected(sandbox, first, NEW, as_=MODEL)
    assert (second.origin, second.confirmed) == (Origin.AGENT, False)


def test_correcting_with_the_same_text_changes_nothing_unless_something_else_is_said(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    before = sandbox.journal()
    assert isinstance(sandbox.ask("correct", id=first.id, text=OLD), Duplicate)
    assert sandbox.journal() == before
    assert corrected(sandbox, first, OLD, impact="CRITICAL").impact is Impact.CRITICAL


def test_a_correction_that_says_what_another_memory_says_is_shown_once(sandbox: Sandbox) -> None:
    first, other = sandbox.remember(OLD), sandbox.remember("The plant needs water")
    outcome = sandbox.ask("correct", id=other.id, text=OLD)
    assert outcome.notes == (f"nearly the same as {first.id}",)
    assert sandbox.texts() == [OLD]


def test_a_forgotten_memory_must_be_restored_before_it_is_corrected(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("forget", ids=[first.id])
    with pytest.raises(Refused, match=f"restore it first: limpet restore {first.id}"):
        sandbox.ask("correct", id=first.id, text=NEW)


def test_concurrent_corrections_both_live_and_name_each_other(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    with sandbox.open() as runtime:
        one, two = runtime.admission(), runtime.admission()
        stored = runtime.find(first.id)
        changes = []
        for door, text in ((one, NEW), (two, NEWEST)):
            assert isinstance(door.admit(draft_from(runtime, text=text), correcting=stored), Admitted)
            changes += door.changes
        runtime.write(changes)
    assert sorted(sandbox.texts()) == [NEWEST, NEW]
    shown = sandbox.ask("show", id=sandbox.ask("recall", query="7070").items[0].memory.id)
    assert "concurrent" in dict(shown.links)
    assert len(shown.versions) == 3


def test_forgetting_one_of_two_concurrent_versions_leaves_the_other(sandbox: Sandbox) -> None:
    test_concurrent_corrections_both_live_and_name_each_other(sandbox)
    one = next(each for each in sandbox.ask("list").items if each.memory.content == NEW)
    sandbox.ask("forget", ids=[one.memory.id])
    assert sandbox.texts() == [NEWEST]


# Restoring, in its three meanings


def test_restoring_undoes_a_forget(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("forget", ids=[first.id])
    assert sandbox.texts() == []
    answer = sandbox.ask("restore", id=first.id)
    assert (answer.how, answer.stored.status) == ("no longer forgotten", Status.LIVE)
    assert sandbox.texts() == [OLD]


@pytest.mark.parametrize("forgotten", [0, 1])
@pytest.mark.parametrize("restored", [0, 1])
def test_undoing_a_forget_gives_back_what_was_there_whichever_version_is_named(
    sandbox: Sandbox, forgotten: int, restored: int
) -> None:
    first = sandbox.remember(OLD)
    versions = (first, corrected(sandbox, first, NEW))
    sandbox.ask("forget", ids=[versions[forgotten].id])
    assert sandbox.texts() == []
    answer = sandbox.ask("restore", id=versions[restored].id)
    assert answer.how.startswith("no longer forgotten")
    assert sandbox.texts() == [NEW]
    if not restored:
        assert versions[1].id in answer.how


def test_restoring_an_older_version_makes_it_the_newest(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD, tags=["net"], confidence=0.9)
    second = corrected(sandbox, first, NEW)
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
    assert sandbox.ask("restore", id=memory.id).how == "it was there already"
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
    corrected(sandbox, first, NEW)
    answer = sandbox.ask("restore", id=first.id)
    assert answer.stored.memory.origin is Origin.EXTERNAL
    assert answer.stored.verdict is Verdict.GOOD


def test_every_version_can_be_seen_as_it_was_on_a_day(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ms += DAY
    noon = sandbox.now
    sandbox.ms += DAY
    corrected(sandbox, first, NEW)
    assert sandbox.texts(at=noon) == [OLD]
    assert sandbox.texts(at=noon - timedelta(days=2)) == []
    assert sandbox.ask("show", id=first.id, at=noon).stored.status is Status.LIVE
    assert sandbox.texts("recall", query="default port", at=noon) == [OLD]


# Pins


def test_a_pin_can_be_set_and_taken_away(sandbox: Sandbox) -> None:
    memory = sandbox.remember(OLD)
    assert sandbox.ask("pin", id=memory.id).memory.pinned
    assert sandbox.texts(pinned=True) == [OLD]
    assert not sandbox.ask("pin", id=memory.id, off=True).memory.pinned
    assert sandbox.texts(pinned=True) == []


def test_pinning_twice_writes_once_and_leaves_the_time_alone(sandbox: Sandbox) -> None:
    memory = sandbox.remember(OLD)
    sandbox.ask("pin", id=memory.id)
    before = sandbox.journal()
    assert sandbox.ask("pin", id=memory.id).memory.updated_at == memory.updated_at
    assert sandbox.journal() == before


def test_pinning_an_older_version_pins_the_newest(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    second = corrected(sandbox, first, NEW)
    assert sandbox.ask("pin", id=first.id).memory.id == second.id
    assert sandbox.texts(pinned=True) == [NEW]
