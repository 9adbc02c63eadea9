"""Define what an importer yields for each object of another tool's store: a draft, a fact, or why it has neither."""

from __future__ import annotations

from typing import Any

from limpet.lean.record import record
from limpet.model.memory import Draft, Origin, Source

_MAX_TITLE = 200
_MAX_TAG, _MAX_TAGS = 64, 32
_MAX_FILES, _MAX_PATH = 200, 1000


@record
class Surroundings:
    """The folders in which importers look for stores: the user's home folder and the project folder."""

    home: str
    root: str | None


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


def make_draft(
    text: str,
    *,
    path: str,
    title: str = "",
    tags: tuple[str, ...] | list[str] | None = None,
    origin: Origin = Origin.IMPORT,
    files_read: list[str] | None = None,
    files_modified: list[str] | None = None,
    line: int | None = None,
    **fields: Any,
) -> Draft:
    """Create a draft from another tool's values; values that are too long for admission are shortened or left out."""
    title = " ".join(title.split())
    if len(title) > _MAX_TITLE:
        title = title[: _MAX_TITLE - 1] + "…"
    kept = [tag for tag in tags or () if 0 < len(tag) <= _MAX_TAG][:_MAX_TAGS]
    return Draft(
        text=text,
        title=title or None,
        tags=tuple(kept) or None,
        origin=origin,
        source=Source(file=path[-_MAX_PATH:], line=line),
        files_read=_fit_paths(files_read),
        files_modified=_fit_paths(files_modified),
        **fields,
    )


def _fit_paths(paths: list[str] | None) -> tuple[str, ...]:
    return tuple(path for path in paths or () if path and len(path) <= _MAX_PATH)[:_MAX_FILES]
