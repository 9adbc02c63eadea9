"""No merge is written that would cost a question its answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.model.change import Change, ChangeKind, change_memory
from limpet.model.memory import Draft, Memory, Origin
from limpet.model.outcome import Admitted
from limpet.recall.gate import MOST_REHEARSALS, RecallGate
from limpet.runtime import Runtime
from limpet.store.protocol import Reading
from tests.operations.sandbox import Sandbox, isolate_environment

ANSWER = "The timeout of the payment service is 30 seconds"
OTHER = "The timeout of the order service is 60 seconds"
QUESTION = "what is the timeout of the payment service"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    isolate_environment(monkeypatch, tmp_path)
    return Sandbox(tmp_path)


def gate_of(runtime: Runtime) -> RecallGate:
    return RecallGate(
        runtime.settings.home,
        settings=runtime.settings.recall,
        judge=runtime.signer.judge,
        rehearse=runtime.store.rehearse,
        now=runtime.now(),
    )


def replace_by(runtime: Runtime, members: list[Memory], text: str) -> list[Change]:
    """Return the changes by which a new memory takes the place of others."""
    door = runtime.admission()
    outcome = door.admit(Draft(text=text, origin=Origin.USER))
    assert isinstance(outcome, Admitted)
    hidden = [change_memory(ChangeKind.SUPERSEDE, each, {"by": outcome.memory.id}, actor="t") for each in members]
    return [*door.changes, *hidden]


@pytest.mark.parametrize(
    ("text", "is_lost"),
    [
        (f"Both are known: {ANSWER}. {OTHER}.", False),
        ("The timeout of the services is 60 seconds", True),
        ("Timeouts are set for every service", True),
    ],
)
def test_a_merge_must_still_say_what_answered(sandbox: Sandbox, text: str, is_lost: bool) -> None:
    members = [sandbox.remember(ANSWER), sandbox.remember(OTHER)]
    sandbox.ask("recall", query=QUESTION)
    with sandbox.open() as runtime:
        lost = gate_of(runtime).find_loss(replace_by(runtime, members, text), before=runtime.reading())
        assert (lost is not None) is is_lost
        assert lost is None or lost.text == QUESTION


def test_without_a_question_nothing_is_tried(sandbox: Sandbox) -> None:
    members = [sandbox.remember(ANSWER)]
    with sandbox.open() as runtime:

        def refuse(changes: object) -> Reading:
            raise AssertionError("nothing has to be tried")

        gate = RecallGate(
            runtime.settings.home,
            settings=runtime.settings.recall,
            judge=runtime.signer.judge,
            rehearse=refuse,
            now=runtime.now(),
        )
        assert gate.find_loss(replace_by(runtime, members, "Nothing is left"), before=runtime.reading()) is None


def test_a_new_memory_must_not_push_an_answer_out_of_sight(sandbox: Sandbox) -> None:
    sandbox.remember(ANSWER)
    sandbox.ask("recall", query=QUESTION)
    with sandbox.open(flags={"recall.limit": "1"}) as runtime:
        crowd = [
            change
            for name in ("new", "newer", "newest")
            for change in replace_by(runtime, [], f"Payment service timeout, {name}")
        ]
        assert gate_of(runtime).find_loss(crowd, before=runtime.reading()) is not None
        assert gate_of(runtime).find_loss(replace_by(runtime, [], OTHER), before=runtime.reading()) is None


def test_after_many_trials_what_concerns_an_answer_is_held_back(sandbox: Sandbox) -> None:
    member = sandbox.remember(ANSWER)
    sandbox.ask("recall", query=QUESTION)
    with sandbox.open() as runtime:
        gate, reading = gate_of(runtime), runtime.reading()
        harmless = replace_by(runtime, [member], f"{ANSWER}, as agreed")
        for _ in range(MOST_REHEARSALS):
            assert gate.find_loss(harmless, before=reading) is None
        assert gate.find_loss(harmless, before=reading) is not None


def test_an_answer_that_is_not_found_any_more_binds_nobody(sandbox: Sandbox) -> None:
    member = sandbox.remember(ANSWER)
    sandbox.ask("recall", query=QUESTION)
    sandbox.ask("forget", ids=[member.id])
    with sandbox.open() as runtime:
        assert gate_of(runtime).find_loss(replace_by(runtime, [member], "Gone"), before=runtime.reading()) is None
