"""Overwrite purged payloads in place, so that no byte of the text stays in any file of the journal.

The headers and the chain stay. Each step can be repeated, so a purge that was interrupted is finished the next time the
store is opened.
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
    """Overwrite the payloads of these subjects in the journal, in its backups and in files that were set aside."""
    for folder in ("journal", "backups", DAMAGED):
        for path in system.walk_files(os.path.join(home, folder)):
            erase_in_file(path, subjects, is_damaged=folder == DAMAGED)


def erase_in_file(path: str, subjects: Set[str], *, is_damaged: bool = False) -> bool:
    """Overwrite the payloads of these subjects in one file; tell whether the file had any."""
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
    """Rewrite a sealed segment without the bytes at these places; tell whether that was necessary.

    A block that cannot be read may hold anything, so it is not kept either. The replaced file is overwritten before it
    is removed, like a plain one.
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
    """Return the position and the replacement of the bytes of a row that are to be overwritten."""
    bare = row.rstrip(b"\n")
    try:
        header, _ = lines.header_of(bare)
        subject, lineage, verb = str(header["sub"]), [str(each) for each in header.get("lin", ())], header["verb"]
        if not lines.is_whole(bare):
            raise BadLine(lines.TORN)
    except (KeyError, TypeError, ValueError, RecursionError):
        # A torn or damaged row that mentions a purged subject may hold its text, and must not look like a record
        # afterwards. In a file that was set aside the damage may have hit the mention itself, so there every damaged
        # row is overwritten.
        if bare.strip() and (is_damaged or any(name.encode() in bare for name in subjects)):
            return [(offset, b" " * len(bare))]
        return []
    # A fact may rest on other memories too; the view knows whether it goes, and names it.
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
