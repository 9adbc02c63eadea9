"""Import memories from mcp-memory-service: from its SQLite database or its JSON export."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

from limpet.environment import environment
from limpet.errors import Unreadable
from limpet.imports.database import has_magic, has_table, open_database
from limpet.imports.files import as_choice, as_object, as_text, as_texts, parse_foreign_time, read_json
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.model.memory import Type

_FOLDERS = (".local/share/mcp-memory", "Library/Application Support/mcp-memory", "AppData/Local/mcp-memory")
"""The folders with the database on Linux, macOS and Windows, inside the user's home folder."""


_NO_TAG = "untagged"
"""The tag that the service gives to a memory without tags."""


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the path of the database, if it exists."""
    chosen = environment().get("MCP_MEMORY_BASE_DIR")
    for folder in (chosen,) if chosen else _FOLDERS:
        path = os.path.join(around.home, folder, "sqlite_vec.db")
        if os.path.exists(path):
            yield path


def recognise(path: str) -> bool:
    """Tell whether a file is an mcp-memory-service database or an mcp-memory-service export in JSON."""
    if has_magic(path):
        return has_table(path, "memories", "content_hash", "memory_type")
    data = read_json(path)
    return isinstance(data, dict) and "export_metadata" in data and "memories" in data


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each memory; deleted and replaced memories are left out."""
    if has_magic(path):
        with open_database(path) as tables:
            if not tables.has("memories", "content", "content_hash"):
                raise Unreadable("it is no database of mcp-memory-service: it has no memories")
            yield from tables.items("memories", partial(_read_row, path=path), order="created_at")
        return
    data = read_json(path)
    rows = data.get("memories") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise Unreadable("it is no export of mcp-memory-service: it has no memories")
    for row in rows:
        yield (
            _read_row(row, path) if isinstance(row, dict) else ForeignItem(name="memory", refused="it is not an object")
        )


def _read_row(row: dict[str, Any], path: str) -> ForeignItem:
    name = f"memory {as_text(row.get('content_hash'))[:12]}"
    text = as_text(row.get("content"))
    if row.get("deleted_at"):
        return ForeignItem(name=name, left_out="it was deleted there")
    if row.get("superseded_by") or as_object(row.get("metadata")).get("superseded_by"):
        return ForeignItem(name=name, left_out="it was replaced there")
    if not text:
        return ForeignItem(name=name, refused="it has no text")
    kind = as_text(row.get("memory_type"))
    tags = [tag for tag in as_texts(row.get("tags")) if tag != _NO_TAG]
    return ForeignItem(
        name=name,
        draft=make_draft(
            text,
            path=path,
            tags=[*tags, *([kind.lower()] if kind and kind != "note" else [])],
            type=as_choice(Type, kind),
            created_at=parse_foreign_time(row.get("created_at")) or parse_foreign_time(row.get("created_at_iso")),
        ),
    )
