"""Showing a memory shows its versions, as of any day."""

from __future__ import annotations

from datetime import timedelta

from limpet.model.change import Status
from tests.operations.sandbox import DAY, MODEL, Sandbox

OLD, NEW = "The default port is 8080", "The default port is 9090"


def test_every_version_can_be_seen_as_it_was_on_a_day(sandbox: Sandbox) -> None:
    first = sandbox.remember(OLD)
    sandbox.ms += DAY
    noon = sandbox.now
    sandbox.ms += DAY
    sandbox.correct(first, NEW)
    assert sandbox.texts(at=noon) == [OLD]
    assert sandbox.texts(at=noon - timedelta(days=2)) == []
    assert sandbox.ask("show", id=first.id, at=noon).stored.status is Status.LIVE
    assert sandbox.texts("recall", query="default port", at=noon) == [OLD]


def test_a_model_sees_no_private_version_of_a_public_memory(sandbox: Sandbox) -> None:
    first = sandbox.remember("Louisa keeps the gate key", sensitivity="private")
    second = sandbox.ask("correct", id=first.id, text="The gate has a key", sensitivity="public").memory
    assert "Louisa" not in str(sandbox.json("show", id=second.id, as_=MODEL))
    assert "Louisa" not in str(sandbox.json("graph", as_=MODEL))
    assert "Louisa" in str(sandbox.json("show", id=second.id))


def test_a_model_is_not_shown_a_link_to_a_private_memory(sandbox: Sandbox) -> None:
    private = sandbox.remember("Squash the commits of a branch before merging", sensitivity="private")
    public = sandbox.remember("Never squash the commits of a branch before merging")
    assert sandbox.ask("show", id=public.id).links == (("contradicts", private.id),)
    assert sandbox.ask("show", id=public.id, as_=MODEL).links == ()
