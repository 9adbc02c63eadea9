"""Append lines of another machine to the copy of its segment."""

from __future__ import annotations

import os
from collections.abc import Sequence

from limpet import system
from limpet.errors import StoreError
from limpet.store.journal.segments import open_segment, path_of, segment_lock


def append_received(home: str, name: str, rows: Sequence[bytes]) -> None:
    """Append lines to a segment and sync it; half a line, left by a process that was killed, is removed first."""
    path = path_of(home, name)
    system.private_directory(os.path.dirname(path))
    with segment_lock(home, name) as is_ours:
        if not is_ours:
            raise StoreError(f"another process is storing {name}; run this again")
        is_new = not os.path.lexists(path)
        end = 0 if is_new else _whole_length(path)
        fd = system.open_private(path, os.O_RDWR | os.O_CREAT)
        try:
            os.ftruncate(fd, end)
            os.lseek(fd, end, os.SEEK_SET)
            data = b"".join(row + b"\n" for row in rows)
            if os.write(fd, data) != len(data):
                os.ftruncate(fd, end)
                raise OSError(28, "No space left on device", path)
            system.sync_data(fd)
        finally:
            os.close(fd)
        if is_new:
            system.sync_directory(os.path.dirname(path))


def _whole_length(path: str) -> int:
    """Return the length of a file up to its last line break."""
    with open_segment(path) as file:
        return file.read().rfind(b"\n") + 1
