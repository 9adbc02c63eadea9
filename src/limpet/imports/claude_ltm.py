"""Import claude-ltm's folder `.claude/ltm`: one markdown file per memory, and the full texts of shortened memories."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.imports.files import as_share, parse_foreign_time, read_each, read_text
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.model.ids import is_body
from limpet.text.front_matter import list_field, split_front_matter, text_field

_FOLDER = os.path.join(".claude", "ltm")


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the folder `.claude/ltm` of the project, if it has memories."""
    path = os.path.join(around.root or "", _FOLDER)
    if around.root and os.path.isdir(os.path.join(path, "memories")):
        yield path


def recognise(path: str) -> bool:
    """Tell whether a path is a claude-ltm folder, with memories and an index."""
    return os.path.isdir(os.path.join(path, "memories")) and os.path.isfile(os.path.join(path, "index.json"))


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft for each memory; the draft of a shortened memory has the full text if the archive contains it."""
    folder = os.path.join(path, "memories")
    archives = os.path.join(path, "archives")
    return read_each(
        folder if os.path.isdir(folder) else path,
        lambda file, name: (_read_memory(file, name, archives),),
        ".md",
    )


def _read_memory(path: str, name: str, archives: str) -> ForeignItem:
    fields, body = split_front_matter(read_text(path))
    id = text_field(fields, "id")
    if is_body(id.removeprefix("mem_")):
        return ForeignItem(name=name, left_out="Limpet wrote it")
    is_short = text_field(fields, "phase") not in ("", "0")
    full = os.path.join(archives, os.path.basename(path))
    if is_short and os.path.isfile(full):
        body = split_front_matter(read_text(full))[1]
    if not body.strip():
        return ForeignItem(name=name, refused="it has no text")
    return ForeignItem(
        name=name,
        identity=f"claude-ltm:{id}:{'short' if is_short else 'full'}" if id else "",
        draft=make_draft(
            body.strip(),
            path=path,
            title=text_field(fields, "topic", "title"),
            tags=[tag.lower() for tag in list_field(fields, "tags")],
            difficulty=as_share(text_field(fields, "difficulty")),
            created_at=parse_foreign_time(text_field(fields, "created_at")),
        ),
        changed=("only its shortened text is there",) if is_short and not os.path.isfile(full) else (),
    )
