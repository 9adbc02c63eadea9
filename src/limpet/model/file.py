"""The files of an app's memory directory: virtual texts under `/memories`, folded from their changes.

A file is never a file on disk. Every edit is a change with the whole text, so each version can be got back; a deletion
hides the file and erases nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from limpet.guard.signs import EDITION
from limpet.lean.record import record, replace
from limpet.model.app import FILE_PREFIX
from limpet.model.change import Change, ChangeKind


@record
class AppFile:
    """A file of an app as it is after its last change."""

    id: str
    app: str
    path: str
    text: str
    created_at: datetime
    updated_at: datetime
    version: int = 1
    """How many changes it has had: edits, renames and deletions."""
    is_deleted: bool = False
    signs: tuple[str, ...] | None = None
    """Signs of an instruction to a model in the text; None if another edition of the rules found them."""


def fold_file(changes: Iterable[Change]) -> AppFile | None:
    """Return the file after all its changes; what names another app than the first change has no effect."""
    found: AppFile | None = None
    for change in sorted(changes, key=lambda change: change.id):
        found = apply_file_change(found, change)
    return found


def fold_file_versions(changes: Iterable[Change]) -> tuple[AppFile, ...]:
    """Return the file after each of its changes, the oldest first."""
    found: AppFile | None = None
    versions: list[AppFile] = []
    for change in sorted(changes, key=lambda change: change.id):
        later = apply_file_change(found, change)
        if later is not None and later is not found:
            versions.append(later)
        found = later
    return tuple(versions)


def apply_file_change(file: AppFile | None, change: Change) -> AppFile | None:
    """Return the file after one more change; the same file if the change cannot be understood."""
    payload = change.payload
    app, path, text = (payload.get(name) for name in ("app", "path", "text"))
    if change.kind != ChangeKind.FILE or not isinstance(app, str):
        return file
    if file is None:
        if not isinstance(path, str) or not isinstance(text, str):
            return None
        id = change.subject.removeprefix(FILE_PREFIX)
        file = AppFile(id=id, app=app, path=path, text=text, created_at=change.at, updated_at=change.at, version=0)
    elif app != file.app:
        return file
    has_text = isinstance(text, str)
    return replace(
        file,
        path=path if isinstance(path, str) else file.path,
        text=text if isinstance(text, str) else file.text,
        signs=_decode_signs(payload.get("signs")) if has_text else file.signs,
        updated_at=change.at,
        version=file.version + 1,
        is_deleted=bool(payload.get("deleted", file.is_deleted)),
    )


def _decode_signs(given: object) -> tuple[str, ...] | None:
    if not isinstance(given, dict) or given.get("edition") != EDITION or not isinstance(given.get("found"), list):
        return None
    return tuple(each for each in given["found"] if isinstance(each, str))
