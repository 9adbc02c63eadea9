"""Making memories takes energy from a budget; when little is left, the work waits and is done later."""

from __future__ import annotations

import json

import pytest

from limpet.apps.answer import AppsAnswer
from limpet.apps.energy import compaction_units, conversation_tokens, creation_units
from limpet.errors import ModelFailed
from limpet.llm.protocol import Reply, Request
from limpet.llm.roles import ModelRoles, frame_conversation
from limpet.model.app import Message, Role
from limpet.text.tokens import count_tokens
from tests.apps.talking import PREFERENCE, AppSandbox, use_roles
from tests.operations.sandbox import DAY, START


def test_a_memory_takes_10_to_15_units_and_a_compaction_20_to_30() -> None:
    assert (creation_units(0), creation_units(10**6)) == (10, 15)
    assert (compaction_units(0), compaction_units(10**6)) == (20, 30)


def test_a_poll_reads_what_was_taken_since_the_last_one(sandbox: AppSandbox) -> None:
    def poll() -> int:
        found = sandbox.do("energy", poll=True).energy
        assert found is not None
        return found.since_poll

    assert poll() == 0
    sandbox.talk(PREFERENCE)
    looked = sandbox.do("energy").energy
    assert looked is not None and looked.since_poll == looked.today == 10
    assert (poll(), poll()) == (10, 0)
    sandbox.fill(11)
    assert poll() == 11 * 10 + 2 * 23


def test_below_a_fifth_the_work_waits_and_is_done_later(sandbox: AppSandbox) -> None:
    id = sandbox.say(PREFERENCE)
    answer = sandbox.do("end", "calendar", id, energy=0.19)
    assert answer.conversation is not None and answer.conversation.ended_at is not None
    assert answer.settled is not None and answer.settled.waiting == 1
    assert sandbox.contents() == []
    sandbox.do("work", energy=0.2)
    assert len(sandbox.contents()) == 1


def test_the_daily_budget_is_kept_and_renews_itself(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_APPS__DAILY_ENERGY", "40")
    sandbox.fill(6)
    assert len(sandbox.contents()) == 4
    looked = sandbox.do("energy", None).energy
    assert looked is not None and (looked.today, looked.left) == (40, 0.0)
    sandbox.ms += DAY
    sandbox.do("work", None)
    assert len(sandbox.contents()) == 6


def test_a_budget_of_nothing_makes_nothing(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_APPS__DAILY_ENERGY", "0")
    sandbox.talk(PREFERENCE)
    assert sandbox.contents() == []


def hold(sandbox: AppSandbox, turns: int, *, words: int = 60) -> AppsAnswer:
    """Hold a conversation of some turns in which every answer has so many words, and end it."""
    id = sandbox.say(PREFERENCE)
    for number in range(turns):
        answer = f"Noted for day {number}. " + " ".join(f"word{number}x{at}" for at in range(words))
        sandbox.say(answer, role="assistant", conversation=id)
        sandbox.say(f"I keep the key of room {number} in drawer {number}.", conversation=id)
    return sandbox.do("end", "calendar", id)


@pytest.mark.parametrize("turns", [0, 1, 3, 6, 10, 15, 25, 40])
def test_asking_a_model_costs_at_most_a_twentieth_of_the_conversation(
    sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    asked: list[int] = []

    def ask(request: Request, role: str) -> Reply:
        reply = json.dumps({"memory": PREFERENCE, "importance": 5, "tags": []})
        asked.append(request.tokens + count_tokens(reply))
        return Reply(text=reply, tokens_in=0, tokens_out=0)

    roles = ModelRoles(ask)
    sandbox.fill(10)
    use_roles(monkeypatch, roles)
    hold(sandbox, turns)
    with sandbox.open() as runtime:
        reading = runtime.reading()
        newest = max(reading.conversations("calendar", limit=50).items, key=lambda each: each.started_at)
        own = conversation_tokens(reading.messages(newest))
    assert sum(asked) <= 0.05 * own
    assert bool(asked) is (turns >= 10), "a short conversation is settled by rules"
    assert len(sandbox.contents()) == 10


def test_what_a_conversation_costs_grows_with_everything_that_is_read_again() -> None:
    said = [Message(role=role, text="one two three", at=START) for role in (Role.USER, Role.ASSISTANT) * 2]
    once = count_tokens("one two three")
    assert conversation_tokens(said) == (1 + 1 + 3 + 1) * once
    assert conversation_tokens(said[:1]) == once and conversation_tokens([]) == 0


def test_a_model_is_given_the_persons_words_and_the_ends_of_answers() -> None:
    talk = [(True, "I live in Oslo."), (False, "beginning " + "middle " * 100 + "the end."), (True, "I drink tea.")]
    shown = frame_conversation(talk, 1000)
    assert "I live in Oslo." in shown and "the end." in shown and "beginning" not in shown
    assert "Oslo" not in frame_conversation([(True, "I live in Oslo."), *[(True, "tea " * 60)] * 3], 200)
    with pytest.raises(ModelFailed, match="share"):
        frame_conversation(talk, 10)
