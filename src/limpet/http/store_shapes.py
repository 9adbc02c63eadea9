"""Encode stores, memories and versions in the JSON format of Anthropic's Memory Stores API.

A memory is returned exactly as it is stored, because clients compare its hash and write it back. Secrets and hidden
characters were removed when it was stored. The governor decides whether a text may be returned, and the field
`limpet_label` marks a text that reads like an instruction.
"""

from __future__ import annotations

from limpet.apps import stores
from limpet.apps.files import govern_text
from limpet.apps.stores import STORE, VERSION, StoreVersion
from limpet.doors.governor import INSTRUCTION, Passed, neutralise
from limpet.http.store_requests import PERSON_WRITER, StoreRequest
from limpet.model.app import APP_PREFIX, App
from limpet.model.change import Status
from limpet.model.codec import format_time
from limpet.model.file import AppFile
from limpet.runtime import Runtime
from limpet.store.protocol import FileEntry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def encode_store(app: App) -> dict[str, Any]:
    """Return a store in the JSON format of the API."""
    return {
        "id": STORE + app.id,
        "type": "memory_store",
        "name": neutralise(app.name, one_line=True),
        "description": neutralise(app.description, one_line=True),
        "metadata": dict(app.metadata),
        "created_at": format_time(app.registered_at),
        "updated_at": format_time(app.updated_at),
        "archived_at": format_time(app.archived_at) if app.archived_at else None,
    }


def encode_store_memory(
    runtime: Runtime, app: App, path: str, entry: FileEntry, file: AppFile | None
) -> dict[str, Any]:
    """Return a memory in the JSON format of the API, with its text if `file` is given."""
    encoded = {
        "id": stores.to_memory_id(entry.id),
        "type": "memory",
        "memory_store_id": STORE + app.id,
        "memory_version_id": VERSION + entry.head,
        "path": path,
        "content": None,
        "content_sha256": entry.digest,
        "content_size_bytes": entry.bytes,
        "created_at": format_time(entry.created_at),
        "updated_at": format_time(entry.updated_at),
    }
    if file is not None:
        encoded |= _give_text(runtime, app, file.text, file.signs, Status.LIVE)
    return encoded


def encode_version(runtime: Runtime, app: App, found: StoreVersion, asked: StoreRequest, view: str) -> dict[str, Any]:
    """Return a version in the JSON format of the API.

    Its text is included if the request's field `view` is `full`; `view` is the default for that field. If the memory
    was deleted, only a person gets the text.
    """
    version = found.version
    text = version.text
    encoded: dict[str, Any] = {
        "id": VERSION + version.id,
        "type": "memory_version",
        "memory_id": stores.to_memory_id(found.file),
        "memory_store_id": STORE + app.id,
        "operation": version.operation.value,
        "created_at": format_time(version.at),
        "created_by": encode_actor(app, version.writer),
        "path": None if version.path is None else stores.to_store_path(version.path),
        "content": None,
        "content_sha256": None if text is None else stores.digest_text(text),
        "content_size_bytes": None if text is None else len(text.encode("utf-8")),
        "redacted_at": format_time(version.redacted_at) if version.redacted_at else None,
        "redacted_by": {"type": "user_actor", "user_id": PERSON_WRITER} if version.redacted_at else None,
    }
    if text is not None and asked.get("view", view) == "full":
        status = Status.FORGOTTEN if found.is_gone and not asked.visitor.is_person else Status.LIVE
        encoded |= _give_text(runtime, app, text, version.signs, status)
    return encoded


def _give_text(runtime: Runtime, app: App, text: str, signs: tuple[str, ...] | None, status: Status) -> dict[str, Any]:
    """Return the JSON fields for a text: the text, with a label if it reads like an instruction.

    If the governor withholds the text, return the reason instead.
    """
    passed = govern_text(runtime.context(), app.id, text, signs=signs, status=status)
    if not isinstance(passed, Passed):
        return {"content": None, "limpet_withheld": passed.reason}
    return {"content": text, **({"limpet_label": INSTRUCTION} if passed.quoted else {})}


def encode_actor(app: App, writer: str) -> dict[str, str]:
    """Return the writer of a version in the JSON format of the API.

    The writer is a person, a client of the API, or the app's model through the memory tool.
    """
    if writer == PERSON_WRITER:
        return {"type": "user_actor", "user_id": PERSON_WRITER}
    if writer:
        return {"type": "api_actor", "api_key_id": writer}
    return {"type": "session_actor", "session_id": APP_PREFIX + app.id}
