"""Look into a home from outside: its files, its segments, the tables of its index."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from limpet.settings import StoreSettings
from limpet.store import open as stores
from limpet.store.journal import line as lines
from limpet.store.journal.segments import open_segment
from limpet.store.open import Store
from limpet.store.view.open import connect
from tests.store.acting import Clock
from tests.store.forensics import encode_needle, readable_bytes


def open_store(home: Path, clock: Clock | None = None, *, hurried: bool = False, **settings: Any) -> Store:
    return stores.open_store(str(home), settings=StoreSettings(**settings), now_ms=clock or Clock(), hurried=hurried)


def segments(home: Path, prefix: str = "0") -> list[Path]:
    """Return the segments of all devices, without those of receipts."""
    return sorted((home / "journal").glob(f"*/{prefix}*.jsonl"))


def only_segment(home: Path) -> Path:
    (found,) = segments(home)
    return found


def rows(path: Path) -> list[bytes]:
    with open_segment(str(path)) as file:
        return file.read().splitlines(keepends=True)


def files(home: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(home):
        yield from (Path(folder) / name for name in names)


def files_holding(home: Path, *needles: str) -> dict[str, list[str]]:
    """Return which files hold any of these texts, in whatever case, anywhere in their bytes."""
    found: dict[str, list[str]] = {}
    for path in files(home):
        data = readable_bytes(path).lower()
        hits = [needle for needle in needles if encode_needle(needle.lower()) in data]
        if hits:
            found[str(path.relative_to(home))] = hits
    return found


def assert_chained(path: Path) -> None:
    """Assert that every whole record names the one before it."""
    last = ""
    for row in rows(path):
        if row.endswith(b"\n") and lines.is_whole(row[:-1]):
            _, _, digest, previous = lines.parse(row[:-1])
            assert previous == last
            last = digest


def touch_index(home: Path) -> None:
    """Bring all of the log into the index file, so that what is done to the file is done to the rows."""
    connection = connect(str(home / "index.db"), create=False)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()


def remove_index(home: Path) -> None:
    for path in home.glob("index.db*"):
        path.unlink()


def rewrite(path: Path, data: bytes) -> None:
    """Write over a file and give it a later time, which a file system might not do within some milliseconds."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_bytes(data)
    make_newer(path, before)


def make_newer(path: Path, before: int) -> None:
    moment = max(before, path.stat().st_mtime_ns) + 1_000_000_000
    os.utime(path, ns=(moment, moment))


def make_known(source: Path, target: Path) -> None:
    """Let the high-water marks of a home name the devices of another one."""
    marks = target / "marks.json"
    if marks.exists():
        found = json.loads(marks.read_text())
        for path in (source / "journal").glob("*/0*.jsonl"):
            found["records"].setdefault(f"{path.parent.name}/{path.name}", 0)
        marks.write_text(json.dumps(found))


def copy_journal(source: Path, target: Path, *, known: bool = True) -> None:
    """Copy all segments over those of another home, as somebody would with any tool, to one that knows the device."""
    if known:
        make_known(source, target)
    for path in sorted((source / "journal").glob("*/*.jsonl")):
        place = target / "journal" / path.parent.name
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        rewrite(place / path.name, path.read_bytes())


# Rows are named by their memory instead of their key, which is a matter of arrival.
_VIEWS = {
    "change": "SELECT id, root, subject, verb, line FROM change",
    "census": "SELECT s.token, status, twin, sensitivity, phase, count FROM census c JOIN scope s ON s.key = c.scope",
    "memory": "SELECT {columns} FROM memory",
    "facet": "SELECT f.name, f.value, m.id FROM facet f LEFT JOIN memory m ON m.key = f.memory",
    "band": "SELECT s.token, b.value & 16383, m.id FROM band b LEFT JOIN memory m ON m.key = b.memory "
    "LEFT JOIN scope s ON s.key = b.value >> 14",
    "words": "SELECT v.term, v.col, v.offset, m.id FROM vocabulary v LEFT JOIN memory m ON m.key = v.doc",
    "vector": "SELECT m.id, v.code FROM vector v LEFT JOIN memory m ON m.key = v.key WHERE m.id IS NULL",
    "sketch": "SELECT m.id FROM sketch s LEFT JOIN memory m ON m.key = s.key WHERE m.id IS NULL",
    "unembedded": "SELECT m.id FROM unembedded u LEFT JOIN memory m ON m.key = u.key WHERE m.id IS NULL",
    "purged": "SELECT subject FROM purged",
    **{
        name: f"SELECT * FROM {name}"
        for name in (
            *("link", "descent", "access", "receipt", "shown", "tally", "fact", "project", "project_key", "agent"),
            *("session", "suspicion", "active_day"),
        )
    },
}


def tables(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that the index says, in an order that does not depend on how it was built."""
    store.reading()
    connection = connect(str(Path(store.home) / "index.db"), create=False)
    try:
        connection.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'words', 'instance')")
        columns = [str(row[1]) for row in connection.execute("PRAGMA table_info(memory)") if row[1] != "key"]
        columns[columns.index("scope")] = "(SELECT token FROM scope s WHERE s.key = memory.scope)"
        columns[columns.index("birth")] = "(SELECT id FROM change WHERE key = birth)"
        found: dict[str, list[tuple[Any, ...]]] = {}
        for name, query in _VIEWS.items():
            listed: list[Any] = connection.execute(query.format(columns=", ".join(columns))).fetchall()
            found[name] = sorted(listed, key=repr)
        return found
    finally:
        connection.close()


def integrity(home: Path) -> Any:
    connection = apsw.Connection(str(home / "index.db"))
    try:
        return connection.execute("PRAGMA integrity_check").get
    finally:
        connection.close()
