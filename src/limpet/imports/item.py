"""Define what a reader yields for each object of another tool's store: a draft, a fact, or why it has neither."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from limpet.imports.files import as_choice, as_share, as_text, as_texts, parse_foreign_time
from limpet.lean.record import record
from limpet.model.memory import Concept, Draft, Impact, Kind, Origin, Region, Source, Type

_MAX_TITLE = 200
_MAX_TAG, _MAX_TAGS = 64, 32
_MAX_FILES, _MAX_PATH = 200, 1000


@record
class Surroundings:
    """The folders in which stores are looked for: the user's home folder and the project folder."""

    home: str
    root: str | None

    def in_home(self, *names: str) -> list[str]:
        """Return the paths with these names in the home folder."""
        return [os.path.join(self.home, name) for name in names]

    def in_project(self, *names: str) -> list[str]:
        """Return the paths with these names in the project folder, or an empty list if there is none."""
        return [os.path.join(self.root, name) for name in names] if self.root else []


@record
class ForeignItem:
    """One object of another tool's store, with a draft, a fact, or a reason in `left_out` or `refused`."""

    name: str
    """The name of the object in reports, such as `observation 12`."""
    draft: Draft | None = None
    fact: tuple[str, str, str] | None = None
    """The subject, the predicate and the object of a fact."""
    left_out: str = ""
    """Why a valid object is not imported; otherwise an empty string."""
    refused: str = ""
    """Why the object cannot be imported, for example because it is damaged or too large; otherwise an empty string."""
    changed: tuple[str, ...] = ()
    """Remarks on how the draft differs from the object."""
    identity: str = ""
    """A key that is the same in every copy of the object. If it is empty, objects with the same text are duplicates."""
    project: str = ""
    """The object's project in the other tool, as a name or a path; an empty string if it has none."""
    agent: str = ""
    """The id of the object's agent in the other tool; an empty string if it has none."""
    replaced_by: str = ""
    """The identity of the object that has replaced this one; an empty string if there is none."""
    forgotten: str = ""
    """The identity of an object that was forgotten in the other tool; no copy of it may be imported."""


@record
class Tool:
    """How to find, recognise and read the stores of one tool. `recognises` and `read` may raise Unreadable."""

    places: Callable[[Surroundings], Iterable[str]]
    """Return the paths at which a store may be on this machine. That of a folder ends with a slash."""
    recognises: Callable[[str], bool]
    """Tell whether a path is such a store."""
    read: Callable[[str], Iterable[ForeignItem]]


def make_item(
    name: str,
    text: str,
    path: str,
    row: dict[str, Any] | None = None,
    columns: str = "",
    *,
    changed: tuple[str, ...] = (),
    **fields: Any,
) -> ForeignItem:
    """Return an item with a draft of another tool's values, or a refused one if the text is empty.

    `columns` names the fields of the draft and of the item that are taken from the columns of a row or the fields of
    front matter, as `title` or as `title=topic,name`; the first column with a value counts. `fields` has more fields.
    Values that are too long for admission are shortened or left out.
    """
    if not text:
        return ForeignItem(name=name, refused="it has no text")
    for pair in columns.split():
        field, _, names = pair.partition("=")
        values = (_READERS[field]((row or {}).get(column)) for column in (names or field).split(","))
        fields[field] = next((value for value in values if value not in (None, "", [])), None)
    title = " ".join((fields.pop("title", None) or "").split())
    item: dict[str, Any] = {
        each: fields.pop(each) or "" for each in ("identity", "project", "agent", "replaced_by") if each in fields
    }
    draft = Draft(
        text=text,
        title=f"{title[: _MAX_TITLE - 1]}…" if len(title) > _MAX_TITLE else title or None,
        tags=tuple([tag for tag in fields.pop("tags", None) or () if 0 < len(tag) <= _MAX_TAG][:_MAX_TAGS]) or None,
        concepts=tuple(filter(None, fields.pop("concepts", None) or ())) or None,
        origin=fields.pop("origin", Origin.IMPORT),
        source=Source(file=path[-_MAX_PATH:], line=fields.pop("line", None)),
        session=(fields.pop("session", None) or "")[:200] or None,
        files_read=_fit_paths(fields.pop("files_read", None)),
        files_modified=_fit_paths(fields.pop("files_modified", None)),
        **fields,
    )
    return ForeignItem(name=name, draft=draft, changed=changed, **item)


def _fit_paths(paths: list[str] | None) -> tuple[str, ...]:
    return tuple(path for path in paths or () if path and len(path) <= _MAX_PATH)[:_MAX_FILES]


_READERS: dict[str, Callable[[object], Any]] = {
    **dict.fromkeys(("title", "session", "conversation", "project", "agent"), as_text),
    **dict.fromkeys(("tags", "files_read", "files_modified"), as_texts),
    **dict.fromkeys(("created_at", "expires_at"), parse_foreign_time),
    **dict.fromkeys(("importance", "difficulty", "confidence"), as_share),
    **{name: partial(as_choice, kind) for name, kind in (("type", Type), ("kind", Kind), ("impact", Impact))},
    "region": partial(as_choice, Region),
    "concepts": lambda value: [as_choice(Concept, each) for each in as_texts(value)],
}
"""How the value of each field is read."""
