"""A correction is a new version, and both versions are kept."""

from __future__ import annotations

import pytest

from limpet.curating.writing import build_draft
from limpet.errors import Refused, UsageError
from limpet.model.change import Status
from limpet.model.memory import Impact, Kind, Origin, Region
from limpet.model.outcome import Admitted, Duplicate
from limpet.runtime import Caller
from limpet.runtime.permissions import find_memory
from tests.operations.sandbox import DAY, MODEL, PROGRAM, USER, Sandbox

OLD, NEW, NEWEST = "The default port is 8080", "The default port is 9090", "The default port is 7070"


def test_a_correction_is_the_next_version_and_both_are_kept(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    second = sandbox.correct(first, NEW)
    assert (second.version, second.corrects, second.lineage) == (2, first.id, (first.id,))
    shown = sandbox.ask("show", id=first.id)
    assert shown.stored.status is Status.SUPERSEDED
    assert shown.stored.memory.superseded_by == second.id
    assert [version.memory.content for version in shown.versions] == [OLD, NEW]
    assert sandbox.texts() == [NEW]
    assert sorted(sandbox.texts(all=True)) == [OLD, NEW]


def test_a_correction_of_an_older_version_belongs_to_the_newest_and_says_so(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    second = sandbox.correct(first, NEW)
    outcome = sandbox.ask("correct", id=first.id, text=NEWEST)
    assert outcome.memory.corrects == second.id
    assert outcome.memory.version == 3
    assert outcome.notes == (f"{first.id} was corrected before; this corrects {second.id}",)


def test_a_correction_keeps_the_fields_it_does_not_give(sandbox: Sandbox) -> None:
    first = sandbox.remember(
        OLD, kind="ACHIEVEMENTS", impact="HIGH", importance=0.66, difficulty=0.9, tags=["net"], files=["a.py"],
        pinned=True, ttl_days=9,
    )  # fmt: skip
    second = sandbox.correct(first, NEW)
    assert (second.kind, second.impact, second.importance) == (Kind.ACHIEVEMENTS, Impact.HIGH, 0.66)
    assert (second.difficulty, second.tags, second.files_read) == (0.9, ("net",), ("a.py",))
    assert (second.pinned, second.expires_at) == (True, first.expires_at)
    third = sandbox.correct(second, NEWEST, impact="LOW", tags=["other"], files=["b.py"])
    assert (third.impact, third.importance, third.tags) == (Impact.LOW, 0.3, ("other",))
    assert third.files_read == ("b.py",)


def test_a_memory_of_every_project_is_moved_into_this_one(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD, region="AGENT", title="Port", tags=["net"], impact="HIGH")
    other = sandbox.folder / "other"
    other.mkdir()
    assert sandbox.texts(cwd=other) == [OLD]
    moved = sandbox.ask("correct", id=first.id, region="PROJECT").memory
    assert (moved.region, moved.corrects, moved.content) == (Region.PROJECT, first.id, OLD)
    assert (moved.title, moved.tags, moved.impact) == ("Port", ("net",), Impact.HIGH)
    assert (sandbox.texts(), sandbox.texts(cwd=other)) == ([OLD], [])
    again = sandbox.ask("correct", id=first.id, region="PROJECT")
    assert isinstance(again, Duplicate) and "nothing was changed" in again.notes[0]
    back = sandbox.ask("correct", id=moved.id, text=NEW, region="AGENT").memory
    assert (back.region, back.project, sandbox.texts(cwd=other)) == (Region.AGENT, None, [NEW])


def test_a_correction_without_a_text_only_moves(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    for fields in ({}, {"region": "AGENT", "title": "Port"}):
        with pytest.raises(UsageError, match="text is missing; give the better text, or --region alone"):
            sandbox.ask("correct", id=first.id, **fields)


def test_a_model_cannot_let_every_project_see_a_memory(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    with pytest.raises(Refused, match="only a person can let every project see a memory"):
        sandbox.ask("correct", id=first.id, region="AGENT", as_=MODEL)
    with pytest.raises(Refused, match="only a person can let every project see a memory"):
        sandbox.ask("correct", id=first.id, text=NEW, region="AGENT", as_=MODEL)


def test_a_correction_that_says_what_is_stored_leaves_one_of_the_two(sandbox: Sandbox) -> None:
    here = sandbox.remember(OLD, region="PROJECT")
    everywhere = sandbox.remember(OLD, region="AGENT")
    outcome = sandbox.ask("correct", id=everywhere.id, region="PROJECT")
    assert outcome.notes[-1] == f"{here.id} says exactly the same and is superseded by it"
    assert [each.memory.id for each in sandbox.ask("list").items] == [outcome.memory.id]
    assert [each.what for each in sandbox.ask("doctor").problems if "exactly the same" in each.what] == []


def test_a_correction_of_what_has_expired_does_not_expire(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD, ttl_days=1)
    sandbox.ms += 2 * DAY
    assert sandbox.correct(first, NEW).expires_at is None


def test_a_correction_by_a_model_is_the_models_word(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("confirm", ids=[first.id])
    second = sandbox.correct(first, NEW, as_=MODEL)
    assert (second.origin, second.confirmed) == (Origin.AGENT, False)


@pytest.mark.parametrize("origin", [Origin.EXTERNAL, Origin.IMPORT, Origin.FILE, Origin.TOOL])
@pytest.mark.parametrize("caller", [USER, PROGRAM, MODEL])
def test_a_correction_has_the_lower_origin_of_both_and_says_so(
    sandbox: Sandbox, origin: Origin, caller: Caller
) -> None:
    first = sandbox.remember(OLD, origin=origin.value)
    outcome = sandbox.ask("correct", id=first.id, text=NEW, as_=caller)
    assert (outcome.memory.origin, outcome.memory.confirmed) == (origin, False)
    assert outcome.notes == (
        f"its origin is {origin.value}, as that of the memory it corrects; "
        f"to vouch for it: limpet confirm {outcome.memory.id}",
    )
    assert sandbox.correct(outcome.memory, NEWEST, as_=caller).origin is origin


def test_what_the_user_vouched_for_and_then_corrects_is_still_vouched_for(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD, origin="external")
    sandbox.ask("confirm", ids=[first.id])
    second = sandbox.correct(first, NEW)
    assert (second.origin, second.confirmed) == (Origin.EXTERNAL, True)
    third = sandbox.correct(second, NEWEST, as_=MODEL)
    assert (third.origin, third.confirmed) == (Origin.EXTERNAL, False)


def test_going_back_to_the_users_text_gives_back_its_origin(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.correct(first, NEW, as_=MODEL)
    assert sandbox.ask("restore", id=first.id).stored.memory.origin is Origin.USER


def test_correcting_with_the_same_text_changes_nothing_unless_something_else_is_said(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    before = sandbox.journal()
    assert isinstance(sandbox.ask("correct", id=first.id, text=OLD), Duplicate)
    assert sandbox.journal() == before
    assert sandbox.correct(first, OLD, impact="CRITICAL").impact is Impact.CRITICAL


def test_a_correction_that_says_what_another_memory_says_is_shown_once(sandbox: Sandbox) -> None:
    first, other = sandbox.remember(OLD), sandbox.remember("The plant needs water")
    outcome = sandbox.ask("correct", id=other.id, text=OLD)
    assert outcome.notes == (
        f"nearly the same as {first.id}",
        f"{first.id} says exactly the same and is superseded by it",
    )
    assert sandbox.texts() == [OLD]
    assert sandbox.ask("show", id=first.id).stored.status is Status.SUPERSEDED


def test_a_forgotten_memory_must_be_restored_before_it_is_corrected(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ask("forget", ids=[first.id])
    with pytest.raises(Refused, match=f"restore it first: limpet restore {first.id}"):
        sandbox.ask("correct", id=first.id, text=NEW)


def test_concurrent_corrections_both_live_and_name_each_other(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    with sandbox.open() as runtime:
        one, two = runtime.admission(), runtime.admission()
        stored = find_memory(runtime, first.id)
        changes = []
        for door, text in ((one, NEW), (two, NEWEST)):
            assert isinstance(door.admit(build_draft(runtime, text=text), correcting=stored), Admitted)
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


def test_the_newest_version_is_replaced(sandbox: Sandbox) -> None:
    first = sandbox.remember("The session store is Redis")
    second = sandbox.correct(first, "The session store is Redis 7")
    sandbox.remember("sessions moved over to the Postgres box", replaces=[first.id])
    assert sandbox.ask("show", id=second.id).stored.status is Status.SUPERSEDED
