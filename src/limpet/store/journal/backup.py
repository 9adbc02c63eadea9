"""Keep a second copy of the journal's files under `backups/`, and restore from it what the journal has lost.

A backup only ever follows its segment. Backups belong to the journal in files: those of a database server are made by
its operator, so they are no part of the `Journal` protocol.
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
"""A segment of this fraction of a full one is worth sealing."""
_IDLE_MS = 7 * DAY_MS


class Backup:
    """The copies of a home's segments."""

    def __init__(self, home: str, *, now_ms: Callable[[], int]) -> None:
        self._home = home
        self._now_ms = now_ms

    def save(self) -> int:
        """Copy everything new and verified in every segment; return the number of bytes added.

        A segment is copied only as far as its records are whole and its chain is unbroken, and only if the existing
        copy is still a prefix of the segment; a copy that differs is kept under another name and a new one is started.
        """
        from limpet.store.journal.mend import verified_end

        added = 0
        for name, _, _ in list_segments(self._home):
            if is_receipts(name):
                # Receipts are counts, not memories: mending does not need them, and adding up rewrites their files.
                continue
            source, target = path_of(self._home, name), self._path_of(name)
            have = length_of(target) if os.path.exists(target) else 0
            if have == length_of(source):
                continue
            if have < 0:
                # The end of a sealed copy is missing.
                os.replace(target, _free_name(f"{target}.old"))
                have = 0
            elif have and is_sealed(target):
                unseal_file(target)
            good = verified_end(source)
            if good <= have:
                continue
            _make_folders(self._home, os.path.dirname(target))
            added += _copy_rest(source, target, have, good)
        return added

    def seal(self, cursors: Mapping[str, Cursor], device: str, full_bytes: int) -> int:
        """Seal the finished segments of this device and their copies; return the number of bytes saved.

        A segment is finished if it is full, or large and a week old. It must have been read to its end without any
        fault, and its copy must be whole too: a copy is made of verified records only.
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
        """Restore the records that only the backup still holds; return the number of restored records by segment.

        The number is None if a process is writing to the segment. Without `suspects` every segment is compared; with
        `suspects` only these segments and those that are shorter than their backup. If `purged` is given, a text that
        was erased without a purge counts as missing too.
        """
        names = set(self._names()) if suspects is None else {*suspects, *self._longer_than_segment()}
        restored: dict[str, int | None] = {}
        for name in sorted(names):
            if not self._count_missing(name, purged):
                continue
            with segment_lock(self._home, name) as is_ours:
                restored[name] = self._restore(name, purged) if is_ours else None
        return restored

    def _restore(self, name: str, purged: Set[str] | None) -> int:
        from limpet.store.journal.mend import rewrite, whole_rows

        # Counted again under the lock: until then a writer may have been there.
        missing = self._count_missing(name, purged)
        if missing:
            rewrite(self._home, name, whole_rows(self._path_of(name)), self._now_ms())
        return missing

    def _count_missing(self, name: str, purged: Set[str] | None) -> int:
        """Return the number of whole records that the backup of a segment has and the segment lacks."""
        from limpet.store.journal.mend import whole_rows

        present = {
            row.partition(b"\t")[0]
            for row in whole_rows(path_of(self._home, name))
            if purged is None or not _is_erased_without_purge(row, purged)
        }
        return sum(
            1
            for row in whole_rows(self._path_of(name))
            if row.partition(b"\t")[0] not in present and (purged is None or not _is_erased_without_purge(row, purged))
        )

    def _path_of(self, name: str) -> str:
        return os.path.join(self._home, "backups", "journal", *name.split("/"))

    def _names(self) -> Iterator[str]:
        folder = os.path.join(self._home, "backups", "journal")
        for path in system.walk_files(folder):
            name = os.path.relpath(path, folder).replace(os.sep, "/")
            if name.endswith(SUFFIX) and not is_receipts(name):
                yield name

    def _longer_than_segment(self) -> Iterator[str]:
        """Yield the segments that are missing or shorter than their backup."""
        for name in self._names():
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
    """Append the bytes of a segment from `have` to `good` to its copy; return the number of bytes."""
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
