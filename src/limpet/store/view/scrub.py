"""Overwrite the unused parts of the pages of the index.

SQLite overwrites what it deletes (secure_delete), but not what it leaves behind when it moves rows between pages. So a
page may still have a purged text in the gap between the list of its cells and the cells, or in a free block, although
no row has it.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from limpet.store.view.open import View

_INNER, _LEAVES = (2, 5), (10, 13)
"""The first byte of a page that is an inner node or a leaf of a B-tree. Other pages have no unused parts."""
_FIRST = 100
"""The size of the header of the database, before the content of the first page."""
_AT_ONCE = 256
"""The number of pages that are read at once."""


def scrub(view: View, path: str) -> None:
    """Overwrite the unused parts of all pages of the index at `path` with zeros, inside a transaction of `view`.

    The log must be empty, because another process could otherwise merge it into the file meanwhile. The transaction
    must write something, so that other processes read the pages again instead of writing their own copies.
    """
    size = int(view.run("PRAGMA page_size").get or 0)
    flags = [apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_MAIN_DB, 0]
    # Opened by SQLite, because if this process closed a file of its own, all locks on the index would be gone.
    file = apsw.VFSFile("", path, flags)
    try:
        for start in range(0, file.xFileSize(), size * _AT_ONCE):
            data = file.xRead(min(size * _AT_ONCE, file.xFileSize() - start), start)
            for at in range(0, len(data) - size + 1, size):
                page = data[at : at + size]
                for begin, end in _find_unused(page, _FIRST if start + at == 0 else 0):
                    if page[begin:end].strip(b"\0"):
                        file.xWrite(bytes(end - begin), start + at + begin)
        file.xSync(apsw.SQLITE_SYNC_NORMAL)
    finally:
        file.xClose()


def _find_unused(page: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Yield the unused parts of a page, as the beginning and the end of each. `at` is where its content begins."""
    kind = page[at]
    if kind not in (*_INNER, *_LEAVES):
        return
    cells, first = _number(page, at + 3), _number(page, at + 5) or 1 << 16
    begin = at + (8 if kind in _LEAVES else 12) + 2 * cells
    if begin <= first <= len(page):
        yield begin, first
    block = _number(page, at + 1)
    while first <= block <= len(page) - 4:
        following, length = _number(page, block), _number(page, block + 2)
        if block + length > len(page):
            return
        yield block + 4, block + length
        if following <= block:
            return
        block = following


def _number(page: bytes, at: int) -> int:
    return int.from_bytes(page[at : at + 2], "big")
