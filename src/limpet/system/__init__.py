"""Provide what differs between operating systems: files and locks here, processes and the terminal in submodules.

The capture hook imports this module, so it imports few other modules.
"""

from __future__ import annotations

import os
import stat
import sys

from limpet.errors import SymlinkRefused, from_os_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from io import FileIO

WINDOWS = os.name == "nt"
MACOS = sys.platform == "darwin"

if WINDOWS:
    import msvcrt
else:
    import fcntl

# Windows has none of these flags: there, symlinks need a privilege, handles are not inherited by default, and a pipe is
# not a file. On other systems, O_NONBLOCK keeps `open` from waiting for the other end of a pipe.
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_SAFE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class _suppress:  # noqa: N801 - named like contextlib.suppress
    """A replacement for `contextlib.suppress`. Importing `contextlib` would take a seventh of a hook's time."""

    def __init__(self, *kinds: type[BaseException]) -> None:
        self._kinds = kinds

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> bool:
        return kind is not None and issubclass(kind, self._kinds)


def sync_data(fd: int) -> None:
    """Sync the data written to a file to disk, so that it survives a power cut."""
    if MACOS:
        # On macOS fsync does not empty the cache of the drive.
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)  # type: ignore[attr-defined,unused-ignore]
    elif hasattr(os, "fdatasync"):
        os.fdatasync(fd)
    else:
        os.fsync(fd)


def sync_directory(path: str) -> None:
    """Sync a folder to disk, so that new and renamed files in it survive a power cut."""
    if WINDOWS:
        # Windows syncs folders by itself.
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def open_private(path: str, flags: int) -> int:
    """Open a file, deny other users access to it, and return its descriptor. Raise SymlinkRefused for a symlink."""
    try:
        fd = os.open(path, flags | _SAFE | _NOFOLLOW, 0o600)
    except OSError as error:
        if is_link(path):
            raise SymlinkRefused(error.errno or 0, "is a symlink, refusing to follow it", path) from error
        raise
    try:
        _restrict_open_file(fd, path)
    except OSError:
        os.close(fd)
        raise
    return fd


def _restrict_open_file(fd: int, path: str) -> None:
    """Deny other users access to an open file, if this user may change its permissions.

    Raise SymlinkRefused if it is not a regular file.
    """
    info = os.fstat(fd)
    if not stat.S_ISREG(info.st_mode):
        raise SymlinkRefused(0, "is not a regular file", path)
    if WINDOWS or not info.st_mode & 0o077:
        return
    with _suppress(PermissionError):
        os.fchmod(fd, 0o600)


def is_link(path: str) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except OSError:
        return False


def private_directory(*paths: str) -> None:
    """Create folders and their parents, and deny other users access to the folders, even if they exist already.

    Raise SymlinkRefused for a symlink.
    """
    for path in paths:
        _make_private(path)


def _make_private(path: str) -> None:
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        parent = os.path.dirname(path)
        if parent and parent != path and not os.path.isdir(parent):
            os.makedirs(parent, mode=0o700, exist_ok=True)
        with _suppress(FileExistsError):
            os.mkdir(path, 0o700)
        info = os.lstat(path)
    if stat.S_ISLNK(info.st_mode):
        raise SymlinkRefused(0, "is a symlink, refusing to follow it", path)
    if not stat.S_ISDIR(info.st_mode):
        raise NotADirectoryError(20, "is not a folder", path)
    if not WINDOWS and info.st_mode & 0o077:
        with _suppress(OSError):
            os.chmod(path, 0o700)


def restrict_files(*paths: str) -> None:
    """Deny other users access to files, as far as possible. Symlinks and missing files are skipped."""
    for path in paths:
        if not is_link(path):
            with _suppress(OSError):
                os.chmod(path, 0o600)


def write_atomically(path: str, data: bytes, *, durable: bool = True) -> None:
    """Replace the content of a file, so that a reader sees either the old or the new content.

    If `durable` is True, the new content is on disk when this function returns. Raise SymlinkRefused for a symlink.
    """
    if is_link(path):
        raise SymlinkRefused(0, "is a symlink, refusing to follow it", path)
    temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}.tmp"
    fd = open_private(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            if durable:
                sync_data(fd)
        finally:
            os.close(fd)
        os.replace(temporary, path)
    except BaseException:
        with _suppress(OSError):
            os.unlink(temporary)
        raise
    if durable:
        sync_directory(os.path.dirname(path))


def append_line(path: str, text: str, *, most: int = 256 * 1024) -> None:
    """Append a line to a log file. A log with more than `most` bytes is emptied first."""
    fd = open_private(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        if os.fstat(fd).st_size > most:
            os.ftruncate(fd, 0)
        os.write(fd, text.encode("utf-8", "replace").replace(b"\n", b" ") + b"\n")
    finally:
        os.close(fd)


def try_lock(path: str) -> int | None:
    """Lock the lock file `path` without waiting, and return its descriptor; return None if it is already locked.

    The lock is released by `unlock`, or when this process ends.
    """
    fd = open_private(path, os.O_RDWR | os.O_CREAT)
    try:
        if WINDOWS:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return fd


def unlock(fd: int) -> None:
    """Release a lock, given the descriptor that `try_lock` returned."""
    if WINDOWS:
        with _suppress(OSError):
            os.lseek(fd, 0, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    os.close(fd)


class lock:  # noqa: N801 - read as a statement: `with system.lock(path) as is_held:`
    """A context manager that locks the lock file `path`; it returns False if another process holds the lock.

    One attempt is made for each item of `attempts`, which may wait between items, as `clock.attempts` does. The default
    is a single attempt. If `doing` (a name of the action for error messages) is given, the folder of the lock file is
    created if necessary, and an operating system error is raised as a StoreError.
    """

    def __init__(self, path: str, attempts: Iterable[object] = (None,), *, doing: str = "") -> None:
        self._path = path
        self._attempts = attempts
        self._doing = doing
        self._fd: int | None = None

    def __enter__(self) -> bool:
        try:
            if self._doing:
                private_directory(os.path.dirname(self._path))
            for _ in self._attempts:
                self._fd = try_lock(self._path)
                if self._fd is not None:
                    return True
        except OSError as error:
            if self._doing:
                raise from_os_error(error, self._doing) from error
            raise
        return False

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._fd is not None:
            unlock(self._fd)


def read_machine_id() -> str:
    """Return a text that identifies this machine. It must not be sent to other machines."""
    for path in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        try:
            with open(path, encoding="utf-8") as file:
                if text := file.read().strip():
                    return text
        except (OSError, UnicodeDecodeError):
            continue
    if WINDOWS:
        import winreg

        try:
            key = r"SOFTWARE\Microsoft\Cryptography"
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key) as opened:  # type: ignore[attr-defined,unused-ignore]
                return str(winreg.QueryValueEx(opened, "MachineGuid")[0])  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            pass
    import uuid

    # The hardware address. Without one, uuid returns a random number with a certain bit; then the host name is used.
    node = uuid.getnode()
    return f"{node:012x}" if not node >> 40 & 1 else os.uname().nodename if not WINDOWS else "windows"


def machine_name() -> str:
    import socket

    return socket.gethostname()


def read_regular(path: str, limit: int) -> bytes:
    """Read at most `limit` + 1 bytes of a regular file; raise OSError for a pipe or a device, which could block."""
    fd = os.open(path, os.O_RDONLY | _SAFE)
    try:
        _refuse_irregular(fd)
        parts, left = [], limit + 1
        while left > 0 and (part := os.read(fd, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(fd)


def open_regular(path: str) -> FileIO:
    """Open a regular file of any size; raise OSError for a symlink, and for a pipe or a device, which could block."""
    fd = os.open(path, os.O_RDONLY | _SAFE | _NOFOLLOW)
    try:
        _refuse_irregular(fd)
    except OSError:
        os.close(fd)
        raise
    # Without a buffer, which would be filled again after every seek.
    return open(fd, "rb", buffering=0)


def _refuse_irregular(fd: int) -> None:
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise OSError(0, "not a regular file")


def walk_files(folder: str) -> list[str]:
    """Return the paths of all regular files below a folder, sorted.

    Symlinks are not followed, not even `folder` itself. Return an empty list if there is no such folder.
    """
    if is_link(folder):
        return []
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            found += walk_files(entry.path)
        elif entry.is_file(follow_symlinks=False):
            found.append(entry.path)
    return found


def exchange(one: str, other: str) -> bool:
    """Exchange the names of two files atomically. Return False if the system does not support this or if it fails."""
    if WINDOWS:
        return False
    # Loaded here, because only shared files need it.
    import ctypes

    try:
        libc = ctypes.CDLL(None, use_errno=True)
        first, second = os.fsencode(one), os.fsencode(other)
        if MACOS:
            return bool(libc.renamex_np(first, second, 2) == 0)
        here = -100
        return bool(libc.renameat2(here, first, here, second, 2) == 0)
    except (AttributeError, OSError):
        return False
