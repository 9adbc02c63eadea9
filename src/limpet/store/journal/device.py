"""Name the device that writes: each device appends to segments that no other device touches.

The id is random and kept in a file that is named after this machine and this very folder. A home that was copied has
another inode or another machine, so it finds no such file and becomes a new device. A home that is synced between
machines holds one file for each of them.
"""

from __future__ import annotations

import contextlib
import os

from limpet import system
from limpet.errors import StoreError
from limpet.lean.digest import sha256


def device_of(home: str) -> str:
    """Return the id of this device, and choose a random one the first time."""
    folder = os.path.join(home, "device")
    place = f"{system.machine_mark()}\0{os.stat(home).st_ino}"
    path = os.path.join(folder, sha256(place.encode())[:24])
    system.private_directory(folder)
    for _ in range(50):
        try:
            fd = system.open_private(path, os.O_RDONLY)
        except FileNotFoundError:
            pass
        else:
            with os.fdopen(fd, encoding="ascii", errors="replace") as file:
                device = file.read(100).strip()
            if len(device) == 13 and device[0] == "d" and not device[1:].strip("0123456789abcdef"):
                return device
            # Emptied or overwritten: what this device wrote keeps its old name, and it goes on under a new one.
            system.write_atomically(path, _new_device())
            continue
        with contextlib.suppress(FileExistsError):
            # Written under another name and linked into place: a killed process leaves no empty file behind.
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
