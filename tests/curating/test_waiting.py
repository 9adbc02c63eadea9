"""The inbox lists the most worthwhile notes first."""

from __future__ import annotations

from limpet.curating.waiting import find_worth, list_notes
from limpet.model.memory import Memory, Origin
from tests.operations.sandbox import Sandbox
from tests.operations.test_inbox import note

WEAK, STRONG = (
    "Please make the button a bit more blue.",
    "We always use pnpm in this repository, never npm, because CI has none.",
)


def test_notes_with_the_greatest_importance_are_ordered_by_their_words(sandbox: Sandbox) -> None:
    strong = note(sandbox, STRONG, importance=0.9)
    weak = note(sandbox, WEAK, importance=0.9)
    assert strong.importance == weak.importance == 0.69
    assert find_worth(strong) > find_worth(weak)
    assert ordered(sandbox) == [strong.id, weak.id]


def test_so_are_reports_of_the_agent(sandbox: Sandbox) -> None:
    cause = (
        "The root cause of the slow page was that the query had no index; adding one brought it from 900 ms to 12 ms."
    )
    strong = note(sandbox, cause, Origin.TOOL, importance=0.9)
    weak = note(sandbox, "I looked at it", Origin.TOOL, importance=0.9)
    assert strong.importance == weak.importance == 0.5
    assert ordered(sandbox) == [strong.id, weak.id]


def test_a_lower_importance_is_not_changed(sandbox: Sandbox) -> None:
    memory: Memory = note(sandbox, STRONG, importance=0.41)
    assert find_worth(memory) == 0.41


def ordered(sandbox: Sandbox) -> list[str]:
    with sandbox.open() as runtime:
        return [stored.memory.id for stored in list_notes(runtime, limit=10).items]
