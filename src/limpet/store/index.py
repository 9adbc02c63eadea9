"""Applies changes to the SQLite index; knows its tables, and nothing of files or locks.

The same code builds the live index, a private copy in memory and the view of a past moment. Changes are first put
into the table of changes, then every line they touch is folded anew from that table and its rows replaced, so the
order in which changes arrived leaves no trace.
"""

from __future__ import annotations

import json
import os
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
    in_order,
)
from limpet.model.codec import decode_memory, encode_fact, encode_memory, iso
from limpet.model.fact import Fact
from limpet.model.ids import is_body
from limpet.model.memory import Memory, Sensitivity
from limpet.model.scope import Scope, agent_token, token_of
from limpet.model.session import Session
from limpet.store import line as lines
from limpet.store.protocol import Problem, Progress
from limpet.text.embedding import signs, table
from limpet.text.lexicon import for_index
from limpet.text.similarity import bands

VERSION = 1
BATCH = 2000

CHAIN = "the chain is broken here: a change was removed, inserted or moved"
EDITED = "a change was edited after it was written"
UNREADABLE = "a change brings a memory that cannot be read"
ERASED = "a change was erased without a purge"
TWICE = "one change exists in two versions"
STRAY = "the index says something else than the journal"


def connect(path: str, *, create: bool, flags: int = 0) -> apsw.Connection:
    mode = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    connection = apsw.Connection(path, flags=flags or mode | apsw.SQLITE_OPEN_NOFOLLOW)
    # The last one to close must not checkpoint: a process stopped in the middle of it would block all others.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_timeout(200)
    for pragma in ("secure_delete=ON", "synchronous=NORMAL", "wal_autocheckpoint=0", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def load_vectors(connection: apsw.Connection) -> bool:
    """Load the vector functions by their file: importing their package would load numpy. Without them, words suffice."""
    from importlib.util import find_spec

    found = find_spec("sqlite_vec")
    if found is None or found.origin is None:
        return False
    try:
        connection.enable_load_extension(True)
        connection.load_extension(os.path.join(os.path.dirname(found.origin), "vec0"))
        connection.enable_load_extension(False)
    except apsw.Error:
        return False
    return True


def create_tables(connection: apsw.Connection, *, version: int = VERSION) -> None:
    schema = resources.files("limpet.store").joinpath("schema/index.sql").read_text(encoding="utf-8")
    with connection:
        connection.execute(schema)
        connection.execute(f"PRAGMA user_version={version}")


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
    purged: set[str] = field(default_factory=set)


class Index:
    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self._run = connection.execute
        self._any_purged = True
        self._any_descent = True
        self.has_vectors = load_vectors(connection)

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
            mark.torn += problem == lines.EDITED
            mark.last_start, mark.last_hash = start, digest
            done.changes += 1
            done.highest = max(done.highest, change.id)
            if change.verb == Verb.RECEIPT:
                self._take_receipt(change)
                continue
            root = change.root
            if change.verb == Verb.PURGE:
                touched[self._root_of(change.subject)] = None
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
        is_purged = self._is_purged(change)
        if change.verb == Verb.PURGE or is_purged:
            self._purge(change.subject, done)
        if change.verb != Verb.PURGE and is_purged and problem != lines.ERASED:
            # A text that arrives after its purge: the file it came in has to be gone over again.
            self._run("UPDATE purged SET done = 0 WHERE subject = ?", (change.subject,))
            row = erase_row(row)
        elif problem == lines.ERASED and not is_purged:
            # Perhaps what it descends from was purged elsewhere, and we have not heard of that yet.
            self.suspect(change.subject, ERASED)
            self._put_descent(change.subject, change.lineage)
        elif problem == lines.EDITED:
            self.suspect(change.subject, EDITED)
        self._run(
            "INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?, ?, ?)",
            (change.id, change.root, change.subject, change.verb, segment, start, row),
        )
        if self.connection.changes():
            return problem is None and not is_purged
        known: Any = self._run("SELECT line, root FROM change WHERE id = ?", (change.id,)).fetchone()
        if bytes(known[0]) == row:
            # Read again after the segment was mended: it may have moved.
            self._run("UPDATE change SET start = ? WHERE id = ? AND segment = ?", (start, change.id, segment))
            return False
        # Of two versions every device must choose the same one, whichever came first.
        if problem != lines.ERASED and not lines.is_erased(bytes(known[0]).partition(b"\t")[2]):
            self.suspect(change.subject, TWICE)
        if _rank_of(row) < _rank_of(bytes(known[0])):
            self._run(
                "UPDATE change SET root = ?, subject = ?, verb = ?, segment = ?, start = ?, line = ? WHERE id = ?",
                (change.root, change.subject, change.verb, segment, start, row, change.id),
            )
            if known[1] != change.root:
                self.refold(str(known[1]), done)
        return False

    def _purge(self, subject: str, done: Applied) -> None:
        self._run("INSERT OR IGNORE INTO purged VALUES (?, 0)", (subject,))
        if self.connection.changes():
            # What was erased before we heard of the purge is no longer suspicious.
            self._run("DELETE FROM suspicion WHERE subject = ? AND reason = ?", (subject, ERASED))
            self._run("DELETE FROM descent WHERE memory = ?", (subject,))
            self._run("DELETE FROM link WHERE target = ?", (subject,))
            self._run("DELETE FROM access WHERE memory = ?", (subject,))
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

    def purged(self) -> set[str]:
        return {str(row[0]) for row in self._run("SELECT subject FROM purged")}

    def erase_again(self) -> None:
        """Files have come back that may hold what was purged."""
        self._run("UPDATE purged SET done = 0")

    def _root_of(self, subject: str) -> str:
        return str(self._run("SELECT root FROM memory WHERE id = ?", (subject,)).get or subject)

    def suspect(self, subject: str, reason: str) -> None:
        self._run("INSERT OR IGNORE INTO suspicion VALUES (?, ?)", (subject, reason))

    def _take_receipt(self, change: Change) -> None:
        session = change.payload.get("session")
        if not isinstance(session, str):
            session = None
        self._run(
            "INSERT OR IGNORE INTO receipt VALUES (?, ?, ?)", (change.id, session, json.dumps(dict(change.payload)))
        )
        if not self.connection.changes():
            return
        counted = 1 if change.payload.get("counts", True) else 0
        # The session is that of the latest receipt which names one, in whatever order they arrive.
        named = change.id if session else ""
        ids = change.payload.get("ids", ())
        for memory in dict.fromkeys(ids if isinstance(ids, list | tuple) else ()):
            if not isinstance(memory, str) or self._is_gone(memory):
                continue
            self._run(
                "INSERT INTO access VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (memory) DO UPDATE SET "
                "count = count + ?2, last = max(last, ?3), session = CASE WHEN ?5 > named THEN ?4 ELSE session END, "
                "named = max(named, ?5)",
                (memory, counted, to_ms(change.at), session, named),
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
            # What is suspicious is so at any time; that a later purge has erased something is not.
            self._run("DELETE FROM suspicion")
            for subject, reason in source.connection.execute("SELECT subject, reason FROM suspicion"):
                self.suspect(str(subject), str(reason))

    def is_purged(self, subject: str) -> bool:
        return self._is_gone(subject)

    def is_sound(self) -> bool:
        """Whether every row still has its checksum: catches what SQLite's own check cannot."""
        try:
            for row in self._run(f"SELECT {', '.join(_COLUMNS)} FROM memory"):
                if _checksum(row[:-1]) != row[-1]:
                    return False
            edited = {row[0] for row in self._run("SELECT subject FROM suspicion WHERE reason = ?", (EDITED,))}
            for change_id, root, subject, verb, line in self._run("SELECT id, root, subject, verb, line FROM change"):
                change, problem, _, _ = parse(bytes(line))
                if (change.id, change.root, change.subject, change.verb) != (change_id, root, subject, verb):
                    return False
                if problem == lines.EDITED and subject not in edited:
                    return False
            return not self._stray_rows()
        except (ValueError, StoreNewer):
            # Not a record, or not even text.
            return False

    def _stray_rows(self) -> list[str]:
        """Facts, projects, agents and sessions whose rows are not what their changes say."""
        found: dict[str, set[str]] = {}
        expected: dict[str, set[str]] = {}
        keys: dict[str, tuple[str, str]] = {}
        for name, subject in _SUBJECTS.items():
            for row in self._run(f"SELECT * FROM {name}"):
                found.setdefault(subject + str(row[0]), set()).add(repr(tuple(row)))
        roots = self._run("SELECT DISTINCT root FROM change WHERE root NOT LIKE 'mem\\_%' ESCAPE '\\'").fetchall()
        for (root,) in roots:
            changes = self.changes_of(str(root))
            row = self._row_of(str(root), changes)
            if row is not None:
                expected[str(root)] = {repr(row)}
            for change in changes:
                claim = fold_project([change]) if str(root).startswith("prj_") else None
                for key in claim.keys if claim else ():
                    keys[key] = min(keys.get(key, (change.id, str(root))), (change.id, str(root)))
        strays = {root for root in found.keys() | expected.keys() if found.get(root) != expected.get(root)}
        claims = {row[0]: (row[2], row[1]) for row in self._run("SELECT key, project, change FROM project_key")}
        strays.update(keys[key][1] for key in keys if claims.get(key) != keys[key])
        return sorted(strays)

    def differences(self, progress: Progress) -> list[Problem]:
        """Rows that are not what their changes say: somebody has written to the index by hand."""
        try:
            problems = [Problem(what=STRAY, subject=root, fixable=True) for root in self._stray_rows()]
        except lines.BadLine:
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
                    problems.append(Problem(what=STRAY, subject=memory_id, fixable=True))
        return problems

    def changes_of(self, root: str) -> list[Change]:
        found = []
        for (row,) in self._run("SELECT line FROM change WHERE root = ? ORDER BY id", (root,)):
            found.append(parse(bytes(row))[0])
        return found

    def refold(self, root: str, done: Applied | None = None, gathered: list[Change] | None = None) -> None:
        """Fold the changes of one root and replace what the index says of it; `gathered` are all, if it is new."""
        changes = self.changes_of(root) if gathered is None else in_order(gathered)
        if root.startswith("mem_"):
            self._put_memories(root, changes, done, is_new=gathered is not None)
        elif root.startswith("fact_"):
            self._put_fact(root, changes)
        elif root.startswith("prj_"):
            self._put_project(root, changes)
        elif row := self._row_of(root, changes):
            name = "agent" if root.startswith("agent:") else "session"
            self._run(f"INSERT OR REPLACE INTO {name} VALUES (?, ?, ?, ?, ?)", row)

    def _put_memories(self, root: str, changes: list[Change], done: Applied | None, *, is_new: bool) -> None:
        if done is not None and self._any_purged:
            self._mark_for_erasure(changes, done)
        found = fold_memories(changes)
        read = {each.memory.id for each in found}
        for subject in {change.subject for change in changes if "memory" in change.payload} - read:
            if not self._is_gone(subject):
                self.suspect(subject, UNREADABLE)
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

    def _status_of(self, folded: Folded) -> Status:
        if folded.status is Status.LIVE and self._descends_from_hidden(folded.memory):
            return Status.FORGOTTEN
        return folded.status

    def _columns(self, folded: Folded) -> tuple[Any, ...]:
        """The values of a memory's row, in the order of `_COLUMNS`."""
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
            memory.content_hash,
            memory.token_count,
            body,
        )
        return *values, _checksum(values)

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
        if simhash is not None:
            for band in scoped_bands(token, simhash):
                self._run("INSERT OR IGNORE INTO band VALUES (?, ?, ?)", (band, key, simhash - (1 << 63)))
        files = (*memory.files_read, *memory.files_modified, *(each.path for each in memory.citations))
        level = memory.sensitivity.level
        self._run(
            "INSERT INTO words (rowid, title, subtitle, content, tags, files, scope) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                key,
                for_index(memory.title),
                for_index(memory.subtitle),
                for_index(memory.original_content),
                for_index(" ".join(memory.tags)),
                for_index(" ".join(dict.fromkeys(files))),
                f"{token}{level} {agent_token(memory.agent)}{level}",
            ),
        )
        if self.has_vectors:
            self._run("INSERT OR IGNORE INTO unembedded VALUES (?)", (key,))

    def embed(self, limit: int) -> int:
        """Make vectors for some of the memories that wait for one; returns how many are left."""
        if not self.has_vectors:
            return 0
        rows: list[Any] = self._run(
            "SELECT u.key, m.scope, m.sensitivity, m.body FROM unembedded u LEFT JOIN memory m ON m.key = u.key "
            "AND m.status = 'live' ORDER BY u.key DESC LIMIT ?",
            (limit,),
        ).fetchall()
        texts = ["" if body is None else decode_memory(json.loads(body)).original_content for *_, body in rows]
        for (key, scope, sensitivity, _), code in zip(rows, table().encode_many(texts), strict=True):
            self._run("DELETE FROM unembedded WHERE key = ?", (key,))
            if code is not None:
                self._run("INSERT OR REPLACE INTO vector VALUES (?, ?)", (key, code))
                token = f"{scope}{Sensitivity(sensitivity).level}"
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
            "(SELECT m.scope || level.value FROM memory m, json_each('[0,1,2,3]') level WHERE m.key = ?1)",
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
            sources = (source for change in changes if change.verb == Verb.FACT for source in change.lineage)
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
        first = next(change.id for change in changes if change.verb == Verb.SESSION)
        return session.id, session.agent, session.project, first, json.dumps(_session_body(session))

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


def _checksum(values: Sequence[Any]) -> int:
    """Over the whole row: SQLite's own check cannot see a byte that changed inside a value."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def scoped_bands(scope_token: str, simhash: int) -> list[int]:
    """The bands of a hash as numbers that differ by scope, so that a look-up meets nobody else's texts."""
    scope = zlib.crc32(scope_token.encode())
    return [scope << 14 | band for band in bands(simhash)]


# Which table speaks of which subjects.
_SUBJECTS = {"fact": "", "project": "", "agent": "agent:", "session": "session:"}

_COLUMNS = (
    *("root", "scope", "agent", "region", "project", "app", "kind", "type", "impact", "sensitivity", "origin"),
    *("phase", "pinned", "session", "branch", "created", "expires", "status", "content_hash", "tokens", "body"),
    "checksum",
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


def parse(row: bytes) -> tuple[Change, str | None, str, str]:
    """A line as a change, what is wrong with its payload, its hash, and the hash it says went before."""
    head, body = lines.split(row)
    try:
        header = json.loads(head)
        if header["v"] > lines.FORMAT:
            raise StoreNewer("written by a newer Limpet")
        payload, problem = lines.payload_of(header, body)
        payload.pop("salt", None)
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
        words = (change.device, change.actor, change.verb, change.subject, change.root, *change.lineage)
        if not is_body(change.id) or not all(isinstance(word, str) for word in words):
            raise lines.BadLine(lines.TORN)
        if b"\\ud" in row or b"\\uD" in row:
            # We write no escapes of this kind; half a character would be refused by the index.
            json.dumps((words, payload), ensure_ascii=False).encode()
        return change, problem, lines.short_hash(head), header["prev"]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        if isinstance(error, lines.BadLine):
            raise
        raise lines.BadLine(lines.TORN) from error


def erase_row(row: bytes) -> bytes:
    head, tab, body = row.partition(b"\t")
    return head + tab + lines.erased(len(body))


def _simhash_of(memory: str, changes: Iterable[Change]) -> int | None:
    for change in changes:
        found = change.payload.get("simhash") if change.subject == memory else None
        if isinstance(found, int) and 0 <= found < 1 << 64:
            return found
    return None


def _rank_of(row: bytes) -> tuple[int, bytes]:
    """Whole records before edited ones before erased ones, then by their bytes."""
    try:
        _, problem, _, _ = parse(row)
    except (lines.BadLine, StoreNewer):
        return 3, row
    return {None: 0, lines.EDITED: 1, lines.ERASED: 2}[problem], row


def batches(rows: Iterable[tuple[int, bytes]], size: int = BATCH) -> Iterable[list[tuple[int, bytes]]]:
    batch: list[tuple[int, bytes]] = []
    for row in rows:
        batch.append(row)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch
