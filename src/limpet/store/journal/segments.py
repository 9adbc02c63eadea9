"""Find, read, lock and set aside the segments of a journal in files.

A segment is a file `journal/<device>/<number>.jsonl`. Receipts (records of memories that were shown) are in separate
segments, which have an `r` before the number. Lock files are outside `journal/`, so that this folder contains only data
and can be copied between machines with any tool.
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
"""The name of the folder for damaged files in a home (Limpet's data folder)."""


def list_segments(home: str) -> list[tuple[str, int, int]]:
    """Return the name, size and modification time (in nanoseconds) of all segments of all devices.

    If a sync program has made a copy of a receipt segment, the copy is skipped, so that no receipt counts twice.
    """
    root = os.path.join(home, "journal")
    found = []
    for path in system.walk_files(root):
        name = os.path.basename(path)
        is_numbered = name.removeprefix(RECEIPTS).removesuffix(SUFFIX).isdigit()
        if path.endswith(SUFFIX) and (is_numbered or not is_receipts(name)):
            info = os.stat(path)
            found.append((path[len(root) + 1 :].replace(os.sep, "/"), info.st_size, info.st_mtime_ns))
    return found


def is_device(name: str) -> bool:
    """Tell whether a text has the form of a device id: the letter d and twelve hexadecimal digits."""
    return len(name) == 13 and name[0] == "d" and not name[1:].strip("0123456789abcdef")


def is_receipts(name: str) -> bool:
    """Tell whether a segment, given by its name, contains receipts."""
    return name.rpartition("/")[2].startswith(RECEIPTS)


def path_of(home: str, name: str) -> str:
    """Return the path of a segment's file."""
    return os.path.join(home, "journal", *name.split("/"))


def open_segment(path: str, *, buffering: int = 1 << 20) -> io.BufferedReader:
    """Open a segment for reading its lines, even if it is sealed (compressed). Symlinks are not followed."""
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    raw = io.FileIO(fd)
    # Not read through the buffer, which would read far more than one byte.
    first = raw.read(1)
    raw.seek(0)
    file: io.BufferedReader = io.BufferedReader(raw, buffering)
    if first != b"\0":
        return file
    # Loaded here: a hook mostly reads the segment that is being written.
    from limpet.store.journal.sealed import MAGICS, open_sealed

    return open_sealed(file) if file.peek(len(MAGICS[0])).startswith(MAGICS) else file


def read_rows(path: str, start: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield the position of each complete line from `start` on, and the line without its newline.

    A last line without a newline is incomplete, and is skipped.
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
    """Return a lock that keeps other processes from writing to a segment, for use in a `with` statement.

    The value of the `with` statement is False if another process still holds the lock after the last attempt. One
    attempt is made for each item of `attempts`, an iterable that can wait between its items.
    """
    return system.lock(os.path.join(home, "locks", name.removesuffix(SUFFIX).replace("/", ".")), attempts)


def set_aside(home: str, path: str, now_ms: int) -> str:
    """Move a damaged file to the folder for damaged files, under a name with the current date; return the new path.

    The file is not deleted, because a person may still recover data from it.
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
