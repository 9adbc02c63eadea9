"""Open the index: an SQLite database, in a file or in memory, that is computed from the journal.

For each segment (file) of the journal the index has a cursor: the position up to which the segment was applied. The
index can be deleted at any time, because it can be rebuilt from the journal.
"""

from __future__ import annotations

import os
import sys
from functools import cache, cached_property

import apsw

from limpet.guard.signs import EDITION
from limpet.store.journal.protocol import Cursor

VERSION = 24_000 + EDITION
"""The version of the tables, of their content, and of the rules for prompt injection that were applied to it.

An index of another version is rebuilt.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from limpet.store.protocol import Room

SCOPE = "(SELECT key FROM scope WHERE token = ?)"
"""An SQL expression for the key of a scope. Tables contain this key and not the token of the scope, which is long."""

_AT_ONCE = 500
"""The number of values that are looked up by one statement."""
_IN_MEMORY = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_MEMORY


class View:
    """An open index: its database connection, and cached values."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self.run = connection.execute
        self.any_purged = True
        self.any_descent = True
        self.any_vectors = True
        self.embeds = False
        """Whether the vectors of new memories are stored with them, instead of being computed later."""
        self.scopes: dict[str, int] = {}
        """The keys of the scopes that this transaction has looked up, by token."""
        self.rooms: tuple[tuple[int, int], tuple[Room, ...]] | None = None
        """The value of `moment` when the list of scopes with active memories was cached, and this list."""

    @cached_property
    def has_vectors(self) -> bool:
        """Tell whether vectors can be compared. The SQL functions for this are loaded on first use, to save time."""
        return load_vectors(self.connection)

    def moment(self) -> tuple[int, int]:
        """Return two numbers, at least one of which changes whenever any process changes the view."""
        return int(self.run("PRAGMA data_version").get or 0), self.connection.total_changes()

    def count_memories(self) -> int:
        """Return the number of all memories, whatever their status."""
        return int(self.run("SELECT count(*) FROM memory").get or 0)


def connect(path: str, *, create: bool, flags: int = 0, wait_ms: int = 200) -> apsw.Connection:
    """Open an SQLite database, unless its path is a symlink. `wait_ms` is the time limit for its locks."""
    mode = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    connection = apsw.Connection(path, flags=flags or mode | apsw.SQLITE_OPEN_NOFOLLOW)
    # Closing must not merge the log into the file: a process that is stopped meanwhile would block all others.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    # Otherwise SQLite plans many statements anew for every value, which takes ten times as long as running them.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    connection.set_busy_timeout(wait_ms)
    for pragma in ("secure_delete=ON", "synchronous=NORMAL", "wal_autocheckpoint=0", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def open_in_memory() -> View:
    """Return an empty index in memory."""
    connection = connect(":memory:", create=True, flags=_IN_MEMORY)
    create_tables(connection)
    return View(connection)


def create_tables(connection: apsw.Connection, *, version: int = VERSION) -> None:
    """Create all tables in an empty database. Version 0 means that the index is not finished yet."""
    empty = connect(":memory:", create=True, flags=_IN_MEMORY)
    empty.deserialize("main", _make_empty_index())
    try:
        with connection.backup("main", empty, "main") as copy:
            copy.step(-1)
    except apsw.FullError:
        # The error of a failed copy has no message.
        raise apsw.FullError("database or disk is full") from None
    finally:
        empty.close()
    set_version(connection, version)


@cache
def _make_empty_index() -> bytes:
    """Return the bytes of an index without rows.

    It is cached, because copying it takes a fifth of the time that creating its tables takes, and the first write to a
    new home needs two: one in memory and one on disk.
    """
    # Not through importlib.resources, which would load a third of the standard library.
    with open(os.path.join(os.path.dirname(__file__), "schema.sql"), encoding="utf-8") as file:
        schema = file.read()
    connection = connect(":memory:", create=True, flags=_IN_MEMORY)
    with connection:
        connection.execute(schema)
    made = connection.serialize("main")
    connection.close()
    return made


def version_of(connection: apsw.Connection) -> int:
    """Return the version that is stored in an index, or 0 if the index was never finished."""
    return int(connection.execute("PRAGMA user_version").get)


def set_version(connection: apsw.Connection, version: int) -> None:
    """Store a version in an index."""
    connection.execute(f"PRAGMA user_version={version}")


def load_vectors(connection: apsw.Connection) -> bool:
    """Load the SQL functions for vectors, and return whether they are available.

    Without them, a search compares words only.
    """
    # Loaded by the path of the extension, because importing its package would load numpy.
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


_CURSOR = "SELECT name, applied, records, last_start, last_hash, torn, modified FROM segment"


def load_cursors(view: View) -> dict[str, Cursor]:
    """Return the cursor of every journal segment, by the name of the segment."""
    return {row[0]: _make_cursor(row) for row in view.run(_CURSOR)}


def load_cursor(view: View, name: str) -> Cursor | None:
    """Return the cursor of one journal segment, or None if nothing of it was read."""
    row = view.run(f"{_CURSOR} WHERE name = ?", (name,)).fetchone()
    return None if row is None else _make_cursor(row)


def _make_cursor(row: Any) -> Cursor:
    return Cursor(
        name=row[0],
        applied=row[1],
        records=row[2],
        last_start=row[3],
        last_hash=row[4],
        torn=row[5],
        modified=row[6],
    )


def find_known(view: View, table: str, column: str, values: Iterable[Any]) -> set[Any]:
    """Return those of the given values that occur in a column of a table."""
    found: set[Any] = set()
    left = list(values)
    for at in range(0, len(left), _AT_ONCE):
        some = left[at : at + _AT_ONCE]
        asked = f"SELECT DISTINCT {column} FROM {table} WHERE {column} IN ({','.join('?' * len(some))})"
        found.update(row[0] for row in view.run(asked, some))
    return found


def key_of_segment(view: View, name: str) -> int:
    """Return the key of a journal segment in the table `source`; a new segment is added to the table."""
    known = view.run("SELECT key FROM source WHERE name = ?", (name,)).get
    if known is None:
        view.run("INSERT INTO source (name) VALUES (?)", (name,))
        known = view.connection.last_insert_rowid()
    return int(known)


def key_of_scope(view: View, token: str) -> int:
    """Return the key of a scope in the table `scope`, given its token; a new scope is added to the table."""
    known = view.scopes.get(token)
    if known is None:
        found = view.run(f"SELECT {SCOPE}", (token,)).get
        if found is None:
            view.run("INSERT INTO scope (token) VALUES (?)", (token,))
            found = view.connection.last_insert_rowid()
        known = view.scopes[token] = int(found)
    return known


def save_cursor(view: View, cursor: Cursor) -> None:
    """Save the cursor of one journal segment."""
    view.run(
        "INSERT OR REPLACE INTO segment VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            cursor.name,
            cursor.applied,
            cursor.records,
            cursor.last_start,
            cursor.last_hash,
            cursor.torn,
            cursor.modified,
        ),
    )
