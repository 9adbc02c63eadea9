"""Replace or remove a file only if nobody else has changed it.

Somebody may save an edit between the moment a file is read and the moment it is replaced. So the new file and the old
one are exchanged atomically, the old one is read afterwards, and if it has changed, both are exchanged back.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from limpet import system
from limpet.errors import SymlinkRefused
from limpet.system import open_regular

ASIDE = ".aside.tmp"
"""The suffix of a file that is being exchanged or removed.

If the process is killed, such a file is left behind. It may contain an edit that somebody saved at that moment.
"""


def replace_if(path: str, data: bytes, is_expected: Callable[[bytes | None], bool]) -> bool:
    """Write a file atomically if `is_expected` returns True for its current content, and return whether it was written.

    The current content is None if the file does not exist. An edit that somebody saves at the same moment is never
    overwritten, except on systems that cannot exchange two files atomically.
    """
    if system.is_link(path):
        raise SymlinkRefused(0, "is a symlink, refusing to follow it", path)
    if not is_expected(_read_or_none(path)):
        return False
    temporary = f"{path}.{os.urandom(4).hex()}{ASIDE}"
    _write_new(temporary, data)
    try:
        if not _move_into_place(temporary, path, data, is_expected):
            return False
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    system.sync_directory(os.path.dirname(path))
    return True


def _move_into_place(temporary: str, path: str, data: bytes, is_expected: Callable[[bytes | None], bool]) -> bool:
    """Move the new file `temporary`, which contains `data`, to `path`.

    If the content at `path` is not as expected, leave it there and return False.
    """
    if is_expected(None):
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError:
            # The file system has no hard links.
            if os.path.lexists(path):
                return False
            os.replace(temporary, path)
        return True
    if not system.exchange(temporary, path):
        if not is_expected(_read_or_none(path)):
            return False
        os.replace(temporary, path)
        return True
    # The old content is now at `temporary`.
    if is_expected(_read_or_none(temporary)):
        return True
    while system.exchange(temporary, path):
        if _read_or_none(temporary) == data:
            return False
        # A second edit was saved before the exchange was undone. Exchange again, so that this edit is at `path`.
        data = _read_or_none(path) or b""
    return False


def remove_if(path: str, is_expected: Callable[[bytes | None], bool]) -> bool:
    """Remove a file if `is_expected` returns True for its content, and return whether it was removed."""
    if system.is_link(path):
        raise SymlinkRefused(0, "is a symlink, refusing to follow it", path)
    if not is_expected(_read_or_none(path)):
        return False
    temporary = f"{path}.{os.urandom(4).hex()}{ASIDE}"
    os.rename(path, temporary)
    if is_expected(_read_or_none(temporary)):
        os.unlink(temporary)
        system.sync_directory(os.path.dirname(path))
        return True
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    except OSError:
        if not os.path.lexists(path):
            os.rename(temporary, path)
    with contextlib.suppress(OSError):
        os.unlink(temporary)
    return False


def _read_or_none(path: str) -> bytes | None:
    try:
        with open_regular(path) as file:
            return file.readall()
    except FileNotFoundError:
        return None


def write_shared_file(path: str, data: bytes) -> None:
    """Write a file atomically, with the usual permissions of a new file, so that others can read it."""
    if system.is_link(path):
        raise SymlinkRefused(0, "is a symlink, refusing to follow it", path)
    temporary = f"{path}.{os.urandom(4).hex()}{ASIDE}"
    _write_new(temporary, data)
    os.replace(temporary, path)
    system.sync_directory(os.path.dirname(path))


def _write_new(path: str, data: bytes) -> None:
    """Write a new file whose name ends in `ASIDE`. It gets this name only after its whole content is on disk."""
    unfinished = f"{path.removesuffix(ASIDE)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    fd = os.open(unfinished, flags | getattr(os, "O_CLOEXEC", 0), 0o666)
    with open(fd, "wb") as file:
        file.write(data)
        file.flush()
        system.sync_data(fd)
    os.rename(unfinished, path)
