"""A memory is trusted no more than whoever said it first."""

from __future__ import annotations

import pytest

from limpet.curating.writing import run_many
from limpet.errors import Refused
from limpet.model.change import Status
from limpet.model.memory import Draft, Origin
from limpet.model.outcome import Admitted, Duplicate
from tests.operations.sandbox import MODEL, PROGRAM, Sandbox

TEXT = "Migrations run with alembic"


@pytest.mark.parametrize("origin", [origin for origin in Origin if origin is not Origin.USER])
def test_what_the_user_says_is_theirs_though_others_said_it_before(sandbox: Sandbox, origin: Origin) -> None:
    theirs = sandbox.remember(TEXT, origin=origin.value)
    outcome = sandbox.ask("remember", text=TEXT)
    assert isinstance(outcome, Admitted)
    assert outcome.memory.origin is Origin.USER
    assert sandbox.ask("show", id=theirs.id).stored.status is Status.SUPERSEDED
    assert sandbox.texts() == [TEXT]
    assert isinstance(sandbox.ask("remember", text=TEXT), Duplicate)


def test_what_others_say_after_the_user_is_a_duplicate(sandbox: Sandbox) -> None:
    own = sandbox.remember(TEXT)
    again = sandbox.ask("remember", text=TEXT, origin="external")
    assert isinstance(again, Duplicate)
    assert (again.memory.id, again.memory.origin) == (own.id, Origin.USER)


@pytest.mark.parametrize("caller", [MODEL, PROGRAM], ids=["model", "program"])
def test_nobody_can_claim_more_than_they_are(sandbox: Sandbox, caller: object) -> None:
    with pytest.raises(Refused, match="cannot be claimed here; the most trusted one allowed is 'agent'"):
        sandbox.ask("remember", text=TEXT, origin="user", as_=caller)
    assert sandbox.remember(TEXT, as_=caller).origin is Origin.AGENT


@pytest.mark.parametrize("origin", ["tool", "file", "import", "external"])
def test_anybody_can_claim_less(sandbox: Sandbox, origin: str) -> None:
    assert sandbox.remember(TEXT, as_=MODEL, origin=origin).origin == origin


def test_what_is_made_of_several_has_the_least_trust_and_the_strictest_secrecy(sandbox: Sandbox) -> None:
    trusted = sandbox.remember("Said by the user", sensitivity="private")
    foreign = sandbox.remember("Read on a web page", origin="external", confidence=0.5)
    with sandbox.open() as runtime:
        draft = Draft(text="Both together say this", origin=Origin.USER, sources=(trusted, foreign))
        outcome = run_many(runtime, [draft])[0]
    assert isinstance(outcome, Admitted)
    assert outcome.memory.origin is Origin.EXTERNAL
    assert outcome.memory.sensitivity == "private"
    assert outcome.memory.confidence == 0.5
    assert outcome.memory.lineage == (trusted.id, foreign.id)
    sandbox.ask("forget", ids=[foreign.id])
    assert sandbox.ask("show", id=outcome.memory.id).stored.status is Status.FORGOTTEN
