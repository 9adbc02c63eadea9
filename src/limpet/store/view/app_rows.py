"""Compute the index rows of apps, conversations and files from their changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from limpet.clock import to_ms
from limpet.lean import quickjson
from limpet.model.app import APP_PREFIX, CONVERSATION_PREFIX, fold_app, fold_conversation
from limpet.model.change import Change
from limpet.model.file import fold_file


def make_row(root: str, changes: Sequence[Change]) -> tuple[Any, ...] | None:
    """Return the index row of an app, a conversation or a file, computed from its changes.

    `root` is the journal subject under which the changes are folded. Return None if the changes create no such item.
    """
    if root.startswith(APP_PREFIX):
        return _make_app_row(changes)
    return _make_conversation_row(changes) if root.startswith(CONVERSATION_PREFIX) else _make_file_row(changes)


def _make_app_row(changes: Sequence[Change]) -> tuple[Any, ...] | None:
    app = fold_app(changes)
    if app is None:
        return None
    return (
        app.id,
        app.name,
        to_ms(app.registered_at),
        to_ms(app.updated_at),
        int(app.is_installed),
        app.polled,
    )


def _make_conversation_row(changes: Sequence[Change]) -> tuple[Any, ...] | None:
    found = fold_conversation(changes)
    if found is None:
        return None
    return (
        found.id,
        found.app,
        to_ms(found.started_at),
        to_ms(found.last_at),
        found.messages,
        to_ms(found.ended_at) if found.ended_at else None,
        found.settled,
        found.memory,
        int(found.is_created),
        found.reason,
        found.compactions,
        found.energy,
    )


def _make_file_row(changes: Sequence[Change]) -> tuple[Any, ...] | None:
    found = fold_file(changes)
    if found is None:
        return None
    data = found.text.encode("utf-8", "replace")
    return (
        found.id,
        found.app,
        found.path,
        found.text,
        len(data),
        to_ms(found.created_at),
        to_ms(found.updated_at),
        found.version,
        found.head,
        int(found.is_deleted),
        None if found.signs is None else quickjson.dumps(list(found.signs)),
    )
