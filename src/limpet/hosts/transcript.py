"""Read the transcript of a session, the file in which the host records it, line by line.

The transcript of a long session can have hundreds of megabytes, most of which Limpet does not need. So a line is parsed
only if a quick look at its bytes shows that it may be needed, and a line that is too long is skipped. A reader can
continue later from a single offset.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from limpet.lean.record import mutable, record, replace
from limpet.model.event import Reported, SessionEnded

LONGEST_LINE = 4 << 20
BLOCK = 1 << 18
LOOK_BACK = 8 << 20
"""The number of bytes before an offset that `find_line_before` searches."""
HEAD = 512
"""The number of bytes at the beginning of a line that show whether it has to be parsed."""
MOST_OPEN_CALLS = 256
"""The maximum number of tool calls without a result that a reader keeps; the oldest one is dropped."""


@record
class LocatedEvent:
    """An event and its position in a transcript."""

    event: Reported
    path: str
    line: int
    """The number of the record's line, counted from 1."""
    start: int
    """The offset of the first byte of the record."""
    offset: int
    """The offset at which a reader continues after this event.

    If the record has further events, this is the start of the record: an event may be read twice, but is never lost.
    """
    cwd: str = ""
    branch: str | None = None


@mutable
class SkippedLines:
    """The numbers of skipped lines: those that are not valid JSON, and those that are too long."""

    broken: int = 0
    too_long: int = 0


@record
class Line:
    """A JSON object on a line of a transcript, with the number of the line and the offsets of its start and end."""

    number: int
    start: int
    end: int
    record: dict[str, Any]

    def locate_event(self, event: Reported, path: str, *, cwd: str, branch: str = "") -> LocatedEvent:
        """Return an event of the record with its position in the transcript at `path`."""
        return LocatedEvent(
            event=event,
            path=path,
            line=self.number,
            start=self.start,
            offset=self.end,
            cwd=cwd,
            branch=branch or None,
        )


def read_lines(
    file: BinaryIO, *, start: int, matters: Callable[[bytes], bool], skipped: SkippedLines, longest: int = LONGEST_LINE
) -> Iterator[Line]:
    """Yield the JSON objects of a file with one object on each line, from the offset `start` on.

    A line is parsed only if `matters` accepts its bytes. A line that cannot be read is counted in `skipped`. The host
    may still be writing the last line, so it is left out if it is incomplete.
    """
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
            skipped.broken += matters(raw) or not (raw.startswith(b"{") and raw.endswith((b"}\n", b"}\r\n")))


def parse_object(raw: bytes) -> dict[str, Any] | None:
    """Parse a JSON object; return None if the text is not JSON or is another kind of value."""
    import json

    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def find_line_before(file: BinaryIO, offset: int, *needles: bytes) -> dict[str, Any] | None:
    """Find the last line before `offset` that contains all of `needles`, and return its JSON object.

    Return None if there is no such line within LOOK_BACK bytes, or if it is not a JSON object.
    """
    here = file.tell()
    try:
        for block in _blocks_backwards(file, offset):
            for raw in reversed(block.splitlines()):
                if all(needle in raw for needle in needles):
                    return parse_object(raw)
        return None
    finally:
        file.seek(here)


def correct_shared_offsets(events: Iterable[LocatedEvent]) -> Iterator[LocatedEvent]:
    """Correct the offsets of events from the same record: only the last event's offset is after the record.

    The end of a session does not count as another event of the record, because no record reports it.
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
    """Parse the timestamp of a record; return `otherwise` if it cannot be parsed."""
    from datetime import UTC, datetime

    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else otherwise
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return otherwise


def modified_at(path: str) -> datetime:
    """Return the time at which a file was last modified."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(os.path.getmtime(path), UTC)


def find_files(where: str, *, wanted: Callable[[str], bool], since: datetime | None = None) -> Iterator[Path]:
    """Yield the files under a folder that `wanted` accepts, ordered by modification time, oldest first.

    If `since` is given, files that were modified before it are left out. If `where` is a file, it is always yielded.
    """
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
                except OSError:
                    # The file was removed meanwhile.
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
    """Yield the text before `offset` in blocks of whole lines, the last block first, up to LOOK_BACK bytes."""
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
