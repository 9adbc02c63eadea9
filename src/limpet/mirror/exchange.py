"""Replace or remove a file only if nobody else has changed it.

Between reading a file and writing it, somebody may save an edit. So the new file and the old one are exchanged in one
step, the old one is read afterwards, and both are exchanged back if it is not the expected one.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from limpet import system
from limpet.errors import SymlinkRefused
from limpet.system import open_regular

ASIDE = ".aside.tmp"
"""The end of the name of a file that is being exchanged or removed; after a kill it may hold somebody's edit."""


def replace_if(path: str, data: bytes, is_expected: Callable[[bytes | None], bool]) -> bool:
    """Write a file atomically if its present content is as expected; None stands for a file that does not exist.

    The present content is read after the new one has taken its place: the two are exchanged in one step, and exchanged
    back if the content is not as expected. So an edit by somebody else is never overwritten, and no reader misses the
    file. Return False if the content is not as expected. Where the system cannot exchange files, the content is read
    just before.
    """
    if system.is_link(path):
        raise SymlinkRefused(0, "is a symlink, refusing to follow it", path)
    if not is_expected(_read_or_none(path)):
        return False
    temporary = f"{path}.{os.urandom(4).hex()}{ASIDE}"
    _write_new(temporary, data)
    try:
        if not _take_place(temporary, path, data, is_expected):
            return False
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
    system.sync_directory(os.path.dirname(path))
    return True


def _take_place(temporary: str, path: str, data: bytes, is_expected: Callable[[bytes | None], bool]) -> bool:
    if is_expected(None):
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError:
            # A file system without hard links.
            if os.path.lexists(path):
                return False
            os.replace(temporary, path)
        return True
    if not system.exchange(temporary, path):
        if not is_expected(_read_or_none(path)):
            return False
        os.replace(temporary, path)
        return True
    # The former content is now at `temporary`.
    if is_expected(_read_or_none(temporary)):
        return True
    while system.exchange(temporary, path):
        if _read_or_none(temporary) == data:
            return False
        # It was edited once more in between: the later edit belongs in the place.
        data = _read_or_none(path) or b""
    return False


def remove_if(path: str, is_expected: Callable[[bytes | None], bool]) -> bool:
    """Remove a file if its content is as expected; return False, and leave it, if it is not."""
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
    """Write a whole file atomically, with the mode that files of the repository have."""
    if system.is_link(path):
        raise SymlinkRefused(0, "is a symlink, refusing to follow it", path)
    temporary = f"{path}.{os.urandom(4).hex()}{ASIDE}"
    _write_new(temporary, data)
    os.replace(temporary, path)
    system.sync_directory(os.path.dirname(path))


def _write_new(path: str, data: bytes) -> None:
    """Write a whole file; if the process is killed, no part of it is found under this name."""
    unfinished = f"{path.removesuffix(ASIDE)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    fd = os.open(unfinished, flags | getattr(os, "O_CLOEXEC", 0), 0o666)
    with open(fd, "wb") as file:
        file.write(data)
        file.flush()
        system.sync_data(fd)
    os.rename(unfinished, path)
