"""Read files of the user and of other programs in order to replace them, and replace them, or say why they are left.

Every function raises Untouchable with the reason, which is shown after the name of the file.
"""

from __future__ import annotations

import os
import stat

from limpet import system
from limpet.errors import Untouchable

_LIMIT = 64 << 20


def resolve(path: str) -> str:
    """Return the path of a settings file with all symlinks resolved; raise Untouchable if the target is missing."""
    # Symlinks are followed, because many people keep their settings in another place. `read` checks the owner.
    real = os.path.realpath(path)
    if os.path.islink(path) and not os.path.exists(real):
        raise Untouchable("is a link to nothing")
    return real


def read(path: str, *, to_change: bool = True) -> str | None:
    """Return the text of a settings file, or None if it is missing. A symlink is followed.

    Raise Untouchable if it cannot be read or, if `to_change`, must not be changed.
    """
    real = resolve(path)
    if to_change and hasattr(os, "getuid") and os.path.isfile(real) and os.stat(real).st_uid != os.getuid():
        raise Untouchable("belongs to another user")
    data = read_bytes(real, to_change=to_change)
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        raise Untouchable("is not UTF-8") from None


def read_bytes(path: str, *, limit: int = _LIMIT, to_change: bool = True) -> bytes | None:
    """Return the content of a file that is not a symlink, or None if it is missing.

    Raise Untouchable if it cannot be read, has more than `limit` bytes or, if `to_change`, must not be changed.
    """
    try:
        info = os.lstat(path)
        if stat.S_ISLNK(info.st_mode):
            raise Untouchable("is a symlink; put a plain file in its place")
        if not stat.S_ISREG(info.st_mode):
            raise Untouchable("is not a plain file; move it away")
        if to_change and not (info.st_mode & stat.S_IWUSR and os.access(path, os.W_OK)):
            raise Untouchable("is write-protected; allow writing or move it away")
        if info.st_size > limit:
            raise Untouchable(f"has {info.st_size:,} bytes; more than {limit:,} are not read")
        return system.read_regular(path, limit)
    except FileNotFoundError:
        check_folder(os.path.dirname(path))
        return None
    except OSError as error:
        raise Untouchable(f"cannot be read ({error.strerror})") from None


def check_folder(folder: str) -> None:
    """Raise Untouchable if no file can be created in a folder, which need not exist yet."""
    while not os.path.lexists(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise Untouchable(f"cannot be made, as {folder} is not a folder")
    if not os.access(folder, os.W_OK):
        raise Untouchable(f"cannot be made, as {folder} cannot be written")


def list_missing_folders(real: str) -> tuple[str, ...]:
    """Return the folders that have to be created for a file, outermost first."""
    missing: list[str] = []
    folder = os.path.dirname(real)
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(missing)


def write(real: str, data: bytes, *, shared: bool = False) -> None:
    """Replace the content of a file atomically and keep its mode. A new file is readable by others if `shared`."""
    try:
        mode = stat.S_IMODE(os.stat(real).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        mode = 0o644 if shared else 0o600
    try:
        for folder in list_missing_folders(real):
            os.mkdir(folder, 0o755 if shared else 0o700)
        system.write_atomically(real, data)
        os.chmod(real, mode)
    except OSError as error:
        raise Untouchable(f"cannot be written ({error.strerror})") from None
