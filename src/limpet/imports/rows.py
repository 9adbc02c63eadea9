"""Read the rows of another tool's store: the tables of its SQLite database, or the lists of its JSON export."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any

from limpet.errors import Unreadable
from limpet.imports.database import Tables, has_magic, has_table, open_database
from limpet.imports.files import read_json
from limpet.imports.item import ForeignItem, Surroundings, Tool

Row = dict[str, Any]


class Document:
    """The lists of a JSON export, which are read like the tables of a database."""

    def __init__(self, path: str, lists: dict[str, str]) -> None:
        """Read an export. `lists` has the keys of the list for each table; the first that is there counts.

        The key `.` stands for the whole export.
        """
        data = read_json(path)
        self.path = path
        self.data: Row = data if isinstance(data, dict) else {".": data}
        self._lists = {
            table: next((found for key in keys.split() if isinstance(found := self.data.get(key), list)), None)
            for table, keys in lists.items()
        }

    def has(self, table: str, *columns: str) -> bool:
        """Tell whether the export has the list for a table; its rows may lack any of the columns."""
        return self._lists.get(table) is not None

    def rows(self, table: str) -> list[Any]:
        """Return the list for a table, which may hold anything."""
        return self._lists.get(table) or []

    def items(self, table: str, read: Callable[[Row, str], ForeignItem], *, order: str = "id") -> Iterator[ForeignItem]:
        """Yield what `read` makes of each row, and for a row that is not an object an item that says so."""
        for number, row in enumerate(self.rows(table), 1):
            if isinstance(row, dict):
                yield read(row, self.path)
            else:
                yield ForeignItem(name=f"row {number} of {table}", refused="it is not an object")

    def count(self, table: str) -> int:
        return len(self.rows(table))


def row_tool(
    name: str,
    extract: Callable[[Tables | Document], Iterable[ForeignItem]],
    *,
    places: Callable[[Surroundings], Iterable[str]],
    table: str,
    marks: str,
    needs: str,
    what: str = "memories",
    lists: dict[str, str] | None = None,
    keys: str = "",
    fields: str = "",
) -> Tool:
    """Return a tool that keeps rows. `extract` yields the items of a store that has at least the columns `needs`.

    A database is recognised by the columns `marks` of its `table`. `lists` names the lists of a JSON export for each
    table, if there are exports; one is recognised by its `keys` and by the `fields` of its first row.
    """

    def recognises(path: str) -> bool:
        if lists is None or has_magic(path):
            return has_table(path, table, *marks.split())
        document = Document(path, lists)
        first = next(iter(document.rows(table)), None)
        has_fields = not fields or (isinstance(first, dict) and first.keys() >= set(fields.split()))
        return has_fields and document.data.keys() >= set(keys.split())

    def read(path: str) -> Iterator[ForeignItem]:
        with nullcontext(Document(path, lists)) if lists and not has_magic(path) else open_database(path) as rows:
            if not rows.has(table, *needs.split()):
                kind = "export" if isinstance(rows, Document) else "database"
                raise Unreadable(f"it is no {kind} of {name}: it has no {what}")
            yield from extract(rows)

    return Tool(places=places, recognises=recognises, read=read)
