"""Keep a copy of the journal's files in the folder `backups/`, and restore lost records from it.

A backup is never ahead of its segment. Only the journal in files has such backups. They are not part of the `Journal`
protocol, because the backups of a database server are made by its operator.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Set

from limpet import system
from limpet.clock import DAY_MS
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor
from limpet.store.journal.sealed import is_sealed, length_of, seal_file, unseal_file
from limpet.store.journal.segments import SUFFIX, is_receipts, list_segments, open_segment, path_of, segment_lock

_LARGE = 8
"""An old segment is compressed if its size is at least the size of a full segment divided by this number."""
_IDLE_MS = 7 * DAY_MS


class Backup:
    """The backup of the journal segments of a home (Limpet's data folder)."""

    def __init__(self, home: str, *, now_ms: Callable[[], int]) -> None:
        self._home = home
        self._now_ms = now_ms

    def save(self) -> int:
        """Copy the new records of all segments to the backup; return the number of bytes copied.

        A segment is copied up to its first damaged record or break in its hash chain. If an existing copy differs from
        the beginning of the segment, it is renamed and a new copy is started.
        """
        from limpet.store.journal.mend import find_verified_end

        added = 0
        for name, _, _ in list_segments(self._home):
            if is_receipts(name):
                # Receipts are not needed for repairs, and their files are rewritten when they are replaced by totals.
                continue
            source, target = path_of(self._home, name), self._path_of(name)
            have = length_of(target) if os.path.exists(target) else 0
            if have == length_of(source):
                continue
            if have < 0:
                # The end of a compressed copy is missing.
                os.replace(target, _free_name(f"{target}.old"))
                have = 0
            elif have and is_sealed(target):
                unseal_file(target)
            good = find_verified_end(source)
            if good <= have:
                continue
            _make_folders(self._home, os.path.dirname(target))
            added += _copy_rest(source, target, have, good)
        return added

    def seal(self, cursors: Mapping[str, Cursor], device: str, full_bytes: int) -> int:
        """Seal (compress) the finished segments of this device and their copies; return the number of bytes saved.

        A segment is finished if it is full, or if it is fairly large and has not changed for a week. It is sealed only
        if it was read to its end without errors, and if its backup is complete, because only verified records are
        copied to the backup.
        """
        saved = 0
        for name, size, modified in list_segments(self._home):
            cursor, path, copy = cursors.get(name), path_of(self._home, name), self._path_of(name)
            is_idle = size >= full_bytes // _LARGE and self._now_ms() - modified // 1_000_000 > _IDLE_MS
            if not name.startswith(f"{device}/") or is_receipts(name) or not (size >= full_bytes or is_idle):
                continue
            if cursor is None or cursor.applied != size or cursor.torn or is_sealed(path):
                continue
            if not os.path.exists(copy) or length_of(copy) != size:
                continue
            with segment_lock(self._home, name) as is_ours:
                if not is_ours or os.path.getsize(path) != size:
                    continue
                for each in (copy, path):
                    if not is_sealed(each):
                        seal_file(each)
                        saved += size - os.path.getsize(each)
        return saved

    def restore(self, suspects: Collection[str] | None = None, purged: Set[str] | None = None) -> dict[str, int | None]:
        """Restore records that only the backup still has; return the number of restored records by segment name.

        The number is None if a process is writing to the segment. If `suspects` is given, only these segments, and
        segments that are shorter than their backup, are compared with it. If `purged` (the ids of all purged items) is
        given, texts that were erased without a purge are restored too.
        """
        names = set(self._list_names()) if suspects is None else {*suspects, *self._find_shortened()}
        restored: dict[str, int | None] = {}
        for name in sorted(names):
            if not self._count_missing(name, purged):
                continue
            with segment_lock(self._home, name) as is_ours:
                restored[name] = self._restore_segment(name, purged) if is_ours else None
        return restored

    def _restore_segment(self, name: str, purged: Set[str] | None) -> int:
        from limpet.store.journal.mend import read_whole_rows, rewrite

        # Counted again, because another process may have written to the segment before the lock was taken.
        missing = self._count_missing(name, purged)
        if missing:
            rewrite(self._home, name, read_whole_rows(self._path_of(name)), self._now_ms())
        return missing

    def _count_missing(self, name: str, purged: Set[str] | None) -> int:
        """Return the number of complete records that the backup has but the segment lacks."""
        from limpet.store.journal.mend import read_whole_rows

        present = {
            row.partition(b"\t")[0]
            for row in read_whole_rows(path_of(self._home, name))
            if purged is None or not _is_erased_without_purge(row, purged)
        }
        return sum(
            1
            for row in read_whole_rows(self._path_of(name))
            if row.partition(b"\t")[0] not in present and (purged is None or not _is_erased_without_purge(row, purged))
        )

    def _path_of(self, name: str) -> str:
        return os.path.join(self._home, "backups", "journal", *name.split("/"))

    def _list_names(self) -> Iterator[str]:
        folder = os.path.join(self._home, "backups", "journal")
        for path in system.walk_files(folder):
            name = os.path.relpath(path, folder).replace(os.sep, "/")
            if name.endswith(SUFFIX) and not is_receipts(name):
                yield name

    def _find_shortened(self) -> Iterator[str]:
        """Yield the names of segments that are missing or shorter than their backup."""
        for name in self._list_names():
            segment = path_of(self._home, name)
            if not os.path.exists(segment) or length_of(segment) < length_of(self._path_of(name)):
                yield name


def _is_erased_without_purge(row: bytes, purged: Set[str]) -> bool:
    body = row.partition(b"\t")[2]
    if not lines.is_erased(body):
        return False
    header = lines.header_of(row)[0]
    return purged.isdisjoint((str(header["sub"]), *map(str, header.get("lin", ()))))


def _copy_rest(source: str, target: str, have: int, good: int) -> int:
    """Append the bytes between the positions `have` and `good` of a segment to its copy.

    If the copy differs from the segment before `have`, it is renamed and a new one is started. Return the number of
    bytes written.
    """
    with open_segment(source) as file:
        if have and not _has_prefix(file, target, have):
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
    return len(fresh)


def _has_prefix(file: object, target: str, length: int) -> bool:
    read = file.read  # type: ignore[attr-defined]
    with open_segment(target) as copy:
        while length > 0:
            step = min(length, 1 << 20)
            if read(step) != copy.read(step):
                return False
            length -= step
    return True


def _free_name(path: str) -> str:
    number, candidate = 1, path
    while os.path.lexists(candidate):
        number += 1
        candidate = f"{path}.{number}"
    return candidate


def _make_folders(home: str, folder: str) -> None:
    steps = []
    while len(folder) > len(home):
        steps.append(folder)
        folder = os.path.dirname(folder)
    system.private_directory(*reversed(steps))
