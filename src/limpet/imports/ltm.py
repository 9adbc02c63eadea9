"""Import memories from LTM and its successor Anima: from an SQLite database, a JSON export, or markdown seed files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from typing import Any

from limpet.errors import Unreadable
from limpet.imports.database import has_magic, has_table, open_database
from limpet.imports.files import (
    as_choice,
    as_share,
    as_text,
    parse_foreign_time,
    read_each,
    read_json,
    read_text,
    walk_folder,
)
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.lean.pattern import lazy
from limpet.model.memory import Impact, Kind, Region

_FIELD = lazy(r"^\*\*([A-Za-z]{1,20}):\*\*[ \t]*+([^\n]*+)$")
_CODES = {"EMOT": Kind.EMOTIONAL, "ARCH": Kind.ARCHITECTURAL, "LEARN": Kind.LEARNINGS, "ACHV": Kind.ACHIEVEMENTS}
_FORGOTTEN = "[FORGOTTEN]"
_EXPORTED = {"region", "kind", "impact"}
"""Fields of a memory by which an export is recognised."""
_RAW = "## Raw Memory"


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the paths of the existing databases in the user's home folder."""
    for folder in (".ltm", ".anima"):
        path = os.path.join(around.home, folder, "memories.db")
        if os.path.isfile(path):
            yield path


def recognise(path: str) -> bool:
    """Tell whether a path is an LTM database, an LTM export, an LTM seed file or a folder with such seed files."""
    if os.path.isdir(path):
        return any(refused is None and _is_seed(file) for file, refused in walk_folder(path, ".md"))
    if has_magic(path):
        return has_table(path, "memories", "agent_id", "region", "original_content")
    if path.endswith(".md"):
        return _is_seed(path)
    data = read_json(path)
    rows = data.get("memories") if isinstance(data, dict) else None
    return isinstance(rows, list) and bool(rows) and isinstance(rows[0], dict) and rows[0].keys() >= _EXPORTED


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each memory in a database, an export, a seed file or a folder with seed files."""
    if os.path.isdir(path) or path.endswith(".md"):
        yield from read_each(path, lambda file, name: (_read_seed(file, name),), ".md")
    elif has_magic(path):
        with open_database(path) as tables:
            if not tables.has("memories", "id", "content", "region"):
                raise Unreadable("it is no database of LTM: it has no memories")
            names = {}
            if tables.has("projects", "id", "path"):
                names = {str(row["id"]): as_text(row["path"]) for row in tables.rows("projects", order="id")}
            rows = _NotedRows()
            for _ in tables.items("memories", rows.note, order="created_at"):
                pass
            read_row = partial(_read_row, path=path, paths=names, forgotten=rows.find_forgotten())
            yield from tables.items("memories", read_row, order="created_at")
    else:
        data = read_json(path)
        if not isinstance(data, dict) or not isinstance(data.get("memories"), list):
            raise Unreadable("it is no export of LTM: it has no memories")
        agent = data.get("agent") if isinstance(data.get("agent"), dict) else {}
        rows = _NotedRows()
        for row in data["memories"]:
            if isinstance(row, dict):
                rows.note(row)
        forgotten = rows.find_forgotten()
        for row in data["memories"]:
            if isinstance(row, dict):
                yield _read_row({"agent_id": (agent or {}).get("id"), **row}, path, {}, forgotten)
            else:
                yield ForeignItem(name="memory", refused="it is not an object")


class _NotedRows:
    """The replacements of the memories in a store, of which only the last ones tell what was forgotten."""

    def __init__(self) -> None:
        self._replaced_by: dict[str, str] = {}
        self._markers: set[str] = set()

    def note(self, row: dict[str, Any]) -> ForeignItem:
        """Note by which memory a row was replaced, and return an item that stands for nothing."""
        id = as_text(row.get("id"))
        self._replaced_by[id] = as_text(row.get("superseded_by"))
        if _is_marker(row):
            self._markers.add(id)
        return ForeignItem(name=id)

    def find_forgotten(self) -> frozenset[str]:
        """Return the ids of the memories that were forgotten, and of their older versions.

        LTM replaces a forgotten memory by another one that only says so.
        """
        return frozenset(id for id in self._replaced_by if self._is_forgotten(id))

    def _is_forgotten(self, id: str) -> bool:
        seen = set[str]()
        while id and id not in seen and id not in self._markers:
            seen.add(id)
            id = self._replaced_by.get(id, "")
        return bool(seen) and id in self._markers


def _is_marker(row: dict[str, Any]) -> bool:
    return any(as_text(row.get(name)).startswith(_FORGOTTEN) for name in ("content", "original_content"))


def _read_row(row: dict[str, Any], path: str, paths: dict[str, str], forgotten: frozenset[str]) -> ForeignItem:
    id = as_text(row.get("id"))
    name = f"memory {id[:12]}"
    text = as_text(row.get("original_content")) or as_text(row.get("content"))
    if not text:
        return ForeignItem(name=name, refused="it has no text")
    if _is_marker(row):
        return ForeignItem(name=name, left_out="it only says that another memory was forgotten")
    if id in forgotten:
        return ForeignItem(name=name, forgotten=f"ltm:{id}", left_out="it was forgotten there")
    region = as_choice(Region, row.get("region"))
    project = as_text(row.get("project_id"))
    kind, impact = as_choice(Kind, row.get("kind")), as_choice(Impact, row.get("impact"))
    unknown = [
        f"its {what} {str(row.get(what))[:40]!r} is not known here"
        for what, found in (("kind", kind), ("impact", impact))
        if found is None
    ]
    return ForeignItem(
        name=name,
        identity=f"ltm:{id}" if id else "",
        replaced_by=f"ltm:{row['superseded_by']}" if as_text(row.get("superseded_by")) else "",
        agent=as_text(row.get("agent_id")),
        project=paths.get(project, project) if region is Region.PROJECT else "",
        draft=make_draft(
            text,
            path=path,
            region=region,
            kind=kind,
            impact=impact,
            confidence=as_share(row.get("confidence")),
            created_at=parse_foreign_time(row.get("created_at")),
        ),
        changed=tuple(unknown),
    )


def _read_seed(path: str, name: str) -> ForeignItem:
    text = read_text(path)
    fields = {found[1].lower(): found[2].strip() for line in text.split("\n") if (found := _FIELD.match(line))}
    raw = _find_section(text, _RAW)
    if not fields.get("id") or not raw:
        return ForeignItem(name=name, left_out="it is no seed: it has no `**ID:**` or no `## Raw Memory`")
    region, _, project = fields.get("region", "").partition("(")
    is_project = region.strip().upper() == "PROJECT"
    return ForeignItem(
        name=name,
        identity=f"ltm:{fields['id']}",
        project=project.strip(" )") if is_project else "",
        draft=make_draft(
            raw,
            path=path,
            title=next((line.lstrip("# ") for line in text.split("\n") if line.startswith("# ")), ""),
            kind=_CODES.get(fields["id"].partition("-")[0].upper()),
            impact=as_choice(Impact, fields.get("impact")),
            region=Region.PROJECT if is_project else Region.AGENT,
            created_at=parse_foreign_time(fields.get("created")),
        ),
    )


def _is_seed(path: str) -> bool:
    try:
        text = read_text(path)
    except Unreadable:
        return False
    return "**ID:**" in text and _RAW in text


def _find_section(text: str, heading: str) -> str:
    """Return the text between a second-level heading and the next one, or an empty string if the heading is missing."""
    lines = text.split("\n")
    start = next((number for number, line in enumerate(lines) if line.startswith(heading)), None)
    if start is None:
        return ""
    rest = lines[start + 1 :]
    end = next((number for number, line in enumerate(rest) if line.startswith("## ")), len(rest))
    return "\n".join(rest[:end]).strip()
