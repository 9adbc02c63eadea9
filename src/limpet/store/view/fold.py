"""Fold the changes of a root and replace what the index says of it.

Whatever a root's rows were before, they are replaced by what its changes say now, so nothing here depends on the order
in which changes came.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from limpet.model.activity import owner_of
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.fold import MemoryState, fold_memories, fold_project, sort_changes
from limpet.model.memory import Memory
from limpet.model.scope import token_of
from limpet.store.journal.line import parse
from limpet.store.view.entity_row import row_of
from limpet.store.view.memory_row import COLUMNS, encode_row
from limpet.store.view.open import View
from limpet.store.view.purged import (
    heirs_of,
    is_purged,
    is_reached_by_purge,
    note_descent,
    note_purge,
    note_suspicion,
    rests_on_more,
)
from limpet.store.view.search_rows import clear_search_rows, put_search_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNREADABLE = "a change brings a memory that cannot be read"

_INSERT = f"INSERT INTO memory (id, {', '.join(COLUMNS)}) VALUES (?{', ?' * len(COLUMNS)})"
_UPDATE = f"UPDATE memory SET {', '.join(f'{name} = ?' for name in COLUMNS)} WHERE key = ?"

# Two processes may have let the same text in at once; of those the first is shown, unless it expires sooner.
_TWINS = """
    UPDATE memory AS m SET twin = EXISTS (
      SELECT 1 FROM memory d WHERE d.content_hash = ?1 AND d.scope = ?2 AND d.status = 'live' AND d.id < m.id
      AND d.phase < 3 AND d.sensitivity = m.sensitivity AND (d.expires IS NULL OR d.expires >= m.expires)
    ) WHERE m.content_hash = ?1 AND m.scope = ?2
"""


def changes_of(view: View, root: str) -> list[Change]:
    """Return the changes of a root in their order."""
    rows = view.run("SELECT line FROM change WHERE root = ? ORDER BY id", (root,))
    return [parse(bytes(row))[0] for (row,) in rows]


def root_of(view: View, subject: str) -> str:
    """Return the root under which the changes of a subject are folded."""
    return str(view.run("SELECT root FROM memory WHERE id = ?", (subject,)).get or subject)


def refold(view: View, root: str, gathered: list[Change] | None = None, *, spread: bool = True) -> None:
    """Fold the changes of one root and replace its rows.

    `gathered` are all its changes, if it is new. `spread` takes a purge on to what descends from the root.
    """
    changes = changes_of(view, root) if gathered is None else sort_changes(gathered)
    if root.startswith("mem_"):
        if spread and view.any_purged:
            _spread_purge(view, changes)
        _put_memories(view, root, changes, is_new=gathered is not None)
    elif root.startswith("fact_"):
        _put_fact(view, root, changes)
    elif root.startswith("prj_"):
        _put_project(view, root, changes)
    elif row := row_of(view, root, changes):
        name = "agent" if root.startswith("agent:") else "session"
        view.run(f"INSERT OR REPLACE INTO {name} VALUES (?, ?, ?, ?, ?)", row)
        if name == "session":
            _put_days(view, row[0], row[2], row[1], json.loads(row[4])["days"])


def _spread_purge(view: View, changes: list[Change]) -> None:
    """Purge every subject that a purge reaches, and all that descends from it, earlier or later."""
    heirs: set[str] = set()
    for subject in {change.subject for change in changes if is_reached_by_purge(view, change)}:
        note_purge(view, subject)
        heirs.update(heirs_of(view, subject))
    for heir in sorted(heirs):
        if not is_purged(view, heir) and not (heir.startswith("fact_") and rests_on_more(view, heir)):
            note_purge(view, heir)
            refold(view, root_of(view, heir))


def _put_memories(view: View, root: str, changes: list[Change], *, is_new: bool) -> None:
    found = fold_memories(changes)
    read = {each.memory.id for each in found}
    for change in changes:
        if "memory" in change.payload and change.subject not in read and not is_reached_by_purge(view, change):
            note_suspicion(view, change.subject, UNREADABLE)
    folded = [each for each in found if not is_purged(view, each.memory.id)]
    if not is_new:
        present = {each.memory.id for each in folded}
        for (gone,) in view.run("SELECT id FROM memory WHERE root = ?", (root,)).fetchall():
            if gone not in present:
                _remove_memory(view, str(gone))
    for each in folded:
        _put_memory(view, each, _simhash_of(each.memory.id, changes))


def _put_memory(view: View, folded: MemoryState, simhash: int | None) -> None:
    memory, status = folded.memory, status_of(view, folded)
    before = view.run("SELECT key, status FROM memory WHERE id = ?", (memory.id,)).fetchone()
    token = token_of(memory)
    values = encode_row(folded, status)
    if before is None:
        view.run(_INSERT, (memory.id, *values))
        key = view.connection.last_insert_rowid()
    else:
        key = int(before[0] or 0)
        view.run(_UPDATE, (*values, key))
        _clear(view, key, memory.id)
    _mark_twins(view, memory.content_hash, token)
    put_search_rows(view, key, token, memory, status, simhash)
    for relation, target in folded.links:
        if not is_purged(view, target):
            view.run("INSERT OR IGNORE INTO link VALUES (?, ?, ?)", (memory.id, relation, target))
    note_descent(view, memory.id, memory.made_of)
    if view.any_descent and (before is None or before[1] != status):
        _refold_descendants(view, memory)


def status_of(view: View, folded: MemoryState) -> Status:
    """Return the status of a memory: one that was made of something hidden is hidden too."""
    if folded.status is Status.LIVE and _descends_from_hidden(view, folded.memory):
        return Status.FORGOTTEN
    return folded.status


def _descends_from_hidden(view: View, memory: Memory) -> bool:
    """Tell whether another memory that it was made of is forgotten or purged."""
    for ancestor in memory.made_of:
        status = view.run("SELECT status FROM memory WHERE id = ?", (ancestor,)).get
        if status == Status.FORGOTTEN or is_purged(view, ancestor):
            return True
    return False


def _refold_descendants(view: View, memory: Memory) -> None:
    rows = view.run(
        "SELECT DISTINCT m.root FROM descent d JOIN memory m ON m.id = d.memory WHERE d.ancestor = ? AND m.root <> ?",
        (memory.id, memory.root),
    )
    for (root,) in rows.fetchall():
        refold(view, str(root), spread=False)


def _mark_twins(view: View, content_hash: str, token: str) -> None:
    """Mark each memory whose text an earlier one of its scope has."""
    rows = view.run(
        "SELECT twin FROM memory WHERE content_hash = ? AND scope = ? LIMIT 2", (content_hash, token)
    ).fetchall()
    if len(rows) > 1 or (rows and rows[0][0]):
        view.run(_TWINS, (content_hash, token))


def _clear(view: View, key: int, memory: str) -> None:
    clear_search_rows(view, key)
    view.run("DELETE FROM link WHERE source = ?", (memory,))
    view.run("DELETE FROM descent WHERE memory = ?", (memory,))


def _remove_memory(view: View, memory: str) -> None:
    row: Any = view.run("SELECT key, content_hash, scope FROM memory WHERE id = ?", (memory,)).fetchone()
    _clear(view, row[0], memory)
    view.run("DELETE FROM memory WHERE key = ?", (row[0],))
    _mark_twins(view, row[1], row[2])
    view.run("DELETE FROM link WHERE target = ?", (memory,))
    view.run("DELETE FROM access WHERE memory = ?", (memory,))
    view.run("DELETE FROM shown WHERE memory = ?", (memory,))


def _simhash_of(memory: str, changes: Iterable[Change]) -> int | None:
    for change in changes:
        found = change.payload.get("simhash") if change.subject == memory else None
        if isinstance(found, int) and 0 <= found < 1 << 64:
            return found
    return None


def _put_fact(view: View, root: str, changes: list[Change]) -> None:
    row = row_of(view, root, changes)
    view.run("DELETE FROM fact WHERE id = ?", (root,))
    if row is not None:
        sources = (source for change in changes if change.kind == ChangeKind.FACT for source in change.lineage)
        note_descent(view, root, sources)
        view.run("INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def _put_project(view: View, root: str, changes: list[Change]) -> None:
    row = row_of(view, root, changes)
    if row is None:
        return
    view.run("INSERT OR REPLACE INTO project VALUES (?, ?, ?)", row)
    for change in changes:
        claim = fold_project([change])
        for key in claim.keys if claim else ():
            # The first claim of a key holds, whatever the order of arrival.
            view.run(
                "INSERT INTO project_key VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE "
                "SET project = ?2, change = ?3 WHERE ?3 < change",
                (key, root, change.id),
            )


def _put_days(view: View, session: str, project: str | None, agent: str, days: Iterable[int]) -> None:
    """Note the days on which a session worked, for its project and for its agent."""
    view.run("DELETE FROM active_day WHERE session = ?", (session,))
    for day in days:
        for owner in {owner_of(project, agent), owner_of(None, agent)}:
            view.run("INSERT OR IGNORE INTO active_day VALUES (?, ?, ?)", (owner, day, session))
