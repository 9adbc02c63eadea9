"""Read and write a folder that several machines share through Syncthing, git, a network drive or a USB stick.

The folder has a subfolder for each device, with copies of the journal segments (files) that this device has written. A
file is written under another name and then renamed, so a program that copies the folder sees either the old or the new
file. A partial copy of a file is read up to its last complete line.
"""

from __future__ import annotations

import contextlib
import io
import os
from typing import BinaryIO

from limpet import clock, system
from limpet.errors import UsageError, from_os_error
from limpet.lean.pattern import lazy
from limpet.sync.ledger import LONGEST, MachineLedger, decode_ledger, encode_ledger

LARGEST = 64 << 20
"""The maximum size of a segment, in bytes. A larger file is not opened; journal segments are far smaller."""
_FRESH_MS = 3_000
"""The age of a file, in milliseconds, from which on its times show a new write. Some USB sticks round to 2 seconds."""
_UNFINISHED_MS = 10 * 60_000
"""The age of a temporary file, in milliseconds, at which it is deleted. No process takes that long to write one."""
_LEDGER = "ledger.json"
_DEVICE = lazy(r"d[0-9a-f]{12}")
_SEGMENT = lazy(r"[0-9a-z-]{1,60}-[0-9a-f]{8}\.jsonl")


class SyncFolder:
    """A shared folder, with journal segments and with the ledgers that list which segments each machine has."""

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(os.path.expanduser(path))
        if not os.path.isdir(self.path):
            raise UsageError(f"there is no folder {path[:200]!r}; make it, or mount the drive that it is on, first")

    def names(self) -> list[str]:
        """Return the names of the segments in the folder, each in the form `device/file`. Other files are ignored."""
        found = []
        for device in self._list_devices():
            for entry in self._list_entries(device):
                if _SEGMENT.fullmatch(entry):
                    found.append(f"{device}/{entry}")
        return sorted(found)

    def stamp(self, name: str) -> str:
        """Return a text that changes when a segment's file is replaced or written to.

        The text is empty if the file does not exist. It is also empty if the file was written in the last three
        seconds, because its times might not change if it is written to again.
        """
        try:
            info = os.lstat(self._path_of(name))
        except OSError:
            return ""
        is_fresh = max(info.st_mtime_ns, info.st_ctime_ns) // 1_000_000 > clock.now_ms() - _FRESH_MS
        times = f"{info.st_mtime_ns}-{info.st_ctime_ns}"
        return "" if is_fresh else f"{info.st_size}-{times}-{info.st_ino}-{info.st_mode}"

    def open(self, name: str) -> BinaryIO | None:
        """Open a segment for reading; return None if it is missing, unreadable, a symlink, or too large."""
        return self._open(name, LARGEST)

    def write(self, name: str, data: bytes) -> None:
        """Write a segment's file so that a reader sees either the old or the new content."""
        path = self._path_of(name)
        try:
            system.private_directory(os.path.dirname(path))
            self._remove_unfinished(name)
            system.write_atomically(path, data)
        except OSError as error:
            raise from_os_error(error, "write to the shared folder") from error

    def _remove_unfinished(self, name: str) -> None:
        """Remove a segment's temporary files that killed processes have left behind.

        They may contain texts that have been purged since.
        """
        device, _, file = name.partition("/")
        for entry in self._list_entries(device):
            if entry.startswith(f"{file}.") and entry.endswith(".tmp"):
                path = os.path.join(self.path, device, entry)
                with contextlib.suppress(OSError):
                    if os.lstat(path).st_mtime * 1000 < clock.now_ms() - _UNFINISHED_MS:
                        os.unlink(path)

    def ledgers(self) -> list[MachineLedger]:
        """Return the ledger of each machine that has synced through this folder."""
        found = []
        for device in self._list_devices():
            file = self._open(f"{device}/{_LEDGER}", LONGEST)
            if file is not None:
                with file:
                    found.append(decode_ledger(device, file.read(LONGEST)))
        return found

    def write_ledger(self, ledger: MachineLedger) -> None:
        """Write the ledger of this machine."""
        self.write(f"{ledger.device}/{_LEDGER}", encode_ledger(ledger))

    def _list_devices(self) -> list[str]:
        return [each for each in self._list_entries("") if _DEVICE.fullmatch(each)]

    def _list_entries(self, device: str) -> list[str]:
        folder = os.path.join(self.path, device)
        if os.path.islink(folder) and device:
            return []
        try:
            return sorted(os.listdir(folder))
        except NotADirectoryError:
            return []
        except OSError as error:
            raise from_os_error(error, "read the shared folder") from error

    def _open(self, name: str, largest: int) -> BinaryIO | None:
        try:
            file = system.open_regular(self._path_of(name))
        except OSError:
            return None
        if os.fstat(file.fileno()).st_size > largest:
            file.close()
            return None
        return io.BufferedReader(file)

    def _path_of(self, name: str) -> str:
        return os.path.join(self.path, *name.split("/"))
