"""Fold changes: compute the rows of a root from all its changes, and replace them in the index.

A root is the id under which changes are folded together: for a memory and its corrections, the id of the first version.
The rows of a root always result from all its changes, so the order in which changes arrive makes no difference.
"""

from __future__ import annotations

from limpet.clock import to_ms
from limpet.lean import quickjson
from limpet.model.app import APP_PREFIX, CONVERSATION_PREFIX, FILE_PREFIX
from limpet.model.change import INCIDENTS_PREFIX, Change, ChangeKind, Status
from limpet.model.codec import encode_fact, format_time
from limpet.model.fact import Fact
from limpet.model.fold import (
    MemoryState,
    fold_agent,
    fold_fact,
    fold_memories,
    fold_project,
    fold_session,
    sort_changes,
)
from limpet.model.ids import lowest_after
from limpet.model.memory import Memory
from limpet.model.scope import Scope, token_of
from limpet.model.session import Session
from limpet.model.standing import owner_of
from limpet.store.journal.line import parse
from limpet.store.view.open import SCOPE, View, key_of_scope
from limpet.store.view.packed import unpack_line
from limpet.store.view.purged import (
    find_derived,
    has_unpurged_source,
    is_purged,
    is_reached_by_purge,
    note_descent,
    note_purge,
    note_suspicion,
)
from limpet.store.view.rows import COLUMNS, encode_row, shorten_hash
from limpet.store.view.search_rows import Searchable, clear_search_rows, put_search_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNREADABLE = "a change brings a memory that cannot be read"

PREFIXES = {
    "fact": "",
    "antigen": "",
    "project": "",
    "agent": "agent:",
    "session": "session:",
    "app": APP_PREFIX,
    "conversation": CONVERSATION_PREFIX,
    "file": FILE_PREFIX,
}
"""For each table, the prefix that turns an id in its first column into the root of that item's changes."""

_KEYS = {"birth": "(SELECT key FROM change WHERE id = ?)", "scope": SCOPE}
_VALUES = [_KEYS.get(name, "?") for name in COLUMNS]
_INSERT = f"INSERT INTO memory ({', '.join(COLUMNS)}, id) VALUES ({', '.join(_VALUES)}, ?)"
# Two roots may introduce a memory with the same id, if somebody has tampered with the journal.
_INSERT_NEW = _INSERT.replace("INSERT", "INSERT OR IGNORE", 1)
_UPDATE = f"UPDATE memory SET ({', '.join(COLUMNS)}) = ({', '.join(_VALUES)}) WHERE key = ?"
_SIMHASH = COLUMNS.index("simhash")

# Two processes may have admitted the same text at the same time. The first memory is shown, unless it expires sooner.
IS_TWIN = """EXISTS (
  SELECT 1 FROM memory d INDEXED BY memory_by_hash WHERE d.content_hash = m.content_hash AND d.scope = m.scope
  AND d.status = 'live' AND d.id < m.id AND d.phase < 3 AND d.sensitivity = m.sensitivity
  AND (d.expires IS NULL OR d.expires >= m.expires)
)"""
# Without the named index, SQLite would read the whole scope for each memory.
_TWINS = f"UPDATE memory AS m SET twin = {IS_TWIN} WHERE m.content_hash = ? AND m.scope = ?"


def changes_of(view: View, root: str) -> list[Change]:
    """Return all changes of a root, oldest first."""
    rows: Any = view.run("SELECT line, id, coalesce(subject, root) FROM change WHERE root = ? ORDER BY id", (root,))
    return [parse(unpack_line(*row))[0] for row in rows]


def root_of(view: View, subject: str) -> str:
    """Return the root under which the changes of a memory, antigen or other subject are folded."""
    if subject.startswith("ag_"):
        return subject.partition("/")[0]
    return str(view.run("SELECT coalesce(root, id) FROM memory WHERE id = ?", (subject,)).get or subject)


def refold(view: View, root: str, gathered: list[Change] | None = None, *, spread: bool = True) -> None:
    """Compute the rows of one root from its changes, and replace them in the index.

    `gathered` contains all changes of the root if the root is new; if it is None, the changes are read from the index.
    If `spread` is set, a purge of the root is extended to everything that was derived from it.
    """
    changes = changes_of(view, root) if gathered is None else sort_changes(gathered)
    if root.startswith("mem_"):
        if spread and view.any_purged:
            _spread_purge(view, changes)
        _put_memories(view, root, changes, is_new=gathered is not None)
    elif root.startswith("fact_"):
        _put_fact(view, root, changes)
    elif root.startswith("ag_"):
        _put_antigen(view, root, changes)
    elif root.startswith(INCIDENTS_PREFIX):
        _spread_purge(view, changes)
    elif root.startswith("prj_"):
        _put_project(view, root, changes)
    elif name := next((name for name, prefix in PREFIXES.items() if prefix and root.startswith(prefix)), None):
        if name == "file" and spread and view.any_purged:
            # Every version of a file has a separate id, and counts as derived from the file.
            _spread_purge(view, changes)
        _put_row(view, name, root, changes)


def _put_row(view: View, table: str, root: str, changes: list[Change]) -> None:
    row = row_of(view, root, changes)
    if row is None:
        # A purged conversation or file. The other items in these tables cannot be purged.
        view.run(f"DELETE FROM {table} WHERE id = ?", (root.removeprefix(PREFIXES[table]),))
        return
    view.run(f"INSERT OR REPLACE INTO {table} VALUES (?{', ?' * (len(row) - 1)})", row)
    if table == "session":
        session, agent, project = row[:3]
        view.run("DELETE FROM active_day WHERE session = ?", (session,))
        owners = {owner_of(project, agent), owner_of(None, agent)}
        days = [(owner, day, session) for day in quickjson.loads(row[4])["days"] for owner in owners]
        view.connection.executemany("INSERT OR IGNORE INTO active_day VALUES (?, ?, ?)", days)


def _spread_purge(view: View, changes: list[Change]) -> None:
    """Record the purges among the changes of a root, and extend them to everything derived from the purged items."""
    derived: set[str] = set()
    for subject in {change.subject for change in changes if is_reached_by_purge(view, change)}:
        note_purge(view, subject)
        derived.update(find_derived(view, subject))
    for each in sorted(derived):
        if not is_purged(view, each) and not (each.startswith("fact_") and has_unpurged_source(view, each)):
            note_purge(view, each)
            refold(view, root_of(view, each))


def _put_memories(view: View, root: str, changes: list[Change], *, is_new: bool) -> None:
    found = fold_memories(changes)
    read = {each.memory.id for each in found}
    for change in changes:
        if "memory" in change.payload and change.subject not in read and not is_reached_by_purge(view, change):
            note_suspicion(view, change.subject, UNREADABLE)
    folded = [each for each in found if not is_purged(view, each.memory.id)]
    if not is_new:
        present = {each.memory.id for each in folded}
        for (gone,) in view.run("SELECT id FROM memory WHERE id = ?1 OR root = ?1", (root,)).fetchall():
            if gone not in present:
                _remove_memory(view, str(gone))
    for each in folded:
        _put_memory(view, each, changes, is_new=is_new)


def _put_memory(view: View, folded: MemoryState, changes: list[Change], *, is_new: bool) -> None:
    memory, status = folded.memory, status_of(view, folded)
    scope = key_of_scope(view, token_of(memory))
    values = encode_row(folded, status, changes)
    before = None
    if is_new:
        view.run(_INSERT_NEW, (*values, memory.id))
    if not is_new or not view.connection.changes():
        before = view.run("SELECT key, status, scope FROM memory WHERE id = ?", (memory.id,)).fetchone()
        if before is None:
            view.run(_INSERT, (*values, memory.id))
    if before is None:
        key = view.connection.last_insert_rowid()
    else:
        key = int(before[0] or 0)
        _clear_rows(view, key, memory.id)
        view.run(_UPDATE, (*values, key))
    short_hash = shorten_hash(memory.content_hash)
    if before is not None and before[2] != scope:
        mark_twins(view, short_hash, int(before[2] or 0))
    mark_twins(view, short_hash, scope)
    found = Searchable(key=key, scope=scope, memory=memory, status=status, simhash=values[_SIMHASH])
    put_search_rows(view, (found,))
    for relation, target in folded.links:
        if not is_purged(view, target):
            view.run("INSERT OR IGNORE INTO link VALUES (?, ?, ?)", (memory.id, relation, target))
    note_descent(view, memory.id, memory.made_of)
    # A forgotten memory may have been dropped before. Dropping hides no derived memories, but gives the same status.
    if view.any_descent and (before is None or before[1] != status or status is Status.FORGOTTEN):
        _refold_descendants(view, memory)


def status_of(view: View, folded: MemoryState) -> Status:
    """Return the status of a memory. A live memory counts as forgotten if it was derived from a forgotten memory."""
    if folded.status is Status.LIVE and _descends_from_hidden(view, folded.memory):
        return Status.FORGOTTEN
    return folded.status


def _descends_from_hidden(view: View, memory: Memory) -> bool:
    """Tell whether a memory was derived from one that is forgotten or purged; a dropped memory does not count."""
    for ancestor in memory.made_of:
        if is_purged(view, ancestor):
            return True
        if view.run("SELECT status FROM memory WHERE id = ?", (ancestor,)).get == Status.FORGOTTEN:
            versions = fold_memories(changes_of(view, root_of(view, ancestor)))
            if not any(each.memory.id == ancestor and each.is_dropped for each in versions):
                return True
    return False


def _refold_descendants(view: View, memory: Memory) -> None:
    rows = view.run(
        "SELECT DISTINCT coalesce(m.root, m.id) AS line FROM descent d JOIN memory m ON m.id = d.memory "
        "WHERE d.ancestor = ? AND line <> ?",
        (memory.id, memory.root),
    )
    for (root,) in rows.fetchall():
        refold(view, str(root), spread=False)


def mark_twins(view: View, content_hash: bytes, scope: int) -> None:
    """Mark the memories of a scope with this content hash that repeat an earlier one, and unmark the others.

    A marked memory is a twin.
    """
    rows = view.run(
        "SELECT twin FROM memory WHERE content_hash = ? AND scope = ? LIMIT 2", (content_hash, scope)
    ).fetchall()
    if len(rows) > 1 or (rows and rows[0][0]):
        view.run(_TWINS, (content_hash, scope))


def _clear_rows(view: View, key: int, memory: str) -> None:
    clear_search_rows(view, key)
    view.run("DELETE FROM link WHERE source = ?", (memory,))
    view.run("DELETE FROM descent WHERE memory = ?", (memory,))


def _remove_memory(view: View, memory: str) -> None:
    row: Any = view.run("SELECT key, content_hash, scope FROM memory WHERE id = ?", (memory,)).fetchone()
    _clear_rows(view, row[0], memory)
    view.run("DELETE FROM memory WHERE key = ?", (row[0],))
    mark_twins(view, row[1], row[2])
    view.run("DELETE FROM link WHERE target = ?", (memory,))
    view.run("DELETE FROM access WHERE memory = ?", (memory,))
    view.run("DELETE FROM shown WHERE memory = ?", (memory,))


def _put_fact(view: View, root: str, changes: list[Change]) -> None:
    row = row_of(view, root, changes)
    view.run("DELETE FROM fact WHERE id = ?", (root,))
    if not is_purged(view, root):
        # The sources of a forgotten fact are recorded too, because a purge of all of them also erases the fact.
        sources = (source for change in changes if change.kind == ChangeKind.FACT for source in change.lineage)
        note_descent(view, root, sources)
    if row is not None:
        view.run("INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def _put_antigen(view: View, root: str, changes: list[Change]) -> None:
    row = row_of(view, root, changes)
    view.run("DELETE FROM antigen WHERE id = ?", (root,))
    for change in changes:
        if change.subject != root and not is_purged(view, change.subject):
            note_descent(view, change.subject, change.lineage)
    if row is not None:
        view.run("INSERT INTO antigen VALUES (?, ?, ?, ?)", row)


def _put_project(view: View, root: str, changes: list[Change]) -> None:
    row = row_of(view, root, changes)
    if row is None:
        return
    view.run("INSERT OR REPLACE INTO project VALUES (?, ?, ?)", row)
    for change in changes:
        claim = fold_project([change])
        for key in claim.keys if claim else ():
            # The earliest claim of a key counts, whatever the order in which changes arrive.
            view.run(
                "INSERT INTO project_key VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE "
                "SET project = ?2, change = ?3 WHERE ?3 < change",
                (key, root, change.id),
            )


def row_of(view: View, root: str, changes: list[Change]) -> tuple[Any, ...] | None:
    """Return the index row of an item other than a memory, computed from its changes, or None if it has none."""
    if root.startswith("fact_"):
        fact = None if is_purged(view, root) else fold_fact(changes)
        return None if fact is None else _make_fact_row(fact)
    if root.startswith("ag_"):
        # The incidents of one session may be purged while the antigen stays.
        kept = [change for change in changes if not is_purged(view, change.subject)]
        return None if is_purged(view, root) else _make_antigen_row(kept)
    if root.startswith("prj_"):
        project = fold_project(changes)
        return None if project is None else (project.id, project.name, project.agent)
    if root.startswith("agent:"):
        agent = fold_agent(changes)
        return None if agent is None else (agent.id, agent.name, agent.first_seen, agent.definition, agent.key_id)
    if root.startswith((APP_PREFIX, CONVERSATION_PREFIX, FILE_PREFIX)):
        # Loaded here, because most stores have no app.
        from limpet.store.view.app_rows import make_row

        return None if is_purged(view, root) else make_row(root, changes)
    session = fold_session(changes) if root.startswith("session:") else None
    if session is None:
        return None
    # Sessions are sorted by their start, which may be long before their first change was written.
    first = lowest_after(to_ms(session.started_at))
    return session.id, session.agent, session.project, first, quickjson.dumps(_encode_session(session))


def _make_antigen_row(changes: list[Change]) -> tuple[Any, ...] | None:
    # Loaded here, because most stores have no antigen.
    from limpet.model.antigen import encode_antigen, fold_antigen

    antigen = fold_antigen(changes)
    if antigen is None:
        return None
    scope = Scope(agent=antigen.agent, project=antigen.project).tokens()
    assert scope is not None
    return antigen.id, scope[0], antigen.agent, quickjson.dumps(encode_antigen(antigen), is_ascii=False)


def _make_fact_row(fact: Fact) -> tuple[Any, ...]:
    scope = Scope(agent=fact.agent, project=fact.project, app=fact.app).tokens()
    assert scope is not None
    return (
        fact.id,
        scope[0],
        fact.agent,
        fact.subject.casefold(),
        fact.predicate.casefold(),
        fact.object.casefold(),
        to_ms(fact.valid_from),
        to_ms(fact.valid_to) if fact.valid_to else None,
        quickjson.dumps(encode_fact(fact), is_ascii=False),
    )


def _encode_session(session: Session) -> dict[str, Any]:
    return {
        "started_at": format_time(session.started_at),
        "last_seen": format_time(session.last_seen),
        "successes": session.successes,
        "failures": session.failures,
        "tokens": session.tokens,
        "compacted": session.compactions,
        "branch": session.branch,
        "commit": session.commit,
        "transcript": session.transcript,
        "ended": session.ended,
        "seen": session.seen,
        "kept": session.kept,
        "dropped": dict(session.dropped),
        "taken": dict(session.taken),
        "curated": session.curated,
        "days": list(session.days),
    }
