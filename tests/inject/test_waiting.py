"""A start says in one line that notes wait: only if there are several, and not again for a week."""

from __future__ import annotations

from limpet.model.memory import Draft, Origin, Sensitivity, Type
from limpet.settings import load
from tests.inject.injecting import inject
from tests.operations.sandbox import DAY, Sandbox

LINE = "5 notes wait for a decision: the user can run `limpet inbox`, or let you use review_notes."


def note(sandbox: Sandbox, *texts: str, **fields: object) -> None:
    with sandbox.open() as runtime:
        for text in texts:
            door = runtime.admission(actor="capture:anima")
            door.admit(Draft(text=text, origin=Origin.TOOL, **fields))  # type: ignore[arg-type]
            runtime.write(door.changes)


def five(sandbox: Sandbox) -> Sandbox:
    note(sandbox, *(f"Rule number {number} is about part {number}" for number in range(5)))
    return sandbox


def test_a_start_says_how_many_notes_wait(sandbox: Sandbox) -> None:
    five(sandbox).remember("The API speaks JSON")
    told = inject(sandbox)
    assert told.endswith(f"[/LTM]\n{LINE}") and "The API speaks JSON" in told
    assert sandbox.ask("inbox").notes.total == 5


def test_the_line_comes_alone_where_nothing_is_kept(sandbox: Sandbox) -> None:
    assert inject(five(sandbox)) == LINE


def test_fewer_notes_are_not_worth_a_line(sandbox: Sandbox) -> None:
    note(sandbox, "One", "Two", "Three", "Four")
    note(sandbox, "A session", type=Type.SESSION_SUMMARY)
    note(sandbox, "About a person", sensitivity=Sensitivity.PRIVATE)
    sandbox.remember("Kept")
    assert "wait for a decision" not in inject(sandbox)


def test_who_ignores_it_is_told_again_after_a_week_only(sandbox: Sandbox) -> None:
    assert LINE in inject(five(sandbox), session="s1")
    assert LINE not in inject(sandbox, session="s2")
    sandbox.ms += 6 * DAY
    assert LINE not in inject(sandbox, session="s3")
    sandbox.ms += DAY
    assert LINE in inject(sandbox, session="s4")


def test_each_project_has_its_own_line(sandbox: Sandbox) -> None:
    assert LINE in inject(five(sandbox))
    other = sandbox.folder / "other"
    other.mkdir()
    assert inject(sandbox, cwd=other, session="s2") == ""


def test_only_a_new_session_is_told(sandbox: Sandbox) -> None:
    five(sandbox)
    assert LINE not in inject(sandbox, source="resume")
    assert LINE not in inject(sandbox, source="compact")
    assert LINE not in inject(sandbox, "subagent")
    assert LINE in inject(sandbox)


def test_zero_switches_it_off(sandbox: Sandbox) -> None:
    assert inject(five(sandbox), flags={"inject.notes_waiting": 0}) == ""
    assert load(home=str(sandbox.home)).inject.notes_waiting == 5


def test_the_receipt_counts_the_line(sandbox: Sandbox) -> None:
    inject(five(sandbox))
    with sandbox.open() as runtime:
        [receipt] = runtime.reading().receipts(session="s1")
    assert receipt.notes["waiting"].startswith("prj_") and receipt.tokens > 10
