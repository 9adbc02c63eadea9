"""An app keeps ten memories, always, whatever a model decides; what goes can be brought back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from limpet.apps.creation import apps_lock
from limpet.errors import Refused
from limpet.llm.protocol import Decision, DecisionKind
from limpet.model.change import Status
from limpet.model.scope import Scope
from tests.apps.talking import AppSandbox, Deciding, delete, statement, use_roles


def said(number: int) -> str:
    return statement(number)


def eleventh(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch, model: Deciding) -> list[str]:
    """Return the memories after an eleventh conversation whose compaction is decided by the model."""
    sandbox.do("register", "mail")
    sandbox.fill(3, "mail")
    sandbox.fill(10)
    others = sandbox.contents("mail")
    assert len(sandbox.contents()) == 10
    use_roles(monkeypatch, model)
    sandbox.talk(statement(10))
    assert sandbox.contents("mail") == others
    return sandbox.contents()


def test_the_model_chooses_which_one_goes(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Deciding(lambda memories, newest: delete(memories[4][0]))
    assert eleventh(sandbox, monkeypatch, model) == [said(n) for n in (10, 9, 8, 7, 6, 5, 3, 2, 1, 0)]
    (asked,) = model.asked
    assert [name for name, _ in asked] == [f"m{n}" for n in range(1, 12)]


def test_two_become_one(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The user keeps the cards 122 and 48 in drawers 1 and 3."

    def decide(memories: Sequence[tuple[str, str]], newest: str) -> Decision:
        return Decision(kind=DecisionKind.EDIT, id="m2", other="m4", text=text, reason="alike")

    found = eleventh(sandbox, monkeypatch, Deciding(decide))
    assert len(found) == 10 and text in found and said(10) in found
    assert said(1) not in found and said(3) not in found


def test_an_old_one_is_merged_with_the_new_one(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(memories: Sequence[tuple[str, str]], newest: str) -> Decision:
        return Decision(kind=DecisionKind.EDIT, id="m1", text="The user has cards in drawers 0 and 10.", reason="alike")

    found = eleventh(sandbox, monkeypatch, Deciding(decide))
    assert len(found) == 10 and found[0] == "The user has cards in drawers 0 and 10."
    assert said(10) not in found and said(0) not in found
    merged = sandbox.do("memories").memories[0]
    assert len(merged.conversations) == 2 and len(merged.memory.made_of) == 2


INVALID = {
    "the new one": lambda memories, newest: delete(newest),
    "an unknown id": lambda memories, newest: delete("m99"),
    "an empty id": lambda memories, newest: delete(""),
    "an edit without a text": lambda memories, newest: Decision(kind=DecisionKind.EDIT, id="m1", reason="x"),
    "an edit with itself": lambda memories, newest: Decision(
        kind=DecisionKind.EDIT, id="m1", other="m1", text="Both in one text.", reason="x"
    ),
    "an edit with an unknown one": lambda memories, newest: Decision(
        kind=DecisionKind.EDIT, id="m1", other="m77", text="Both in one text.", reason="x"
    ),
    "an edit of the new one with nothing": lambda memories, newest: Decision(
        kind=DecisionKind.EDIT, id=newest, text="A new text for it.", reason="x"
    ),
    "a text that is known": lambda memories, newest: Decision(
        kind=DecisionKind.EDIT, id="m1", text=memories[7][1], reason="x"
    ),
    "a text that cannot be stored": lambda memories, newest: Decision(
        kind=DecisionKind.EDIT, id="m1", text="a\x00b\x00c and more", reason="x"
    ),
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_decision_lets_the_oldest_go(
    sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert eleventh(sandbox, monkeypatch, Deciding(INVALID[name])) == [said(n) for n in range(10, 0, -1)]


def test_the_id_of_another_apps_memory_is_no_id_here(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Deciding(lambda memories, newest: delete(sandbox.ids("mail")[0]))
    assert eleventh(sandbox, monkeypatch, model) == [said(n) for n in range(10, 0, -1)]
    assert len(sandbox.contents("mail")) == 3


def test_what_went_is_superseded_and_can_be_brought_back(sandbox: AppSandbox) -> None:
    sandbox.fill(10)
    oldest = sandbox.ids()[-1]
    sandbox.talk(statement(10))
    assert oldest not in sandbox.ids()
    with sandbox.open() as runtime:
        found = runtime.reading().get(oldest)
        assert found is not None and found.status is Status.SUPERSEDED
    sandbox.do("restore", "calendar", oldest)
    assert oldest in sandbox.ids() and len(sandbox.ids()) == 10


def test_nothing_is_brought_back_while_memories_are_made(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both would count ten memories and write an eleventh."""
    sandbox.fill(11)
    kept = sandbox.ids()
    with sandbox.open() as runtime:
        everything = runtime.reading().ids_with_prefix(
            "mem_", scope=Scope(agent=runtime.context().scope.agent, app="calendar"), limit=20
        )
        gone = next(id for id in everything if id not in kept)
        monkeypatch.setattr("limpet.apps.creation._LOCK_MS", 0)
        with apps_lock(runtime.context()), pytest.raises(Refused, match="try again"):
            sandbox.do("restore", "calendar", gone)
    assert sandbox.ids() == kept
    sandbox.do("restore", "calendar", gone)
    assert gone in sandbox.ids() and len(sandbox.ids()) == 10


def test_two_machines_that_were_joined_come_back_under_the_cap(sandbox: AppSandbox) -> None:
    sandbox.fill(10)
    with sandbox.open(flags={"apps.memories": 3}) as runtime:
        from limpet.apps.creation import settle_conversations

        settle_conversations(runtime.context())
    assert sandbox.contents() == [said(n) for n in (9, 8, 7)]


def test_the_cap_holds_after_every_conversation(sandbox: AppSandbox) -> None:
    for number in range(25):
        sandbox.talk(statement(number))
        assert len(sandbox.contents()) == min(10, number + 1)
        assert sandbox.contents()[0] == said(number)
    assert sandbox.ask("verify").problems == ()
