"""A new memory links, doubts or replaces older ones, and says so without their words."""

from __future__ import annotations

from limpet.model.change import ChangeKind, Status
from limpet.model.memory import Memory
from tests.operations.sandbox import Sandbox


def journal_of(sandbox: Sandbox, memory: Memory) -> list[tuple[str, dict[str, object]]]:
    with sandbox.open() as runtime:
        return [(change.kind, dict(change.payload)) for change in runtime.reading().history(memory.id)]


def test_a_doubted_memory_loses_confidence_and_keeps_its_place(sandbox: Sandbox) -> None:
    older = sandbox.remember("The build uses make")
    newer = sandbox.remember("The build does not use make")
    shown = sandbox.ask("show", id=older.id).stored
    assert shown.status is Status.LIVE and shown.memory.confidence < older.confidence
    assert ("contradicts", older.id) in sandbox.ask("show", id=newer.id).links


def test_a_replaced_memory_can_be_restored_and_its_reason_repeats_no_words(sandbox: Sandbox) -> None:
    older = sandbox.remember("The client makes 5 retries")
    sandbox.remember("The client makes 10 retries instead of 5")
    assert sandbox.ask("show", id=older.id).stored.status is Status.SUPERSEDED
    kind, payload = journal_of(sandbox, older)[-1]
    assert kind == ChangeKind.SUPERSEDE and "retries" not in str(payload)
    sandbox.ask("restore", id=older.id)
    assert "The client makes 5 retries" in sandbox.texts()
