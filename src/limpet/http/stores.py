"""Define the endpoints of Anthropic's Memory Stores API, so that clients of the official SDK can use this server.

The fields and their names are those of that API. `apps/stores.py` implements them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from limpet.apps import stores
from limpet.apps.paths import LONGEST_PATH
from limpet.apps.registry import LONGEST_NAME, archive_app
from limpet.apps.stores import (
    LARGEST_TEXT,
    LONGEST_DESCRIPTION,
    MOST_LEVELS,
    MOST_PAIRS,
    STORE,
    StoreFiles,
    StoreFolder,
    StoreVersion,
)
from limpet.doors.governor import neutralise
from limpet.errors import UsageError
from limpet.http.store_requests import (
    LONGEST_PAGE,
    PAGE,
    StoreEndpoint,
    StoreField,
    StoreRequest,
    make_page,
    read_limit,
    read_page,
)
from limpet.http.store_shapes import encode_actor, encode_store, encode_store_memory, encode_version
from limpet.http.verbs import AGENT, PERSON
from limpet.lean.record import replace
from limpet.model.app import App
from limpet.model.codec import format_time
from limpet.operations.catalogue import load_verb
from limpet.runtime import Runtime
from limpet.runtime.exclusive import ExclusiveRuntime
from limpet.runtime.serving import RequestPlace
from limpet.store.protocol import FileEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LAST = "~"
"""A string that sorts after every id."""


def answer_store_request(
    shared: ExclusiveRuntime, endpoint: StoreEndpoint, asked: StoreRequest, place: RequestPlace
) -> str:
    """Answer a request to the Memory Stores API, and return the answer as JSON."""
    with shared.use_at(place, PERSON if asked.visitor.is_person else AGENT) as runtime:
        return json.dumps(endpoint.answer(runtime, asked))


def _find(runtime: Runtime, asked: StoreRequest) -> App:
    return stores.find_store(runtime.reading(), asked.path["memory_store_id"])


def answer_create_store(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    metadata = _check_metadata(asked.get("metadata", {}))
    if None in metadata.values():
        raise UsageError("a value of the metadata is null; leave the key out")
    description = asked.get("description", "")
    return encode_store(
        stores.create_store(
            runtime.context(),
            name=asked.get("name"),
            description=description,
            metadata={key: value for key, value in metadata.items() if value is not None},
        )
    )


def answer_retrieve_store(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    return encode_store(_find(runtime, asked))


def answer_update_store(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    given = asked.get("metadata")
    updated = stores.update_store(
        runtime.context(),
        _find(runtime, asked),
        name=asked.get("name"),
        description=asked.get("description"),
        metadata=None if given is None else _check_metadata(given),
    )
    return encode_store(updated)


def answer_list_stores(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    after = read_page(asked, 2)
    since, until = asked.get("created_at[gte]"), asked.get("created_at[lte]")
    found = [
        app
        for app in stores.list_stores(runtime.reading())
        if (asked.get("include_archived") or app.archived_at is None)
        and (since is None or app.registered_at >= since)
        and (until is None or app.registered_at <= until)
        and (not after or _key_of(app) < after)
    ]
    return make_page(found, asked, encode_store, _key_of)


def _key_of(app: App) -> list[str]:
    return [format_time(app.registered_at), app.id]


def answer_archive_store(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    return encode_store(archive_app(runtime.context(), _find(runtime, asked)))


def answer_delete_store(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    found = _find(runtime, asked)
    stores.delete_store(runtime.context(), found, writer=asked.writer)
    return {"id": STORE + found.id, "type": "memory_store_deleted"}


def answer_create_memory(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    app, context = _find(runtime, asked), runtime.context()
    file = stores.create_memory(context, app, path=asked.get("path"), text=asked.get("content"), writer=asked.writer)
    return _show_memory(runtime, app, stores.to_memory_id(file), asked, "basic")


def answer_retrieve_memory(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    return _show_memory(runtime, _find(runtime, asked), asked.path["memory_id"], asked, "full")


def answer_update_memory(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    app = _find(runtime, asked)
    text, path = asked.get("content"), asked.get("path")
    if text is None and path is None:
        raise UsageError("give content, path or both; there is nothing to update")
    file = stores.update_memory(
        runtime.context(),
        app,
        asked.path["memory_id"],
        path=path,
        text=text,
        expected=_read_precondition(asked.get("precondition")),
        writer=asked.writer,
    )
    return _show_memory(runtime, app, stores.to_memory_id(file), asked, "basic")


def _read_precondition(given: Mapping[str, Any] | None) -> str | None:
    if given is None:
        return None
    expected = given.get("content_sha256")
    if given.get("type") != "content_sha256" or not isinstance(expected, str):
        raise UsageError('a precondition is {"type": "content_sha256", "content_sha256": "…"}')
    return expected


def answer_list_memories(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    app = _find(runtime, asked)
    prefix, depth = asked.get("path_prefix", "/"), asked.get("depth", 0)
    if not prefix.startswith("/") or not prefix.endswith("/"):
        raise UsageError("path_prefix has to start and end with /")
    if not 0 <= depth <= MOST_LEVELS:
        raise UsageError(f"depth is {depth}; give a whole number from 0 to {MOST_LEVELS}")
    after = read_page(asked, 1)
    files = StoreFiles(runtime.reading(), app)
    found = [each for each in files.list(prefix, depth=depth) if not after or each[0].encode() > after[0].encode()]

    def encode(each: tuple[str, FileEntry | StoreFolder]) -> dict[str, Any]:
        path, item = each
        if isinstance(item, StoreFolder):
            return {"path": neutralise(path, one_line=True), "type": "memory_prefix"}
        text = files.read(item) if asked.get("view") == "full" else None
        return encode_store_memory(runtime, app, path, item, text)

    return make_page(found, asked, encode, lambda each: [each[0]])


def answer_delete_memory(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    id = asked.path["memory_id"]
    expected = asked.get("expected_content_sha256")
    stores.delete_memory(runtime.context(), _find(runtime, asked), id, expected=expected, writer=asked.writer)
    return {"id": id, "type": "memory_deleted"}


def answer_list_versions(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    app, reading = _find(runtime, asked), runtime.reading()
    (before,) = read_page(asked, 1) or [_LAST]
    memory, since, until = asked.get("memory_id"), asked.get("created_at[gte]"), asked.get("created_at[lte]")
    every: Iterable[StoreVersion] = (
        stores.list_store_versions(reading, app, before=before)
        if memory is None
        else stores.list_versions_of(reading, app, stores.to_file_id(memory))
    )
    wanted = {
        name: asked.get(name) for name in ("api_key_id", "service_account_id", "session_id") if name in asked.values
    }
    found: list[StoreVersion] = []
    limit = read_limit(asked)
    for each in every:
        version = each.version
        actor = encode_actor(app, version.writer)
        if (
            version.id < before
            and asked.get("operation", version.operation) == version.operation
            and (since is None or version.at >= since)
            and (until is None or version.at <= until)
            and all(actor.get(name) == value for name, value in wanted.items())
        ):
            found.append(each)
        if len(found) > limit:
            # One more than the page holds shows that there is a next page.
            break
    return make_page(
        found,
        asked,
        lambda each: encode_version(runtime, app, each, asked, "basic"),
        lambda each: [each.version.id],
    )


def answer_retrieve_version(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    app = _find(runtime, asked)
    found = stores.find_version(runtime.reading(), app, asked.path["memory_version_id"])
    return encode_version(runtime, app, found, asked, "full")


def answer_redact_version(runtime: Runtime, asked: StoreRequest) -> dict[str, Any]:
    app, id = _find(runtime, asked), asked.path["memory_version_id"]
    code = asked.visitor.code or None
    load_verb("apps").run(runtime, action="redact", app=app.id, words=(id,), yes=True, code=code)
    return encode_version(runtime, app, stores.find_version(runtime.reading(), app, id), asked, "full")


def _show_memory(runtime: Runtime, app: App, id: str, asked: StoreRequest, view: str) -> dict[str, Any]:
    files = StoreFiles(runtime.reading(), app)
    path, entry = files.find(id)
    text = files.read(entry) if asked.get("view", view) == "full" else None
    return encode_store_memory(runtime, app, stores.to_store_path(path), entry, text)


def _check_metadata(given: Mapping[str, Any]) -> dict[str, str | None]:
    if not all(value is None or isinstance(value, str) for value in given.values()):
        raise UsageError("the values of the metadata have to be strings")
    return dict(given)


_LIMIT = StoreField(
    name="limit", kind="integer", help=f"How many a page holds, from 1 to {LONGEST_PAGE}; {PAGE} if not given."
)
_NEXT = StoreField(name="page", help="The `next_page` of the page before.")
_VIEW = StoreField(name="view", kind="basic|full", help="Whether memories come with their content.")
_SINCE = StoreField(name="created_at[gte]", kind="time", help="Only what was made at this time or later.")
_UNTIL = StoreField(name="created_at[lte]", kind="time", help="Only what was made at this time or before.")
_NAME = StoreField(name="name", help=f"Name of the store, 1 to {LONGEST_NAME} characters.")
_DESCRIPTION = StoreField(name="description", help=f"What the store is for, up to {LONGEST_DESCRIPTION:,} characters.")
_METADATA = StoreField(name="metadata", kind="object", help=f"Up to {MOST_PAIRS} pairs of strings; null removes a key.")
_CONTENT = StoreField(name="content", help=f"The text, up to {LARGEST_TEXT:,} bytes.")
_PATH = StoreField(name="path", help=f"Path that starts with /, up to {LONGEST_PATH:,} bytes and {MOST_LEVELS} names.")

_STORES = "/v1/memory_stores"
_STORE = _STORES + "/{memory_store_id}"
_MEMORIES, _VERSIONS = _STORE + "/memories", _STORE + "/memory_versions"
_MEMORY, _VERSION = _MEMORIES + "/{memory_id}", _VERSIONS + "/{memory_version_id}"


def _require(each: StoreField) -> StoreField:
    return replace(each, required=True)


STORE_ENDPOINTS = (
    StoreEndpoint(
        method="POST",
        path=_STORES,
        summary="Create a memory store.",
        answer=answer_create_store,
        body=(_require(_NAME), _DESCRIPTION, _METADATA),
    ),
    StoreEndpoint(
        method="GET",
        path=_STORES,
        summary="List the memory stores, newest first.",
        answer=answer_list_stores,
        query=(
            _SINCE,
            _UNTIL,
            StoreField(name="include_archived", kind="boolean", help="Archived ones too."),
            _LIMIT,
            _NEXT,
        ),
    ),
    StoreEndpoint(method="GET", path=_STORE, summary="Retrieve a memory store.", answer=answer_retrieve_store),
    StoreEndpoint(
        method="POST",
        path=_STORE,
        summary="Update a memory store.",
        answer=answer_update_store,
        body=(_NAME, _DESCRIPTION, _METADATA),
    ),
    StoreEndpoint(
        method="DELETE",
        path=_STORE,
        summary="Delete a memory store; a person can still bring its memories back, or erase them.",
        answer=answer_delete_store,
    ),
    StoreEndpoint(
        method="POST",
        path=_STORE + "/archive",
        summary="Archive a memory store: its memories can be read and deleted only.",
        answer=answer_archive_store,
    ),
    StoreEndpoint(
        method="POST",
        path=_MEMORIES,
        summary="Create a memory.",
        answer=answer_create_memory,
        query=(_VIEW,),
        body=(_require(_CONTENT), _require(_PATH)),
    ),
    StoreEndpoint(
        method="GET",
        path=_MEMORIES,
        summary="List the memories of a store by their paths.",
        answer=answer_list_memories,
        query=(
            StoreField(name="path_prefix", help="Only memories below this path, which ends with /."),
            StoreField(name="depth", kind="integer", help="Group what is deeper than this; 0 lists everything."),
            _VIEW,
            _LIMIT,
            _NEXT,
        ),
    ),
    StoreEndpoint(
        method="GET", path=_MEMORY, summary="Retrieve a memory.", answer=answer_retrieve_memory, query=(_VIEW,)
    ),
    StoreEndpoint(
        method="POST",
        path=_MEMORY,
        summary="Update the content or the path of a memory.",
        answer=answer_update_memory,
        query=(_VIEW,),
        body=(
            _CONTENT,
            _PATH,
            StoreField(name="precondition", kind="object", help="The content_sha256 that the memory has to have."),
        ),
    ),
    StoreEndpoint(
        method="DELETE",
        path=_MEMORY,
        summary="Delete a memory; its versions stay.",
        answer=answer_delete_memory,
        query=(StoreField(name="expected_content_sha256", help="The hash that the memory has to have."),),
    ),
    StoreEndpoint(
        method="GET",
        path=_VERSIONS,
        summary="List the versions of memories, newest first.",
        answer=answer_list_versions,
        query=(
            StoreField(name="memory_id", help="Only versions of this memory, deleted or not."),
            StoreField(name="operation", kind="created|modified|deleted", help="Only versions that record this."),
            StoreField(name="api_key_id", help="Only versions written with this key."),
            StoreField(name="session_id", help="Only versions written by this session."),
            StoreField(name="service_account_id", help="Only versions written by this account; there are none."),
            _SINCE,
            _UNTIL,
            _VIEW,
            _LIMIT,
            _NEXT,
        ),
    ),
    StoreEndpoint(
        method="GET",
        path=_VERSION,
        summary="Retrieve a version of a memory.",
        answer=answer_retrieve_version,
        query=(_VIEW,),
    ),
    StoreEndpoint(
        method="POST",
        path=_VERSION + "/redact",
        summary="Erase the text of one version; only a person can do this.",
        answer=answer_redact_version,
        needs_person=True,
    ),
)
