"""Define what an importer yields for each object of another tool's store: a draft, a fact, or why it has neither."""

from __future__ import annotations

from limpet.lean.record import record
from limpet.model.memory import Draft, Origin, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAX_TITLE = 200
_MAX_TAG, _MAX_TAGS = 64, 32
_MAX_FILES, _MAX_PATH = 200, 1000


@record
class Surroundings:
    """The folders in which importers look for stores: the user's home folder and the folder of the project."""

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
    """Why the object is not imported although nothing is wrong with it; empty otherwise."""
    refused: str = ""
    """Why the object cannot be imported, because it is damaged, hostile or too large; empty otherwise."""
    changed: tuple[str, ...] = ()
    """Remarks on how the draft differs from the object."""
    identity: str = ""
    """A key that is the same in every copy of the object; if empty, objects with the same text are the same."""
    project: str = ""
    """The project of the object in the other tool, as a name or a path; empty if it has none."""
    agent: str = ""
    """The id of the agent of the object in the other tool; empty if it has none."""
    replaced_by: str = ""
    """The identity of the object that has replaced this one; empty if there is none."""
    retired: str = ""
    """The identity of an object that was erased in the other tool, so that no older copy of it is imported."""


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
    """Make a draft from values of another tool, and shorten or leave out values that are too long for admission."""
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
