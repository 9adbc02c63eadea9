"""The answer of the verb `apps`, and its encoding as JSON."""

from __future__ import annotations

from datetime import datetime

from limpet.apps.context import Block
from limpet.apps.conversation import RecordedMessage
from limpet.apps.creation import SettlementReport
from limpet.apps.energy import Energy
from limpet.apps.memory_tool import ToolResult
from limpet.lean.record import record
from limpet.model.app import App, Conversation
from limpet.model.codec import format_time
from limpet.model.file import FileVersion
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.store.protocol import AppCounts, FileEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@record
class AppMemory:
    """A memory of an app, with the ids of the conversations that it came from."""

    stored: Stored
    conversations: tuple[str, ...]

    @property
    def memory(self) -> Memory:
        return self.stored.memory


@record
class AppsAnswer:
    """The answer of the verb `apps`. Fields that do not apply to the chosen action keep their default values."""

    action: str
    app: App | None = None
    apps: tuple[tuple[App, AppCounts], ...] = ()
    said: RecordedMessage | None = None
    conversation: Conversation | None = None
    conversations: tuple[Conversation, ...] = ()
    memories: tuple[AppMemory, ...] = ()
    hidden: int = 0
    """How many memories were left out, because they are not public and the caller asked only for public ones."""
    total: int = 0
    """The total number of memories, conversations or files, including those on other pages."""
    block: Block | None = None
    energy: Energy | None = None
    settled: SettlementReport | None = None
    restored: str = ""
    purged: tuple[str, ...] = ()
    """The ids of the memories that were erased."""
    purged_conversations: int = 0
    purged_files: int = 0
    files: tuple[FileEntry, ...] = ()
    versions: tuple[FileVersion, ...] = ()
    """The versions of one file: its path and text after each change, oldest first."""
    result: ToolResult | None = None
    """The result of a memory-tool command."""


def to_json(answer: AppsAnswer, now: datetime) -> dict[str, Any]:
    parts: dict[str, Any] = {"action": answer.action}
    if answer.app is not None:
        parts["app"] = _encode_app(answer.app)
    if answer.action == "list":
        parts["apps"] = [
            {**_encode_app(app), "memories": counts.memories, "conversations_today": counts.conversations}
            for app, counts in answer.apps
        ]
    if answer.said is not None:
        parts |= {"conversation": answer.said.conversation, "redacted": list(answer.said.redacted)}
        parts |= {"notes": list(answer.said.notes)}
    if answer.conversation is not None:
        parts["conversation"] = encode_conversation(answer.conversation)
    if answer.action == "conversations":
        parts["conversations"] = [encode_conversation(each) for each in answer.conversations]
        parts["total"] = answer.total
    if answer.action == "memories":
        parts |= {"memories": [encode_app_memory(each) for each in answer.memories], "total": answer.total}
        parts["hidden"] = answer.hidden
    if answer.block is not None:
        parts |= {"context": answer.block.text, "ids": list(answer.block.ids), "tokens": answer.block.tokens}
    if answer.energy is not None:
        energy = answer.energy
        parts["energy"] = {"since_poll": energy.since_poll, "today": energy.today, "left": energy.left}
    if answer.settled is not None:
        parts["settled"] = encode_settled(answer.settled)
    if answer.restored:
        parts["restored"] = answer.restored
    if answer.action in ("purge", "uninstall"):
        parts |= {"purged": list(answer.purged), "purged_conversations": answer.purged_conversations}
        parts["purged_files"] = answer.purged_files
    if answer.action == "files":
        parts["files"] = [_encode_file(each) for each in answer.files]
    if answer.action == "files":
        parts["versions"] = [_encode_version(each) for each in answer.versions]
    if answer.result is not None:
        parts |= {"content": answer.result.content, "is_error": answer.result.is_error}
    return parts


def _encode_file(each: FileEntry) -> dict[str, Any]:
    return {
        "id": each.id,
        "path": each.path,
        "bytes": each.bytes,
        "updated_at": format_time(each.updated_at),
        "version": each.version,
        "deleted": each.is_deleted,
    }


def _encode_version(each: FileVersion) -> dict[str, Any]:
    return {
        "id": each.id,
        "version": each.number,
        "operation": each.operation.value,
        "path": each.path,
        "text": each.text,
        "at": format_time(each.at),
        "redacted_at": format_time(each.redacted_at) if each.redacted_at else None,
    }


def _encode_app(app: App) -> dict[str, Any]:
    return {
        "id": app.id,
        "name": app.name,
        "registered_at": format_time(app.registered_at),
        "installed": app.is_installed,
    }


def encode_conversation(each: Conversation) -> dict[str, Any]:
    """Return a conversation as a JSON object, without its messages."""
    return {
        "id": each.id,
        "started_at": format_time(each.started_at),
        "ended_at": format_time(each.ended_at) if each.ended_at else None,
        "messages": each.messages,
        "settled": bool(each.settled),
        "memory": each.memory,
        "reason": each.reason,
    }


def encode_app_memory(each: AppMemory) -> dict[str, Any]:
    """Return a memory of an app as a JSON object."""
    memory = each.memory
    return {
        "id": memory.id,
        "content": memory.content,
        "created_at": format_time(memory.created_at),
        "updated_at": format_time(memory.updated_at),
        "importance": memory.importance,
        "tags": list(memory.tags),
        "conversations": list(each.conversations),
        "sensitivity": memory.sensitivity.value,
    }


def encode_settled(settled: SettlementReport) -> dict[str, Any]:
    """Return, as a JSON object, a report about making memories from ended conversations."""
    return {
        "created": [memory.id for memory in settled.created],
        "compactions": settled.compactions,
        "energy": settled.energy,
        "reasons": settled.reasons,
        "waiting": settled.waiting,
        "failures": settled.failures,
        "busy": settled.is_busy,
    }
