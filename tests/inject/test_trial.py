"""What the user stated is told at three starts as undecided, until somebody decides."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.inject.trial import STARTS
from limpet.model.change import ChangeKind
from limpet.model.memory import Draft, Origin, Sensitivity, Tier, Type
from limpet.model.outcome import Admitted
from limpet.model.receipt import NUDGE, Receipt
from limpet.operations import inbox
from tests.inject.injecting import inject
from tests.operations.sandbox import DAY, MODEL, Sandbox

HEADING = "Undecided, said by the user earlier, perhaps only for that moment (review_notes keeps or drops):"
RULE = "Always use pnpm here, never npm."


def note(sandbox: Sandbox, text: str = RULE, **fields: Any) -> str:
    """Note a text as capture does, and return its id."""
    given = {"origin": Origin.USER, "type": Type.DECISION, "session": "s0", "importance": 0.6, "tier": Tier.NOTED}
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        outcome = door.admit(Draft(text=text, **{**given, **fields}))
        runtime.write(door.changes)
    assert isinstance(outcome, Admitted)
    return outcome.memory.id


def told(sandbox: Sandbox, session: str, **options: Any) -> list[str]:
    """Return the statements that a start tells on trial."""
    text = inject(sandbox, session=session, **options)
    _, _, lines = text.partition(f"{HEADING}\n")
    return [line.split("“")[1].split("”")[0] for line in lines.splitlines()]


def test_a_statement_is_told_as_a_quotation_with_its_day_and_apart_from_the_block(sandbox: Sandbox) -> None:
    id = note(sandbox)
    sandbox.remember("The API speaks JSON")
    assert inject(sandbox).endswith(f"[/LTM]\n{HEADING}\n- “{RULE}” ({sandbox.now:%Y-%m-%d}, {id})")


def test_it_is_told_at_three_starts_and_then_only_noted(sandbox: Sandbox) -> None:
    id = note(sandbox)
    assert [told(sandbox, f"s{number}") for number in range(1, 5)] == [[RULE]] * STARTS + [[]]
    (noted,) = sandbox.json("list")["memories"]
    assert (noted["id"], noted["tier"]) == (id, "noted")


def test_the_session_that_said_it_is_not_told(sandbox: Sandbox) -> None:
    note(sandbox)
    assert told(sandbox, "s0") == []


def test_only_a_new_session_is_told(sandbox: Sandbox) -> None:
    note(sandbox)
    assert told(sandbox, "s1", source="resume") == told(sandbox, "s1", source="compact") == []
    assert told(sandbox, "s1", source="clear") == [RULE]


def test_the_best_three_are_told_and_the_others_follow(sandbox: Sandbox) -> None:
    texts = ["Commits are signed.", "We write no emojis.", "The API speaks JSON.", "Nobody edits legacy.", RULE]
    for number, text in enumerate(texts):
        note(sandbox, text, importance=0.6 + number / 50)
    first, second = [texts[4], texts[3], texts[2]], [texts[1], texts[0]]
    assert [told(sandbox, f"s{number}") for number in range(1, 7)] == [first] * STARTS + [second] * STARTS


@pytest.mark.parametrize("decision", ["keep", "drop"])
def test_a_decision_ends_the_trial(sandbox: Sandbox, decision: str) -> None:
    id = note(sandbox)
    with sandbox.open(MODEL) as runtime:
        inbox.run(runtime, by_model=True, **{decision: [id]})  # type: ignore[arg-type]
    text = inject(sandbox)
    assert HEADING not in text
    assert (RULE in text) == (decision == "keep")


def test_what_was_forgotten_is_not_told(sandbox: Sandbox) -> None:
    sandbox.ask("forget", ids=[note(sandbox)])
    assert told(sandbox, "s1") == []


@pytest.mark.parametrize(
    "fields",
    [
        {"origin": Origin.TOOL},
        {"origin": Origin.EXTERNAL},
        {"importance": 0.3},
        {"type": Type.SESSION_SUMMARY},
        {"sensitivity": Sensitivity.PRIVATE},
    ],
    ids=["a tool", "a page", "scored low", "a summary", "private"],
)
def test_only_what_the_user_stated_is_on_trial(sandbox: Sandbox, fields: dict[str, Any]) -> None:
    note(sandbox, **fields)
    assert told(sandbox, "s1") == []


def ask_about(sandbox: Sandbox, session: str) -> None:
    """Write the receipt of the line that asks the model to store what the prompt of this moment states."""
    with sandbox.open(session=session) as runtime:
        runtime.note(Receipt(id="", way=NUDGE, session=session, counts=False))


def test_what_a_model_that_listens_did_not_store_is_not_on_trial(sandbox: Sandbox) -> None:
    note(sandbox, "Don't write code yet.")
    ask_about(sandbox, "s0")
    assert told(sandbox, "s1") == ["Don't write code yet."], "nothing shows yet that the model listens"
    stated = note(sandbox, "We always use pnpm in this repository.", session="s2")
    stored = sandbox.remember("This repository uses pnpm.", session="s2")
    with sandbox.open() as runtime:
        link: dict[str, object] = {"relation": "evidence", "to": stated}
        by: dict[str, object] = {"by": stored.id}
        memory = runtime.reading().get(stated)
        assert memory is not None
        runtime.write([runtime.change(ChangeKind.SUPERSEDE, memory.memory, by)])
        runtime.write([runtime.change(ChangeKind.LINK, stored, link)])
    assert told(sandbox, "s3") == []
    note(sandbox, RULE, session="s4")
    assert told(sandbox, "s5") == [RULE], "the model was not asked about this one"
    sandbox.ms += 40 * DAY
    assert "Don't write code yet." in told(sandbox, "s6"), "what it did long ago proves nothing"


def test_another_project_is_told_nothing(sandbox: Sandbox) -> None:
    note(sandbox)
    other = sandbox.folder / "other"
    other.mkdir()
    assert told(sandbox, "s1", cwd=other) == []


def test_the_receipt_names_what_was_on_trial(sandbox: Sandbox) -> None:
    id = note(sandbox)
    told(sandbox, "s1")
    with sandbox.open() as runtime:
        [receipt] = runtime.reading().receipts(session="s1")
    assert (receipt.way, receipt.ids, receipt.notes) == ("start", (id,), {id: "on trial"})


def test_a_setting_switches_trials_off(sandbox: Sandbox) -> None:
    note(sandbox)
    assert inject(sandbox, flags={"inject.trial": False}) == ""
