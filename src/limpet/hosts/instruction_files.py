"""Find, read and replace the memory block in the instruction files of hosts, such as CLAUDE.md.

A host loads these files at the start of each session. Only the block between two marks is written by Limpet. All other
bytes belong to the user and stay unchanged.
"""

from __future__ import annotations

import os

from limpet.errors import Refused
from limpet.lean.pattern import lazy
from limpet.lean.record import record
from limpet.text.fences import read_fence

START, END = "<!-- MEMORY:START -->", "<!-- MEMORY:END -->"
FILES = {
    "claude-code": ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md")),
    "codex": ("AGENTS.md",),
    "gemini": ("GEMINI.md",),
}
"""The paths at which each host looks for its instruction file in a project. A new file is created at the first path."""
IMPORTING = ("claude-code", "gemini")
"""The hosts whose instruction files can include another file, written as `@PATH`."""
_MARK = lazy(r"[ \t]*+<!--[ \t]*+MEMORY:(START|END)[ \t]*+-->[ \t]*+")
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks at the beginning of UTF-16 files."""


@record
class BlockSpan:
    """The byte positions of a memory block: the beginning of its first line and the end of its last line."""

    start: int
    end: int


@record
class _Mark:
    """A line with the mark that begins or ends a memory block."""

    name: str
    line: int
    span: BlockSpan


def find_block(data: bytes, name: str) -> BlockSpan | None:
    """Find the memory block in the bytes of a file; return None if there is none.

    Marks inside a code fence are ignored. Raise Refused if the marks do not form exactly one block, or if the file is
    not UTF-8. `name` is the file's name for the error message.
    """
    if data.startswith(_UTF_16_MARKS):
        raise Refused(f"{name} is not UTF-8; save it as UTF-8 first, nothing was written")
    marks = _find_marks(data)
    if not marks:
        return None
    if [mark.name for mark in marks] != ["START", "END"]:
        shown = ", ".join(f"{mark.name} in line {mark.line}" for mark in marks[:6])
        raise Refused(
            f"the memory marks of {name} do not form one block ({shown}); leave one `{START}` and one `{END}` "
            f"after it, or remove them all; nothing was written"
        )
    return BlockSpan(start=marks[0].span.start, end=marks[1].span.end)


def _find_marks(data: bytes) -> list[_Mark]:
    """Return the marks in a file in order, without those inside a code fence."""
    marks: list[_Mark] = []
    place, fence, hidden = 0, "", list[_Mark]()
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        # Only characters of ASCII matter, and any bytes are Latin-1.
        text = line.rstrip(b"\r\n").decode("latin-1")
        found = _MARK.fullmatch(text)
        if found is not None:
            mark = _Mark(name=found[1], line=number, span=BlockSpan(start=place, end=place + len(line)))
            (hidden if fence else marks).append(mark)
        else:
            fence = read_fence(text, fence)
            hidden = hidden if fence else []
        place += len(line)
    # A fence that is never closed does not count, so the marks after it do.
    return [*marks, *hidden]


def replace_block(data: bytes, lines: list[str], name: str) -> bytes:
    """Return the bytes of a file with `lines` as its memory block, including the marks.

    The lines replace the old block, or are added at the end of the file. All other bytes stay unchanged.
    """
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    text = newline.join(line.encode("utf-8", "replace") for line in lines)
    span = find_block(data, name)
    if span is not None:
        old = data[span.start : span.end]
        end = old[len(old.rstrip(b"\r\n")) :]
        return data[: span.start] + text + end + data[span.end :]
    if not data:
        return text + newline
    gap = newline if data.endswith((b"\n", b"\r")) else newline * 2
    return data + gap + text + newline


def read_block(data: bytes, name: str) -> str:
    """Return the memory block of a file as text, with its marks; an empty string if there is none."""
    span = find_block(data, name)
    return "" if span is None else data[span.start : span.end].decode("utf-8", "replace").replace("\r\n", "\n")
