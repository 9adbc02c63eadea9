"""A message is on disk when it was said; a conversation belongs to one app, and ends once."""

from __future__ import annotations

import pytest

from limpet.apps import conversation as conversations
from limpet.errors import InvalidId, UsageError
from limpet.model.app import Role
from tests.apps.talking import PREFERENCE, AppSandbox


def messages_of(sandbox: AppSandbox, conversation: str, app: str = "calendar") -> list[tuple[Role, str]]:
    with sandbox.open() as runtime:
        found = runtime.reading().conversation(app, conversation)
        assert found is not None
        return [(each.role, each.text) for each in runtime.reading().messages(found)]


def test_messages_are_kept_in_their_order_with_who_said_them(sandbox: AppSandbox) -> None:
    id = sandbox.say("Book a room")
    sandbox.say("Which one?", role="assistant", conversation=id)
    sandbox.say("rooms: A, B", role="tool", conversation=id)
    assert messages_of(sandbox, id) == [
        (Role.USER, "Book a room"),
        (Role.ASSISTANT, "Which one?"),
        (Role.TOOL, "rooms: A, B"),
    ]


def test_secrets_and_private_parts_are_never_written(sandbox: AppSandbox) -> None:
    key = "sk-ant-" + "api03-" + "a1B2c3D4" * 10
    said = sandbox.do("converse", "calendar", f"My key is {key} <private>and my diary</private> for the job").said
    assert said is not None and said.redacted
    assert sandbox.files_with(key) == [] and sandbox.files_with("diary") == []


@pytest.mark.parametrize("text", ["", "  ", "\ud800", "a\x00b", "x" * 2_000_000, "<private>all</private>"])
def test_a_message_that_cannot_be_stored_is_refused_and_nothing_is_written(sandbox: AppSandbox, text: str) -> None:
    before = sandbox.journal()
    with pytest.raises(UsageError):
        sandbox.say(text)
    assert sandbox.journal() == before


def test_a_conversation_that_has_ended_takes_no_more_messages_and_ends_once(sandbox: AppSandbox) -> None:
    id = sandbox.say(PREFERENCE)
    first = sandbox.do("end", "calendar", id).conversation
    with pytest.raises(UsageError, match="has ended; leave its id out"):
        sandbox.say("One more thing", conversation=id)
    before = sandbox.journal()
    assert sandbox.do("end", "calendar", id).conversation == first
    assert sandbox.journal() == before


def test_a_conversation_of_another_app_is_not_found(sandbox: AppSandbox) -> None:
    sandbox.do("register", "mail")
    id = sandbox.say(PREFERENCE)
    before = sandbox.journal()
    for action in ("converse", "context"):
        with pytest.raises(InvalidId, match="'mail' has no conversation"):
            sandbox.do(action, "mail", "hello there", conversation=id)
    with pytest.raises(InvalidId, match="'mail' has no conversation"):
        sandbox.do("end", "mail", id)
    assert sandbox.do("conversations", "mail").conversations == ()
    assert sandbox.journal() == before


@pytest.mark.parametrize("id", ["", "conv_", "x' OR 1", "conv_" + "z" * 26, "../conv", "mem_01"])
def test_an_id_that_is_none_is_not_found(sandbox: AppSandbox, id: str) -> None:
    with pytest.raises((InvalidId, UsageError)):
        sandbox.do("end", "calendar", id)


def test_a_conversation_has_an_end(sandbox: AppSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "MOST_MESSAGES", 2)
    id = sandbox.say("one thing")
    sandbox.say("another thing", conversation=id)
    with pytest.raises(UsageError, match="has 2 messages; end it and begin another"):
        sandbox.say("a third thing", conversation=id)
