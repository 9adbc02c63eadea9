"""Import memories from LTM and its successor Anima: from an SQLite database, a JSON export, or markdown seed files."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.imports.database import Tables
from limpet.imports.files import as_choice, as_text
from limpet.imports.item import ForeignItem, Tool, make_item
from limpet.imports.note_files import Note, find_notes, read_note, read_notes
from limpet.imports.rows import Document, Row, row_tool
from limpet.lean.pattern import lazy
from limpet.model.memory import Impact, Kind, Region

_FIELD = lazy(r"^\*\*([A-Za-z]{1,20}):\*\*[ \t]*+([^\n]*+)$")
_CODES = {"EMOT": Kind.EMOTIONAL, "ARCH": Kind.ARCHITECTURAL, "LEARN": Kind.LEARNINGS, "ACHV": Kind.ACHIEVEMENTS}
_FORGOTTEN = "[FORGOTTEN]"
_RAW = "## Raw Memory"


def _extract(rows: Tables | Document) -> Iterator[ForeignItem]:
    """Yield a draft for each memory, after a look at all of them at what was forgotten.

    LTM replaces a forgotten memory by another one that only says so. Its older versions are forgotten too.
    """
    paths, agent = dict[str, str](), None
    if isinstance(rows, Document):
        agent = rows.data.get("agent")
    elif rows.has("projects", "id", "path"):
        paths = {str(row["id"]): as_text(row["path"]) for row in rows.rows("projects", order="id")}
    owner = agent.get("id") if isinstance(agent, dict) else None
    replaced_by, markers = dict[str, str](), set[str]()

    def note(row: Row, path: str) -> ForeignItem:
        id = as_text(row.get("id"))
        replaced_by[id] = as_text(row.get("superseded_by"))
        markers.update([id] if _is_marker(row) else [])
        return ForeignItem(name=id)

    def is_forgotten(id: str) -> bool:
        seen = {""}
        while id not in seen and id not in markers:
            seen.add(id)
            id = replaced_by.get(id, "")
        return id in markers

    def read(row: Row, path: str) -> ForeignItem:
        is_gone = is_forgotten(as_text(row.get("id")))
        return _read_row({"agent_id": owner, **row}, path, paths, is_gone)

    for _ in rows.items("memories", note, order="created_at"):
        pass
    yield from rows.items("memories", read, order="created_at")


def _is_marker(row: Row) -> bool:
    return any(as_text(row.get(name)).startswith(_FORGOTTEN) for name in ("content", "original_content"))


def _read_row(row: Row, path: str, paths: dict[str, str], is_forgotten: bool) -> ForeignItem:
    id, replaced_by = as_text(row.get("id")), as_text(row.get("superseded_by"))
    name = f"memory {id[:12]}"
    if _is_marker(row):
        return ForeignItem(name=name, left_out="it only says that another memory was forgotten")
    if is_forgotten:
        return ForeignItem(name=name, forgotten=f"ltm:{id}", left_out="it was forgotten there")
    is_project, project = as_choice(Region, row.get("region")) is Region.PROJECT, as_text(row.get("project_id"))
    unknown = [
        f"its {what} {str(row.get(what))[:40]!r} is not known here"
        for what, choices in (("kind", Kind), ("impact", Impact))
        if as_choice(choices, row.get(what)) is None
    ]
    return make_item(
        name,
        as_text(row.get("original_content")) or as_text(row.get("content")),
        path,
        row,
        "region kind impact confidence created_at agent=agent_id",
        identity=f"ltm:{id}" if id else "",
        replaced_by=f"ltm:{replaced_by}" if replaced_by else "",
        project=paths.get(project, project) if is_project else "",
        changed=tuple(unknown),
    )


def _is_seed(note: Note) -> bool:
    return "**ID:**" in note.body and _RAW in note.body


def _read_seed(note: Note) -> Iterator[ForeignItem]:
    lines = note.body.split("\n")
    fields = {found[1].lower(): found[2].strip() for line in lines if (found := _FIELD.match(line))}
    # The text between the heading and the next one of the second level.
    raw = f"\n{note.body}".partition(f"\n{_RAW}")[2].partition("\n")[2].partition("\n## ")[0].strip()
    if not fields.get("id") or not raw:
        left_out = "it is no seed: it has no `**ID:**` or no `## Raw Memory`"
        yield ForeignItem(name=note.name, left_out=left_out)
        return
    region, _, project = fields.get("region", "").partition("(")
    is_project = region.strip().upper() == "PROJECT"
    yield make_item(
        note.name,
        raw,
        note.path,
        fields,
        "impact created_at=created",
        title=next((line.lstrip("# ") for line in lines if line.startswith("# ")), ""),
        kind=_CODES.get(fields["id"].partition("-")[0].upper()),
        region=Region.PROJECT if is_project else Region.AGENT,
        identity=f"ltm:{fields['id']}",
        project=project.strip(" )") if is_project else "",
    )


_ROWS = row_tool(
    "LTM",
    _extract,
    places=lambda around: around.in_home(".ltm/memories.db", ".anima/memories.db"),
    table="memories",
    needs="id content region",
    marks="agent_id region original_content",
    lists={"memories": "memories"},
    fields="region kind impact",
)


def _recognises(path: str) -> bool:
    if path.endswith(".md"):
        return _is_seed(read_note(path))
    return any(map(_is_seed, find_notes(path))) if os.path.isdir(path) else _ROWS.recognises(path)


def _read(path: str) -> Iterator[ForeignItem]:
    is_seeds = os.path.isdir(path) or path.endswith(".md")
    yield from read_notes(path, _read_seed, lenient=True) if is_seeds else _ROWS.read(path)


TOOLS = {"ltm": Tool(places=_ROWS.places, recognises=_recognises, read=_read)}
