"""Reads a session's file line by line, however long it is, and says where each event stands in it.

A transcript of a long session is hundreds of megabytes, most of it prompts that the host keeps for itself. So lines are
looked at before they are parsed, a line that is too long for its content to matter is passed over, and one offset is
all that a reader needs to go on later.
"""

from __future__ import annotations

import os

from limpet.lean.record import mutable, record, replace
from limpet.model.event import Reported, SessionEnded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime
    from pathlib import Path
    from typing import Any, BinaryIO

LONGEST_LINE = 4 << 20
BLOCK = 1 << 18
LOOK_BACK = 8 << 20


@record
class Sighting:
    """One event, and where it was seen."""

    event: Reported
    path: str
    line: int
    """The line of the record, counted from 1."""
    start: int
    """The byte at which the record begins."""
    offset: int
    """Where to read on when this sighting has been dealt with. A record that reports several events is seen again as a
    whole by a reader who stopped in the middle of it: better twice than never."""
    cwd: str = ""
    branch: str | None = None


@mutable
class Skipped:
    """What was passed over: lines that are not JSON, and lines too long to be read."""

    broken: int = 0
    too_long: int = 0


@record
class Line:
    number: int
    start: int
    end: int
    record: dict[str, Any]


def read_lines(
    file: BinaryIO, *, start: int, matters: Callable[[bytes], bool], skipped: Skipped, longest: int = LONGEST_LINE
) -> Iterator[Line]:
    """The JSON objects from `start` on. A last line without its end is not written yet, unless it can be read."""
    number = _lines_before(file, start)
    file.seek(start)
    end = start
    while raw := file.readline(longest + 1):
        number += 1
        begin, end = end, end + len(raw)
        if len(raw) > longest and not raw.endswith(b"\n"):
            skipped.too_long += matters(raw)
            end += _pass_over(file)
            continue
        found = parsed(raw) if matters(raw) else None
        if found is not None:
            yield Line(number=number, start=begin, end=end, record=found)
        elif raw.endswith(b"\n") and not raw.isspace():
            skipped.broken += matters(raw) or not _is_whole(raw)


def _is_whole(raw: bytes) -> bool:
    return raw.startswith(b"{") and raw.endswith((b"}\n", b"}\r\n"))


def parsed(raw: bytes) -> dict[str, Any] | None:
    """The object on a line; nothing if the line is no JSON, or JSON of another kind."""
    import json

    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def last_before(file: BinaryIO, offset: int, *needles: bytes) -> dict[str, Any] | None:
    """The last line before `offset` that contains all of `needles`: what a reader who goes on here has not seen."""
    here = file.tell()
    try:
        for block in _lines_back(file, offset):
            for raw in reversed(block.splitlines()):
                if all(needle in raw for needle in needles):
                    return parsed(raw)
        return None
    finally:
        file.seek(here)


def settled(sightings: Iterable[Sighting]) -> Iterator[Sighting]:
    """The same, where only the last of those that share a record leads beyond it.

    The end of a session is not counted: it is where the file ends today, and nothing depends on its being seen.
    """
    held: Sighting | None = None
    for each in sightings:
        if held is not None:
            shared = held.start == each.start and not isinstance(each.event, SessionEnded)
            yield replace(held, offset=held.start) if shared else held
        held = each
    if held is not None:
        yield held


def moment(value: object, otherwise: datetime) -> datetime:
    """A record's timestamp; one that cannot be read happened when the record before it did."""
    from datetime import UTC, datetime

    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else otherwise
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return otherwise


def last_change(path: str) -> datetime:
    """When a file was last written."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(os.path.getmtime(path), UTC)


def find_files(where: str, *, wanted: Callable[[str], bool], since: datetime | None = None) -> Iterator[Path]:
    """The wanted files under a folder, oldest change first; a file that is named is taken as it is."""
    from pathlib import Path

    if os.path.isfile(where):
        yield Path(where)
        return
    found = []
    for folder, _, names in os.walk(where):
        for path in (os.path.join(folder, name) for name in names):
            if wanted(path):
                try:
                    found.append((os.path.getmtime(path), path))
                except OSError:  # gone meanwhile
                    continue
    earliest = since.timestamp() if since else 0.0
    yield from (Path(path) for changed, path in sorted(found) if changed >= earliest)


def _lines_before(file: BinaryIO, offset: int) -> int:
    file.seek(0)
    count, left = 0, offset
    while left > 0 and (block := file.read(min(BLOCK, left))):
        count += block.count(b"\n")
        left -= len(block)
    return count


def _pass_over(file: BinaryIO) -> int:
    passed = 0
    while raw := file.readline(BLOCK):
        passed += len(raw)
        if raw.endswith(b"\n"):
            break
    return passed


def _lines_back(file: BinaryIO, offset: int) -> Iterator[bytes]:
    """Whole lines before `offset`, in blocks from the last to the first, as far as it is worth looking."""
    end, size = offset, BLOCK
    while end > 0 and offset - end < LOOK_BACK:
        begin = max(0, end - size)
        file.seek(begin)
        block = file.read(end - begin)
        cut = block.find(b"\n") + 1 if begin else 0
        if begin and not 0 < cut < len(block):
            size *= 2
            if size > LOOK_BACK:
                return
            continue
        yield block[cut:]
        end, size = begin + cut, BLOCK
