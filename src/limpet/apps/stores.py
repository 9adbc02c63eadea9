"""Keep the memory stores of Anthropic's API: a store is an app, and its memories are the app's files.

What a model writes with the memory tool is therefore what the API lists, and the other way round. A path of the API
is the path below `/memories`. Every write happens under the lock of the app's files, so that a precondition still
holds when the text is written.
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
    """A directory in a list, in place of the memories in it."""

    path: str


def find_store(reading: Reading, id: str) -> App:
    """Return the app that a store id names; raise InvalidId if there is none."""
    try:
        if id.startswith(STORE):
            return find_app(reading, id.removeprefix(STORE), installed=True)
    except UsageError:
        pass
    raise InvalidId(f"there is no memory store {show_path(id[:80])!r}; GET /v1/memory_stores lists them")


def list_stores(reading: Reading) -> list[App]:
    """Return the stores, the newest first."""
    return sorted((app for app in reading.apps() if app.is_installed), key=sort_key_of_store, reverse=True)


def sort_key_of_store(app: App) -> tuple[datetime, str]:
    """Return the sort key of a store: the time of its registration, then its id."""
    return app.registered_at, app.id


def create_store(
    context: Context, *, name: str, description: str = "", metadata: Mapping[str, str] | None = None
) -> App:
    """Make a store, which is an app with a new id."""
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
    """Change how a store is described; a key of the metadata whose value is None is removed."""
    with lock_files(context, app.id):
        # Another request may have added a key since the caller looked.
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
    """Hide a store and all its memories; only a person can bring them back, or erase them."""
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
    """Return the path of a memory as the path of a file; raise UsageError if the API does not allow it."""
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
    """Return the path of a file as the API shows it."""
    return path.removeprefix(ROOT)


def to_file_id(id: str) -> str:
    """Return the id of the file of a memory; empty if this is not the id of a memory."""
    body = id.removeprefix(MEMORY)
    return f"{ID_PREFIX}_{body}" if id.startswith(MEMORY) and is_body(body) else ""


def to_memory_id(file: str) -> str:
    """Return the id of a memory for the id of its file."""
    return MEMORY + file.removeprefix(f"{ID_PREFIX}_")


class StoreFiles:
    """The live memories of a store at one moment."""

    def __init__(self, reading: Reading, app: App) -> None:
        self._reading = reading
        self._app = app.id
        self.by_path = list_files(reading, app.id)

    def find(self, id: str) -> tuple[str, FileEntry]:
        """Return a memory with its path as it is listed; raise InvalidId if there is none with this id."""
        wanted = to_file_id(id)
        for path, entry in self.by_path.items():
            if entry.id == wanted:
                return path, entry
        raise InvalidId(
            f"this memory store has no memory {show_path(id[:80])!r}; GET /v1/memory_stores/…/memories lists them"
        )

    def read(self, entry: FileEntry) -> AppFile:
        """Return the text of a listed memory."""
        return load_file(self._reading, self._app, entry)

    def list(self, prefix: str, *, depth: int) -> Iterator[tuple[str, FileEntry | StoreFolder]]:
        """Yield the memories below a prefix in the order of their paths; what is deeper is grouped into folders."""
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
        """Raise Conflict if a memory is at a path, above it or below it."""
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
    """Make a memory; return the id of its file."""
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
    """Change the text or the path of a memory; return the id of its file.

    An update that changes nothing writes no version, and `expected` is not compared.
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
    """Hide a memory; its versions stay."""
    with lock_files(context, app.id):
        _, entry = StoreFiles(context.reading(), app).find(id)
        _check_expected(entry, expected)
        delete_files(context, app.id, [entry.id], writer=writer)


def digest_text(text: str) -> str:
    """Return the SHA-256 of a text as the API spells it."""
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
    """A version of a memory, with the id of its file, and whether it is the current version."""

    file: str
    version: FileVersion
    is_gone: bool = False
    """Whether the memory was deleted, so that only a person may read the text."""
    is_current: bool = False
    """Whether the memory has this text now."""


def list_versions_of(reading: Reading, app: App, file: str) -> list[StoreVersion]:
    """Return the versions of one memory, deleted or not, the newest first; none if the store has no such memory."""
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
    """Yield the versions of all memories of a store that are older than a version, the newest first."""
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
    """Return a version by its id; raise InvalidId if the store has none."""
    wanted = id.removeprefix(VERSION)
    if id.startswith(VERSION) and is_body(wanted):
        # The tilde sorts after every letter of an id, so that this change comes first.
        for _, file in reading.file_change_ids(app.id, before=wanted + "~", limit=1):
            # A change that names another app is listed too, and is no version.
            for each in list_versions_of(reading, app, file):
                if each.version.id == wanted:
                    return each
    raise InvalidId(
        f"this memory store has no memory version {show_path(id[:80])!r}; "
        "GET /v1/memory_stores/…/memory_versions lists them"
    )


def require_redactable(found: StoreVersion) -> None:
    """Raise an error if the text of a version cannot be erased alone."""
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
