"""Append records to the journal segments of this device.

A writer takes the first segment of its device whose lock is free, or starts a new one. So no writer waits for a stopped
process, and each segment has one writer at a time. The writer appends with one `write`, syncs the file to disk, and
only then returns. Each record has the next running number of its segment, and is signed if the home (Limpet's data
folder) has a key. Receipts have neither number nor signature, because their segments are rewritten. An interrupted
write leaves an incomplete line. The next writer ends that line with a newline and continues after the last complete
record, so the incomplete line damages no other record.

The id of a device is random. It is kept in a file whose name is computed from the identity of this machine and the
inode of the home. In a copy of the home, or on another machine, there is no file of that name, so the copy becomes a
new device. A home that is synced between machines has one such file for each machine.
"""

from __future__ import annotations

import contextlib
import os

from limpet import clock, system
from limpet.errors import StoreError, from_os_error
from limpet.lean.digest import sha256
from limpet.model.ids import ms_of, stamp
from limpet.model.keyring import NO_KEYS, KeyRing
from limpet.store.journal import line as lines
from limpet.store.journal.sealed import is_sealed
from limpet.store.journal.segments import RECEIPTS, SUFFIX, is_device, is_receipts, open_segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


class Writer:
    """A writer of records to the journal segments of this device. It holds no lock between two calls."""

    def __init__(
        self,
        home: str,
        *,
        segment_bytes: int,
        now_ms: Callable[[], int],
        keys: Callable[[], KeyRing] = lambda: NO_KEYS,
    ) -> None:
        self._home = home
        self._limit = segment_bytes
        self._now_ms = now_ms
        self._keys = keys
        self._device = ""
        self._highest = 0
        self._tails: dict[str, tuple[int, str, int]] = {}
        """The size, last hash and last running number of each segment that was written to, by path."""
        self.written: tuple[str, list[tuple[int, bytes]], int, int] | None = None
        """What the last durable append wrote: the segment, its rows, and its modification times before and after."""

    @property
    def device(self) -> str:
        if not self._device:
            self._device = load_device_id(self._home)
        return self._device

    def advance_past(self, change_id: str) -> None:
        """Make sure that new ids are higher than this id, unless its time is more than a day in the future."""
        try:
            ms = ms_of(change_id)
        except (ValueError, KeyError):
            return
        if self._highest < ms <= self._now_ms() + clock.DAY_MS:
            self._highest = ms

    def append(self, records: Sequence[Mapping[str, Any]], *, after: str = "", durable: bool = True) -> list[str]:
        """Write records and return their ids, which are higher than the id `after`.

        If `durable` is set, the records are on disk when this method returns.
        """
        self.advance_past(after)
        try:
            return self._append(records, durable=durable)
        except OSError as error:
            raise from_os_error(error, "write to the journal") from error

    def _append(self, records: Sequence[Mapping[str, Any]], *, durable: bool) -> list[str]:
        folder = os.path.join(self._home, "journal", self.device)
        locks = os.path.join(self._home, "locks")
        system.private_directory(self._home, os.path.dirname(folder), folder, locks)
        lock, path = self._take_segment(folder, locks, "" if durable else RECEIPTS)
        try:
            fd = system.open_private(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
            try:
                if durable and not os.fstat(fd).st_size:
                    # The file is new, or its creator was killed before the name was synced to disk.
                    for place in (folder, os.path.dirname(folder), self._home):
                        system.sync_directory(place)
                return self._append_to(fd, path, records, durable=durable)
            finally:
                os.close(fd)
        finally:
            system.unlock(lock)

    def _take_segment(self, folder: str, locks: str, prefix: str) -> tuple[int, str]:
        number = 0
        while True:
            number += 1
            name = f"{prefix}{number:06d}{SUFFIX}"
            path = os.path.join(folder, name)
            try:
                if os.stat(path).st_size >= self._limit:
                    continue
            except FileNotFoundError:
                pass
            lock = system.try_lock(os.path.join(locks, f"{self.device}.{prefix}{number:06d}"))
            if lock is None:
                continue
            # Checked while the lock is held, because only the holder of the lock may seal a segment.
            if not is_sealed(path):
                return lock, path
            system.unlock(lock)

    def _append_to(self, fd: int, path: str, records: Sequence[Mapping[str, Any]], *, durable: bool) -> list[str]:
        info = os.fstat(fd)
        size = info.st_size
        known = self._tails.get(path)
        if known and known[0] == size:
            _, previous, number = known
            closed = True
        else:
            previous, number, closed = self._read_tail(fd, path, size)
        keys = self._keys() if durable else NO_KEYS
        # An interrupted write is ended by a newline.
        at, chunks = (size, []) if closed else (size + 1, [b"\n"])
        ids, rows = list[str](), list[tuple[int, bytes]]()
        for record in records:
            self._highest = ms = max(self._now_ms(), self._highest + 1)
            change_id = stamp(ms)
            number += durable
            data, previous = lines.encode(
                id=change_id, device=self.device, previous=previous, number=number, keys=keys, **record
            )
            ids.append(change_id)
            rows.append((at, data))
            at += len(data) + 1
            chunks += (data, b"\n")
        block = b"".join(chunks)
        try:
            if os.write(fd, block) != len(block):
                raise OSError(28, "No space left on device", path)
            if durable:
                system.sync_data(fd)
        except BaseException:
            # The caller gets an error, so the records must not appear later. If this fails too, they may remain.
            with contextlib.suppress(OSError):
                os.ftruncate(fd, size)
            self._tails.pop(path, None)
            raise
        self._tails[path] = (size + len(block), previous, number)
        if durable:
            segment = f"{self.device}/{os.path.basename(path)}"
            self.written = segment, rows, info.st_mtime_ns, os.fstat(fd).st_mtime_ns
        return ids

    def _read_tail(self, fd: int, path: str, size: int) -> tuple[str, int, bool]:
        """Return the hash and the number of the last complete record, and whether the file ends with a newline."""
        closed, reach = True, 4096
        while size:
            start = max(0, size - reach)
            data = _read_at(fd, size - start, start)
            closed = data.endswith(b"\n")
            # A record that lacks only its newline counts as complete, because the next write adds the newline.
            rows = data.split(b"\n")
            if start:
                rows = rows[1:]
            last = lines.find_last_whole(rows)
            if last is not None:
                header, digest = last
                self.advance_past(str(header.get("id", "")))
                return digest, _find_number(header, path), closed
            if not start:
                break
            reach *= 8
        return "", 0, closed


def _find_number(header: Mapping[str, Any], path: str) -> int:
    """Return the running number of the last record, given its header.

    If the records have no numbers, return how many records there are.
    """
    number = lines.number_of(header)
    if number or is_receipts(os.path.basename(path)):
        return number
    with open_segment(path) as file:
        return sum(lines.is_whole(row.rstrip(b"\n")) for row in file)


def _read_at(fd: int, length: int, offset: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(fd, length, offset)
    os.lseek(fd, offset, os.SEEK_SET)
    return os.read(fd, length)


def load_device_id(home: str) -> str:
    """Return the id of this device; on the first call in a home, choose a random id and save it."""
    folder = os.path.join(home, "device")
    place = f"{system.read_machine_id()}\0{os.stat(home).st_ino}"
    path = os.path.join(folder, sha256(place.encode()).hexdigest()[:24])
    system.private_directory(folder)
    for _ in range(50):
        try:
            fd = system.open_private(path, os.O_RDONLY)
        except FileNotFoundError:
            pass
        else:
            with os.fdopen(fd, encoding="utf-8", errors="replace") as file:
                device = file.read(100).strip()
            if is_device(device):
                return device
            # The file was emptied or overwritten, so this device gets a new id. Its older segments keep the old one.
            system.write_atomically(path, _new_device())
            continue
        with contextlib.suppress(FileExistsError):
            # Written under another name and then linked, so that a killed process leaves no empty file behind.
            temporary = f"{path}.{os.getpid()}.tmp"
            fd = system.open_private(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            try:
                os.write(fd, _new_device())
                system.sync_data(fd)
            finally:
                os.close(fd)
            try:
                if system.WINDOWS:
                    os.rename(temporary, path)
                else:
                    os.link(temporary, path)
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
    raise StoreError(f"could not name this device: {path!r} cannot be written; check the folder's owner and mode")


def _new_device() -> bytes:
    return f"d{os.urandom(6).hex()}\n".encode()
