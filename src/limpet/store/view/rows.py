"""The rows of the index: what the changes of a root fold to, and the views of it that are searched.

Whatever a root's rows were before, they are replaced by what its changes say now, so nothing here depends on the order
in which changes came.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterable, Sequence
from functools import cached_property

import apsw

from limpet.clock import to_ms
from limpet.lean.record import field, mutable
from limpet.model.activity import owner_of
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.codec import decode_memory, encode_fact, encode_memory, format_time
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
from limpet.model.memory import Memory, Phase, Sensitivity
from limpet.model.reach import reach_of
from limpet.model.scope import Scope, agent_token, token_of
from limpet.model.session import Session
from limpet.store.journal.records import parse
from limpet.store.view.conditions import index_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNREADABLE = "a change brings a memory that cannot be read"
ERASED = "a change was erased without a purge"


@mutable
class Applied:
    """What applying some rows brought about, for those who look after the files."""

    changes: int = 0
    highest: str = ""
    newer: bool = False
    purged: set[str] = field(default_factory=set)


def load_vectors(connection: apsw.Connection) -> bool:
    """Load the vector functions by their file, as their package would load numpy; without them words suffice."""
    folders = (os.path.join(folder, "sqlite_vec") for folder in sys.path)
    found = next((folder for folder in folders if os.path.isdir(folder)), None)
    if found is None:
        return False
    try:
        connection.enable_load_extension(True)
        connection.load_extension(os.path.join(found, "vec0"))
        connection.enable_load_extension(False)
    except apsw.Error:
        return False
    return True


class Rows:
    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self._run = connection.execute
        self._any_purged = True
        self._any_descent = True

    @cached_property
    def has_vectors(self) -> bool:
        return load_vectors(self.connection)

    def changes_of(self, root: str) -> list[Change]:
        found = []
        for (row,) in self._run("SELECT line FROM change WHERE root = ? ORDER BY id", (root,)):
            found.append(parse(bytes(row))[0])
        return found

    def refold(self, root: str, done: Applied | None = None, gathered: list[Change] | None = None) -> None:
        """Fold the changes of one root and replace what the index says of it; `gathered` are all, if it is new."""
        changes = self.changes_of(root) if gathered is None else sort_changes(gathered)
        if root.startswith("mem_"):
            self._put_memories(root, changes, done, is_new=gathered is not None)
        elif root.startswith("fact_"):
            self._put_fact(root, changes)
        elif root.startswith("prj_"):
            self._put_project(root, changes)
        elif row := self._row_of(root, changes):
            name = "agent" if root.startswith("agent:") else "session"
            self._run(f"INSERT OR REPLACE INTO {name} VALUES (?, ?, ?, ?, ?)", row)
            if name == "session":
                self._put_days(row[0], row[2], row[1], json.loads(row[4])["days"])

    def _put_memories(self, root: str, changes: list[Change], done: Applied | None, *, is_new: bool) -> None:
        if done is not None and self._any_purged:
            self._mark_for_erasure(changes, done)
        found = fold_memories(changes)
        read = {each.memory.id for each in found}
        for change in changes:
            if "memory" in change.payload and change.subject not in read and not self._is_purged(change):
                self.suspect(change.subject, UNREADABLE)
        folded = [each for each in found if not self._is_gone(each.memory.id)]
        if not is_new:
            present = {each.memory.id for each in folded}
            for (gone,) in self._run("SELECT id FROM memory WHERE root = ?", (root,)).fetchall():
                if gone not in present:
                    self._remove_memory(str(gone))
        for each in folded:
            self._put_memory(each, _simhash_of(each.memory.id, changes))

    def _mark_for_erasure(self, changes: list[Change], done: Applied) -> None:
        """A purge reaches every change of its subject and all that descends from it, earlier or later."""
        heirs: set[str] = set()
        for subject in {change.subject for change in changes if self._is_purged(change)}:
            self._purge(subject, done)
            for (heir,) in self._run("SELECT memory FROM descent WHERE ancestor = ?", (subject,)).fetchall():
                heirs.add(str(heir))
        for heir in sorted(heirs):
            if not self._is_gone(heir) and not (heir.startswith("fact_") and self._rests_on_more(heir)):
                self._purge(heir, done)
                self.refold(self._root_of(heir), done)

    def _rests_on_more(self, fact: str) -> bool:
        query = "SELECT 1 FROM descent WHERE memory = ? AND ancestor NOT IN (SELECT subject FROM purged) LIMIT 1"
        return bool(self._run(query, (fact,)).get)

    def _is_gone(self, subject: str) -> bool:
        return self._any_purged and bool(self._run("SELECT 1 FROM purged WHERE subject = ?", (subject,)).get)

    def _status_of(self, folded: MemoryState) -> Status:
        if folded.status is Status.LIVE and self._descends_from_hidden(folded.memory):
            return Status.FORGOTTEN
        return folded.status

    def _columns(self, folded: MemoryState) -> tuple[Any, ...]:
        """The values of a memory's row, in the order of `COLUMNS`."""
        memory = folded.memory
        body = json.dumps(encode_memory(memory, sparse=True), ensure_ascii=False, separators=(",", ":"))
        values = (
            memory.root,
            token_of(memory),
            memory.agent,
            memory.region.value,
            memory.project,
            memory.app,
            memory.kind.value,
            memory.type.value,
            memory.impact.rank,
            memory.sensitivity.value,
            memory.origin.value,
            int(memory.phase),
            int(memory.pinned),
            memory.session,
            memory.branch,
            to_ms(memory.created_at),
            to_ms(memory.expires_at) if memory.expires_at else None,
            self._status_of(folded).value,
            int(reach_of(memory, folded.feedback)),
            folded.feedback,
            None if folded.signs is None else "\x1f".join(folded.signs),
            memory.content_hash,
            memory.token_count,
            body,
        )
        return *values, checksum(values)

    def _put_memory(self, folded: MemoryState, simhash: int | None) -> None:
        memory, status = folded.memory, self._status_of(folded)
        before = self._run("SELECT key, status FROM memory WHERE id = ?", (memory.id,)).fetchone()
        token = token_of(memory)
        values = self._columns(folded)
        if before is None:
            self._run(_INSERT, (memory.id, *values))
            key = self.connection.last_insert_rowid()
        else:
            key = before[0]
            self._run(_UPDATE, (*values, key))
            self._clear_views(key, memory.id)
        self._look_for_twins(memory.content_hash, token)
        self._put_views(key, token, memory, status, simhash)
        for relation, target in folded.links:
            if self._is_gone(target):
                continue
            self._run("INSERT OR IGNORE INTO link VALUES (?, ?, ?)", (memory.id, relation, target))
        self._put_descent(memory.id, memory.made_of)
        if self._any_descent and (before is None or before[1] != status):
            self._refold_descendants(memory)

    def _put_views(self, key: int, token: str, memory: Memory, status: Status, simhash: int | None) -> None:
        for name, value in {
            *(("tag", tag.lower()) for tag in memory.tags),
            *(("concept", concept.value) for concept in memory.concepts),
            *(("file", path) for path in (*memory.files_read, *memory.files_modified)),
            *(("file", citation.path) for citation in memory.citations),
        }:
            self._run("INSERT OR IGNORE INTO facet VALUES (?, ?, ?)", (name, value, key))
        if status is not Status.LIVE:
            return
        # Whoever only reads does not need what turns texts into words.
        from limpet.text.lexicon import for_index

        archived = memory.phase is Phase.ARCHIVED
        if simhash is not None and not archived:
            for band in scoped_bands(token, simhash):
                self._run("INSERT OR IGNORE INTO band VALUES (?, ?, ?)", (band, key, simhash - (1 << 63)))
        files = (*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations))
        self._run(
            "INSERT INTO words (rowid, title, subtitle, content, tags, files, scope) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                key,
                for_index(memory.title),
                for_index(memory.subtitle),
                for_index(memory.original_content),
                for_index(" ".join(memory.tags)),
                for_index(" ".join(dict.fromkeys(files))),
                " ".join(
                    index_token(each, memory.sensitivity, archived) for each in (token, agent_token(memory.agent))
                ),
            ),
        )
        if self.has_vectors:
            self._run("INSERT OR IGNORE INTO unembedded VALUES (?)", (key,))

    def embed(self, limit: int) -> int:
        """Make vectors for some of the memories that wait for one; returns how many are left."""
        if not self.has_vectors:
            return 0
        rows: list[Any] = self._run(
            "SELECT u.key, m.scope, m.sensitivity, m.phase, m.body FROM unembedded u "
            "LEFT JOIN memory m ON m.key = u.key AND m.status = 'live' ORDER BY u.key DESC LIMIT ?",
            (limit,),
        ).fetchall()
        from limpet.text.embedding import signs, table

        texts = ["" if body is None else decode_memory(json.loads(body)).original_content for *_, body in rows]
        for (key, scope, sensitivity, phase, _), code in zip(rows, table().encode_many(texts), strict=True):
            self._run("DELETE FROM unembedded WHERE key = ?", (key,))
            if code is not None:
                self._run("INSERT OR REPLACE INTO vector VALUES (?, ?)", (key, code))
                token = index_token(scope, Sensitivity(sensitivity), phase == Phase.ARCHIVED)
                self._run("INSERT OR REPLACE INTO sketch VALUES (?, ?, ?)", (token, key, signs(code)))
        return int(self._run("SELECT count(*) FROM unembedded").get or 0)

    def waits_for_vectors(self) -> bool:
        return self.has_vectors and bool(self._run("SELECT 1 FROM unembedded LIMIT 1").get)

    def use_vectors_of(self, model: str) -> None:
        """Vectors of another table cannot be compared with ours: let all be made anew."""
        if self._run("SELECT value FROM meta WHERE name = 'vectors'").get == model:
            return
        for command in (
            "DELETE FROM vector",
            "DELETE FROM sketch",
            "INSERT OR IGNORE INTO unembedded SELECT key FROM memory WHERE status = 'live'",
        ):
            self._run(command)
        self._run("INSERT OR REPLACE INTO meta VALUES ('vectors', ?)", (model,))

    def _look_for_twins(self, content_hash: str, token: str) -> None:
        rows = self._run(
            "SELECT twin FROM memory WHERE content_hash = ? AND scope = ? LIMIT 2", (content_hash, token)
        ).fetchall()
        if len(rows) > 1 or (rows and rows[0][0]):
            self._run(_TWINS, (content_hash, token))

    def _clear_views(self, key: int, memory: str) -> None:
        self._run("DELETE FROM words WHERE rowid = ?", (key,))
        self._run(
            "DELETE FROM sketch WHERE key = ?1 AND scope IN "
            "(SELECT m.scope || level.value || x.value FROM memory m, json_each('[0,1,2,3]') level, "
            'json_each(\'["","x"]\') x WHERE m.key = ?1)',
            (key,),
        )
        self._run("DELETE FROM vector WHERE key = ?", (key,))
        self._run("DELETE FROM unembedded WHERE key = ?", (key,))
        self._run("DELETE FROM facet WHERE memory = ?", (key,))
        self._run("DELETE FROM band WHERE memory = ?", (key,))
        self._run("DELETE FROM link WHERE source = ?", (memory,))
        self._run("DELETE FROM descent WHERE memory = ?", (memory,))

    def _remove_memory(self, memory: str) -> None:
        row: Any = self._run("SELECT key, content_hash, scope FROM memory WHERE id = ?", (memory,)).fetchone()
        self._clear_views(row[0], memory)
        self._run("DELETE FROM memory WHERE key = ?", (row[0],))
        self._look_for_twins(row[1], row[2])
        self._run("DELETE FROM link WHERE target = ?", (memory,))
        self._run("DELETE FROM access WHERE memory = ?", (memory,))
        self._run("DELETE FROM shown WHERE memory = ?", (memory,))

    def _descends_from_hidden(self, memory: Memory) -> bool:
        """Whether something it was made of, in another line, is forgotten or purged."""
        for ancestor in memory.made_of:
            status = self._run("SELECT status FROM memory WHERE id = ?", (ancestor,)).get
            if status == Status.FORGOTTEN or self._is_gone(ancestor):
                return True
        return False

    def _refold_descendants(self, memory: Memory) -> None:
        rows = self._run(
            "SELECT DISTINCT m.root FROM descent d JOIN memory m ON m.id = d.memory "
            "WHERE d.ancestor = ? AND m.root <> ?",
            (memory.id, memory.root),
        )
        for (root,) in rows.fetchall():
            self.refold(str(root))

    def _put_fact(self, root: str, changes: list[Change]) -> None:
        row = self._row_of(root, changes)
        self._run("DELETE FROM fact WHERE id = ?", (root,))
        if row is not None:
            sources = (source for change in changes if change.kind == ChangeKind.FACT for source in change.lineage)
            self._put_descent(root, sources)
            self._run("INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _row_of(self, root: str, changes: list[Change]) -> tuple[Any, ...] | None:
        """What the table of its kind must say of a fact, project, agent or session."""
        if root.startswith("fact_"):
            fact = None if self._is_gone(root) else fold_fact(changes)
            return None if fact is None else _fact_row(fact)
        if root.startswith("prj_"):
            project = fold_project(changes)
            return None if project is None else (project.id, project.name, project.agent)
        if root.startswith("agent:"):
            agent = fold_agent(changes)
            return None if agent is None else (agent.id, agent.name, agent.first_seen, agent.definition, agent.key_id)
        session = fold_session(changes) if root.startswith("session:") else None
        if session is None:
            return None
        # By when it began, which may be long before anybody wrote it down.
        first = lowest_after(to_ms(session.started_at))
        return session.id, session.agent, session.project, first, json.dumps(_session_body(session))

    def _put_days(self, session: str, project: str | None, agent: str, days: Iterable[int]) -> None:
        """Each day on which a session worked was a day of work for its project and for its agent."""
        self._run("DELETE FROM active_day WHERE session = ?", (session,))
        for day in days:
            for owner in {owner_of(project, agent), owner_of(None, agent)}:
                self._run("INSERT OR IGNORE INTO active_day VALUES (?, ?, ?)", (owner, day, session))

    def _put_project(self, root: str, changes: list[Change]) -> None:
        row = self._row_of(root, changes)
        if row is None:
            return
        self._run("INSERT OR REPLACE INTO project VALUES (?, ?, ?)", row)
        for change in changes:
            claim = fold_project([change])
            for key in claim.keys if claim else ():
                # Who claimed a key first keeps it, whatever the order of arrival.
                self._run(
                    "INSERT INTO project_key VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE "
                    "SET project = ?2, change = ?3 WHERE ?3 < change",
                    (key, root, change.id),
                )

    def _note_rarities(self) -> None:
        """Most stores have no purged memory and none made of others: then they need not be asked at each change."""
        self._any_purged = bool(self._run("SELECT 1 FROM purged LIMIT 1").get)
        self._any_descent = bool(self._run("SELECT 1 FROM descent LIMIT 1").get)

    def _purge(self, subject: str, done: Applied) -> None:
        self._run("INSERT OR IGNORE INTO purged VALUES (?, 0)", (subject,))
        if self.connection.changes():
            # What was erased before we heard of the purge is no longer suspicious.
            self._run("DELETE FROM suspicion WHERE subject = ? AND reason = ?", (subject, ERASED))
            self._run("DELETE FROM descent WHERE memory = ?", (subject,))
            self._run("DELETE FROM link WHERE target = ?", (subject,))
            self._run("DELETE FROM access WHERE memory = ?", (subject,))
            self._run("DELETE FROM shown WHERE memory = ?", (subject,))
            done.purged.add(subject)
        self._any_purged = True

    def _is_purged(self, change: Change) -> bool:
        """A memory goes with anything it descends from; a fact goes when all that it rests on is gone."""
        if not self._any_purged:
            return False
        subjects = (change.subject, *change.lineage)
        asked = ",".join("?" * len(subjects))
        gone = {row[0] for row in self._run(f"SELECT subject FROM purged WHERE subject IN ({asked})", subjects)}
        if change.root.startswith("fact_"):
            return change.subject in gone or (bool(change.lineage) and gone.issuperset(change.lineage))
        return bool(gone)

    def _put_descent(self, subject: str, ancestors: Iterable[str]) -> None:
        for ancestor in ancestors:
            self._run("INSERT OR IGNORE INTO descent VALUES (?, ?)", (ancestor, subject))
            self._any_descent = True

    def _root_of(self, subject: str) -> str:
        return str(self._run("SELECT root FROM memory WHERE id = ?", (subject,)).get or subject)

    def suspect(self, subject: str, reason: str) -> None:
        self._run("INSERT OR IGNORE INTO suspicion VALUES (?, ?)", (subject, reason))


def _fact_row(fact: Fact) -> tuple[Any, ...]:
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
        json.dumps(encode_fact(fact), ensure_ascii=False),
    )


def _session_body(session: Session) -> dict[str, Any]:
    return {
        "started_at": format_time(session.started_at),
        "last_seen": format_time(session.last_seen),
        "successes": session.successes,
        "failures": session.failures,
        "tokens": session.tokens,
        "compacted": session.compacted,
        "branch": session.branch,
        "commit": session.commit,
        "transcript": session.transcript,
        "ended": session.ended,
        "seen": session.seen,
        "kept": session.kept,
        "dropped": dict(session.dropped),
        "taken": dict(session.taken),
        "days": list(session.days),
    }


def checksum(values: Sequence[Any]) -> int:
    """Over the whole row: SQLite's own check cannot see a byte that changed inside a value."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def scoped_bands(scope_token: str, simhash: int) -> list[int]:
    """The bands of a hash as numbers that differ by scope, so that a look-up meets nobody else's texts."""
    scope = zlib.crc32(scope_token.encode())
    from limpet.text.similarity import bands

    return [scope << 14 | band for band in bands(simhash)]


# Which table speaks of which subjects.
SUBJECTS = {"fact": "", "project": "", "agent": "agent:", "session": "session:"}

COLUMNS = (
    *("root", "scope", "agent", "region", "project", "app", "kind", "type", "impact", "sensitivity", "origin"),
    *("phase", "pinned", "session", "branch", "created", "expires", "status", "reach", "feedback", "signs"),
    *("content_hash", "tokens", "body", "checksum"),
)
_INSERT = f"INSERT INTO memory (id, {', '.join(COLUMNS)}) VALUES (?{', ?' * len(COLUMNS)})"
_UPDATE = f"UPDATE memory SET {', '.join(f'{name} = ?' for name in COLUMNS)} WHERE key = ?"


# Two processes may have let the same text in at once; of those the first is shown, unless it expires sooner.
_TWINS = """
    UPDATE memory AS m SET twin = EXISTS (
      SELECT 1 FROM memory d WHERE d.content_hash = ?1 AND d.scope = ?2 AND d.status = 'live' AND d.id < m.id
      AND d.phase < 3 AND d.sensitivity = m.sensitivity AND (d.expires IS NULL OR d.expires >= m.expires)
    ) WHERE m.content_hash = ?1 AND m.scope = ?2
"""


def _simhash_of(memory: str, changes: Iterable[Change]) -> int | None:
    for change in changes:
        found = change.payload.get("simhash") if change.subject == memory else None
        if isinstance(found, int) and 0 <= found < 1 << 64:
            return found
    return None
