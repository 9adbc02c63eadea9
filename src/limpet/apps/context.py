"""Format the memories of an app as a block of text for the context of the app's model."""

from __future__ import annotations

from limpet.apps.conversation import find_conversation
from limpet.apps.registry import actor_of, find_app, list_memories
from limpet.clock import to_local
from limpet.doors.context import Context
from limpet.doors.governor import Passed, Way, govern, neutralise
from limpet.guard.neutral import quote
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record
from limpet.model.receipt import Receipt
from limpet.text.excerpt import shorten_sentences
from limpet.text.tokens import count_tokens

WAY = "app"
"""The value of `Receipt.way` for memories that were handed to an app."""
_SHORT = 80


class Point(StrEnum):
    """The purpose of a block of memories: to answer a person, to review a conversation, or to choose among several."""

    ANSWER = "answer"
    REVIEW = "review"
    SELECT = "select"


@record
class Block:
    """The memories of an app as text for its model, with their ids. The text is empty if there are no memories."""

    text: str
    ids: tuple[str, ...] = ()
    tokens: int = 0


def write_context(context: Context, app: str, *, conversation: str | None = None, point: Point = Point.ANSWER) -> Block:
    """Format the memories of an app as a numbered list, most recently updated first, and record a receipt.

    If `conversation` is given, the memories of that conversation are left out. For `Point.SELECT`, each memory is
    shortened to 80 characters.
    """
    reading = context.reading()
    found = find_app(reading, app)
    own = find_conversation(reading, found.id, conversation).id if conversation is not None else None
    lines: list[str] = []
    ids: list[str] = []
    for stored in list_memories(context, found.id, limit=context.settings.apps.memories):
        memory = stored.memory
        passed = govern(stored, way=Way.PROMPT, now=context.now())
        if not isinstance(passed, Passed) or (own is not None and memory.conversation == own):
            continue
        text = neutralise(passed.text, one_line=True)
        if point is Point.SELECT:
            text = shorten_sentences(text, _SHORT)
        day = to_local(memory.created_at).date().isoformat()
        lines.append(f"{len(lines) + 1}. [Created: {day}] {quote(text) if passed.quoted else text}")
        ids.append(memory.id)
    if not lines:
        return Block(text="")
    name = neutralise(found.name, one_line=True)
    text = "\n".join(
        (
            f"(memories for app: {name})",
            "The following are memories from previous conversations with this app:",
            "",
            *lines,
            "",
            "Use these memories to provide context-aware responses.",
        )
    )
    block = Block(text=text, ids=tuple(ids), tokens=count_tokens(text))
    context.note(Receipt(id="", way=WAY, ids=block.ids, session=actor_of(found.id), tokens=block.tokens))
    return block
