"""Import memories and facts from the SQLite database of the LetsGo memory bundle."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

from limpet.errors import Unreadable
from limpet.imports.database import has_table, open_database
from limpet.imports.files import as_choice, as_share, as_text, as_texts, parse_foreign_time
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.model.memory import Concept, Sensitivity, Type


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the path of the database, if it exists."""
    path = os.path.join(around.home, ".letsgo", "memories.db")
    if os.path.isfile(path):
        yield path


def recognise(path: str) -> bool:
    """Tell whether a file is a LetsGo database."""
    return has_table(path, "memories", "sensitivity", "accessed_count", "content_hash")


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each memory, then the facts."""
    with open_database(path) as tables:
        if not tables.has("memories", "id", "content"):
            raise Unreadable("it is no database of LetsGo: it has no memories")
        yield from tables.items("memories", partial(_read_row, path=path), order="created_at")
        if tables.has("facts", "subject", "predicate", "object"):
            yield from tables.items("facts", _read_fact, order="id")


def _read_fact(row: dict[str, Any]) -> ForeignItem:
    parts = as_text(row["subject"]), as_text(row["predicate"]), as_text(row["object"])
    return ForeignItem(name=f"fact {as_text(row.get('id'))[:12]}", fact=parts)


def _read_row(row: dict[str, Any], path: str) -> ForeignItem:
    name = f"memory {as_text(row.get('id'))[:12]}"
    text = as_text(row.get("content"))
    if not text:
        return ForeignItem(name=name, refused="it has no text")
    # LetsGo shows a memory with an unknown level to nobody, so it becomes secret.
    level = as_text(row.get("sensitivity"))
    sensitivity = as_choice(Sensitivity, level) or Sensitivity.SECRET
    concepts = [as_choice(Concept, each) for each in as_texts(row.get("concepts"))]
    return ForeignItem(
        name=name,
        identity=f"letsgo:{as_text(row.get('id'))}",
        project=as_text(row.get("project")),
        draft=make_draft(
            text,
            path=path,
            title=as_text(row.get("title")),
            tags=[tag.lower() for tag in as_texts(row.get("tags"))],
            type=as_choice(Type, row.get("type")),
            concepts=tuple(each for each in concepts if each is not None) or None,
            importance=as_share(row.get("importance")),
            # `public` is the default in LetsGo, so nobody may have chosen it.
            sensitivity=None if sensitivity is Sensitivity.PUBLIC else sensitivity,
            session=as_text(row.get("session_id"))[:200] or None,
            files_read=as_texts(row.get("files_read")),
            files_modified=as_texts(row.get("files_modified")),
            created_at=parse_foreign_time(row.get("created_at")),
            expires_at=parse_foreign_time(row.get("expires_at")),
        ),
        changed=()
        if as_choice(Sensitivity, level) or not level
        else (f"its sensitivity {level[:40]!r} is now secret",),
    )
