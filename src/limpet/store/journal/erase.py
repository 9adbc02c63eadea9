"""Overwrite purged texts in the files of the journal.

Only the payloads of journal lines are overwritten. The headers and their hash chain stay valid. Each step can be
repeated, so an interrupted purge is finished the next time the store is opened.
"""

from __future__ import annotations

import os
from collections.abc import Set

from limpet import system
from limpet.errors import BadLine
from limpet.store.journal import line as lines
from limpet.store.journal.sealed import has_damage, is_sealed, seal_lines
from limpet.store.journal.segments import DAMAGED, open_segment


def erase_in_files(home: str, subjects: Set[str]) -> None:
    """Overwrite the texts of purged items in the journal, in its backups and in damaged files that were kept.

    `subjects` are the ids of the items.
    """
    for folder in ("journal", "backups", DAMAGED):
        for path in system.walk_files(os.path.join(home, folder)):
            erase_in_file(path, subjects, is_damaged=folder == DAMAGED)


def erase_in_file(path: str, subjects: Set[str], *, is_damaged: bool = False) -> bool:
    """Overwrite the texts of purged items in one file; return False if nothing had to be changed.

    If `is_damaged` is set, every damaged line is overwritten too, because the id in it may be unreadable.
    """
    places: list[tuple[int, bytes]] = []
    offset = 0
    with open_segment(path) as file:
        for row in file:
            places += _find_places(offset, row, subjects, is_damaged=is_damaged)
            offset += len(row)
    if is_sealed(path):
        return _erase_in_sealed(path, places)
    if not places:
        return False
    fd = system.open_private(path, os.O_RDWR)
    try:
        for start, filler in places:
            _write_at(fd, filler, start)
        system.sync_data(fd)
    finally:
        os.close(fd)
    return True


def _erase_in_sealed(path: str, places: list[tuple[int, bytes]]) -> bool:
    """Write the replacements at these positions in a sealed (compressed) segment; return False if nothing was changed.

    The segment is also rewritten if it has a damaged block, because such a block may contain a purged text. The
    replaced file is overwritten with zeros.
    """
    with open_segment(path) as file:
        if not places and not has_damage(file):
            return False
        data = bytearray(file.read())
    for start, filler in places:
        data[start : start + len(filler)] = filler
    fd = system.open_private(path, os.O_RDWR)
    try:
        system.write_atomically(path, seal_lines(bytes(data)))
        _write_at(fd, bytes(os.fstat(fd).st_size), 0)
        system.sync_data(fd)
    finally:
        os.close(fd)
    return True


def _find_places(offset: int, row: bytes, subjects: Set[str], *, is_damaged: bool) -> list[tuple[int, bytes]]:
    """Return a (position, replacement) pair for the bytes in `row` that must be overwritten to erase `subjects`.

    `offset` is the position of the line in the file. Return an empty list if nothing must be overwritten. If
    `is_damaged` is set, every damaged line is overwritten; otherwise only one that mentions a purged id.
    """
    bare = row.rstrip(b"\n")
    try:
        header, _ = lines.header_of(bare)
        subject, lineage, verb = str(header["sub"]), [str(each) for each in header.get("lin", ())], header["verb"]
        if not lines.is_whole(bare):
            raise BadLine(lines.TORN)
    except (KeyError, TypeError, ValueError, RecursionError):
        # A damaged line that mentions a purged id may contain its text, and must not look like a record afterwards. In
        # a file that was set aside, the id itself may be damaged, so every damaged line there is overwritten.
        if bare.strip() and (is_damaged or any(name.encode() in bare for name in subjects)):
            return [(offset, b" " * len(bare))]
        return []
    # A fact may also have sources that are not purged. If not, the view has added its id to `subjects`.
    bound = subject in subjects or (not subject.startswith("fact_") and not subjects.isdisjoint(lineage))
    head, tab, body = bare.partition(b"\t")
    if not bound or verb == "purge" or lines.is_erased(body):
        return []
    return [(offset + len(head) + len(tab), lines.erased_payload(len(body)))]


def _write_at(fd: int, data: bytes, offset: int) -> None:
    if hasattr(os, "pwrite"):
        os.pwrite(fd, data, offset)
    else:
        os.lseek(fd, offset, os.SEEK_SET)
        os.write(fd, data)
