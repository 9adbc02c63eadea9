"""When a memory that replaced another one is hidden, the other one comes back."""

from __future__ import annotations

import io

import pytest

from limpet.curating.decisions import Sitting
from limpet.errors import UsageError
from limpet.forms.json import encode_answer
from limpet.forms.model import render_for_model
from limpet.forms.terminal import Output
from limpet.forms.views.memories import show_remember
from limpet.learning.retirement import retire_turn
from limpet.model.change import Status
from limpet.model.memory import Draft, Memory, Origin, Type
from limpet.operations.catalogue import load_verb
from limpet.runtime.identity import TERMINAL
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
        sitting = Sitting(runtime, {"proof": TERMINAL})
        sitting.decide(drop=[stored])
        assert find_memory(runtime, older.id).status is Status.LIVE
        sitting.undo()
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


REDIS, POSTGRES = "The session store is Redis", "sessions moved over to the Postgres box, redis is only a cache now"


def ask_about(sandbox: Sandbox, text: str, **values: object) -> tuple[str, ...]:
    return tuple(each.id for each in sandbox.ask("remember", text=text, **values).older)


def test_who_stores_a_text_is_asked_about_the_older_ones_on_its_subject(sandbox: Sandbox) -> None:
    older = sandbox.remember(REDIS)
    sandbox.remember("Invoices are rounded half to even, as the auditors demand")
    assert ask_about(sandbox, POSTGRES) == (older.id,)
    assert ask_about(sandbox, "The team has lunch together on the first day of a sprint") == ()


def test_a_model_is_also_asked_about_what_does_not_stand_out(sandbox: Sandbox) -> None:
    older = sandbox.remember("Marta reviews every change of the parser")
    assert ask_about(sandbox, "from now on Jonas looks at what touches the grammar") == ()
    assert older.id in ask_about(sandbox, "since May Jonas looks at what touches the grammar", as_=MODEL)


def test_nobody_is_asked_about_what_is_certain_or_only_noted(sandbox: Sandbox) -> None:
    sandbox.remember(POOL.format(5))
    assert ask_about(sandbox, POOL.format(10)) == ()
    note(sandbox, REDIS)
    assert ask_about(sandbox, POSTGRES) == ()


def test_a_model_is_not_asked_about_a_private_memory_or_one_of_another_project(sandbox: Sandbox) -> None:
    sandbox.remember(REDIS, sensitivity="private")
    sandbox.ask("remember", text=f"{REDIS} in all my repos", region="AGENT")
    assert ask_about(sandbox, POSTGRES, as_=MODEL) == ()


def test_at_most_three_older_memories_are_named(sandbox: Sandbox) -> None:
    for name in ("orders", "returns", "invoices", "carts"):
        sandbox.remember(f"The {name} service stores its rows in MySQL and caches them in Redis")
    assert len(ask_about(sandbox, "Rows of the orders service are stored in MariaDB and cached in Redis")) <= 3


@pytest.mark.parametrize("caller", [USER, MODEL])
def test_what_is_said_to_be_replaced_is_hidden_and_comes_back(sandbox: Sandbox, caller: object) -> None:
    older = sandbox.remember(REDIS, as_=caller)
    newer = sandbox.ask("remember", text=POSTGRES, replaces=[older.id], as_=caller)
    assert newer.older == ()
    shown = sandbox.ask("show", id=older.id).stored
    assert (shown.status, shown.memory.superseded_by) == (Status.SUPERSEDED, newer.memory.id)
    assert sandbox.ask("show", id=newer.memory.id).links == (("replaces", older.id),)
    sandbox.ask("forget", ids=[newer.memory.id])
    assert statuses(sandbox, older) == [Status.LIVE]


def test_the_same_text_is_stored_once_and_replaces_then(sandbox: Sandbox) -> None:
    older, newer = sandbox.remember(REDIS), sandbox.remember(POSTGRES)
    again = sandbox.ask("remember", text=POSTGRES, replaces=[older.id, newer.id])
    assert again.memory.id == newer.id
    assert statuses(sandbox, older, newer) == [Status.SUPERSEDED, Status.LIVE]
    assert sandbox.ask("remember", text=POSTGRES, replaces=[older.id]).notes == ()


def test_a_model_that_replaces_the_users_words_is_asked_to_say_so(sandbox: Sandbox) -> None:
    older = sandbox.remember(REDIS)
    outcome = sandbox.ask("remember", text=POSTGRES, replaces=[older.id], as_=MODEL)
    assert outcome.notes == (
        f"replaces {older.id}, which was the user's own, so tell them; to undo that: limpet restore {older.id}",
    )


@pytest.mark.parametrize("origin", ["tool", "external"])
def test_what_was_read_replaces_nothing_that_is_trusted_more(sandbox: Sandbox, origin: str) -> None:
    older = sandbox.remember(REDIS, as_=MODEL)
    outcome = sandbox.ask("remember", text=POSTGRES, replaces=[older.id], origin=origin, as_=MODEL)
    assert f"{older.id} stays, because it is trusted more than this" in outcome.notes[-1]
    assert statuses(sandbox, older) == [Status.LIVE]


def test_only_the_user_replaces_a_pinned_memory(sandbox: Sandbox) -> None:
    older = sandbox.remember(REDIS, pinned=True)
    sandbox.remember(POSTGRES, replaces=[older.id], as_=MODEL)
    assert statuses(sandbox, older) == [Status.LIVE]
    sandbox.ask("remember", text=POSTGRES, replaces=[older.id])
    assert statuses(sandbox, older) == [Status.SUPERSEDED]


@pytest.mark.parametrize("origin", ["agent", "tool"])
def test_who_repeats_the_users_words_replaces_no_more_than_their_own_words_do(sandbox: Sandbox, origin: str) -> None:
    pinned, mine = sandbox.remember(REDIS, pinned=True), sandbox.remember("Invoices are rounded half to even")
    known = sandbox.remember(POSTGRES)
    again = sandbox.ask("remember", text=POSTGRES, replaces=[pinned.id, mine.id], origin=origin, as_=MODEL)
    assert again.memory.id == known.id
    kept = Status.SUPERSEDED if origin == "agent" else Status.LIVE
    assert statuses(sandbox, pinned, mine) == [Status.LIVE, kept]
    assert origin == "tool" or "which was the user's own, so tell them" in again.notes[-1]


def test_an_agent_replaces_no_rule_of_every_project_with_one_of_this_project(sandbox: Sandbox) -> None:
    older = sandbox.remember("Never indent with tabs", region="AGENT")
    outcome = sandbox.ask("remember", text="The parser indents with tabs", replaces=[older.id], as_=MODEL)
    assert f"{older.id} stays, because it is valid in every project, and this in one" in outcome.notes[-1]
    sandbox.ask("remember", text="The exporter indents with tabs", replaces=[older.id])
    assert statuses(sandbox, older) == [Status.SUPERSEDED]


def test_a_note_that_is_kept_names_what_it_may_replace(sandbox: Sandbox) -> None:
    older, newer = sandbox.remember(REDIS), note(sandbox, POSTGRES)
    answer = sandbox.ask("inbox", keep=[newer.id])
    assert [each.id for each in answer.older[newer.id]] == [older.id]
    with sandbox.open(MODEL) as runtime:
        assert f'"{newer.id}":[{{"id":"{older.id}"' in render_for_model("inbox", runtime, answer)


def test_a_person_sees_the_command_that_replaces(sandbox: Sandbox) -> None:
    older = sandbox.remember(REDIS)
    outcome = sandbox.ask("remember", text=POSTGRES)
    stream = io.StringIO()
    show_remember(outcome, Output(stream))
    assert older.id in stream.getvalue()
    assert f"limpet remember --replaces ID '{POSTGRES}'" in stream.getvalue()


def test_one_text_replaces_at_most_twenty(sandbox: Sandbox) -> None:
    older = sandbox.remember(REDIS)
    with pytest.raises(UsageError, match="at most 20"):
        sandbox.ask("remember", text=POSTGRES, replaces=[older.id] * 21, as_=MODEL)
    assert statuses(sandbox, older) == [Status.LIVE]
