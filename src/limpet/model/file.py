"""The files of an app's memory directory: virtual texts under `/memories`, folded from their changes.

Such a file is not on disk. Every edit is a change with the whole text, so each version can be restored; a deletion
hides the file and erases nothing. Each change that holds a text or a path is a separate subject, derived from the
file: a purge of the file erases them all, and a purge of one of them redacts that version.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from limpet.guard.signs import EDITION
from limpet.lean.enumeration import StrEnum
from limpet.lean.record import record, replace
from limpet.model.app import APP_PREFIX, FILE_PREFIX
from limpet.model.change import Change, ChangeKind

_OF_VERSION = "/"
"""What stands between the file and the version in a subject, and between the app and the writer in an actor."""


class FileOperation(StrEnum):
    """The operation that made a version of a file."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"


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
    head: str = ""
    """The id of the last change."""
    is_deleted: bool = False
    signs: tuple[str, ...] | None = None
    """Signs of an instruction to a model in the text; None if another edition of the rules found them."""


@record
class FileVersion:
    """A file after one of its changes; without path and text if this version was redacted."""

    id: str
    """The id of the change."""
    subject: str
    """What a purge has to name to erase this version."""
    number: int
    operation: FileOperation
    at: datetime
    writer: str
    """Who wrote it: empty for the model of the app, else the caller of the API."""
    path: str | None = None
    text: str | None = None
    signs: tuple[str, ...] | None = None
    source: str = ""
    """The id of the change that holds its text; an earlier one if this change gave the file another path."""
    redacted_at: datetime | None = None


def subject_of_version(file_id: str, nonce: str) -> str:
    """Return the subject of one version of a file."""
    return f"{FILE_PREFIX}{file_id}{_OF_VERSION}{nonce}"


def actor_of_writer(app: str, writer: str) -> str:
    """Return the actor by which the journal names the writer of a file; it stays when the text is erased."""
    return APP_PREFIX + app + (_OF_VERSION + writer if writer else "")


def fold_file(changes: Iterable[Change]) -> AppFile | None:
    """Return the file after all its changes; a change that names another app than the first has no effect."""
    return _fold(changes)[0]


def fold_file_versions(changes: Iterable[Change]) -> tuple[FileVersion, ...]:
    """Return the file after each of its changes, the oldest first."""
    return tuple(_fold(changes)[1])


def _fold(changes: Iterable[Change]) -> tuple[AppFile | None, list[FileVersion]]:
    ordered = sorted(changes, key=lambda change: change.id)
    purges = {change.subject: change for change in ordered if change.kind == ChangeKind.PURGE}
    found: AppFile | None = None
    versions: list[FileVersion] = []
    source = ""
    for change in ordered:
        if change.kind != ChangeKind.FILE:
            continue
        subject = _subject_of(change)
        purge = purges.get(subject)
        # A purge counts before the bytes are overwritten; a deletion holds no text, so it stays.
        is_erased = purge is not None and "deleted" not in change.payload
        later = _count_erased(found, change) if is_erased else _apply(found, change)
        if later is None or later is found:
            continue
        source = change.id if "text" in change.payload and not is_erased else source
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
            writer=change.actor.removeprefix(APP_PREFIX).partition(_OF_VERSION)[2],
        )
        if purge is not None:
            version = replace(version, redacted_at=purge.at)
        else:
            text = None if is_deletion else found.text
            version = replace(version, path=found.path, text=text, signs=found.signs, source=source)
        versions.append(version)
    return found, versions


def _subject_of(change: Change) -> str:
    """Return what a purge of this version names.

    A deletion must outlive the purge of its version, or the file would come back. So the subject of a deletion is the
    file, and so is the subject of a restoration.
    """
    if "deleted" in change.payload:
        return subject_of_version(change.subject.removeprefix(FILE_PREFIX), change.id)
    return change.subject


def _count_erased(file: AppFile | None, change: Change) -> AppFile | None:
    """Return the file after a change whose text a person has erased; only its header is left."""
    if file is None:
        id = change.subject.removeprefix(FILE_PREFIX).partition(_OF_VERSION)[0]
        app = change.actor.removeprefix(APP_PREFIX).partition(_OF_VERSION)[0]
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
    """Return the file after one more change; the same file if the change cannot be understood."""
    payload = change.payload
    app, path, text = (payload.get(name) for name in ("app", "path", "text"))
    if not isinstance(app, str):
        return file
    if file is None:
        if not isinstance(path, str) or not isinstance(text, str):
            return None
        id = change.subject.removeprefix(FILE_PREFIX).partition(_OF_VERSION)[0]
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
        signs=_decode_signs(payload.get("signs")) if has_text else file.signs,
        updated_at=change.at,
        version=file.version + 1,
        head=change.id,
        is_deleted=bool(payload.get("deleted", is_deleted)),
    )


def _decode_signs(given: object) -> tuple[str, ...] | None:
    if not isinstance(given, dict) or given.get("edition") != EDITION or not isinstance(given.get("found"), list):
        return None
    return tuple(each for each in given["found"] if isinstance(each, str))
