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
from tests.operations.desk import DAY, MODEL, Desk

OLD, NEW, NEWEST = "The default port is 8080", "The default port is 9090", "The default port is 7070"


def corrected(desk: Desk, memory: Memory, text: str, **fields: object) -> Memory:
    outcome = desk.ask("correct", id=memory.id, text=text, **fields)
    assert isinstance(outcome, Admitted), outcome
    return outcome.memory


def test_a_correction_is_the_next_version_and_both_are_kept(desk: Desk) -> None:
    first = desk.remember(OLD)
    second = corrected(desk, first, NEW)
    assert (second.version, second.corrects, second.lineage) == (2, first.id, (first.id,))
    shown = desk.ask("show", id=first.id)
    assert shown.stored.status is Status.SUPERSEDED
    assert shown.stored.memory.superseded_by == second.id
    assert [version.memory.content for version in shown.versions] == [OLD, NEW]
    assert desk.texts() == [NEW]
    assert sorted(desk.texts(all=True)) == [OLD, NEW]


def test_a_correction_of_an_older_version_belongs_to_the_newest_and_says_so(desk: Desk) -> None:
    first = desk.remember(OLD)
    second = corrected(desk, first, NEW)
    outcome = desk.ask("correct", id=first.id, text=NEWEST)
    assert outcome.memory.corrects == second.id
    assert outcome.memory.version == 3
    assert outcome.notes == (f"{first.id} had been corrected before; this corrects {second.id}",)


def test_a_correction_keeps_what_it_does_not_speak_of(desk: Desk) -> None:
    first = desk.remember(
        OLD, kind="ACHIEVEMENTS", impact="HIGH", importance=0.66, difficulty=0.9, tags=["net"], files=["a.py"],
        pinned=True, ttl_days=9,
    )  # fmt: skip
    second = corrected(desk, first, NEW)
    assert (second.kind, second.impact, second.importance) == (Kind.ACHIEVEMENTS, Impact.HIGH, 0.66)
    assert (second.difficulty, second.tags, second.files_read) == (0.9, ("net",), ("a.py",))
    assert (second.pinned, second.expires_at) == (True, first.expires_at)
    third = corrected(desk, second, NEWEST, impact="LOW", tags=["other"], files=["b.py"])
    assert (third.impact, third.importance, third.tags) == (Impact.LOW, 0.3, ("other",))
    assert third.files_read == ("b.py",)


def test_a_correction_of_what_has_expired_does_not_expire(desk: Desk) -> None:
    first = desk.remember(OLD, ttl_days=1)
    desk.ms += 2 * DAY
    assert corrected(desk, first, NEW).expires_at is None


def test_a_correction_by_a_model_is_the_models_word(desk: Desk) -> None:
    first = desk.remember(OLD)
    desk.ask("confirm", ids=[first.id])
    second = corrected(desk, first, NEW, as_=MODEL)
    assert (second.origin, second.confirmed) == (Origin.AGENT, False)


def test_correcting_with_the_same_text_changes_nothing_unless_something_else_is_said(desk: Desk) -> None:
    first = desk.remember(OLD)
    before = desk.journal()
    assert isinstance(desk.ask("correct", id=first.id, text=OLD), Duplicate)
    assert desk.journal() == before
    assert corrected(desk, first, OLD, impact="CRITICAL").impact is Impact.CRITICAL


def test_a_correction_that_says_what_another_memory_says_is_shown_once(desk: Desk) -> None:
    first, other = desk.remember(OLD), desk.remember("The plant needs water")
    outcome = desk.ask("correct", id=other.id, text=OLD)
    assert outcome.notes == (f"nearly the same as {first.id}",)
    assert desk.texts() == [OLD]


def test_a_forgotten_memory_must_be_restored_before_it_is_corrected(desk: Desk) -> None:
    first = desk.remember(OLD)
    desk.ask("forget", ids=[first.id])
    with pytest.raises(Refused, match=f"restore it first: limpet restore {first.id}"):
        desk.ask("correct", id=first.id, text=NEW)


def test_concurrent_corrections_both_live_and_name_each_other(desk: Desk) -> None:
    first = desk.remember(OLD)
    with desk.open() as runtime:
        one, two = runtime.admission(), runtime.admission()
        stored = runtime.find(first.id)
        changes = []
        for door, text in ((one, NEW), (two, NEWEST)):
            assert isinstance(door.admit(draft_from(runtime, text=text), correcting=stored), Admitted)
            changes += door.changes
        runtime.write(changes)
    assert sorted(desk.texts()) == [NEWEST, NEW]
    shown = desk.ask("show", id=desk.ask("recall", query="7070").items[0].memory.id)
    assert "concurrent" in dict(shown.links)
    assert len(shown.versions) == 3


def test_forgetting_one_of_two_concurrent_versions_leaves_the_other(desk: Desk) -> None:
    test_concurrent_corrections_both_live_and_name_each_other(desk)
    one = next(each for each in desk.ask("list").items if each.memory.content == NEW)
    desk.ask("forget", ids=[one.memory.id])
    assert desk.texts() == [NEWEST]


# Restoring, in its three meanings


def test_restoring_undoes_a_forget(desk: Desk) -> None:
    first = desk.remember(OLD)
    desk.ask("forget", ids=[first.id])
    assert desk.texts() == []
    answer = desk.ask("restore", id=first.id)
    assert (answer.how, answer.stored.status) == ("no longer forgotten", Status.LIVE)
    assert desk.texts() == [OLD]


@pytest.mark.parametrize("forgotten", [0, 1])
@pytest.mark.parametrize("restored", [0, 1])
def test_undoing_a_forget_gives_back_what_was_there_whichever_version_is_named(
    desk: Desk, forgotten: int, restored: int
) -> None:
    first = desk.remember(OLD)
    versions = (first, corrected(desk, first, NEW))
    desk.ask("forget", ids=[versions[forgotten].id])
    assert desk.texts() == []
    answer = desk.ask("restore", id=versions[restored].id)
    assert answer.how.startswith("no longer forgotten")
    assert desk.texts() == [NEW]
    if not restored:
        assert versions[1].id in answer.how


def test_restoring_an_older_version_makes_it_the_newest(desk: Desk) -> None:
    first = desk.remember(OLD, tags=["net"], confidence=0.9)
    second = corrected(desk, first, NEW)
    answer = desk.ask("restore", id=first.id)
    memory = answer.stored.memory
    assert answer.how == f"the text of {first.id} is the newest version again"
    assert (memory.content, memory.version, memory.corrects) == (OLD, 3, second.id)
    assert (memory.tags, memory.confidence) == (("net",), 0.9)
    assert desk.texts() == [OLD]
    assert [each.memory.content for each in desk.ask("show", id=memory.id).versions] == [OLD, NEW, OLD]


def test_restoring_brings_a_condensed_text_back_in_full(desk: Desk) -> None:
    text = "First sentence of many. " * 40
    caps: dict[str, object] = {"store.project_cap": 1}
    memory = desk.remember(text.strip(), flags=caps)
    desk.remember("Another one that takes its place", flags=caps)
    condensed = desk.ask("show", id=memory.id).stored.memory
    assert condensed.phase is Phase.HINT and len(condensed.content) < len(text)
    assert condensed.original_content == text.strip()
    answer = desk.ask("restore", id=memory.id)
    assert answer.how == "its text is back in full"
    assert answer.stored.memory == memory


def test_restoring_what_is_there_changes_nothing(desk: Desk) -> None:
    memory = desk.remember(OLD)
    before = desk.journal()
    assert desk.ask("restore", id=memory.id).how == "it was there already"
    assert desk.journal() == before


def test_a_model_cannot_bring_back_what_was_forgotten(desk: Desk) -> None:
    memory = desk.remember(OLD)
    desk.ask("forget", ids=[memory.id])
    with pytest.raises(Refused, match="only a person can bring back"):
        desk.ask("restore", id=memory.id, as_=MODEL)
    assert desk.texts() == []


def test_a_restored_version_is_signed_and_no_more_trusted_than_it_was(desk: Desk) -> None:
    desk.ask("sign")
    first = desk.remember(OLD, origin="external")
    corrected(desk, first, NEW)
    answer = desk.ask("restore", id=first.id)
    assert answer.stored.memory.origin is Origin.EXTERNAL
    assert answer.stored.verdict is Verdict.GOOD


def test_every_version_can_be_seen_as_it_was_on_a_day(desk: Desk) -> None:
    first = desk.remember(OLD)
    desk.ms += DAY
    noon = desk.now
    desk.ms += DAY
    corrected(desk, first, NEW)
    assert desk.texts(at=noon) == [OLD]
    assert desk.texts(at=noon - timedelta(days=2)) == []
    assert desk.ask("show", id=first.id, at=noon).stored.status is Status.LIVE
    assert desk.texts("recall", query="default port", at=noon) == [OLD]


# Pins


def test_a_pin_can_be_set_and_taken_away(desk: Desk) -> None:
    memory = desk.remember(OLD)
    assert desk.ask("pin", id=memory.id).stored.memory.pinned
    assert desk.texts(pinned=True) == [OLD]
    assert not desk.ask("pin", id=memory.id, off=True).stored.memory.pinned
    assert desk.texts(pinned=True) == []


def test_pinning_twice_writes_once_and_leaves_the_time_alone(desk: Desk) -> None:
    memory = desk.remember(OLD)
    desk.ask("pin", id=memory.id)
    before = desk.journal()
    assert desk.ask("pin", id=memory.id).stored.memory.updated_at == memory.updated_at
    assert desk.journal() == before


def test_pinning_an_older_version_pins_the_newest(desk: Desk) -> None:
    first = desk.remember(OLD)
    second = corrected(desk, first, NEW)
    assert desk.ask("pin", id=first.id).stored.memory.id == second.id
    assert desk.texts(pinned=True) == [NEW]
