"""Applies changes to the SQLite index; knows its tables, and nothing of files or locks.

The same code builds the live index, a private copy in memory and the view of a past moment. Changes are first put
into the table of changes, then every line they touch is folded anew from that table and its rows replaced, so the
order in which changes arrived leaves no trace.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence

import apsw

from limpet.errors import BadLine, StoreNewer
from limpet.guard.signs import EDITION
from limpet.model.change import Change, ChangeKind
from limpet.model.fold import fold_memories, fold_project
from limpet.model.receipt import decode_uses, is_tally, session_of
from limpet.store.journal import line as lines
from limpet.store.journal.records import Mark, erase_row, parse, rank_of
from limpet.store.protocol import Problem, Progress
from limpet.store.view.rows import COLUMNS, ERASED, SUBJECTS, Applied, Rows, checksum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = 7_000 + EDITION
"""Of the tables, and of the rules by which the signs in them were found: with newer rules the rows are made anew."""
BATCH = 2000

CHAIN = "the chain is broken here: a change was removed, inserted or moved"
EDITED = "a change was edited after it was written"
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


def create_tables(connection: apsw.Connection, *, version: int = VERSION) -> None:
    # Not through importlib.resources, which would load a third of the standard library.
    with open(os.path.join(os.path.dirname(__file__), "schema.sql"), encoding="utf-8") as file:
        schema = file.read()
    with connection:
        connection.execute(schema)
        connection.execute(f"PRAGMA user_version={version}")


def version_of(connection: apsw.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").get)


class Index(Rows):
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
            except BadLine:
                mark.torn += 1
                continue
            except StoreNewer:
                done.newer = True
                mark.applied = start
                break
            # Receipts are written anew when they are added up, so their chain proves nothing.
            if previous != mark.last_hash and change.kind != ChangeKind.RECEIPT:
                self.suspect(change.subject, CHAIN)
            mark.records += 1
            mark.torn += problem == lines.EDITED
            mark.last_start, mark.last_hash = start, digest
            done.changes += 1
            done.highest = max(done.highest, change.id)
            if change.kind == ChangeKind.RECEIPT:
                self._take_receipt(change, mark.name)
                continue
            root = change.root
            if change.kind == ChangeKind.PURGE:
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

    def _keep(self, change: Change, problem: str | None, segment: str, start: int, row: bytes, done: Applied) -> bool:
        """Put a change into the table of changes; False if the table now says something else than the change."""
        is_purged = self._is_purged(change)
        if change.kind == ChangeKind.PURGE or is_purged:
            self._purge(change.subject, done)
        if change.kind != ChangeKind.PURGE and is_purged and problem != lines.ERASED:
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
            (change.id, change.root, change.subject, change.kind, segment, start, row),
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
        if rank_of(row) < rank_of(bytes(known[0])):
            self._run(
                "UPDATE change SET root = ?, subject = ?, verb = ?, segment = ?, start = ?, line = ? WHERE id = ?",
                (change.root, change.subject, change.kind, segment, start, row, change.id),
            )
            if known[1] != change.root:
                self.refold(str(known[1]), done)
        return False

    def purged(self) -> set[str]:
        return {str(row[0]) for row in self._run("SELECT subject FROM purged")}

    def erase_again(self) -> None:
        """Files have come back that may hold what was purged."""
        self._run("UPDATE purged SET done = 0")

    def _take_receipt(self, change: Change, segment: str) -> None:
        """Count it, unless it is known: what is read again after a power cut counts once."""
        if is_tally(change.payload):
            self._take_tally(change, segment)
            return
        if self._run("SELECT 1 FROM receipt WHERE id = ?", (change.id,)).get:
            return
        body = json.dumps(dict(change.payload))
        self._run("INSERT INTO receipt VALUES (?, ?, ?, ?)", (change.id, session_of(change.payload), segment, body))
        for memory in self._count(change):
            self._run("INSERT OR IGNORE INTO shown VALUES (?, ?)", (memory, change.id))

    def _take_tally(self, change: Change, segment: str) -> None:
        """Count it in the stead of the receipts it was made of, however many of them were counted here before."""
        those = "segment = ? AND id <= ?"
        stood = (segment, change.id)
        for table in ("receipt", "tally"):
            for id, body in self._run(f"SELECT id, body FROM {table} WHERE {those}", stood).fetchall():
                known = Change(id=str(id), kind=ChangeKind.RECEIPT, subject="", payload=json.loads(str(body)))
                for memory, use in decode_uses(known.id, known.payload).items():
                    self._run("UPDATE access SET count = count - ? WHERE memory = ?", (use.count, memory))
        self._run(f"DELETE FROM shown WHERE receipt IN (SELECT id FROM receipt WHERE {those})", stood)
        for table in ("receipt", "tally"):
            self._run(f"DELETE FROM {table} WHERE {those}", stood)
        body = json.dumps(dict(change.payload))
        self._run("INSERT OR REPLACE INTO tally VALUES (?, ?, ?)", (change.id, segment, body))
        self._count(change)

    def _count(self, change: Change) -> list[str]:
        """Add what it says of the use of memories; those of them that are not purged."""
        used = {id: use for id, use in decode_uses(change.id, change.payload).items() if not self._is_gone(id)}
        for memory, use in used.items():
            self._run(
                "INSERT INTO access VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (memory) DO UPDATE SET "
                "count = count + ?2, last = max(last, ?3), session = CASE WHEN ?5 > named THEN ?4 ELSE session END, "
                "named = max(named, ?5)",
                (memory, use.count, use.last, use.session, use.named),
            )
        return list(used)

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
            handed_out = source.connection.execute(
                "SELECT id, segment, body FROM tally WHERE id < ?1 "
                "UNION ALL SELECT id, segment, body FROM receipt WHERE id < ?1",
                (before,),
            )
            for change_id, segment, body in handed_out:
                receipt = Change(id=str(change_id), kind=ChangeKind.RECEIPT, subject="", payload=json.loads(str(body)))
                self._take_receipt(receipt, str(segment))
            # What is suspicious is so at any time; that a later purge has erased something is not.
            self._run("DELETE FROM suspicion")
            for subject, reason in source.connection.execute("SELECT subject, reason FROM suspicion"):
                self.suspect(str(subject), str(reason))

    def is_purged(self, subject: str) -> bool:
        return self._is_gone(subject)

    def is_sound(self) -> bool:
        """Whether every row still has its checksum: catches what SQLite's own check cannot."""
        try:
            for row in self._run(f"SELECT {', '.join(COLUMNS)} FROM memory"):
                if checksum(row[:-1]) != row[-1]:
                    return False
            edited = {row[0] for row in self._run("SELECT subject FROM suspicion WHERE reason = ?", (EDITED,))}
            for change_id, root, subject, verb, line in self._run("SELECT id, root, subject, verb, line FROM change"):
                change, problem, _, _ = parse(bytes(line))
                if (change.id, change.root, change.subject, change.kind) != (change_id, root, subject, verb):
                    return False
                if problem == lines.EDITED and subject not in edited:
                    return False
            torn = self._run("SELECT 1 FROM band GROUP BY memory HAVING min(simhash) <> max(simhash) LIMIT 1").get
            return not torn and not self._stray_rows()
        except (ValueError, StoreNewer):
            # Not a record, or not even text.
            return False

    def _stray_rows(self) -> list[str]:
        """Facts, projects, agents and sessions whose rows are not what their changes say."""
        found: dict[str, set[str]] = {}
        expected: dict[str, set[str]] = {}
        keys: dict[str, tuple[str, str]] = {}
        for name, subject in SUBJECTS.items():
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
        except BadLine:
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
            except BadLine:
                problems.append(Problem(what="a change in the index is damaged", subject=root, fixable=True))
                continue
            expected = {each.memory.id: self._columns(each) for each in folded}
            query = f"SELECT id, {', '.join(COLUMNS)} FROM memory WHERE root = ?"
            found = {str(row[0]): tuple(row[1:]) for row in self._run(query, (root,))}
            for memory_id in expected.keys() | found.keys():
                if expected.get(memory_id) != found.get(memory_id):
                    problems.append(Problem(what=STRAY, subject=memory_id, fixable=True))
        return problems


def batches(rows: Iterable[tuple[int, bytes]], size: int = BATCH) -> Iterable[list[tuple[int, bytes]]]:
    batch: list[tuple[int, bytes]] = []
    for row in rows:
        batch.append(row)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch
