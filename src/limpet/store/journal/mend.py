"""Finds damage in the journal and mends it from the index or from the backup.

Every function here runs under the apply lock. A file that is damaged is set aside under its date and never deleted;
what replaces it is made of whole records only. Records that were written after the damage are kept in a segment of
their own, where their chain is whole.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Set

from limpet import system
from limpet.clock import from_ms
from limpet.errors import BadLine, StoreNewer
from limpet.lean.record import mutable
from limpet.store.journal import files as journal
from limpet.store.journal import line as lines
from limpet.store.journal.records import Mark, parse


@mutable
class Scan:
    """What reading a whole segment shows."""

    records: int = 0
    torn: int = 0
    breaks: list[tuple[int, str, str]]
    """Offset, subject, and what is wrong there."""
    size: int = 0


def scan(path: str) -> Scan:
    """Read a segment from its beginning and check every checksum, hash and link of its chain."""
    found = Scan(breaks=[])
    last = ""
    for start, row in journal.read_rows(path):
        found.size = start + len(row) + 1
        if not row:
            continue
        try:
            change, problem, digest, previous = parse(row)
        except BadLine:
            found.torn += 1
            continue
        except StoreNewer:
            break
        if previous != last:
            found.breaks.append((start, change.subject, "chain"))
        if problem == lines.EDITED:
            found.breaks.append((start, change.subject, "edited"))
        elif problem == lines.ERASED:
            found.breaks.append((start, change.subject, "erased"))
        last = digest
        found.records += 1
    return found


def tail_fits(home: str, mark: Mark) -> bool:
    """Whether the last record we applied is still where it was: cheap, and enough unless somebody edits in place."""
    if not mark.records:
        return True
    try:
        with open(journal.path_of(home, mark.name), "rb") as file:
            file.seek(mark.last_start)
            row = file.readline()
        return row.endswith(b"\n") and lines.is_whole(row[:-1]) and lines.header_of(row[:-1])[1] == mark.last_hash
    except (OSError, ValueError):
        return False


def set_aside(home: str, path: str, now_ms: int) -> str:
    """Move a damaged file out of the way; it may still be worth something to somebody."""
    folder = os.path.join(home, "damaged")
    system.private_directory(folder)
    date = from_ms(now_ms).strftime("%Y%m%dT%H%M%S")
    name = os.path.relpath(path, home).replace(os.sep, "-")
    target = os.path.join(folder, f"{date}-{name}")
    number = 1
    while os.path.lexists(target):
        number += 1
        target = os.path.join(folder, f"{date}-{number}-{name}")
    os.replace(path, target)
    return target


def rewrite(home: str, name: str, rows: list[bytes], now_ms: int) -> Mark:
    """Put a segment together again from whole records, keeping what the damaged one held beyond them."""
    path = journal.path_of(home, name)
    system.private_directory(os.path.dirname(path))
    mark = Mark(name=name)
    for row in rows:
        mark.last_start, mark.last_hash = mark.applied, lines.header_of(row)[1]
        mark.applied += len(row) + 1
        mark.records += 1
    following, apart = _split_by_chain(mark.last_hash, _rows_beyond(path, rows))
    if os.path.lexists(path):
        set_aside(home, path, now_ms)
    system.write_atomically(path, b"".join(row + b"\n" for row in (*rows, *following)))
    if apart:
        system.write_atomically(_free_segment(path), b"".join(row + b"\n" for row in apart))
    if not following:
        mark.modified = os.stat(path).st_mtime_ns
    return mark


def _split_by_chain(last: str, rows: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Those that follow on `last` in an unbroken chain, and the rest."""
    for number, row in enumerate(rows):
        _, _, digest, previous = parse(row)
        if previous != last:
            return rows[:number], rows[number:]
        last = digest
    return rows, []


def _rows_beyond(path: str, rows: list[bytes]) -> list[bytes]:
    """Whole records in the damaged file that are not among `rows`."""
    known = {row.partition(b"\t")[0] for row in rows}
    beyond = []
    with contextlib.suppress(OSError):
        for _, row in journal.read_rows(path):
            with contextlib.suppress(ValueError, StoreNewer):
                _, problem, _, _ = parse(row)
                if problem is None and row.partition(b"\t")[0] not in known:
                    beyond.append(row)
    return beyond


def _free_segment(path: str) -> str:
    """A name that no writer takes: the device it belongs to may be another one, which numbers its own."""
    base = path.removesuffix(journal.SUFFIX)
    number = 1
    while os.path.lexists(candidate := f"{base}-kept{number}{journal.SUFFIX}"):
        number += 1
    return candidate


def backup_path(home: str, name: str) -> str:
    return os.path.join(home, "backups", "journal", *name.split("/"))


def whole_rows(path: str) -> list[bytes]:
    """The records of a file that are whole and unedited; those that were purged count as whole."""
    rows = []
    with contextlib.suppress(OSError):
        for _, row in journal.read_rows(path):
            with contextlib.suppress(ValueError, StoreNewer):
                if parse(row)[1] != lines.EDITED:
                    rows.append(row)
    return rows


@contextlib.contextmanager
def held(home: str, name: str) -> Iterator[bool]:
    """Keep writers away from a segment; False if one is at it. What it appends must not go to a file set aside."""
    lock = system.try_lock(os.path.join(home, "locks", name.removesuffix(journal.SUFFIX).replace("/", ".")))
    try:
        yield lock is not None
    finally:
        if lock is not None:
            system.unlock(lock)


def missing_from(home: str, name: str, purged: Set[str] | None = None) -> int:
    """How many whole records the backup of a segment has beyond it.

    Where it is known what was `purged`, a text that was erased without a purge is missing too.
    """
    present = {
        row.partition(b"\t")[0]
        for row in whole_rows(journal.path_of(home, name))
        if purged is None or not _is_erased_for_nothing(row, purged)
    }
    return sum(
        1
        for row in whole_rows(backup_path(home, name))
        if row.partition(b"\t")[0] not in present and (purged is None or not _is_erased_for_nothing(row, purged))
    )


def _is_erased_for_nothing(row: bytes, purged: Set[str]) -> bool:
    body = row.partition(b"\t")[2]
    if not lines.is_erased(body):
        return False
    header = lines.header_of(row)[0]
    return purged.isdisjoint((str(header["sub"]), *map(str, header.get("lin", ()))))


def mend_from_backup(home: str, name: str, now_ms: int, purged: Set[str] | None = None) -> int:
    """Put the backup of a segment in its place; returns how many records that brought back. The caller holds it."""
    missing = missing_from(home, name, purged)
    if missing:
        rewrite(home, name, whole_rows(backup_path(home, name)), now_ms)
    return missing


def remove_litter(home: str, now_ms: int) -> None:
    """Temporary files whose makers were killed before they could put them into place."""
    for path in system.walk_files(home):
        if path.endswith(".tmp"):
            with contextlib.suppress(OSError):
                if os.stat(path).st_mtime * 1000 < now_ms - 3_600_000:
                    os.unlink(path)


def longer_in_backup(home: str) -> set[str]:
    """The segments that are gone, or shorter than their backup, which only ever follows them."""
    folder = os.path.join(home, "backups", "journal")
    names = set()
    for path in system.walk_files(folder):
        name = os.path.relpath(path, folder).replace(os.sep, "/")
        if not name.endswith(journal.SUFFIX) or journal.is_receipts(name):
            continue
        segment = journal.path_of(home, name)
        if not os.path.exists(segment) or os.path.getsize(segment) < os.path.getsize(path):
            names.add(name)
    return names


def back_up(home: str) -> int:
    """Copy what is new and verified in every segment to the backup; returns the bytes added.

    A segment is copied only as far as its records are whole and its chain is unbroken, and only if the copy so far is
    still a prefix of it; a copy that differs is kept under another name and a fresh one begun.
    """
    added = 0
    for name, size, _ in journal.segments(home):
        if journal.is_receipts(name):
            # Counts, not memories: mending does without them, and adding them up writes their files anew.
            continue
        source, target = journal.path_of(home, name), backup_path(home, name)
        have = os.path.getsize(target) if os.path.exists(target) else 0
        if have == size:
            continue
        good = _verified_end(source)
        if good <= have:
            continue
        _private_folders(home, os.path.dirname(target))
        with open(source, "rb") as file:
            if have and not _same_prefix(file, target, have):
                os.replace(target, _free_name(f"{target}.{have}.old"))
                have = 0
            file.seek(have)
            fresh = file.read(good - have)
        fd = system.open_private(target, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            view = memoryview(fresh)
            while view:
                view = view[os.write(fd, view) :]
            system.sync_data(fd)
        finally:
            os.close(fd)
        added += len(fresh)
    return added


def _free_name(path: str) -> str:
    number, candidate = 1, path
    while os.path.lexists(candidate):
        number += 1
        candidate = f"{path}.{number}"
    return candidate


def _verified_end(path: str) -> int:
    """How far a segment may be trusted: up to the first broken link or edited payload."""
    last, end = "", 0
    for start, row in journal.read_rows(path):
        if row:
            try:
                _, problem, digest, previous = parse(row)
            except BadLine:
                continue
            except StoreNewer:
                break
            if previous != last or problem == lines.EDITED:
                break
            last = digest
        end = start + len(row) + 1
    return end


def _same_prefix(file: object, target: str, length: int) -> bool:
    read = file.read  # type: ignore[attr-defined]
    with open(target, "rb") as copy:
        while length > 0:
            step = min(length, 1 << 20)
            if read(step) != copy.read(step):
                return False
            length -= step
    return True


def _private_folders(home: str, folder: str) -> None:
    steps = []
    while len(folder) > len(home):
        steps.append(folder)
        folder = os.path.dirname(folder)
    for each in reversed(steps):
        system.private_directory(each)
