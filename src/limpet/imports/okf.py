"""Import a bundle of the Open Knowledge Format 0.2: a folder of markdown files, each a concept with a `type`."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.errors import Unreadable
from limpet.imports.files import as_choice, as_text, parse_foreign_time, read_each, read_text, walk_folder
from limpet.imports.item import ForeignItem, Surroundings, make_draft
from limpet.model.memory import Type
from limpet.text.front_matter import list_field, split_front_matter, text_field

RESERVED = ("index.md", "log.md")
"""The names of files in a bundle that are not concepts."""
FACT_TYPE = "fact"
"""The type of a concept that states a fact in the fields `subject`, `predicate` and `object`."""
_UNSURE = 0.6
"""The confidence in a concept whose status is `draft`."""


def find(around: Surroundings, name: str) -> Iterator[str]:
    """Yield the project's folders `okf` and `.okf`, if they exist."""
    for place in ("okf", ".okf") if around.root else ():
        path = os.path.join(around.root or "", place)
        if os.path.isdir(path):
            yield path


def recognise(path: str) -> bool:
    """Tell whether a folder is an OKF bundle: the first of its concept files that can be read has a type."""
    for file, refused in walk_folder(path, ".md") if os.path.isdir(path) else ():
        if refused is None and os.path.basename(file) not in RESERVED:
            try:
                return bool(text_field(split_front_matter(read_text(file))[0], "type"))
            except Unreadable:
                continue
    return False


def read(path: str) -> Iterator[ForeignItem]:
    """Yield a draft or a fact for each concept; deprecated concepts are left out."""
    return read_each(path, lambda file, name: (_read_concept(file, name),), ".md", skip=RESERVED)


def _read_concept(path: str, name: str) -> ForeignItem:
    fields, body = split_front_matter(read_text(path))
    kind = text_field(fields, "type")
    if not kind:
        return ForeignItem(name=name, refused="its front matter has no type")
    status = text_field(fields, "status")
    if status == "deprecated":
        return ForeignItem(name=name, left_out="it is deprecated there")
    parts = [text_field(fields, part) for part in ("subject", "predicate", "object")]
    if kind == FACT_TYPE and all(parts):
        return ForeignItem(name=name, fact=(parts[0], parts[1], parts[2]))
    description = text_field(fields, "description")
    text = body.strip() or description
    if not text:
        return ForeignItem(name=name, left_out="it has no text")
    made = fields.get("generated") if isinstance(fields.get("generated"), dict) else {}
    return ForeignItem(
        name=name,
        draft=make_draft(
            text,
            path=path,
            title=text_field(fields, "title") or description,
            tags=[*(tag.lower() for tag in list_field(fields, "tags")), kind.lower()],
            type=as_choice(Type, kind),
            confidence=_UNSURE if status == "draft" else None,
            created_at=parse_foreign_time(as_text((made or {}).get("at")) or text_field(fields, "timestamp")),
            expires_at=parse_foreign_time(text_field(fields, "stale_after")),
        ),
        changed=("it is a draft there, so its confidence is lower",) if status == "draft" else (),
    )
