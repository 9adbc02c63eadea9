"""When a memory that replaced another one is hidden, the other one comes back."""

from __future__ import annotations

import pytest

from limpet.forms.json import encode_answer
from limpet.forms.model import render_for_model
from limpet.learning.retirement import retire_turn
from limpet.model.change import Status
from limpet.model.memory import Draft, Memory, Origin, Type
from limpet.operations.catalogue import load_verb
from limpet.operations.inbox import Review
from limpet.runtime.permissions import find_memory
from tests.doors.test_admit import admit_captured
from tests.operations.sandbox import MODEL, USER, Sandbox

POOL = "The pool size is {}"


def statuses(sandbox: Sandbox, *memories: Memory) -> list[Status]:
    return [sandbox.ask("show", id=each.id).stored.status for each in memories]


def note(sandbox: Sandbox, text: str) -> Memory:
    return admit_captured(sandbox, Draft(text=text, origin=Origin.USER))


@pytest.mark.parametrize("caller", [USER, MODEL])
def test_forgetting_a_replacement_brings_back_what_it_replaced(sandbox: Sandbox, caller: object) -> None:
    older, newer = (sandbox.remember(POOL.format(size), as_=caller) for size in (5, 10))
    answer = sandbox.ask("forget", ids=[newer.id], as_=caller)
    assert [each.memory.id for each in answer.restored] == [older.id]
    assert sandbox.texts() == [POOL.format(5)]


def test_in_a_chain_only_the_last_one_brings_something_back(sandbox: Sandbox) -> None:
    first, second, third = (sandbox.remember(POOL.format(size)) for size in (5, 10, 20))
    assert sandbox.ask("forget", ids=[second.id]).restored == ()
    assert statuses(sandbox, first, third) == [Status.SUPERSEDED, Status.LIVE]
    sandbox.ask("forget", ids=[third.id])
    assert sandbox.texts() == [POOL.format(5)]


def test_forgetting_both_brings_nothing_back(sandbox: Sandbox) -> None:
    older, newer = (sandbox.remember(POOL.format(size)) for size in (5, 10))
    assert sandbox.ask("forget", ids=[older.id, newer.id]).restored == ()
    assert sandbox.texts() == []


def test_a_corrected_replacement_brings_back_too(sandbox: Sandbox) -> None:
    sandbox.remember(POOL.format(5))
    newer = sandbox.correct(sandbox.remember(POOL.format(10)), "The pool size is 12 in production")
    sandbox.ask("forget", ids=[newer.id])
    assert sandbox.texts() == [POOL.format(5)]


def test_forgetting_a_correction_or_the_same_words_brings_nothing_back(sandbox: Sandbox) -> None:
    newest = sandbox.correct(sandbox.remember(POOL.format(5)), POOL.format(10))
    assert sandbox.ask("forget", ids=[newest.id]).restored == ()
    sandbox.remember("The gate is green", as_=MODEL)
    again = sandbox.remember("The gate is green")
    assert sandbox.ask("forget", ids=[again.id]).restored == ()
    assert sandbox.texts() == []


def test_purging_a_replacement_brings_back_what_it_replaced(sandbox: Sandbox) -> None:
    sandbox.remember(POOL.format(5))
    sandbox.ask("purge", ids=[sandbox.remember(POOL.format(10)).id], yes=True)
    assert sandbox.texts() == [POOL.format(5)]


def test_a_private_memory_that_comes_back_is_not_named_to_a_model(sandbox: Sandbox) -> None:
    older = sandbox.remember(POOL.format(5), sensitivity="private")
    newer = sandbox.remember(POOL.format(10))
    assert sandbox.ask("forget", ids=[newer.id], as_=MODEL).restored == ()
    assert statuses(sandbox, older) == [Status.LIVE]


def test_restoring_a_replacement_replaces_again(sandbox: Sandbox) -> None:
    older, newer = (sandbox.remember(POOL.format(size)) for size in (5, 10))
    sandbox.ask("forget", ids=[newer.id])
    answer = sandbox.ask("restore", id=newer.id)
    assert answer.how == f"no longer forgotten; it replaces {older.id} again"
    assert statuses(sandbox, older, newer) == [Status.SUPERSEDED, Status.LIVE]


def test_what_was_corrected_since_it_came_back_stays(sandbox: Sandbox) -> None:
    older, newer = (sandbox.remember(POOL.format(size)) for size in (5, 10))
    sandbox.ask("forget", ids=[newer.id])
    corrected = sandbox.correct(sandbox.ask("show", id=older.id).stored.memory, "The pool size is 7 on staging")
    assert sandbox.ask("restore", id=newer.id).how == "no longer forgotten"
    assert statuses(sandbox, corrected, newer) == [Status.LIVE, Status.LIVE]


def test_dropping_a_note_brings_back_what_it_replaced(sandbox: Sandbox) -> None:
    older, newer = (note(sandbox, POOL.format(size)) for size in (5, 10))
    sandbox.ask("inbox", drop=[newer.id])
    assert statuses(sandbox, older, newer) == [Status.LIVE, Status.FORGOTTEN]


def test_undoing_a_drop_in_a_review_replaces_again(sandbox: Sandbox) -> None:
    older, newer = (note(sandbox, POOL.format(size)) for size in (5, 10))
    stored = sandbox.ask("show", id=newer.id).stored
    with sandbox.open() as runtime:
        review = Review(runtime)
        review.drop(stored)
        assert find_memory(runtime, older.id).status is Status.LIVE
        review.undo()
    assert statuses(sandbox, older, newer) == [Status.SUPERSEDED, Status.LIVE]


def test_the_answers_name_what_is_told_again(sandbox: Sandbox) -> None:
    older, newer = (sandbox.remember(POOL.format(size)) for size in (5, 10))
    answer = sandbox.ask("forget", ids=[newer.id])
    assert encode_answer(load_verb("forget"), answer, sandbox.now)["restored"] == [older.id]
    with sandbox.open(MODEL) as runtime:
        assert f'"told_again":["{older.id}"]' in render_for_model("forget", runtime, answer)


def test_what_a_turn_replaced_comes_back_if_the_user_objects_to_the_turn(sandbox: Sandbox) -> None:
    older, newer = (
        admit_captured(
            sandbox, Draft(text=POOL.format(size), origin=Origin.AGENT, type=Type.DECISION, session=f"s-{size}")
        )
        for size in (5, 10)
    )
    assert statuses(sandbox, older) == [Status.SUPERSEDED]
    with sandbox.open() as runtime:
        runtime.write(retire_turn(1, sandbox.now, scope=runtime.scope(), session="s-10", reading=runtime.reading()))
    assert statuses(sandbox, older, newer) == [Status.LIVE, Status.FORGOTTEN]
