"""Import from tools that keep rows: claude-mem, mcp-memory-service, mem0, LetsGo and ai-effort-regulation."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.environment import environment
from limpet.hosts.wiring import folder_named
from limpet.imports.database import Tables
from limpet.imports.files import as_choice, as_object, as_text, as_texts
from limpet.imports.item import ForeignItem, Surroundings, make_item
from limpet.imports.rows import Document, Row, row_tool
from limpet.model.memory import Sensitivity, Type

_SUMMARY_PARTS = (
    ("request", "Asked for"),
    ("investigated", "Looked into"),
    ("learned", "Learnt"),
    ("completed", "Done"),
    ("next_steps", "Next"),
    ("notes", "Notes"),
)
_SESSION = (
    "session=memory_session_id files_read created_at=created_at_epoch,created_at project=merged_into_project,project "
)
"""The columns that observations and summaries of claude-mem have in common."""
_SERVICE_FOLDERS = (".local/share/mcp-memory", "Library/Application Support/mcp-memory", "AppData/Local/mcp-memory")
"""The folders of mcp-memory-service on Linux, macOS and Windows, inside the user's home folder."""
_NO_TAG = "untagged"
"""The tag that mcp-memory-service gives to a memory without tags."""


def _extract_claude_mem(rows: Tables | Document) -> Iterator[ForeignItem]:
    """Yield a draft for each observation and session summary; prompts are left out."""
    yield from rows.items("observations", _read_observation)
    if rows.has("session_summaries", "id", "project"):
        yield from rows.items("session_summaries", _read_summary)
    if rows.has("user_prompts", "id") and (count := rows.count("user_prompts")):
        yield ForeignItem(name=f"{count} prompts", left_out="a prompt is what was asked, not what was learnt")


def _read_observation(row: Row, path: str) -> ForeignItem:
    told = as_text(row.get("narrative")) or as_text(row.get("text"))
    lines = [f"- {fact}" for fact in as_texts(row.get("facts")) if fact not in told]
    text = "\n".join(filter(None, (told, *lines))) or as_text(row.get("subtitle")) or as_text(row.get("title"))
    is_known = as_choice(Type, row.get("type")) or not row.get("type")
    changed = () if is_known else (f"its type {str(row['type'])[:40]!r} is not known here",)
    columns = f"{_SESSION} title type concepts files_modified"
    return make_item(f"observation {row.get('id')}", text, path, row, columns, changed=changed)


def _read_summary(row: Row, path: str) -> ForeignItem:
    said = [(label, as_text(row.get(column))) for column, label in _SUMMARY_PARTS]
    text = "\n".join(f"{label}: {value}" for label, value in said if value)
    columns = f"{_SESSION} title=request files_modified=files_edited"
    return make_item(f"summary {row.get('id')}", text, path, row, columns, type=Type.SESSION_SUMMARY)


def _find_service(around: Surroundings) -> list[str]:
    chosen = environment().get("MCP_MEMORY_BASE_DIR")
    return around.in_home(*(f"{folder}/sqlite_vec.db" for folder in ((chosen,) if chosen else _SERVICE_FOLDERS)))


def _read_service_row(row: Row, path: str) -> ForeignItem:
    name, kind = f"memory {as_text(row.get('content_hash'))[:12]}", as_text(row.get("memory_type"))
    if row.get("deleted_at"):
        return ForeignItem(name=name, left_out="it was deleted there")
    if row.get("superseded_by") or as_object(row.get("metadata")).get("superseded_by"):
        return ForeignItem(name=name, left_out="it was replaced there")
    tags = [*(tag for tag in as_texts(row.get("tags")) if tag != _NO_TAG), *([kind] if kind != "note" else [])]
    columns = "type=memory_type created_at=created_at,created_at_iso"
    return make_item(name, as_text(row.get("content")), path, row, columns, tags=tags)


def _extract_mem0(rows: Tables | Document) -> Iterator[ForeignItem]:
    """Yield a draft for each memory with its current text.

    The local history records every change of a memory. The last one has the text, or shows that it was deleted.
    """
    if isinstance(rows, Document):
        yield from rows.items("history", _read_mem0_row)
        return
    # Ordered by row, because an update has the time of its memory, and a deletion has no time.
    last = {as_text(row.get("memory_id")): row for row in rows.rows("history", order="rowid")}
    for id, row in last.items():
        yield _read_mem0_row({**row, "id": id, "memory": row.get("new_memory")}, rows.path)


def _read_mem0_row(row: Row, path: str) -> ForeignItem:
    name, metadata = f"memory {as_text(row.get('id'))[:12]}", row.get("metadata")
    if row.get("is_deleted") or as_text(row.get("event")).upper() == "DELETE":
        return ForeignItem(name=name, left_out="it was deleted there")
    category = metadata.get("category") if isinstance(metadata, dict) else None
    tags = [*as_texts(row.get("categories")), *as_texts(category)]
    return make_item(name, as_text(row.get("memory")), path, row, "created_at", tags=tags)


def _extract_letsgo(rows: Tables | Document) -> Iterator[ForeignItem]:
    yield from rows.items("memories", _read_letsgo_row, order="created_at")
    if rows.has("facts", "subject", "predicate", "object"):
        yield from rows.items("facts", _read_letsgo_fact)


def _read_letsgo_fact(row: Row, path: str) -> ForeignItem:
    parts = as_text(row["subject"]), as_text(row["predicate"]), as_text(row["object"])
    return ForeignItem(name=f"fact {as_text(row.get('id'))[:12]}", fact=parts)


def _read_letsgo_row(row: Row, path: str) -> ForeignItem:
    id, level = as_text(row.get("id")), as_text(row.get("sensitivity"))
    known = as_choice(Sensitivity, level)
    columns = "title tags type concepts importance session=session_id files_read files_modified created_at expires_at"
    return make_item(
        f"memory {id[:12]}",
        as_text(row.get("content")),
        path,
        row,
        f"{columns} project",
        # `public` is the default in LetsGo, so nobody may have chosen it. It shows a memory with an unknown level to
        # nobody, so that becomes secret.
        sensitivity=None if known is Sensitivity.PUBLIC else known or Sensitivity.SECRET,
        identity=f"letsgo:{id}",
        changed=() if known or not level else (f"its sensitivity {level[:40]!r} is now secret",),
    )


def _read_effort_row(row: Row, path: str) -> ForeignItem:
    text, app = as_text(row.get("content")), as_text(row.get("app_id"))
    name = f"memory {row.get('id')} of {app[:60]}"
    if not app:
        return ForeignItem(name=name, refused="it has no app")
    conversation = as_text(row.get("source_conversation_id"))[:200] or None
    identity = f"effort:{app}:{row.get('id')}:{text}"
    return make_item(name, text, path, row, "created_at", app=app[:200], conversation=conversation, identity=identity)


TOOLS = {
    "claude-mem": row_tool(
        "claude-mem",
        _extract_claude_mem,
        places=lambda _: [os.path.join(folder_named("CLAUDE_MEM_DATA_DIR", ".claude-mem"), "claude-mem.db")],
        table="observations",
        what="observations",
        marks="memory_session_id project",
        needs="id project",
        lists={"observations": "observations", "session_summaries": "summaries", "user_prompts": "prompts"},
        keys="observations summaries",
    ),
    "mcp-memory-service": row_tool(
        "mcp-memory-service",
        lambda rows: rows.items("memories", _read_service_row, order="created_at"),
        places=_find_service,
        table="memories",
        marks="content_hash memory_type",
        needs="content content_hash",
        lists={"memories": "memories"},
        keys="export_metadata memories",
    ),
    "mem0": row_tool(
        "mem0",
        _extract_mem0,
        places=lambda _: [os.path.join(folder_named("MEM0_DIR", ".mem0"), "history.db")],
        table="history",
        marks="memory_id new_memory",
        needs="memory_id new_memory event",
        lists={"history": "results memories data ."},
        fields="memory",
    ),
    "letsgo": row_tool(
        "LetsGo",
        _extract_letsgo,
        places=lambda around: around.in_home(".letsgo/memories.db"),
        table="memories",
        marks="sensitivity accessed_count content_hash",
        needs="id content",
    ),
    "ai-effort-regulation": row_tool(
        "ai-effort-regulation",
        lambda rows: rows.items("app_memories", _read_effort_row),
        places=lambda around: around.in_project("conversations.db"),
        table="app_memories",
        marks="app_id content",
        needs="id app_id content",
    ),
}
