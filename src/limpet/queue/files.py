"""The queue: what hooks have seen and nobody has looked at yet, one file a session and day.

A hook has milliseconds, so it only writes down what happened, with secrets taken out, and syncs it. Whoever has time
reads on from where the last one stopped. That place is kept in the journal, in the same write as what was made of the
events, so none is lost or used twice when a worker dies. A file is removed when all of it was used and its day is
over: then nobody writes to it any more. It never holds anything that the journal does not soon make superfluous.

Only the standard library is used here.
"""

from __future__ import annotations

import os
import zlib

from limpet import system
from limpet.clock import DAY_MS, format_day
from limpet.errors import SymlinkRefused
from limpet.lean import quickjson
from limpet.lean.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

FOLDER = "queue"
_SUFFIX = ".jsonl"


def name_of(session: str, now_ms: int) -> str:
    """The file of a session's day, relative to the queue."""
    return f"{format_day(now_ms)}/{key_of(session)}"


def key_of(session: str) -> str:
    """What stands for a session in the names of files: its id may be anything, so it is hashed."""
    return sha256(session.encode("utf-8", "surrogatepass"))[:24]


def append(home: str, session: str, record: Mapping[str, Any], *, now_ms: int) -> None:
    """Write down one thing that happened; when this returns it is on disk."""
    path = path_of(home, name_of(session, now_ms))
    folder = os.path.dirname(path)
    for place in (os.path.dirname(folder), folder):
        if system.is_link(place):
            raise SymlinkRefused(0, "is a symlink, refusing to follow it", place)
    text = quickjson.dumps(record).encode()
    try:
        fd = system.open_private(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    except FileNotFoundError:
        for place in (home, os.path.dirname(folder), folder):
            system.private_directory(place)
        fd = system.open_private(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        # The newline in front closes a line that somebody else could not finish.
        block = b"\n%08x %b\n" % (zlib.crc32(text), text)
        if os.write(fd, block) != len(block):
            raise OSError(28, "No space left on device", path)
        system.sync_data(fd)
    finally:
        os.close(fd)


def path_of(home: str, name: str) -> str:
    return os.path.join(home, FOLDER, *name.split("/")) + _SUFFIX


def states(home: str) -> str:
    """Where those who work on the queue keep what they must remember of a session; nothing of it is a queue file."""
    return os.path.join(home, FOLDER, "state")


def names(home: str) -> list[str]:
    """Every file of the queue, oldest day first."""
    root = os.path.join(home, FOLDER)
    found = [path for path in system.walk_files(root) if path.endswith(_SUFFIX)]
    return sorted(os.path.relpath(path, root).replace(os.sep, "/").removesuffix(_SUFFIX) for path in found)


def size_of(home: str, name: str) -> int:
    try:
        return os.stat(path_of(home, name)).st_size
    except OSError:
        return 0


def read(home: str, name: str, start: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """What was written from `start` on, each with the place after it; a damaged or unfinished line is passed over."""
    try:
        fd = os.open(path_of(home, name), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return
    with os.fdopen(fd, "rb") as file:
        file.seek(start)
        place = start
        for row in file:
            place += len(row)
            if row.endswith(b"\n") and (record := _decoded(row)) is not None:
                yield place, record


def _decoded(row: bytes) -> dict[str, Any] | None:
    mark, _, text = row.rstrip(b"\n").partition(b" ")
    try:
        if int(mark, 16) != zlib.crc32(text):
            return None
        record = quickjson.loads(text.decode("ascii", "replace"))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def is_over(name: str, now_ms: int, *, days: int = 2) -> bool:
    """Whether the file's day has passed, with a day to spare for clocks that differ."""
    return name.partition("/")[0] < format_day(now_ms - days * DAY_MS)


def remove(home: str, name: str) -> None:
    path = path_of(home, name)
    os.unlink(path)
    try:
        os.rmdir(os.path.dirname(path))
    except OSError:
        return


def scrub(home: str, texts: Iterable[str], used: Mapping[str, int]) -> None:
    """Erase what a purge asks for: all that was used, and every line that still holds one of the texts.

    Lines are overwritten in place, so that the places of the others stay what they are.
    """
    wanted = [quickjson.dumps(text)[1:-1].encode() for text in texts if text]
    for name in names(home):
        with open(path_of(home, name), "r+b") as file:
            place = 0
            for row in file.read().splitlines(keepends=True):
                if place + len(row) <= used.get(name, 0) or any(text in row for text in wanted):
                    file.seek(place)
                    file.write(b" " * (len(row) - 1) + row[-1:])
                place += len(row)
            file.flush()
            system.sync_data(file.fileno())
