"""Import the memories of applications from the SQLite database of ai-effort-regulation."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

from limpet.errors import Unreadable
from limpet.imports.database import has_table, open_database
from limpet.imports.files import as_text, parse_foreign_time
from limpet.imports.item import ForeignItem, Surroundings, make_draft

_FILE = "conversations.db"


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the path of the database in the project folder, if it exists."""
    path = os.path.join(around.root or "", _FILE)
    if around.root and os.path.isfile(path):
        yield path


def recognise(path: str) -> bool:
    """Tell whether a file is an ai-effort-regulation database."""
    return has_table(path, "app_memories", "app_id", "content")


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each memory, assigned to the same app."""
    with open_database(path) as tables:
        if not tables.has("app_memories", "id", "app_id", "content"):
            raise Unreadable("it has no memories of apps")
        yield from tables.items("app_memories", partial(_read_row, path=path), order="id")


def _read_row(row: dict[str, Any], path: str) -> ForeignItem:
    text, app = as_text(row.get("content")), as_text(row.get("app_id"))
    name = f"memory {row.get('id')} of {app[:60]}"
    if not text or not app:
        return ForeignItem(name=name, refused="it has no text or no app")
    draft = make_draft(
        text,
        path=path,
        app=app[:200],
        conversation=as_text(row.get("source_conversation_id"))[:200] or None,
        created_at=parse_foreign_time(row.get("created_at")),
    )
    return ForeignItem(name=name, identity=f"effort:{app}:{row.get('id')}:{text}", draft=draft)
