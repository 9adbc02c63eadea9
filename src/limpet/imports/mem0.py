"""Import memories from mem0: from a JSON export, a JSON response of its API, or its local SQLite history database.

The history records every change of a memory. The last change has the current text, or shows that the memory was
deleted.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from limpet.errors import Unreadable
from limpet.imports.database import has_magic, has_table, open_database
from limpet.imports.files import as_text, as_texts, parse_foreign_time, read_json
from limpet.imports.item import ForeignItem, Surroundings, make_draft


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the path of the local history database, if it exists."""
    from limpet.hosts.wiring import folder_named

    path = os.path.join(folder_named("MEM0_DIR", ".mem0"), "history.db")
    if os.path.exists(path):
        yield path


def recognise(path: str) -> bool:
    """Tell whether a file is a mem0 history database or a mem0 export."""
    if has_magic(path):
        return has_table(path, "history", "memory_id", "new_memory")
    rows = _find_rows(read_json(path))
    return bool(rows) and isinstance(rows[0], dict) and "memory" in rows[0]


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each memory with its current text; deleted memories are left out."""
    if has_magic(path):
        with open_database(path) as tables:
            if not tables.has("history", "memory_id", "new_memory", "event"):
                raise Unreadable("it is no history of mem0: it has no events")
            # Ordered by row, because an update has the time of its memory, and a deletion has no time.
            last = {as_text(row.get("memory_id")): row for row in tables.rows("history", order="rowid")}
            for id, row in last.items():
                yield _read_row({**row, "id": id, "memory": row.get("new_memory")}, path)
        return
    rows = _find_rows(read_json(path))
    if not rows:
        raise Unreadable("it is no export of mem0: it has no memories")
    for row in rows:
        yield (
            _read_row(row, path) if isinstance(row, dict) else ForeignItem(name="memory", refused="it is not an object")
        )


def _find_rows(data: Any) -> list[Any]:
    """Return the list of memories in a JSON value: the value itself, or the list under one of several known keys."""
    if isinstance(data, dict):
        data = next((data[name] for name in ("results", "memories", "data") if isinstance(data.get(name), list)), [])
    return data if isinstance(data, list) else []


def _read_row(row: dict[str, Any], path: str) -> ForeignItem:
    name = f"memory {as_text(row.get('id'))[:12]}"
    text = as_text(row.get("memory"))
    if row.get("is_deleted") or as_text(row.get("event")).upper() == "DELETE":
        return ForeignItem(name=name, left_out="it was deleted there")
    if not text:
        return ForeignItem(name=name, refused="it has no text")
    metadata = row.get("metadata") if isinstance(row.get("metadata"), dict) else {}
    tags = [*as_texts(row.get("categories")), *as_texts((metadata or {}).get("category"))]
    return ForeignItem(
        name=name,
        draft=make_draft(
            text,
            path=path,
            tags=[tag.lower() for tag in tags],
            created_at=parse_foreign_time(row.get("created_at")),
        ),
    )
