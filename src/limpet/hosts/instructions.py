"""The instruction files that hosts load at each start, and the memory block that Limpet writes into them.

Every other byte of such a file belongs to the user and stays as it is.
"""

from __future__ import annotations

import os

from limpet.errors import Refused
from limpet.lean.pattern import lazy
from limpet.lean.record import record

START, END = "<!-- MEMORY:START -->", "<!-- MEMORY:END -->"
FILES = {
    "claude-code": ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md")),
    "codex": ("AGENTS.md",),
    "gemini": ("GEMINI.md",),
}
"""The instruction files of each host in a project; the first of several is the one to make."""
IMPORTING = ("claude-code", "gemini")
"""The hosts that load a file which an instruction file names after an `@`."""
_MARK = lazy(r"[ \t]*+<!--[ \t]*+MEMORY:(START|END)[ \t]*+-->[ \t]*+")
_FENCE = (b"```", b"~~~")
_WIDE = (b"\xff\xfe", b"\xfe\xff")
"""What UTF-16 files begin with."""


@record
class BlockSpan:
    """The bytes of a block, from the beginning of its first line to the end of its last one."""

    start: int
    end: int


@record
class _Mark:
    """A line that begins or ends a block."""

    name: str
    line: int
    span: BlockSpan


def find_block(data: bytes, name: str) -> BlockSpan | None:
    """Return where the block of a file is; None if it has none. Refuse marks that do not form one block.

    Marks inside a fence of code are an example, not a block.
    """
    if data.startswith(_WIDE):
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
    """Return the marks of a file in their order, without those inside a fence."""
    marks: list[_Mark] = []
    place, fence, hidden = 0, b"", list[_Mark]()
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        bare = line.strip()
        found = _MARK.fullmatch(line.rstrip(b"\r\n").decode("latin-1"))
        if found is not None:
            mark = _Mark(name=found[1], line=number, span=BlockSpan(start=place, end=place + len(line)))
            (hidden if fence else marks).append(mark)
        elif fence:
            if bare.startswith(fence) and not bare.strip(fence[:1]):
                fence, hidden = b"", []
        elif bare.startswith(_FENCE):
            fence = bare[: len(bare) - len(bare.lstrip(bare[:1]))]
        place += len(line)
    # A fence that nothing closes was no fence.
    return [*marks, *hidden]


def replace_block(data: bytes, lines: list[str], name: str) -> bytes:
    """Return the file with a new block in the place of the old one, or at the end; other bytes stay as they are."""
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
    """Return the text of the block; empty if there is none."""
    span = find_block(data, name)
    return "" if span is None else data[span.start : span.end].decode("utf-8", "replace").replace("\r\n", "\n")
