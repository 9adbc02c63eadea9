"""The files in an app's memory directory, `/memories`.

These files are not on disk. Each one is computed from its changes in the journal. Every edit is a change that contains
the whole text, so that each version can be restored. A deletion hides the file and erases nothing. Each change with a
text or a path has a separate journal subject, derived from that of the file. Purging the file erases all its versions,
and purging one of these subjects erases one version.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record, replace
from limpet.model.app import APP_PREFIX, FILE_PREFIX
from limpet.model.change import Change, ChangeKind
from limpet.model.payload_values import decode_signs

_SEPARATOR = "/"
"""The separator between file and version in a journal subject, and between app and writer in an actor."""


class FileOperation(StrEnum):
    """The operation that made a file version."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"


@record
class AppFile:
    """A file in an app's memory directory, in its state after the last change."""

    id: str
    app: str
    path: str
    text: str
    created_at: datetime
    updated_at: datetime
    version: int = 1
    """The number of changes so far: the creation, edits, renames and deletions."""
    head: str = ""
    """The id of the last change."""
    is_deleted: bool = False
    signs: tuple[str, ...] | None = None
    """Signs of prompt injection in the text; None if they were searched for with an older or newer set of rules."""


@record
class FileVersion:
    """A version of a file: its state after one of its changes. A redacted version has no path and no text."""

    id: str
    """The id of the change that made this version."""
    subject: str
    """The journal subject that a purge must name to erase this version."""
    number: int
    operation: FileOperation
    at: datetime
    path: str | None = None
    text: str | None = None
    signs: tuple[str, ...] | None = None
    redacted_at: datetime | None = None


def subject_of_version(file_id: str, nonce: str) -> str:
    """Return the journal subject for a version of a file. `nonce` makes it unique."""
    return f"{FILE_PREFIX}{file_id}{_SEPARATOR}{nonce}"


def fold_file(changes: Iterable[Change]) -> AppFile | None:
    """Return the file computed from its changes, or None if they create no file.

    A change that names a different app from that of the first change has no effect.
    """
    return _fold(changes)[0]


def fold_file_versions(changes: Iterable[Change]) -> tuple[FileVersion, ...]:
    """Return every version of a file, oldest first."""
    return tuple(_fold(changes)[1])


def _fold(changes: Iterable[Change]) -> tuple[AppFile | None, list[FileVersion]]:
    ordered = sorted(changes, key=lambda change: change.id)
    purges = {change.subject: change for change in ordered if change.kind == ChangeKind.PURGE}
    found: AppFile | None = None
    versions: list[FileVersion] = []
    for change in ordered:
        if change.kind != ChangeKind.FILE:
            continue
        # The subject that a purge names to erase this version. A deletion or restoration gets another one, so that
        # purging a version never undoes it.
        subject = (
            subject_of_version(change.subject.removeprefix(FILE_PREFIX), change.id)
            if "deleted" in change.payload
            else change.subject
        )
        purge = purges.get(subject)
        # A purge counts before the bytes are overwritten; a deletion holds no text, so it stays.
        is_erased = purge is not None and "deleted" not in change.payload
        later = _apply_erased(found, change) if is_erased else _apply(found, change)
        if later is None or later is found:
            continue
        is_deletion = change.payload.get("deleted") is True
        operation = (
            FileOperation.CREATED if found is None else FileOperation.DELETED if is_deletion else FileOperation.MODIFIED
        )
        found = later
        version = FileVersion(
            id=change.id,
            subject=subject,
            number=found.version,
            operation=operation,
            at=change.at,
        )
        if purge is not None:
            version = replace(version, redacted_at=purge.at)
        else:
            text = None if is_deletion else found.text
            version = replace(version, path=found.path, text=text, signs=found.signs)
        versions.append(version)
    return found, versions


def _apply_erased(file: AppFile | None, change: Change) -> AppFile | None:
    """Return the file after a change whose text was purged, so that only its header is left."""
    if file is None:
        id = change.subject.removeprefix(FILE_PREFIX).partition(_SEPARATOR)[0]
        app = change.actor.removeprefix(APP_PREFIX).partition(_SEPARATOR)[0]
        return AppFile(
            id=id,
            app=app,
            path="",
            text="",
            created_at=change.at,
            updated_at=change.at,
            head=change.id,
            is_deleted=True,
        )
    return replace(file, version=file.version + 1, head=change.id, updated_at=change.at)


def _apply(file: AppFile | None, change: Change) -> AppFile | None:
    """Return the file after one more change. A change that cannot be understood has no effect."""
    payload = change.payload
    app, path, text = (payload.get(name) for name in ("app", "path", "text"))
    if not isinstance(app, str):
        return file
    if file is None:
        if not isinstance(path, str) or not isinstance(text, str):
            return None
        id = change.subject.removeprefix(FILE_PREFIX).partition(_SEPARATOR)[0]
        file = AppFile(id=id, app=app, path=path, text=text, created_at=change.at, updated_at=change.at, version=0)
    elif app != file.app:
        return file
    has_text = isinstance(text, str)
    # The versions before may all be erased; then this is the first that is left.
    is_deleted = file.is_deleted and not (has_text and not file.path)
    return replace(
        file,
        path=path if isinstance(path, str) else file.path,
        text=text if isinstance(text, str) else file.text,
        signs=decode_signs(payload) if has_text else file.signs,
        updated_at=change.at,
        version=file.version + 1,
        head=change.id,
        is_deleted=bool(payload.get("deleted", is_deleted)),
    )
