"""Read the file of a session line by line, however long it is, and report the position of each event.

A transcript of a long session is hundreds of megabytes, most of it prompts that the host keeps for itself. So lines are
examined before they are parsed, and a line that is too long to matter is skipped. To continue later, a reader needs
only one offset.
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
HEAD = 512
"""How many bytes of a line show whether it has to be parsed."""
MOST_OPEN_CALLS = 256
"""How many calls wait for their results at most; older ones are forgotten."""


@record
class LocatedEvent:
    """One event and its position in a file."""

    event: Reported
    path: str
    line: int
    """The number of the record's line, counted from 1."""
    start: int
    """The offset of the first byte of the record."""
    offset: int
    """The offset at which to continue after this event.

    A reader that stopped in the middle of a record with several events reads the whole record again: an event may be
    seen twice, but is never lost.
    """
    cwd: str = ""
    branch: str | None = None


@mutable
class SkippedLines:
    """The numbers of skipped lines: lines that are not JSON, and lines that are too long to be read."""

    broken: int = 0
    too_long: int = 0


@record
class Line:
    """One JSON object of a file and its position."""

    number: int
    start: int
    end: int
    record: dict[str, Any]


def read_lines(
    file: BinaryIO, *, start: int, matters: Callable[[bytes], bool], skipped: SkippedLines, longest: int = LONGEST_LINE
) -> Iterator[Line]:
    """Yield the JSON objects from `start` on; a last line without a newline is used only if it is complete JSON."""
    number = _count_lines_before(file, start)
    file.seek(start)
    end = start
    while raw := file.readline(longest + 1):
        number += 1
        begin, end = end, end + len(raw)
        if len(raw) > longest and not raw.endswith(b"\n"):
            skipped.too_long += matters(raw)
            end += _skip_line(file)
            continue
        found = parse_object(raw) if matters(raw) else None
        if found is not None:
            yield Line(number=number, start=begin, end=end, record=found)
        elif raw.endswith(b"\n") and not raw.isspace():
            skipped.broken += matters(raw) or not _is_whole(raw)


def _is_whole(raw: bytes) -> bool:
    return raw.startswith(b"{") and raw.endswith((b"}\n", b"}\r\n"))


def parse_object(raw: bytes) -> dict[str, Any] | None:
    """Return the object on a line; None if the line is not JSON or holds another kind of value."""
    import json

    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def find_line_before(file: BinaryIO, offset: int, *needles: bytes) -> dict[str, Any] | None:
    """Return the last line before `offset` that contains all of `needles`, parsed; None if there is none."""
    here = file.tell()
    try:
        for block in _blocks_backwards(file, offset):
            for raw in reversed(block.splitlines()):
                if all(needle in raw for needle in needles):
                    return parse_object(raw)
        return None
    finally:
        file.seek(here)


def hold_shared_offsets(events: Iterable[LocatedEvent]) -> Iterator[LocatedEvent]:
    """Yield the events; of several events in one record, only the last has an offset after the record.

    The end of a session does not count as sharing a record: it is only where the file ends now, and may be missed.
    """
    held: LocatedEvent | None = None
    for each in events:
        if held is not None:
            shared = held.start == each.start and not isinstance(each.event, SessionEnded)
            yield replace(held, offset=held.start) if shared else held
        held = each
    if held is not None:
        yield held


def parse_record_time(value: object, otherwise: datetime) -> datetime:
    """Return the timestamp of a record, or `otherwise`, the time of the record before, if it cannot be parsed."""
    from datetime import UTC, datetime

    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else otherwise
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return otherwise


def modified_at(path: str) -> datetime:
    """Return when a file was last written."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(os.path.getmtime(path), UTC)


def find_files(where: str, *, wanted: Callable[[str], bool], since: datetime | None = None) -> Iterator[Path]:
    """Yield the wanted files under a folder, the oldest modification first. If `where` is a file, yield that file."""
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


def _count_lines_before(file: BinaryIO, offset: int) -> int:
    file.seek(0)
    count, left = 0, offset
    while left > 0 and (block := file.read(min(BLOCK, left))):
        count += block.count(b"\n")
        left -= len(block)
    return count


def _skip_line(file: BinaryIO) -> int:
    passed = 0
    while raw := file.readline(BLOCK):
        passed += len(raw)
        if raw.endswith(b"\n"):
            break
    return passed


def _blocks_backwards(file: BinaryIO, offset: int) -> Iterator[bytes]:
    """Yield whole lines before `offset`, in blocks from the last to the first, up to LOOK_BACK bytes."""
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
