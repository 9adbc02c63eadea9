"""Find, read, lock and set aside the segments of a journal in files.

A segment is a file `journal/<device>/<number>.jsonl`; the name of a segment of receipts has an `r` before the number.
Lock files are outside `journal/`, so that this folder holds only data and can be copied between machines with any tool.
"""

from __future__ import annotations

import io
import os

from limpet import system
from limpet.clock import from_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUFFIX = ".jsonl"
RECEIPTS = "r"
DAMAGED = "damaged"
"""The folder for damaged files."""


def list_segments(home: str) -> list[tuple[str, int, int]]:
    """Return name, size and modification time of every segment of every device.

    A copy of a receipts file that a sync program has made is skipped, because its receipts would be counted twice.
    """
    root = os.path.join(home, "journal")
    found = []
    for path in system.walk_files(root):
        if path.endswith(SUFFIX) and not (is_receipts(os.path.basename(path)) and not _is_numbered(path)):
            info = os.stat(path)
            found.append((path[len(root) + 1 :].replace(os.sep, "/"), info.st_size, info.st_mtime_ns))
    return found


def _is_numbered(path: str) -> bool:
    return os.path.basename(path).removeprefix(RECEIPTS).removesuffix(SUFFIX).isdigit()


def is_device(name: str) -> bool:
    """Tell whether a text has the form of a device id, as `writer.load_device_id` makes them."""
    return len(name) == 13 and name[0] == "d" and not name[1:].strip("0123456789abcdef")


def is_receipts(name: str) -> bool:
    """Tell whether a segment holds receipts."""
    return name.rpartition("/")[2].startswith(RECEIPTS)


def path_of(home: str, name: str) -> str:
    """Return the path of a segment's file."""
    return os.path.join(home, "journal", *name.split("/"))


def open_segment(path: str, *, buffering: int = 1 << 20) -> io.BufferedReader:
    """Open a segment for reading its lines, sealed or not; symlinks are not followed."""
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    raw = io.FileIO(fd)
    # Not through the buffer, which would be filled with the beginning of the segment for nothing.
    first = raw.read(1)
    raw.seek(0)
    file: io.BufferedReader = io.BufferedReader(raw, buffering)
    if first != b"\0":
        return file
    # Loaded here: a hook mostly reads the segment that is being written.
    from limpet.store.journal.sealed import MAGICS, open_sealed

    return open_sealed(file) if file.peek(len(MAGICS[0])).startswith(MAGICS) else file


def read_rows(path: str, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield position and bytes of each whole line from `start` on.

    A line without a newline is incomplete and skipped.
    """
    with open_segment(path) as file:
        file.seek(start)
        offset = start
        for row in file:
            if not row.endswith(b"\n"):
                return
            yield offset, row[:-1]
            offset += len(row)


def segment_lock(home: str, name: str, attempts: Iterable[object] = (None,)) -> system.lock:
    """Return a context manager that keeps writers away from a segment; its value is False if one is writing to it.

    Without the lock, a writer could append to a file that is about to be set aside.
    """
    return system.lock(os.path.join(home, "locks", name.removesuffix(SUFFIX).replace("/", ".")), attempts)


def set_aside(home: str, path: str, now_ms: int) -> str:
    """Move a damaged file to the folder for damaged files, under its date, and return its new path.

    The file is never deleted, because somebody may still recover something from it.
    """
    folder = os.path.join(home, DAMAGED)
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
