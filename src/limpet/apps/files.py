"""Read and write the files of an app's memory directory; every version of a file stays in the journal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from limpet import clock, system
from limpet.apps.registry import find_app
from limpet.clock import to_ms
from limpet.doors.cleaning import clean_document
from limpet.doors.governor import (
    INSTRUCTION,
    Passed,
    Way,
    Withheld,
    encode_signs,
    find_memory_signs,
    govern,
    neutralise_lines,
)
from limpet.errors import InvalidId, StoreError, Unfit, UsageError
from limpet.lean.record import replace
from limpet.model.app import FILE_PREFIX
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.file import AppFile, FileVersion, actor_of_writer, fold_file_versions, subject_of_version
from limpet.model.ids import is_prefix_of_id, new_id, stamp
from limpet.model.memory import Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.query import Stored
from limpet.secrets.redact import redact
from limpet.store.protocol import FileEntry, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

ID_PREFIX = "file"
MOST_FILES = 2000
"""An app with this many files has to delete one before it creates another, because every listing reads all of them."""
_LOCK_MS = 5000


@contextmanager
def lock_files(context: Context, app: str) -> Iterator[None]:
    """Lock the files of an app, so that no edit is based on a text that is out of date."""
    path = os.path.join(context.home, "locks", f"files-{app}")
    with system.lock(path, clock.attempts(_LOCK_MS), doing="write the files of an app") as is_held:
        if not is_held:
            raise StoreError(f"another process is writing the files of {app!r}; try again")
        yield


def list_files(reading: Reading, app: str) -> dict[str, FileEntry]:
    """Return the files of an app by their paths.

    Two machines may have made a file at the same path; the later one is listed with a number, so that none is hidden.
    """
    found: dict[str, FileEntry] = {}
    for entry in reading.files(app):
        path, number = entry.path, 1
        while path in found:
            number += 1
            stem, dot, extension = entry.path.rpartition(".")
            path = f"{stem}~{number}.{extension}" if dot and "/" not in extension else f"{entry.path}~{number}"
        found[path] = entry
    return found


def load_file(reading: Reading, app: str, entry: FileEntry) -> AppFile:
    """Return a listed file with its text."""
    found = reading.file(app, entry.id)
    if found is None:
        raise InvalidId(f"the file {entry.id} no longer exists; list the files again")
    return found


def find_file(reading: Reading, app: str, id: str) -> AppFile:
    """Return a file by its id, deleted or not; raise InvalidId if there is none, or if it belongs to another app."""
    asked = id.strip().lower()
    found = reading.file(app, asked) if is_prefix_of_id(asked, ID_PREFIX) else None
    if found is None:
        raise InvalidId(f"the app {app!r} has no file {id[:60]!r}; limpet apps files {app} lists them")
    return found


def list_versions(reading: Reading, file: AppFile) -> tuple[FileVersion, ...]:
    """Return the file after each of its changes, the oldest first."""
    return fold_file_versions(reading.file_changes(file.id))


def clean_file_text(context: Context, text: object, *, limit: int | None = None) -> tuple[str, str]:
    """Return a text without secrets and private parts, and a note on what was left out; the note may be empty."""
    settings = context.settings.admit
    try:
        cleaned = clean_document(text, limit=settings.max_bytes if limit is None else limit)
    except Unfit as unfit:
        raise UsageError(str(unfit)) from None
    kept, redacted = redact(cleaned.text) if settings.redact else (cleaned.text, ())
    notes = [*cleaned.notes, *(f"redacted: {kind}" for kind in dict.fromkeys(redacted))]
    return kept, f" ({'; '.join(notes)})" if notes else ""


def write_text(context: Context, app: str, text: object, *, path: str, id: str | None = None) -> str:
    """Write the text of a new file at a path, or of a known file; return a note on what was left out, if anything."""
    kept, note = clean_file_text(context, text)
    write_version(context, app, kept, path=path, id=id)
    return note


def write_version(context: Context, app: str, text: str, *, path: str, id: str | None = None, writer: str = "") -> str:
    """Write a clean text as a version of a new file or of a known one; return the id of the file."""
    id = id or new_id(ID_PREFIX, to_ms(context.now()))
    # A model wrote it, even if a person passes the command on.
    payload: dict[str, object] = {
        "path": path,
        "text": text,
        "origin": Origin.AGENT.value,
        "signs": encode_signs(_as_memory(context, app, text)),
    }
    context.write([_version(context, app, id, payload, writer)])
    return id


def move_files(context: Context, app: str, paths: Mapping[str, str], *, writer: str = "") -> None:
    """Give files other paths, by their ids, in one write."""
    context.write([_version(context, app, id, {"path": path}, writer) for id, path in paths.items()])


def delete_files(context: Context, app: str, ids: Sequence[str], *, writer: str = "") -> None:
    """Hide files; their texts stay in the journal, and only a person can erase them."""
    context.write(mark_deleted(app, ids, writer=writer))


def mark_deleted(app: str, ids: Sequence[str], *, writer: str = "") -> list[Change]:
    """Return the changes that hide files."""
    return [_change(app, id, {"deleted": True}, writer) for id in ids]


def restore_file(context: Context, app: str, id: str) -> AppFile:
    """Bring a deleted file back."""
    found = find_app(context.reading(), app)
    file = find_file(context.reading(), found.id, id)
    if not file.path:
        raise UsageError(f"every version of {file.id} was redacted, so there is nothing to bring back")
    if file.is_deleted:
        context.write([_change(found.id, file.id, {"deleted": False})])
    return file


def show_lines(context: Context, file: AppFile) -> tuple[list[str], str]:
    """Return the lines of a file for a model, and a label if they read like an instruction.

    The governor decides on the whole text. Its lines keep their numbers, because the model edits by number.
    """
    passed = govern_text(context, file.app, file.text, signs=file.signs)
    if not isinstance(passed, Passed):
        raise UsageError(f"the file cannot be shown: {passed.reason}")
    return neutralise_lines(file.text), INSTRUCTION if passed.quoted else ""


def govern_text(
    context: Context, app: str, text: str, *, signs: tuple[str, ...] | None, status: Status = Status.LIVE
) -> Passed | Withheld:
    """Return the decision of the governor on a text of a file; a `Passed` does not carry the text."""
    memory = _as_memory(context, app, text)
    found = find_memory_signs(memory) if signs is None else signs
    stored = Stored(memory=replace(memory, content=""), signs=found, status=status)
    return govern(stored, way=Way.ASKED, allow=(memory.sensitivity,))


def _as_memory(context: Context, app: str, text: str) -> Memory:
    """Return a text as a memory of the app, so that it is judged like one; a model wrote it, so its origin is agent."""
    now = context.now()
    return Memory(
        id="",
        agent=context.scope.agent,
        region=Region.AGENT,
        app=app,
        kind=Kind.LEARNINGS,
        type=Type.CHANGE,
        content=text,
        original_content=text,
        origin=Origin.AGENT,
        sensitivity=Sensitivity.PRIVATE,
        created_at=now,
        updated_at=now,
    )


def _version(context: Context, app: str, id: str, payload: dict[str, object], writer: str) -> Change:
    """Return a change with a separate subject, so that a person can erase this version alone."""
    file = FILE_PREFIX + id
    change = _change(app, id, payload, writer)
    subject = subject_of_version(id, stamp(to_ms(context.now())))
    return replace(change, subject=subject, root=file, lineage=(file,))


def _change(app: str, id: str, payload: dict[str, object], writer: str = "") -> Change:
    actor = actor_of_writer(app, writer)
    return Change(kind=ChangeKind.FILE, subject=FILE_PREFIX + id, actor=actor, payload={"app": app, **payload})
