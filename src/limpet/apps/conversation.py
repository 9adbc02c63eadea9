"""Record the messages and the end of an app's conversations. Every function returns only after its data is on disk."""

from __future__ import annotations

from limpet.apps.registry import actor_of, find_app
from limpet.clock import to_ms
from limpet.doors.cleaning import clean_text
from limpet.doors.context import Context
from limpet.errors import InvalidId, Unfit, UsageError
from limpet.lean.record import record
from limpet.model.app import CONVERSATION_PREFIX, Conversation, Role
from limpet.model.change import Change, ChangeKind
from limpet.model.ids import is_prefix_of_id, new_id
from limpet.secrets.redact import redact
from limpet.store.protocol import Reading

ID_PREFIX = "conv"
MOST_MESSAGES = 2000
"""The maximum number of messages in a conversation. Recording a message reads all earlier ones, so it gets slower."""


@record
class RecordedMessage:
    """The result of recording a message: the id of its conversation, and what was removed from its text.

    `redacted` contains the kinds of the removed secrets, and `notes` describe other removed parts.
    """

    conversation: str
    redacted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def converse(context: Context, app: str, text: str, *, role: Role, conversation: str | None = None) -> RecordedMessage:
    """Record a message of a conversation, after removing secrets and private passages.

    If `conversation` is None, a new conversation begins.
    """
    reading = context.reading()
    found = find_app(reading, app, installed=True)
    known = find_conversation(reading, found.id, conversation) if conversation is not None else None
    if known is not None and known.ended_at is not None:
        raise UsageError(f"the conversation {known.id} has ended; leave its id out to begin another")
    if known is not None and known.messages >= MOST_MESSAGES:
        raise UsageError(f"the conversation {known.id} has {known.messages} messages; end it and begin another")
    try:
        cleaned = clean_text(text, limit=context.settings.admit.max_bytes)
    except Unfit as unfit:
        raise UsageError(str(unfit)) from None
    said, redacted = redact(cleaned.text) if context.settings.admit.redact else (cleaned.text, ())
    id = known.id if known else new_id(ID_PREFIX, to_ms(context.now()))
    context.write([_change(found.id, id, {"role": role.value, "text": said})])
    return RecordedMessage(conversation=id, redacted=tuple(redacted), notes=cleaned.notes)


def end(context: Context, app: str, conversation: str) -> Conversation:
    """End a conversation and return it. If it has already ended, nothing changes."""
    reading = context.reading()
    found = find_app(reading, app)
    known = find_conversation(reading, found.id, conversation)
    if known.ended_at is None:
        context.write([_change(found.id, known.id, {"ended": True})])
    return find_conversation(context.reading(), found.id, known.id)


def find_conversation(reading: Reading, app: str, conversation: str) -> Conversation:
    """Return a conversation of an app; raise InvalidId if the app has no conversation with this id."""
    asked = conversation.strip().lower()
    found = reading.conversation(app, asked) if is_prefix_of_id(asked, ID_PREFIX) else None
    if found is None:
        raise InvalidId(
            f"the app {app!r} has no conversation {conversation[:60]!r}; limpet apps conversations {app} lists them"
        )
    return found


def _change(app: str, conversation: str, payload: dict[str, object]) -> Change:
    return Change(
        kind=ChangeKind.CONVERSATION,
        subject=CONVERSATION_PREFIX + conversation,
        actor=actor_of(app),
        payload={"app": app, **payload},
    )


def settle_change(app: str, conversation: str, payload: dict[str, object]) -> Change:
    """Return the change that marks a conversation as settled: its memory was made, or it needs none."""
    return _change(app, conversation, {"settled": True, **payload})
