"""What says nearly the same as a known memory is linked to it; what contradicts it lowers the confidence."""

from __future__ import annotations

import pytest

from limpet.model.memory import Memory
from limpet.model.outcome import Admitted
from tests.operations.sandbox import MODEL, Sandbox

NEAR = (
    "The nightly backup job copies the orders table to the second site before the morning shift begins its work",
    "The nightly backup job copies the orders table to the second site before the morning shift starts its work",
)


def test_near_duplicates_are_both_kept_and_linked(sandbox: Sandbox) -> None:
    first = sandbox.remember(NEAR[0])
    outcome = sandbox.ask("remember", text=NEAR[1])
    assert isinstance(outcome, Admitted)
    assert outcome.notes == (f"nearly the same as {first.id}",)
    assert sandbox.ask("show", id=outcome.memory.id).links == (("near", first.id),)
    assert sandbox.ask("show", id=first.id).links == (("near of", outcome.memory.id),)
    assert len(sandbox.texts()) == 2


def test_near_duplicates_can_be_switched_off(sandbox: Sandbox) -> None:
    sandbox.remember(NEAR[0])
    assert sandbox.ask("remember", text=NEAR[1], flags={"admit.near_duplicates": False}).notes == ()


OLD, NEW = "The default port of the API is 8080", "The default port of the API is 9090"


def contradict(sandbox: Sandbox, older: str, newer: str) -> tuple[Memory, Memory, tuple[tuple[str, str], ...]]:
    first = sandbox.remember(OLD, origin=older)
    second = sandbox.remember(NEW, origin=newer)
    shown = sandbox.ask("show", id=second.id)
    return sandbox.ask("show", id=first.id).stored.memory, shown.stored.memory, shown.links


@pytest.mark.parametrize(("older", "newer"), [("user", "user"), ("agent", "user"), ("external", "tool")])
def test_a_contradiction_lowers_the_older_ones_confidence_and_links_both(
    sandbox: Sandbox, older: str, newer: str
) -> None:
    first, second, links = contradict(sandbox, older, newer)
    assert first.confidence == 0.6
    assert second.confidence == 1.0
    assert links == (("contradicts", first.id),)


@pytest.mark.parametrize(("older", "newer"), [("user", "agent"), ("agent", "tool"), ("user", "external")])
def test_a_contradiction_never_counts_against_a_higher_trust(sandbox: Sandbox, older: str, newer: str) -> None:
    first, second, links = contradict(sandbox, older, newer)
    assert first.confidence == 1.0
    assert second.confidence == 0.6
    assert links == (("contradicts", first.id),)


def test_a_confirmed_memory_is_not_doubted_on_an_agents_word(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD, as_=MODEL)
    sandbox.ask("confirm", ids=[first.id])
    second = sandbox.remember(NEW, as_=MODEL)
    assert sandbox.ask("show", id=first.id).stored.memory.confidence == 1.0
    assert second.confidence == 0.6


def test_a_negation_is_a_contradiction(sandbox: Sandbox) -> None:
    first = sandbox.remember("The build uses make")
    outcome = sandbox.ask("remember", text="The build does not use make")
    assert any(first.id in note for note in outcome.notes)
    assert sandbox.ask("show", id=first.id).stored.memory.confidence == 0.6


def test_two_projects_never_contradict_each_other(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    outcome = sandbox.ask("remember", text=NEW, cwd=sandbox.folder)
    assert outcome.notes == ()
    assert sandbox.ask("show", id=first.id).stored.memory.confidence == 1.0


def test_a_correction_does_not_contradict_what_it_corrects(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    outcome = sandbox.ask("correct", id=first.id, text=NEW)
    assert outcome.notes == ()
    assert outcome.memory.confidence == 1.0
