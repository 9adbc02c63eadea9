"""The answer of the verb `apps`, and its shape in JSON."""

from __future__ import annotations

from limpet.apps.context import Block
from limpet.apps.conversation import RecordedMessage
from limpet.apps.creation import SettlementReport
from limpet.apps.energy import Energy
from limpet.apps.memory_commands import ToolResult
from limpet.lean.record import pick, record
from limpet.model.app import App, Conversation
from limpet.model.file import FileVersion
from limpet.model.memory import Memory
from limpet.model.query import Stored
from limpet.store.protocol import AppCounts, FileEntry


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


_MEMORY = ("id", "content", "created_at", "updated_at", "importance", "tags")
_FILE = ("id", "path", "bytes", "updated_at", "version")
_VERSION = ("operation", "path", "text", "at", "redacted_at")


def shape(answer: AppsAnswer) -> dict[str, object]:
    parts: dict[str, object] = {"action": answer.action}
    if answer.app is not None:
        parts["app"] = _shape_app(answer.app)
    if answer.action == "list":
        parts["apps"] = [
            {**_shape_app(app), "memories": counts.memories, "conversations_today": counts.conversations}
            for app, counts in answer.apps
        ]
    if answer.said is not None:
        parts |= pick(answer.said, "conversation", "redacted", "notes")
    if answer.conversation is not None:
        parts["conversation"] = _shape_conversation(answer.conversation)
    if answer.action == "conversations":
        parts |= {"conversations": [_shape_conversation(each) for each in answer.conversations], "total": answer.total}
    if answer.action == "memories":
        parts["memories"] = [
            {**pick(each.memory, *_MEMORY), "conversations": each.conversations, "sensitivity": each.memory.sensitivity}
            for each in answer.memories
        ]
        parts |= pick(answer, "total", "hidden")
    if answer.block is not None:
        parts |= {"context": answer.block.text, **pick(answer.block, "ids", "tokens")}
    if answer.energy is not None:
        parts["energy"] = answer.energy
    if answer.settled is not None:
        created = [memory.id for memory in answer.settled.created]
        more = pick(answer.settled, "compactions", "energy", "reasons", "waiting", "failures")
        parts["settled"] = {"created": created, **more, "busy": answer.settled.is_busy}
    if answer.restored:
        parts["restored"] = answer.restored
    if answer.action in ("purge", "uninstall"):
        parts |= pick(answer, "purged", "purged_conversations", "purged_files")
    if answer.action == "files":
        parts["files"] = [{**pick(each, *_FILE), "deleted": each.is_deleted} for each in answer.files]
        parts["versions"] = [
            {"id": each.id, "version": each.number, **pick(each, *_VERSION)} for each in answer.versions
        ]
    if answer.result is not None:
        parts |= pick(answer.result, "content", "is_error")
    return parts


def _shape_app(app: App) -> dict[str, object]:
    return {**pick(app, "id", "name", "registered_at"), "installed": app.is_installed}


def _shape_conversation(each: Conversation) -> dict[str, object]:
    names = ("id", "started_at", "ended_at", "messages")
    return {**pick(each, *names), "settled": bool(each.settled), "memory": each.memory, "reason": each.reason}
