"""Import memories from claude-mem: from its SQLite database, or from a JSON file that its export script has written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

from limpet.errors import Unreadable
from limpet.imports.database import has_magic, has_table, open_database
from limpet.imports.files import as_choice, as_text, as_texts, parse_foreign_time, read_json
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.model.memory import Concept, Type

_PARTS = (
    ("request", "Asked for"),
    ("investigated", "Looked into"),
    ("learned", "Learnt"),
    ("completed", "Done"),
    ("next_steps", "Next"),
    ("notes", "Notes"),
)


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the path of the database, if it exists."""
    from limpet.hosts.wiring import folder_named

    path = os.path.join(folder_named("CLAUDE_MEM_DATA_DIR", ".claude-mem"), "claude-mem.db")
    if os.path.exists(path):
        yield path


def recognise(path: str) -> bool:
    """Tell whether a file is a claude-mem database or a claude-mem export in JSON."""
    if has_magic(path):
        return has_table(path, "observations", "memory_session_id", "project")
    data = read_json(path)
    return isinstance(data, dict) and "observations" in data and "summaries" in data


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each observation and session summary; prompts are left out."""
    if has_magic(path):
        with open_database(path) as tables:
            if not tables.has("observations", "id", "project"):
                raise Unreadable("it is no database of claude-mem: it has no observations")
            yield from tables.items("observations", partial(_read_observation, path=path), order="id")
            if tables.has("session_summaries", "id", "project"):
                yield from tables.items("session_summaries", partial(_read_summary, path=path), order="id")
            if tables.has("user_prompts", "id"):
                yield from _leave_out_prompts(tables.count("user_prompts"))
        return
    data = read_json(path)
    if not isinstance(data, dict) or not isinstance(data.get("observations"), list):
        raise Unreadable("it is no export of claude-mem: it has no observations")
    for row in data["observations"]:
        yield _read_observation(row, path) if isinstance(row, dict) else _refuse_row("observation")
    summaries = data.get("summaries")
    for row in summaries if isinstance(summaries, list) else ():
        yield _read_summary(row, path) if isinstance(row, dict) else _refuse_row("summary")
    yield from _leave_out_prompts(len(data.get("prompts") or ()))


def _refuse_row(what: str) -> ForeignItem:
    return ForeignItem(name=what, refused="it is not an object")


def _leave_out_prompts(count: int) -> Iterator[ForeignItem]:
    if count:
        yield ForeignItem(name=f"{count} prompts", left_out="a prompt is what was asked, not what was learnt")


def _read_observation(row: dict[str, Any], path: str) -> ForeignItem:
    name = f"observation {row.get('id')}"
    told = as_text(row.get("narrative")) or as_text(row.get("text"))
    lines = [f"- {fact}" for fact in as_texts(row.get("facts")) if fact not in told]
    text = "\n".join(filter(None, (told, *lines))) or as_text(row.get("subtitle")) or as_text(row.get("title"))
    if not text:
        return ForeignItem(name=name, refused="it has no text")
    concepts = [as_choice(Concept, each) for each in as_texts(row.get("concepts"))]
    found = as_choice(Type, row.get("type"))
    return ForeignItem(
        name=name,
        project=as_text(row.get("merged_into_project")) or as_text(row.get("project")),
        draft=make_draft(
            text,
            path=path,
            title=as_text(row.get("title")),
            type=found,
            concepts=tuple(each for each in concepts if each is not None) or None,
            session=as_text(row.get("memory_session_id"))[:200] or None,
            files_read=as_texts(row.get("files_read")),
            files_modified=as_texts(row.get("files_modified")),
            created_at=parse_foreign_time(row.get("created_at_epoch")) or parse_foreign_time(row.get("created_at")),
        ),
        changed=() if found or not row.get("type") else (f"its type {str(row['type'])[:40]!r} is not known here",),
    )


def _read_summary(row: dict[str, Any], path: str) -> ForeignItem:
    name = f"summary {row.get('id')}"
    said = [(label, as_text(row.get(column))) for column, label in _PARTS]
    text = "\n".join(f"{label}: {value}" for label, value in said if value)
    if not text:
        return ForeignItem(name=name, refused="it has no text")
    return ForeignItem(
        name=name,
        project=as_text(row.get("merged_into_project")) or as_text(row.get("project")),
        draft=make_draft(
            text,
            path=path,
            title=as_text(row.get("request")),
            type=Type.SESSION_SUMMARY,
            session=as_text(row.get("memory_session_id"))[:200] or None,
            files_read=as_texts(row.get("files_read")),
            files_modified=as_texts(row.get("files_edited")),
            created_at=parse_foreign_time(row.get("created_at_epoch")) or parse_foreign_time(row.get("created_at")),
        ),
    )
