"""A pinned memory does not fade."""

from __future__ import annotations

from tests.operations.sandbox import Sandbox

OLD, NEW = "The default port is 8080", "The default port is 9090"


def test_a_pin_can_be_set_and_taken_away(sandbox: Sandbox) -> None:
    memory = sandbox.remember(OLD)
    assert sandbox.ask("pin", id=memory.id).memory.pinned
    assert sandbox.texts(pinned=True) == [OLD]
    assert not sandbox.ask("pin", id=memory.id, off=True).memory.pinned
    assert sandbox.texts(pinned=True) == []


def test_pinning_twice_writes_once_and_leaves_the_time_alone(sandbox: Sandbox) -> None:
    memory = sandbox.remember(OLD)
    sandbox.ask("pin", id=memory.id)
    before = sandbox.journal()
    assert sandbox.ask("pin", id=memory.id).memory.updated_at == memory.updated_at
    assert sandbox.journal() == before


def test_pinning_an_older_version_pins_the_newest(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    second = sandbox.correct(first, NEW)
    assert sandbox.ask("pin", id=first.id).memory.id == second.id
    assert sandbox.texts(pinned=True) == [NEW]
