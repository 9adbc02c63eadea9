"""Apps and their conversations.

An app is a program that talks with people and has its own memories, which no other app sees. Apps and conversations are
computed from their changes in the journal. A change that cannot be understood has no effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record, replace
from limpet.model.change import Change, ChangeKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

APP_PREFIX, CONVERSATION_PREFIX, FILE_PREFIX = "app:", "conversation:", "file:"
"""The prefixes of the journal subjects of apps, conversations and files."""
_LONGEST_REASON = 200


class Role(StrEnum):
    """Who sent a message. A tool's message comes from outside, so no memory is made from it."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@record
class App:
    """An app: a program with its own memories, which no other app sees.

    If an app is no longer installed, its memories remain, and they can be listed and purged.
    """

    id: str
    name: str
    registered_at: datetime
    updated_at: datetime
    """When its name last changed."""
    is_installed: bool = True
    polled: str = ""
    """The id of the change that records when the energy spent for the app was last polled."""


@record
class Message:
    """A message in a conversation between an app and a person."""

    role: Role
    text: str
    at: datetime


@record
class Conversation:
    """A conversation between an app and a person.

    After its end it is settled: either a memory is made from it, or the reason for making none is recorded.
    """

    id: str
    app: str
    started_at: datetime
    last_at: datetime
    messages: int = 0
    ended_at: datetime | None = None
    settled: str = ""
    """The id of the change that settled the conversation; an empty string until then."""
    memory: str | None = None
    """The id of the memory that was made from the conversation, or of an older memory with the same text."""
    is_created: bool = False
    """Whether `memory` was made from this conversation. If not, it is an older memory."""
    reason: str = ""
    """Why no memory was made, or which older memory was removed to make room for it and why."""
    compactions: int = 0
    energy: int = 0
    """The energy spent on making its memory, in units of the daily budget."""


def fold_app(changes: Iterable[Change]) -> App | None:
    """Return the app computed from its changes, or None if no change is about an app."""
    app: App | None = None
    for change in sorted(changes, key=lambda change: change.id):
        if change.kind != ChangeKind.APP:
            continue
        payload = change.payload
        if app is None:
            id = change.subject.removeprefix(APP_PREFIX)
            app = App(id=id, name="", registered_at=change.at, updated_at=change.at)
        app = replace(
            app,
            name=_text(payload, "name") or app.name,
            updated_at=change.at if "name" in payload else app.updated_at,
            is_installed=bool(payload.get("installed", app.is_installed)),
            polled=change.id if payload.get("polled") is True else app.polled,
        )
    return app


def fold_conversation(changes: Iterable[Change]) -> Conversation | None:
    """Return the conversation computed from its changes, or None if no change is about a conversation.

    A change that names a different app from that of the first change has no effect.
    """
    found: Conversation | None = None
    for change in sorted(changes, key=lambda change: change.id):
        payload = change.payload
        app = _text(payload, "app")
        if change.kind != ChangeKind.CONVERSATION or app is None or (found is not None and app != found.app):
            continue
        if found is None:
            name = change.subject.removeprefix(CONVERSATION_PREFIX)
            found = Conversation(id=name, app=app, started_at=change.at, last_at=change.at)
        if decode_message(change) is not None:
            found = replace(found, messages=found.messages + 1, last_at=change.at)
        if payload.get("ended") is True and found.ended_at is None:
            found = replace(found, ended_at=change.at)
        if payload.get("settled") is True and not found.settled:
            # The first settlement counts, so that two machines agree.
            found = replace(
                found,
                settled=change.id,
                memory=_text(payload, "memory"),
                is_created=payload.get("created") is True,
                reason=(_text(payload, "reason") or "")[:_LONGEST_REASON],
                compactions=_count(payload, "compactions"),
                energy=_count(payload, "energy"),
            )
    return found


def decode_message(change: Change) -> Message | None:
    """Return the message in a change, or None if the change contains no message or was purged."""
    text = change.payload.get("text")
    if change.kind != ChangeKind.CONVERSATION or not isinstance(text, str):
        return None
    role = _text(change.payload, "role")
    return Message(role=Role(role), text=text, at=change.at) if role in tuple(Role) else None


def _text(payload: Mapping[str, Any], name: str) -> str | None:
    value = payload.get(name)
    return value if isinstance(value, str) else None


def _count(payload: Mapping[str, Any], name: str) -> int:
    value = payload.get(name)
    return value if isinstance(value, int) and 0 <= value < 1 << 53 else 0
