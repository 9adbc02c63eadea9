"""Read another tool's SQLite database without changing anything.

The file may be hostile, or in use. So a private copy is read, with its write-ahead log if there is one, and no file is
written next to the original. Only ordinary tables are read, because a view or a virtual table could run any code, and
only columns that are stored, because a computed one may take any time. Rows are read one by one: a row that is too
large or takes too many steps is refused, and the next one is read.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

from limpet.errors import Unreadable, describe_error
from limpet.imports.files import MAX_DATABASE, MOST_OBJECTS, check_file
from limpet.imports.item import ForeignItem

_MAGIC = b"SQLite format 3\0"
_STEPS, _MOST_CALLS = 100_000, 2_000
"""The number of SQLite steps between two calls of the progress handler, and of calls after which a row is given up."""
_MAX_VALUE = 4 << 20
_STORED = 3
"""The value in SQLite's list of columns that marks a computed column whose values are stored in the table."""


class Tables:
    """The ordinary tables of a database, without views and virtual tables."""

    def __init__(self, connection: Any, path: str) -> None:
        self._connection = connection
        self.path = path
        self._calls = 0
        self._stored: dict[str, list[str]] = {}
        connection.setprogresshandler(self._is_too_long, _STEPS)
        rows = self._run("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
        self._names = {str(name) for name, sql in rows if not str(sql).upper().startswith("CREATE VIRTUAL")}

    def has(self, table: str, *columns: str) -> bool:
        """Tell whether the database has an ordinary table of this name with these columns."""
        return table in self._names and set(columns) <= set(self._columns(table))

    def rows(self, table: str, *, order: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table as dictionaries by column name, ordered by the column `order`."""
        for id in self._ids(table, order):
            yield self._row(table, id)

    def items(
        self, table: str, read: Callable[[dict[str, Any], str], ForeignItem], *, order: str = "id"
    ) -> Iterator[ForeignItem]:
        """Yield what `read` makes of each row of a table; for one that cannot be read, an item with the reason."""
        for id in self._ids(table, order):
            try:
                row = self._row(table, id)
            except Unreadable as error:
                yield ForeignItem(name=f"row {id} of {table}", refused=str(error))
            else:
                yield read(row, self.path)

    def count(self, table: str) -> int:
        return int(next(self._run(f'SELECT count(*) FROM "{table}"'))[0])

    def _ids(self, table: str, order: str) -> Iterator[int]:
        """Yield the numbers by which SQLite knows the rows of a table, ordered by the column `order` if it exists."""
        if any(str(row[1]).casefold() == "rowid" for row in self._run(f'PRAGMA table_xinfo("{table}")')):
            raise Unreadable(f"its table {table} has a column named rowid, so its rows cannot be told apart")
        by = f'"{order}"' if order in self._columns(table) else "rowid"
        for count, row in enumerate(self._run(f'SELECT rowid FROM "{table}" ORDER BY {by}'), 1):
            if count > MOST_OBJECTS:
                raise Unreadable(f"its table {table} has more than {MOST_OBJECTS:,} rows")
            yield int(row[0])

    def _row(self, table: str, id: int) -> dict[str, Any]:
        names = self._columns(table)
        quoted = ", ".join('"{}"'.format(name.replace('"', '""')) for name in names)
        found = next(self._run(f'SELECT {quoted} FROM "{table}" WHERE rowid = {id}'), ())
        return dict(zip(names, found, strict=False))

    def list_columns(self) -> dict[str, frozenset[str]]:
        """Return the column names of each ordinary table."""
        return {name: frozenset(self._columns(name)) for name in self._names if '"' not in name}

    def _columns(self, table: str) -> list[str]:
        """Return the names of the columns that are stored in a table."""
        if table not in self._stored:
            rows = self._run(f'PRAGMA table_xinfo("{table}")')
            self._stored[table] = [str(row[1]) for row in rows if row[6] in (0, _STORED)]
        return self._stored[table]

    def _run(self, query: str) -> Iterator[tuple[Any, ...]]:
        import apsw

        self._calls = 0
        try:
            yield from self._connection.execute(query)
        except apsw.InterruptError:
            raise Unreadable("it takes too long to read") from None
        except apsw.TooBigError:
            raise Unreadable(f"it has more than the {_MAX_VALUE:,} bytes that are allowed") from None
        except (apsw.Error, UnicodeDecodeError, MemoryError) as error:
            raise Unreadable(f"its database is damaged or not what it says: {str(error)[:100]}") from None

    def _is_too_long(self) -> bool:
        self._calls += 1
        return self._calls > _MOST_CALLS


@contextmanager
def open_database(path: str) -> Iterator[Tables]:
    """Copy a database to a temporary folder and yield its tables; raise Unreadable if the file is not a database."""
    import apsw

    check_file(path, limit=MAX_DATABASE)
    if not has_magic(path):
        raise Unreadable("it is not an SQLite database")
    with tempfile.TemporaryDirectory(prefix="limpet-import-") as folder:
        copy = os.path.join(folder, "copy.db")
        try:
            shutil.copyfile(path, copy, follow_symlinks=False)
            if os.path.lexists(f"{path}-wal") and os.path.getsize(f"{path}-wal"):
                check_file(f"{path}-wal", limit=MAX_DATABASE)
                shutil.copyfile(f"{path}-wal", f"{copy}-wal", follow_symlinks=False)
            connection = apsw.Connection(copy)
        except (OSError, apsw.Error) as error:
            raise Unreadable(f"it cannot be read: {describe_error(error)}") from None
        try:
            connection.limit(apsw.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
            yield Tables(connection, path)
        finally:
            connection.close()


def has_table(path: str, table: str, *columns: str) -> bool:
    """Tell whether a file is a database with an ordinary table of this name and these columns."""
    tables = _list_tables(path, _find_stamps(path)) if has_magic(path) else {}
    return table in tables and tables[table].issuperset(columns)


@lru_cache(maxsize=4)
def _list_tables(path: str, stamps: tuple[int, ...]) -> dict[str, frozenset[str]]:
    """Return the column names of each ordinary table in a database, or an empty dictionary if it cannot be read.

    The result is cached, because several importers ask for it and copying a database is slow. `stamps` are part of the
    cache key, so that a changed file is read again.
    """
    try:
        with open_database(path) as tables:
            return tables.list_columns()
    except Unreadable:
        return {}


def _find_stamps(path: str) -> tuple[int, ...]:
    found: list[int] = []
    for each in (path, f"{path}-wal"):
        with suppress(OSError):
            info = os.lstat(each)
            found += (info.st_size, info.st_mtime_ns, info.st_ino)
    return tuple(found)


def has_magic(path: str) -> bool:
    """Tell whether a path is a regular file that begins like an SQLite database."""
    from limpet.workspace.files import read_file

    return not os.path.islink(path) and read_file(path, len(_MAGIC)) == _MAGIC
