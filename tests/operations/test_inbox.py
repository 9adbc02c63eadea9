"""A person keeps, edits and drops notes; a model may choose among them and vouches for nothing."""

from __future__ import annotations

import pytest

from limpet.curating.decisions import Sitting
from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.memory import Draft, Memory, Origin, Sensitivity, Tier, Type
from limpet.model.outcome import Admitted, Duplicate, Rejected
from limpet.model.query import Stored
from limpet.operations import inbox
from limpet.runtime import Runtime
from limpet.runtime.codes import show_code
from limpet.runtime.permissions import require_person
from tests.inject.injecting import inject
from tests.operations.sandbox import MODEL, PROGRAM, Sandbox, git_folder

RULE, REPORT = "Use uv here, never pip", "The lookup failed because RATES is keyed by ISO code"


def note(sandbox: Sandbox, text: str = RULE, origin: Origin = Origin.USER, **fields: object) -> Memory:
    """Capture a text as the worker does that learns from hooks."""
    sandbox.ms += 1000
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        outcome = door.admit(Draft(text=text, origin=origin, **fields))  # type: ignore[arg-type]
        runtime.write(door.changes)
    assert isinstance(outcome, Admitted), outcome
    return outcome.memory


def begin(runtime: Runtime) -> Sitting:
    return Sitting(runtime, require_person(runtime, "inbox", code=None, doing="decide about a note"))


def show(sandbox: Sandbox, memory: Memory) -> Stored:
    found: Stored = sandbox.ask("show", id=memory.id).stored
    return found


def listed(sandbox: Sandbox, **values: object) -> list[str]:
    return [stored.memory.content for stored in sandbox.ask("inbox", **values).notes.items]


# Listing


def test_notes_are_listed_the_best_first_and_nothing_else_is(sandbox: Sandbox) -> None:
    sandbox.remember("Kept already")
    note(sandbox, "Worth less", importance=0.3)
    note(sandbox, "Older", importance=0.4)
    note(sandbox, "Newer", importance=0.4)
    note(sandbox, "A session", type=Type.SESSION_SUMMARY)
    note(sandbox, "My phone is 555", sensitivity=Sensitivity.PRIVATE)
    assert listed(sandbox) == ["Newer", "Older", "Worth less"]
    assert listed(sandbox, private=True)[0] == "My phone is 555"
    answer = sandbox.ask("inbox", limit=1, offset=1)
    assert ([each.memory.content for each in answer.notes.items], answer.notes.total) == (["Older"], 3)


def test_what_the_next_start_tells_on_trial_is_listed_first(sandbox: Sandbox) -> None:
    note(sandbox, "The exporter takes a lock", Origin.TOOL, importance=0.5)
    note(sandbox, "Write the log in French", importance=0.65, session="s0")
    note(sandbox, "Use the echo sounder", importance=0.6, session="s0")
    inject(sandbox)
    assert listed(sandbox)[-1] == "The exporter takes a lock"
    rows = sandbox.json("inbox")["memories"]
    assert [row["content"] for row in rows] == listed(sandbox)


def test_ten_notes_are_listed_at_once(sandbox: Sandbox) -> None:
    for number in range(12):
        note(sandbox, f"Rule number {number} about part {number}")
    answer = sandbox.ask("inbox")
    assert (len(answer.notes.items), answer.notes.total) == (10, 12)


def test_the_notes_of_another_project_are_listed_only_on_request(sandbox: Sandbox) -> None:
    note(sandbox)
    other = sandbox.folder / "other"
    other.mkdir()
    assert listed(sandbox, cwd=other) == []
    answer = sandbox.ask("inbox", cwd=other, all_projects=True)
    assert [each.memory.content for each in answer.notes.items] == [RULE]
    assert list(answer.projects.values()) == ["shop"]


def test_imported_memories_wait_for_a_person_too(sandbox: Sandbox) -> None:
    memory = sandbox.remember("From the old laptop", origin="import")
    [sentence] = sandbox.ask("inbox").confirmable
    assert sentence.startswith("1 imported memory is told only when asked for")
    sandbox.ask("confirm", ids=[memory.id])
    assert sandbox.ask("inbox").confirmable == ()


# Decisions of a person


def test_a_kept_note_is_the_users_word_and_told_at_a_start(sandbox: Sandbox) -> None:
    memory = note(sandbox, REPORT, Origin.TOOL, confidence=0.6)
    assert inject(sandbox) == ""
    with sandbox.open() as runtime:
        begin(runtime).decide(keep=[show(sandbox, memory)])
    kept = show(sandbox, memory).memory
    assert (kept.tier, kept.earned, kept.confirmed, kept.confidence) == (Tier.KEPT, "confirmed", True, 1.0)
    assert REPORT in inject(sandbox)
    assert "confirmed on a terminal" in str(sandbox.json("show", id=memory.id)["decisions"])


def test_a_dropped_note_is_hidden_and_stays_dropped(sandbox: Sandbox) -> None:
    memory = note(sandbox)
    with sandbox.open() as runtime:
        begin(runtime).decide(drop=[show(sandbox, memory)])
    assert (sandbox.texts(), listed(sandbox)) == ([], [])
    with pytest.raises(AssertionError, match="was dropped"):
        note(sandbox)
    assert sandbox.ask("restore", id=memory.id).stored.status is Status.LIVE
    assert listed(sandbox) == [RULE]


def test_an_edited_note_is_a_correction_by_the_user_and_kept(sandbox: Sandbox) -> None:
    memory = note(sandbox, REPORT, Origin.TOOL)
    with sandbox.open() as runtime:
        assert isinstance(begin(runtime).edit(show(sandbox, memory), "RATES is keyed by ISO code"), Admitted)
    [text] = sandbox.texts()
    assert text == "RATES is keyed by ISO code"
    assert show(sandbox, memory).status is Status.SUPERSEDED
    assert listed(sandbox) == []
    assert text in inject(sandbox)


def test_words_that_cannot_be_stored_leave_the_note_as_it_is(sandbox: Sandbox) -> None:
    memory = note(sandbox)
    with sandbox.open() as runtime:
        sitting = begin(runtime)
        assert isinstance(sitting.edit(show(sandbox, memory), "<private>all of it</private>"), Rejected)
        assert sitting.decisions == []
    assert listed(sandbox) == [RULE]


@pytest.mark.parametrize("origin", [Origin.USER, Origin.EXTERNAL])
def test_an_edit_that_changes_nothing_vouches_for_nothing(sandbox: Sandbox, origin: Origin) -> None:
    memory = note(sandbox, origin=origin)
    before = show(sandbox, memory)
    with sandbox.open() as runtime:
        sitting = begin(runtime)
        assert isinstance(sitting.edit(before, f"  {RULE}\n"), Duplicate)
        assert sitting.decisions == []
    assert show(sandbox, memory).memory == before.memory
    assert listed(sandbox) == [RULE]


@pytest.mark.parametrize("signing", [False, True])
@pytest.mark.parametrize("origin", [Origin.USER, Origin.TOOL, Origin.EXTERNAL])
@pytest.mark.parametrize("decision", ["keep", "drop", "edit"])
def test_undo_brings_the_note_back_as_it_was(sandbox: Sandbox, decision: str, origin: Origin, signing: bool) -> None:
    if signing:
        sandbox.ask("sign")
    memory = note(sandbox, REPORT, origin, confidence=0.6, session="s-1", importance=0.4)
    before = show(sandbox, memory)
    with sandbox.open() as runtime:
        sitting = begin(runtime)
        with pytest.raises(Refused, match="there is nothing to undo"):
            sitting.undo()
        if decision == "edit":
            sitting.edit(before, "RATES has ISO codes")
        else:
            sitting.decide(**{decision: [before]})
        assert listed(sandbox) == []
        (back,) = sitting.undo()
        assert sitting.decisions == []
    assert (back.status, back.verdict, back.warned) == (Status.LIVE, before.verdict, False)
    same = ("content", "tier", "earned", "confirmed", "confidence", "origin", "kind", "importance", "session", "title")
    assert [getattr(back.memory, name) for name in same] == [getattr(before.memory, name) for name in same]
    assert listed(sandbox) == [REPORT]
    assert REPORT not in inject(sandbox, flags={"inject.trial": False})


def test_what_was_decided_elsewhere_meanwhile_is_passed_over(sandbox: Sandbox) -> None:
    memory = note(sandbox)
    with sandbox.open() as runtime:
        sitting = begin(runtime)
        stored = show(sandbox, memory)
        sandbox.ask("forget", ids=[memory.id])
        assert sitting.refresh(stored) is None


def test_each_decision_of_a_person_can_be_asked_for_later(sandbox: Sandbox) -> None:
    memory = note(sandbox)
    with sandbox.open() as runtime:
        sitting = begin(runtime)
        sitting.decide(keep=[show(sandbox, memory)])
        sitting.undo()
        sitting.decide(drop=[show(sandbox, memory)])
    said = [each.partition(" on a terminal")[0] for each in sandbox.json("show", id=memory.id)["decisions"]]
    assert said == ["confirmed", "made a note again", "dropped"]
    other = note(sandbox, REPORT)
    with sandbox.open(MODEL) as runtime:
        inbox.run(runtime, drop=[other.id], by_model=True)
    assert sandbox.json("show", id=other.id)["decisions"] == []


def test_a_folder_that_proves_nothing_names_the_command_that_confirms_it(sandbox: Sandbox) -> None:
    git_folder(sandbox.project, origin="https://example.org/shop.git", born="ours")
    note(sandbox)
    stranger = git_folder(sandbox.folder / "archive", origin="https://example.org/shop.git", born="theirs")
    with pytest.raises(Refused, match="limpet confirm --project"):
        sandbox.ask("inbox", cwd=stranger)


# Who may decide


def test_no_model_decides_in_the_inbox(sandbox: Sandbox) -> None:
    memory = note(sandbox)
    for values in ({"keep": [memory.id]}, {"drop": [memory.id]}):
        with pytest.raises(Refused, match="only a person can decide about a note"):
            sandbox.ask("inbox", as_=MODEL, **values)
        with pytest.raises(Refused, match="run this on a terminal"):
            sandbox.ask("inbox", as_=PROGRAM, **values)
    for caller in (MODEL, PROGRAM):
        with sandbox.open(caller) as runtime, pytest.raises(Refused):
            begin(runtime)
    assert listed(sandbox) == [RULE]


def test_a_code_from_a_terminal_lets_a_program_decide_once(sandbox: Sandbox) -> None:
    one, other = note(sandbox), note(sandbox, REPORT)
    code = show_code(str(sandbox.home), "inbox", now_ms=sandbox.ms)
    answer = sandbox.ask("inbox", keep=[one.id], drop=[other.id], code=code, as_=PROGRAM)
    assert [each.memory.id for each in (*answer.kept, *answer.dropped)] == [one.id, other.id]
    assert answer.notes.total == 0
    with pytest.raises(Refused, match="no valid code"):
        sandbox.ask("inbox", keep=[note(sandbox, "Another").id], code=code, as_=PROGRAM)


def test_only_notes_can_be_decided_about(sandbox: Sandbox) -> None:
    kept, waiting = sandbox.remember(RULE), note(sandbox, REPORT)
    with pytest.raises(Refused, match="is not a note that waits for a decision; nothing was changed"):
        sandbox.ask("inbox", drop=[waiting.id, kept.id])
    with pytest.raises(Refused, match="in both --keep and --drop"):
        sandbox.ask("inbox", drop=[waiting.id], keep=[waiting.id])
    assert listed(sandbox) == [REPORT]


@pytest.mark.parametrize("origin", list(Origin))
def test_a_model_that_keeps_a_note_raises_no_trust(sandbox: Sandbox, origin: Origin) -> None:
    memory = note(sandbox, REPORT, origin)
    before = sandbox.json("list")["memories"][0]["trust"]
    with sandbox.open(MODEL) as runtime:
        inbox.run(runtime, keep=[memory.id], by_model=True)
    assert sandbox.json("list")["memories"][0]["trust"] == before
    kept = show(sandbox, memory).memory
    assert (kept.tier, kept.earned, kept.origin, kept.confirmed) == (Tier.KEPT, "chosen by the agent", origin, False)
    assert (REPORT in inject(sandbox)) is not origin.is_outside


def test_a_note_that_a_model_dropped_is_noted_again_if_the_user_says_it_again(sandbox: Sandbox) -> None:
    memory = note(sandbox)
    with sandbox.open(MODEL) as runtime:
        assert inbox.run(runtime, drop=[memory.id], by_model=True).notes.total == 0
    assert note(sandbox).tier is Tier.NOTED
