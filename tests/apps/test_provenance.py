"""A purge of a memory erases its text everywhere: in its sources, in what was made of it, and in what was said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from limpet.llm.protocol import Decision, DecisionKind
from tests.apps.talking import AppSandbox, Deciding, statement, use_roles
from tests.operations.sandbox import USER


def test_purging_a_merged_memory_purges_both_and_their_conversations(
    sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decide(memories: Sequence[tuple[str, str]], newest: str) -> Decision:
        text = "The user keeps a zeppelin card in drawers 0 and 10."
        return Decision(kind=DecisionKind.EDIT, id="m1", text=text, reason="alike")

    sandbox.talk("I keep my zeppelin card 1 in drawer 0.")
    sandbox.fill(9)
    use_roles(monkeypatch, Deciding(decide))
    sandbox.talk("I keep my other zeppelin card in drawer 10.")
    merged = sandbox.do("memories").memories[0]
    assert len(merged.conversations) == 2
    answer = sandbox.do("purge", "calendar", merged.memory.id, yes=True, as_=USER)
    assert (len(answer.purged), answer.purged_conversations) == (3, 2)
    assert sandbox.files_with("zeppelin") == []
    assert sorted(sandbox.contents()) == sorted(statement(n) for n in range(9))


def test_nothing_comes_back_by_itself_after_a_purge(sandbox: AppSandbox) -> None:
    sandbox.fill(11)
    newest = sandbox.ids()[0]
    sandbox.do("purge", "calendar", newest, yes=True, as_=USER)
    sandbox.ask("upkeep")
    assert sandbox.contents() == [statement(n) for n in range(9, 0, -1)]
