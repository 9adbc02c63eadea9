"""Read and write the virtual files of an app. Every version of a file stays in the journal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from limpet import clock, system
from limpet.apps.registry import actor_of, find_app
from limpet.clock import to_ms
from limpet.doors.cleaning import clean_document
from limpet.doors.context import Context
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
from limpet.model.file import AppFile, FileVersion, fold_file_versions, subject_of_version
from limpet.model.ids import is_prefix_of_id, new_id, stamp
from limpet.model.memory import Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.query import Stored
from limpet.secrets.redact import redact
from limpet.store.protocol import FileEntry, Reading

_ID_PREFIX = "file"
MOST_FILES = 2000
"""The maximum number of files of an app. Every listing reads all of them, so more would be slow."""
_LOCK_MS = 5000


@contextmanager
def lock_files(context: Context, app: str) -> Iterator[None]:
    """Hold the lock on an app's files, so that no edit is based on an outdated text.

    Raise StoreError if another process holds it for several seconds.
    """
    path = os.path.join(context.home, "locks", f"files-{app}")
    with system.lock(path, clock.attempts(_LOCK_MS), doing="write the files of an app") as is_held:
        if not is_held:
            raise StoreError(f"another process is writing the files of {app!r}; try again")
        yield


def list_files(reading: Reading, app: str) -> dict[str, FileEntry]:
    """Return the files of an app by path.

    If two machines have created a file at the same path, a number is added to the path of the later one.
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
    """Return a listed file with its text; raise InvalidId if the file no longer exists."""
    found = reading.file(app, entry.id)
    if found is None:
        raise InvalidId(f"the file {entry.id} no longer exists; list the files again")
    return found


def find_file(reading: Reading, app: str, id: str) -> AppFile:
    """Return a file by its id, even if it is deleted; raise InvalidId if the app has no file with this id."""
    asked = id.strip().lower()
    found = reading.file(app, asked) if is_prefix_of_id(asked, _ID_PREFIX) else None
    if found is None:
        raise InvalidId(f"the app {app!r} has no file {id[:60]!r}; limpet apps files {app} lists them")
    return found


def list_versions(reading: Reading, file: AppFile) -> tuple[FileVersion, ...]:
    """Return all versions of a file, oldest first."""
    return fold_file_versions(reading.file_changes(file.id))


def write_text(context: Context, app: str, text: object, *, path: str, id: str | None = None) -> str:
    """Write a text as a new file, or as a new version of the file `id`, without secrets and private passages.

    Return a remark about what was removed from the text, or an empty string if nothing was removed. Raise UsageError if
    the text is too long or not valid.
    """
    settings = context.settings.admit
    try:
        cleaned = clean_document(text, limit=settings.max_bytes)
    except Unfit as unfit:
        raise UsageError(str(unfit)) from None
    kept, redacted = redact(cleaned.text) if settings.redact else (cleaned.text, ())
    # A model wrote the text, even if a person runs the command.
    payload: dict[str, object] = {
        "path": path,
        "text": kept,
        "origin": Origin.AGENT.value,
        "signs": encode_signs(_make_memory(context, app, kept)),
    }
    context.write([_make_version(context, app, id or new_id(_ID_PREFIX, to_ms(context.now())), payload)])
    notes = [*cleaned.notes, *(f"redacted: {kind}" for kind in dict.fromkeys(redacted))]
    return f" ({'; '.join(notes)})" if notes else ""


def move_files(context: Context, app: str, paths: Mapping[str, str]) -> None:
    """Move files in a single write. `paths` maps the id of each file to its new path."""
    context.write([_make_version(context, app, id, {"path": path}) for id, path in paths.items()])


def delete_files(context: Context, app: str, ids: Sequence[str]) -> None:
    """Mark files as deleted. Their texts stay in the journal, and only a person can erase them."""
    context.write([_change(app, id, {"deleted": True}) for id in ids])


def restore_file(context: Context, app: str, id: str) -> AppFile:
    """Restore a deleted file."""
    found = find_app(context.reading(), app)
    file = find_file(context.reading(), found.id, id)
    if not file.path:
        raise UsageError(f"every version of {file.id} was erased, so there is nothing to bring back")
    if file.is_deleted:
        context.write([_change(found.id, file.id, {"deleted": False})])
    return file


def show_lines(context: Context, file: AppFile) -> tuple[list[str], str]:
    """Return the lines of a file as a model may see them, and a warning label if they read like an instruction.

    Otherwise the label is an empty string. The lines keep their numbers, because a model edits by line number.
    """
    passed = govern_text(context, file.app, file.text, signs=file.signs)
    if not isinstance(passed, Passed):
        raise UsageError(f"the file cannot be shown: {passed.reason}")
    return neutralise_lines(file.text), INSTRUCTION if passed.quoted else ""


def govern_text(
    context: Context, app: str, text: str, *, signs: tuple[str, ...] | None, status: Status = Status.LIVE
) -> Passed | Withheld:
    """Decide whether a model may see text from a file. The result does not contain the text."""
    memory = _make_memory(context, app, text)
    found = find_memory_signs(memory) if signs is None else signs
    stored = Stored(memory=replace(memory, content=""), signs=found, status=status)
    return govern(stored, way=Way.ASKED, allow=(memory.sensitivity,))


def _make_memory(context: Context, app: str, text: str) -> Memory:
    """Return a text as a memory of the app with the origin `agent`, so that it can be checked as memories are."""
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


def _make_version(context: Context, app: str, id: str, payload: dict[str, object]) -> Change:
    """Return the change for a new version of a file, which can be erased without the other versions."""
    file = FILE_PREFIX + id
    change = _change(app, id, payload)
    subject = subject_of_version(id, stamp(to_ms(context.now())))
    return replace(change, subject=subject, root=file, lineage=(file,))


def _change(app: str, id: str, payload: dict[str, object]) -> Change:
    return Change(kind=ChangeKind.FILE, subject=FILE_PREFIX + id, actor=actor_of(app), payload={"app": app, **payload})
