"""Append lines that came from another machine to the local copy of its segment."""

from __future__ import annotations

import os
from collections.abc import Sequence

from limpet import clock, system
from limpet.errors import StoreError
from limpet.store.journal.sealed import is_sealed, unseal_file
from limpet.store.journal.segments import open_segment, path_of, segment_lock

_WAIT_MS = 10_000
"""The maximum time to wait for another sync of the same home. Storing a segment takes much less time."""


def append_received(home: str, name: str, rows: Sequence[bytes]) -> None:
    """Append lines to a segment, and sync the file to disk.

    An incomplete line that a killed process has left at the end is removed first. Lines that are in the segment already
    are skipped, because two syncs of one home may take the same file at the same time.
    """
    path = path_of(home, name)
    system.private_directory(os.path.dirname(path))
    with segment_lock(home, name, clock.attempts(_WAIT_MS)) as is_ours:
        if not is_ours:
            raise StoreError(f"another process has been storing {name} for ten seconds; run this again")
        is_new = not os.path.lexists(path)
        data = b""
        if not is_new:
            if is_sealed(path):
                unseal_file(path)
            with open_segment(path) as file:
                data = file.read()
        end = data.rfind(b"\n") + 1
        known = {row.partition(b"\t")[0] for row in data[:end].split(b"\n")}
        fd = system.open_private(path, os.O_RDWR | os.O_CREAT)
        try:
            os.ftruncate(fd, end)
            os.lseek(fd, end, os.SEEK_SET)
            data = b"".join(row + b"\n" for row in rows if row.partition(b"\t")[0] not in known)
            if os.write(fd, data) != len(data):
                os.ftruncate(fd, end)
                raise OSError(28, "No space left on device", path)
            system.sync_data(fd)
        finally:
            os.close(fd)
        if is_new:
            system.sync_directory(os.path.dirname(path))
