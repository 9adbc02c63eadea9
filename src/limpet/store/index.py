"""Applies changes to the SQLite index; knows its tables, and nothing of files or locks.

The same code builds the live index, a private copy in memory and the view of a past moment. Changes are first put
into the table of changes, then every line they touch is folded anew from that table and its rows replaced, so the
order in which changes arrived leaves no trace.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import apsw

from limpet.clock import to_ms
from limpet.errors import StoreNewer
from limpet.model.change import (
    Change,
    Folded,
    Status,
    Verb,
    fold_agent,
    fold_fact,
    fold_memories,
    fold_project,
    fold_session,
)
from limpet.model.codec import encode_fact, encode_memory, iso
from limpet.model.memory import Memory
from limpet.model.scope import Scope, token_of
from limpet.store import line as lines
from limpet.store.protocol import Problem, Progress
from limpet.text.similarity import bands

VERSION = 1
BATCH = 2000

CHAIN = "the chain is broken here: a change was removed, inserted or moved"
EDITED = "a change was edited after it was written"
ERASED = "a change was erased without a purge"
TWICE = "one change exists in two versions"


def connect(path: str, *, create: bool, flags: int = 0) -> apsw.Connection:
    mode = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    connection = apsw.Connection(path, flags=flags or mode | apsw.SQLITE_OPEN_NOFOLLOW)
    # The last one to close must not checkpoint: a process stopped in the middle of it would block all others.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_timeout(200)
    for pragma in ("secure_delete=ON", "synchronous=NORMAL", "wal_autocheckpoint=0", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def create_tables(connection: apsw.Connection) -> None:
    schema = resources.files("limpet.store").joinpath("schema/index.sql").read_text(encoding="utf-8")
    with connection:
        connection.execute(schema)
        connection.execute(f"PRAGMA user_version={VERSION}")


def version_of(connection: apsw.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").get)


@dataclass(slots=True, kw_only=True)
class Mark:
    """How far a segment has been applied."""

    name: str
    applied: int = 0
    records: int = 0
    last_start: int = 0
    last_hash: str = ""
    torn: int = 0
    modified: int = 0


@dataclass(slots=True, kw_only=True)
class Applied:
    """What applying some rows brought about, for those who look after the files."""

    changes: int = 0
    highest: str = ""
    newer: bool = False
    to_erase: list[tuple[str, int]] = field(default_factory=list)
    purged: set[str] = field(default_factory=set)


class Index:
    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self._run = connection.execute
        self._any_purged = True
        self._any_descent = True

    def marks(self) -> dict[str, Mark]:
        rows = self._run("SELECT name, applied, records, last_start, last_hash, torn, modified FROM segment")
        return {
            row[0]: Mark(
                name=row[0],
                applied=row[1],
                records=row[2],
                last_start=row[3],
                last_hash=row[4],
                torn=row[5],
                modified=row[6],
            )
            for row in rows
        }

    def save_mark(self, mark: Mark) -> None:
        self._run(
            "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?)",
            (mark.name, mark.applied, mark.records, mark.last_start, mark.last_hash, mark.torn, mark.modified),
        )

    def apply(self, mark: Mark, rows: Sequence[tuple[int, bytes]], done: Applied) -> None:
        """Take over whole lines of one segment; the caller holds a transaction."""
        self._note_rarities()
        touched: dict[str, list[Change] | None] = {}
        for start, row in rows:
            mark.applied = start + len(row) + 1
            if not row:
                continue
            try:
                change, problem, digest, previous = parse(row)
            except lines.BadLine:
                mark.torn += 1
                continue
            except StoreNewer:
                done.newer = True
                mark.applied = start
                break
            if previous != mark.last_hash:
                self.suspect(change.subject, CHAIN)
            mark.records += 1
            mark.last_start, mark.last_hash = start, digest
            done.changes += 1
            done.highest = max(done.highest, change.id)
            if change.verb == Verb.RECEIPT:
                self._take_receipt(change)
                continue
            root = change.root
            if root not in touched:
                # A root that is new to us need not be read back to be folded.
                known = self._run("SELECT 1 FROM change WHERE root = ? LIMIT 1", (root,)).get
                touched[root] = None if known or problem else []
            if not self._keep(change, problem, mark.name, start, row, done):
                touched[root] = None
            gathered = touched[root]
            if gathered is not None:
                gathered.append(change)
        self.save_mark(mark)
        for root, gathered in touched.items():
            self.refold(root, done, gathered)

    def _note_rarities(self) -> None:
        """Most stores have no purged memory and none made of others: then they need not be asked at each change."""
        self._any_purged = bool(self._run("SELECT 1 FROM purged LIMIT 1").get)
        self._any_descent = bool(self._run("SELECT 1 FROM descent LIMIT 1").get)

    def _keep(self, change: Change, problem: str | None, segment: str, start: int, row: bytes, done: Applied) -> bool:
        """Put a change into the table of changes; False if the table now says something else than the change."""
        if change.verb == Verb.PURGE:
            self._purge(change.subject, done)
        elif problem != lines.ERASED and self._is_purged(change):
            done.to_erase.append((segment, start))
            row = erase_row(row)
        elif problem == lines.ERASED and not self._is_purged(change):
            self.suspect(change.subject, ERASED)
        elif problem == lines.EDITED:
            self.suspect(change.subject, EDITED)
        self._run(
            "INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?, ?, ?)",
            (change.id, change.root, change.subject, change.verb, segment, start, row),
        )
        if self.connection.changes():
            return problem is None and not done.to_erase
        known = bytes(self._run("SELECT line FROM change WHERE id = ?", (change.id,)).get)
        if known == row or lines.is_erased(known.partition(b"\t")[2]):
            return False
        if problem == lines.ERASED:
            self._run("UPDATE change SET line = ? WHERE id = ?", (row, change.id))
            return False
        # Of two versions every device must choose the same one, whichever came first.
        self.suspect(change.subject, TWICE)
        if _rank_of(row) < _rank_of(known):
            self._run(
                "UPDATE change SET line = ?, segment = ?, start = ? WHERE id = ?", (row, segment, start, change.id)
            )
        return False

    def _purge(self, subject: str, done: Applied) -> None:
        self._run("INSERT OR IGNORE INTO purged VALUES (?, 0)", (subject,))
        self._any_purged = True
        done.purged.add(subject)

    def _is_purged(self, change: Change) -> bool:
        if not self._any_purged:
            return False
        subjects = (change.subject, *change.lineage)
        asked = ",".join("?" * len(subjects))
        return bool(self._run(f"SELECT 1 FROM purged WHERE subject IN ({asked}) LIMIT 1", subjects).get)

    def suspect(self, subject: str, reason: str) -> None:
        self._run("INSERT OR IGNORE INTO suspicion VALUES (?, ?)", (subject, reason))

    def _take_receipt(self, change: Change) -> None:
        self._run(
            "INSERT OR IGNORE INTO receipt VALUES (?, ?, ?)",
            (change.id, change.payload.get("session"), json.dumps(dict(change.payload))),
        )
        if not self.connection.changes():
            return
        at, session = to_ms(change.at), change.payload.get("session")
        counted = 1 if change.payload.get("counts", True) else 0
        for memory in change.payload.get("ids", ()):
            self._run(
                "INSERT INTO access VALUES (?1, ?2, ?3, ?4) ON CONFLICT (memory) DO UPDATE SET count = count + ?2, "
                "session = CASE WHEN ?3 >= last THEN coalesce(?4, session) ELSE session END, last = max(last, ?3)",
                (memory, counted, at, session),
            )

    def replay(self, source: Index, before: str, progress: Progress) -> None:
        """Become what `source` was when only the changes with ids below `before` were known."""
        found = source.connection.execute("SELECT line FROM change WHERE id < ? ORDER BY id", (before,))
        rows: list[Any] = found.fetchall()
        done = Applied()
        mark = Mark(name="past")
        with self.connection:
            roots: dict[str, None] = {}
            for row in (bytes(each[0]) for each in rows):
                change, problem, _, _ = parse(row)
                self._keep(change, problem, mark.name, 0, row, done)
                roots[change.root] = None
            for number, root in enumerate(roots):
                self.refold(root, done)
                progress("going back in time", number + 1, len(roots))
            receipts = source.connection.execute("SELECT id, body FROM receipt WHERE id < ? ORDER BY id", (before,))
            for change_id, body in receipts:
                self._take_receipt(
                    Change(id=str(change_id), verb=Verb.RECEIPT, subject="", payload=json.loads(str(body)))
                )

    def is_purged(self, subject: str) -> bool:
        return self._is_gone(subject)

    def is_sound(self) -> bool:
        """Whether every row still has its checksum: catches what SQLite's own check cannot."""
        for body, checksum in self._run("SELECT body, checksum FROM memory"):
            if zlib.crc32(str(body).encode("utf-8", "surrogatepass")) != checksum:
                return False
        for (row,) in self._run("SELECT line FROM change"):
            try:
                lines.split(bytes(row))
            except lines.BadLine:
                return False
        return True

    def differences(self, progress: Progress) -> list[Problem]:
        """Rows that are not what their changes say: somebody has written to the index by hand."""
        problems = []
        roots = [str(row[0]) for row in self._run("SELECT DISTINCT root FROM memory")]
        listed = {
            str(row[0]) for row in self._run("SELECT DISTINCT root FROM change WHERE root LIKE 'mem\\_%' ESCAPE '\\'")
        }
        for number, root in enumerate(sorted(listed.union(roots))):
            if number % 500 == 0:
                progress("checking the index", number, len(roots))
            try:
                folded = [each for each in fold_memories(self.changes_of(root)) if not self._is_gone(each.memory.id)]
            except lines.BadLine:
                problems.append(Problem(what="a change in the index is damaged", subject=root, fixable=True))
                continue
            expected = {each.memory.id: self._columns(each) for each in folded}
            query = f"SELECT id, {', '.join(_COLUMNS)} FROM memory WHERE root = ?"
            found = {str(row[0]): tuple(row[1:]) for row in self._run(query, (root,))}
            for memory_id in expected.keys() | found.keys():
                if expected.get(memory_id) != found.get(memory_id):
                    problems.append(
                        Problem(what="the index says something else than the journal", subject=memory_id, fixable=True)
                    )
        return problems

    def changes_of(self, root: str) -> list[Change]:
        found = []
        for (row,) in self._run("SELECT line FROM change WHERE root = ? ORDER BY id", (root,)):
            found.append(parse(bytes(row))[0])
        return found

    def refold(self, root: str, done: Applied | None = None, gathered: list[Change] | None = None) -> None:
        """Fold the changes of one root and replace what the index says of it; `gathered` are all, if it is new."""
        changes = self.changes_of(root) if gathered is None else gathered
        if root.startswith("mem_"):
            self._put_memories(root, changes, done, is_new=gathered is not None)
        elif root.startswith("fact_"):
            self._put_fact(root, changes)
        elif root.startswith("prj_"):
            self._put_project(root, changes)
        elif root.startswith("agent:"):
            self._put_agent(changes)
        elif root.startswith("session:"):
            self._put_session(changes)

    def _put_memories(self, root: str, changes: list[Change], done: Applied | None, *, is_new: bool) -> None:
        hashes = {change.subject: change.payload["simhash"] for change in changes if "simhash" in change.payload}
        folded = [each for each in fold_memories(changes) if not self._is_gone(each.memory.id)]
        if not is_new:
            present = {each.memory.id for each in folded}
            for (gone,) in self._run("SELECT id FROM memory WHERE root = ?", (root,)).fetchall():
                if gone not in present:
                    self._remove_memory(str(gone))
        if done is not None and self._any_purged:
            self._mark_for_erasure(changes, done)
        for each in folded:
            self._put_memory(each, hashes.get(each.memory.id))

    def _mark_for_erasure(self, changes: list[Change], done: Applied) -> None:
        """A purge reaches every change of its subject and all that descends from it, earlier or later."""
        asked = {change.subject for change in changes if change.verb == Verb.PURGE}
        reached = {change.subject for change in changes if not asked.isdisjoint((change.subject, *change.lineage))}
        elsewhere: set[str] = set()
        for subject in reached:
            for (heir,) in self._run("SELECT memory FROM descent WHERE ancestor = ?", (subject,)).fetchall():
                if heir not in reached:
                    elsewhere.add(str(heir))
        for subject in reached | elsewhere:
            self._purge(subject, done)
        for heir in elsewhere:
            self.refold(str(self._run("SELECT root FROM memory WHERE id = ?", (heir,)).get or heir), done)

    def _is_gone(self, subject: str) -> bool:
        return self._any_purged and bool(self._run("SELECT 1 FROM purged WHERE subject = ?", (subject,)).get)

    def _status_of(self, folded: Folded) -> Status:
        if folded.status is Status.LIVE and self._descends_from_hidden(folded.memory):
            return Status.FORGOTTEN
        return folded.status

    def _columns(self, folded: Folded) -> tuple[Any, ...]:
        """The values of a memory's row, in the order of `_COLUMNS`."""
        memory = folded.memory
        body = json.dumps(encode_memory(memory, sparse=True), ensure_ascii=False, separators=(",", ":"))
        return (
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
            memory.content_hash,
            body,
            zlib.crc32(body.encode("utf-8", "surrogatepass")),
        )

    def _put_memory(self, folded: Folded, simhash: int | None) -> None:
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
            self._run("INSERT OR IGNORE INTO link VALUES (?, ?, ?)", (memory.id, relation, target))
        for ancestor in _foreign_ancestors(memory):
            self._run("INSERT OR IGNORE INTO descent VALUES (?, ?)", (ancestor, memory.id))
            self._any_descent = True
        if self._any_descent and (before is None or before[1] != status):
            self._refold_descendants(memory)

    def _put_views(self, key: int, token: str, memory: Memory, status: Status, simhash: int | None) -> None:
        for name, value in {
            *(("tag", tag) for tag in memory.tags),
            *(("concept", concept.value) for concept in memory.concepts),
            *(("file", path) for path in (*memory.files_read, *memory.files_modified)),
            *(("file", citation.path) for citation in memory.citations),
        }:
            self._run("INSERT OR IGNORE INTO facet VALUES (?, ?, ?)", (name, value, key))
        if status is not Status.LIVE:
            return
        if simhash is not None:
            for band in bands(simhash):
                self._run("INSERT OR IGNORE INTO band VALUES (?, ?)", (band, key))
        files = (*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations))
        self._run(
            "INSERT INTO words (rowid, title, subtitle, content, tags, files, scope) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                key,
                memory.title,
                memory.subtitle,
                memory.original_content,
                " ".join(memory.tags),
                " ".join(dict.fromkeys(files)),
                token,
            ),
        )

    def _look_for_twins(self, content_hash: str, token: str) -> None:
        rows = self._run(
            "SELECT twin FROM memory WHERE content_hash = ? AND scope = ? LIMIT 2", (content_hash, token)
        ).fetchall()
        if len(rows) > 1 or rows and rows[0][0]:
            self._run(_TWINS, (content_hash, token))

    def _clear_views(self, key: int, memory: str) -> None:
        self._run("DELETE FROM words WHERE rowid = ?", (key,))
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

    def _descends_from_hidden(self, memory: Memory) -> bool:
        """Whether something it was made of, in another line, is forgotten or purged."""
        for ancestor in _foreign_ancestors(memory):
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
        fact = fold_fact(changes)
        self._run("DELETE FROM fact WHERE id = ?", (root,))
        if fact is None:
            return
        scope = Scope(agent=fact.agent, project=fact.project, app=fact.app).tokens()
        assert scope is not None
        self._run(
            "INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                fact.id,
                scope[0],
                fact.agent,
                fact.subject.casefold(),
                fact.predicate.casefold(),
                fact.object.casefold(),
                to_ms(fact.valid_from),
                to_ms(fact.valid_to) if fact.valid_to else None,
                json.dumps(encode_fact(fact), ensure_ascii=False),
            ),
        )

    def _put_project(self, root: str, changes: list[Change]) -> None:
        project = fold_project(changes)
        if project is None:
            return
        self._run("INSERT OR REPLACE INTO project VALUES (?, ?, ?)", (project.id, project.name, project.agent))
        for change in changes:
            for key in change.payload.get("keys", ()):
                # Who claimed a key first keeps it, whatever the order of arrival.
                self._run(
                    "INSERT INTO project_key VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE "
                    "SET project = ?2, change = ?3 WHERE ?3 < change",
                    (key, root, change.id),
                )

    def _put_agent(self, changes: list[Change]) -> None:
        agent = fold_agent(changes)
        if agent is not None:
            self._run(
                "INSERT OR REPLACE INTO agent VALUES (?, ?, ?, ?, ?)",
                (agent.id, agent.name, agent.first_seen, agent.definition, agent.key_id),
            )

    def _put_session(self, changes: list[Change]) -> None:
        session = fold_session(changes)
        if session is None:
            return
        body: dict[str, Any] = {
            "started_at": iso(session.started_at),
            "last_seen": iso(session.last_seen),
            "successes": session.successes,
            "failures": session.failures,
            "tokens": session.tokens,
            "compacted": session.compacted,
            "branch": session.branch,
            "commit": session.commit,
            "transcript": session.transcript,
        }
        self._run(
            "INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?)",
            (session.id, session.agent, session.project, changes[0].id, json.dumps(body)),
        )


_COLUMNS = (
    *("root", "scope", "agent", "region", "project", "app", "kind", "type", "impact", "sensitivity", "origin"),
    *("phase", "pinned", "session", "branch", "created", "expires", "status", "content_hash", "body", "checksum"),
)
_INSERT = f"INSERT INTO memory (id, {', '.join(_COLUMNS)}) VALUES (?{', ?' * len(_COLUMNS)})"
_UPDATE = f"UPDATE memory SET {', '.join(f'{name} = ?' for name in _COLUMNS)} WHERE key = ?"


# Two processes may have let the same text in at once; of those the first is shown, unless it expires sooner.
_TWINS = """
    UPDATE memory AS m SET twin = EXISTS (
      SELECT 1 FROM memory d WHERE d.content_hash = ?1 AND d.scope = ?2 AND d.status = 'live' AND d.id < m.id
      AND d.sensitivity = m.sensitivity AND (d.expires IS NULL OR d.expires >= m.expires)
    ) WHERE m.content_hash = ?1 AND m.scope = ?2
"""


def _foreign_ancestors(memory: Memory) -> tuple[str, ...]:
    """What it was made of; the older versions of a correction are in its own line and folded with it."""
    return () if memory.corrects else memory.lineage


def parse(row: bytes) -> tuple[Change, str | None, str, str]:
    """A line as a change, what is wrong with its payload, its hash, and the hash it says went before."""
    head, body = lines.split(row)
    try:
        header = json.loads(head)
        if header["v"] > lines.FORMAT:
            raise StoreNewer("written by a newer Limpet")
        payload, problem = lines.payload_of(header, body)
        change = Change(
            id=header["id"],
            device=header["dev"],
            actor=header["act"],
            verb=header["verb"],
            subject=header["sub"],
            root=header.get("root", header["sub"]),
            lineage=tuple(header.get("lin", ())),
            payload=payload,
        )
        return change, problem, lines.short_hash(head), header["prev"]
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, lines.BadLine):
            raise
        raise lines.BadLine(lines.TORN) from error


def erase_row(row: bytes) -> bytes:
    head, tab, body = row.partition(b"\t")
    return head + tab + lines.erased(len(body))


def _rank_of(row: bytes) -> tuple[bool, bytes]:
    """Whole records before edited ones, then by their bytes."""
    try:
        _, problem, _, _ = parse(row)
    except (lines.BadLine, StoreNewer):
        return True, row
    return problem is not None, row


def batches(rows: Iterable[tuple[int, bytes]], size: int = BATCH) -> Iterable[list[tuple[int, bytes]]]:
    batch: list[tuple[int, bytes]] = []
    for row in rows:
        batch.append(row)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch
