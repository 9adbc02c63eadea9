"""What an importer yields: the objects of a foreign store, each as a draft, a fact or a reason."""

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
    """One object of a foreign store.

    It has a draft or a fact; otherwise `left_out` or `refused` gives the reason why it has none. An object is left out
    if nothing is wrong with it, and refused if it is damaged, hostile or too large.
    """

    name: str
    """How a report names the object, such as `observation 12`."""
    draft: Draft | None = None
    fact: tuple[str, str, str] | None = None
    left_out: str = ""
    refused: str = ""
    changed: tuple[str, ...] = ()
    """What the draft does not keep of the object."""
    identity: str = ""
    """What identifies the object wherever it is read; if empty, its text does."""
    project: str = ""
    """The project that the object belongs to at its source: a name or a path; empty if it belongs to none."""
    agent: str = ""
    """The id of the agent that the object belongs to at its source."""
    replaced_by: str = ""
    """The identity of the object that has replaced this one."""
    retired: str = ""
    """The identity of an object that the source has erased, so that no older copy may bring it back."""


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
    """Return a draft with fields cut to the lengths that admission allows; a title that is too long ends with `…`."""
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
