"""Store the queue of events that hooks have recorded and no worker has processed yet: one file per session and day.

A hook must be fast, so it only appends the event, without secrets, and syncs the file to disk. Later a worker continues
at the position where the last worker stopped. This position is written to the journal together with the resulting
memories, so no event is lost or processed twice if a worker is killed. A file is deleted after it has been processed
completely and its day is over, because no hook writes to it after that.

The capture hook imports this module, so it imports little.
"""

from __future__ import annotations

import os
import zlib

from limpet import system
from limpet.clock import DAY_MS, utc_day
from limpet.errors import SymlinkRefused
from limpet.lean import quickjson
from limpet.lean.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, BinaryIO

FOLDER = "queue"
_SUFFIX = ".jsonl"
_TAIL = 1 << 18


def name_of(session: str, now_ms: int) -> str:
    """Return the name of the queue file for a session and a day: its path in the queue folder, without the suffix."""
    return f"{utc_day(now_ms)}/{key_of(session)}"


def key_of(session: str) -> str:
    """Return the part of a file name that identifies a session: a hash, because the id may contain any character."""
    return sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def append(home: str, session: str, record: Mapping[str, Any], *, now_ms: int) -> None:
    """Append a record to the queue file of a session. The record is on disk when this function returns."""
    path = queue_path(home, name_of(session, now_ms))
    folder = os.path.dirname(path)
    for place in (os.path.dirname(folder), folder):
        if system.is_link(place):
            raise SymlinkRefused(0, "is a symlink, refusing to follow it", place)
    text = quickjson.dumps(record).encode()
    try:
        fd = system.open_private(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    except FileNotFoundError:
        system.private_directory(home, os.path.dirname(folder), folder)
        fd = system.open_private(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        # The leading newline ends a line that another process has left incomplete.
        block = b"\n%08x %b\n" % (zlib.crc32(text), text)
        if os.write(fd, block) != len(block):
            raise OSError(28, "No space left on device", path)
        system.sync_data(fd)
    finally:
        os.close(fd)


def queue_path(home: str, name: str) -> str:
    """Return the path of a queue file, given its name."""
    return os.path.join(home, FOLDER, *name.split("/")) + _SUFFIX


def was_written_since(home: str, since_ms: int) -> bool:
    """Tell whether a hook has written to the queue since a time that is at most a day ago."""
    folders = (os.path.dirname(queue_path(home, name_of("", day))) for day in (since_ms, since_ms + DAY_MS))
    return any(_was_folder_written(folder, since_ms) for folder in folders)


def _was_folder_written(folder: str, since_ms: int) -> bool:
    try:
        with os.scandir(folder) as found:
            return any(entry.stat().st_mtime_ns // 1_000_000 > since_ms for entry in found)
    except OSError:
        return False


def state_folder(home: str) -> str:
    """Return the folder in which workers keep each session's state. It contains no queue files."""
    return os.path.join(home, FOLDER, "state")


def list_queue_files(home: str) -> list[str]:
    """Return the names of all queue files, oldest day first."""
    root = os.path.join(home, FOLDER)
    found = [path for path in system.walk_files(root) if path.endswith(_SUFFIX)]
    return sorted(os.path.relpath(path, root).replace(os.sep, "/").removesuffix(_SUFFIX) for path in found)


def is_name(name: str) -> bool:
    """Tell whether a source of events is a queue file, by the form of its name."""
    day, slash, _ = name.partition("/")
    return bool(slash) and len(day) == 8 and day.isdigit()


def size_of(home: str, name: str) -> int:
    """Return the size of a queue file in bytes; 0 if the file is missing."""
    try:
        return os.stat(queue_path(home, name)).st_size
    except OSError:
        return 0


def read(home: str, name: str, start: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records of a queue file from the offset `start` on, each after the offset at which it ends.

    Damaged and incomplete lines are skipped. A record with the same id as an earlier one is also skipped, because a
    hook and a slow server may both have written the same event.
    """
    try:
        fd = os.open(queue_path(home, name), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return
    with os.fdopen(fd, "rb") as file:
        ids = _ids_before(file, start)
        file.seek(start)
        place = start
        for row in file:
            place += len(row)
            if not row.endswith(b"\n") or (record := _decode(row)) is None:
                continue
            id = record.get("id")
            if isinstance(id, str):
                if id in ids:
                    continue
                ids.add(id)
            yield place, record


def _ids_before(file: BinaryIO, start: int) -> set[str]:
    """Return the ids of the last records before an offset.

    Earlier ids are not needed, because two records of the same event are close to each other.
    """
    first = max(0, start - _TAIL)
    file.seek(first)
    rows = file.read(start - first).splitlines()
    records = (_decode(row) for row in rows if b'"id"' in row)
    return {record["id"] for record in records if record and isinstance(record.get("id"), str)}


def _decode(row: bytes) -> dict[str, Any] | None:
    mark, _, text = row.rstrip(b"\n").partition(b" ")
    try:
        if int(mark, 16) != zlib.crc32(text):
            return None
        record = quickjson.loads(text.decode("ascii", "replace"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def is_over(name: str, now_ms: int, *, days: int = 2) -> bool:
    """Tell whether the day of a queue file, given by its name, is more than `days` days ago."""
    # By default one day more than necessary, for clocks that differ.
    return name.partition("/")[0] < utc_day(now_ms - days * DAY_MS)


def remove(home: str, name: str) -> None:
    """Delete a queue file, and then the folder of its day if it is empty."""
    path = queue_path(home, name)
    os.unlink(path)
    try:
        os.rmdir(os.path.dirname(path))
    except OSError:
        return


def erase(home: str, texts: Iterable[str], used: Mapping[str, int]) -> None:
    """Overwrite the lines that contain purged texts, and all lines that have already been processed.

    `used` contains the offset up to which each file has been processed. Lines are overwritten in place, so that offsets
    stay valid.
    """
    wanted = [quickjson.dumps(text)[1:-1].encode() for text in texts if text]
    for name in list_queue_files(home):
        with open(queue_path(home, name), "r+b") as file:
            place = 0
            for row in file.read().splitlines(keepends=True):
                if place + len(row) <= used.get(name, 0) or any(text in row for text in wanted):
                    file.seek(place)
                    file.write(b" " * (len(row) - 1) + row[-1:])
                place += len(row)
            file.flush()
            system.sync_data(file.fileno())
