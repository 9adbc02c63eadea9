"""Check that the index agrees with its table of changes, and that these changes are still in the journal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from limpet.errors import BadLine, StoreNewer
from limpet.model.fold import fold_memories, fold_project
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor, Journal, Row
from limpet.store.protocol import Problem, Progress
from limpet.store.view.apply import EDITED
from limpet.store.view.folded_rows import IS_TWIN, PREFIXES, changes_of, row_of, status_of
from limpet.store.view.open import View
from limpet.store.view.packed import unpack_line
from limpet.store.view.purged import is_purged
from limpet.store.view.rows import SELECTED, checksum, encode_row
from limpet.store.view.signatures import accepted_devices

_READ_FROM = "source = (SELECT key FROM source WHERE name = ?)"
_MISCOUNTED = """
    SELECT 1 FROM (
      SELECT scope, status, twin, sensitivity, phase, count(*) AS counted, 0 AS noted FROM memory
      WHERE expires IS NULL GROUP BY 1, 2, 3, 4, 5
      UNION ALL SELECT scope, status, twin, sensitivity, phase, 0, count FROM census
    ) GROUP BY scope, status, twin, sensitivity, phase HAVING sum(counted) <> sum(noted) LIMIT 1
"""
# Whether a memory is hidden as a repetition depends on other memories, so it is not in the checksum of its row.
_MISTAKEN_TWINS = f"SELECT m.id FROM memory m WHERE m.twin <> {IS_TWIN}"
STRAY = "the index says something else than the journal"


def is_sound(view: View) -> bool:
    """Tell whether the rows of the index match their checksums and changes.

    This finds damage that SQLite's integrity check does not notice.
    """
    try:
        for row in view.run(f"SELECT {SELECTED} FROM memory"):
            if checksum(row[:-1]) != row[-1]:
                return False
        edited = {row[0] for row in view.run("SELECT subject FROM suspicion WHERE reason = ?", (EDITED,))}
        rows: Any = view.run("SELECT id, root, coalesce(subject, root), verb, line FROM change")
        for change_id, root, subject, verb, line in rows:
            change, problem, _, _ = lines.parse(unpack_line(line, change_id, subject))
            if (change.id, change.root, change.subject, change.kind) != (change_id, root, subject, verb):
                return False
            if problem == lines.EDITED and subject not in edited:
                return False
        return not any(view.run(query).get for query in (_MISCOUNTED, _MISTAKEN_TWINS)) and not _find_strays(view)
    except (ValueError, StoreNewer):
        # A line is not a record, or not even text.
        return False


def find_differences(view: View, progress: Progress) -> list[Problem]:
    """Return a problem for each row that does not agree with its changes, because the index was edited."""
    try:
        problems = [Problem(what=STRAY, subject=root, fixable=True) for root in _find_strays(view)]
    except BadLine:
        problems = []
    mistaken = (str(row[0]) for row in view.run(_MISTAKEN_TWINS))
    problems += [Problem(what=STRAY, subject=memory_id, fixable=True) for memory_id in mistaken]
    roots = [str(row[0]) for row in view.run("SELECT DISTINCT coalesce(root, id) FROM memory")]
    listed = {str(row[0]) for row in view.run("SELECT DISTINCT root FROM change WHERE root LIKE 'mem\\_%' ESCAPE '\\'")}
    for number, root in enumerate(sorted(listed.union(roots))):
        if number % 500 == 0:
            progress("checking the index", number, len(roots))
        try:
            changes = changes_of(view, root)
            folded = [each for each in fold_memories(changes) if not is_purged(view, each.memory.id)]
        except BadLine:
            problems.append(Problem(what="a change in the index is damaged", subject=root, fixable=True))
            continue
        expected = {each.memory.id: encode_row(each, status_of(view, each), changes) for each in folded}
        query = f"SELECT id, {SELECTED} FROM memory WHERE id = ?1 OR root = ?1"
        found = {str(row[0]): tuple(row[1:]) for row in view.run(query, (root,))}
        for memory_id in expected.keys() | found.keys():
            if expected.get(memory_id) != found.get(memory_id):
                problems.append(Problem(what=STRAY, subject=memory_id, fixable=True))
    return problems


def _find_strays(view: View) -> list[str]:
    """Return the roots of facts, projects, sessions and so on whose rows do not agree with their changes.

    A root is the id under which changes are folded together. The roots of memories are not checked.
    """
    found: dict[str, set[str]] = {}
    expected: dict[str, set[str]] = {}
    keys: dict[str, tuple[str, str]] = {}
    for name, prefix in PREFIXES.items():
        for row in view.run(f"SELECT * FROM {name}"):
            found.setdefault(prefix + str(row[0]), set()).add(repr(tuple(row)))
    roots = view.run("SELECT DISTINCT root FROM change WHERE root NOT LIKE 'mem\\_%' ESCAPE '\\'").fetchall()
    for (root,) in roots:
        changes = changes_of(view, str(root))
        row_now = row_of(view, str(root), changes)
        if row_now is not None:
            expected[str(root)] = {repr(row_now)}
        for change in changes:
            claim = fold_project([change]) if str(root).startswith("prj_") else None
            for key in claim.keys if claim else ():
                keys[key] = min(keys.get(key, (change.id, str(root))), (change.id, str(root)))
    strays = {root for root in found.keys() | expected.keys() if found.get(root) != expected.get(root)}
    claims = {row[0]: (row[2], row[1]) for row in view.run("SELECT key, project, change FROM project_key")}
    strays.update(keys[key][1] for key in keys if claims.get(key) != keys[key])
    return sorted(strays)


def find_suspicions(view: View) -> list[Problem]:
    """Return a problem for each defect that was recorded when changes were applied, such as a missing signature."""
    rows = view.run("SELECT subject, reason FROM suspicion ORDER BY subject, reason")
    found = [Problem(what=str(reason), subject=str(subject)) for subject, reason in rows]
    trusted = accepted_devices(view)
    for subject, reason, segment, device in view.run(
        "SELECT DISTINCT subject, reason, segment, device FROM unproven ORDER BY segment, number"
    ):
        if device not in trusted:
            found.append(Problem(what=str(reason), where=str(segment), subject=str(subject)))
    return found


def rows_of(view: View, segment: str) -> Iterator[Row]:
    """Yield the position and the line of each change in the index that was read from a journal segment."""
    query = f"SELECT start, line, id, coalesce(subject, root) FROM change WHERE {_READ_FROM} ORDER BY start"
    rows: Any = view.run(query, (segment,))
    for start, packed, change_id, subject in rows:
        yield start, unpack_line(packed, change_id, subject)


def lacks_changes(view: View, journal: Journal, segment: str, applied: int) -> bool:
    """Tell whether the index lacks one of the first `applied` changes of a journal segment.

    A change that was read from another copy of the segment does not count as lacking.
    """
    if int(view.run(f"SELECT count(*) FROM change WHERE {_READ_FROM}", (segment,)).get) >= applied:
        return False
    ids = []
    for _, row in journal.read(Cursor(name=segment), 1 << 30):
        with contextlib.suppress(BadLine, StoreNewer):
            ids.append(lines.parse(row)[0].id)
    return not all(view.run("SELECT 1 FROM change WHERE id = ?", (each,)).get for each in ids[:applied])


def segment_agrees(view: View, journal: Journal, segment: str, *, is_foreign: bool = False) -> bool:
    """Tell whether a journal segment still contains every change that was read from it, byte for byte.

    Differences that a purge has caused do not count: an older copy of the segment may contain a purged text again, and
    a text may be erased before the view knows of the purge. `is_foreign` means that another device has written the
    segment.
    """
    try:
        differing = journal.find_differences(segment, rows_of(view, segment))
        return all(_differs_by_purge(view, row, found, is_foreign=is_foreign) for row, found in differing)
    except OSError:
        return False


def _differs_by_purge(view: View, row: bytes, found: bytes, *, is_foreign: bool) -> bool:
    length = row.find(b"\t") + 1
    if found[:length] != row[:length]:
        return False
    if lines.is_erased(row[length:]):
        return True
    return lines.is_erased(found[length:]) and (is_foreign or is_purged(view, lines.header_of(row)[0]["sub"]))
