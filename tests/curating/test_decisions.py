"""Every decision about a note can be undone, in its sitting and afterwards, and the note is as it was."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.curating.decisions import Sitting
from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.memory import Memory, Origin, Tier
from limpet.operations import inbox
from limpet.runtime.identity import TERMINAL
from limpet.runtime.permissions import find_memory
from tests.inject.injecting import inject
from tests.operations.sandbox import DAY, MODEL, PROGRAM, Sandbox
from tests.operations.test_inbox import RULE, listed, note, show

TEXTS = ("The exporter takes a lock", "RATES is keyed by ISO code", "The queue has 12 workers")
SAME = ("content", "tier", "earned", "confirmed", "confidence", "origin", "importance", "title", "created_at")


def notes(sandbox: Sandbox) -> list[Memory]:
    return [note(sandbox, text, Origin.TOOL, confidence=0.6, session="s0") for text in TEXTS]


def state(sandbox: Sandbox, memory: Memory) -> tuple[object, ...]:
    """Return what must be as before after an undo, but for the id: an edit cannot be unwritten."""
    [stored] = [each for each in sandbox.ask("inbox").notes.items if each.memory.content == memory.content]
    return (stored.status, stored.standing, *(getattr(stored.memory, name) for name in SAME))


def decide(sandbox: Sandbox, **chosen: list[Memory]) -> None:
    """Decide in a sitting of its own, as a person does on a terminal."""
    sandbox.ms += 1000
    with sandbox.open() as runtime:
        found = {name: [find_memory(runtime, each.id) for each in memories] for name, memories in chosen.items()}
        Sitting(runtime, {"proof": TERMINAL}).decide(**found)


def edit(sandbox: Sandbox, memory: Memory, text: str) -> None:
    sandbox.ms += 1000
    with sandbox.open() as runtime:
        Sitting(runtime, {"proof": TERMINAL}).edit(find_memory(runtime, memory.id), text)


@pytest.mark.parametrize("decision", ["keep", "drop", "edit"])
def test_undo_afterwards_brings_a_note_back_as_it_was(sandbox: Sandbox, decision: str) -> None:
    memory, *_ = notes(sandbox)
    sandbox.ms += 3 * DAY
    was = state(sandbox, memory)
    if decision == "edit":
        edit(sandbox, memory, "uv installs everything here")
    else:
        decide(sandbox, **{decision: [memory]})
    assert memory.content not in listed(sandbox)
    sandbox.ms += 3 * DAY
    [back] = sandbox.ask("inbox", action="undo").undone
    assert (back.memory.content, back.status) == (memory.content, Status.LIVE)
    assert state(sandbox, memory) == was
    assert "uv installs everything here" not in sandbox.texts()


@pytest.mark.parametrize("decision", ["keep", "drop", "edit"])
def test_an_undone_note_fades_as_if_nothing_had_been_decided(sandbox: Sandbox, decision: str) -> None:
    memory, other, _ = notes(sandbox)
    for day in range(4):
        sandbox.ms += DAY
        sandbox.remember(f"Something else on day {day}", session=f"day-{day}")
        if day == 1 and decision == "edit":
            edit(sandbox, memory, "A lock is taken by the exporter")
        elif day == 1:
            decide(sandbox, **{decision: [memory]})
    sandbox.ask("inbox", action="undo")
    idle = {each.memory.content: each.standing.idle_days for each in sandbox.ask("inbox").notes.items}
    assert idle[memory.content] == idle[other.content] == 4


def test_what_a_confirmation_withdrew_is_back_too(sandbox: Sandbox) -> None:
    memory, *_ = notes(sandbox)
    sandbox.ask("feedback", id=memory.id, says="stale")
    was = state(sandbox, memory)
    decide(sandbox, keep=[memory])
    sandbox.ask("inbox", action="undo")
    assert state(sandbox, memory) == was


def test_a_decision_about_many_is_undone_as_one(sandbox: Sandbox) -> None:
    found = notes(sandbox)
    with sandbox.open() as runtime:
        sitting = Sitting(runtime, {"proof": TERMINAL})
        sitting.decide(drop=[show(sandbox, each) for each in found[:2]])
        sitting.decide(keep=[show(sandbox, found[2])])
        assert listed(sandbox) == []
        sitting.undo()
        assert listed(sandbox) == [TEXTS[2]]
        sitting.undo()
        assert sorted(listed(sandbox)) == sorted(TEXTS)
        with pytest.raises(Refused, match="there is nothing to undo"):
            sitting.undo()


def test_the_last_sitting_is_undone_and_then_the_one_before(sandbox: Sandbox) -> None:
    first, second, third = notes(sandbox)
    decide(sandbox, keep=[first])
    decide(sandbox, drop=[second, third])
    assert len(sandbox.ask("inbox", action="undo").undone) == 2
    assert sorted(listed(sandbox)) == sorted([TEXTS[1], TEXTS[2]])
    assert [each.memory.id for each in sandbox.ask("inbox", action="undo").undone] == [first.id]
    with pytest.raises(Refused, match="there is no decision to undo here"):
        sandbox.ask("inbox", action="undo")


def test_what_was_undone_or_decided_again_since_is_left_alone(sandbox: Sandbox) -> None:
    first, second, third = notes(sandbox)
    decide(sandbox, keep=[first, second], drop=[third])
    sandbox.ask("forget", ids=[first.id])
    sandbox.ask("pin", id=second.id)
    assert [each.memory.id for each in sandbox.ask("inbox", action="undo").undone] == [third.id]
    assert (show(sandbox, first).status, show(sandbox, second).memory.tier) == (Status.FORGOTTEN, Tier.KEPT)


def test_decisions_by_id_and_those_of_a_model_can_be_undone(sandbox: Sandbox) -> None:
    first, second, _ = notes(sandbox)
    sandbox.ask("inbox", keep=[first.id])
    with sandbox.open(MODEL) as runtime:
        inbox.run(runtime, drop=[second.id], by_model=True)
    for memory in (second, first):
        [back] = sandbox.json("inbox", action="undo")["undone"]
        assert back == memory.id
    assert sorted(listed(sandbox)) == sorted(TEXTS)


def test_only_a_person_can_undo(sandbox: Sandbox) -> None:
    memory, *_ = notes(sandbox)
    decide(sandbox, drop=[memory])
    for caller in (MODEL, PROGRAM):
        with pytest.raises(Refused, match="only a person can decide about a note"):
            sandbox.ask("inbox", action="undo", as_=caller)
    assert show(sandbox, memory).status is Status.FORGOTTEN


def test_a_sitting_in_another_project_is_not_undone_from_here(sandbox: Sandbox) -> None:
    memory, *_ = notes(sandbox)
    decide(sandbox, drop=[memory])
    other = sandbox.folder / "other"
    other.mkdir()
    with pytest.raises(Refused, match="no decision to undo"):
        sandbox.ask("inbox", action="undo", cwd=other)
    assert sandbox.ask("inbox", action="undo", cwd=other, all_projects=True).undone


def test_the_next_start_tells_what_was_kept(sandbox: Sandbox) -> None:
    on_trial = note(sandbox, RULE, importance=0.6, session="s0")
    report = notes(sandbox)[1]
    assert RULE in inject(sandbox)
    answer = sandbox.ask("inbox", keep=[report.id, on_trial.id])
    assert {each.id for each in answer.told} == {report.id, on_trial.id}
    told = inject(sandbox, session="s9")
    assert all(each.content in told for each in answer.told)
    assert sandbox.ask("inbox").told == ()


def test_a_dropped_note_makes_room_for_the_next_one_on_trial(sandbox: Sandbox) -> None:
    rules: list[Any] = [
        note(sandbox, f"Rule {n}: always run step {n} first", importance=0.6 + n / 50, session="s0") for n in range(4)
    ]
    assert [each.id for each in sandbox.ask("inbox", drop=[rules[3].id]).told] == [rules[0].id]
