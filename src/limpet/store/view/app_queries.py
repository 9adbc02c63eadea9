"""Query apps, their conversations and files, and the energy (units of work) that was spent on their memories."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from limpet.clock import from_ms, to_ms
from limpet.lean import quickjson
from limpet.model.app import CONVERSATION_PREFIX, FILE_PREFIX, App, Conversation, Message, decode_message
from limpet.model.change import Change
from limpet.model.ids import lowest_after
from limpet.model.query import Page
from limpet.store.protocol import AppCounts, FileEntry
from limpet.store.view.browse import history
from limpet.store.view.rows import RowSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.model.file import AppFile


def app(source: RowSource, app_id: str) -> App | None:
    """Return the app with this id, or None if there is none."""
    row = source.run("SELECT * FROM app WHERE id = ?", (app_id,)).fetchone()
    return _decode_app(row) if row else None


def apps(source: RowSource) -> tuple[App, ...]:
    """Return all apps, sorted by id."""
    rows = source.run("SELECT * FROM app ORDER BY id")
    return tuple(_decode_app(row) for row in rows)


def _decode_app(row: Sequence[Any]) -> App:
    id, name, registered, updated, installed, polled = row
    return App(
        id=id,
        name=name,
        registered_at=from_ms(registered),
        updated_at=from_ms(updated),
        is_installed=bool(installed),
        polled=polled,
    )


def conversation(source: RowSource, app_id: str, conversation_id: str) -> Conversation | None:
    """Return an app's conversation with this id, or None if the app has none."""
    row = source.run("SELECT * FROM conversation WHERE id = ? AND app = ?", (conversation_id, app_id)).fetchone()
    return _decode_conversation(row) if row else None


def conversations(
    source: RowSource, app_id: str, *, limit: int, offset: int = 0, memory: str | None = None
) -> Page[Conversation]:
    """Return a page of the conversations of an app, newest first.

    If `memory` is given, only the conversations from which the memory with this id was made are returned.
    """
    where, values = "app = ? AND (?2 IS NULL OR memory = ?2)", (app_id, memory)
    total = source.run(f"SELECT count(*) FROM conversation WHERE {where}", values).get
    rows = source.run(
        f"SELECT * FROM conversation WHERE {where} ORDER BY started DESC, id DESC LIMIT ?3 OFFSET ?4",
        (*values, limit, offset),
    )
    return Page(items=tuple(_decode_conversation(row) for row in rows), total=int(total or 0), offset=offset)


def conversations_to_settle(
    source: RowSource, *, since: datetime, limit: int, app: str | None = None
) -> tuple[Conversation, ...]:
    """Return conversations of one app, or of all apps, that have ended since a given time and are not settled yet.

    A conversation is settled when a memory was made from it, or when none is needed. The conversation that ended first
    comes first.
    """
    where, values = ("AND app = ?", (app,)) if app is not None else ("", ())
    rows = source.run(
        f"SELECT * FROM conversation WHERE settled = '' AND ended IS NOT NULL AND ended >= ? {where} "
        "ORDER BY ended, id LIMIT ?",
        (to_ms(since), *values, limit),
    )
    return tuple(_decode_conversation(row) for row in rows)


def _decode_conversation(row: Sequence[Any]) -> Conversation:
    id, app_id, started, last, messages, ended, settled, memory, created, reason, compactions, energy = row
    return Conversation(
        id=id,
        app=app_id,
        started_at=from_ms(started),
        last_at=from_ms(last),
        messages=messages,
        ended_at=None if ended is None else from_ms(ended),
        settled=settled,
        memory=memory,
        is_created=bool(created),
        reason=reason,
        compactions=compactions,
        energy=energy,
    )


def messages(source: RowSource, found: Conversation) -> tuple[Message, ...]:
    """Return the messages of a conversation oldest first.

    Changes that name another app, which only a tampered journal has, are left out.
    """
    changes = history(source, CONVERSATION_PREFIX + found.id)
    decoded = (decode_message(change) for change in changes if change.payload.get("app") == found.app)
    return tuple(message for message in decoded if message is not None)


def energy(source: RowSource, *, app_id: str | None = None, after: str = "") -> int:
    """Return the energy spent on the memories of an app, or of all apps if `app_id` is None.

    Only conversations that were settled after the change with the id `after` are counted.
    """
    found = source.run(
        "SELECT sum(energy) FROM conversation WHERE settled > ?1 AND settled <> '' AND (?2 IS NULL OR app = ?2)",
        (after, app_id),
    ).get
    return int(found or 0)


def app_counts(source: RowSource, *, since: datetime) -> tuple[AppCounts, ...]:
    """Return the counts of each app: its current memories, and what happened since a given time."""
    after = lowest_after(to_ms(since) - 1)
    rows = source.run(
        "SELECT a.id, (SELECT count(*) FROM memory m WHERE m.app = a.id AND m.status = 'live'), "
        "count(c.id) FILTER (WHERE c.started >= ?1), count(c.id) FILTER (WHERE c.created AND c.settled >= ?2), "
        "coalesce(sum(c.compactions) FILTER (WHERE c.settled >= ?2), 0), "
        "coalesce(sum(c.energy) FILTER (WHERE c.settled >= ?2), 0), "
        "(SELECT count(*) FROM receipt r WHERE r.session = 'app:' || a.id AND r.id >= ?2) "
        "FROM app a LEFT JOIN conversation c ON c.app = a.id GROUP BY a.id ORDER BY a.id",
        (to_ms(since), after),
    )
    names = ("app", "memories", "conversations", "created", "compactions", "energy", "injections")
    found: list[AppCounts] = []
    for row in rows:
        values: dict[str, Any] = dict(zip(names, row, strict=True))
        found.append(AppCounts(**values))
    return tuple(found)


def file(source: RowSource, app_id: str, file_id: str) -> AppFile | None:
    """Return an app's file with this id, including its text, or None if the app has no such file."""
    # Loaded here, because most stores have no file.
    from limpet.model.file import AppFile

    row = source.run(
        "SELECT id, app, path, text, created, updated, version, head, deleted, signs FROM file "
        "WHERE id = ? AND app = ?",
        (file_id, app_id),
    ).fetchone()
    if row is None:
        return None
    id, app, path, text, created, updated, version, head, deleted, signs = row
    return AppFile(
        id=id,
        app=app,
        path=path,
        text=text,
        created_at=from_ms(created),
        updated_at=from_ms(updated),
        version=version,
        head=head,
        is_deleted=bool(deleted),
        signs=None if signs is None else tuple(quickjson.loads(signs)),
    )


def files(source: RowSource, app_id: str, *, deleted: bool = False) -> tuple[FileEntry, ...]:
    """Return the files of an app, sorted by path and then by age, oldest first.

    If `deleted` is set, return its deleted files instead.
    """
    rows = source.run(
        "SELECT id, path, bytes, created, updated, version, head, deleted FROM file "
        "WHERE app = ? AND deleted = ? ORDER BY path, id",
        (app_id, int(deleted)),
    )
    return tuple(
        FileEntry(
            id=id,
            path=path,
            bytes=size,
            created_at=from_ms(created),
            updated_at=from_ms(updated),
            version=version,
            head=head,
            is_deleted=bool(is_deleted),
        )
        for id, path, size, created, updated, version, head, is_deleted in rows
    )


def file_changes(source: RowSource, file_id: str) -> tuple[Change, ...]:
    """Return the changes of a file, including purges of its versions, oldest first."""
    # Loaded here, because no hook needs this.
    from limpet.store.view.folded_rows import changes_of

    return tuple(changes_of(source.view, FILE_PREFIX + file_id))
