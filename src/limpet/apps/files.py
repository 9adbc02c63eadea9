"""Read and write the files of an app's memory directory; every version of a file stays in the journal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from limpet import clock, system
from limpet.apps.registry import actor_of, find_app
from limpet.clock import to_ms
from limpet.doors.cleaning import clean_document
from limpet.doors.governor import INSTRUCTION, Passed, Way, encode_signs, find_memory_signs, govern, neutralise_lines
from limpet.errors import InvalidId, StoreError, Unfit, UsageError
from limpet.lean.record import replace
from limpet.model.app import FILE_PREFIX
from limpet.model.change import Change, ChangeKind
from limpet.model.file import AppFile, fold_file_versions
from limpet.model.ids import is_prefix_of_id, new_id
from limpet.model.memory import Kind, Memory, Origin, Region, Sensitivity, Type
from limpet.model.query import Stored
from limpet.secrets.redact import redact
from limpet.store.protocol import FileEntry, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

ID_PREFIX = "file"
MOST_FILES = 2000
"""An app that has so many files has to delete one before it makes another, because every listing reads all of them."""
_LOCK_MS = 5000


@contextmanager
def lock_files(context: Context, app: str) -> Iterator[None]:
    """Keep other writers of an app's files out, so that no edit is made of a text that is out of date."""
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


def read_file(reading: Reading, app: str, entry: FileEntry) -> AppFile:
    """Return a listed file with its text."""
    found = reading.file(app, entry.id)
    if found is None:
        raise InvalidId(f"the file {entry.id} is gone; list the files again")
    return found


def find_file(reading: Reading, app: str, id: str) -> AppFile:
    """Return a file by its id, deleted or not; that of another app is not found either."""
    asked = id.strip().lower()
    found = reading.file(app, asked) if is_prefix_of_id(asked, ID_PREFIX) else None
    if found is None:
        raise InvalidId(f"the app {app!r} has no file {id[:60]!r}; limpet apps files {app} lists them")
    return found


def list_versions(reading: Reading, file: AppFile) -> tuple[AppFile, ...]:
    """Return the file after each of its changes, the oldest first."""
    return fold_file_versions(reading.history(FILE_PREFIX + file.id))


def write_text(context: Context, app: str, text: object, *, path: str | None = None, id: str | None = None) -> str:
    """Write the text of a new file at a path, or of a known one; return a note on what was left out, or nothing.

    Secrets and private parts are never written.
    """
    settings = context.settings.admit
    try:
        cleaned = clean_document(text, limit=settings.max_bytes)
    except Unfit as unfit:
        raise UsageError(str(unfit)) from None
    kept, redacted = redact(cleaned.text) if settings.redact else (cleaned.text, ())
    # A model wrote it, even if a person hands the command over.
    payload: dict[str, object] = {
        "text": kept,
        "origin": Origin.AGENT.value,
        "signs": encode_signs(_as_memory(context, app, kept)),
    }
    if path is not None:
        payload["path"] = path
    context.write([_change(app, id or new_id(ID_PREFIX, to_ms(context.now())), payload)])
    notes = [*cleaned.notes, *(f"redacted: {kind}" for kind in dict.fromkeys(redacted))]
    return f" ({'; '.join(notes)})" if notes else ""


def move_files(context: Context, app: str, paths: Mapping[str, str]) -> None:
    """Give files other paths, by their ids, all at once."""
    context.write([_change(app, id, {"path": path}) for id, path in paths.items()])


def delete_files(context: Context, app: str, ids: list[str]) -> None:
    """Hide files; their texts stay in the journal, and only a person can erase them."""
    context.write([_change(app, id, {"deleted": True}) for id in ids])


def restore_file(context: Context, app: str, id: str) -> AppFile:
    """Bring a deleted file back."""
    found = find_app(context.reading(), app)
    file = find_file(context.reading(), found.id, id)
    if file.is_deleted:
        context.write([_change(found.id, file.id, {"deleted": False})])
    return file


def show_lines(context: Context, file: AppFile) -> tuple[list[str], str]:
    """Return the lines of a file for a model, and a label if they read like an instruction.

    The governor decides on the whole text. Its lines keep their numbers, because the model edits by number.
    """
    memory = _as_memory(context, file.app, file.text)
    signs = find_memory_signs(memory) if file.signs is None else file.signs
    # Without the text, which is written line by line below.
    stored = Stored(memory=replace(memory, content=""), signs=signs)
    passed = govern(stored, way=Way.ASKED, allow=(memory.sensitivity,))
    if not isinstance(passed, Passed):
        raise UsageError(f"the file cannot be shown: {passed.reason}")
    return neutralise_lines(file.text), INSTRUCTION if passed.quoted else ""


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


def _change(app: str, id: str, payload: dict[str, object]) -> Change:
    return Change(kind=ChangeKind.FILE, subject=FILE_PREFIX + id, actor=actor_of(app), payload={"app": app, **payload})
