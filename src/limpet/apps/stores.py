"""Implement the memory stores of Anthropic's API. A store is an app, and its memories are the app's files.

So the API and the memory tool work on the same data. A path in the API is the path of a file without `/memories`. Every
write holds the lock on the app's files, so that its precondition is still true when the text is written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime

from limpet import clock
from limpet.apps.files import (
    ID_PREFIX,
    MOST_FILES,
    clean_file_text,
    delete_files,
    list_files,
    load_file,
    lock_files,
    mark_deleted,
    move_files,
    write_version,
)
from limpet.apps.paths import LONGEST_PATH, ROOT, check_new_path, show_path
from limpet.apps.registry import LONGEST_NAME, app_change, clean_field, clean_name, find_app, require_writable
from limpet.errors import Conflict, InvalidId, UsageError
from limpet.lean.digest import sha256
from limpet.lean.record import record
from limpet.model.app import FILE_PREFIX, App
from limpet.model.file import AppFile, FileVersion, fold_file_versions
from limpet.model.ids import is_body, stamp
from limpet.store.protocol import FileEntry, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.doors.context import Context

STORE, MEMORY, VERSION = "memstore_", "mem_", "memver_"
LARGEST_TEXT = 102_400
MOST_LEVELS = 20
LONGEST_DESCRIPTION = 1024
MOST_PAIRS = 16
_LONGEST_KEY, _LONGEST_VALUE = 64, 512
_BATCH = 200
_UNFIT_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")


@record
class StoreFolder:
    """A directory in a listing, shown instead of the memories in it."""

    path: str


def find_store(reading: Reading, id: str) -> App:
    """Return the app of a memory store by the store's id; raise InvalidId if there is no such store."""
    try:
        if id.startswith(STORE):
            return find_app(reading, id.removeprefix(STORE), installed=True)
    except UsageError:
        pass
    raise InvalidId(f"there is no memory store {show_path(id[:80])!r}; GET /v1/memory_stores lists them")


def list_stores(reading: Reading) -> list[App]:
    """Return all memory stores, newest first."""
    return sorted((app for app in reading.apps() if app.is_installed), key=sort_key_of_store, reverse=True)


def sort_key_of_store(app: App) -> tuple[datetime, str]:
    """Return the sort key of a store: the time of its registration, then its id."""
    return app.registered_at, app.id


def create_store(
    context: Context, *, name: str, description: str = "", metadata: Mapping[str, str] | None = None
) -> App:
    """Create a memory store, which is an app with a new id."""
    id = stamp(clock.to_ms(context.now()))
    fields = {
        "name": _check_name(name),
        "description": clean_field("description", description, LONGEST_DESCRIPTION),
        "metadata": _merge({}, metadata or {}),
    }
    context.write([app_change(id, {**fields, "installed": True})])
    return find_app(context.reading(), id)


def update_store(
    context: Context,
    app: App,
    *,
    name: str | None = None,
    description: str | None = None,
    metadata: Mapping[str, str | None] | None = None,
) -> App:
    """Change the name, the description or the metadata of a memory store.

    Fields that are None are not changed. A metadata key with the value None is removed.
    """
    with lock_files(context, app.id):
        # Another request may have added a key since the caller read the app.
        known = find_app(context.reading(), app.id)
        require_writable(known)
        fields: dict[str, object] = {}
        if name is not None:
            fields["name"] = _check_name(name)
        if description is not None:
            fields["description"] = clean_field("description", description, LONGEST_DESCRIPTION)
        if metadata is not None:
            fields["metadata"] = _merge(known.metadata, metadata)
        if any(getattr(known, field) != value for field, value in fields.items()):
            context.write([app_change(app.id, fields)])
        return find_app(context.reading(), app.id)


def delete_store(context: Context, app: App, *, writer: str) -> None:
    """Hide a memory store and all its memories. Only a person can restore or erase them."""
    with lock_files(context, app.id):
        files = [each.id for each in context.reading().files(app.id)]
        context.write([*mark_deleted(app.id, files, writer=writer), app_change(app.id, {"installed": False})])


def _check_name(name: str) -> str:
    cleaned = clean_name(name)
    if not cleaned or any(unicodedata.category(letter) == "Cc" for letter in name):
        raise UsageError(f"name has to have 1 to {LONGEST_NAME} characters, and no control characters")
    return cleaned


def _merge(known: Mapping[str, str], given: Mapping[str, str | None]) -> dict[str, str]:
    merged = dict(known)
    for key, value in given.items():
        if not 1 <= len(key) <= _LONGEST_KEY or clean_field("a key of the metadata", key, _LONGEST_KEY) != key:
            raise UsageError(f"a key of the metadata has 1 to {_LONGEST_KEY} characters and holds no secret")
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = clean_field("a value of the metadata", value, _LONGEST_VALUE)
    if len(merged) > MOST_PAIRS:
        raise UsageError(f"the metadata has {len(merged)} pairs and {MOST_PAIRS} are allowed; remove some")
    return merged


def check_store_path(text: str) -> str:
    """Convert the path of a memory in the API to the path of a file; raise UsageError if it is not valid."""
    shown = show_path(text)
    names = text.split("/")[1:]
    if not text.startswith("/") or len(names) > MOST_LEVELS or any(name in ("", ".", "..") for name in names):
        raise UsageError(
            f"the path {shown!r} has to start with / and have 1 to {MOST_LEVELS} names, none of them empty, . or .."
        )
    if any(unicodedata.category(letter) in _UNFIT_CATEGORIES for letter in text):
        raise UsageError("the path holds a control or format character; leave it out")
    if unicodedata.normalize("NFC", text) != text:
        raise UsageError(f"the path {shown!r} is not in Unicode Normalization Form C; normalise it")
    if len(text.encode("utf-8")) > LONGEST_PATH:
        raise UsageError(f"the path has more than {LONGEST_PATH:,} bytes; shorten it")
    return check_new_path(ROOT + text)


def to_store_path(path: str) -> str:
    """Convert the path of a file to the path of a memory in the API."""
    return path.removeprefix(ROOT)


def to_file_id(id: str) -> str:
    """Convert the id of a memory in the API to the id of its file; return an empty string if it is not valid."""
    body = id.removeprefix(MEMORY)
    return f"{ID_PREFIX}_{body}" if id.startswith(MEMORY) and is_body(body) else ""


def to_memory_id(file: str) -> str:
    """Convert the id of a file to the id of a memory in the API."""
    return MEMORY + file.removeprefix(f"{ID_PREFIX}_")


class StoreFiles:
    """A snapshot of the memories in a memory store, without deleted ones."""

    def __init__(self, reading: Reading, app: App) -> None:
        self._reading = reading
        self._app = app.id
        self.by_path = list_files(reading, app.id)

    def find(self, id: str) -> tuple[str, FileEntry]:
        """Return the path and the entry of a memory by its id; raise InvalidId if there is no such memory."""
        wanted = to_file_id(id)
        for path, entry in self.by_path.items():
            if entry.id == wanted:
                return path, entry
        raise InvalidId(
            f"this memory store has no memory {show_path(id[:80])!r}; GET /v1/memory_stores/…/memories lists them"
        )

    def read(self, entry: FileEntry) -> AppFile:
        """Return a listed memory with its text."""
        return load_file(self._reading, self._app, entry)

    def list(self, prefix: str, *, depth: int) -> Iterator[tuple[str, FileEntry | StoreFolder]]:
        """Yield the memories whose paths start with a prefix, sorted by path.

        Memories more than `depth` levels below the prefix are replaced with their folder. A depth of 0 means no limit.
        """
        below = ROOT + prefix
        last = ""
        for path in sorted(self.by_path, key=lambda path: path.encode()):
            if not path.startswith(below):
                continue
            names = path[len(below) :].split("/")
            if not depth or len(names) <= depth:
                yield to_store_path(path), self.by_path[path]
                continue
            folder = to_store_path(below + "/".join(names[:depth]) + "/")
            if folder != last:
                last = folder
                yield folder, StoreFolder(path=folder)

    def check_free(self, path: str, *, besides: str = "") -> None:
        """Raise Conflict if a memory has this path, a path below it, or the path of one of its parent directories.

        The memory with the file id `besides` is ignored.
        """
        for each, entry in self.by_path.items():
            if entry.id != besides and (each == path or each.startswith(path + "/") or path.startswith(each + "/")):
                id, taken = to_memory_id(entry.id), to_store_path(each)
                raise Conflict(
                    f"the path is taken by {id} at {show_path(taken)}; update that memory, or choose another path",
                    kind="memory_path_conflict_error",
                    conflicting_memory_id=id,
                    conflicting_path=taken,
                )


def create_memory(context: Context, app: App, *, path: str, text: str, writer: str) -> str:
    """Create a memory in a store; return the id of its file."""
    require_writable(app)
    wanted = check_store_path(path)
    kept = _check_text(context, text)
    with lock_files(context, app.id):
        files = StoreFiles(context.reading(), app)
        files.check_free(wanted)
        if len(files.by_path) >= MOST_FILES:
            raise UsageError(f"there are {MOST_FILES} memories; delete or join some before making another")
        return write_version(context, app.id, kept, path=wanted, writer=writer)


def update_memory(
    context: Context, app: App, id: str, *, path: str | None, text: str | None, expected: str | None, writer: str
) -> str:
    """Change the text, the path or both of a memory; return the id of its file.

    Raise Conflict if `expected` is given and is not the hash of the current text. An update that changes nothing
    succeeds without this check and writes no version.
    """
    require_writable(app)
    wanted = None if path is None else check_store_path(path)
    kept = None if text is None else _check_text(context, text)
    with lock_files(context, app.id):
        files = StoreFiles(context.reading(), app)
        now, entry = files.find(id)
        new_text = kept is not None and digest_text(kept) != entry.digest
        new_path = wanted is not None and wanted != now
        if not new_text and not new_path:
            return entry.id
        _check_expected(entry, expected)
        if wanted is not None and new_path:
            files.check_free(wanted, besides=entry.id)
        if kept is not None and new_text:
            write_version(context, app.id, kept, path=wanted or entry.path, id=entry.id, writer=writer)
        elif wanted is not None:
            move_files(context, app.id, {entry.id: wanted}, writer=writer)
        return entry.id


def delete_memory(context: Context, app: App, id: str, *, expected: str | None, writer: str) -> None:
    """Hide a memory; its versions are kept.

    Raise Conflict if `expected` is given and is not the hash of the current text.
    """
    with lock_files(context, app.id):
        _, entry = StoreFiles(context.reading(), app).find(id)
        _check_expected(entry, expected)
        delete_files(context, app.id, [entry.id], writer=writer)


def digest_text(text: str) -> str:
    """Return the SHA-256 hash of a text in hexadecimal. The API identifies texts by this hash."""
    return sha256(text.encode("utf-8")).hexdigest()


def _check_text(context: Context, text: str) -> str:
    return clean_file_text(context, text, limit=LARGEST_TEXT)[0]


def _check_expected(entry: FileEntry, expected: str | None) -> None:
    if expected is not None and expected != entry.digest:
        raise Conflict(
            f"the content_sha256 of {to_memory_id(entry.id)} is {entry.digest}; read the memory again, then send the "
            "change with that hash",
            kind="memory_precondition_failed_error",
        )


@record
class StoreVersion:
    """A version of a memory in a store, with the id of the memory's file."""

    file: str
    version: FileVersion
    is_gone: bool = False
    """Whether the memory was deleted. Then only a person may read the text."""
    is_current: bool = False
    """Whether this version has the current text of the memory."""


def list_versions_of(reading: Reading, app: App, file: str) -> list[StoreVersion]:
    """Return the versions of a memory by the id of its file, newest first, even if the memory is deleted.

    Return an empty list if the store has no such memory.
    """
    found = reading.file(app.id, file) if file else None
    if found is None:
        return []
    versions = fold_file_versions(reading.file_changes(found.id))
    current = () if found.is_deleted or not versions else (versions[-1].id, versions[-1].source)
    return [
        StoreVersion(file=found.id, version=each, is_gone=found.is_deleted, is_current=each.id in current)
        for each in reversed(versions)
    ]


def list_store_versions(reading: Reading, app: App, *, before: str) -> Iterator[StoreVersion]:
    """Yield the versions of all memories of a store, newest first, starting with the first one older than `before`.

    `before` is the id of a version or, to start with the newest version, a string that sorts after every id, such as
    `~`.
    """
    known: dict[str, dict[str, StoreVersion]] = {}
    while True:
        found = reading.file_change_ids(app.id, before=before, limit=_BATCH)
        for change, file in found:
            if file not in known:
                known[file] = {each.version.id: each for each in list_versions_of(reading, app, file)}
            if change in known[file]:
                yield known[file][change]
        if len(found) < _BATCH:
            return
        before = found[-1][0]


def find_version(reading: Reading, app: App, id: str) -> StoreVersion:
    """Return a version of a memory by its id; raise InvalidId if the store has no such version."""
    wanted = id.removeprefix(VERSION)
    if id.startswith(VERSION) and is_body(wanted):
        # The tilde sorts after every character of an id, so the first change found is the one with this id.
        for _, file in reading.file_change_ids(app.id, before=wanted + "~", limit=1):
            # The change found may be another one, or not a version of this store, so the ids are compared.
            for each in list_versions_of(reading, app, file):
                if each.version.id == wanted:
                    return each
    raise InvalidId(
        f"this memory store has no memory version {show_path(id[:80])!r}; "
        "GET /v1/memory_stores/…/memory_versions lists them"
    )


def require_redactable(found: StoreVersion) -> None:
    """Raise Conflict or UsageError if the text of a version cannot be erased.

    Conflict means that the memory has this text now. UsageError means that the text cannot be erased without the whole
    file, because the version is from an older release.
    """
    version = found.version
    if found.is_current:
        raise Conflict(
            "the memory has this text now; update or delete the memory first, then redact the version",
            kind="conflict_error",
        )
    if version.subject == FILE_PREFIX + found.file:
        raise UsageError(
            f"{VERSION}{version.id} was written before versions could be erased alone; "
            f"`limpet apps purge APP {found.file} --yes` erases the whole file"
        )
